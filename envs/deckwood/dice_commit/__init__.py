"""One engagement of the 20 Strong system, with a known optimum."""
