"""Scripted players of Tanglewoods: ``greedy`` follows simple habits, ``expert`` weighs what it does as a good player would."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.pool import item_count, recovery_of, total, unapplied
from deckwood.strong.steps import (
    APPLY,
    BANISHING,
    CHOOSING,
    COMMIT,
    EXHAUSTING,
    LOSING_ITEM,
    LOWERING,
    OFFERED,
    RAISING,
    RECOVERING,
    REROLLING,
    RESTORING,
    STEP,
    TAKE_ITEM,
    TAKE_REWARD,
    TARGET,
    TURNING_HIT,
    TURNING_MISS,
    UPGRADING,
    A,
    top,
)
from deckwood.strong.terms import (
    COUNT,
    GOLD_MAX,
    MAX_ITEMS,
    MISS,
    NONE,
    ONGOING,
    OP,
    SIDES,
    SLOTS,
    USE,
    WHAT,
    WHEN,
)
from deckwood.strong.vocabulary import GAIN_GOLD
from deckwood.tanglewoods import actions as act
from deckwood.tanglewoods.rules.encounter import bribe_cost
from deckwood.tanglewoods.rules.merchant import SHOP_PLACES, item_price, price
from deckwood.tanglewoods.state import (
    CAMPFIRE,
    FABLE_NODE,
    FOREST_DEALT,
    MINION,
    PLACE_FOREST,
    PLACES,
    RECOVER_COST,
    STAT_COST,
    THRESHOLDS,
    TYPE,
    UPGRADE_COST,
)
from deckwood.tanglewoods.steps import (
    BRIBERY,
    CAMP,
    CHOOSE_MODIFIER,
    DISCARD_FROM_LINE,
    EXPLORE,
    MERCHANT_VISIT,
    NIGHT_OR_DICE,
    PAY_OR_BANISH,
    ROLL_EXPLORE,
    SETUP_RAISE,
    SWAP_SCOUTED,
    TRAVEL,
)
from deckwood_agents.players.scripted.masks import any_action, first_allowed, last_allowed
from deckwood_agents.players.scripted.strong.choices import (
    banish_choice,
    expected_damage,
    fight_choice,
    health_standing,
    helps_now,
    is_fighting,
    lowest_stat,
    offer_choice,
    option_choice,
    recover_strongest,
    reroll_choice,
    stat_choice,
    weakest_enemy,
)
from deckwood_agents.players.scripted.strong.fight import BOSS_VALUE, fight_value
from deckwood_agents.players.scripted.strong.value import (
    DIE_VALUE,
    GOLD_VALUE,
    ONGOING_USES,
    defeat_value,
    row_value,
    stat_change,
)
from deckwood_agents.players.scripted.tanglewoods.route import best_way, camp_stat, cards_ahead, danger_of

DAY_VALUE = 14.0  # of a card by day over the same card by night
READY_VALUE = 0.3  # of a die being ready in the coming fight, as a share of DIE_VALUE, where it would be recovered after it
TOO_DANGEROUS = 9.0  # a scouted enemy that is better discarded


# ------------------------------------------------------------------------------------------------------------------------ greedy


@rule
def friendliest_node(s, deck, mask):
    """Where to go by the type of the next node alone: a campfire, then a fable, a threshold, an enemy, a wolf."""
    best, best_rank = NONE, -1
    for i in range(PLACES + THRESHOLDS):
        if mask[act.TRAVEL_PLACE + i]:
            rank = 2
            if i < PLACES:
                kind = int(deck.nodes[s.path[s.at_card], i, TYPE])
                rank = 4 if kind == CAMPFIRE else 3 if kind == FABLE_NODE else 1 if kind == MINION else 0
            if rank > best_rank:
                best, best_rank = act.TRAVEL_PLACE + i, rank
    return best


@rule
def greedy_choice(s, deck, mask, step):
    """What greedy does at a step, or NONE where it has no habit."""
    if step == EXPLORE and total(s.explore) == 0 and cards_ahead(s) == 0:
        return last_allowed(mask, act.EXPLORE_DIE, act.EXPLORE_DIE + 5)
    if s.endgame and is_fighting(step):
        use = first_allowed(mask, act.USE_ITEM, act.USE_ITEM + MAX_ITEMS)
        if use != NONE:
            return use
    if step == COMMIT:
        if expected_damage(s) >= health_standing(s, deck):
            return act.ROLL_DICE
        return first_allowed(mask, act.COMMIT_DIE, act.COMMIT_DIE + 5)
    if step == APPLY:
        if health_standing(s, deck) == 0:
            return act.RESOLVE
        pick = first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
        if pick != NONE:
            return pick
        if mask[act.USE_HERO]:
            return act.USE_HERO
        return act.AGAIN if mask[act.AGAIN] and unapplied(s, MISS) > 0 else act.RESOLVE
    if step == TARGET:
        return weakest_enemy(s, deck, mask)
    if step == TURNING_MISS or step == TURNING_HIT:
        return first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == REROLLING:
        return reroll_choice(mask)
    if step == TRAVEL:
        return friendliest_node(s, deck, mask)
    if step == RECOVERING:
        return recover_strongest(mask, s.exhausted, act.RECOVER_DIE, top(s, A))
    if step == CAMP or step == RAISING or step == SETUP_RAISE:
        return lowest_stat(s, mask)
    if step == LOWERING:
        return last_allowed(mask, act.PICK_STAT, act.PICK_STAT + 3)
    if step == MERCHANT_VISIT:
        return first_allowed(mask, act.BUY, act.BUY + SHOP_PLACES)
    if step == BRIBERY:
        for slot in range(SLOTS):
            if mask[act.TARGET_CARD + slot] and 3 * bribe_cost(s, deck, slot) <= s.gold:
                return act.TARGET_CARD + slot
        return act.DONE
    if step == PAY_OR_BANISH and mask[act.PAY_TOLL]:
        return act.PAY_TOLL
    return NONE


@rule
def greedy(s, deck, mask):
    """Habits, one step at a time: enough dice for the enemies' Health on average, every hit applied, every roll with a
    miss repeated, the strongest die to explore, the friendliest node next, the hero's ability after a roll,
    items against the boss."""
    action = greedy_choice(s, deck, mask, top(s, STEP))
    if action != NONE and mask[action]:
        return action
    for answer in (act.ACCEPT, act.DECLINE, act.FIRST, act.DONE):
        if mask[answer]:
            return answer
    return any_action(mask)


# ------------------------------------------------------------------------------------------------------------------------ expert


@rule
def prize(s, deck, slot):
    """What an enemy's fall is worth beside the damage that it would deal."""
    if s.slot[slot] == NONE:
        return 0.0
    return BOSS_VALUE if s.endgame else defeat_value(s, deck, int(s.slot[slot]))


