def describe(s, deck):
    return f"turn {s.turns}, player {s.turn}"
