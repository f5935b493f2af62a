"""Scripted players of Etherfields: ``greedy`` follows simple habits, ``expert`` weighs what it does as a good player would."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields import actions as act
from deckwood.etherfields.rules.boss import boss_slot, can_summon
from deckwood.etherfields.rules.cards import count_in, face_with_row, hand_count
from deckwood.etherfields.rules.dream import map_row, row_here
from deckwood.etherfields.rules.payment import means
from deckwood.etherfields.rules.taking import explore_cost, wrath_to_fell
from deckwood.etherfields.state import (
    ADVANCE_ETHER,
    AWARENESS,
    CARDS_HELD,
    DRAW_INFLUENCE,
    FLIP_AND_TAKE,
    FLIP_ENEMY,
    IF_ETHER,
    IN_DECK,
    IN_PLAY,
    INFLUENCE_DECK,
    MAX_HAND,
    MAX_SPACES,
    MOVE,
    NUM_MAPS,
    RECALL,
    SET_ETHER,
    SPACE_ACTIONS,
    SUMMON,
    WRATH,
)
from deckwood.etherfields.steps import (
    AIM_ASSAULT,
    BEFORE_CLEANUP,
    CHOOSE_COST,
    DISCARD_CARDS,
    FLIPPING,
    MOVEMENT,
    MOVING,
    PAYING,
    PENALTY,
    WINDOW,
)
from deckwood.strong.cards import is_standing
from deckwood.strong.effects import can_use
from deckwood.strong.pool import has_room, item_count, total, unapplied
from deckwood.strong.steps import (
    AFTER_EFFECTS,
    AIMING,
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
    A,
    B,
    C,
    top,
)
from deckwood.strong.terms import COUNT, HEALTH, MAX_ITEMS, MISS, NONE, ONGOING, OP, REWARD, SLOTS, USE, WHAT, WHEN
from deckwood.strong.vocabulary import (
    CHOOSE,
    EXTRA_PASS,
    FIRST_DECK_OP,
    FLIP_HERO,
    GAIN_ANY_STAT,
    GAIN_ITEM,
    RECOVER,
    RECOVER_BY_ROLL,
    REROLL,
    REROLL_MISSES,
    RESTORE,
    RESTORE_COLOUR,
    SET_HEALTH,
    TEST,
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
    step_towards,
)
from deckwood_agents.players.scripted.etherfields.means import (
    POINT_VALUE,
    TOO_DEAR,
    hand_value_of,
    min_kept,
    next_payment,
    price_of_cost,
    price_of_face,
    price_to_pay,
)
from deckwood_agents.players.scripted.etherfields.plan import explore_value, goal, is_ready, pace, place_value, prizes_of, summon_value
from deckwood_agents.players.scripted.etherfields.value import (
    ITEM_GOAL_VALUE,
    best_flip,
    held_value,
    lacking,
    lasting_value,
    moment_value,
    own_value,
    run_value,
)
from deckwood_agents.players.scripted.masks import any_action, first_allowed, last_allowed
from deckwood_agents.players.scripted.strong.choices import (
    banish_choice,
    damage_of_dice,
    enemy_to_aim,
    expected_damage,
    fight_choice,
    health_standing,
    helps_now,
    is_fighting,
    lowest_stat,
    recover_strongest,
    reroll_choice,
    stat_choice,
    weakest_enemy,
)
from deckwood_agents.players.scripted.strong.dice_sets import many, one, pack, strongest
from deckwood_agents.players.scripted.strong.fight import enemy_to_hit, fall_value, fight_value, need_of, rolls_left

ACT_BAR = 0.4  # what an action must be worth beyond its price
CARD_BAR = 12.0  # what an enemy's fall must be worth to spend a card on it that would help against the boss
MOVE_BAR = 1.0
KEEP_BAR = 1.7  # an influence card that is worth less is discarded at the start of a round
FEW_CARDS = 8  # of the Influence Deck: no more are banished
STRIKE_SHARE = 1.5  # damage that greedy commits dice for, over the Health of enemies, once the boss is among them
MANY_EXHAUSTED = 5  # dice; then greedy looks for ways to recover some
LITTLE_HEALTH = 2  # with no more, something may have to be done before an After effect
TOO_LONG = 700  # decisions after which a player no longer tries to survive


# ------------------------------------------------------------------------------------------------------------------------ both


@rule
def recover_choice(s, mask):
    """The strongest dice, and one of the ether's colour where one more may be recovered; weakest first."""
    most, bonus = top(s, A), top(s, C)
    dice = pack(s.exhausted)
    if bonus == 0:
        chosen = strongest(dice, most)
    else:
        chosen = strongest(dice, most - 1)
        if many(dice, bonus - 1) > many(chosen, bonus - 1):
            chosen += one(bonus - 1)
    for colour in range(5):
        if many(chosen, colour) > 0 and mask[act.RECOVER_DIE + colour]:
            return act.RECOVER_DIE + colour
    return NONE


