"""Scripted players of Tanglewoods: ``greedy`` follows simple habits, ``expert`` weighs what it does as a good player would."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.cards import damage_of, is_standing
from deckwood.strong.engagement import damage_due
from deckwood.strong.pool import item_count, recovery_of, total, unapplied, unapplied_hits
from deckwood.strong.steps import (
    AIMING,
    APPLY,
    BANISHING,
    BANISHING_APPLIED,
    CHOOSING,
    COMMIT,
    EXHAUSTING,
    EXHAUSTING_HITS,
    KEEP,
    LOSING_ITEM,
    LOWERING,
    OFFERED,
    RAISING,
    RECOVERING,
    REROLLING,
    REROLLING_HITS,
    RESTORING,
    RETURNING,
    STEP,
    SWAPPING,
    TAKE_ITEM,
    TAKE_REWARD,
    TARGET,
    TURNING_HIT,
    TURNING_MISS,
    UPGRADING,
    A,
    B,
    top,
)
from deckwood.strong.terms import (
    COUNT,
    CRIT,
    HEALTH,
    HIT,
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
from deckwood.strong.vocabulary import (
    CANCEL,
    DEFEAT,
    DOUBLE_REWARD,
    EXTRA_PASS,
    GAIN_STAT,
    RECOVER,
    RECOVER_BY_ROLL,
    RECOVER_COLOUR,
    REROLL,
    REROLL_MISSES,
    RETURN_DIE,
    SET_HEALTH,
    SHIELD,
    SWAP_DICE,
    TURN_HIT,
    TURN_MISS,
    WOUND,
)
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
from deckwood_agents.scripted.dice_sets import pack, strongest, weakest_colour
from deckwood_agents.scripted.strong_fight import (
    damage_left,
    dice_to_commit,
    die_to_apply,
    enemy_to_hit,
    fight_worth,
    most_dangerous,
    need_of,
    rolls_left,
    worth_repeating,
)
from deckwood_agents.scripted.strong_worth import (
    DIE_WORTH,
    GOLD_WORTH,
    ONGOING_USES,
    row_worth,
    rows_worth,
    stat_change,
)
from deckwood_agents.scripted.tanglewoods_route import best_way, camp_stat, cards_ahead, danger_of

DAY_WORTH = 14.0  # of a card by day over the same card by night
READY_WORTH = 0.3  # of a die being ready in the coming fight, as a share of DIE_WORTH, where it would be recovered after it
TOO_DANGEROUS = 9.0  # a scouted enemy that is better discarded


@rule
def first_allowed(mask, start, stop):
    """The first legal action in a range, or NONE."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return NONE


@rule
def last_allowed(mask, start, stop):
    """The last legal action in a range, or NONE."""
    for action in range(stop - 1, start - 1, -1):
        if mask[action]:
            return action
    return NONE


@rule
def pick_shown(mask, face, strongest_first):
    """The weakest or strongest die that shows a face, as an action, or NONE."""
    for i in range(5):
        action = act.PICK_DIE + 3 * (4 - i if strongest_first else i) + face
        if mask[action]:
            return action
    return NONE


@rule
def reroll_choice(mask):
    """The strongest miss; hits stay."""
    pick = pick_shown(mask, MISS, True)
    return pick if pick != NONE else act.DONE


@rule
def any_action(mask):
    return first_allowed(mask, 0, len(mask))


# ------------------------------------------------------------------------------------------------------------------------ greedy


@rule
def is_fighting(step):
    return step == COMMIT or step == APPLY


@rule
def expected_damage(s):
    """Of the dice in hand, each rolled until it hits or no roll is left."""
    damage = 0.0
    for colour in range(5):
        dice = int(s.unrolled[colour]) + int(s.rolled[colour, MISS]) + int(s.rolled[colour, HIT]) + int(s.rolled[colour, CRIT])
        miss, hit, crit = SIDES[colour]
        damage += dice * (1.0 - (miss / 6.0) ** (rolls_left(s) + 1)) * (hit + 2 * crit) / (hit + crit)
    return damage


@rule
def health_standing(s, deck):
    """Damage that all undefeated enemies still have to take, as far as this round allows."""
    health = 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot):
            health += min(need_of(s, deck, slot), damage_left(s, deck, slot))
    return health


