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
from deckwood.strong.terms import CRIT, HIT, MISS, RECOVERY, STATS, STRATEGY
from deckwood.tanglewoods.render.nodes import (
    DAY,
    GATES,
    NIGHT,
    NIGHT_LINE,
    at,
    draw_lines,
    draw_node,
    draw_nodes,
    draw_pawn,
    draw_wolf,
    spot_place,
)
from deckwood.tanglewoods.render.view import Face, Fighter, PathCard, Spot, View, view
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
DICE_BOX: Box = (LEFT, 148, RIGHT, 106)
ACTIVE: Box = (LEFT, 260, RIGHT, 270)
SCOUTING: Box = (LEFT, 536, RIGHT, 112)
BELONGINGS: Box = (LEFT, 654, RIGHT, 96)
PATH: Box = (MARGIN, 50, LEFT - 2 * MARGIN, 700)
LEGEND: Box = (MARGIN, 756, WIDTH - 2 * MARGIN, 38)
SHOWN_AHEAD, SHOWN = 4, 5
NODE_LEGEND = (("minion", "enemy"), ("wolf", "wolf"), ("fable", "fable"), ("campfire", "campfire"), ("home", "home"))


def draw(s: Any, deck: LoadedDeck) -> NDArray[np.uint8]:
    """The position as uint8 (height, width, 3). DeckwoodError without pygame."""
    canvas, table = Canvas(WIDTH, HEIGHT, TABLE), view(s, deck)
    toll = int(deck.tables.numbers[TOLL_GOLD])
    draw_banner(canvas, table)
    draw_hero(canvas, table)
    draw_pool(canvas, table)
    draw_active(canvas, table)
    draw_line(canvas, table)
    draw_belongings(canvas, table)
    draw_path(canvas, table, toll)
    draw_legend(canvas, toll)
    return canvas.pixels()


def draw_banner(canvas: Canvas, table: View) -> None:
    colour = ((40, 110, 60) if table.won else (130, 34, 38)) if table.over else BANNER
    canvas.rect((0, 0, WIDTH, 42), colour)
    canvas.text((12, 8), table.phase, 36, PAPER)
    about = f"difficulty {table.difficulty}   decision {table.decisions}"
    canvas.text((WIDTH - 12, 14), about, 20, PAPER, 1)
    left = max(LEFT, 12 + text_width(table.phase, 36) + 24)
    canvas.paragraph((left, 5, WIDTH - 36 - text_width(about, 20) - left, 34), table.hint, 22, 15, (240, 226, 170))


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
    draw_wolves(canvas, table, left + 730, top + 10)
    facts = [f"Damage due: {table.damage_due}"] * (table.damage_due > 0) + list(table.conditions)
    canvas.paragraph((left + 724, top + 46, width - 732, height - 50), "\n".join(facts), 17, 13, BLOOD)


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
    left, top, _, height = DICE_BOX
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


