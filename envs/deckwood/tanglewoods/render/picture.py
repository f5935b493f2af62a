"""``render_mode="rgb_array"`` and ``"human"``: the table as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.drawing import BLOOD, FADED, GOLD, INK, PAPER, Box, Canvas, Colour, draw_coin, fitted, text_width
from deckwood.core.spec import LoadedDeck
from deckwood.strong.render.picture import (
    EDGE,
    PANEL,
    TABLE,
    draw_active,
    draw_banner,
    draw_belongings,
    draw_conditions,
    draw_hero,
    draw_key,
    draw_panel,
    draw_piles,
    draw_pool,
    draw_printed_fighter,
    grid,
)
from deckwood.strong.render.view import Face, Fighter
from deckwood.tanglewoods.render.nodes import (
    DAY,
    GATES,
    NIGHT,
    at,
    draw_lines,
    draw_node,
    draw_nodes,
    draw_pawn,
    draw_wolf,
    spot_place,
)
from deckwood.tanglewoods.render.view import PathCard, Spot, View, read_view
from deckwood.tanglewoods.state import PLACES, TOLL_GOLD

WIDTH, HEIGHT = 1600, 1060

LEFT, MARGIN = 416, 8  # where the part right of the path begins
RIGHT = WIDTH - MARGIN - LEFT
HERO: Box = (LEFT, 50, RIGHT, 112)
POOL: Box = (LEFT, 168, RIGHT, 82)
REST, BOTTOM, GAP = 256, 1010, 6  # from where the active area, the scouting line and the hero's cards share the height
PILES = 130  # the height of what is out of play, below the path
PATH: Box = (MARGIN, 50, LEFT - 2 * MARGIN, BOTTOM - 50 - PILES - GAP)
OUT_OF_PLAY: Box = (MARGIN, BOTTOM - PILES, LEFT - 2 * MARGIN, PILES)
LEGEND: Box = (MARGIN, 1016, WIDTH - 2 * MARGIN, 38)
FAR, NODE_STEP = 22, 28  # the height of a card that is not drawn, and the room for one of its nodes
SHOWN = 5  # cards of the path that are drawn, the one behind the hero first
NODE_LEGEND = (("minion", "enemy"), ("wolf", "wolf"), ("fable", "fable"), ("campfire", "campfire"), ("home", "home"))


def draw(s: Any, deck: LoadedDeck) -> NDArray[np.uint8]:
    """The position as uint8 (height, width, 3). DeckwoodError without pygame."""
    canvas, view = Canvas(WIDTH, HEIGHT, TABLE), read_view(s, deck)
    table, toll = view.table, int(deck.tables.numbers[TOLL_GOLD])
    draw_banner(canvas, table, f"difficulty {view.difficulty}   decision {table.decisions}", WIDTH, LEFT)
    draw_gold_and_wolves(canvas, draw_hero(canvas, HERO, table), view)
    draw_pool(canvas, POOL, table)
    active, scouting, belongings = shares(view)
    prices = view.prices[:1].upper() + view.prices[1:]
    draw_active(canvas, active, in_active_area(view), "Shop" if view.shop else "Active area", prices)
    draw_line(canvas, scouting, view)
    draw_belongings(canvas, belongings, table, f"item deck {view.items_left}")
    draw_path(canvas, view, toll)
    draw_piles(canvas, OUT_OF_PLAY, view.piles)
    draw_legend(canvas, toll)
    return canvas.pixels()


def in_active_area(view: View) -> list[Fighter | Face]:
    """The active area's cards, after the fable that is being followed; the merchant's shop lies there too."""
    return [*([view.fable] if view.fable else []), *view.table.active, *view.shop]


def shares(view: View) -> tuple[Box, Box, Box]:
    """The active area, the scouting line and the hero's cards: what holds much gets much room."""
    found, own = len(in_active_area(view)), len(view.table.items) + len(view.table.beside)
    active = 0 if not found else 250 if found <= 4 else 360
    belongings = 28 if not own else 140 if own <= 5 else 218
    line = BOTTOM - REST - active - belongings - GAP * (1 + (active > 0))
    spare = max(0, line - 200)
    active, line = (active + spare, line - spare) if found > 4 else (active + spare // 2, line - spare // 2) if found else (0, line - spare)
    top = REST + active + GAP * (active > 0)
    return (LEFT, REST, RIGHT, active), (LEFT, top, RIGHT, line), (LEFT, top + line + GAP, RIGHT, BOTTOM - top - line - GAP)


def draw_gold_and_wolves(canvas: Canvas, box: Box, view: View) -> None:
    """What is beside the stats: gold, the wolf pack, and what counts for now."""
    left, top, width, height = box
    draw_coin(canvas, (left + 40, top + 38), 28, str(view.gold))
    canvas.text((left + 40, top + 72), "Gold", 18, INK, 0.5)
    canvas.text((left + 84, top + 8), "Wolf pack", 17)
    draw_wolves(canvas, view, left + 84, top + 24)
    canvas.paragraph((left + 84, top + 58, 220, height - 60), wolves_in_words(view), 15, 12, FADED)
    draw_conditions(canvas, (left + 312, top + 8, width - 318, height - 12), view.table)


def wolves_in_words(view: View) -> str:
    """The wolves by where they are."""
    places: dict[str, list[str]] = {}
    for name, zone in view.wolves:
        places.setdefault(zone, []).append(name)
    return "; ".join(f"{zone}: {', '.join(names)}" for zone, names in places.items())


def draw_wolves(canvas: Canvas, view: View, left: float, top: float) -> None:
    """The wolf pack: those still in the deck, those in play, and faded those that are gone."""
    for i, (_, zone) in enumerate(view.wolves):
        centre = left + 12 + 34 * i, top + 13
        waiting = zone == "in the deck"
        canvas.circle(centre, 15, (196, 200, 210) if waiting else GOLD if zone == "here" else PANEL, INK if waiting else EDGE, 1.5)
        draw_wolf(canvas, centre, 9.5)
        if zone in ("gone", "removed"):
            canvas.line((centre[0] - 11, centre[1] + 11), (centre[0] + 11, centre[1] - 11), BLOOD, 3)


def draw_line(canvas: Canvas, area: Box, view: View) -> None:
    """The scouting line."""
    left, top, width, height = area
    title = "Scouting line: the leftmost comes next, the last one is the top of the Minion Deck"
    draw_panel(canvas, area, title, f"deck {view.minions_left}, discard {view.minions_discarded}")
    for place, enemy in zip(grid((left, top + 24, width, height - 24), max(4, len(view.line)), 1), view.line, strict=False):
        draw_printed_fighter(canvas, place, enemy)


def draw_path(canvas: Canvas, view: View, toll: int) -> None:
    """The hero's card, the one behind and those ahead; upward is onward."""
    left, top, width, height = PATH
    last = min(len(view.path), max(view.at_card + SHOWN - 1, SHOWN))
    first = max(0, last - SHOWN)
    further = view.path[last:]
    to_come = f"{view.forest_left} forest cards to come, then the Cabin" if view.forest_left else "the forest has run out"
    draw_panel(canvas, PATH, f"Path: {to_come}")
    y = top + 24.0
    for i in reversed(range(len(further))):
        draw_far_card(canvas, (left + 8, y, width - 16, FAR), last + i, further[i], toll)
        y += FAR
    tall = min(190.0, (top + height - y - 6) / (last - first))
    for i in reversed(range(first, last)):
        draw_path_card(canvas, (left + 6, y + (last - 1 - i) * tall, width - 12, tall - 3), view, i, toll)


def draw_far_card(canvas: Canvas, box: Box, number: int, card: PathCard, toll: int) -> None:
    """A card of the path for which there is no room: its name and side, and its nodes without their lines."""
    left, top, width, height = box
    nodes = left + width - NODE_STEP * PLACES
    canvas.rect((left, top + 4, 14, 12), NIGHT if card.night else DAY, INK, 2, 1)
    name = f"{number}. {card.name}, {'night' if card.night else 'day'}"
    canvas.text((left + 20, top + 4), name, fitted(name, 17, nodes - left - 26))
    for k, spot in enumerate(card.spots.values()):
        draw_node(canvas, (nodes + NODE_STEP * (k + 0.5), top + height / 2), 7, spot, toll)


def draw_path_card(canvas: Canvas, box: Box, view: View, i: int, toll: int) -> None:
    left, top, width, height = box
    card, here = view.path[i], i == view.at_card
    behind = i < view.at_card
    fill = NIGHT if card.night else DAY
    canvas.rect(box, mixed(fill, PANEL) if behind else fill, INK if not here else GOLD, 6, 3 if here else 1.5)
    ink = PAPER if card.night and not behind else INK
    used = canvas.paragraph((left + 7, top + 8, 84, height - 30), card.name, 18, 14, ink)
    canvas.text((left + 7, top + 10 + used), f"{i}. {'night' if card.night else 'day'}", 16, ink)
    field = left + 92, top, width - 106, height
    source = view.at_place if view.at_place is not None else PLACES + view.at_threshold
    draw_lines(canvas, field, card, (source, view.may_travel if here else frozenset()))
    place = view.at_place if here else None
    if place is not None:
        canvas.circle(spot_place(card, field, place), 27, GOLD)
    draw_nodes(canvas, field, card, 15, toll)
    if place is not None:
        x, y = spot_place(card, field, place)
        draw_pawn(canvas, (x + 30, y + 12), 26)
    elif here:
        draw_pawn(canvas, at(field, (GATES[view.at_threshold], float(view.crossing))), 26)


def mixed(one: Colour, other: Colour) -> Colour:
    return (one[0] + other[0]) // 2, (one[1] + other[1]) // 2, (one[2] + other[2]) // 2


def draw_legend(canvas: Canvas, toll: int) -> None:
    left, top, _, height = LEGEND
    draw_panel(canvas, LEGEND)
    spots = [(Spot(kind, "standard", 0), name) for kind, name in NODE_LEGEND] + [
        (Spot("minion", outline, int(outline == "mob")), outline) for outline in ("weary", "blighted", "mob", "toll", "trap")
    ]
    x, y = left + 24.0, top + height / 2
    for spot, name in spots:
        draw_node(canvas, (x, y), 11, spot, toll)
        canvas.text((x + 19, y - 6), name, 17)
        x += 46 + text_width(name, 17)
    draw_key(canvas, x, y, (("heart", "Health"), ("blade", "Damage"), ("coin", "bribe")))
