"""What phases, outcomes and actions of a position are called."""

from __future__ import annotations

from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.dice_commit.rules.table import STEPS
from deckwood.dice_commit.steps import DRAW_FIGHT
from deckwood.strong import words
from deckwood.strong.steps import A
from deckwood.strong.terms import FACES
from deckwood.strong.words import action_text, step_of

__all__ = ["action_text", "outcome_name", "phase_name"]


def phase_name(s: Any) -> str:
    """What is being decided or drawn."""
    return words.phase_name(s, STEPS.phases)


def outcome_name(s: Any, deck: LoadedDeck, outcome: int) -> str:
    """What an outcome of the pending chance event is called."""
    if step_of(s) == DRAW_FIGHT:
        return deck.names["fights"][int(s["agenda"][s["depth"] - 1, A]) + outcome]
    return FACES[outcome]