@rule
def weakest_enemy(s, deck, mask):
    """The undefeated enemy that needs least damage, as an action."""
    chosen, least = NONE, 1000
    for slot in range(SLOTS):
        if mask[act.TARGET_CARD + slot] and is_standing(s, deck, slot) and need_of(s, deck, slot) < least:
            chosen, least = act.TARGET_CARD + slot, need_of(s, deck, slot)
    return chosen


@rule
def lowest_stat(s, mask):
    """The lowest stat that may be chosen, as an action."""
    chosen = NONE
    for stat in range(3):
        if mask[act.PICK_STAT + stat] and (chosen == NONE or s.stats[stat] < s.stats[chosen - act.PICK_STAT]):
            chosen = act.PICK_STAT + stat
    return chosen


@rule
def recover_strongest(s, mask, area, first, most):
    """The weakest of the strongest dice that may be taken from an area: dice are taken weakest first."""
    colour = weakest_colour(strongest(pack(area), most))
    if colour != NONE and mask[first + colour]:
        return first + colour
    return NONE


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
        return recover_strongest(s, mask, s.exhausted, act.RECOVER_DIE, top(s, A))
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
    if mask[act.ACCEPT]:
        return act.ACCEPT
    return act.DONE if mask[act.DONE] else any_action(mask)


# ------------------------------------------------------------------------------------------------------------------------ expert


@rule
def face_worth(s, deck, face):
    """What holding an item is worth."""
    worth = 0.0
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        worth += row_worth(s, deck, row)
    return worth * ONGOING_USES if deck.cards[face].uses == ONGOING else worth


@rule
def upgrade_worth(s, deck, index):
    face = int(s.items[index])
    return face_worth(s, deck, int(deck.cards[face].other_side)) - face_worth(s, deck, face)


@rule
def worst_item(s, deck):
    """The held item of least worth."""
    worst = 0
    for i in range(1, item_count(s)):
        if face_worth(s, deck, int(s.items[i])) < face_worth(s, deck, int(s.items[worst])):
            worst = i
    return worst


@rule
def helps_now(s, deck, step, op, what, count):
    """True if this is the time for an effect that a player may use when it suits."""
    if op == GAIN_STAT:
        return s.stats[what] + count <= 6
    if op == RECOVER or op == RECOVER_BY_ROLL:
        return total(s.exhausted) >= count and (total(s.ready) <= 5 or total(s.exhausted) >= count + recovery_of(s))
    if op == RECOVER_COLOUR:
        return s.exhausted[what] >= count
    if op == PLACE_FOREST:
        return step == EXPLORE and cards_ahead(s) == 0 and s.placed < FOREST_DEALT
    if not is_fighting(step):
        return False
    enemy = enemy_to_aim(s, deck)
    need = need_of(s, deck, enemy) if enemy != NONE else 0
    if op == CANCEL:
        return step == COMMIT and s.passes == 1
    if op == EXTRA_PASS:
        return step == COMMIT and need >= 3
    if op == DEFEAT:
        return need >= 3 or damage_due(s, deck) >= s.stats[HEALTH]
    if op == WOUND:
        return need > 0
    if op == SET_HEALTH:
        return need >= count + 2
    if step != APPLY or need == 0:
        return False
    finished = enemy_to_hit(s, deck) == NONE
    if op == SHIELD:
        return finished and (rolls_left(s) == 0 or not worth_repeating(s, deck)) and damage_due(s, deck) >= 2
    if op == DOUBLE_REWARD:
        return need <= 2 and unapplied_hits(s) > 0
    if op == TURN_HIT:
        return unapplied(s, HIT) > 0 and need > unapplied_hits(s)
    if op == TURN_MISS:
        return finished
    if op == REROLL or op == REROLL_MISSES:
        return finished and unapplied(s, MISS) > 0
    if op == RETURN_DIE:
        return finished and rolls_left(s) == 0
    if op == SWAP_DICE:
        return False
    return finished


@rule
def enemy_to_aim(s, deck):
    """The undefeated enemy that needs most damage, or NONE."""
    chosen, most = NONE, 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot) and need_of(s, deck, slot) + damage_of(s, deck, slot) > most:
            chosen, most = slot, need_of(s, deck, slot) + damage_of(s, deck, slot)
    return chosen


@rule
def is_time_to_use(s, deck, step, face):
    """True if any of a card's instructions helps now."""
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        if deck.effects[row, WHEN] == USE:
            if helps_now(s, deck, step, int(deck.effects[row, OP]), int(deck.effects[row, WHAT]), int(deck.effects[row, COUNT])):
                return True
    return False


