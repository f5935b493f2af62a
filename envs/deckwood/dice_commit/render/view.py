"""What lies on the table, read from a position once for text and picture alike. Its figures are those of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.dice_commit.deck import WORDS
from deckwood.dice_commit.rules import contract
from deckwood.dice_commit.rules.table import STEPS
from deckwood.dice_commit.state import DEFEATED_ALL
from deckwood.dice_commit.words import phase_name
from deckwood.strong import actions as act
from deckwood.strong import objective
from deckwood.strong.render import view as strong
from deckwood.strong.render.view import Table, legal_actions, read_table
from deckwood.strong.terms import NONE

value_of = uncompiled(objective.value_of)
legal = uncompiled(contract.legal)

ENDINGS = ("Won: no enemy is left", "Over: an enemy is left", "Lost: Health fell below 1")


@dataclass(frozen=True)
class View:
    """The table, and what only DiceCommit tells of it."""

    table: Table
    gold: int
    fight: int  # its place among the deck's fights, or NONE before one is drawn
    brought: float  # what the position is worth more than at the start
    about: str


def read_view(s: Any, deck: LoadedDeck) -> View:
    """Reads a position."""
    over = int(s.node) == Node.END
    brought = value_of(s, deck.tables, deck.tables.objective) - float(s.start) if s.fight != NONE else 0.0
    return View(
        table=read_table(
            s,
            deck,
            WORDS,
            phase=ENDINGS[int(s.ended) - 1] if over and s.ended else phase_name(s),
            hint="" if over or s.fight == NONE else strong.hint(s, deck, WORDS, STEPS),
            won=int(s.ended) == 1 + DEFEATED_ALL,
            legal=legal_actions(s, deck, legal, act.NUM_STRONG_ACTIONS),
        ),
        gold=int(s.gold),
        fight=int(s.fight),
        brought=brought,
        about="" if s.fight == NONE else deck.names["fights"][int(s.fight)],
    )
