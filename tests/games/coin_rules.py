"""Flip a coin as often as you dare: heads adds one, tails loses everything. Ten heads end the game."""

from deckwood.core.jit import rule

DECISION, CHANCE, END = 0, 1, 2
FLIP, STOP = 0, 1
STOPPED, BUST, FULL = 1, 2, 3


@rule
def setup(s, deck, options):
    s.node = CHANCE  # the first flip is free of decision


@rule
def legal(s, deck, mask):
    mask[FLIP] = 1
    mask[STOP] = 1
    return 2


@rule
def finish(s, reason):
    s.node = END
    s.ended = reason


@rule
def apply(s, deck, action):
    if action == STOP:
        finish(s, STOPPED)
    else:
        s.node = CHANCE


@rule
def chance(s, deck, weights):
    weights[0] = deck.sides[0]
    weights[1] = deck.sides[1]
    return 2


@rule
def apply_chance(s, deck, outcome):
    s.flips += 1
    s.node = DECISION
    if outcome == 0:
        s.heads += 1
        s.payoff[0] += 1.0
        if s.heads == 10:
            finish(s, FULL)
    elif s.flips > 1:  # the free flip cannot hurt
        s.payoff[0] = 0.0
        finish(s, BUST)


@rule
def observe(s, deck, out):
    out[0] = s.heads / 10.0
