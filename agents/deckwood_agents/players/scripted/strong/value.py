"""What stats, gold, dice and effects are worth to a good player of a 20 Strong deck, in points. A point is about a tenth of one Health."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.pool import item_count, total
from deckwood.strong.terms import (
    AFTER_STANDING,
    COUNT,
    GOLD_MAX,
    HEALTH,
    MISS,
    OP,
    PER,
    PER_STANDING,
    RECOVERY,
    REWARD,
    SIDES,
    STAT_MAX,
    STRATEGY,
    WHAT,
    WHEN,
)
from deckwood.strong.vocabulary import (
    ACTIVATE,
    BANISH,
    BANISH_APPLIED,
    BANISH_BEST,
    BANISH_MISSES,
    BRIBE_CHANGE,
    CANCEL,
    CHOOSE,
    DEFEAT,
    DOUBLE_REWARD,
    ENEMY_DAMAGE,
    ENEMY_HEALTH,
    EXHAUST,
    EXHAUST_BEST,
    EXTRA_PASS,
    FIRST_INSTRUCTION,
    GAIN_ANY_STAT,
    GAIN_GOLD,
    GAIN_ITEM,
    GAIN_STAT,
    LOSE_ANY_STAT,
    LOSE_GOLD,
    LOSE_ITEM,
    LOSE_STAT,
    PAY_DICE,
    PAY_GOLD,
    PAY_STAT,
    PRICE_CHANGE,
    RECOVER,
    RECOVER_BY_ROLL,
    RECOVER_COLOUR,
    RECOVERY_CHANGE,
    REROLL,
    REROLL_MISSES,
    RESTORE,
    RESTORE_COLOUR,
    RETURN_DIE,
    SET_HEALTH,
    SHIELD,
    SHIELD_ALWAYS,
    STRATEGY_CHANGE,
    SWAP_DICE,
    TEST,
    TURN_HIT,
    TURN_MISS,
    UPGRADE_ITEM,
    WOUND,
)
from deckwood_agents.players.scripted.strong.dice_sets import many, size

# What having a stat at 0, 1, ... 6 is worth.
HEALTH_VALUE = (-150.0, 0.0, 18.0, 31.0, 41.0, 49.0, 55.0)
STRATEGY_VALUE = (0.0, 0.0, 16.0, 27.0, 34.0, 39.0, 43.0)
RECOVERY_VALUE = (0.0, 0.0, 12.0, 23.0, 33.0, 41.0, 47.0)
DIE_VALUE = (2.0, 2.6, 3.2, 3.8, 4.4)  # of a ready die over an exhausted one, by colour
GOLD_VALUE = 1.8
BANISHED_VALUE = 2.5  # of a die in the pool over a banished one, as a multiple of DIE_VALUE
ONGOING_USES = 3.0  # how often an ongoing effect acts in the rest of a game, as it is worth


@rule
def stat_value(stat, value):
    value = max(0, min(STAT_MAX, value))
    if stat == HEALTH:
        return HEALTH_VALUE[value]
    if stat == STRATEGY:
        return STRATEGY_VALUE[value]
    return RECOVERY_VALUE[value]


@rule
def stat_change(s, stat, amount):
    """What a stat's change is worth now."""
    now = int(s.stats[stat])
    lowest = 0 if stat == HEALTH else 1
    return stat_value(stat, max(lowest, now + amount)) - stat_value(stat, now)


@rule
def best_raise(s):
    """The stat that gains most from one more."""
    best = HEALTH
    for stat in range(STRATEGY, RECOVERY + 1):
        if stat_change(s, stat, 1) > stat_change(s, best, 1):
            best = stat
    return best


@rule
def gold_change(s, amount):
    """What gaining (or losing) gold is worth; what does not fit is lost."""
    after = max(0, min(GOLD_MAX, int(s.gold) + amount))
    return GOLD_VALUE * (after - int(s.gold))


@rule
def lost_dice(exhausted, recovery):
    """What the dice are worth that stay exhausted when the strongest ones are recovered."""
    left = size(exhausted) - recovery
    value = 0.0
    for colour in range(5):
        n = max(0, min(left, many(exhausted, colour)))
        value += n * DIE_VALUE[colour]
        left -= n
    return value


