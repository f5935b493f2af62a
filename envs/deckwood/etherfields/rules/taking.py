"""Taking actions: standard, influence and map actions, at any window of a round."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.etherfields import actions as act
from deckwood.etherfields import state as own
from deckwood.etherfields import steps as at
from deckwood.etherfields.rules.boss import can_summon
from deckwood.etherfields.rules.cards import hand_count, leave_hand
from deckwood.etherfields.rules.dream import any_move, arrow_here, has_acted, legal_moves, may_explore, row_here
from deckwood.etherfields.rules.payment import (
    affords,
    affords_some,
    all_means,
    begin_payment,
    cost_of,
    has_alternative,
    means,
    owe,
    owe_cost,
)
from deckwood.strong import terms
from deckwood.strong.cards import (
    colours_on,
    damage_to,
    health_of,
    here,
    is_boss,
    is_protected,
    is_standing,
    refresh,
    trigger,
    uncapped_damage,
)
from deckwood.strong.effects import can_pay_for, fall, is_applying, reset_order
from deckwood.strong.items import discard_item, use_hero, use_item
from deckwood.strong.items import play_take_item as refuse_or_discard
from deckwood.strong.pool import add_item, has_room, item_count
from deckwood.strong.steps import AFTER_EFFECTS, APPLY, COMMIT, DECIDING, FLED, STEP, TAKE_ITEM, A, B, find, pop, push, set_top, top
from deckwood.strong.vocabulary import COLOURS_NEEDED, DAMAGE_CAP, FALL_LIMIT, NO_ITEMS, NO_LIMIT


@rule
def is_action_window(step):
    """Steps at which actions may be taken; between two spaces of a movement, too, but for map actions."""
    return step == at.WINDOW or step == COMMIT or step == APPLY or step == AFTER_EFFECTS or step == at.MOVING


@rule
def fits_timing(s, timing):
    """True if an influence card with this timing may be played now. A round's Activation lasts as long as its Engagement is to come."""
    if timing == own.IN_ACTIVATION:
        return find(s, at.ENGAGEMENT) != terms.NONE
    if timing == own.IN_ENGAGEMENT:
        return find(s, at.ENGAGEMENT) == terms.NONE
    if timing == own.AFTER_ROLL:
        return is_applying(s)
    return timing == own.ANY_TIME


@rule
def wrath_to_fell(s, deck, slot):
    """The Wrath that an assault on an enemy takes, or NONE: it is a boss, or damage alone could not defeat it."""
    if not is_standing(s, deck, slot) or is_boss(s, deck, slot) or is_protected(s, deck, slot):
        return terms.NONE
    if s.falls >= s.modifiers[FALL_LIMIT] and is_applying(s):
        return terms.NONE
    if colours_on(s, slot) < here(s, slot, COLOURS_NEEDED):
        return terms.NONE
    left = health_of(s, deck, slot) - damage_to(s, deck, slot)
    cap = here(s, slot, DAMAGE_CAP)
    if cap != NO_LIMIT and left > cap - (uncapped_damage(s, slot) - int(s.before_uncapped[slot])):
        return terms.NONE
    return max(1, left)


@rule
def may_assault(s, deck, slot, wrath):
    needed = wrath_to_fell(s, deck, slot)
    return needed != terms.NONE and needed <= wrath


@rule
def any_assault(s, deck, wrath):
    for slot in range(terms.SLOTS):
        if may_assault(s, deck, slot, wrath):
            return True
    return False


@rule
def may_resolve(s, deck, face):
    """True if a unique action may be resolved now: one that activates the boss only while the endgame condition is met."""
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        if deck.effects[row, terms.WHEN] == terms.USE and deck.effects[row, terms.OP] == own.SUMMON and not can_summon(s, deck):
            return False
    return can_pay_for(s, deck, face)


@rule
def may_use_space(s, deck, action, means_now):
    """True if a unique action of the hero's space can be paid for and has not been resolved this round."""
    face = int(deck.unique[row_here(s), s.at_space, action])
    if face == terms.NONE or has_acted(s, row_here(s), int(s.at_space), action):
        return False
    return affords_some(s, deck, face, means_now) and may_resolve(s, deck, face)


