"""Setting up a game, and what follows when one is over."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.etherfields import actions as act
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
from deckwood.etherfields.state import (
    CAMPAIGN_OVER,
    FIRST_ETHER,
    HERO_FACE,
    HERO_SIDE,
    IN_DECK,
    IN_PLAY,
    MAP_SIDE,
    MAX_GUESTS,
    MAX_HAND,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_MAPS,
    OPTION_BOSS,
    OPTION_GAMES,
    OPTION_HERO,
    OPTION_RANK,
    OPTION_REWARD,
    UNIVERSAL_FACE,
    WON,
)
from deckwood.etherfields.steps import BANISH_RANDOM, CHOOSE_BOSS, CHOOSE_HERO, LAY_OUT, REVEAL, ROUND
from deckwood.strong.cards import announce, clear_marks, refresh
from deckwood.strong.steps import DECIDING, OVER, RUNNING, A, pop, push, top
from deckwood.strong.terms import MAX_ITEMS, MAX_KEPT, NONE, SET_UP, SLOTS, UNIT_DICE


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
        s.ready[colour] = UNIT_DICE[colour]
        s.exhausted[colour] = 0
        s.banished[colour] = 0
        s.unrolled[colour] = 0
        s.to_recover[colour] = 0
        s.committed_now[colour] = 0
        for face in range(3):
            s.rolled[colour, face] = 0
            s.kept[colour, face] = 0
            for slot in range(SLOTS):
                s.applied[slot, colour, face] = 0
    for stat in range(3):
        s.stats[stat] = 0
        s.due[stat] = 0
    for slot in range(SLOTS):
        s.slot[slot] = NONE
        clear_marks(s, slot)
    s.hero = NONE
    s.boss = NONE
    for i in range(MAX_ITEMS):
        s.items[i] = NONE
    for i in range(MAX_ITEMS + 1):
        s.used[i] = 0
    for i in range(MAX_KEPT):
        s.beside[i] = NONE
    for i in range(MAX_HAND):
        s.hand[i] = NONE
    for card in range(NUM_CARDS):
        s.zone[card] = IN_DECK
    for card in range(NUM_MAPS):
        s.map_zone[card] = IN_DECK
        s.map_x[card] = 0
        s.map_y[card] = 0
        s.acted[2 * card] = 0
        s.acted[2 * card + 1] = 0
    for which in range(4):
        s.top_card[which] = NONE
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
    push(s, LAY_OUT)
    push(s, CHOOSE_HERO)
    push(s, CHOOSE_BOSS)


@rule
def perform_choose_boss(s, deck):
    """The boss that was asked for, where it may be faced; else the player chooses. With none to face a campaign is over."""
    wanted = int(s.options[OPTION_BOSS])
    if wanted < NUM_BOSSES and may_face(s, deck, wanted):
        choose_boss(s, wanted)
    elif any_to_face(s, deck):
        s.node = DECIDING
    else:
        end(s, CAMPAIGN_OVER)


@rule
def choose_boss(s, boss):
    """The boss, on the side that faces up."""
    pop(s)
    s.boss = boss_face(s, boss)


@rule
def legal_choose_boss(s, deck, mask):
    n = 0
    for boss in range(NUM_BOSSES):
        if may_face(s, deck, boss):
            n += allow(mask, act.PICK_BOSS + boss)
    return n


@rule
def play_choose_boss(s, action):
    choose_boss(s, action - act.PICK_BOSS)


@rule
def hero_face(s, hero):
    """The side of a hero that faces up; a guest of another deck begins on its front."""
    if hero >= NUM_HEROES:
        return UNIVERSAL_FACE + 2 * (hero - NUM_HEROES)
    return HERO_FACE + 2 * hero + int(s.side[HERO_SIDE + hero])


@rule
def is_hero(s, deck, hero):
    """True if the deck has this hero: five of its own, and guests."""
    return deck.cards[hero_face(s, hero)].stats[0] > 0


@rule
def perform_choose_hero(s, deck):
    """The hero that was asked for, else the player chooses."""
    wanted = int(s.options[OPTION_HERO])
    if wanted < NUM_HEROES + MAX_GUESTS and is_hero(s, deck, wanted):
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
    for hero in range(NUM_HEROES + MAX_GUESTS):
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
    for card in range(NUM_MAPS):
        for side in range(2):
            if deck.entrance[2 * card + side] != NONE and deck.entrance[map_row(s, card)] == NONE:
                s.side[MAP_SIDE + card] = side  # it is found on the back
        if deck.entrance[map_row(s, card)] != NONE:
            s.map_zone[card] = IN_PLAY
            s.at_card = card
            s.at_space = deck.entrance[map_row(s, card)]
    s.ether = deck.numbers[FIRST_ETHER]
    refresh(s, deck)
    push(s, ROUND)
    announce(s, deck, SET_UP)
    for which in range(4):
        push(s, REVEAL, which)
    push(s, BANISH_RANDOM, int(s.options[OPTION_RANK]) - 1)


@rule
def finish_game(s, deck, ending):
    """A game is over. A campaign of several goes on with the next; its payoff is the mean of theirs."""
    won = ending == WON
    remember(s, won)
    if won:
        s.wins += 1
    else:
        if s.facing and s.options[OPTION_REWARD]:
            s.earned += BOSS_SHARE * boss_damage_share(s, deck)
        s.consoled += s.earned
    s.earned = 0.0
    s.games += 1
    if s.games < s.options[OPTION_GAMES]:
        clear_table(s)
        s.node = RUNNING
    else:
        end(s, ending if s.options[OPTION_GAMES] == 1 else CAMPAIGN_OVER)


@rule
def end(s, ending):
    """There is nothing more to play."""
    s.ended = 1 + ending
    s.node = OVER


@rule
def pay(s):
    """Brings the payoff up to date: games won, and what was earned in others."""
    s.payoff[0] = (s.wins + s.consoled + s.earned) / s.options[OPTION_GAMES]


@rule
def die(s, deck):
    finish_game(s, deck, ending_of_death(s))


@rule
def perform_game_over(s, deck):
    ending = top(s, A)
    pop(s)
    finish_game(s, deck, ending)