@rule
def prizes_of(s, deck):
    """The prize of every slot."""
    return (
        prize(s, deck, 0),
        prize(s, deck, 1),
        prize(s, deck, 2),
        prize(s, deck, 3),
        prize(s, deck, 4),
        prize(s, deck, 5),
        prize(s, deck, 6),
        prize(s, deck, 7),
    )


@rule
def face_value(s, deck, face):
    """What holding an item is worth."""
    value = 0.0
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        value += row_value(s, deck, row)
    return value * ONGOING_USES if deck.cards[face].uses == ONGOING else value


@rule
def upgrade_value(s, deck, index):
    face = int(s.items[index])
    return face_value(s, deck, int(deck.cards[face].other_side)) - face_value(s, deck, face)


@rule
def worst_item(s, deck):
    """The held item of least worth."""
    worst = 0
    for i in range(1, item_count(s)):
        if face_value(s, deck, int(s.items[i])) < face_value(s, deck, int(s.items[worst])):
            worst = i
    return worst


@rule
def is_time_to_use(s, deck, prizes, step, face):
    """True if any of a card's instructions helps now."""
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        if deck.effects[row, WHEN] == USE:
            op = int(deck.effects[row, OP])
            if op == GAIN_GOLD:
                helps = s.gold + int(deck.effects[row, COUNT]) <= GOLD_MAX
            elif op == PLACE_FOREST:
                helps = step == EXPLORE and cards_ahead(s) == 0 and s.placed < FOREST_DEALT
            else:
                helps = helps_now(s, deck, prizes, step, op, int(deck.effects[row, WHAT]), int(deck.effects[row, COUNT]))
            if helps:
                return True
    return False


