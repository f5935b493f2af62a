"""The outcome of a board at the end of its engagement: rewards, damage, After effects, as far as they need no choice or die."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.cards import has_effects, standing_enemies
from deckwood.strong.pool import gain_gold, has_room, item_count, lose_gold, lose_stat, total
from deckwood.strong.terms import (
    AFTER,
    AFTER_STANDING,
    CANCELLED,
    COUNT,
    DEFEATED,
    FALLS,
    HEALTH,
    MAX_ITEMS,
    NONE,
    NUM_COLOURS,
    OP,
    PER,
    PER_STANDING,
    REWARD,
    SLOTS,
    STAT_MAX,
    STRATEGY,
    WHAT,
    WHEN,
)
from deckwood.strong.vocabulary import (
    BANISH,
    BANISH_BEST,
    CHOOSE,
    EXHAUST,
    EXHAUST_BEST,
    GAIN_ANY_STAT,
    GAIN_GOLD,
    GAIN_ITEM,
    GAIN_STAT,
    LOSE_ANY_STAT,
    LOSE_GOLD,
    LOSE_STAT,
    OFFER,
    RECOVER,
    RECOVER_BY_ROLL,
    RECOVER_COLOUR,
    RESTORE,
    RESTORE_COLOUR,
    TEST,
)


@rule
def take_effect(s, op, what, count):
    """What an instruction does to stats, gold, items and banished dice; returns the dice that it gives back or (below 0) takes."""
    if op == GAIN_STAT or op == GAIN_ANY_STAT:
        stat = int(what) if op == GAIN_STAT else HEALTH
        s.stats[stat] = min(STAT_MAX, int(s.stats[stat]) + count)
    elif op == LOSE_STAT or op == LOSE_ANY_STAT:
        lose_stat(s, int(what) if op == LOSE_STAT else STRATEGY, count)
    elif op == GAIN_GOLD:
        gain_gold(s, count)
    elif op == LOSE_GOLD:
        lose_gold(s, count)
    elif op == GAIN_ITEM:
        if has_room(s):
            s.items[item_count(s)] = MAX_ITEMS  # any card: only their number is looked at
    elif op == RECOVER or op == RECOVER_COLOUR:
        return count
    elif op == RECOVER_BY_ROLL:
        return total(s.exhausted) // 2
    elif op == EXHAUST or op == EXHAUST_BEST:
        return -count
    elif op == RESTORE or op == RESTORE_COLOUR:
        for colour in range(NUM_COLOURS - 1, -1, -1):
            if s.banished[colour] > 0:
                s.banished[colour] -= 1
                return 1
    elif op == BANISH or op == BANISH_BEST:
        s.banished[0] += count
        return -count
    return 0


@rule
def take_effects(s, deck, face, when):
    """What a card does at a moment, up to its first choice or test; returns dice as :func:`take_effect` does."""
    dice = 0
    if not has_effects(deck, face, when):
        return 0
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        if deck.effects[row, WHEN] != when:
            continue
        op = int(deck.effects[row, OP])
        if op == CHOOSE or op == TEST or op == OFFER:
            break
        times = standing_enemies(s, deck) if deck.effects[row, PER] == PER_STANDING else 1
        dice += take_effect(s, op, int(deck.effects[row, WHAT]), times * int(deck.effects[row, COUNT]))
    return dice


@rule
def foresee(s, deck, before, due):
    """Leads a board to the end of its Resolve phase, all but the dice. ``before``: bits of slots that were defeated already.

    Returns dice that rewards recover, and dice by which the Recover Dice step recovers fewer.
    """
    prize = 0
    for slot in range(SLOTS):
        if s.slot[slot] != NONE and s.marks[slot] & DEFEATED and not (before >> slot) & 1:
            if not s.marks[slot] & CANCELLED:
                prize += take_effects(s, deck, int(s.slot[slot]), FALLS)
            prize += take_effects(s, deck, int(s.slot[slot]), REWARD)
    lose_stat(s, HEALTH, due)
    lost = 0
    for slot in range(SLOTS):
        if s.slot[slot] == NONE or s.marks[slot] & CANCELLED or s.stats[HEALTH] < 1:
            continue
        if not s.marks[slot] & DEFEATED:
            lost -= take_effects(s, deck, int(s.slot[slot]), AFTER_STANDING)
        lost -= take_effects(s, deck, int(s.slot[slot]), AFTER)
    return max(0, prize), max(0, lost)
