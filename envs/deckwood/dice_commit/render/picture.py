"""``render_mode="rgb_array"`` and ``"human"``: the table as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.drawing import Box, Canvas, draw_card, draw_coin
from deckwood.core.spec import LoadedDeck
from deckwood.dice_commit.render.view import View, read_view
from deckwood.strong.render.picture import (
    HEADERS,
    HERO_WIDTH,
    TABLE,
    draw_active,
    draw_banner,
    draw_conditions,
    draw_key,
    draw_panel,
    draw_pool,
    draw_stats,
)

WIDTH, HEIGHT, MARGIN = 1200, 660, 8
ACROSS = WIDTH - 2 * MARGIN
HERO: Box = (MARGIN, 50, ACROSS, 92)
POOL: Box = (MARGIN, 148, ACROSS, 98)
ACTIVE: Box = (MARGIN, 252, ACROSS, 372)
LEGEND: Box = (MARGIN, 630, ACROSS, 26)


def draw(s: Any, deck: LoadedDeck) -> NDArray[np.uint8]:
    """The position as uint8 (height, width, 3). DeckwoodError without pygame."""
    canvas, view = Canvas(WIDTH, HEIGHT, TABLE), read_view(s, deck)
    table = view.table
    draw_banner(canvas, table, f"decision {table.decisions}", WIDTH, 360)
    draw_gold(canvas, draw_stats(canvas, HERO, table), view)
    draw_pool(canvas, POOL, table)
    draw_panel(canvas, ACTIVE, "" if table.active else "Active area: empty")
    draw_active(canvas, ACTIVE, table.active)
    draw_fight(canvas, view)
    draw_panel(canvas, LEGEND)
    draw_key(canvas, LEGEND[0] + 20, LEGEND[1] + LEGEND[3] / 2, (("heart", "Health left"), ("blade", "Damage")))
    return canvas.pixels()


def draw_gold(canvas: Canvas, box: Box, view: View) -> None:
    """What is beside the stats: gold, and what counts for now."""
    left, top, width, height = box
    draw_coin(canvas, (left + 40, top + 38), 28, str(view.gold))
    canvas.text((left + 40, top + 72), "Gold", 18, align=0.5)
    draw_conditions(canvas, (left + 84, top + 8, width - 92, height - 12), view.table)


def draw_fight(canvas: Canvas, view: View) -> None:
    """How the fight began, and what it has brought so far, where other decks have the hero's card."""
    left, top, _, height = HERO
    value = f"worth {view.brought:+g} since the start"
    box = draw_card(canvas, (left, top, HERO_WIDTH, height), "The fight", HEADERS["hero"], 21, value)
    canvas.paragraph(box, view.about.replace(": ", "\n", 1).replace("; ", "\n"), 19, 14)
