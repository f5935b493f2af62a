"""What to strive for in Etherfields: the odds against the boss, and where to go on the map."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields.rules.boss import boss_slot, can_summon
from deckwood.etherfields.rules.cards import hand_count
from deckwood.etherfields.rules.dream import has_acted, map_row
from deckwood.etherfields.rules.payment import cost_of, means
from deckwood.etherfields.state import (
    ADVANCE_ETHER,
    AWARENESS,
    AWARENESS_COST,
    CONDITIONS,
    CUNNING,
    ENEMIES_BEATEN,
    ETHER_IS,
    IN_PLAY,
    MAPS_OUT,
    MAX_SPACES,
    NUM_MAPS,
    SET_ETHER,
    SPACE_ACTIONS,
    SUMMON,
)
from deckwood.strong.cards import damage_of, has_effects, is_boss, is_standing
from deckwood.strong.pool import item_count, total
from deckwood.strong.steps import COMMIT
from deckwood.strong.terms import (
    AFTER_STANDING,
    ALWAYS,
    COUNT,
    CRIT,
    DURING,
    EXPLORED,
    FALLS,
    HEALTH,
    HIT,
    NONE,
    ONGOING,
    OP,
    REWARD,
    ROLLED,
    SIDES,
    SLOTS,
    USE,
    WHAT,
    WHEN,
)
from deckwood.strong.vocabulary import (
    APPLY_BAN,
    APPLY_LIMIT,
    APPLY_LIMIT_ALL,
    APPLY_PER_ROLL,
    COMMIT_BAN,
    COMMIT_LIMIT,
    COMMIT_TOTAL,
    CRIT_BONUS,
    CRITS_VOID,
    CRITS_VOID_HERE,
    ENEMY_HEALTH,
    EXTRA_PASS,
    HIT_BONUS,
    HIT_BONUS_HERE,
    HITS_VOID,
    HITS_VOID_HERE,
    NO_LIMIT,
    RECOVER,
    REROLL_MISSES,
    STRATEGY_CHANGE,
    TURN_HIT,
    TURN_MISS,
    WOUND,
)
from deckwood_agents.players.scripted.etherfields.map import (
    FAR,
    does,
    has_space,
    map_does,
    neighbours,
    only,
    open_arrow,
    skull_spaces,
    skulls_at,
)
from deckwood_agents.players.scripted.etherfields.means import TOO_DEAR, price_of_face, price_to_pay
from deckwood_agents.players.scripted.etherfields.value import (
    BEATEN_VALUE,
    HAMPERING_VALUE,
    MAP_VALUE,
    STAYING_VALUE,
    lacking,
    moment_value,
)
from deckwood_agents.players.scripted.strong.fight import harm_of, need_of, reach, rolls_left

SUMMON_VALUE = 60.0  # of being able to activate the boss with good odds
READY_PLACE_VALUE = 9.0  # of waiting where the boss can be activated
EXPLORE_VALUE = 14.0  # of a map card while the place of the boss is unknown
ETHER_SOURCE_VALUE = 8.0  # ... while no action of the map sets the ether that the boss asks for
CURIOSITY = 0.5  # ... when nothing is missing
SKULL_VALUE = 7.0  # of an enemy that a space activates
LATER = 0.6  # what something is worth that must wait for the next round
PRIZE_OF_BOSS = 400.0
FAINT_ODDS = 0.04  # at which the dice go to other enemies than the boss
STEP_VALUE = 0.3  # of a space less to go


@rule
def boss_room(s, deck, rolls):
    """How many dice the boss takes in ``rolls`` rolls."""
    room = NO_LIMIT
    first = int(deck.cards[s.boss].first)
    for row in range(first, first + int(deck.cards[s.boss].count)):
        op, count = int(deck.effects[row, OP]), int(deck.effects[row, COUNT])
        if op == APPLY_LIMIT or op == COMMIT_TOTAL:
            room = min(room, count)
        elif op == APPLY_PER_ROLL or op == COMMIT_LIMIT or op == APPLY_LIMIT_ALL:
            room = min(room, count * rolls)
    return room


@rule
def boss_number(s, deck, op):
    """The sum of the counts of a modifier of the boss."""
    n = 0
    first = int(deck.cards[s.boss].first)
    for row in range(first, first + int(deck.cards[s.boss].count)):
        if deck.effects[row, OP] == op and deck.effects[row, WHEN] <= ALWAYS:
            count = int(deck.effects[row, COUNT])
            n += count if count != 0 else 1  # an op without a count is there or not
    return n


@rule
def boss_colours(s, deck, op):
    """The colours that a modifier of the boss names, as bits."""
    colours = 0
    first = int(deck.cards[s.boss].first)
    for row in range(first, first + int(deck.cards[s.boss].count)):
        if deck.effects[row, OP] == op and deck.effects[row, WHEN] <= ALWAYS:
            colours |= int(deck.effects[row, WHAT])
    return colours


@rule
def punch(s, deck, face):
    """Damage that a card's effects could add in an engagement, roughly."""
    damage = 0.0
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        op, count = int(deck.effects[row, OP]), int(deck.effects[row, COUNT])
        if op == WOUND:
            damage += count
        elif op == TURN_MISS or op == TURN_HIT:
            damage += 0.7 * min(count, 3)
        elif op == EXTRA_PASS or op == REROLL_MISSES:
            damage += 1.5
        elif op == RECOVER:
            damage += 0.8 * min(count, total(s.exhausted))
    return damage


