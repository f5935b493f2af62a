"""Roll a die each turn and climb at most that many rungs. Fifteen rungs in eight turns win."""

from deckwood.core.jit import rule

DECISION, CHANCE, END = 0, 1, 2
TOP, LATE = 1, 2


@rule
def setup(s, deck, options):
    s.node = CHANCE


@rule
def legal(s, deck, mask):
    for rungs in range(mask.shape[0]):
        mask[rungs] = rungs <= s.die
    return int(s.die) + 1


@rule
def apply(s, deck, action):
    s.height += action
    s.turns += 1
    s.payoff[0] += action / 15.0
    if s.height >= 15:
        s.node = END
        s.ended = TOP
    elif s.turns == 8:
        s.node = END
        s.ended = LATE
    else:
        s.node = CHANCE


@rule
def chance(s, deck, weights):
    for face in range(6):
        weights[face] = deck.faces[face]
    return 6


@rule
def apply_chance(s, deck, outcome):
    s.die = outcome
    s.node = DECISION


@rule
def observe(s, deck, out):
    out[0] = min(20, s.height)
    out[1] = s.die
    out[2] = s.turns