@rule
def thing_to_use(s, deck, mask, step):
    """The hero's ability or an item whose time has come, or NONE."""
    if mask[act.USE_HERO] and is_time_to_use(s, deck, step, int(s.hero)):
        return act.USE_HERO
    for i in range(MAX_ITEMS):
        if mask[act.USE_ITEM + i] and is_time_to_use(s, deck, step, int(s.items[i])):
            return act.USE_ITEM + i
    return NONE


@rule
def explore_choice(s, deck, mask):
    """One die for a card by day where none lies ahead, strong enough to show a hit; more when there are dice and gold to spare."""
    chosen = total(s.explore)
    ahead = cards_ahead(s) + chosen
    ready = total(s.ready)
    if s.placed >= FOREST_DEALT or ready < 4:
        return act.DONE
    if ahead >= 1 and not (ready >= 9 and ahead < 3 and s.gold >= 6):
        return act.DONE
    spare = total(s.exhausted) + chosen < recovery_of(s)
    best, best_worth = act.DONE, 0.0
    for colour in range(5):
        if mask[act.EXPLORE_DIE + colour]:
            worth = DAY_WORTH * (1.0 - SIDES[colour][MISS] / 6.0) - DIE_WORTH[colour] * (READY_WORTH if spare else 1.0)
            if worth > best_worth:
                best, best_worth = act.EXPLORE_DIE + colour, worth
    return best


@rule
def gold_worth(s):
    """Of a gold piece; near the end of the forest there is little left to buy."""
    return GOLD_WORTH if s.placed < FOREST_DEALT - 1 else 0.5 * GOLD_WORTH


@rule
def merchant_choice(s, deck, mask):
    """The bargain: the merchant action whose worth exceeds its price most."""
    piece = gold_worth(s)
    best, best_worth = act.DONE, 0.0
    for place in range(SHOP_PLACES):
        if mask[act.BUY + place]:
            worth = face_worth(s, deck, int(s.shop[place])) - piece * item_price(s, deck, place)
            if worth > best_worth:
                best, best_worth = act.BUY + place, worth
    for i in range(item_count(s)):
        if mask[act.TURN_ITEM + i]:
            worth = upgrade_worth(s, deck, i) - piece * price(s, int(deck.numbers[UPGRADE_COST]))
            if worth > best_worth:
                best, best_worth = act.TURN_ITEM + i, worth
    for stat in range(3):
        if mask[act.PICK_STAT + stat]:
            worth = stat_change(s, stat, 1) - piece * price(s, int(deck.numbers[STAT_COST]))
            if worth > best_worth:
                best, best_worth = act.PICK_STAT + stat, worth
    for colour in range(5):
        if mask[act.RECOVER_DIE + colour] and total(s.exhausted) > recovery_of(s):
            worth = DIE_WORTH[colour] - piece * price(s, int(deck.numbers[RECOVER_COST]))
            if worth > best_worth:
                best, best_worth = act.RECOVER_DIE + colour, worth
    return best


@rule
def bribery_choice(s, deck, mask):
    """The enemy whose going is worth its price, or DONE."""
    stay = fight_worth(s, deck, 0)
    best, best_worth = act.DONE, 0.0
    for slot in range(SLOTS):
        if mask[act.TARGET_CARD + slot]:
            worth = fight_worth(s, deck, 1 << slot) - stay - gold_worth(s) * bribe_cost(s, deck, slot)
            if worth > best_worth:
                best, best_worth = act.TARGET_CARD + slot, worth
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
def stat_choice(s, mask, amount):
    """The stat whose change by ``amount`` is worth most (costs least)."""
    best, best_worth = NONE, 0.0
    for stat in range(3):
        if mask[act.PICK_STAT + stat]:
            worth = stat_change(s, stat, amount)
            if best == NONE or worth > best_worth:
                best, best_worth = act.PICK_STAT + stat, worth
    return best


@rule
def toll_choice(s, mask):
    """Gold, unless there is none."""
    if mask[act.PAY_TOLL]:
        return act.PAY_TOLL
    return banish_choice(mask)