@rule
def is_opening(s, step):
    """True at a window before the first roll of a round."""
    return (step == WINDOW and top(s, A) != BEFORE_CLEANUP) or (step == COMMIT and s.passes == 1 and s.committed == 0)


@rule
def summoning_action(s, deck, mask):
    """The unique action of this space that activates the boss, or NONE."""
    for k in range(SPACE_ACTIONS):
        if mask[act.USE_SPACE + k] and does(deck, int(deck.unique[row_here(s), s.at_space, k]), SUMMON):
            return act.USE_SPACE + k
    return NONE


# ------------------------------------------------------------------------------------------------------------------------ greedy


@rule
def ready_damage(s):
    """Damage of all ready dice on average."""
    damage = 0.0
    for colour in range(5):
        damage += damage_of_dice(s, colour, int(s.ready[colour]))
    return damage


@rule
def wants_maps(s, deck):
    """True while the place of the boss or a part of its condition is missing."""
    return not s.facing and not (can_summon(s, deck) and map_does(s, deck, SUMMON, NONE))


@rule
def nearest(s, deck, bold):
    """The nearest space with an open arrow, or with the way to the boss once it may be activated: its card, space and distance."""
    summoning = can_summon(s, deck)
    exploring = wants_maps(s, deck)
    skull_low, skull_high = skull_spaces(s, deck)
    low, high = only(int(s.at_card), int(s.at_space))
    reached_low, reached_high = low, high
    for distance in range(FAR + 1):
        for card in range(NUM_MAPS):
            if s.map_zone[card] != IN_PLAY:
                continue
            for space in range(MAX_SPACES):
                if has_space(low, high, card, space):
                    if exploring and open_arrow(s, deck, card, space):
                        return card, space, distance
                    for k in range(SPACE_ACTIONS):
                        face = int(deck.unique[map_row(s, card), space, k])
                        if summoning and face != NONE and does(deck, face, SUMMON):
                            return card, space, distance
        low, high = neighbours(s, deck, low, high)
        low &= ~reached_low
        high &= ~reached_high
        if not bold:
            low &= ~skull_low
            high &= ~skull_high
        reached_low |= low
        reached_high |= high
    return NONE, NONE, NONE


@rule
def greedy_goal(s, deck):
    """Where greedy goes: calm ways first."""
    card, space, distance = nearest(s, deck, False)
    if card != NONE:
        return card, space, distance, 0
    card, space, distance = nearest(s, deck, True)
    return card, space, distance, 1


@rule
def gives_dice(deck, face):
    """True for a card or action that recovers dice."""
    return does(deck, face, RECOVER) or does(deck, face, RECOVER_BY_ROLL)


@rule
def recovering_action(s, deck, mask):
    """A unique action, influence card or item that recovers dice, or NONE."""
    for k in range(SPACE_ACTIONS):
        if mask[act.USE_SPACE + k] and gives_dice(deck, int(deck.unique[row_here(s), s.at_space, k])):
            return act.USE_SPACE + k
    for i in range(hand_count(s)):
        if mask[act.PLAY_CARD + i] and deck.cards[s.hand[i]].uses != ONGOING and gives_dice(deck, int(s.hand[i])):
            return act.PLAY_CARD + i
    for i in range(MAX_ITEMS):
        if mask[act.USE_ITEM + i] and gives_dice(deck, int(s.items[i])):
            return act.USE_ITEM + i
    return NONE


@rule
def useful_item(s, deck, mask):
    """The first item that may be used and would do something, as an action, or NONE."""
    for i in range(MAX_ITEMS):
        if mask[act.USE_ITEM + i] and can_use(s, deck, int(s.items[i])):
            return act.USE_ITEM + i
    return NONE


