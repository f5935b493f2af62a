"""Hill: push your stone and it climbs a step or rolls back to where your turn began; bank the climb and the next player pushes.

Banked steps are paid at once; the first on top takes the rest from the others. After ``rounds`` rounds without a winner the game is cut.
"""

from deckwood.core.jit import rule

DECISION, CHANCE, END = 0, 1, 2
PUSH, BANK, REST = 0, 1, 2
ROLLS_BACK, CLIMBS = 0, 1
STEP = 0.125  # paid for a banked step


@rule
def setup(s, deck, options):
    s.players = options[0]
    s.top = options[1]
    s.rounds = options[2]


@rule
def legal(s, deck, mask):
    mask[PUSH] = 1
    mask[BANK] = s.climb > 0
    mask[REST] = s.climb == 0
    return 2


@rule
def pass_turn(s):
    s.climb = 0
    s.mover += 1
    s.node = DECISION
    if s.mover == s.players:
        s.mover = 0
        s.played += 1
        if s.played == s.rounds:
            s.node = END  # nobody has won: a cut


@rule
def apply(s, deck, action):
    if action == PUSH:
        s.node = CHANCE
        return
    s.height[s.mover] += s.climb
    s.payoff[s.mover] += STEP * s.climb
    if s.height[s.mover] < s.top:
        pass_turn(s)
        return
    for seat in range(s.players):
        s.payoff[seat] += 1.0 if seat == s.mover else -1.0 / (s.players - 1)
    s.node = END
    s.ended = 1


@rule
def chance(s, deck, weights):
    weights[ROLLS_BACK] = deck.weights[ROLLS_BACK]
    weights[CLIMBS] = deck.weights[CLIMBS]
    return 2


@rule
def apply_chance(s, deck, outcome):
    if outcome == ROLLS_BACK:
        pass_turn(s)
        return
    s.climb += 1
    s.node = DECISION


@rule
def observe(s, deck, out):
    best = 0
    for seat in range(s.players):
        if seat != s.mover and s.height[seat] > best:
            best = int(s.height[seat])
    out[0] = min(1.0, (s.height[s.mover] + s.climb) / s.top)
    out[1] = min(1.0, best / s.top)
    out[2] = min(1.0, s.climb / s.top)
    out[3] = s.players
