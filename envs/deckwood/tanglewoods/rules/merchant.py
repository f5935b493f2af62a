"""Visiting the merchant."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong.cards import announce, refresh
from deckwood.strong.dice import allow_dice
from deckwood.strong.items import discard_item, may_upgrade, upgrade
from deckwood.strong.pool import add_item, gain_stat, has_room, item_count, lose_gold
from deckwood.strong.steps import DRAWING, A, B, pop, push, set_top, top
from deckwood.strong.terms import BOUGHT, MAX_ITEMS, NONE, STAT_MAX
from deckwood.strong.vocabulary import PRICE_CHANGE
from deckwood.tanglewoods import actions as act
from deckwood.tanglewoods import state as own
from deckwood.tanglewoods.rules.draws import item_index, ready_to_draw
from deckwood.tanglewoods.steps import MERCHANT_VISIT

SHOP_PLACES = 3


@rule
def shop_size(s):
    n = 0
    while n < SHOP_PLACES and s.shop[n] != NONE:
        n += 1
    return n


@rule
def perform_stock(s):
    """Reveals as many items as dice were rolled to explore (or as an effect says)."""
    wanted = top(s, A) if top(s, A) > 0 else int(s.explored)
    if shop_size(s) < min(wanted, SHOP_PLACES) and ready_to_draw(s.item_cards):
        s.node = DRAWING
        return
    pop(s)
    push(s, MERCHANT_VISIT)


@rule
def stock(s, item):
    """An item is laid out; the shop lies in the order of its cards."""
    s.item_cards[item] = own.IN_SHOP
    place = shop_size(s)
    while place > 0 and s.shop[place - 1] > own.ITEM_FACE + item:
        s.shop[place] = s.shop[place - 1]
        place -= 1
    s.shop[place] = own.ITEM_FACE + item


@rule
def price(s, cost):
    return max(0, cost + int(s.modifiers[PRICE_CHANGE]))


@rule
def item_price(s, deck, place):
    return price(s, int(deck.cards[s.shop[place]].cost))


@rule
def legal_merchant(s, deck, mask):
    n = allow(mask, act.DONE)
    gold = int(s.gold)
    held = item_count(s)
    wanted = False
    for place in range(shop_size(s)):
        if item_price(s, deck, place) <= gold:
            wanted = True
            if has_room(s):
                n += allow(mask, act.BUY + place)
    if wanted and not has_room(s):
        for i in range(held):
            n += allow(mask, act.DISCARD_ITEM + i)
    if price(s, int(deck.numbers[own.UPGRADE_COST])) <= gold:
        for i in range(held):
            if may_upgrade(s, deck, i):
                n += allow(mask, act.TURN_ITEM + i)
    if price(s, int(deck.numbers[own.RECOVER_COST])) <= gold:
        n += allow_dice(s.exhausted, act.RECOVER_DIE, top(s, B), mask)
    if price(s, int(deck.numbers[own.STAT_COST])) <= gold:
        for stat in range(3):
            if s.stats[stat] < STAT_MAX:
                n += allow(mask, act.PICK_STAT + stat)
    return n


@rule
def play_merchant(s, deck, action):
    if action == act.DONE:
        tidy_up(s)
        pop(s)
        return
    if not act.RECOVER_DIE <= action < act.RECOVER_DIE + 5:
        set_top(s, B, 0)  # it may change prices and dice, so that weaker ones may be wanted after all
    if act.BUY <= action < act.BUY + SHOP_PLACES:
        buy(s, deck, action - act.BUY)
    elif act.DISCARD_ITEM <= action < act.DISCARD_ITEM + MAX_ITEMS:
        discard_item(s, deck, action - act.DISCARD_ITEM)
    elif act.TURN_ITEM <= action < act.TURN_ITEM + MAX_ITEMS:
        lose_gold(s, price(s, int(deck.numbers[own.UPGRADE_COST])))
        upgrade(s, deck, action - act.TURN_ITEM)
    elif act.PICK_STAT <= action < act.PICK_STAT + 3:
        lose_gold(s, price(s, int(deck.numbers[own.STAT_COST])))
        gain_stat(s, action - act.PICK_STAT, 1)
    else:
        colour = action - act.RECOVER_DIE
        lose_gold(s, price(s, int(deck.numbers[own.RECOVER_COST])))
        s.exhausted[colour] -= 1
        s.ready[colour] += 1
        set_top(s, B, colour)


@rule
def buy(s, deck, place):
    face = int(s.shop[place])
    lose_gold(s, item_price(s, deck, place))
    for i in range(place, SHOP_PLACES - 1):
        s.shop[i] = s.shop[i + 1]
    s.shop[SHOP_PLACES - 1] = NONE
    s.item_cards[item_index(face)] = own.IN_HAND
    add_item(s, face)
    refresh(s, deck)
    announce(s, deck, BOUGHT)


@rule
def tidy_up(s):
    """Items that were not bought go to the discard."""
    for place in range(SHOP_PLACES):
        if s.shop[place] != NONE:
            s.item_cards[item_index(int(s.shop[place]))] = own.IN_DISCARD
            s.shop[place] = NONE