@rule
def greedy_window(s, deck, mask, step):
    """The boss if it may be activated, a map card, a useful thing, a step towards the next arrow; else on."""
    if not is_opening(s, step):
        return NONE
    summon = summoning_action(s, deck, mask)
    if summon != NONE and step == COMMIT and (ready_damage(s) >= int(deck.cards[s.boss].health) or s.stats[HEALTH] <= 2):
        return summon
    if total(s.exhausted) >= MANY_EXHAUSTED:
        action = recovering_action(s, deck, mask)
        if action != NONE:
            return action
    if mask[act.EXPLORE] and wants_maps(s, deck):
        return act.EXPLORE
    if mask[act.START_MOVE]:
        card, _, distance, _ = greedy_goal(s, deck)
        if card != NONE and distance > 0:
            return act.START_MOVE
    return NONE


@rule
def greedy_choice(s, deck, mask, step):
    """What greedy does at a step, or NONE where it has no habit."""
    if step == WINDOW or step == COMMIT:
        action = greedy_window(s, deck, mask, step)
        if action != NONE:
            return action
    if step == TAKE_ITEM or (s.facing and is_fighting(step)):
        use = useful_item(s, deck, mask)
        if use != NONE:
            return use
    if step == TAKE_ITEM:
        return act.ACCEPT if mask[act.ACCEPT] else first_allowed(mask, act.DISCARD_ITEM, act.DISCARD_ITEM + MAX_ITEMS)
    if step == WINDOW:
        return act.DONE
    if step == COMMIT:
        enough = health_standing(s, deck) * (STRIKE_SHARE if s.facing else 1.0)
        if pace(s) > TOO_LONG or expected_damage(s) >= enough:
            return act.ROLL_DICE
        return first_allowed(mask, act.COMMIT_DIE, act.COMMIT_DIE + 5)
    if step == APPLY:
        if health_standing(s, deck) == 0:
            return act.RESOLVE
        pick = first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
        if pick != NONE:
            return pick
        if mask[act.USE_HERO] and can_use(s, deck, int(s.hero)):
            return act.USE_HERO
        return act.AGAIN if mask[act.AGAIN] and unapplied(s, MISS) > 0 else act.RESOLVE
    if step == TARGET:
        boss = boss_slot(s)
        struck = boss != NONE and is_standing(s, deck, boss) and mask[act.TARGET_CARD + boss]
        return act.TARGET_CARD + boss if struck else weakest_enemy(s, deck, mask)
    if step == PAYING:
        if mask[act.DONE]:  # movement: as far as it wants to go
            _, _, distance, _ = greedy_goal(s, deck)
            if s.paid >= distance:
                return act.DONE
        card = first_allowed(mask, act.SPEND_CARD, act.SPEND_CARD + MAX_HAND)
        return card if card != NONE else any_action(mask)
    if step == MOVING:
        card, space, distance, bold = greedy_goal(s, deck)
        return step_towards(s, deck, mask, card, space, bold == 1) if card != NONE and distance > 0 else act.DONE
    if step == TURNING_MISS or step == TURNING_HIT:
        return first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == REROLLING:
        return reroll_choice(mask)
    if step == RECOVERING:
        return recover_choice(s, mask)
    if step == RAISING:
        return lowest_stat(s, mask)
    if step == LOWERING:
        return last_allowed(mask, act.PICK_STAT, act.PICK_STAT + 3)
    if step == PENALTY:
        return act.SECOND
    return NONE


@rule
def greedy(s, deck, mask):
    """Habits, one step at a time: every map card it can pay for, the boss as soon as it may be met, the shortest way there, cards
    before dice to pay with; enough dice for the enemies' Health on average, every hit applied, every roll with a miss repeated."""
    action = greedy_choice(s, deck, mask, top(s, STEP))
    if action != NONE and mask[action]:
        return action
    if mask[act.ACCEPT]:
        return act.ACCEPT
    return act.DONE if mask[act.DONE] else any_action(mask)


# ------------------------------------------------------------------------------------------------------------------------ expert


@rule
def own_helps_now(s, deck, step, face, op, what, count):
    """True if this is the time for an instruction that only Etherfields has."""
    if op == DRAW_INFLUENCE or op == RECALL:
        return hand_count(s) + count <= MAX_HAND and is_opening(s, step)
    if op == SET_ETHER or op == ADVANCE_ETHER:
        return own_value(s, deck, face, op, what, count) > 1.0
    if op == FLIP_ENEMY:
        _, value = best_flip(s, deck)
        return step == COMMIT and s.passes == 1 and value > 5.0
    if op == MOVE:
        if not is_opening(s, step):
            return False
        here = place_value(s, deck, int(s.at_card), int(s.at_space), explore_value(s, deck), summon_value(s, deck, step))
        _, _, distance, value, _ = goal(s, deck, step, count)
        return distance > 0 and value > here + 2.0
    return op == FLIP_AND_TAKE


