"""What the documentation lists of this game besides its spec: the cards of a deck, its fights and the fields of a deck file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.dice_commit.deck import DeckFile, card_text
from deckwood.dice_commit.state import ENEMY_FACE
from deckwood.strong.objective import OBJECTIVE_DTYPE
from deckwood.strong.terms import COLOURS

__all__ = ["FILE", "card_tables"]

FILE = DeckFile
"""The model of a deck file."""

Table = tuple[str, tuple[str, ...], Sequence[Sequence[Any]]]

MEANINGS = {
    "health": "each point of Health", "strategy": "each point of Strategy", "recovery": "each point of Recovery",
    "gold": "each gold piece", "fallen": "each enemy that is defeated", "won": "no enemy being left undefeated",
    "lost": "all there is where Health is below 1",
}  # fmt: skip


def card_tables(deck: LoadedDeck) -> Iterator[Table]:
    """Title, columns and rows of a table for the enemies, the objective and each family of fights."""
    cards, names = deck.tables.cards, deck.names["faces"]
    enemies = [
        (names[face], cards[face]["health"], cards[face]["damage"], card_text(deck.tables, face)) for face in range(ENEMY_FACE, len(names))
    ]
    yield "Enemies", ("enemy", "Health", "Damage", "effects and reward"), enemies
    objective = deck.tables.objective
    parts = [(MEANINGS[name], f"{float(objective[name]):g}") for name in OBJECTIVE_DTYPE.names or () if name in MEANINGS]
    dice = [(f"each ready {colour} die", f"{float(amount):g}") for colour, amount in zip(COLOURS, objective["ready"], strict=True)]
    yield "The objective", ("part", "worth"), [*parts[:-3], *dice, *parts[-3:]]
    for tier, name in enumerate(deck.names["tiers"]):
        for family, what in enumerate(("plain", "with effects")):
            first, number = (int(value) for value in deck.tables.families[tier, family])
            fights = [(i + 1, deck.names["fights"][first + i]) for i in range(number)]
            if fights:
                yield f"Tier {name}, {what}", ("`fight`", "how it begins"), fights