@rule
def banish_choice(mask):
    """The weakest die, an exhausted one first."""
    for colour in range(5):
        if mask[act.BANISH_EXHAUSTED + colour]:
            return act.BANISH_EXHAUSTED + colour
        if mask[act.BANISH_READY + colour]:
            return act.BANISH_READY + colour
    return NONE


@rule
def item_taken(s, deck, mask):
    """Takes an item if there is room, or if it is better than one that is held."""
    if mask[act.ACCEPT]:
        return act.ACCEPT
    worst = worst_item(s, deck)
    if face_worth(s, deck, top(s, A)) > face_worth(s, deck, int(s.items[worst])):
        return act.DISCARD_ITEM + worst
    return act.DECLINE


@rule
def offer_choice(s, deck, mask):
    """Accepts an offer that is worth more than it costs."""
    below = s.depth - 2
    worth = rows_worth(s, deck, int(s.agenda[below, A]), int(s.agenda[below, B]))
    return act.ACCEPT if mask[act.ACCEPT] and worth > 0.0 else act.DECLINE


@rule
def option_choice(s, deck):
    """The option that is worth more."""
    below = s.depth - 2
    first, end = int(s.agenda[below, A]), int(s.agenda[below, B])
    middle = min(end, first + top(s, A))
    return act.FIRST if rows_worth(s, deck, first, middle) >= rows_worth(s, deck, middle, end) else act.SECOND


@rule
def upgrade_choice(s, deck, mask):
    best, best_worth = act.DONE, 0.0
    for i in range(item_count(s)):
        if mask[act.TURN_ITEM + i] and upgrade_worth(s, deck, i) > best_worth:
            best, best_worth = act.TURN_ITEM + i, upgrade_worth(s, deck, i)
    return best


@rule
def fight_choice(s, deck, mask, step):
    """The Strategy phase, and choices of dice that it brings; NONE at other steps."""
    if step == COMMIT:
        colour = dice_to_commit(s, deck)
        return act.ROLL_DICE if colour == NONE else act.COMMIT_DIE + colour
    if step == APPLY:
        enemy = enemy_to_hit(s, deck)
        if enemy != NONE:
            pick = die_to_apply(s, deck, enemy, mask, act.PICK_DIE)
            if pick != NONE:
                return pick
        return act.AGAIN if mask[act.AGAIN] and worth_repeating(s, deck) else act.RESOLVE
    if step == TARGET:
        enemy = enemy_to_hit(s, deck)
        return act.TARGET_CARD + enemy if enemy != NONE and mask[act.TARGET_CARD + enemy] else weakest_enemy(s, deck, mask)
    if step == KEEP:
        return first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == TURNING_MISS or step == RETURNING:
        return pick_shown(mask, MISS, step == RETURNING)
    if step == TURNING_HIT:
        return pick_shown(mask, HIT, False)
    if step == REROLLING:
        return reroll_choice(mask)
    if step == REROLLING_HITS:
        return last_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == EXHAUSTING_HITS or step == BANISHING_APPLIED:
        return first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == SWAPPING:
        return act.DONE
    if step == AIMING:
        return most_dangerous(s, deck, mask, act.TARGET_CARD, True)
    return NONE


@rule
def card_choice(s, deck, mask, step):
    """Rewards, items, stats, dice and fables; NONE at other steps."""
    if step == TAKE_REWARD:
        return act.ACCEPT
    if step == RECOVERING:
        return recover_strongest(s, mask, s.exhausted, act.RECOVER_DIE, top(s, A))
    if step == RESTORING:
        return recover_strongest(s, mask, s.banished, act.RESTORE_DIE, top(s, A))
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
        return explore_choice(s, deck, mask)
    if step == ROLL_EXPLORE:
        return last_allowed(mask, act.ROLL_NEXT, act.ROLL_NEXT + 5)
    if step == MERCHANT_VISIT:
        return merchant_choice(s, deck, mask)
    if step == TRAVEL:
        return best_way(s, deck, mask, act.TRAVEL_PLACE)
    if step == PAY_OR_BANISH:
        return toll_choice(s, mask)
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
    action = thing_to_use(s, deck, mask, step)
    if action == NONE:
        action = fight_choice(s, deck, mask, step)
    if action == NONE:
        action = card_choice(s, deck, mask, step)
    if action == NONE:
        action = forest_choice(s, deck, mask, step)
    if action != NONE and mask[action]:
        return action
    return act.DONE if mask[act.DONE] else any_action(mask)