@rule
def is_strike(op):
    """True for an instruction that adds damage: better kept for the boss."""
    return op == WOUND or op == TURN_MISS or op == TURN_HIT or op == EXTRA_PASS or op == SET_HEALTH or op == REROLL_MISSES or op == REROLL


@rule
def is_needed(s, deck, prizes, step):
    """True if an enemy worth a card is left after the last roll."""
    if step != APPLY or rolls_left(s) > 0:
        return False
    enemy = enemy_to_aim(s, deck)
    return enemy != NONE and need_of(s, deck, enemy) <= 3 and fall_value(s, deck, prizes, enemy, 0) >= CARD_BAR


@rule
def is_time_for(s, deck, prizes, step, face):
    """True if any of a card's instructions helps now, and all of them together are worth something."""
    if not can_use(s, deck, face):
        return False
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        if deck.effects[row, WHEN] != USE:
            continue
        op, what, count = int(deck.effects[row, OP]), int(deck.effects[row, WHAT]), int(deck.effects[row, COUNT])
        if op == IF_ETHER or op == CHOOSE or op == TEST:
            continue
        if op >= FIRST_DECK_OP:
            helps = own_helps_now(s, deck, step, face, op, what, count)
        elif op == GAIN_ITEM:
            helps = has_room(s)
        elif op == GAIN_ANY_STAT or op == RESTORE or op == RESTORE_COLOUR or op == FLIP_HERO:
            helps = True
        elif is_strike(op) and not s.facing and not is_needed(s, deck, prizes, step):
            helps = False
        else:
            helps = helps_now(s, deck, prizes, step, op, what, count)
        if helps:
            return moment_value(s, deck, face, USE) > 0.0
    return False


@rule
def thing_to_use(s, deck, prizes, mask, step):
    """The hero's ability or an item whose time has come, or NONE."""
    if mask[act.USE_HERO] and is_time_for(s, deck, prizes, step, int(s.hero)):
        return act.USE_HERO
    for i in range(MAX_ITEMS):
        if mask[act.USE_ITEM + i] and is_time_for(s, deck, prizes, step, int(s.items[i])):
            return act.USE_ITEM + i
    return NONE


@rule
def assault_gain(s, deck, prizes, step, slot):
    """What an assault on an enemy is worth beyond its price."""
    needed = wrath_to_fell(s, deck, slot)
    if needed == NONE or needed > means(s, deck, WRATH):
        return -TOO_DEAR
    price = price_to_pay(s, deck, WRATH, needed)
    if step == APPLY or s.passes > 1:
        if rolls_left(s) > 0 or step != APPLY or enemy_to_hit(s, deck, prizes) != NONE:
            return -TOO_DEAR  # the dice may do it
        return fall_value(s, deck, prizes, slot, 0) - price
    return fight_value(s, deck, prizes, 1 << slot) + prizes[slot] - fight_value(s, deck, prizes, 0) - price


@rule
def best_assault(s, deck, prizes, mask, first, step):
    """The enemy to assault, and what that is worth. ``first`` is NONE, or the first of the actions that choose one."""
    best, best_value = NONE, 0.0
    for slot in range(SLOTS):
        if first == NONE or mask[first + slot]:
            value = assault_gain(s, deck, prizes, step, slot)
            if best == NONE or value > best_value:
                best, best_value = slot, value
    return best, best_value


@rule
def card_gain(s, deck, prizes, step, place):
    """What playing an influence card is worth beyond its price."""
    face = int(s.hand[place])
    price = price_of_face(s, deck, face, place)
    if deck.cards[face].uses == ONGOING:
        goal_value = ITEM_GOAL_VALUE if lacking(s, deck, CARDS_HELD) > 0 else 0.0
        return lasting_value(s, deck, face) + goal_value - price - POINT_VALUE
    if not is_time_for(s, deck, prizes, step, face):
        return -TOO_DEAR
    return moment_value(s, deck, face, USE) - price - POINT_VALUE


