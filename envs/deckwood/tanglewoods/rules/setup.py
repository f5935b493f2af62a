"""Setup, difficulty included."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import terms
from deckwood.strong.cards import announce, refresh
from deckwood.strong.pool import gain_stat
from deckwood.strong.steps import BANISHING, DRAW_ITEM, LOWERING, A, B, pop, push, set_top, top
from deckwood.tanglewoods import actions as act
from deckwood.tanglewoods import state as own
from deckwood.tanglewoods import steps as at
from deckwood.tanglewoods.rules.draws import insert_in_line, shuffle_back


@rule
def hero_face(deck, hero, side):
    """The face of a hero option: universal heroes come after the five. A side that the card prescribes, or the only one, is no choice."""
    if hero >= own.NUM_HEROES:
        front = own.UNIVERSAL_FACE + hero - own.NUM_HEROES
        back = int(deck.cards[front].other_side)
        return back if side == 2 and back != own.GRIMM_FACE else front
    face = own.HERO_FACE + 2 * hero
    if deck.cards[face].forced:
        return face
    return face + 1 if side == 2 or deck.cards[face + 1].forced else face


@rule
def lay_out(s, deck, options):
    """Puts hero, stats, gold, dice and decks on the table; every card starts in its deck, whose number is zero."""
    for i in range(len(options)):
        s.options[i] = options[i]
    s.hero = hero_face(deck, int(options[own.OPTION_HERO]), int(options[own.OPTION_SIDE]))
    gold = int(deck.numbers[own.GOLD_LESS_STATS])
    for stat in range(3):
        s.stats[stat] = deck.cards[s.hero].stats[stat]
        gold -= int(s.stats[stat])
    s.gold = max(0, gold)
    for colour in range(5):
        s.ready[colour] = terms.UNIT_DICE[colour] - 1
        s.banished[colour] = 1
    for slot in range(terms.SLOTS):
        s.slot[slot] = terms.NONE
    for i in range(terms.MAX_ITEMS):
        s.items[i] = terms.NONE
    for i in range(terms.MAX_KEPT):
        s.beside[i] = terms.NONE
    for i in range(3):
        s.shop[i] = terms.NONE
    night = own.NIGHT if options[own.OPTION_DIFFICULTY] == 10 else own.DAY
    s.cabin_side = night
    s.path[0] = 2 * own.TRAILHEAD + night
    s.path_length = 1
    for place in range(own.PLACES):
        if deck.nodes[s.path[0], place, own.TYPE] == own.START:
            s.at_place = place
    refresh(s, deck)
    push(s, at.ROUND)
    announce(s, deck, terms.SET_UP)
    apply_difficulty(s, deck, int(options[own.OPTION_DIFFICULTY]))
    push(s, at.SCOUT)


@rule
def apply_difficulty(s, deck, level):
    """One level's line of the difficulty table is the whole adjustment."""
    if level == 0:
        push(s, at.DROP_WOLF)
    if level <= 1:
        push(s, at.SETUP_RAISE, 2)
    elif level == 2:
        push(s, at.SETUP_RAISE, 1)
    elif level == 3:
        for colour in range(5):
            if (int(deck.numbers[own.LEVEL_3_COLOURS]) >> colour) & 1:
                s.ready[colour] += s.banished[colour]
                s.banished[colour] = 0
    elif level == 5:
        push(s, at.SWAP_SCOUTED)
    elif level == 6:
        push(s, at.NIGHT_OR_DICE)
    elif level == 7:
        push(s, at.PLACE_CARD, own.NIGHT)
        s.gold = min(int(s.gold), int(deck.numbers[own.POOR_START]))
    elif level == 8:
        push(s, LOWERING, 1)
    elif level == 9:
        push(s, at.CHOOSE_MODIFIER)
        push(s, LOWERING, 1)
    if level == 2 or level == 4:
        s.gold = int(deck.numbers[own.RICH_START])
    if level == 3 or level == 4:
        push(s, DRAW_ITEM)


@rule
def legal_raise(s, mask):
    """Different stats, in order; those passed over must not be needed."""
    n = 0
    left = 0
    for stat in range(top(s, B), 3):
        left += s.stats[stat] < terms.STAT_MAX
    wanted = min(top(s, A), left)
    for stat in range(top(s, B), 3):
        if s.stats[stat] < terms.STAT_MAX:
            if left >= wanted:
                n += allow(mask, act.PICK_STAT + stat)
            left -= 1
    return n + (allow(mask, act.DONE) if n == 0 else 0)


@rule
def play_raise(s, action):
    if action == act.DONE:
        pop(s)
        return
    stat = action - act.PICK_STAT
    set_top(s, A, top(s, A) - 1)
    set_top(s, B, stat + 1)
    if top(s, A) == 0:
        pop(s)
    gain_stat(s, stat, 1)


@rule
def drop_wolf(s, wolf):
    pop(s)
    s.wolves[wolf] = own.OUT


@rule
def legal_swap(s, mask):
    n = allow(mask, act.DONE)
    for place in range(int(s.line_length)):
        n += allow(mask, act.SCOUTED + place)
    return n


@rule
def play_swap(s, action):
    """The chosen scouted enemy goes back; a new one is drawn for its place, and a new top card behind the line."""
    pop(s)
    if action != act.DONE:
        place = shuffle_back(s, action - act.SCOUTED)
        push(s, at.SCOUT)
        push(s, at.REPLACE_SCOUTED, place)


@rule
def replace_scouted(s, card):
    place = top(s, A)
    pop(s)
    insert_in_line(s, place, card)


@rule
def legal_night_or_dice(mask):
    return allow(mask, act.FIRST) + allow(mask, act.SECOND)


@rule
def play_night_or_dice(s, action):
    pop(s)
    if action == act.FIRST:
        push(s, at.PLACE_CARD, own.NIGHT)
    else:
        push(s, BANISHING, 2)


@rule
def legal_modifier(mask):
    return allow(mask, act.MODIFIER) + allow(mask, act.MODIFIER + 1) + allow(mask, act.MODIFIER + 2)


@rule
def play_modifier(s, deck, action):
    pop(s)
    apply_difficulty(s, deck, 6 + action - act.MODIFIER)
