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
    fitted,
    text_width,
)
from deckwood.strong.drawing import GAP, Die, arrange, die_width, draw_dice, draw_die, draw_stat
from deckwood.strong.render.view import Badge, Face, Fighter, Pile, Table
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
LARGEST, SMALLEST = 26, 14  # the type of cards' texts
DIE, ROW = 24, 17  # the height of a die, and of one in two rows on a card


def draw_banner(canvas: Canvas, table: Table, about: str, width: float, left: float, colour: Colour = BANNER) -> None:
    """The phase, what it asks for (from ``left`` on, where the phase leaves room) and ``about`` at the right."""
    if table.over:
        colour = (40, 110, 60) if table.won else (130, 34, 38)
    canvas.rect((0, 0, width, 44), colour)
    end = width - 36 - text_width(about, 20)
    size = fitted(table.phase, 36, end - 12)
    canvas.text((12, 22 - 0.36 * size), table.phase, size, PAPER)
    canvas.text((width - 12, 15), about, 20, PAPER, 1)
    left = max(left, 12 + text_width(table.phase, size) + 24)
    canvas.paragraph((left, 2, end - left, 40), table.hint, 22, SMALLEST, (240, 226, 170), True)


def draw_panel(canvas: Canvas, area: Box, title: str = "", aside: str = "") -> None:
    """The ground on which a part of the table lies."""
    left, top, width, _ = area
    canvas.rect(area, PANEL, EDGE, 6)
    room = width - 16 - (text_width(aside, 18) + 8 if aside else 0)
    canvas.text((left + 8, top + 5), title, fitted(title, 18, room))
    canvas.text((left + width - 8, top + 5), aside, 18, INK, 1)


HERO_WIDTH = 400  # of a hero's card, beside which the stats are


def draw_hero(canvas: Canvas, area: Box, table: Table) -> Box:
    """The hero's card and the stat dice; returns what is left of the panel that they are on."""
    left, top, _, height = area
    hero = table.hero
    box = draw_card(canvas, (left, top, HERO_WIDTH, height), hero.name, HEADERS["hero"], 21, aside_of(hero), hero.choices)
    canvas.paragraphs(box, [(hero.text, INK), (back_line(hero), FADED)], 20, SMALLEST)
    return draw_stats(canvas, area, table)


def draw_stats(canvas: Canvas, area: Box, table: Table) -> Box:
    """The stat dice, right of the hero's card; returns what is left of the panel that they are on."""
    left, top, width, height = area
    draw_panel(canvas, (left + HERO_WIDTH + 8, top, width - HERO_WIDTH - 8, height))
    counts = {STRATEGY: table.strategy, RECOVERY: table.recovery}
    for i, name in enumerate(STATS):
        value, x = table.stats[i], left + HERO_WIDTH + 16 + 76 * i
        draw_stat(canvas, (x, top + 8, 72, 78), name.capitalize(), value, counts.get(i, value), STAT_COLOURS[i])
    return left + HERO_WIDTH + 244, top, width - HERO_WIDTH - 244, height


def draw_conditions(canvas: Canvas, box: Box, table: Table) -> None:
    """Damage due, and what else counts for now."""
    facts = [f"Damage due: {table.damage_due}"] * (table.damage_due > 0) + list(table.conditions)
    canvas.paragraph(box, "\n".join(facts), 19, 13, BLOOD)


def aside_of(face: Face) -> str:
    """Which side of a card is up, and remarks on its state."""
    return ", ".join([*[face.side] * bool(face.side), *face.remarks])


def back_line(face: Face) -> str:
    """What is on the back of a card, in short."""
    if face.back is None:
        return ""
    figures = f" ({', '.join([face.back.kind, *face.back.remarks])})" if face.back.kind != face.kind else ""
    return f"back: {face.back.name}{figures}"