@rule
def best_act(s, deck, prizes, mask, step):
    """The action that is worth most beyond its price, or NONE."""
    best, best_value = NONE, ACT_BAR
    opening = is_opening(s, step)
    summon = summoning_action(s, deck, mask)
    if summon != NONE and step == COMMIT and opening and is_ready(s, deck, step):
        return summon
    if mask[act.START_ASSAULT]:
        slot, value = best_assault(s, deck, prizes, mask, NONE, step)
        if slot != NONE and value > best_value:
            best, best_value = act.START_ASSAULT, value
    if mask[act.EXPLORE] and opening:
        value = explore_value(s, deck) - price_to_pay(s, deck, AWARENESS, explore_cost(s, deck))
        if value > best_value:
            best, best_value = act.EXPLORE, value
    for k in range(SPACE_ACTIONS):
        if mask[act.USE_SPACE + k] and act.USE_SPACE + k != summon:
            face = int(deck.unique[row_here(s), s.at_space, k])
            value = moment_value(s, deck, face, USE) - price_of_face(s, deck, face, NONE)
            if value > best_value and is_time_for(s, deck, prizes, step, face):
                best, best_value = act.USE_SPACE + k, value
    for i in range(hand_count(s)):
        if mask[act.PLAY_CARD + i]:
            value = card_gain(s, deck, prizes, step, i)
            if value > best_value:
                best, best_value = act.PLAY_CARD + i, value
    return best


@rule
def window_choice(s, deck, prizes, mask, step):
    """An action to take now, or NONE."""
    action = best_act(s, deck, prizes, mask, step)
    if action != NONE:
        return action
    if mask[act.START_MOVE] and is_opening(s, step):
        here = place_value(s, deck, int(s.at_card), int(s.at_space), explore_value(s, deck), summon_value(s, deck, step))
        _, _, distance, value, _ = goal(s, deck, step, 0)
        if distance > 0 and value > here + MOVE_BAR:
            return act.START_MOVE
    return NONE


@rule
def payment_choice(s, deck, mask):
    """The cheapest payment; of movement, as far as the hero wants to go."""
    more = 0
    if top(s, A) == MOVEMENT:
        _, _, distance, _, _ = goal(s, deck, WINDOW, max(1, int(s.paid)))
        more = max(0, distance - int(s.paid))
        if mask[act.DONE] and more == 0:
            return act.DONE
    action = next_payment(s, deck, mask, more)
    return act.DONE if action == NONE and mask[act.DONE] else action


@rule
def move_choice(s, deck, mask):
    card, space, distance, _, bold = goal(s, deck, WINDOW, top(s, A))
    return step_towards(s, deck, mask, card, space, bold == 1) if distance > 0 else act.DONE


@rule
def discard_choice(s, deck, mask):
    """The cards of least worth; at the start of a round all that are worth less than a new one."""
    if top(s, A) <= 0 or top(s, C):
        for place in range(hand_count(s)):
            if mask[act.SPEND_CARD + place] and hand_value_of(s, deck, int(s.hand[place])) < KEEP_BAR:
                return act.SPEND_CARD + place
        if top(s, A) <= 0:
            return act.DONE
    return min_kept(s, deck, mask)


@rule
def penalty_choice(s, deck):
    """Cards, while there are many; else Health, while there is much."""
    if count_in(s, deck, INFLUENCE_DECK, IN_DECK) >= FEW_CARDS or s.stats[HEALTH] <= 4:
        return act.SECOND
    return act.FIRST


@rule
def aim_choice(s, deck, prizes, mask):
    """The enemy that an instruction meets: the one whose fall it brings, else the boss, else the most dangerous."""
    op, amount = top(s, A), top(s, B)
    best, best_value = NONE, 0.0
    for slot in range(SLOTS):
        if mask[act.TARGET_CARD + slot]:
            value = fall_value(s, deck, prizes, slot, 0)
            need = need_of(s, deck, slot)
            if op == WOUND and need > amount:
                value *= 0.5
            elif op == SET_HEALTH:
                value = 1.0 * need + 0.01 * value
            if best == NONE or value > best_value:
                best, best_value = act.TARGET_CARD + slot, value
    return best


@rule
def worst_held(s, deck, mask):
    """The card of the inventory of least worth among those that may go, as an action, and its worth."""
    best, least = NONE, 0.0
    for i in range(item_count(s)):
        if mask[act.DISCARD_ITEM + i]:
            value = held_value(s, deck, int(s.items[i]))
            if best == NONE or value < least:
                best, least = act.DISCARD_ITEM + i, value
    return best, least


@rule
def item_taken(s, deck, mask):
    """Takes an item if there is room, or if it is better than one that is held."""
    if mask[act.ACCEPT]:
        return act.ACCEPT
    worst, value = worst_held(s, deck, mask)
    return worst if worst != NONE and held_value(s, deck, top(s, A)) > value else act.DECLINE


