"""Dice and stats: the moves between the areas that a player's hands make."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong import terms
from deckwood.strong.steps import STRATEGY_ROSE, push
from deckwood.strong.vocabulary import NO_RECOVERY, RECOVERY_CHANGE, STRATEGY_CHANGE


@rule
def strategy_of(s):
    """Strategy as it counts now, the die's value changed by what is in play."""
    return max(1, int(s.stats[terms.STRATEGY]) + int(s.modifiers[STRATEGY_CHANGE]) - int(s.weary))


@rule
def recovery_of(s):
    """How many dice the Recover Dice step recovers."""
    if s.modifiers[NO_RECOVERY]:
        return 0
    return max(0, int(s.stats[terms.RECOVERY]) + int(s.modifiers[RECOVERY_CHANGE]) - int(s.tired))


@rule
def gain_stat(s, stat, amount):
    before = int(s.stats[stat])
    s.stats[stat] = min(terms.STAT_MAX, before + amount)
    if stat == terms.STRATEGY and s.stats[stat] > before:
        push(s, STRATEGY_ROSE)


@rule
def lose_stat(s, stat, amount):
    """Health may fall to 0, which loses the game; the others stop at 1."""
    lowest = 0 if stat == terms.HEALTH else 1
    s.stats[stat] = max(lowest, int(s.stats[stat]) - amount)


@rule
def gain_gold(s, amount):
    s.gold = min(terms.GOLD_MAX, int(s.gold) + amount)


@rule
def lose_gold(s, amount):
    """Loses the amount or, where there is less, all of it."""
    s.gold = max(0, int(s.gold) - amount)


@rule
def total(area):
    """The number of dice in an area by colour."""
    n = 0
    for colour in range(5):
        n += int(area[colour])
    return n


@rule
def waiting_to_roll(s, colour):
    """Dice of a colour that are being rolled; those committed in a Commit Dice step that is not over are not among them."""
    return int(s.unrolled[colour]) - int(s.committed_now[colour])


@rule
def unapplied(s, face):
    """Committed dice showing ``face`` and not applied."""
    n = 0
    for colour in range(5):
        n += int(s.rolled[colour, face])
    return n


@rule
def unapplied_hits(s):
    return unapplied(s, terms.HIT) + unapplied(s, terms.HIT + 1)


@rule
def committed_dice(s):
    """All dice in the active area, applied or not."""
    n = 0
    for colour in range(5):
        n += int(s.unrolled[colour])
        for face in range(3):
            n += int(s.rolled[colour, face]) + int(s.kept[colour, face])
            for slot in range(terms.SLOTS):
                n += int(s.applied[slot, colour, face])
    return n


@rule
def strongest_ready(s):
    """The strongest colour with a ready die, or NONE."""
    for colour in range(terms.RED, -1, -1):
        if s.ready[colour] > 0:
            return colour
    return terms.NONE


@rule
def exhaust_applied(s, slot):
    """The dice on a card go to the exhausted area."""
    for colour in range(5):
        for face in range(3):
            s.exhausted[colour] += s.applied[slot, colour, face]
            s.applied[slot, colour, face] = 0


@rule
def exhaust_unapplied(s):
    for colour in range(5):
        s.exhausted[colour] += s.unrolled[colour]
        s.unrolled[colour] = 0
        for face in range(3):
            s.exhausted[colour] += s.rolled[colour, face] + s.kept[colour, face]
            s.rolled[colour, face] = 0
            s.kept[colour, face] = 0


@rule
def banish_misses(s, most):
    for colour in range(5):
        gone = min(most, int(s.rolled[colour, terms.MISS]))
        s.rolled[colour, terms.MISS] -= gone
        s.banished[colour] += gone
        most -= gone


@rule
def item_count(s):
    n = 0
    while n < terms.MAX_ITEMS and s.items[n] != terms.NONE:
        n += 1
    return n


@rule
def has_room(s):
    """True if another item can be held: as many as Strategy, as it counts now."""
    return item_count(s) < min(terms.MAX_ITEMS, strategy_of(s))


@rule
def add_item(s, face):
    """Puts an item in hand, where items lie in the order of their cards, and returns its place; there must be room."""
    place = item_count(s)
    while place > 0 and s.items[place - 1] > face:
        s.items[place] = s.items[place - 1]
        s.used[place] = s.used[place - 1]
        place -= 1
    s.items[place] = face
    s.used[place] = 0
    return place


@rule
def remove_item(s, index):
    """Takes an item out of hand and closes the gap."""
    for i in range(index, terms.MAX_ITEMS - 1):
        s.items[i] = s.items[i + 1]
        s.used[i] = s.used[i + 1]
    s.items[terms.MAX_ITEMS - 1] = terms.NONE
    s.used[terms.MAX_ITEMS - 1] = 0
