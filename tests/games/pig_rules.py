"""Pig: roll a die and add it to your turn, or hold and bank the turn. A one loses the turn. First to the target wins."""

from deckwood.core.jit import rule

DECISION, CHANCE, END = 0, 1, 2
ROLL, HOLD = 0, 1


@rule
def setup(s, deck, options):
    s.target = options[0]


@rule
def legal(s, deck, mask):
    enough = s.scores[s.mover] + s.turn >= s.target  # rolling on could only lose
    mask[ROLL] = not enough
    mask[HOLD] = s.turn > 0
    return 1 + (s.turn > 0 and not enough)


@rule
def pass_turn(s):
    s.turn = 0
    s.mover = 1 - s.mover
    s.node = DECISION


@rule
def apply(s, deck, action):
    if action == ROLL:
        s.node = CHANCE
        return
    s.scores[s.mover] += s.turn
    if s.scores[s.mover] < s.target:
        pass_turn(s)
        return
    s.payoff[s.mover] = 1.0
    s.payoff[1 - s.mover] = -1.0
    s.node = END
    s.ended = 1


@rule
def chance(s, deck, weights):
    for face in range(6):
        weights[face] = deck.faces[face]
    return 6


@rule
def apply_chance(s, deck, outcome):
    if outcome == 0:
        pass_turn(s)
        return
    s.turn += outcome + 1
    s.node = DECISION


@rule
def observe(s, deck, out):
    out[0] = min(1.0, s.scores[s.mover] / s.target)
    out[1] = min(1.0, s.scores[1 - s.mover] / s.target)
    out[2] = min(1.0, s.turn / s.target)