@rule
def offer_choice(s, deck, mask):
    """Accepts an offer that is worth more than it costs."""
    first, end = int(s.agenda[s.depth - 2, A]), int(s.agenda[s.depth - 2, B])
    value = run_value(s, deck, face_with_row(deck, first), first, end) if first < end else 0.0
    return act.ACCEPT if mask[act.ACCEPT] and value > 0.0 else act.DECLINE


@rule
def option_choice(s, deck):
    """The option that is worth more."""
    first, end = int(s.agenda[s.depth - 2, A]), int(s.agenda[s.depth - 2, B])
    middle = min(end, first + top(s, A))
    face = face_with_row(deck, first)
    return act.FIRST if run_value(s, deck, face, first, middle) >= run_value(s, deck, face, middle, end) else act.SECOND


@rule
def cost_choice(s, deck):
    """The cheaper of two costs."""
    face = top(s, B)
    return act.FIRST if price_of_cost(s, deck, face, 0, NONE) <= price_of_cost(s, deck, face, 1, NONE) else act.SECOND


@rule
def card_choice(s, deck, mask, step):
    """Rewards, items, stats and dice; NONE at other steps."""
    if step == TAKE_REWARD:
        return act.ACCEPT if moment_value(s, deck, top(s, B), REWARD) >= 0.0 else act.DECLINE
    if step == RECOVERING:
        return recover_choice(s, mask)
    if step == RESTORING:
        return recover_strongest(mask, s.banished, act.RESTORE_DIE, top(s, A))
    if step == EXHAUSTING:
        return first_allowed(mask, act.EXHAUST_DIE, act.EXHAUST_DIE + 5)
    if step == BANISHING:
        return banish_choice(mask)
    if step == RAISING:
        return stat_choice(s, mask, 1)
    if step == LOWERING:
        return stat_choice(s, mask, -1)
    if step == TAKE_ITEM:
        return item_taken(s, deck, mask)
    if step == LOSING_ITEM:
        action, _ = worst_held(s, deck, mask)
        return action
    if step == OFFERED:
        return offer_choice(s, deck, mask)
    if step == CHOOSING:
        return option_choice(s, deck)
    return NONE


@rule
def dream_choice(s, deck, prizes, mask, step):
    """Payments, the map and the influence cards; NONE at other steps."""
    if step == PAYING:
        return payment_choice(s, deck, mask)
    if step == MOVING:
        return move_choice(s, deck, mask)
    if step == DISCARD_CARDS:
        return discard_choice(s, deck, mask)
    if step == PENALTY:
        return penalty_choice(s, deck)
    if step == CHOOSE_COST:
        return cost_choice(s, deck)
    if step == AIM_ASSAULT:
        slot, _ = best_assault(s, deck, prizes, mask, act.TARGET_CARD, COMMIT if s.passes <= 1 else APPLY)
        return NONE if slot == NONE else act.TARGET_CARD + slot
    if step == FLIPPING:
        slot, _ = best_flip(s, deck)
        return NONE if slot == NONE else act.TARGET_CARD + slot
    return NONE


@rule
def expert_choice(s, deck, mask, step):
    """What expert does at a step, or NONE where it has no opinion."""
    if s.hero == NONE:
        return NONE
    prizes = prizes_of(s, deck, step)
    if step == AIMING:
        return aim_choice(s, deck, prizes, mask)
    if step == AFTER_EFFECTS and s.stats[HEALTH] > LITTLE_HEALTH:
        return first_allowed(mask, act.TARGET_CARD, act.TARGET_CARD + SLOTS)
    action = thing_to_use(s, deck, prizes, mask, step)
    if action == NONE and (step == WINDOW or is_fighting(step)):
        action = window_choice(s, deck, prizes, mask, step)
    if action == NONE and step == COMMIT and pace(s) > TOO_LONG:
        action = act.ROLL_DICE
    if action == NONE:
        action = fight_choice(s, deck, prizes, mask, step)
    if action == NONE:
        action = card_choice(s, deck, mask, step)
    if action == NONE:
        action = dream_choice(s, deck, prizes, mask, step)
    return action


@rule
def expert(s, deck, mask):
    """Plays as a good player would, by weighing in points what each choice is likely to bring."""
    action = expert_choice(s, deck, mask, top(s, STEP))
    if action != NONE and mask[action]:
        return action
    return act.DONE if mask[act.DONE] else any_action(mask)
