"""The map: moving, exploring, and cards that flip or vanish underfoot."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.etherfields import actions as act
from deckwood.etherfields import state as own
from deckwood.etherfields.rules.cards import WAITING, begin_draw, can_draw, draw_weights, uncover, zone_weights
from deckwood.etherfields.steps import ACTIVATE_ENEMIES, GAME_OVER
from deckwood.strong.cards import announce
from deckwood.strong.dice import count_down
from deckwood.strong.steps import A, B, pop, push, top
from deckwood.strong.terms import EXPLORED, NONE

EXPLORED_SHARE = 1 / 72
"""What each explored map card adds to a game's payoff under ``reward="progress"``: the first nine of them make an eighth."""


@rule
def map_row(s, card):
    """The row of the map tables for the side of a map card that faces up."""
    return 2 * card + int(s.side[own.MAP_SIDE + card])


@rule
def row_here(s):
    return map_row(s, int(s.at_card))


@rule
def has_acted(s, row, space, action):
    """True if a unique action of a space was resolved this round; ``row`` is that of the side of its map card."""
    return (int(s.acted[row]) >> (own.SPACE_ACTIONS * space + action)) & 1 != 0


@rule
def map_card_at(s, x, y):
    """The map card at a place of the grid, or NONE."""
    for card in range(own.NUM_MAPS):
        if s.map_zone[card] == own.IN_PLAY and s.map_x[card] == x and s.map_y[card] == y:
            return card
    return NONE


@rule
def maps_in_play(s):
    n = 0
    for card in range(own.NUM_MAPS):
        n += s.map_zone[card] == own.IN_PLAY
    return n


@rule
def card_beside(s, card, direction):
    """The map card next to another one, or NONE."""
    return map_card_at(s, int(s.map_x[card]) + own.STEP_X[direction], int(s.map_y[card]) + own.STEP_Y[direction])


@rule
def neighbour(s, direction):
    """The map card next to the hero's, or NONE."""
    return card_beside(s, int(s.at_card), direction)


@rule
def edge_cell(direction, segment):
    """The cell of a map card at a part of its edge."""
    if direction == own.NORTH:
        return segment
    if direction == own.EAST:
        return 3 * segment + 2
    if direction == own.SOUTH:
        return 6 + segment
    return 3 * segment


@rule
def over_edge(s, deck, card, space, other, direction, segment):
    """The space of the next card across a part of the edge from a space, or NONE: a wall of either card is in the way."""
    row = map_row(s, card)
    if deck.space_at[row, edge_cell(direction, segment)] != space or deck.edges[row, 3 * direction + segment] == 0:
        return NONE
    across, opposite = map_row(s, other), (direction + 2) % 4
    if deck.edges[across, 3 * opposite + segment] == 0:
        return NONE
    return int(deck.space_at[across, edge_cell(opposite, segment)])


@rule
def space_across(s, deck, other, direction, segment):
    """The space of the next card across a part of the edge from the hero's space, or NONE."""
    return over_edge(s, deck, int(s.at_card), int(s.at_space), other, direction, segment)


@rule
def legal_moves(s, deck, mask):
    """Marks every space one border away; a space that can be reached over several parts of an edge is entered over the first."""
    n = 0
    doors = int(deck.doors[row_here(s), s.at_space])
    for space in range(own.MAX_SPACES):
        if (doors >> space) & 1:
            n += allow(mask, act.GO_TO_SPACE + space)
    for direction in range(4):
        card = neighbour(s, direction)
        if card == NONE:
            continue
        reached = 0
        for segment in range(3):
            space = space_across(s, deck, card, direction, segment)
            if space != NONE and not (reached >> space) & 1:
                reached |= 1 << space
                n += allow(mask, act.GO_ACROSS + 3 * direction + segment)
    return n


@rule
def any_move(s, deck):
    if deck.doors[row_here(s), s.at_space] != 0:
        return True
    for direction in range(4):
        card = neighbour(s, direction)
        if card != NONE:
            for segment in range(3):
                if space_across(s, deck, card, direction, segment) != NONE:
                    return True
    return False


@rule
def play_moving(s, deck, action):
    """One space; entering an activate-enemy space interrupts the movement."""
    if action == act.DONE:
        pop(s)
        return
    count_down(s)
    if action < act.GO_ACROSS:
        s.at_space = action - act.GO_TO_SPACE
    else:
        direction, segment = (action - act.GO_ACROSS) // 3, (action - act.GO_ACROSS) % 3
        card = neighbour(s, direction)
        s.at_space = space_across(s, deck, card, direction, segment)
        s.at_card = card
    skulls = int(deck.skulls[row_here(s), s.at_space])
    if skulls > 0:
        push(s, ACTIVATE_ENEMIES, skulls)


@rule
def arrow_here(s, deck):
    """The direction of the arrow in the hero's space, or NONE."""
    return int(deck.explore[row_here(s), s.at_space, own.ARROW])


@rule
def may_explore(s, deck):
    """True if an arrow points to where no map card lies and there is one to place."""
    arrow = arrow_here(s, deck)
    return arrow != NONE and neighbour(s, arrow) == NONE and can_draw(s, deck, own.MAP_DECK)


@rule
def perform_exploring(s, deck):
    card = begin_draw(s, deck, own.MAP_DECK)
    if card == NONE:
        pop(s)
    elif card != WAITING:
        place_map_card(s, deck, card)


@rule
def exploring_weights(s, deck, weights):
    return draw_weights(s, deck, own.MAP_DECK, weights)


@rule
def place_map_card(s, deck, card):
    """A drawn map card joins the map."""
    s.map_zone[card] = own.IN_PLAY
    s.map_x[card] = top(s, A)
    s.map_y[card] = top(s, B)
    pop(s)
    if s.options[own.OPTION_REWARD] and s.explored < own.NUM_MAPS - 1:
        s.explored += 1
        s.earned += EXPLORED_SHARE
    announce(s, deck, EXPLORED)
    uncover(s, own.MAP_DECK, card)


@rule
def entrance_card(s, deck):
    """The map card in play that has the Dream Entrance, or NONE."""
    for card in range(own.NUM_MAPS):
        if s.map_zone[card] == own.IN_PLAY and deck.entrance[map_row(s, card)] != NONE:
            return card
    return NONE


@rule
def return_home(s, deck):
    """The Health die goes to the Dream Entrance; False where it is not part of the map."""
    card = entrance_card(s, deck)
    if card == NONE:
        return False
    s.at_card = card
    s.at_space = deck.entrance[map_row(s, card)]
    return True


@rule
def return_or_lose(s, deck):
    """The card underfoot is gone: without a Dream Entrance to return to the game is lost."""
    if not return_home(s, deck):
        push(s, GAME_OVER, own.LOST_IN_DREAM)


@rule
def flip_map_card(s, deck):
    """Flips the map card the hero is on."""
    card = int(s.at_card)
    s.side[own.MAP_SIDE + card] = 1 - s.side[own.MAP_SIDE + card]
    return_or_lose(s, deck)


@rule
def map_weights(s, deck, weights):
    return zone_weights(s, deck, own.MAP_DECK, own.IN_PLAY, weights)


@rule
def discard_map_card(s, deck, card):
    """A map card leaves a gap in the map."""
    pop(s)
    s.map_zone[card] = own.IN_DISCARD
    s.map_x[card] = 0
    s.map_y[card] = 0
    if card == s.at_card:
        return_or_lose(s, deck)
