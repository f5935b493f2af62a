"""``render_mode="rgb_array"`` and ``"human"``: the table as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck
from deckwood.strong.drawing import (
    BLOOD,
    FADED,
    GOLD,
    INK,
    PAPER,
    Box,
    Canvas,
    Colour,
    draw_blade,
    draw_card,
    draw_coin,
    draw_dice,
    draw_die,
    draw_heart,
    draw_stat,
    line_height,
    text_width,
)
from deckwood.strong.terms import CRIT, HIT, MAX_ITEMS, MISS, RECOVERY, STATS, STRATEGY
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
from deckwood.tanglewoods.render.view import Dice, Face, Fighter, Spot, View, view
from deckwood.tanglewoods.state import PLACES, TOLL_GOLD

WIDTH, HEIGHT = 1280, 800
TABLE: Colour = (222, 212, 190)
BANNER: Colour = (44, 58, 44)
PANEL: Colour = (236, 228, 210)
EDGE: Colour = (168, 154, 126)
HEADERS: dict[str, Colour] = {
    "enemy": (110, 72, 44), "boss": (70, 26, 30), "power-up": (156, 34, 44), "fable": (44, 84, 140), "item": (176, 96, 24),
    "upgraded": (168, 40, 34), "hero": (60, 80, 60), "defeated": (150, 144, 134),
}  # fmt: skip
STAT_COLOURS: tuple[Colour, ...] = (BLOOD, (52, 92, 150), (60, 120, 70))

LEFT, MARGIN = 360, 8  # where the part right of the path begins
RIGHT = WIDTH - MARGIN - LEFT
HERO: Box = (LEFT, 50, RIGHT, 92)
POOL: Box = (LEFT, 148, RIGHT, 82)
REST, BOTTOM, GAP = 236, 750, 6  # from where the active area, the scouting line and the hero's cards share the height
PATH: Box = (MARGIN, 50, LEFT - 2 * MARGIN, 700)
LEGEND: Box = (MARGIN, 756, WIDTH - 2 * MARGIN, 38)
SHOWN = 5  # cards of the path that are drawn, the one behind the hero first
NODE_LEGEND = (("minion", "enemy"), ("wolf", "wolf"), ("fable", "fable"), ("campfire", "campfire"), ("home", "home"))


def draw(s: Any, deck: LoadedDeck) -> NDArray[np.uint8]:
    """The position as uint8 (height, width, 3). DeckwoodError without pygame."""
    canvas, table = Canvas(WIDTH, HEIGHT, TABLE), view(s, deck)
    toll = int(deck.tables.numbers[TOLL_GOLD])
    draw_banner(canvas, table)
    draw_hero(canvas, table)
    draw_pool(canvas, table)
    active, scouting, belongings = shares(table)
    draw_active(canvas, active, table)
    draw_line(canvas, scouting, table)
    draw_belongings(canvas, belongings, table)
    draw_path(canvas, table, toll)
    draw_legend(canvas, toll)
    return canvas.pixels()


def in_active_area(table: View) -> list[Fighter | Face]:
    """The active area's cards, after the fable that is being followed; the merchant's shop lies there too."""
    return [*([table.told] if table.told else []), *table.active, *table.shop]


def shares(table: View) -> tuple[Box, Box, Box]:
    """The active area, the scouting line and the hero's cards: what holds much gets much room."""
    found, own = len(in_active_area(table)), len(table.items) + len(table.beside)
    active = 0 if not found else 214 if found <= 4 else 208 if table.endgame else 240
    belongings = 28 if not own else 130 if own <= 5 else 216 if table.endgame else 156
    line = min(230, BOTTOM - REST - active - belongings - GAP * (1 + (active > 0)))
    top = REST + active + GAP * (active > 0)
    return (LEFT, REST, RIGHT, active), (LEFT, top, RIGHT, line), (LEFT, top + line + GAP, RIGHT, belongings)


def draw_banner(canvas: Canvas, table: View) -> None:
    colour = ((40, 110, 60) if table.won else (130, 34, 38)) if table.over else BANNER
    canvas.rect((0, 0, WIDTH, 42), colour)
    canvas.text((12, 8), table.phase, 36, PAPER)
    about = f"difficulty {table.difficulty}   decision {table.decisions}"
    canvas.text((WIDTH - 12, 14), about, 20, PAPER, 1)
    left = max(LEFT, 12 + text_width(table.phase, 36) + 24)
    canvas.paragraph((left, 5, WIDTH - 36 - text_width(about, 20) - left, 34), table.hint, 22, 15, (240, 226, 170), True)


