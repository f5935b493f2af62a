"""``render_mode="ansi"``: the table as plain text, at most 100 columns wide."""

from __future__ import annotations

from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.dice_commit.render.view import read_view
from deckwood.strong.render import text
from deckwood.strong.render.text import block, row


def describe(s: Any, deck: LoadedDeck) -> str:
    """The position as a table of text."""
    view = read_view(s, deck)
    table = view.table
    return text.page(
        (
            text.head(table, f"decision {table.decisions}"),
            text.hero(table, f"Gold {view.gold}"),
            text.dice(table),
            text.active(table),
            block("The fight", view.about),
            [row("Value", f"{view.brought:+g} since the start, if it ended here")],
        )
    )