@rule
def held_punch(s, deck):
    """Damage that cards in the inventory, and some of those in hand, could add."""
    damage = 0.0
    for i in range(item_count(s)):
        if not s.used[i]:
            damage += punch(s, deck, int(s.items[i]))
    for i in range(hand_count(s)):
        face = int(s.hand[i])
        if deck.cards[face].uses != ONGOING and price_of_face(s, deck, face, i) < TOO_DEAR:
            damage += 0.6 * punch(s, deck, face)
    return damage


@rule
def boss_odds(s, deck, step):
    """The chance to defeat the boss in this round's engagement with the dice that are ready, were it activated now."""
    rolls = max(0, rolls_left(s) + (1 if step == COMMIT else 0) + boss_number(s, deck, STRATEGY_CHANGE))
    banned = boss_colours(s, deck, COMMIT_BAN) | boss_colours(s, deck, APPLY_BAN)
    void = boss_colours(s, deck, HITS_VOID) | boss_colours(s, deck, HITS_VOID_HERE)
    crits_void = boss_number(s, deck, CRITS_VOID) + boss_number(s, deck, CRITS_VOID_HERE) + int(s.modifiers[CRITS_VOID])
    bonus = boss_number(s, deck, HIT_BONUS_HERE)
    n, hits, crits, hit_damage, crit_damage = 0, 0.0, 0.0, 0.0, 0.0
    for colour in range(5):
        dice = int(s.ready[colour]) + int(s.unrolled[colour])
        for face in range(3):
            dice += int(s.rolled[colour, face])
        if dice == 0 or (banned >> colour) & 1 or ((void | int(s.modifiers[HITS_VOID])) >> colour) & 1:
            continue
        hit, crit = SIDES[colour][HIT] / 6.0, SIDES[colour][CRIT] / 6.0
        if crits_void:
            crit = 0.0
        of_hit = max(0, 1 + bonus + int(s.modifiers[HIT_BONUS + colour]))
        of_crit = max(0, 2 + bonus + int(s.modifiers[HIT_BONUS + colour]) + int(s.modifiers[CRIT_BONUS]))
        ever = (1.0 - (1.0 - hit - crit) ** rolls) / max(0.01, hit + crit)
        n += dice
        hits += dice * ever * hit
        crits += dice * ever * crit
        hit_damage += dice * ever * hit * of_hit
        crit_damage += dice * ever * crit * of_crit
    if n == 0 or hits + crits <= 0.0:
        return 0.0
    slot = boss_slot(s)
    if slot == NONE:
        need = 1.0 * max(1, int(deck.cards[s.boss].health) + int(s.modifiers[ENEMY_HEALTH]) + boss_number(s, deck, ENEMY_HEALTH))
    else:
        need = 1.0 * need_of(s, deck, slot)
    need -= held_punch(s, deck)
    if harm_of(s, deck, 0 if slot == NONE else 1 << slot) >= s.stats[HEALTH]:  # the others must fall, too
        for other in range(SLOTS):
            if is_standing(s, deck, other) and not is_boss(s, deck, other):
                need += need_of(s, deck, other)
    room = boss_room(s, deck, rolls)
    per_hit = hit_damage / hits if hits > 0.0 else 0.0
    per_crit = crit_damage / crits if crits > 0.0 else 0.0
    return reach(n, hits / n, crits / n, per_hit, per_crit, need, room, 0)


