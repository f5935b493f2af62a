"""The panels of a table's picture. A deck says where each one lies and draws its own beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from deckwood.core.drawing import (
    BLOOD,
    FADED,
    INK,
    PAPER,
    Box,
    Canvas,
    Colour,
    Point,
    draw_blade,
    draw_card,
    draw_coin,
    draw_heart,
    line_height,
    text_width,
)
from deckwood.strong.drawing import draw_dice, draw_die, draw_stat
from deckwood.strong.render.view import Badge, Dice, Face, Fighter, Table
from deckwood.strong.terms import CRIT, FACES, HIT, MAX_ITEMS, MISS, RECOVERY, STATS, STRATEGY

TABLE: Colour = (222, 212, 190)
BANNER: Colour = (44, 58, 44)
PANEL: Colour = (236, 228, 210)
EDGE: Colour = (168, 154, 126)
HEADERS: dict[str, Colour] = {
    "enemy": (110, 72, 44), "boss": (70, 26, 30), "power-up": (156, 34, 44), "fable": (44, 84, 140), "item": (176, 96, 24),
    "upgraded": (168, 40, 34), "hero": (60, 80, 60), "defeated": (150, 144, 134), "influence": (66, 84, 150),
}  # fmt: skip
"""Colours of cards by kind, or by a remark that matters more."""
STAT_COLOURS: tuple[Colour, ...] = (BLOOD, (52, 92, 150), (60, 120, 70))
ICONS: dict[str, tuple[Callable[[Canvas, Point, float], None], float]] = {
    "heart": (draw_heart, 0.36),
    "blade": (draw_blade, 0.38),
    "coin": (draw_coin, 0.38),
}
"""What stands before a figure, with its radius as a part of the figure's height. A deck adds the icons of its own figures."""
POOL_WIDTH = 912  # for which the areas of dice are measured


def draw_banner(canvas: Canvas, table: Table, about: str, width: float, left: float, colour: Colour = BANNER) -> None:
    """The phase, what it asks for (from ``left`` on, where the phase leaves room) and ``about`` at the right."""
    if table.over:
        colour = (40, 110, 60) if table.won else (130, 34, 38)
    canvas.rect((0, 0, width, 42), colour)
    canvas.text((12, 8), table.phase, 36, PAPER)
    canvas.text((width - 12, 14), about, 20, PAPER, 1)
    left = max(left, 12 + text_width(table.phase, 36) + 24)
    canvas.paragraph((left, 5, width - 36 - text_width(about, 20) - left, 34), table.hint, 22, 15, (240, 226, 170), True)


def draw_panel(canvas: Canvas, area: Box, title: str = "", aside: str = "") -> None:
    """The ground on which a part of the table lies."""
    left, top, width, _ = area
    canvas.rect(area, PANEL, EDGE, 6)
    canvas.text((left + 8, top + 5), title, 18)
    canvas.text((left + width - 8, top + 5), aside, 18, INK, 1)


def draw_hero(canvas: Canvas, area: Box, table: Table) -> Box:
    """The hero's card and the stat dice; returns what is left of the panel that they are on."""
    left, top, width, height = area
    box = draw_card(canvas, (left, top, 400, height), table.hero.name, HEADERS["hero"], 21, aside=" ".join(table.hero.remarks))
    canvas.paragraph(box, table.hero.text, 19, 14)
    draw_panel(canvas, (left + 408, top, width - 408, height))
    counts = {STRATEGY: table.strategy, RECOVERY: table.recovery}
    for i, name in enumerate(STATS):
        value = table.stats[i]
        draw_stat(canvas, (left + 416 + 76 * i, top + 8, 72, 78), name.capitalize(), value, counts.get(i, value), STAT_COLOURS[i])
    return left + 644, top, width - 644, height


def draw_conditions(canvas: Canvas, box: Box, table: Table) -> None:
    """Damage due, and what else counts for now."""
    facts = [f"Damage due: {table.damage_due}"] * (table.damage_due > 0) + list(table.conditions)
    canvas.paragraph(box, "\n".join(facts), 19, 13, BLOOD)


def draw_pool(canvas: Canvas, area: Box, table: Table) -> None:
    """The dice by state; committed are all that are in none of the three others."""
    zones, outside = table.zones, ("ready", "exhausted", "banished")
    committed = {name: dice for name, dice in zones.items() if dice and name not in outside}
    title = "Committed" + (": " + ", ".join(f"{len(dice)} {name}" for name, dice in committed.items()) if committed else "")
    left, top, wide, height = area
    scale = wide / POOL_WIDTH
    for name, offset, room in (("ready", 0, 214), (title, 222, 270), ("exhausted", 500, 214), ("banished", 722, 190)):
        box = left + offset * scale, top, room * scale, height
        draw_panel(canvas, box, name[0].upper() + name[1:] + (f": {len(zones[name])}" if name in zones else ""))
        if name in zones:
            draw_dice(canvas, (box[0] + 8, top + 24, box[2] - 14, height - 30), 24, zones[name])
    start, end = left + 222 * scale + 8, left + 490 * scale
    x, y = start, top + 24.0
    for name, dice in committed.items():
        for colour, face in dice:
            if x + 24 > end:
                x, y = start, y + 27
            if name == "set aside":
                canvas.rect((x - 2, y - 2, 28, 28), PAPER, INK, 6)
            draw_die(canvas, (x, y), 24, colour, face, "?")
            x += 28


