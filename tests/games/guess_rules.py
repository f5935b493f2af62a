"""Name a side, then a fair coin falls: a player who wins more than half of the games has seen the coin to come."""

from deckwood.core.jit import rule

DECISION, CHANCE, END = 0, 1, 2
RIGHT, WRONG = 1, 2


@rule
def setup(s, deck, options):
    s.node = DECISION


@rule
def legal(s, deck, mask):
    mask[:] = 1
    return 2


@rule
def apply(s, deck, action):
    s.named = action
    s.node = CHANCE


@rule
def chance(s, deck, weights):
    weights[0] = deck.sides[0]
    weights[1] = deck.sides[1]
    return 2


@rule
def apply_chance(s, deck, outcome):
    s.fell = outcome
    s.payoff[0] = 1.0 if outcome == s.named else 0.0
    s.ended = RIGHT if outcome == s.named else WRONG
    s.node = END


@rule
def observe(s, deck, out):
    out[0] = s.node / 2.0