def draw_pool(canvas: Canvas, area: Box, table: Table) -> None:
    """The dice by state; committed are all that are in none of the three others."""
    outside = ("ready", "exhausted", "banished")
    left, top, wide, height = area
    scale = wide / POOL_WIDTH
    for name, offset, room in (("ready", 0, 200), ("committed", 208, 330), ("exhausted", 546, 180), ("banished", 734, 178)):
        box = left + offset * scale, top, room * scale, height
        inside = [name] if name in outside else [zone for zone, dice in table.zones.items() if zone not in outside and dice]
        groups = [(zone, table.zones[zone]) for zone in inside]
        title = f"{name.capitalize()}: {sum(len(dice) for _, dice in groups)}"
        if name not in outside and groups:
            title += f" ({', '.join(f'{len(dice)} {zone}' for zone, dice in groups)})"
        draw_panel(canvas, box, title)
        draw_zones(canvas, (box[0] + 8, top + 25, box[2] - 14, height - 29), groups, table)


def draw_zones(canvas: Canvas, area: Box, groups: Sequence[tuple[str, Sequence[Die]]], table: Table) -> None:
    """Groups of dice, side by side with a line between them, each with as much room as it needs of what there is."""
    left, top, width, height = area
    needs = [sum(die_width(DIE, face) + GAP for _, face in dice) for _, dice in groups]
    room = width - 10 * (len(groups) - 1)
    x = left
    for i, (zone, dice) in enumerate(groups):
        part = room * needs[i] / sum(needs) if sum(needs) > room else needs[i]
        if i:
            canvas.line((x - 7, top), (x - 7, top + height - 2), EDGE, 2)
        picked = [(colour, face) for place, colour, face in table.pick if place == zone]
        draw_dice(canvas, (x, top, part, height), DIE, dice, picked)
        x += part + 10


