"""The map: where cards lie, where their ways lead, and how far it is."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.lost_woods.state import (
    CAMP_SPACES,
    CARDS_PER_DECK,
    NONE,
    NUM_DIRECTIONS,
    NUM_SPACES,
    STEP_X,
    STEP_Y,
    UNREACHED,
)


@rule
def opposite(direction):
    return (direction + 2) % NUM_DIRECTIONS


@rule
def first_card(direction):
    """The space of the first card of a direction's deck; its bottom card has the last one."""
    return CAMP_SPACES + CARDS_PER_DECK * direction


@rule
def neighbour(s, deck, space, direction):
    """Where the card's marker in that direction leads, or NONE without a marker or a card beyond it."""
    return int(s.beside[space, direction]) if deck.ways[space, direction] == 1 else NONE


@rule
def is_open(s, deck, space, direction):
    """Open: there is a marker, and no card next to it."""
    return deck.ways[space, direction] == 1 and s.beside[space, direction] == NONE


@rule
def fully_explored(s):
    """No space on the map leads to an unexplored one."""
    for space in range(NUM_SPACES):
        if s.open_ways[space] > 0:
            return False
    return True


@rule
def count_open_ways(s, deck, space):
    n = 0
    for direction in range(NUM_DIRECTIONS):
        n += is_open(s, deck, space, direction)
    s.open_ways[space] = n


@rule
def lay(s, deck, space, x, y):
    """Places a card, next to all that already lie around it."""
    s.placed[space] = 1
    s.x[space] = x
    s.y[space] = y
    for other in range(NUM_SPACES):
        if s.placed[other] == 1:
            for direction in range(NUM_DIRECTIONS):
                if s.x[other] == x + STEP_X[direction] and s.y[other] == y + STEP_Y[direction]:
                    s.beside[space, direction] = other
                    s.beside[other, opposite(direction)] = space
    count_open_ways(s, deck, space)
    for direction in range(NUM_DIRECTIONS):
        if s.beside[space, direction] != NONE:
            count_open_ways(s, deck, int(s.beside[space, direction]))
    if deck.well[space] != NONE:
        s.spell_at[deck.well[space]] = space
    measure(s, deck, space)


@rule
def measure(s, deck, new):
    """Keeps the distances: every way that a new card adds leads into it or out of it."""
    neighbours = 0
    s.distance[new, new] = 0
    for direction in range(NUM_DIRECTIONS):
        beyond = int(s.beside[new, direction])
        if beyond != NONE:
            neighbours += 1
            if neighbour(s, deck, new, direction) != NONE:
                for other in range(NUM_SPACES):
                    s.distance[new, other] = min(int(s.distance[new, other]), 1 + int(s.distance[beyond, other]))
            if neighbour(s, deck, beyond, opposite(direction)) != NONE:
                for other in range(NUM_SPACES):
                    s.distance[other, new] = min(int(s.distance[other, new]), 1 + int(s.distance[other, beyond]))
    if neighbours > 1:
        for start in range(NUM_SPACES):
            to_new = int(s.distance[start, new])
            if to_new < UNREACHED:
                for other in range(NUM_SPACES):
                    s.distance[start, other] = min(int(s.distance[start, other]), to_new + int(s.distance[new, other]))
