"""A round: Influence, Opposition, Engagement, Cleanup; and the effects that draw, banish and flip cards."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.etherfields import actions as act
from deckwood.etherfields import state as own
from deckwood.etherfields import steps as at
from deckwood.etherfields.rules.boss import boss_activation, boss_is_defeated
from deckwood.etherfields.rules.cards import (
    WAITING,
    any_in,
    begin_draw,
    draw_weights,
    face_of,
    flip,
    hand_count,
    leave_hand,
    take_in_hand,
    uncover,
    zone_weights,
)
from deckwood.strong import terms
from deckwood.strong.after import begin_recovery, has_after
from deckwood.strong.cards import announce, empty_slot, is_boss, is_standing, place_card, remove_card, trigger
from deckwood.strong.dice import count_down
from deckwood.strong.engagement import engage
from deckwood.strong.pool import lose_stat, recovery_of
from deckwood.strong.steps import DECIDING, DRAWING, RECOVERING, TAKE_ITEM, A, B, C, pop, push, set_top, top
from deckwood.strong.vocabulary import NO_RECOVERY


@rule
def perform_round(s, deck):
    """What counts by the round begins afresh; the parts of the round follow, with windows for actions between them."""
    pop(s)
    push(s, at.END_ROUND)
    push(s, at.CLEANUP)
    push(s, at.WINDOW, at.BEFORE_CLEANUP)
    push(s, at.ENGAGEMENT)
    push(s, at.BOSS_ACTIVATION)
    push(s, at.WINDOW, at.BEFORE_BOSS)
    push(s, at.ACTIVATE_ENEMIES, 1)
    push(s, at.WINDOW, at.BEFORE_OPPOSITION)
    push(s, at.REFILL)
    push(s, at.DISCARD_CARDS, 1, 0, 1)
    push(s, at.WINDOW, at.DAWN)
    for i in range(terms.MAX_ITEMS + 1):
        s.used[i] = 0
    for row in range(2 * own.NUM_MAPS):
        s.acted[row] = 0
    s.shield = 0
    s.doubled = 0
    announce(s, deck, terms.ROUND_STARTS)


@rule
def perform_discard_cards(s):
    """Influence cards are discarded one at a time, in the order of the hand: as many as must be, then as many more as the player likes."""
    left = hand_count(s) - top(s, B)
    if left > 0 and (top(s, A) > 0 or top(s, C)):
        s.node = DECIDING
    else:
        pop(s)


@rule
def legal_discard_cards(s, mask):
    """As many places must be left as cards must still be discarded; there is a card to discard."""
    n = 0
    first, end = top(s, B), hand_count(s)
    needed = min(max(1, top(s, A)), end - first)
    for place in range(first, end - needed + 1):
        n += allow(mask, act.SPEND_CARD + place)
    if top(s, A) <= 0:
        n += allow(mask, act.DONE)
    return n


@rule
def play_discard_cards(s, action):
    if action == act.DONE:
        pop(s)
        return
    set_top(s, A, max(0, top(s, A) - 1))
    set_top(s, B, action - act.SPEND_CARD)
    leave_hand(s, action - act.SPEND_CARD, own.IN_DISCARD)


@rule
def perform_refill(s, deck):
    """Draws until the hand has its five cards, or what the deck file and modifiers make of them."""
    pop(s)
    size = int(deck.numbers[own.HAND_SIZE]) + int(s.modifiers[own.HAND_CHANGE])
    push(s, at.DRAW_CARDS, max(0, size - hand_count(s)))


@rule
def perform_draw_cards(s, deck):
    """Influence cards are drawn one at a time; what the hand has no room for stays in the deck."""
    if top(s, A) <= 0 or hand_count(s) == own.MAX_HAND:
        pop(s)
        return
    card = begin_draw(s, deck, own.INFLUENCE_DECK)
    if card == terms.NONE:
        pop(s)
    elif card != WAITING:
        draw_card(s, deck, card)


@rule
def draw_card_weights(s, deck, weights):
    return draw_weights(s, deck, own.INFLUENCE_DECK, weights)


@rule
def draw_card(s, deck, card):
    count_down(s)
    take_in_hand(s, deck, card)
    uncover(s, own.INFLUENCE_DECK, card)


@rule
def legal_penalty(mask):
    return allow(mask, act.FIRST) + allow(mask, act.SECOND)


@rule
def play_penalty(s, deck, action):
    """The price of reshuffling the Influence Deck: Health, or random cards of it."""
    pop(s)
    if action == act.FIRST:
        lose_stat(s, terms.HEALTH, int(deck.numbers[own.RESHUFFLE_HEALTH]))
    else:
        push(s, at.BANISH_RANDOM, int(deck.numbers[own.RESHUFFLE_CARDS]))


@rule
def perform_activate(s, deck):
    """Enemies are activated one at a time; each is followed by those that it brings. With the active area full no more come."""
    if top(s, A) <= 0 or empty_slot(s) == terms.NONE:
        pop(s)
        return
    card = begin_draw(s, deck, own.ENEMY_DECK)
    if card == terms.NONE:
        pop(s)
    elif card != WAITING:
        activate(s, deck, card)


@rule
def activation_weights(s, deck, weights):
    return draw_weights(s, deck, own.ENEMY_DECK, weights)


@rule
def activate(s, deck, card):
    count_down(s)
    face = face_of(s, card)
    slot = empty_slot(s)
    s.zone[card] = own.IN_PLAY
    place_card(s, deck, slot, face)
    trigger(s, deck, face, terms.ACTIVATED, slot)
    uncover(s, own.ENEMY_DECK, card)


@rule
def perform_activate_more(s):
    enemies = top(s, A)
    pop(s)
    push(s, at.ACTIVATE_ENEMIES, enemies)


@rule
def perform_boss_activation(s, deck):
    pop(s)
    boss_activation(s, deck)


@rule
def perform_engagement(s, deck):
    pop(s)
    engage(s, deck)
    forget_damage(s)


@rule
def any_after(s, deck):
    """True if an After effect waits: actions may be taken before each."""
    for slot in range(terms.SLOTS):
        if has_after(s, deck, slot):
            return True
    return False


@rule
def perform_after_effects(s, deck):
    if any_after(s, deck):
        s.node = DECIDING
    else:
        pop(s)


@rule
def perform_recover_dice(s, deck):
    """Recovers dice, and one more of the ether's colour."""
    if begin_recovery(s, deck) and not s.modifiers[NO_RECOVERY]:
        push(s, RECOVERING, recovery_of(s) + 1, 0, 1 + int(s.ether))