def draw_active(canvas: Canvas, area: Box, found: Sequence[Fighter | Face], title: str = "Active area", aside: str = "") -> None:
    """Cards of the active area; nothing where there are none."""
    if not found:
        return
    left, top, width, height = area
    draw_panel(canvas, area, title, aside)
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
        x = draw_figures(canvas, left, top, bar, enemy, f"{enemy.left} of {enemy.health}")
    if large:
        draw_row(canvas, (left, top + height - die, width, die), enemy.dice)
        height -= die + 4 if enemy.dice else 0
    else:
        draw_row(canvas, (x, top + 1, left + width - x, die), enemy.dice)
    canvas.paragraph((left, top + bar + 3, width, height - bar - 3), enemy.face.text, 20 if large else 17, 14)


def draw_printed_fighter(canvas: Canvas, box: Box, enemy: Fighter) -> None:
    """An enemy elsewhere, small."""
    left, top, width, height = draw_card(canvas, box, enemy.face.name, HEADERS[enemy.face.kind], 18)
    draw_figures(canvas, left, top - 3, 18, enemy, str(enemy.health))
    if height > 40:
        canvas.paragraph((left, top + 17, width, height - 16), enemy.face.text, 18, 13)


def draw_figures(canvas: Canvas, left: float, top: float, height: float, enemy: Fighter, health: str) -> float:
    """Health, Damage and the deck's own figures of an enemy; returns where the next thing goes."""
    x = draw_figure(canvas, left, top, height, "heart", health)
    x = draw_figure(canvas, x, top, height, "blade", str(enemy.damage))
    for badge in enemy.badges:
        x = draw_badge(canvas, x, top, height, badge)
    return x


def draw_badge(canvas: Canvas, left: float, top: float, height: float, badge: Badge) -> float:
    if badge.icon in ICONS:
        return draw_figure(canvas, left, top, height, badge.icon, str(badge.value))
    size, text = round(height * 0.72), f"{badge.name} {badge.value}"
    canvas.text((left, top + height / 2 - size * 0.31), text, size)
    return left + text_width(text, size) + height * 0.45


def draw_figure(canvas: Canvas, left: float, top: float, height: float, icon: str, text: str) -> float:
    """A figure with its icon; returns where the next one goes."""
    centre = left + height / 2, top + height / 2
    drawn, radius = ICONS[icon]
    drawn(canvas, centre, height * radius)
    size = round(height * 0.9)
    canvas.text((left + height + 2, centre[1] - size * 0.31), text, size)
    return left + height + 2 + text_width(text, size) + height * 0.45


def draw_row(canvas: Canvas, box: Box, dice: Dice) -> None:
    """Dice in one row, overlapping where there are many."""
    left, top, width, size = box
    step = min(size + 3, (width - size) / max(1, len(dice) - 1))
    for i, (colour, face) in enumerate(dice):
        draw_die(canvas, (left + i * step, top), size, colour, face)


def draw_face(canvas: Canvas, box: Box, face: Face, size: int, header: Colour | None = None) -> None:
    """A card that is only text: a fable, a power-up, an item."""
    kind = "upgraded" if "upgraded" in face.remarks else face.kind
    price = "" if face.cost is None else f"{face.cost} gold"
    left, top, width, height = draw_card(canvas, box, face.name, header or HEADERS[kind], size, aside=price)
    remarks = ", ".join(remark for remark in face.remarks if remark != "upgraded")
    if remarks:
        canvas.text((left, top), remarks, size - 1, BLOOD if "used" in face.remarks else FADED)
        top, height = top + line_height(size - 1), height - line_height(size - 1)
    canvas.paragraph((left, top, width, height), face.text, size, 14)


def draw_belongings(canvas: Canvas, area: Box, table: Table, aside: str = "") -> None:
    """Items, and the cards beside the hero."""
    left, top, width, height = area
    found = [*table.items, *table.beside]
    most = min(MAX_ITEMS, table.strategy)
    draw_panel(canvas, area, f"Items: {len(table.items)} of at most {most}, and cards beside the hero", aside)
    rows = 2 if len(found) > 5 else 1
    for place, face in zip(grid((left, top + 24, width, height - 24), max(4, -(-len(found) // rows)), rows), found, strict=False):
        draw_face(canvas, place, face, 17)


def draw_key(canvas: Canvas, left: float, middle: float, figures: Iterable[tuple[str, str]]) -> float:
    """What dice and figures, each an icon and its name, mean, around the height ``middle``; returns where the next thing goes."""
    x = left
    for face in (MISS, HIT, CRIT):
        draw_die(canvas, (x - 10, middle - 10), 20, 2, face)
        canvas.text((x + 15, middle - 6), FACES[face], 17)
        x += 42 + text_width(FACES[face], 17)
    for icon, name in figures:
        x = draw_figure(canvas, x - 12, middle - 10, 20, icon, name) + 14
    return x
