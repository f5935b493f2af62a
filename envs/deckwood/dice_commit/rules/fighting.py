"""A fight is drawn and laid out, fought as the system fights it, and paid."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.dice_commit.state import DEFEATED_ALL, LOST, SURVIVED
from deckwood.dice_commit.steps import END_FIGHT, ENGAGEMENT
from deckwood.strong.cards import place_card, standing_enemies, trigger
from deckwood.strong.engagement import engage
from deckwood.strong.objective import value_of
from deckwood.strong.steps import OVER, A, B, pop, push, top
from deckwood.strong.terms import ACTIVATED, HEALTH, NONE, SLOTS


@rule
def fight_weights(s, weights):
    for fight in range(top(s, B)):
        weights[fight] = 1
    return top(s, B)


@rule
def draw_fight(s, deck, outcome):
    first = top(s, A)
    pop(s)
    begin_fight(s, deck, first + outcome)


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
    s.start = value_of(s, deck, deck.objective)
    push(s, END_FIGHT)
    push(s, ENGAGEMENT)
    for slot in range(SLOTS - 1, -1, -1):
        if s.slot[slot] != NONE:
            trigger(s, deck, int(s.slot[slot]), ACTIVATED, slot)


@rule
def perform_engagement(s, deck):
    pop(s)
    if standing_enemies(s, deck) > 0:
        engage(s, deck)


@rule
def perform_end_fight(s, deck):
    pop(s)
    finish(s, deck)


@rule
def finish(s, deck):
    """The fight is over and pays what it brought."""
    s.payoff[0] = value_of(s, deck, deck.objective) - float(s.start)
    if s.stats[HEALTH] < 1:
        s.ended = 1 + LOST
    elif standing_enemies(s, deck) > 0:
        s.ended = 1 + SURVIVED
    else:
        s.ended = 1 + DEFEATED_ALL
    s.node = OVER
