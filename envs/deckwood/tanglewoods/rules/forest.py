"""Exploring, travelling, and the outlines of nodes."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import terms
from deckwood.strong.cards import announce
from deckwood.strong.dice import allow_banished, banishable_from, play_banishing
from deckwood.strong.pool import gain_gold, lose_gold, total
from deckwood.strong.roll import die_weights
from deckwood.strong.steps import BANISHING, DECIDING, DRAWING, RECOVERING, A, pop, push, set_top, top
from deckwood.tanglewoods import actions as act
from deckwood.tanglewoods import state as own
from deckwood.tanglewoods import steps as at
from deckwood.tanglewoods.rules.draws import count_in, zone_weights

PROGRESS_SHARE = 1 / 44
"""What entering a card of the path adds to the payoff under ``reward="progress"``: the 11 of them make a quarter."""


@rule
def legal_explore(s, deck, mask):
    n = allow(mask, act.DONE)
    if total(s.explore) < deck.numbers[own.EXPLORE_DICE]:
        for colour in range(top(s, A), 5):
            if s.ready[colour] > 0 and (int(deck.numbers[own.EXPLORE_COLOURS]) >> colour) & 1:
                n += allow(mask, act.EXPLORE_DIE + colour)
    return n


@rule
def play_explore(s, action):
    if action == act.DONE:
        pop(s)
        if total(s.explore) > 0:
            push(s, at.STOCK_SHOP)
            push(s, at.ROLL_EXPLORE)
    else:
        colour = action - act.EXPLORE_DIE
        s.ready[colour] -= 1
        s.explore[colour] += 1
        set_top(s, A, colour)


@rule
def perform_roll_explore(s):
    for colour in range(5):
        if s.explore[colour] > 0:
            s.node = DECIDING
            return
    pop(s)


@rule
def legal_roll_explore(s, mask):
    n = 0
    for colour in range(5):
        if s.explore[colour] > 0:
            n += allow(mask, act.ROLL_NEXT + colour)
    return n


@rule
def play_roll_explore(s, action):
    push(s, at.EXPLORE_ROLL, action - act.ROLL_NEXT)


@rule
def explore_roll_weights(s, weights):
    return die_weights(top(s, A), weights)


@rule
def roll_to_explore(s, deck, face):
    colour = top(s, A)
    pop(s)
    explore_with(s, deck, colour, face)


@rule
def explore_with(s, deck, colour, face):
    """What an exploring die shows decides the side of the forest card it adds."""
    s.explore[colour] -= 1
    s.exhausted[colour] += 1
    s.explored += 1
    if face == terms.CRIT:
        gain_gold(s, int(deck.numbers[own.EXPLORE_GOLD]))
        announce(s, deck, terms.EXPLORED_CRIT)
    push(s, at.PLACE_CARD, own.NIGHT if face == terms.MISS else own.DAY)


@rule
def cabin_placed(s):
    return s.path[s.path_length - 1] // 2 == own.CABIN


@rule
def place_cabin(s):
    """When the forest runs out, Grandma's Cabin ends the path, its current side up."""
    s.path[s.path_length] = 2 * own.CABIN + s.cabin_side
    s.path_length += 1


@rule
def perform_place_card(s):
    """A forest card is drawn by chance; with the deck gone the Cabin is placed, once."""
    if s.placed < own.FOREST_DEALT and count_in(s.forest, own.IN_DECK) > own.NUM_FOREST - own.FOREST_DEALT:
        s.node = DRAWING
        return
    if not cabin_placed(s):
        place_cabin(s)
    pop(s)


@rule
def forest_weights(s, weights):
    return zone_weights(s.forest, own.IN_DECK, weights)


@rule
def place_card(s, card):
    s.forest[card] = own.ON_PATH
    s.path[s.path_length] = 2 * card + top(s, A)
    s.path_length += 1
    s.placed += 1
    pop(s)


@rule
def lines_from_here(s, deck):
    """Where the lines lead from the hero's place, as bits of places and upper thresholds."""
    source = int(s.at_place)
    if source == terms.NONE:
        source = own.FROM_THRESHOLD + int(s.at_threshold)
    return int(deck.paths[s.path[s.at_card], source])


@rule
def legal_travel(s, deck, mask):
    n = 0
    lines = lines_from_here(s, deck)
    for place in range(own.PLACES):
        if (lines >> place) & 1:
            n += allow(mask, act.TRAVEL_PLACE + place)
    for threshold in range(own.THRESHOLDS):
        if (lines >> (own.PLACES + threshold)) & 1:
            n += allow(mask, act.TRAVEL_THRESHOLD + threshold)
    return n


