"""The six functions of the contract: a fight is laid out, fought as the system fights it, and paid."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import clear
from deckwood.dice_commit.observe import observe
from deckwood.dice_commit.state import (
    DEFEATED_ALL,
    HERO_FACE,
    LOST,
    OPTION_EFFECTS,
    OPTION_FIGHT,
    OPTION_TIER,
    SURVIVED,
)
from deckwood.dice_commit.steps import DRAW_FIGHT, END_FIGHT, ENGAGEMENT
from deckwood.strong import engagement
from deckwood.strong.cards import place_card, refresh, standing_enemies, trigger
from deckwood.strong.effects import check_falls
from deckwood.strong.engagement import engage, legal_here, play
from deckwood.strong.steps import DRAWING, FIRST_HOOK, OVER, RUNNING, STEP, A, B, come_to_rest, goes_on, pop, push, top
from deckwood.strong.terms import ACTIVATED, HEALTH, MAX_ITEMS, MAX_KEPT, NONE, SLOTS
from deckwood.strong.worths import worth_of

__all__ = ["apply", "apply_chance", "chance", "legal", "observe", "setup"]


@rule
def setup(s, deck, options):
    """A fresh position at its first node. ``s`` is zero throughout."""
    s.hero = HERO_FACE
    s.fight = NONE
    for slot in range(SLOTS):
        s.slot[slot] = NONE
    for i in range(MAX_ITEMS):
        s.items[i] = NONE
    for i in range(MAX_KEPT):
        s.beside[i] = NONE
    refresh(s, deck)
    first = int(deck.families[options[OPTION_TIER], options[OPTION_EFFECTS], 0])
    number = int(deck.families[options[OPTION_TIER], options[OPTION_EFFECTS], 1])
    if options[OPTION_FIGHT] > 0:
        begin_fight(s, deck, first + int(options[OPTION_FIGHT]) - 1)
    else:
        push(s, DRAW_FIGHT, first, number, 0)
    run(s, deck)


@rule
def begin_fight(s, deck, fight):
    """Dice, stats and enemies are laid out. What enemies do when they are activated comes before the engagement."""
    s.fight = fight
    for colour in range(5):
        s.ready[colour] = deck.fights[fight].ready[colour]
        s.exhausted[colour] = deck.fights[fight].exhausted[colour]
        s.banished[colour] = deck.fights[fight].banished[colour]
    for stat in range(3):
        s.stats[stat] = deck.fights[fight].stats[stat]
    s.gold = deck.fights[fight].gold
    for slot in range(SLOTS):
        face = int(deck.fights[fight].enemies[slot])
        if face != NONE:
            place_card(s, deck, slot, face)
    s.start = worth_of(s, deck, deck.worths)
    push(s, END_FIGHT, 0, 0, 0)
    push(s, ENGAGEMENT, 0, 0, 0)
    for slot in range(SLOTS - 1, -1, -1):
        if s.slot[slot] != NONE:
            trigger(s, deck, int(s.slot[slot]), ACTIVATED, slot)


@rule
def run(s, deck):
    """Carries out the agenda until there is something to decide or to draw, or the fight is over."""
    s.node = RUNNING
    while goes_on(s):
        if s.unsettled and check_falls(s, deck):
            continue
        step = top(s, STEP)
        if step < FIRST_HOOK:
            engagement.perform(s, deck, step)
        else:
            perform(s, deck, step)
        if s.stats[HEALTH] < 1 and s.fight != NONE:
            finish(s, deck)
    come_to_rest(s)


@rule
def perform(s, deck, step):
    """Does a step of this game's own. What the system asks of its deck (a card leaves, Strategy rose) means nothing here."""
    if step == DRAW_FIGHT:
        s.node = DRAWING
        return
    pop(s)
    if step == ENGAGEMENT and standing_enemies(s, deck) > 0:
        engage(s, deck)
    elif step == END_FIGHT:
        finish(s, deck)


@rule
def finish(s, deck):
    """The fight is over and pays what it brought."""
    s.payoff[0] = worth_of(s, deck, deck.worths) - float(s.start)
    if s.stats[HEALTH] < 1:
        s.ended = 1 + LOST
    elif standing_enemies(s, deck) > 0:
        s.ended = 1 + SURVIVED
    else:
        s.ended = 1 + DEFEATED_ALL
    s.node = OVER


@rule
def legal(s, deck, mask):
    """Marks the legal actions; returns how many."""
    clear(mask)
    return legal_here(s, deck, top(s, STEP), mask)


@rule
def apply(s, deck, action):
    """Plays a legal action and runs on to the next node."""
    play(s, deck, top(s, STEP), action)
    run(s, deck)


@rule
def chance(s, deck, weights):
    """Writes the weights of the pending chance event; returns how many outcomes it has."""
    if top(s, STEP) == DRAW_FIGHT:
        for fight in range(top(s, B)):
            weights[fight] = 1
        return top(s, B)
    return engagement.weigh(s, top(s, STEP), weights)


@rule
def apply_chance(s, deck, outcome):
    """Lets one outcome happen and runs on to the next node."""
    if top(s, STEP) == DRAW_FIGHT:
        first = top(s, A)
        pop(s)
        begin_fight(s, deck, first + outcome)
    else:
        engagement.happen(s, deck, top(s, STEP), outcome)
    run(s, deck)
