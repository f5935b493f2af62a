"""Three cards to turn open the door; who is caught at one goes home. Cards stay turned, and the door counts who came."""

from deckwood.core.jit import rule

DECISION, CHANCE, END = 0, 1, 2
MOON, KEY, LEAVE = 0, 1, 2
CAUGHT, LEFT, OPENED = 1, 2, 3


@rule
def setup(s, deck, options):
    s.hero = options[0]


@rule
def legal(s, deck, mask):
    mask[:] = 1
    return 3


@rule
def finish(s, reason):
    s.games += 1
    s.node = END
    s.ended = reason


@rule
def apply(s, deck, action):
    if action == LEAVE:
        finish(s, LEFT)
    else:
        s.card = action
        s.node = CHANCE


@rule
def chance(s, deck, weights):
    weights[0] = deck.luck[0]
    weights[1] = deck.luck[1]
    return 2


@rule
def apply_chance(s, deck, outcome):
    if outcome == 0:
        finish(s, CAUGHT)
        return
    s.node = DECISION
    s.sides[s.card] = 1 - s.sides[s.card]
    s.turned += 1
    if s.turned == 3:
        s.payoff[0] = 1.0
        finish(s, OPENED)


@rule
def observe(s, deck, out):
    out[0] = s.sides[0]
    out[1] = s.sides[1]
    out[2] = s.turned / 3.0
    out[3] = min(1.0, s.games / 100.0)
