"""Independent referees: each game's rules a second time, straight from its rulebook, and a match that holds the compiled rules to them."""
