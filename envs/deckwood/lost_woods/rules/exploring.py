"""Explore: a map card in an open direction, then tiles from the bag; the Magnet in its place."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.lost_woods import actions as act
from deckwood.lost_woods.phases import (
    AT_WELL,
    DRAW_CARD,
    DRAW_TILE,
    MAGNET_ITEM,
    MAGNET_SPACE,
    OVER_LIMIT,
    POOREST,
    RICHEST,
    THIRD_SPELL,
)
from deckwood.lost_woods.rules.attacking import begin_attack
from deckwood.lost_woods.rules.ending import end_game
from deckwood.lost_woods.rules.inventory import (
    gain_gold,
    has_third_spell,
    held,
    holds,
    lay_down,
    least_gold,
    lies,
    most_gold,
    pick_up,
    update_payoffs,
    use_spell,
    was_cast,
)
from deckwood.lost_woods.rules.turn import seat_of, wait_for
from deckwood.lost_woods.rules.woods import first_card, is_open, lay
from deckwood.lost_woods.state import (
    BOTTOM,
    CARDS_PER_DECK,
    ENEMY_TILE,
    ESCAPED,
    FIRST_SPELL,
    GNOME_TILE,
    GOLD,
    GOLD_TILE,
    MAGNET,
    MAX_HELD,
    NONE,
    NUM_DIRECTIONS,
    NUM_ITEMS,
    NUM_SPACES,
    NUM_TILES,
    PLUS_TWO_TILE,
    POTION,
    POTION_TILE,
    STEP_X,
    STEP_Y,
)


@rule
def legal_explore(s, deck, mask):
    """You can't explore from a room that contains one or more enemies."""
    here = int(s.at[s.turn])
    n = allow(mask, act.DONE)
    if s.foes[here] == 0:
        for direction in range(NUM_DIRECTIONS):
            if is_open(s, deck, here, direction):
                n += allow(mask, act.EXPLORE + direction)
    if holds(s, int(s.turn), MAGNET) == 1 and anything_to_draw(s):
        n += allow(mask, act.CAST + MAGNET)
    return n


@rule
def play_explore(s, deck, action):
    """The game immediately ends when someone tries to explore, and there are no more cards to draw."""
    if action == act.DONE:
        begin_attack(s, deck)
    elif action == act.CAST + MAGNET:
        use_spell(s, deck, MAGNET)
        wait_for(s, MAGNET_ITEM)
    else:
        s.way = action - act.EXPLORE
        if s.left[s.way] == 0:
            end_game(s, deck, ESCAPED)
        else:
            wait_for(s, DRAW_CARD)


@rule
def card_weights(s, weights):
    """Any card still in the deck but the bottom one, which comes last."""
    first = first_card(int(s.way))
    for card in range(CARDS_PER_DECK):
        in_deck = s.placed[first + card] == 0
        weights[card] = 1 if in_deck and (card != BOTTOM or s.left[s.way] == 1) else 0
    return CARDS_PER_DECK


@rule
def place_card(s, deck, card):
    """The card is placed in the open spot; a bottom card summons the guardian of its direction."""
    way, here = int(s.way), int(s.at[s.turn])
    s.room = first_card(way) + card
    s.left[way] -= 1
    lay(s, deck, int(s.room), int(s.x[here]) + STEP_X[way], int(s.y[here]) + STEP_Y[way])
    if card == BOTTOM:
        s.guardian_at[way] = s.room
        s.foes[s.room] += 1
    s.to_draw = 1
    next_tile(s, deck)


@rule
def next_tile(s, deck):
    """Tiles are drawn one after the other, as long as there are any; then the adventurer moves into the new room."""
    if s.to_draw > 0 and tiles_left(s) > 0:
        wait_for(s, DRAW_TILE)
    else:
        enter_room(s, deck)


@rule
def tiles_left(s):
    n = 0
    for tile in range(NUM_TILES):
        n += int(s.bag[tile])
    return n


@rule
def tile_weights(s, weights):
    for tile in range(NUM_TILES):
        weights[tile] = s.bag[tile]
    return NUM_TILES


