"""Items and the hero's ability: used, taken, discarded, upgraded."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import actions as act
from deckwood.strong import steps as at
from deckwood.strong import terms
from deckwood.strong import vocabulary as ops
from deckwood.strong.cards import refresh, trigger
from deckwood.strong.dice import choose_or_pass, count_down
from deckwood.strong.effects import can_use, reset_order
from deckwood.strong.pool import add_item, has_room, item_count, remove_item
from deckwood.strong.steps import A, B, pop, push, set_top, top


@rule
def may_use_item(s, deck, index):
    return not s.modifiers[ops.NO_ITEMS] and not s.used[index] and can_use(s, deck, int(s.items[index]))


@rule
def may_use_hero(s, deck):
    return not s.used[terms.MAX_ITEMS] and can_use(s, deck, int(s.hero))


@rule
def anything_to_use(s, deck):
    """True if an item or the hero's ability may be used now."""
    for i in range(item_count(s)):
        if may_use_item(s, deck, i):
            return True
    return may_use_hero(s, deck)


@rule
def legal_uses(s, deck, mask):
    """Marks the items and the hero's ability that may be used now."""
    n = 0
    for i in range(item_count(s)):
        if may_use_item(s, deck, i):
            n += allow(mask, act.USE_ITEM + i)
    if may_use_hero(s, deck):
        n += allow(mask, act.USE_HERO)
    return n


@rule
def use_item(s, deck, index):
    face = int(s.items[index])
    reset_order(s)
    if deck.cards[face].uses == terms.SINGLE_USE:
        remove_item(s, index)
        refresh(s, deck)
        push(s, at.ITEM_GONE, face)
    else:
        s.used[index] = 1
    trigger(s, deck, face, terms.USE, terms.NONE)


@rule
def use_hero(s, deck):
    s.used[terms.MAX_ITEMS] = 1
    reset_order(s)
    trigger(s, deck, int(s.hero), terms.USE, terms.NONE)


@rule
def is_use(action):
    """True for the use of an item or of the hero's ability."""
    return act.USE_ITEM <= action < act.USE_ITEM + terms.MAX_ITEMS or action == act.USE_HERO


@rule
def use(s, deck, action):
    if action == act.USE_HERO:
        use_hero(s, deck)
    else:
        use_item(s, deck, action - act.USE_ITEM)


@rule
def discard_item(s, deck, index):
    face = int(s.items[index])
    remove_item(s, index)
    refresh(s, deck)
    push(s, at.ITEM_GONE, face)


@rule
def may_upgrade(s, deck, index):
    return s.items[index] != terms.NONE and deck.cards[s.items[index]].other_side != terms.NONE


@rule
def upgrade(s, deck, index):
    """Turns a held item to its upgraded side."""
    other = int(deck.cards[s.items[index]].other_side)
    used = int(s.used[index])
    remove_item(s, index)
    s.used[add_item(s, other)] = used
    refresh(s, deck)


@rule
def legal_take_item(s, mask):
    n = allow(mask, act.DECLINE)
    if has_room(s):
        return n + allow(mask, act.ACCEPT)
    for i in range(item_count(s)):
        n += allow(mask, act.DISCARD_ITEM + i)
    return n


@rule
def play_take_item(s, deck, action):
    face = top(s, A)
    if action == act.ACCEPT:
        pop(s)
        add_item(s, face)
        refresh(s, deck)
    elif action == act.DECLINE:
        pop(s)
        push(s, at.ITEM_GONE, face)
    else:
        discard_item(s, deck, action - act.DISCARD_ITEM)


@rule
def perform_losing_item(s):
    choose_or_pass(s, item_count(s) > 0)


@rule
def legal_losing_item(s, mask):
    n = 0
    first, held = top(s, B), item_count(s)
    for i in range(first, held - min(top(s, A), held - first) + 1):
        n += allow(mask, act.DISCARD_ITEM + i)
    return n


@rule
def play_losing_item(s, deck, action):
    count_down(s)
    set_top(s, B, action - act.DISCARD_ITEM)
    discard_item(s, deck, action - act.DISCARD_ITEM)


@rule
def any_upgrade(s, deck, first):
    for i in range(first, item_count(s)):
        if may_upgrade(s, deck, i):
            return True
    return False


@rule
def perform_upgrading(s, deck):
    choose_or_pass(s, any_upgrade(s, deck, top(s, B)))


@rule
def legal_upgrading(s, deck, mask):
    n = allow(mask, act.DONE)
    for i in range(top(s, B), item_count(s)):
        if may_upgrade(s, deck, i):
            n += allow(mask, act.TURN_ITEM + i)
    return n


@rule
def play_upgrading(s, deck, action):
    if action == act.DONE:
        pop(s)
        return
    count_down(s)
    i = action - act.TURN_ITEM
    set_top(s, B, i)  # the next item moves up to its place
    upgrade(s, deck, i)