@rule
def thing_to_use(s, deck, prizes, mask, step):
    """The hero's ability or an item whose time has come, or NONE."""
    if mask[act.USE_HERO] and is_time_to_use(s, deck, prizes, step, int(s.hero)):
        return act.USE_HERO
    for i in range(MAX_ITEMS):
        if mask[act.USE_ITEM + i] and is_time_to_use(s, deck, prizes, step, int(s.items[i])):
            return act.USE_ITEM + i
    return NONE


@rule
def explore_choice(s, mask):
    """One die for a card by day where none lies ahead, strong enough to show a hit; more when there are dice and gold to spare."""
    chosen = total(s.explore)
    ahead = cards_ahead(s) + chosen
    ready = total(s.ready)
    if s.placed >= FOREST_DEALT or ready < 4:
        return act.DONE
    if ahead >= 1 and not (ready >= 9 and ahead < 3 and s.gold >= 6):
        return act.DONE
    spare = total(s.exhausted) + chosen < recovery_of(s)
    best, best_value = act.DONE, 0.0
    for colour in range(5):
        if mask[act.EXPLORE_DIE + colour]:
            value = DAY_VALUE * (1.0 - SIDES[colour][MISS] / 6.0) - DIE_VALUE[colour] * (READY_VALUE if spare else 1.0)
            if value > best_value:
                best, best_value = act.EXPLORE_DIE + colour, value
    return best


@rule
def gold_value(s):
    """Of a gold piece; near the end of the forest there is little left to buy."""
    return GOLD_VALUE if s.placed < FOREST_DEALT - 1 else 0.5 * GOLD_VALUE


@rule
def merchant_choice(s, deck, mask):
    """The bargain: the merchant action whose worth exceeds its price most."""
    piece = gold_value(s)
    best, best_value = act.DONE, 0.0
    for place in range(SHOP_PLACES):
        if mask[act.BUY + place]:
            value = face_value(s, deck, int(s.shop[place])) - piece * item_price(s, deck, place)
            if value > best_value:
                best, best_value = act.BUY + place, value
    for i in range(item_count(s)):
        if mask[act.TURN_ITEM + i]:
            value = upgrade_value(s, deck, i) - piece * price(s, int(deck.numbers[UPGRADE_COST]))
            if value > best_value:
                best, best_value = act.TURN_ITEM + i, value
    for stat in range(3):
        if mask[act.PICK_STAT + stat]:
            value = stat_change(s, stat, 1) - piece * price(s, int(deck.numbers[STAT_COST]))
            if value > best_value:
                best, best_value = act.PICK_STAT + stat, value
    for colour in range(5):
        if mask[act.RECOVER_DIE + colour] and total(s.exhausted) > recovery_of(s):
            value = DIE_VALUE[colour] - piece * price(s, int(deck.numbers[RECOVER_COST]))
            if value > best_value:
                best, best_value = act.RECOVER_DIE + colour, value
    return best


@rule
def bribery_choice(s, deck, mask):
    """The enemy whose going is worth its price, or DONE."""
    prizes = prizes_of(s, deck)
    stay = fight_value(s, deck, prizes, 0)
    best, best_value = act.DONE, 0.0
    for slot in range(SLOTS):
        if mask[act.TARGET_CARD + slot]:
            value = fight_value(s, deck, prizes, 1 << slot) - stay - gold_value(s) * bribe_cost(s, deck, slot)
            if value > best_value:
                best, best_value = act.TARGET_CARD + slot, value
    return best