@rule
def forget_damage(s):
    """Limits of damage count by the round, which begins before the engagement; no damage is left from earlier ones."""
    for slot in range(terms.SLOTS):
        s.before[slot] = 0
        s.before_uncapped[slot] = 0


@rule
def perform_cleanup(s, deck):
    """Defeated enemies are discarded. The others stay, with nothing on them; so does a boss."""
    pop(s)
    for slot in range(terms.SLOTS):
        face = int(s.slot[slot])
        if face == terms.NONE:
            continue
        s.wounds[slot] = 0
        if s.marks[slot] & terms.DEFEATED and not is_boss(s, deck, slot):
            s.beaten += 1
            s.zone[face % own.NUM_CARDS] = own.IN_DISCARD
            remove_card(s, deck, slot)


@rule
def perform_end_round(s):
    """The game is won if the boss has been defeated and the hero lives."""
    pop(s)
    if boss_is_defeated(s):
        push(s, at.GAME_OVER, own.WON)
    else:
        push(s, at.ROUND)


@rule
def perform_take_random(s, deck):
    """Cards of the influence discard return to the hand by chance."""
    if top(s, A) > 0 and hand_count(s) < own.MAX_HAND and any_in(s, deck, own.INFLUENCE_DECK, own.IN_DISCARD):
        s.node = DRAWING
    else:
        pop(s)


@rule
def take_random_weights(s, deck, weights):
    return zone_weights(s, deck, own.INFLUENCE_DECK, own.IN_DISCARD, weights)


@rule
def take_random(s, deck, card):
    count_down(s)
    take_in_hand(s, deck, card)


@rule
def perform_banish_random(s, deck):
    """Cards of the Influence Deck are banished by chance."""
    if top(s, A) > 0 and any_in(s, deck, own.INFLUENCE_DECK, own.IN_DECK):
        s.node = DRAWING
    else:
        pop(s)


@rule
def banish_random_weights(s, deck, weights):
    return zone_weights(s, deck, own.INFLUENCE_DECK, own.IN_DECK, weights)


@rule
def banish_random(s, card):
    count_down(s)
    s.zone[card] = own.OUT
    uncover(s, own.INFLUENCE_DECK, card)


@rule
def perform_draw_an_item(s):
    pop(s)
    push(s, at.DRAW_AN_ITEM)


@rule
def perform_draw_item(s, deck):
    card = begin_draw(s, deck, own.ITEM_DECK)
    if card == terms.NONE:
        pop(s)
    elif card != WAITING:
        draw_item(s, card)


@rule
def item_weights(s, deck, weights):
    return draw_weights(s, deck, own.ITEM_DECK, weights)


@rule
def draw_item(s, card):
    """A drawn item is offered; one that is not taken is discarded."""
    pop(s)
    s.zone[card] = own.RESOLVING
    push(s, TAKE_ITEM, face_of(s, card))
    uncover(s, own.ITEM_DECK, card)


@rule
def may_flip(s, deck, slot):
    return is_standing(s, deck, slot) and not is_boss(s, deck, slot)


@rule
def legal_flipping(s, deck, mask):
    n = 0
    for slot in range(terms.SLOTS):
        if may_flip(s, deck, slot):
            n += allow(mask, act.TARGET_CARD + slot)
    return n


@rule
def perform_flipping(s, deck):
    if any_to_flip(s, deck):
        s.node = DECIDING
    else:
        pop(s)


@rule
def play_flipping(s, deck, action):
    pop(s)
    flip(s, deck, int(s.slot[action - act.TARGET_CARD]))


@rule
def any_to_flip(s, deck):
    for slot in range(terms.SLOTS):
        if may_flip(s, deck, slot):
            return True
    return False


@rule
def pass_by(s):
    """What the system asks of its deck means nothing here."""
    pop(s)
