"""What adventurers carry and what lies on the map: Basics (limits), gold, and where spells are."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.lost_woods.state import (
    BOX_GOLD,
    EFFECT,
    EIGHTH,
    FIRST_SPELL,
    GOLD,
    HELD,
    MAX_HELD,
    MAX_SPELLS,
    NONE,
    NUM_DICE,
    NUM_SPELLS,
    OPTION_REWARD,
    POTION,
    REWARD_GOLD,
    REWARD_WIN,
    STRIKE,
    TORNADO,
)


@rule
def held(s, seat):
    """Weapons and potions, of which at most ``MAX_HELD`` are carried."""
    n = 0
    for item in range(POTION + 1):
        n += int(s.carried[seat, item])
    return n


@rule
def spells_held(s, seat):
    n = 0
    for spell in range(NUM_SPELLS):
        n += holds(s, seat, spell)
    return n


@rule
def has_third_spell(s, seat):
    """You can only hold two magic tiles at once. If you get a third, choose one, and put it back in its magic well."""
    return spells_held(s, seat) > MAX_SPELLS


@rule
def holds(s, seat, spell):
    return 1 if s.spell_at[spell] == HELD + seat else 0


@rule
def carries(s, seat, item):
    """How many of an item an adventurer has; a spell is an item too."""
    if item >= FIRST_SPELL:
        return holds(s, seat, item - FIRST_SPELL)
    return int(s.carried[seat, item])


@rule
def lies(s, space, item):
    """How many of an item lie on a space."""
    if item >= FIRST_SPELL:
        return 1 if s.spell_at[item - FIRST_SPELL] == space else 0
    return int(s.lying[item, space])


@rule
def has_room_for(s, seat, item):
    """Whether an item can be picked up within the limit. A third spell can: one of the three then goes back to its well."""
    return item >= GOLD or held(s, seat) < MAX_HELD


@rule
def pick_up(s, seat, space, item):
    if item >= FIRST_SPELL:
        s.spell_at[item - FIRST_SPELL] = HELD + seat
    else:
        s.lying[item, space] -= 1
        s.carried[seat, item] += 1
        if item == GOLD:
            update_payoffs(s, NONE)


@rule
def lay_down(s, seat, space, item):
    if item >= FIRST_SPELL:
        s.spell_at[item - FIRST_SPELL] = space
    else:
        s.carried[seat, item] -= 1
        s.lying[item, space] += 1
        if item == GOLD:
            update_payoffs(s, NONE)


@rule
def return_to_well(s, deck, spell):
    s.spell_at[spell] = deck.well_space[spell]


@rule
def use_spell(s, deck, spell):
    """All magic is single use: the tile goes back to its well, and not into an inventory again this turn."""
    return_to_well(s, deck, spell)
    s.cast |= 1 << spell


@rule
def was_cast(s, spell):
    """Whether a spell was used this turn."""
    return (int(s.cast) >> spell) & 1 == 1


@rule
def fights(deck, spell):
    """Whether a spell is used in combat, for a die."""
    return spell <= TORNADO or (spell == EIGHTH and deck.eighth[EFFECT] == STRIKE)


@rule
def largest_die(s, seat):
    """Of the weapons carried; NONE without one."""
    largest = NONE
    for die in range(NUM_DICE):
        if s.carried[seat, die] > 0:
            largest = die
    return largest


@rule
def is_armed(s, deck, seat):
    """If you don't have a weapon, or magic for combat, you can't fight."""
    if largest_die(s, seat) != NONE:
        return True
    for spell in range(NUM_SPELLS):
        if holds(s, seat, spell) == 1 and fights(deck, spell):
            return True
    return False


@rule
def most_gold(s):
    most = 0
    for seat in range(s.players):
        most = max(most, int(s.carried[seat, GOLD]))
    return most


@rule
def least_gold(s):
    least = most_gold(s)
    for seat in range(s.players):
        least = min(least, int(s.carried[seat, GOLD]))
    return least


@rule
def lead_of(s, seat):
    """A seat's gold less the most that another has."""
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, int(s.carried[other, GOLD]))
    return int(s.carried[seat, GOLD]) - most


@rule
def gain_gold(s, seat, pieces):
    """From the supply, as far as it goes."""
    pieces = min(pieces, int(s.supply))
    s.supply -= pieces
    s.carried[seat, GOLD] += pieces
    update_payoffs(s, NONE)


@rule
def update_payoffs(s, winner):
    """Every seat's payoff, as the option ``reward`` has it, from the gold held and from who has won (NONE: nobody yet)."""
    reward = int(s.options[OPTION_REWARD])
    if reward == REWARD_WIN and winner == NONE:
        return
    others = int(s.players) - 1
    total = 0
    for seat in range(s.players):
        total += int(s.carried[seat, GOLD])
    for seat in range(s.players):
        own = int(s.carried[seat, GOLD])
        lead = (own - (total - own) / others) / (BOX_GOLD + 1)
        victory = 0.0 if winner == NONE else 1.0 if seat == winner else -1.0 / others
        if reward == REWARD_WIN:
            s.payoff[seat] = victory
        elif reward == REWARD_GOLD:
            s.payoff[seat] = lead + victory / (2 * (BOX_GOLD + 1))
        else:
            s.payoff[seat] = (lead + victory) / 2