@rule
def scouted_choice(s, deck, mask, limit):
    """The most dangerous scouted enemy, if it is more dangerous than ``limit``; else DONE."""
    best, worst = act.DONE, limit
    for place in range(int(s.line_length)):
        if mask[act.SCOUTED + place]:
            danger = danger_of(s, deck, int(s.line[place]))
            if danger > worst:
                best, worst = act.SCOUTED + place, danger
    return best


@rule
def toll_choice(mask):
    """Gold, unless there is none."""
    if mask[act.PAY_TOLL]:
        return act.PAY_TOLL
    return banish_choice(mask)


@rule
def item_taken(s, deck, mask):
    """Takes an item if there is room, or if it is better than one that is held."""
    if mask[act.ACCEPT]:
        return act.ACCEPT
    worst = worst_item(s, deck)
    if face_value(s, deck, top(s, A)) > face_value(s, deck, int(s.items[worst])):
        return act.DISCARD_ITEM + worst
    return act.DECLINE


@rule
def upgrade_choice(s, deck, mask):
    best, best_value = act.DONE, 0.0
    for i in range(item_count(s)):
        if mask[act.TURN_ITEM + i] and upgrade_value(s, deck, i) > best_value:
            best, best_value = act.TURN_ITEM + i, upgrade_value(s, deck, i)
    return best


@rule
def card_choice(s, deck, mask, step):
    """Rewards, items, stats, dice and fables; NONE at other steps."""
    if step == TAKE_REWARD:
        return act.ACCEPT
    if step == RECOVERING:
        return recover_strongest(mask, s.exhausted, act.RECOVER_DIE, top(s, A))
    if step == RESTORING:
        return recover_strongest(mask, s.banished, act.RESTORE_DIE, top(s, A))
    if step == EXHAUSTING:
        return first_allowed(mask, act.EXHAUST_DIE, act.EXHAUST_DIE + 5)
    if step == BANISHING:
        return banish_choice(mask)
    if step == RAISING or step == SETUP_RAISE:
        return stat_choice(s, mask, 1)
    if step == LOWERING:
        return stat_choice(s, mask, -1)
    if step == TAKE_ITEM:
        return item_taken(s, deck, mask)
    if step == LOSING_ITEM:
        return act.DISCARD_ITEM + worst_item(s, deck)
    if step == UPGRADING:
        return upgrade_choice(s, deck, mask)
    if step == OFFERED:
        return offer_choice(s, deck, mask)
    if step == CHOOSING:
        return option_choice(s, deck)
    return NONE


@rule
def forest_choice(s, deck, mask, step):
    """The way through the forest; NONE at other steps."""
    if step == EXPLORE:
        return explore_choice(s, mask)
    if step == ROLL_EXPLORE:
        return last_allowed(mask, act.ROLL_NEXT, act.ROLL_NEXT + 5)
    if step == MERCHANT_VISIT:
        return merchant_choice(s, deck, mask)
    if step == TRAVEL:
        return best_way(s, deck, mask, act.TRAVEL_PLACE)
    if step == PAY_OR_BANISH:
        return toll_choice(mask)
    if step == CAMP:
        return act.PICK_STAT + camp_stat(s, deck)
    if step == BRIBERY:
        return bribery_choice(s, deck, mask)
    if step == SWAP_SCOUTED or step == DISCARD_FROM_LINE:
        return scouted_choice(s, deck, mask, TOO_DANGEROUS)
    if step == NIGHT_OR_DICE:
        return act.FIRST
    if step == CHOOSE_MODIFIER:
        return act.MODIFIER
    return NONE


@rule
def expert(s, deck, mask):
    """Plays as a good player would, by weighing in points what each choice is likely to bring."""
    step = top(s, STEP)
    prizes = prizes_of(s, deck)
    action = thing_to_use(s, deck, prizes, mask, step)
    if action == NONE:
        action = fight_choice(s, deck, prizes, mask, step)
    if action == NONE:
        action = card_choice(s, deck, mask, step)
    if action == NONE:
        action = forest_choice(s, deck, mask, step)
    if action != NONE and mask[action]:
        return action
    return act.DONE if mask[act.DONE] else any_action(mask)
