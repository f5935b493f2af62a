"""Rules that break their promise: after the first decision nothing can happen any more, in the way that was chosen."""

from deckwood.core.jit import rule

DECISION, CHANCE, END = 0, 1, 2
NO_ACTION, PROMISED_ACTION, NO_OUTCOME = 0, 1, 2


@rule
def setup(s, deck, options):
    s.way = -1
    if options[0]:
        s.node = END


@rule
def legal(s, deck, mask):
    for action in range(len(mask)):
        mask[action] = s.way < 0
    return 3 if s.way < 0 else int(s.way)


@rule
def apply(s, deck, action):
    s.way = action
    s.node = CHANCE if action == NO_OUTCOME else DECISION


@rule
def chance(s, deck, weights):
    return 0


@rule
def apply_chance(s, deck, outcome):
    s.way = -1


@rule
def observe(s, deck, out):
    out[0] = 1.0