@rule
def pace(s):
    """Decisions so far; of a campaign, for each of its games on average."""
    return int(s.decisions) // (1 + int(s.games))


@rule
def min_odds(s):
    """The odds at which the boss is activated: high while there are more dice to wait for and Health to wait with."""
    odds = 0.9
    if total(s.exhausted) <= 1:
        odds = 0.45
    if s.stats[HEALTH] <= 3:
        odds -= 0.12 * (4 - int(s.stats[HEALTH]))
    return max(0.1, odds - pace(s) / 1500.0)


@rule
def is_ready(s, deck, step):
    """True if the boss should be activated now."""
    return can_summon(s, deck) and boss_odds(s, deck, step) >= min_odds(s)


@rule
def ether_source(s, deck):
    """True if an action of the map can bring the ether that the boss asks for."""
    return map_does(s, deck, SET_ETHER, NONE) or map_does(s, deck, ADVANCE_ETHER, NONE)


@rule
def explore_value(s, deck):
    """What one more map card is worth."""
    value = CURIOSITY + moment_value(s, deck, int(s.hero), EXPLORED)
    if s.facing:
        return value
    if not map_does(s, deck, SUMMON, NONE):
        value += EXPLORE_VALUE
    if lacking(s, deck, MAPS_OUT) > 0:
        value += MAP_VALUE
    if lacking(s, deck, ETHER_IS) > 0 and not ether_source(s, deck):
        value += ETHER_SOURCE_VALUE
    return value


@rule
def place_value(s, deck, card, space, exploring, summoning):
    """What it is worth to be in a space: the best that can be done there, this round or the next.

    ``exploring`` and ``summoning`` say what a map card and activating the boss are worth.
    """
    row = map_row(s, card)
    best = 0.0
    if open_arrow(s, deck, card, space):
        cost = cost_of(s, int(deck.explore[row, space, AWARENESS_COST]))
        now = cost <= means(s, deck, AWARENESS)
        value = exploring - (price_to_pay(s, deck, AWARENESS, cost) if now else 1.0 * cost)
        best = max(best, value if now else LATER * value)
    for k in range(SPACE_ACTIONS):
        face = int(deck.unique[row, space, k])
        if face == NONE:
            continue
        price = price_of_face(s, deck, face, NONE)
        now = price < TOO_DEAR and not has_acted(s, row, space, k)
        if does(deck, face, SUMMON):
            value = summoning
        else:
            value = moment_value(s, deck, face, USE)
        value -= min(6.0, price)
        best = max(best, value if now else LATER * value)
    return best


@rule
def summon_value(s, deck, step):
    """What it is worth to be where the boss can be activated."""
    if s.facing:
        return 0.0
    missing = 0
    for condition in range(len(CONDITIONS)):
        missing += min(3, lacking(s, deck, condition))
    if missing > 0:
        return READY_PLACE_VALUE / (1 + missing)
    return SUMMON_VALUE if is_ready(s, deck, step) else 2.0 * READY_PLACE_VALUE


