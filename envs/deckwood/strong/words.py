"""What the system's phases, dice and actions are called in a position. A deck's own words come on top of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deckwood.core.spec import LoadedDeck, Node
from deckwood.strong import actions as act
from deckwood.strong.steps import PHASES, RECOVERY_ROLL, ROLL, STEP, TARGET, TESTING, A, B
from deckwood.strong.terms import COLOURS, FACES, MAX_ITEMS, SLOTS

DICE_STEPS = (ROLL, RECOVERY_ROLL, TESTING)
"""Steps at which a die is rolled: an outcome is a place in FACES."""


def step_of(s: Any) -> int:
    """The step on top of the agenda, or -1 when the game is over."""
    return int(s["agenda"][s["depth"] - 1, STEP]) if s["depth"] and s["node"] != Node.END else -1


def phase_name(s: Any, phases: Mapping[int, str] = PHASES) -> str:
    """What is being decided or drawn, by a deck's table of phases."""
    return phases.get(step_of(s), "The game is over")


def action_text(s: Any, deck: LoadedDeck, action: int) -> str:
    """What an action of the system does in this position, naming the cards it is about."""
    names = deck.names["faces"]
    if act.TARGET_CARD <= action < act.TARGET_CARD + SLOTS:
        card = names[s["slot"][action - act.TARGET_CARD]]
        if step_of(s) == TARGET:
            colour, face = s["agenda"][s["depth"] - 1, A], s["agenda"][s["depth"] - 1, B]
            return f"Apply the {COLOURS[colour]} {FACES[face]} to {card}"
        return f"Choose {card}"
    for first, verb in ((act.USE_ITEM, "Use"), (act.DISCARD_ITEM, "Discard"), (act.TURN_ITEM, "Upgrade")):
        if first <= action < first + MAX_ITEMS:
            return f"{verb} {names[s['items'][action - first]]}"
    return act.STRONG_ACTIONS[action].text