def draw_hero(canvas: Canvas, table: View) -> None:
    left, top, width, height = HERO
    remarks = " ".join(table.hero.remarks)
    box = draw_card(canvas, (left, top, 400, height), table.hero.name, HEADERS["hero"], 21, aside=remarks)
    canvas.paragraph(box, table.hero.text, 19, 14)
    canvas.rect((left + 408, top, width - 408, height), PANEL, EDGE, 6)
    counts = {STRATEGY: table.strategy, RECOVERY: table.recovery}
    for i, name in enumerate(STATS):
        value = table.stats[i]
        draw_stat(canvas, (left + 416 + 76 * i, top + 8, 72, 78), name.capitalize(), value, counts.get(i, value), STAT_COLOURS[i])
    draw_coin(canvas, (left + 684, top + 38), 28, str(table.gold))
    canvas.text((left + 684, top + 72), "Gold", 18, INK, 0.5)
    canvas.text((left + 724, top + 5), "Wolf pack", 17)
    draw_wolves(canvas, table, left + 724, top + 19)
    facts = [f"Damage due: {table.damage_due}"] * (table.damage_due > 0) + list(table.conditions)
    canvas.paragraph((left + 724, top + 51, width - 732, height - 53), "\n".join(facts), 19, 13, BLOOD)


def draw_wolves(canvas: Canvas, table: View, left: float, top: float) -> None:
    """The wolf pack: those still in the deck, those in play, and faded those that are gone."""
    for i, (_, zone) in enumerate(table.wolves):
        centre = left + 12 + 34 * i, top + 13
        waiting = zone == "in the deck"
        canvas.circle(centre, 15, (196, 200, 210) if waiting else GOLD if zone == "here" else PANEL, INK if waiting else EDGE, 1.5)
        draw_wolf(canvas, centre, 9.5)
        if zone in ("gone", "removed"):
            canvas.line((centre[0] - 11, centre[1] + 11), (centre[0] + 11, centre[1] - 11), BLOOD, 3)


def draw_pool(canvas: Canvas, table: View) -> None:
    """The dice by state."""
    zones = table.zones
    committed = {name: zones[name] for name in ("exploring", "to roll", "rolled", "set aside") if zones[name]}
    title = "Committed" + (": " + ", ".join(f"{len(dice)} {name}" for name, dice in committed.items()) if committed else "")
    left, top, _, height = POOL
    for name, offset, width in (("ready", 0, 214), (title, 222, 270), ("exhausted", 500, 214), ("banished", 722, 190)):
        box = left + offset, top, width, height
        canvas.rect(box, PANEL, EDGE, 6)
        canvas.text((box[0] + 8, top + 5), name[0].upper() + name[1:] + (f": {len(zones[name])}" if name in zones else ""), 18)
        if name in zones:
            draw_dice(canvas, (box[0] + 8, top + 24, width - 14, height - 30), 24, zones[name])
    x = left + 230.0
    y = top + 24.0
    for name, dice in committed.items():
        for colour, face in dice:
            if x + 24 > left + 222 + 268:
                x, y = left + 230.0, y + 27
            if name == "set aside":
                canvas.rect((x - 2, y - 2, 28, 28), PAPER, INK, 6)
            draw_die(canvas, (x, y), 24, colour, face, "?")
            x += 28


