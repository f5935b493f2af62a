"""How well agents play: the same games for all of them, tournaments, regret, and the statistics of it."""
