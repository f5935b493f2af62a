"""The six functions of the contract, which look up the step in the table."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import clear
from deckwood.dice_commit.observe import observe
from deckwood.dice_commit.rules.fighting import begin_fight, finish
from deckwood.dice_commit.rules.table import STEPS
from deckwood.dice_commit.state import HERO_FACE, OPTION_EFFECTS, OPTION_FIGHT, OPTION_TIER
from deckwood.dice_commit.steps import DRAW_FIGHT
from deckwood.strong.cards import refresh
from deckwood.strong.effects import check_falls
from deckwood.strong.items import is_use, legal_uses, use
from deckwood.strong.steps import RUNNING, STEP, come_to_rest, goes_on, push, top
from deckwood.strong.terms import HEALTH, MAX_ITEMS, MAX_KEPT, NONE, SLOTS

__all__ = ["apply", "apply_chance", "chance", "legal", "observe", "setup"]

perform, legal_here, play = STEPS.perform, STEPS.legal, STEPS.play
outcome_weights, apply_outcome, is_window = STEPS.outcome_weights, STEPS.apply_outcome, STEPS.is_window


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
        push(s, DRAW_FIGHT, first, number)
    run(s, deck)


@rule
def run(s, deck):
    """Carries out the agenda until there is something to decide or to draw, or the fight is over."""
    s.node = RUNNING
    while goes_on(s):
        if s.unsettled and check_falls(s, deck):
            continue
        perform(s, deck, top(s, STEP))
        if s.stats[HEALTH] < 1 and s.fight != NONE:
            finish(s, deck)
    come_to_rest(s)


@rule
def legal(s, deck, mask):
    """Marks the legal actions; returns how many."""
    clear(mask)
    step = top(s, STEP)
    uses = legal_uses(s, deck, mask) if is_window(step) else 0
    return uses + legal_here(s, deck, step, mask)


@rule
def apply(s, deck, action):
    """Plays a legal action and runs on to the next node."""
    if is_use(action):
        use(s, deck, action)
    else:
        play(s, deck, top(s, STEP), action)
    run(s, deck)


@rule
def chance(s, deck, weights):
    """Writes the weights of the pending chance event; returns how many outcomes it has."""
    return outcome_weights(s, deck, top(s, STEP), weights)


@rule
def apply_chance(s, deck, outcome):
    """Lets one outcome happen and runs on to the next node."""
    apply_outcome(s, deck, top(s, STEP), outcome)
    run(s, deck)