def draw_active(canvas: Canvas, table: View) -> None:
    """The active area, with the fable that is being followed and the merchant's shop."""
    left, top, width, height = ACTIVE
    found: list[Fighter | Face] = [*([table.told] if table.told else []), *table.active, *table.shop]
    canvas.rect(ACTIVE, PANEL, EDGE, 6)
    title = "Shop" if table.shop else "Active area"
    canvas.text((left + 8, top + 5), title, 18)
    canvas.text((left + width - 8, top + 5), table.prices[:1].upper() + table.prices[1:], 18, INK, 1)
    if not found:
        canvas.centred((left + width / 2, top + height / 2), "no cards", 24, FADED)
    columns = max(3, len(found) if len(found) <= 4 else 4)
    rows = 1 if len(found) <= 4 else -(-len(found) // 4)
    step, tall = (width - 8) / columns, (height - 28) / rows
    for i, card in enumerate(found):
        box = left + 8 + i % columns * step, top + 24 + i // columns * tall, step - 8, tall - 4
        if isinstance(card, Fighter):
            draw_fighter(canvas, box, card, rows == 1)
        else:
            draw_face(canvas, box, card, 20 if rows == 1 else 18)


def draw_fighter(canvas: Canvas, box: Box, enemy: Fighter, large: bool) -> None:
    """An enemy of the active area with the dice on it."""
    kind = "defeated" if enemy.defeated else enemy.face.kind
    size = 21 if large else 18
    left, top, width, height = draw_card(canvas, box, f"{enemy.place}. {enemy.face.name}", HEADERS[kind], size)
    bar = 26 if large else 20
    figures = bar * 0.82
    health = "defeated" if enemy.defeated else f"{enemy.left} of {enemy.health}"
    x = draw_figure(canvas, left, top, bar, "heart", health)
    if not enemy.defeated:
        x = draw_figure(canvas, x, top, bar, "blade", str(enemy.damage))
        if enemy.bribe is not None:
            draw_figure(canvas, x, top, bar, "coin", str(enemy.bribe))
    remarks = [remark for remark in enemy.face.remarks if remark != "defeated"]
    canvas.text((left + width, top + (bar - figures * 0.7) / 2), ", ".join(remarks), round(figures * 0.85), BLOOD, 1)
    die = 24 if large else 19
    room = die + 4 if enemy.dice else 0
    canvas.paragraph((left, top + bar + 3, width, height - bar - 3 - room), enemy.face.text, 20 if large else 17, 13, INK)
    if enemy.dice:
        gap = min(die + 3.0, (width - die) / max(1, len(enemy.dice) - 1))
        for i, (colour, face) in enumerate(enemy.dice):
            draw_die(canvas, (left + i * gap, top + height - die), die, colour, face)


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
    aside = ", ".join(face.remarks) if face.cost is None else f"{face.cost} gold"
    title = face.name
    left, top, width, height = draw_card(canvas, box, title, HEADERS[kind], size, aside="" if face.cost is None else aside)
    if face.remarks:
        canvas.text((left, top), ", ".join(face.remarks), size - 3, FADED)
        top, height = top + line_height(size - 3), height - line_height(size - 3)
    canvas.paragraph((left, top, width, height), face.text, size, 12)


def draw_line(canvas: Canvas, table: View) -> None:
    """The scouting line."""
    left, top, width, height = SCOUTING
    canvas.rect(SCOUTING, PANEL, EDGE, 6)
    canvas.text((left + 8, top + 4), "Scouting line: the leftmost comes next, the last one is the top of the Minion Deck", 17)
    canvas.text((left + width - 8, top + 4), f"deck {table.minions_left}, discard {table.minions_discarded}", 17, INK, 1)
    step = (width - 8) / max(5, len(table.line))
    for i, enemy in enumerate(table.line):
        box = left + 8 + i * step, top + 20, step - 8, height - 24
        x, y, w, h = draw_card(canvas, box, enemy.face.name, HEADERS["enemy"], 17)
        for icon, text in (("heart", str(enemy.health)), ("blade", str(enemy.damage)), ("coin", str(enemy.bribe))):
            x = draw_figure(canvas, x, y - 3, 17, icon, text)
        canvas.paragraph((box[0] + 6, y + 15, w, h - 13), enemy.face.text, 15, 11)


def draw_belongings(canvas: Canvas, table: View) -> None:
    """Items, and the cards beside the hero."""
    left, top, width, height = BELONGINGS
    found = [*table.items, *table.beside]
    canvas.rect(BELONGINGS, PANEL, EDGE, 6)
    canvas.text((left + 8, top + 4), f"Items: {len(table.items)} of at most {table.strategy}, and cards beside the hero", 17)
    canvas.text((left + width - 8, top + 4), f"item deck {table.items_left}", 17, INK, 1)
    step = (width - 8) / max(5, len(found))
    for i, face in enumerate(found):
        draw_face(canvas, (left + 8 + i * step, top + 20, step - 8, height - 24), face, 16)


def draw_path(canvas: Canvas, table: View, toll: int) -> None:
    """The hero's card, the one behind and those ahead; upward is onward."""
    left, top, width, height = PATH
    canvas.rect(PATH, PANEL, EDGE, 6)
    first = max(0, table.at_card - 1)
    last = min(len(table.path), table.at_card + SHOWN_AHEAD, first + SHOWN)
    further = table.path[last:]
    canvas.text((left + 8, top + 5), f"Path: {table.forest_left} forest cards to come, then the Cabin", 18)
    y = top + 24.0
    for i in reversed(range(len(further))):
        canvas.rect((left + 8, y + 1, 14, 12), NIGHT if further[i].night else DAY, INK, 2, 1)
        canvas.text((left + 28, y), f"{last + i}. {further[i].name}, {'night' if further[i].night else 'day'}", 17)
        y += 16
    tall = min(150.0, (top + height - y - 6) / (last - first))
    for i in reversed(range(first, last)):
        draw_path_card(canvas, (left + 6, y + (last - 1 - i) * tall, width - 12, tall - 3), table, i, toll)


def draw_path_card(canvas: Canvas, box: Box, table: View, i: int, toll: int) -> None:
    left, top, width, height = box
    card, here = table.path[i], i == table.at_card
    canvas.rect(box, NIGHT if card.night else DAY, INK if not here else GOLD, 6, 3 if here else 1.5)
    ink = PAPER if card.night else INK
    used = canvas.paragraph((left + 7, top + 8, 84, height - 30), card.name, 18, 14, ink)
    canvas.text((left + 7, top + 10 + used), f"{i}. {'night' if card.night else 'day'}", 16, NIGHT_LINE if card.night else (70, 90, 50))
    field = left + 92, top, width - 96, height
    source = table.at_place if table.at_place is not None else PLACES + table.at_threshold
    draw_lines(canvas, field, card, (source, frozenset(table.routes if here and table.travelling else ())))
    draw_nodes(canvas, field, card, 15, toll)
    if here:
        draw_here(canvas, field, card, table)


def draw_here(canvas: Canvas, field: Box, card: PathCard, table: View) -> None:
    """The hero's pawn at its place."""
    if table.at_place is None:
        draw_pawn(canvas, at(field, (GATES[table.at_threshold], float(table.crossing))), 26)
    else:
        x, y = spot_place(card, field, table.at_place)
        draw_pawn(canvas, (x + 17, y + 5), 26)


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