@rule
def play_travel(s, action):
    """Follows a line to a node, or through an upper threshold onto the next card of the path."""
    if action < act.TRAVEL_THRESHOLD:
        s.at_place = action - act.TRAVEL_PLACE
        pop(s)
        return
    s.at_place = terms.NONE
    s.at_threshold = action - act.TRAVEL_THRESHOLD
    push(s, at.CROSS)
    if s.at_card + 1 == s.path_length:
        push(s, at.PLACE_CARD, own.NIGHT)


@rule
def perform_cross(s):
    s.at_card += 1
    if s.options[own.OPTION_REWARD]:
        s.payoff[0] += PROGRESS_SHARE
    pop(s)


@rule
def node_here(s, deck, column):
    return int(deck.nodes[s.path[s.at_card], s.at_place, column])


@rule
def is_skipped(s, deck):
    """True on a wolf node with no wolves left: neither its outline nor its type counts, and the hero moves on."""
    return node_here(s, deck, own.TYPE) == own.WOLF and count_in(s.wolves, own.IN_DECK) == 0


@rule
def perform_arrive(s, deck):
    """A new node's outline comes before its type."""
    pop(s)
    skipped = is_skipped(s, deck)
    outline = own.STANDARD if skipped else node_here(s, deck, own.OUTLINE)
    less = int(deck.numbers[own.WEARY_LESS]) if outline == own.WEARY else 0
    s.weary = less if deck.numbers[own.WEARY_STAT] == terms.STRATEGY else 0
    s.tired = less if deck.numbers[own.WEARY_STAT] == terms.RECOVERY else 0
    s.blighted = 1 if outline == own.BLIGHTED_NODE else 0
    if skipped:
        push(s, at.ARRIVE)
        push(s, at.TRAVEL)
        return
    if outline == own.TOLL:
        push(s, at.PAY_OR_BANISH)
    elif outline == own.TRAP:
        push(s, at.TRAP_ROLL)
    if s.path[s.at_card] % 2 == own.NIGHT:
        announce(s, deck, terms.NIGHT_ENTERED)


@rule
def legal_toll(s, deck, mask):
    n = allow_banished(s, 0, 1, mask)
    if s.gold >= deck.numbers[own.TOLL_GOLD]:
        n += allow(mask, act.PAY_TOLL)
    return n


@rule
def toll_is_due(s, deck):
    return s.gold >= deck.numbers[own.TOLL_GOLD] or banishable_from(s, 0) > 0


@rule
def perform_toll(s, deck):
    if toll_is_due(s, deck):
        s.node = DECIDING
    else:
        pop(s)


@rule
def play_toll(s, deck, action):
    pop(s)
    if action == act.PAY_TOLL:
        lose_gold(s, int(deck.numbers[own.TOLL_GOLD]))
    else:
        push(s, BANISHING, 1)
        play_banishing(s, action)


@rule
def trap_weights(deck, weights):
    return die_weights(int(deck.numbers[own.TRAP_DIE]), weights)


@rule
def spring_trap(s, deck, face):
    """The trap's die: a hit recovers dice, a miss turns the card to its nighttime side."""
    pop(s)
    if face == terms.MISS:
        flip_here(s, own.NIGHT)
        announce(s, deck, terms.TRAP_SPRUNG)
    else:
        push(s, RECOVERING, int(deck.numbers[own.TRAP_RECOVERS]))


@rule
def may_turn(s, card, side):
    """True if a card of the path can be turned to a side; at difficulty 10 Trailhead and Cabin stay nighttime."""
    fixed = s.options[own.OPTION_DIFFICULTY] == 10 and (card // 2 == own.TRAILHEAD or card // 2 == own.CABIN)
    return card % 2 != side and not fixed


@rule
def flip_here(s, side):
    """Turns the card the hero is on; the node in the same place is then arrived at. True if there is one to arrive at."""
    card = int(s.path[s.at_card])
    if not may_turn(s, card, side):
        return False
    s.path[s.at_card] = card - card % 2 + side
    if s.at_place == terms.NONE:
        return False
    push(s, at.ARRIVE)
    return True


@rule
def turn_next(s, side):
    """Turns the card after the hero's, if the path has one."""
    if s.at_card + 1 < s.path_length:
        card = int(s.path[s.at_card + 1])
        if may_turn(s, card, side):
            s.path[s.at_card + 1] = card - card % 2 + side
