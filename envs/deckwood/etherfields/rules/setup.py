"""Setting up a game, and what follows when one is over."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.etherfields import actions as act
from deckwood.etherfields import state as own
from deckwood.etherfields import steps as at
from deckwood.etherfields.rules.boss import (
    BOSS_SHARE,
    any_to_face,
    boss_damage_share,
    boss_face,
    ending_of_death,
    may_face,
    remember,
)
from deckwood.etherfields.rules.dream import map_row
from deckwood.strong import terms
from deckwood.strong.cards import announce, clear_marks, refresh
from deckwood.strong.steps import DECIDING, OVER, RUNNING, A, pop, push, top


@rule
def begin(s, options):
    """The first game of a fresh record."""
    for i in range(len(options)):
        s.options[i] = options[i]
    clear_table(s)


@rule
def clear_table(s):
    """Everything goes back into the box but for the sides of the cards; the choices of a game come first.

    Field by field: the next game of a campaign is played in the same record, which holds more than may be cleared.
    """
    for colour in range(5):
        s.ready[colour] = terms.UNIT_DICE[colour]
        s.exhausted[colour] = 0
        s.banished[colour] = 0
        s.unrolled[colour] = 0
        s.to_recover[colour] = 0
        s.committed_now[colour] = 0
        for face in range(3):
            s.rolled[colour, face] = 0
            s.kept[colour, face] = 0
            for slot in range(terms.SLOTS):
                s.applied[slot, colour, face] = 0
    for stat in range(3):
        s.stats[stat] = 0
        s.due[stat] = 0
    for slot in range(terms.SLOTS):
        s.slot[slot] = terms.NONE
        clear_marks(s, slot)
    s.hero = terms.NONE
    s.boss = terms.NONE
    for i in range(terms.MAX_ITEMS):
        s.items[i] = terms.NONE
    for i in range(terms.MAX_ITEMS + 1):
        s.used[i] = 0
    for i in range(terms.MAX_KEPT):
        s.beside[i] = terms.NONE
    for i in range(own.MAX_HAND):
        s.hand[i] = terms.NONE
    for card in range(own.NUM_CARDS):
        s.zone[card] = own.IN_DECK
    for card in range(own.NUM_MAPS):
        s.map_zone[card] = own.IN_DECK
        s.map_x[card] = 0
        s.map_y[card] = 0
        s.acted[2 * card] = 0
        s.acted[2 * card + 1] = 0
    for which in range(4):
        s.top_card[which] = terms.NONE
    s.gold = 0
    for op in range(len(s.modifiers)):
        s.modifiers[op] = 0
    s.passes = 0
    s.extra_passes = 0
    s.committed = 0
    s.falls = 0
    s.unsettled = 0
    s.last_die = 0
    s.last_target = 0
    s.shield = 0
    s.doubled = 0
    s.at_card = 0
    s.at_space = 0
    s.ether = 0
    s.facing = 0
    s.beaten = 0
    s.paid = 0
    s.earned = 0.0
    s.explored = 0
    while s.depth > 0:
        pop(s)
    push(s, at.LAY_OUT)
    push(s, at.CHOOSE_HERO)
    push(s, at.CHOOSE_BOSS)


@rule
def perform_choose_boss(s, deck):
    """The boss that was asked for, where it may be faced; else the player chooses. With none to face a campaign is over."""
    wanted = int(s.options[own.OPTION_BOSS])
    if wanted < own.NUM_BOSSES and may_face(s, deck, wanted):
        choose_boss(s, wanted)
    elif any_to_face(s, deck):
        s.node = DECIDING
    else:
        end(s, own.CAMPAIGN_OVER)


@rule
def choose_boss(s, boss):
    """The boss, on the side that faces up."""
    pop(s)
    s.boss = boss_face(s, boss)


@rule
def legal_choose_boss(s, deck, mask):
    n = 0
    for boss in range(own.NUM_BOSSES):
        if may_face(s, deck, boss):
            n += allow(mask, act.PICK_BOSS + boss)
    return n


@rule
def play_choose_boss(s, action):
    choose_boss(s, action - act.PICK_BOSS)


@rule
def hero_face(s, hero):
    """The side of a hero that faces up; a guest of another deck begins on its front."""
    if hero >= own.NUM_HEROES:
        return own.UNIVERSAL_FACE + 2 * (hero - own.NUM_HEROES)
    return own.HERO_FACE + 2 * hero + int(s.side[own.HERO_SIDE + hero])


@rule
def is_hero(s, deck, hero):
    """True if the deck has this hero: five of its own, and guests."""
    return deck.cards[hero_face(s, hero)].stats[0] > 0


@rule
def perform_choose_hero(s, deck):
    """The hero that was asked for, else the player chooses."""
    wanted = int(s.options[own.OPTION_HERO])
    if wanted < own.NUM_HEROES + own.MAX_GUESTS and is_hero(s, deck, wanted):
        choose_hero(s, deck, wanted)
    else:
        s.node = DECIDING


@rule
def choose_hero(s, deck, hero):
    pop(s)
    s.hero = hero_face(s, hero)
    for stat in range(3):
        s.stats[stat] = deck.cards[s.hero].stats[stat]


@rule
def legal_choose_hero(s, deck, mask):
    n = 0
    for hero in range(own.NUM_HEROES + own.MAX_GUESTS):
        if is_hero(s, deck, hero):
            n += allow(mask, act.PICK_HERO + hero)
    return n


@rule
def play_choose_hero(s, deck, action):
    choose_hero(s, deck, action - act.PICK_HERO)


@rule
def lay_out(s, deck):
    """The Dream Entrance is placed with the Health die on it, the ether is set, the decks are shuffled and their top cards seen."""
    pop(s)
    for card in range(own.NUM_MAPS):
        for side in range(2):
            if deck.entrance[2 * card + side] != terms.NONE and deck.entrance[map_row(s, card)] == terms.NONE:
                s.side[own.MAP_SIDE + card] = side  # it is found on the back
        if deck.entrance[map_row(s, card)] != terms.NONE:
            s.map_zone[card] = own.IN_PLAY
            s.at_card = card
            s.at_space = deck.entrance[map_row(s, card)]
    s.ether = deck.numbers[own.FIRST_ETHER]
    refresh(s, deck)
    push(s, at.ROUND)
    announce(s, deck, terms.SET_UP)
    for which in range(4):
        push(s, at.REVEAL, which)
    push(s, at.BANISH_RANDOM, int(s.options[own.OPTION_RANK]) - 1)


@rule
def finish_game(s, deck, ending):
    """A game is over. A campaign of several goes on with the next; its payoff is the mean of theirs."""
    won = ending == own.WON
    remember(s, won)
    if won:
        s.wins += 1
    else:
        if s.facing and s.options[own.OPTION_REWARD]:
            s.earned += BOSS_SHARE * boss_damage_share(s, deck)
        s.consoled += s.earned
    s.earned = 0.0
    s.games += 1
    if s.games < s.options[own.OPTION_GAMES]:
        clear_table(s)
        s.node = RUNNING
    else:
        end(s, ending if s.options[own.OPTION_GAMES] == 1 else own.CAMPAIGN_OVER)


@rule
def end(s, ending):
    """There is nothing more to play."""
    s.ended = 1 + ending
    s.node = OVER


@rule
def pay(s):
    """Brings the payoff up to date: games won, and what was earned in others."""
    s.payoff[0] = (s.wins + s.consoled + s.earned) / s.options[own.OPTION_GAMES]


@rule
def die(s, deck):
    finish_game(s, deck, ending_of_death(s))


@rule
def perform_game_over(s, deck):
    ending = top(s, A)
    pop(s)
    finish_game(s, deck, ending)