@rule
def means_without(deck, face, means_now):
    """The means that are left where a card of the hand is not among them: a card cannot pay for itself."""
    return (
        means_now[0] - int(deck.yields[face, 0]),
        means_now[1] - int(deck.yields[face, 1]),
        means_now[2] - int(deck.yields[face, 2]),
    )


@rule
def may_play(s, deck, face, means_now):
    """True if an influence card may be played now."""
    if not fits_timing(s, int(deck.timing[face])):
        return False
    if not affords_some(s, deck, face, means_without(deck, face, means_now)):
        return False
    return deck.cards[face].uses == terms.ONGOING or can_pay_for(s, deck, face)


@rule
def legal_cards(s, deck, means_now, mask):
    """Marks the influence cards that may be played."""
    n = 0
    for i in range(hand_count(s)):
        if may_play(s, deck, int(s.hand[i]), means_now):
            n += allow(mask, act.PLAY_CARD + i)
    return n


@rule
def legal_window(mask):
    return allow(mask, act.DONE)


@rule
def play_window(s):
    pop(s)


@rule
def legal_taking(s, deck, step, mask):
    """Marks the actions that may be taken at a window; returns how many. Map actions wait until a movement is over."""
    means_now = all_means(s, deck)
    n = 0
    if means_now[own.CUNNING] > 0 and not s.modifiers[own.NO_MOVES] and any_move(s, deck):
        n += allow(mask, act.START_MOVE)
    if means_now[own.WRATH] > 0 and any_assault(s, deck, means_now[own.WRATH]):
        n += allow(mask, act.START_ASSAULT)
    if not s.modifiers[own.NO_CARDS]:
        n += legal_cards(s, deck, means_now, mask)
    if step != at.MOVING:
        n += legal_map_actions(s, deck, means_now, mask)
    return n


@rule
def legal_map_actions(s, deck, means_now, mask):
    n = 0
    if may_explore(s, deck) and explore_cost(s, deck) <= means_now[own.AWARENESS]:
        n += allow(mask, act.EXPLORE)
    for action in range(own.SPACE_ACTIONS):
        if may_use_space(s, deck, action, means_now):
            n += allow(mask, act.USE_SPACE + action)
    return n


@rule
def legal_uses(s, deck, mask):
    """Marks the items and the hero's ability that may be used now."""
    n = 0
    if not s.modifiers[NO_ITEMS]:
        for i in range(item_count(s)):
            if not s.used[i] and can_pay_for(s, deck, int(s.items[i])):
                n += allow(mask, act.USE_ITEM + i)
    if not s.used[terms.MAX_ITEMS] and can_pay_for(s, deck, int(s.hero)):
        n += allow(mask, act.USE_HERO)
    return n


@rule
def legal_discards(s, mask):
    """Items may be discarded at any time."""
    n = 0
    for i in range(item_count(s)):
        n += allow(mask, act.DISCARD_ITEM + i)
    return n


@rule
def play_use(s, deck, action):
    """An item or the hero's ability. A single-use item lies in no pile while it resolves."""
    if action == act.USE_HERO:
        use_hero(s, deck)
        return
    face = int(s.items[action - act.USE_ITEM])
    if deck.cards[face].uses == terms.SINGLE_USE:
        s.zone[face % own.NUM_CARDS] = own.RESOLVING
    use_item(s, deck, action - act.USE_ITEM)


@rule
def play_take_item(s, deck, action):
    """An item that was accepted is gained."""
    if action != act.ACCEPT:
        refuse_or_discard(s, deck, action)
        return
    face = top(s, A)
    pop(s)
    into_inventory(s, deck, face)


@rule
def into_inventory(s, deck, face):
    """A card joins the inventory; there is room."""
    s.zone[face % own.NUM_CARDS] = own.IN_INVENTORY
    add_item(s, face)
    refresh(s, deck)


@rule
def explore_cost(s, deck):
    """The Awareness that the arrow of the hero's space costs now."""
    return cost_of(s, int(deck.explore[row_here(s), s.at_space, own.AWARENESS_COST]))


@rule
def is_taking(action):
    """True for what may be done at a window: one of the game's actions, or discarding an item."""
    if act.DISCARD_ITEM <= action < act.DISCARD_ITEM + terms.MAX_ITEMS:
        return True
    return act.PLAY_CARD <= action < act.PLAY_CARD + own.MAX_HAND or act.START_MOVE <= action < act.USE_SPACE + own.SPACE_ACTIONS