def draw_active(canvas: Canvas, area: Box, table: View) -> None:
    found = in_active_area(table)
    if not found:
        return
    left, top, width, height = area
    canvas.rect(area, PANEL, EDGE, 6)
    canvas.text((left + 8, top + 5), "Shop" if table.shop else "Active area", 18)
    canvas.text((left + width - 8, top + 5), table.prices[:1].upper() + table.prices[1:], 18, INK, 1)
    rows = -(-len(found) // 4)
    columns = max(3, -(-len(found) // rows))
    for box, card in zip(grid((left, top + 24, width, height - 24), columns, rows), found, strict=False):
        if isinstance(card, Fighter):
            draw_fighter(canvas, box, card, rows == 1)
        else:
            draw_face(canvas, box, card, 20 if rows == 1 else 18)


def grid(area: Box, columns: int, rows: int) -> list[Box]:
    """Places for cards, row by row."""
    left, top, width, height = area
    step, tall = (width - 8) / columns, (height - 2) / rows
    return [(left + 8 + i % columns * step, top + i // columns * tall, step - 8, tall - 6) for i in range(columns * rows)]


def draw_fighter(canvas: Canvas, box: Box, enemy: Fighter, large: bool) -> None:
    """An enemy of the active area. The dice on it lie at the bottom of a large card, beside the figures of a small one."""
    kind = "defeated" if enemy.defeated else enemy.face.kind
    remarks = ", ".join(remark for remark in enemy.face.remarks if remark != "defeated")
    title = f"{enemy.place}. {enemy.face.name}"
    left, top, width, height = draw_card(canvas, box, title, HEADERS[kind], 21 if large else 18, aside=remarks)
    bar, die = (26, 24) if large else (20, 18)
    if enemy.defeated:
        canvas.text((left, top + bar * 0.22), "defeated", round(bar * 0.82), FADED)
        x = left + text_width("defeated", round(bar * 0.82)) + 8
    else:
        x = draw_figure(canvas, left, top, bar, "heart", f"{enemy.left} of {enemy.health}")
        x = draw_figure(canvas, x, top, bar, "blade", str(enemy.damage))
        if enemy.bribe is not None:
            x = draw_figure(canvas, x, top, bar, "coin", str(enemy.bribe))
    if large:
        draw_row(canvas, (left, top + height - die, width, die), enemy.dice)
        height -= die + 4 if enemy.dice else 0
    else:
        draw_row(canvas, (x, top + 1, left + width - x, die), enemy.dice)
    canvas.paragraph((left, top + bar + 3, width, height - bar - 3), enemy.face.text, 20 if large else 17, 14)


def draw_row(canvas: Canvas, box: Box, dice: Dice) -> None:
    """Dice in one row, overlapping where there are many."""
    left, top, width, size = box
    step = min(size + 3, (width - size) / max(1, len(dice) - 1))
    for i, (colour, face) in enumerate(dice):
        draw_die(canvas, (left + i * step, top), size, colour, face)


def draw_figure(canvas: Canvas, left: float, top: float, height: float, icon: str, text: str) -> float:
    """A figure with its icon; returns where the next one goes."""
    centre = left + height / 2, top + height / 2
    if icon == "heart":
        draw_heart(canvas, centre, height * 0.36)
    elif icon == "blade":
        draw_blade(canvas, centre, height * 0.38)
    else:
        draw_coin(canvas, centre, height * 0.38)
    size = round(height * 0.9)
    canvas.text((left + height + 2, centre[1] - size * 0.31), text, size)
    return left + height + 2 + text_width(text, size) + height * 0.45


def draw_face(canvas: Canvas, box: Box, face: Face, size: int) -> None:
    """A card that is only text: a fable, a power-up, an item."""
    kind = "upgraded" if "upgraded" in face.remarks else face.kind
    price = "" if face.cost is None else f"{face.cost} gold"
    left, top, width, height = draw_card(canvas, box, face.name, HEADERS[kind], size, aside=price)
    remarks = ", ".join(remark for remark in face.remarks if remark != "upgraded")
    if remarks:
        canvas.text((left, top), remarks, size - 1, BLOOD if "used" in face.remarks else FADED)
        top, height = top + line_height(size - 1), height - line_height(size - 1)
    canvas.paragraph((left, top, width, height), face.text, size, 14)


def draw_line(canvas: Canvas, area: Box, table: View) -> None:
    """The scouting line."""
    left, top, width, height = area
    canvas.rect(area, PANEL, EDGE, 6)
    canvas.text((left + 8, top + 5), "Scouting line: the leftmost comes next, the last one is the top of the Minion Deck", 18)
    canvas.text((left + width - 8, top + 5), f"deck {table.minions_left}, discard {table.minions_discarded}", 18, INK, 1)
    places = grid((left, top + 24, width, height - 24), max(4, len(table.line)), 1)
    for place, enemy in zip(places, table.line, strict=False):
        x, y, w, h = draw_card(canvas, place, enemy.face.name, HEADERS["enemy"], 18)
        figures = [("heart", enemy.health), ("blade", enemy.damage), *([] if enemy.bribe is None else [("coin", enemy.bribe)])]
        for icon, figure in figures:
            x = draw_figure(canvas, x, y - 3, 18, icon, str(figure))
        if h > 40:
            canvas.paragraph((place[0] + 6, y + 17, w, h - 16), enemy.face.text, 18, 13)


def draw_belongings(canvas: Canvas, area: Box, table: View) -> None:
    """Items, and the cards beside the hero."""
    left, top, width, height = area
    found = [*table.items, *table.beside]
    canvas.rect(area, PANEL, EDGE, 6)
    canvas.text(
        (left + 8, top + 5), f"Items: {len(table.items)} of at most {min(MAX_ITEMS, table.strategy)}, and cards beside the hero", 18
    )
    canvas.text((left + width - 8, top + 5), f"item deck {table.items_left}", 18, INK, 1)
    rows = 2 if len(found) > 5 else 1
    for place, face in zip(grid((left, top + 24, width, height - 24), max(4, -(-len(found) // rows)), rows), found, strict=False):
        draw_face(canvas, place, face, 17)


def draw_path(canvas: Canvas, table: View, toll: int) -> None:
    """The hero's card, the one behind and those ahead; upward is onward."""
    left, top, width, height = PATH
    canvas.rect(PATH, PANEL, EDGE, 6)
    last = min(len(table.path), max(table.at_card + SHOWN - 1, SHOWN))
    first = max(0, last - SHOWN)
    further = table.path[last:]
    to_come = f"{table.forest_left} forest cards to come, then the Cabin" if table.forest_left else "the forest has run out"
    canvas.text((left + 8, top + 5), f"Path: {to_come}", 18)
    y = top + 24.0
    for i in reversed(range(len(further))):
        canvas.rect((left + 8, y + 1, 14, 12), NIGHT if further[i].night else DAY, INK, 2, 1)
        canvas.text((left + 28, y), f"{last + i}. {further[i].name}, {'night' if further[i].night else 'day'}", 17)
        y += 16
    tall = min(180.0, (top + height - y - 6) / (last - first))
    for i in reversed(range(first, last)):
        draw_path_card(canvas, (left + 6, y + (last - 1 - i) * tall, width - 12, tall - 3), table, i, toll)


def draw_path_card(canvas: Canvas, box: Box, table: View, i: int, toll: int) -> None:
    left, top, width, height = box
    card, here = table.path[i], i == table.at_card
    behind = i < table.at_card
    fill = NIGHT if card.night else DAY
    canvas.rect(box, mixed(fill, PANEL) if behind else fill, INK if not here else GOLD, 6, 3 if here else 1.5)
    ink = PAPER if card.night and not behind else INK
    used = canvas.paragraph((left + 7, top + 8, 84, height - 30), card.name, 18, 14, ink)
    canvas.text((left + 7, top + 10 + used), f"{i}. {'night' if card.night else 'day'}", 16, ink)
    field = left + 92, top, width - 106, height
    source = table.at_place if table.at_place is not None else PLACES + table.at_threshold
    draw_lines(canvas, field, card, (source, frozenset(table.routes if here and table.travelling else ())))
    place = table.at_place if here else None
    if place is not None:
        canvas.circle(spot_place(card, field, place), 27, GOLD)
    draw_nodes(canvas, field, card, 15, toll)
    if place is not None:
        x, y = spot_place(card, field, place)
        draw_pawn(canvas, (x + 30, y + 12), 26)
    elif here:
        draw_pawn(canvas, at(field, (GATES[table.at_threshold], float(table.crossing))), 26)


def mixed(one: Colour, other: Colour) -> Colour:
    return (one[0] + other[0]) // 2, (one[1] + other[1]) // 2, (one[2] + other[2]) // 2


def draw_legend(canvas: Canvas, toll: int) -> None:
    left, top, _, height = LEGEND
    canvas.rect(LEGEND, PANEL, EDGE, 6)
    spots = [(Spot(kind, "standard", 0), name) for kind, name in NODE_LEGEND] + [
        (Spot("minion", outline, int(outline == "mob")), outline) for outline in ("weary", "blighted", "mob", "toll", "trap")
    ]
    x, y = left + 24.0, top + height / 2
    for spot, name in spots:
        draw_node(canvas, (x, y), 11, spot, toll)
        canvas.text((x + 19, y - 6), name, 17)
        x += 46 + text_width(name, 17)
    for face, name in ((MISS, "miss"), (HIT, "hit"), (CRIT, "crit")):
        draw_die(canvas, (x - 10, y - 10), 20, 2, face)
        canvas.text((x + 15, y - 6), name, 17)
        x += 42 + text_width(name, 17)
    for icon, name in (("heart", "Health"), ("blade", "Damage"), ("coin", "bribe")):
        x = draw_figure(canvas, x - 12, y - 10, 20, icon, name) + 14