@rule
def draw_tile(s, deck, tile):
    seat = int(s.turn)
    s.bag[tile] -= 1
    s.to_draw -= 1
    if tile < ENEMY_TILE or tile == POTION_TILE:
        s.carried[seat, POTION if tile == POTION_TILE else tile] += 1
        if held(s, seat) > MAX_HELD:
            wait_for(s, OVER_LIMIT)
            return
    elif tile < POTION_TILE:
        s.enemies[s.room, tile - ENEMY_TILE] += 1
        s.foes[s.room] += 1
    elif tile == GOLD_TILE:
        gain_gold(s, seat, 1)
    elif tile == PLUS_TWO_TILE:
        s.to_draw += 2
    elif tile == GNOME_TILE and most_gold(s) > 0:
        wait_for(s, RICHEST)
        return
    next_tile(s, deck)


@rule
def legal_over_limit(s, mask):
    n = 0
    for item in range(POTION + 1):
        if s.carried[s.turn, item] > 0:
            n += allow(mask, act.DROP + item)
    return n


@rule
def play_over_limit(s, deck, action):
    """Choose any one, and drop it: in the new map card, or where the Magnet was used."""
    exploring = s.room != NONE
    lay_down(s, int(s.turn), int(s.room) if exploring else int(s.at[s.turn]), action - act.DROP)
    if exploring:
        next_tile(s, deck)
    else:
        begin_attack(s, deck)


# The gnome -----------------------------------------------------------------------------------------------------------------------------


@rule
def legal_gnome(s, mask):
    """From the richest to the poorest; you decide ties."""
    n = 0
    for chair in range(s.players):
        seat = seat_of(s, int(s.turn), chair)
        if s.phase == RICHEST:
            chosen = s.carried[seat, GOLD] == most_gold(s)
        else:
            chosen = seat != s.giver and s.carried[seat, GOLD] == least_gold(s)
        if chosen:
            n += allow(mask, act.CHAIR + chair)
    return n


@rule
def play_gnome(s, deck, action):
    seat = seat_of(s, int(s.turn), action - act.CHAIR)
    if s.phase == RICHEST:
        s.giver = seat
        wait_for(s, POOREST)
    else:
        s.carried[s.giver, GOLD] -= 1
        s.carried[seat, GOLD] += 1
        s.giver = NONE
        update_payoffs(s, NONE)
        next_tile(s, deck)


# The new room --------------------------------------------------------------------------------------------------------------------------


@rule
def enter_room(s, deck):
    """Move your adventurer into the newly explored map card. Its magic may be taken at once."""
    s.at[s.turn] = s.room
    s.room = NONE
    s.to_draw = 0
    if deck.well[s.at[s.turn]] != NONE:
        wait_for(s, AT_WELL)
    else:
        begin_attack(s, deck)


@rule
def legal_well(s, deck, mask):
    return allow(mask, act.DONE) + allow(mask, act.TAKE + FIRST_SPELL + deck.well[s.at[s.turn]])


@rule
def play_well(s, deck, action):
    seat = int(s.turn)
    if action != act.DONE:
        pick_up(s, seat, int(s.at[seat]), action - act.TAKE)
    if has_third_spell(s, seat):
        wait_for(s, THIRD_SPELL)
    else:
        begin_attack(s, deck)


# The Magnet ----------------------------------------------------------------------------------------------------------------------------


@rule
def magnet_draws(s, item):
    """Whether the Magnet finds an item on the map: weapons, gold, and magic that was not used this turn; not potions."""
    if item == POTION or (item >= FIRST_SPELL and was_cast(s, item - FIRST_SPELL)):
        return False
    for space in range(NUM_SPACES):
        if lies(s, space, item) > 0:
            return True
    return False


@rule
def anything_to_draw(s):
    for item in range(NUM_ITEMS):
        if magnet_draws(s, item):
            return True
    return False


@rule
def legal_magnet_item(s, mask):
    n = 0
    for item in range(NUM_ITEMS):
        if magnet_draws(s, item):
            n += allow(mask, act.TAKE + item)
    return n


@rule
def play_magnet_item(s, action):
    s.magnet = action - act.TAKE
    wait_for(s, MAGNET_SPACE)


@rule
def legal_magnet_space(s, mask):
    n = 0
    for space in range(NUM_SPACES):
        if lies(s, space, int(s.magnet)) > 0:
            n += allow(mask, act.SPACE + space)
    return n


@rule
def play_magnet_space(s, deck, action):
    seat, item = int(s.turn), int(s.magnet)
    pick_up(s, seat, action - act.SPACE, item)
    s.magnet = NONE
    if held(s, seat) > MAX_HELD:
        wait_for(s, OVER_LIMIT)
    else:
        begin_attack(s, deck)
