"""A game that is a list of nodes: whose move it is, where it leads, with which weight, what it pays at an end."""

from deckwood.core.jit import rule

CHANCE, END = 1, 2


@rule
def stand(s, deck, at):
    s.at = at
    s.node = deck.kinds[at]
    s.mover = deck.movers[at]
    if s.node == END:
        s.ended = 1
        for seat in range(2):
            s.payoff[seat] = deck.payoffs[at, seat]


@rule
def setup(s, deck, options):
    stand(s, deck, 0)


@rule
def legal(s, deck, mask):
    n = 0
    for move in range(len(mask)):
        mask[move] = deck.children[s.at, move] >= 0
        n += mask[move]
    return n


@rule
def apply(s, deck, action):
    stand(s, deck, deck.children[s.at, action])


@rule
def chance(s, deck, weights):
    for move in range(len(weights)):
        weights[move] = deck.weights[s.at, move]
    return len(weights)


@rule
def apply_chance(s, deck, outcome):
    stand(s, deck, deck.children[s.at, outcome])


@rule
def observe(s, deck, out):
    out[0] = s.at