@rule
def look_round(s, deck, step, free, bold):
    """The best place to go to: its map card, space, distance, and what going there is worth.

    ``free`` steps are paid for. The hero's own place is distance 0. Through skull spaces only if ``bold``.
    """
    exploring, summoning = explore_value(s, deck), summon_value(s, deck, step)
    skull_low, skull_high = skull_spaces(s, deck)
    can_pay = means(s, deck, CUNNING)
    low, high = only(int(s.at_card), int(s.at_space))
    reached_low, reached_high = low, high
    best_card, best_space, best_distance = int(s.at_card), int(s.at_space), 0
    best_value = place_value(s, deck, best_card, best_space, exploring, summoning)
    for distance in range(1, FAR + 1):
        near_low, near_high = neighbours(s, deck, low, high)
        near_low &= ~reached_low
        near_high &= ~reached_high
        if near_low == 0 and near_high == 0:
            break
        reached_low |= near_low
        reached_high |= near_high
        steps = max(0, distance - free)
        price = price_to_pay(s, deck, CUNNING, min(steps, can_pay)) if steps > 0 else 0.0
        share = 1.0
        if steps > can_pay:
            share = LATER
            price += 1.0 * (steps - can_pay)
        for card in range(NUM_MAPS):
            if s.map_zone[card] != IN_PLAY:
                continue
            for space in range(MAX_SPACES):
                if not has_space(near_low, near_high, card, space):
                    continue
                value = share * place_value(s, deck, card, space, exploring, summoning) - price - STEP_VALUE * distance
                value -= SKULL_VALUE * skulls_at(s, deck, card, space)
                if bold:
                    value -= SKULL_VALUE
                if value > best_value:
                    best_card, best_space, best_distance, best_value = card, space, distance, value
        low, high = (near_low, near_high) if bold else (near_low & ~skull_low, near_high & ~skull_high)
    return best_card, best_space, best_distance, best_value


@rule
def goal(s, deck, step, free):
    """Where to go: map card, space, distance, worth, and 1 if the way leads through skull spaces."""
    card, space, distance, value = look_round(s, deck, step, free, False)
    bold_card, bold_space, bold_distance, bold_value = look_round(s, deck, step, free, True)
    if bold_value > value + 0.01:
        return bold_card, bold_space, bold_distance, bold_value, 1
    return card, space, distance, value, 0


@rule
def prize(s, deck, slot, boss_prize):
    """What an enemy's fall is worth beside the damage that it would deal this round."""
    if not is_standing(s, deck, slot):
        return 0.0
    if is_boss(s, deck, slot):
        return boss_prize
    face = int(s.slot[slot])
    value = max(0.0, moment_value(s, deck, face, REWARD)) * (2 if s.doubled > 0 else 1)
    value += moment_value(s, deck, face, FALLS) - moment_value(s, deck, face, AFTER_STANDING)
    value += STAYING_VALUE * damage_of(s, deck, slot)
    if has_effects(deck, face, DURING) or has_effects(deck, face, ROLLED):
        value += HAMPERING_VALUE
    if lacking(s, deck, ENEMIES_BEATEN) > 0:
        value += BEATEN_VALUE
    return value


@rule
def prizes_of(s, deck, step):
    """The prize of every slot. The boss's is what the game is about, while there is a chance."""
    boss_prize = 0.0
    if s.facing:
        boss_prize = PRIZE_OF_BOSS if boss_odds(s, deck, step) > FAINT_ODDS else 0.0
    return (
        prize(s, deck, 0, boss_prize),
        prize(s, deck, 1, boss_prize),
        prize(s, deck, 2, boss_prize),
        prize(s, deck, 3, boss_prize),
        prize(s, deck, 4, boss_prize),
        prize(s, deck, 5, boss_prize),
        prize(s, deck, 6, boss_prize),
        prize(s, deck, 7, boss_prize),
    )
