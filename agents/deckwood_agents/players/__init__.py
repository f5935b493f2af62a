"""Everything that can sit at a table: scripted players, networks, search and solvers; ``roster`` makes them by name."""
