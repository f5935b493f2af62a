"""Setup."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.lost_woods.phases import STARTER
from deckwood.lost_woods.rules.turn import begin_turn, leave_fight, wait_for
from deckwood.lost_woods.rules.woods import lay
from deckwood.lost_woods.state import (
    BOX_GOLD,
    CAMP_CENTRE,
    CAMP_SPACES,
    CARDS_PER_DECK,
    D6,
    D12,
    GOLD,
    MAX_PLAYERS,
    NONE,
    NUM_DIRECTIONS,
    NUM_OPTIONS,
    NUM_SPACES,
    NUM_SPELLS,
    NUM_TILES,
    OPTION_PLAYERS,
    UNREACHED,
)


@rule
def setup(s, deck, options):
    """The camp on the table, each adventurer in its centre with a D6 weapon and one gold; D12's removed by the number of players."""
    for option in range(NUM_OPTIONS):
        s.options[option] = options[option]
    s.players = options[OPTION_PLAYERS]
    for space in range(NUM_SPACES):
        for direction in range(NUM_DIRECTIONS):
            s.beside[space, direction] = NONE
        for start in range(NUM_SPACES):
            s.distance[start, space] = UNREACHED
    for direction in range(NUM_DIRECTIONS):
        s.left[direction] = CARDS_PER_DECK
        s.guardian_at[direction] = NONE
    for spell in range(NUM_SPELLS):
        s.spell_at[spell] = NONE
    for space in range(CAMP_SPACES):
        lay(s, deck, space, int(deck.camp[space, 0]), int(deck.camp[space, 1]))
    for tile in range(NUM_TILES):
        s.bag[tile] = deck.tiles[tile]
    s.bag[D12] -= MAX_PLAYERS - s.players
    s.bag[D6] -= s.players
    s.supply = BOX_GOLD - s.players
    for seat in range(MAX_PLAYERS):
        s.at[seat] = CAMP_CENTRE
        s.duel_item[seat] = NONE
        if seat < s.players:
            s.carried[seat, D6] = 1
            s.carried[seat, GOLD] = 1
    s.turn = NONE
    s.way = NONE
    s.room = NONE
    s.giver = NONE
    s.magnet = NONE
    leave_fight(s)
    wait_for(s, STARTER)


@rule
def starter_weights(s, weights):
    """Who went camping the most recently: each adventurer is as likely."""
    for seat in range(s.players):
        weights[seat] = 1
    return int(s.players)


@rule
def start(s, seat):
    begin_turn(s, seat)
