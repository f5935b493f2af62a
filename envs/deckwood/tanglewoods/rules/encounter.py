"""What a node holds: enemies, wolves, fables, campfires; bribery and Cleanup."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import terms
from deckwood.strong.cards import (
    FROM_FACE,
    announce,
    empty_slot,
    is_boss,
    is_standing,
    place_card,
    remove_card,
    standing_enemies,
    trigger,
)
from deckwood.strong.engagement import engage
from deckwood.strong.items import anything_to_use
from deckwood.strong.pool import gain_stat, lose_gold
from deckwood.strong.steps import DECIDING, DRAWING, FLED, SHUFFLED_BACK, STEP, A, B, pop, push, set_top, top
from deckwood.strong.vocabulary import BRIBE_CHANGE, NO_BRIBES
from deckwood.tanglewoods import actions as act
from deckwood.tanglewoods import state as own
from deckwood.tanglewoods import steps as at
from deckwood.tanglewoods.rules.draws import count_in, draw_minion, ready_to_draw, take_from_line, zone_weights
from deckwood.tanglewoods.rules.endgame import begin_endgame, blight, win
from deckwood.tanglewoods.rules.forest import is_skipped, node_here


@rule
def perform_node(s, deck):
    """Resolves the type of the node the hero stands on."""
    pop(s)
    kind = node_here(s, deck, own.TYPE)
    if is_skipped(s, deck):
        push(s, at.NODE)
        push(s, at.ARRIVE)
        push(s, at.TRAVEL)
    elif kind == own.MINION or kind == own.WOLF:
        enemies = node_here(s, deck, own.MOBS) + int(s.next_mobs)
        s.next_mobs = 0
        push(s, at.ACTIVATE_ENEMIES, enemies + 1 if kind == own.MINION else enemies)
        if kind == own.WOLF:
            push(s, at.DRAW_WOLF)
    elif kind == own.FABLE_NODE:
        push(s, at.DRAW_FABLE)
    elif kind == own.CAMPFIRE:
        push(s, at.CAMP)
        announce(s, deck, terms.CAMPED)
    elif kind == own.HOME:
        begin_endgame(s, deck)


@rule
def activate(s, deck, face):
    """Puts an enemy into the active area; returns its slot, or NONE where the area is full."""
    slot = empty_slot(s)
    if slot != terms.NONE:
        place_card(s, deck, slot, face)
        blight(s, deck, slot)
    return slot


@rule
def activate_minion(s, deck, card):
    """One enemy of those that ACTIVATE_ENEMIES is to add; its effects wait until all have been added."""
    slot = activate(s, deck, card)
    s.minions[card] = own.IN_PLAY if slot != terms.NONE else own.IN_DISCARD
    set_top(s, A, top(s, A) - 1)
    if slot != terms.NONE:
        set_top(s, B, top(s, B) | (1 << slot))


@rule
def perform_activate(s, deck):
    """Adds enemies from the left end of the scouting line, then straight from the deck; refills the line only after all of them."""
    if top(s, A) > 0:
        if s.line_length > 0:
            activate_minion(s, deck, take_from_line(s, 0))
            return
        if ready_to_draw(s.minions):
            s.node = DRAWING
            return
    added = top(s, B)
    pop(s)
    for slot in range(terms.SLOTS - 1, -1, -1):
        if (added >> slot) & 1:
            trigger(s, deck, int(s.slot[slot]), terms.ACTIVATED, slot)
    push(s, at.SCOUT)


@rule
def activate_wolf(s, deck, wolf):
    slot = activate(s, deck, own.WOLF_FACE + wolf)
    if slot != terms.NONE:
        s.wolves[wolf] = own.IN_PLAY
        if top(s, STEP) == at.ACTIVATE_ENEMIES:  # its effects wait for the rest of the mob
            set_top(s, B, top(s, B) | (1 << slot))
        else:
            trigger(s, deck, own.WOLF_FACE + wolf, terms.ACTIVATED, slot)


@rule
def perform_activate_more(s):
    enemies = top(s, A)
    pop(s)
    push(s, at.ACTIVATE_ENEMIES, enemies)


@rule
def perform_draw_wolf(s):
    """Wolves are never reshuffled: with none left there is nothing to do."""
    if count_in(s.wolves, own.IN_DECK) > 0:
        s.node = DRAWING
    else:
        pop(s)


@rule
def wolf_weights(s, weights):
    return zone_weights(s.wolves, own.IN_DECK, weights)


@rule
def draw_wolf(s, deck, wolf):
    pop(s)
    activate_wolf(s, deck, wolf)


@rule
def perform_draw_fable(s, deck):
    """Draws the bottom card of the Minion Deck; its visible top card only where there is no other."""
    card = draw_minion(s)
    if card == own.NUM_ENEMIES:
        s.node = DRAWING
    else:
        pop(s)
        if card != terms.NONE:
            tell(s, deck, card)


@rule
def tell(s, deck, card):
    """A fable is turned up and followed."""
    s.minions[card] = own.IN_PLAY
    push(s, at.SCOUT)
    push(s, at.FABLE_TOLD, card)
    trigger(s, deck, own.FABLE_FACE + card, terms.TOLD, FROM_FACE + own.FABLE_FACE + card)


@rule
def draw_fable(s, deck, card):
    pop(s)
    tell(s, deck, card)


@rule
def perform_fable_told(s):
    """A fable that was not kept next to the hero is discarded."""
    card = top(s, A)
    pop(s)
    for i in range(terms.MAX_KEPT):
        if s.beside[i] == own.FABLE_FACE + card:
            return
    s.minions[card] = own.IN_DISCARD


@rule
def play_camp(s, deck, action):
    pop(s)
    if action == act.PICK_STAT + terms.HEALTH:
        gain_stat(s, terms.HEALTH, int(deck.numbers[own.CAMP_HEALTH]))
    elif action == act.PICK_STAT + terms.STRATEGY:
        gain_stat(s, terms.STRATEGY, int(deck.numbers[own.CAMP_STRATEGY]))
    else:
        gain_stat(s, terms.RECOVERY, int(deck.numbers[own.CAMP_RECOVERY]))


@rule
def legal_camp(mask):
    return (
        allow(mask, act.PICK_STAT + terms.HEALTH)
        + allow(mask, act.PICK_STAT + terms.STRATEGY)
        + allow(mask, act.PICK_STAT + terms.RECOVERY)
    )


@rule
def could_be_bribed(s, deck, slot):
    """True for an enemy that takes bribes, if not for as little gold as there is or while another card is in play."""
    if not is_standing(s, deck, slot) or is_boss(s, deck, slot) or s.marks[slot] & terms.UNBRIBABLE:
        return False
    return int(deck.cards[s.slot[slot]].bribe) != terms.NONE


@rule
def bribe_cost(s, deck, slot):
    """Gold that an enemy takes to go away, or NONE where it cannot be bribed."""
    if not could_be_bribed(s, deck, slot) or s.modifiers[NO_BRIBES]:
        return terms.NONE
    return max(0, int(deck.cards[s.slot[slot]].bribe) + int(s.modifiers[BRIBE_CHANGE]))


@rule
def may_bribe(s, deck, slot):
    cost = bribe_cost(s, deck, slot)
    return cost != terms.NONE and cost <= s.gold


@rule
def is_bribery(s, deck):
    """True while there is something to decide in the Bribery phase: a bribe, or what might bring the gold for one."""
    takers = False
    for slot in range(terms.SLOTS):
        if may_bribe(s, deck, slot):
            return True
        takers = takers or could_be_bribed(s, deck, slot)
    return takers and anything_to_use(s, deck)


@rule
def perform_bribery(s, deck):
    if is_bribery(s, deck):
        s.node = DECIDING
    else:
        pop(s)


@rule
def legal_bribery(s, deck, mask):
    n = allow(mask, act.DONE)
    for slot in range(terms.SLOTS):
        if may_bribe(s, deck, slot):
            n += allow(mask, act.TARGET_CARD + slot)
    return n


@rule
def play_bribery(s, deck, action):
    if action == act.DONE:
        pop(s)
        return
    slot = action - act.TARGET_CARD
    lose_gold(s, bribe_cost(s, deck, slot))
    s.minions[s.slot[slot]] = own.IN_DISCARD
    remove_card(s, deck, slot)
    announce(s, deck, terms.BRIBED)


@rule
def perform_encounter(s, deck):
    """With enemies in the active area come the Bribery phase and, if any is left, the Engagement; but not in a turn at a campfire."""
    pop(s)
    if standing_enemies(s, deck) > 0 and node_here(s, deck, own.TYPE) != own.CAMPFIRE:
        push(s, at.ENGAGEMENT)
        push(s, at.BRIBERY)


@rule
def perform_engagement(s, deck):
    pop(s)
    if standing_enemies(s, deck) > 0:
        engage(s, deck)


@rule
def discard_wolf(s, wolf, defeated):
    """A wolf has left the active area. One that was not defeated returns to its deck if the option says so."""
    s.wolves[wolf] = own.IN_DISCARD if defeated or s.options[own.OPTION_WOLVES] else own.IN_DECK


@rule
def put_away(s, face, how, defeated):
    """A card that left the active area goes where its kind belongs."""
    if face < own.NUM_ENEMIES:
        s.minions[face] = own.IN_DISCARD if how == FLED else own.IN_DECK
        if how == SHUFFLED_BACK and s.line_length > 0:  # the visible top card is shuffled with the rest
            s.minions[take_from_line(s, int(s.line_length) - 1)] = own.IN_DECK
            push(s, at.SCOUT)
    elif own.WOLF_FACE <= face < own.WOLF_FACE + own.NUM_WOLVES:
        if how == SHUFFLED_BACK:
            s.wolves[face - own.WOLF_FACE] = own.IN_DECK
        else:
            discard_wolf(s, face - own.WOLF_FACE, defeated)


@rule
def perform_cleanup(s, deck):
    """Defeated and undefeated cards alike are discarded. In the endgame only defeated ones are, and the battle goes on without them."""
    pop(s)
    for slot in range(terms.SLOTS):
        face = int(s.slot[slot])
        if face == terms.NONE or (s.endgame and not s.marks[slot] & terms.DEFEATED):
            continue
        if face < own.NUM_ENEMIES:
            s.minions[face] = own.IN_DISCARD
        elif own.WOLF_FACE <= face < own.WOLF_FACE + own.NUM_WOLVES:
            discard_wolf(s, face - own.WOLF_FACE, s.marks[slot] & terms.DEFEATED)
        remove_card(s, deck, slot)
    if s.endgame and standing_enemies(s, deck) == 0:
        win(s)