@rule
def effect_value(s, op, what, count):
    """What an instruction, or a standing modifier of the player's own cards, is worth. Rough where it depends on what comes."""
    if op == GAIN_STAT:
        return stat_change(s, what, count)
    if op == LOSE_STAT or op == PAY_STAT:
        return stat_change(s, what, -count)
    if op == GAIN_ANY_STAT:
        return count * stat_change(s, best_raise(s), 1)
    if op == LOSE_ANY_STAT:
        return -8.0 * count
    if op == GAIN_GOLD:
        return gold_change(s, count)
    if op == LOSE_GOLD or op == PAY_GOLD:
        return gold_change(s, -count)
    if op == RECOVER:
        return 3.2 * min(count, total(s.exhausted))
    if op == RECOVER_COLOUR:
        return DIE_VALUE[what] * min(count, int(s.exhausted[what]))
    if op == RECOVER_BY_ROLL:
        return 1.8 * total(s.exhausted)
    if op == EXHAUST or op == PAY_DICE:
        return -2.2 * min(count, total(s.ready))
    if op == EXHAUST_BEST:
        return -3.6 * min(count, total(s.ready))
    if op == BANISH or op == BANISH_APPLIED:
        return -6.0 * count
    if op == BANISH_BEST:
        return -9.0 * min(count, total(s.ready))
    if op == BANISH_MISSES:
        return -2.0
    if op == RESTORE:
        return 8.0 * min(count, total(s.banished))
    if op == RESTORE_COLOUR:
        return BANISHED_VALUE * DIE_VALUE[what] * min(1, int(s.banished[what]))
    if op == GAIN_ITEM:
        return 7.0 * count
    if op == LOSE_ITEM:
        return -5.0 * min(count, item_count(s))
    if op == UPGRADE_ITEM:
        return 5.0 * min(count, item_count(s))
    if op == ACTIVATE:
        return -9.0 * count
    return fight_help(op, count)


@rule
def fight_help(op, count):
    """What an effect that helps in an engagement is worth, once."""
    if op == DEFEAT:
        return 14.0
    if op == SET_HEALTH:
        return max(2.0, 14.0 - 3.0 * count)
    if op == WOUND:
        return 4.0 * count
    if op == CANCEL:
        return 4.0
    if op == SHIELD:
        return 4.0 * min(count, 3)
    if op == SHIELD_ALWAYS:
        return 5.0 * count
    if op == TURN_MISS:
        return 3.0 * count
    if op == TURN_HIT:
        return 2.5 * count
    if op == REROLL_MISSES:
        return 4.0
    if op == REROLL or op == RETURN_DIE:
        return 1.5 * count
    if op == EXTRA_PASS:
        return 4.0 * count
    if op == SWAP_DICE:
        return 1.0
    if op == DOUBLE_REWARD:
        return 5.0 * count
    if op == STRATEGY_CHANGE or op == RECOVERY_CHANGE:
        return 3.5 * count
    if op == BRIBE_CHANGE or op == PRICE_CHANGE:
        return -1.0 * count
    if op == ENEMY_DAMAGE or op == ENEMY_HEALTH:
        return -4.0 * count
    return 2.0 if op < FIRST_INSTRUCTION else 0.0


@rule
def row_value(s, deck, row):
    count = int(deck.effects[row, COUNT])
    if deck.effects[row, PER] == PER_STANDING:
        count *= 2
    return effect_value(s, int(deck.effects[row, OP]), int(deck.effects[row, WHAT]), count)


@rule
def rows_value(s, deck, first, end):
    """What a run of instructions is worth, its choices made well and its tests weighed."""
    value = 0.0
    for row in range(first, end):
        op = int(deck.effects[row, OP])
        if op != CHOOSE and op != TEST:
            value += row_value(s, deck, row)
            continue
        middle = min(end, row + 1 + int(deck.effects[row, COUNT]))
        one, other = 0.0, 0.0
        for r in range(row + 1, middle):
            one += row_value(s, deck, r)
        for r in range(middle, end):
            other += row_value(s, deck, r)
        if op == CHOOSE:
            return value + max(one, other)
        missing = SIDES[int(deck.effects[row, WHAT])][MISS] / 6.0
        return value + (1.0 - missing) * one + missing * other
    return value


@rule
def value_at(s, deck, face, when):
    """What a card's effects of one moment are worth."""
    start, end = 0, 0
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        if deck.effects[row, WHEN] == when:
            if end == 0:
                start = row
            end = row + 1
    return rows_value(s, deck, start, end)


@rule
def defeat_value(s, deck, face):
    """What defeating an enemy is worth beside the damage that it would deal: its reward, and what it does if undefeated."""
    reward = max(0.0, value_at(s, deck, face, REWARD)) * (2 if s.doubled > 0 else 1)
    return reward - value_at(s, deck, face, AFTER_STANDING)