def draw_active(canvas: Canvas, area: Box, found: Sequence[Fighter | Face], title: str = "Active area", aside: str = "") -> None:
    """Cards of the active area; nothing where there are none."""
    if not found:
        return
    left, top, width, height = area
    draw_panel(canvas, area, title, aside)
    rows = 1 if len(found) <= 4 else 2
    columns = max(3, -(-len(found) // rows))
    for box, card in zip(grid((left, top + 24, width, height - 24), columns, rows), found, strict=False):
        if isinstance(card, Fighter):
            draw_fighter(canvas, box, card)
        else:
            draw_face(canvas, box, card)


def grid(area: Box, columns: int, rows: int) -> list[Box]:
    """Places for cards, row by row."""
    left, top, width, height = area
    step, tall = (width - 8) / columns, (height - 2) / rows
    return [(left + 8 + i % columns * step, top + i // columns * tall, step - 8, tall - 6) for i in range(columns * rows)]


def draw_fighter(canvas: Canvas, box: Box, enemy: Fighter) -> None:
    """An enemy of the active area: its figures, the dice on it, its state and limits, its text."""
    face = enemy.face
    title = f"{enemy.place}. {face.name}" if enemy.place else face.name
    area = draw_card(canvas, box, title, HEADERS["defeated" if enemy.defeated else face.kind], 19, face.side, face.choices)
    left, top, width, height = area
    if enemy.defeated:
        canvas.text((left, top + 4), "defeated", 18, FADED)
    else:
        draw_figures(canvas, area, 22, enemy, f"{enemy.left} of {enemy.health}" if enemy.place else str(enemy.health))
    top, height = top + 25, height - 25
    if enemy.dice:
        tall = dice_height(width, enemy.dice)
        draw_dice(canvas, (left, top, width, tall), DIE, enemy.dice, enemy.pick)
        top, height = top + tall + 5, height - tall - 5
    state = ", ".join([remark for remark in face.remarks if remark != "defeated"] + list(enemy.counts))
    texts = [(state, BLOOD), (face.text, INK), (back_line(face), FADED)]
    canvas.paragraphs((left, top, width, height), texts, largest_type(width), SMALLEST)


def largest_type(width: float) -> int:
    """The type of a card's text where there is room enough: the wider the card, the larger."""
    return max(SMALLEST + 3, min(LARGEST, round(width / 12.5)))


def dice_height(width: float, dice: Sequence[Die]) -> float:
    """How high the dice on a card are: one row, or two small ones."""
    widths = [die_width(1, face) for _, face in dice]
    for size in range(DIE, ROW - 1, -1):
        if arrange((0, 0, width, size), size, [size * wide for wide in widths]) is not None:
            return size
    return 2 * ROW + GAP


def draw_printed_fighter(canvas: Canvas, box: Box, enemy: Fighter) -> None:
    """An enemy elsewhere, small."""
    face = enemy.face
    area = draw_card(canvas, box, face.name, HEADERS[face.kind], 18, face.side.removesuffix(" side"), face.choices)
    left, top, width, height = area
    draw_figures(canvas, (left, top - 3, width, height), 18, enemy, str(enemy.health))
    canvas.paragraphs((left, top + 17, width, height - 16), [(face.text, INK), (back_line(face), FADED)], 19, SMALLEST)


def draw_figures(canvas: Canvas, area: Box, height: float, enemy: Fighter, health: str) -> None:
    """Health, Damage and the deck's own figures of an enemy, in a row."""
    left, top, width, _ = area
    figures = [("heart", health), ("blade", str(enemy.damage))]
    needed = sum(1.5 * height + 2 + text_width(text, round(height * 0.9)) for _, text in figures)
    needed += sum(1.5 * height + text_width(f"{badge.name} {badge.value}", round(height * 0.72)) for badge in enemy.badges)
    tall = height * min(1.0, width / needed)
    x, top = left, top + (height - tall) / 2
    for icon, text in figures:
        x = draw_figure(canvas, x, top, tall, icon, text)
    for badge in enemy.badges:
        x = draw_badge(canvas, x, top, tall, badge)


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


def draw_face(canvas: Canvas, box: Box, face: Face) -> None:
    """A card that is only text: a fable, a power-up, an item."""
    kind = "upgraded" if face.side == "upgraded" else face.kind
    price = "" if face.cost is None else f"{face.cost} gold"
    area = draw_card(canvas, box, face.name, HEADERS[kind], 18, price, face.choices)
    colour = BLOOD if "used" in face.remarks else FADED
    canvas.paragraphs(area, [(aside_of(face), colour), (face.text, INK), (back_line(face), FADED)], largest_type(area[2]), SMALLEST)


def draw_belongings(canvas: Canvas, area: Box, table: Table, aside: str = "") -> None:
    """Items, and the cards beside the hero."""
    left, top, width, height = area
    found = [*table.items, *table.beside]
    most = min(MAX_ITEMS, table.strategy)
    draw_panel(canvas, area, f"Items: {len(table.items)} of at most {most}, and cards beside the hero", aside)
    rows = 2 if len(found) > 5 else 1
    for place, face in zip(grid((left, top + 24, width, height - 24), max(4, -(-len(found) // rows)), rows), found, strict=False):
        draw_face(canvas, place, face)


def draw_piles(canvas: Canvas, area: Box, piles: Sequence[Pile]) -> None:
    """Cards out of play, by name."""
    left, top, width, height = area
    draw_panel(canvas, area, "Out of play" if piles else "Out of play: nothing")
    texts = [(f"{pile.name} ({len(pile.cards)}): {', '.join(pile.cards)}", INK) for pile in piles]
    canvas.paragraphs((left + 8, top + 22, width - 16, height - 26), texts, 17, 12)


def draw_key(canvas: Canvas, left: float, middle: float, figures: Iterable[tuple[str, str]]) -> float:
    """What dice and figures, each an icon and its name, mean, around the height ``middle``; returns where the next thing goes."""
    x = left
    for face in (MISS, HIT, CRIT):
        draw_die(canvas, (x - 10, middle - 10), 20, 2, face)
        canvas.text((x + 26, middle - 6), FACES[face], 17)
        x += 48 + text_width(FACES[face], 17)
    draw_die(canvas, (x - 8, middle - 8), 16, 2, None, picked=True)
    canvas.text((x + 14, middle - 6), "to choose", 17)
    x += 36 + text_width("to choose", 17)
    for icon, name in figures:
        x = draw_figure(canvas, x - 12, middle - 10, 20, icon, name) + 14
    return x