@rule
def play_taking(s, deck, action):
    """Begins an action: what it costs is paid first."""
    reset_order(s)
    if act.DISCARD_ITEM <= action < act.DISCARD_ITEM + terms.MAX_ITEMS:
        discard_item(s, deck, action - act.DISCARD_ITEM)
    elif action == act.START_MOVE:
        owe(s, own.CUNNING, 1)
        begin_payment(s, at.MOVEMENT, 0)
    elif action == act.START_ASSAULT:
        push(s, at.AIM_ASSAULT)
    elif action == act.EXPLORE:
        owe(s, own.AWARENESS, explore_cost(s, deck))
        begin_payment(s, at.EXPLORATION, 0)
    elif action >= act.USE_SPACE:
        k = action - act.USE_SPACE
        s.acted[row_here(s)] |= 1 << (own.SPACE_ACTIONS * int(s.at_space) + k)
        push(s, at.CHOOSE_COST, at.UNIQUE_ACTION, int(deck.unique[row_here(s), s.at_space, k]))
    else:
        face = leave_hand(s, action - act.PLAY_CARD, own.RESOLVING)
        push(s, at.CHOOSE_COST, at.ONGOING_CARD if deck.cards[face].uses == terms.ONGOING else at.INSTANT_CARD, face)


@rule
def legal_aim_assault(s, deck, mask):
    wrath = means(s, deck, own.WRATH)
    n = 0
    for slot in range(terms.SLOTS):
        if may_assault(s, deck, slot, wrath):
            n += allow(mask, act.TARGET_CARD + slot)
    return n


@rule
def play_aim_assault(s, deck, action):
    """No more Wrath than the defeat takes is due: more would be lost."""
    slot = action - act.TARGET_CARD
    pop(s)
    owe(s, own.WRATH, wrath_to_fell(s, deck, slot))
    begin_payment(s, at.ASSAULT, slot)


@rule
def perform_choose_cost(s, deck):
    """Asks which cost to pay where there are two and both could be."""
    face = top(s, B)
    means_now = all_means(s, deck)
    if has_alternative(deck, face) and affords(s, deck, face, 1, means_now):
        if affords(s, deck, face, 0, means_now):
            s.node = DECIDING
        else:
            choose_cost(s, deck, 1)
    else:
        choose_cost(s, deck, 0)


@rule
def choose_cost(s, deck, option):
    purpose, face = top(s, A), top(s, B)
    pop(s)
    owe_cost(s, deck, face, option)
    begin_payment(s, purpose, face)


@rule
def legal_choose_cost(mask):
    return allow(mask, act.FIRST) + allow(mask, act.SECOND)


@rule
def play_choose_cost(s, deck, action):
    choose_cost(s, deck, 0 if action == act.FIRST else 1)


@rule
def perform_paid(s, deck):
    """What was paid for happens."""
    purpose, what = top(s, A), top(s, B)
    pop(s)
    if purpose == at.MOVEMENT:
        walk(s, int(s.paid))
    elif purpose == at.ASSAULT:
        if is_standing(s, deck, what):  # what was spent may have felled it
            fall(s, deck, what)
    elif purpose == at.EXPLORATION:
        arrow = arrow_here(s, deck)
        push(s, at.EXPLORING, int(s.map_x[s.at_card]) + own.STEP_X[arrow], int(s.map_y[s.at_card]) + own.STEP_Y[arrow])
    elif purpose == at.UNIQUE_ACTION:
        trigger(s, deck, what, terms.USE, terms.NONE)
    elif purpose == at.INSTANT_CARD:
        push(s, at.RESOLVED, what % own.NUM_CARDS, FLED)
        trigger(s, deck, what, terms.USE, terms.NONE)
    elif has_room(s):
        into_inventory(s, deck, what)
    else:
        push(s, TAKE_ITEM, what)


@rule
def walk(s, spaces):
    """Spaces to go, added to those of a movement that they were paid in the middle of."""
    if top(s, STEP) == at.MOVING:
        set_top(s, A, top(s, A) + spaces)
    else:
        push(s, at.MOVING, spaces)


@rule
def perform_moving(s, deck):
    if top(s, A) > 0 and any_move(s, deck):
        s.node = DECIDING
    else:
        pop(s)


@rule
def legal_moving(s, deck, mask):
    return allow(mask, act.DONE) + legal_moves(s, deck, mask)
