"""``render_mode="rgb_array"`` and ``"human"``: the table as a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.drawing import BLOOD, FADED, INK, PAPER, Box, Canvas, Colour, draw_card, fitted, text_width
from deckwood.core.spec import LoadedDeck
from deckwood.etherfields.render.atlas import BORDER, GROUND, NEXT, draw_health, draw_map
from deckwood.etherfields.render.icons import DARK, draw_arrow, draw_entrance, draw_resources, draw_skull, draw_star, resources_width
from deckwood.etherfields.render.view import Boss, Card, Deck, MapCard, UniqueAction, View, read_view
from deckwood.etherfields.state import AWARENESS, CUNNING, EAST, RESOURCES, WRATH
from deckwood.strong.drawing import DICE
from deckwood.strong.render.picture import (
    HEADERS,
    TABLE,
    back_line,
    draw_active,
    draw_banner,
    draw_conditions,
    draw_figures,
    draw_hero,
    draw_key,
    draw_panel,
    draw_piles,
    draw_pool,
    draw_printed_fighter,
    grid,
)
from deckwood.strong.render.view import Fighter
from deckwood.strong.terms import COLOURS, YELLOW
from deckwood.strong.words import counted

WIDTH, HEIGHT = 1800, 1180
MARGIN, GAP = 8, 6
BANNER: Colour = (52, 40, 82)
MET: Colour = (46, 130, 66)

MAP: Box = (MARGIN, 50, 764, 604)
HERE: Box = (MARGIN, 660, 764, 106)
LEFT = 778  # where the part right of the map begins
RIGHT = WIDTH - MARGIN - LEFT
HERO: Box = (LEFT, 50, RIGHT, 96)
BOSS: Box = (LEFT, 152, RIGHT, 116)
POOL: Box = (LEFT, 274, RIGHT, 82)
ACTIVE: Box = (LEFT, 362, RIGHT, 404)
HAND: Box = (MARGIN, 772, WIDTH - 2 * MARGIN, 164)
INVENTORY: Box = (MARGIN, 942, 878, 202)
DECKS: Box = (MARGIN + 884, 942, 620, 202)
OUT_OF_PLAY: Box = (MARGIN + 1510, 942, WIDTH - 2 * MARGIN - 1510, 202)
LEGEND: Box = (MARGIN, 1150, WIDTH - 2 * MARGIN, 26)


def draw(s: Any, deck: LoadedDeck) -> NDArray[np.uint8]:
    """The position as uint8 (height, width, 3). DeckwoodError without pygame."""
    canvas, view = Canvas(WIDTH, HEIGHT, TABLE), read_view(s, deck)
    table = view.table
    draw_banner(canvas, table, view.about.replace(", ", "   "), WIDTH, 360, BANNER)
    if not view.laid_out:
        draw_choices(canvas, view)
        return canvas.pixels()
    draw_ether(canvas, draw_hero(canvas, HERO, table), view)
    if view.boss:
        draw_boss(canvas, BOSS, view.boss, view.beaten)
    draw_pool(canvas, POOL, table)
    draw_panel(canvas, ACTIVE, "" if table.active else "Active area: empty")
    draw_active(canvas, ACTIVE, table.active)
    draw_panel(canvas, MAP, f"The map: {len(view.map)} card{'s' * (len(view.map) > 1)}")
    draw_map(canvas, (MAP[0] + 8, MAP[1] + 24, MAP[2] - 16, MAP[3] - 30), view.map, table.stats[0], legend=True)
    draw_here(canvas, HERE, view)
    draw_cards(canvas, HAND, f"Hand: {len(view.hand)} influence card{'s' * (len(view.hand) != 1)}", view.hand, 6)
    draw_cards(canvas, INVENTORY, f"Inventory: {len(view.inventory)} of at most {table.strategy}", view.inventory, 4)
    draw_decks(canvas, DECKS, view)
    draw_piles(canvas, OUT_OF_PLAY, view.piles)
    draw_legend(canvas)
    return canvas.pixels()


def draw_choices(canvas: Canvas, view: View) -> None:
    """Setup: the boss that was chosen, and what there is to choose from."""
    top = 50.0
    if view.boss:
        draw_boss(canvas, (MARGIN, top, WIDTH - 2 * MARGIN, 150), view.boss, None)
        top += 156
    rows = -(-len(view.choices) // 4)
    draw_active(canvas, (MARGIN, top, WIDTH - 2 * MARGIN, min(HEIGHT - top - MARGIN, 30 + 210 * rows)), view.choices, "The choice")


def draw_ether(canvas: Canvas, box: Box, view: View) -> None:
    """The chip that shows the ether, and what counts for now."""
    left, top, width, height = box
    canvas.circle((left + 40, top + 38), 27, DICE[view.ether], INK, 3)
    canvas.centred((left + 40, top + 38), COLOURS[view.ether][0].upper(), 34, INK if view.ether == YELLOW else PAPER)
    canvas.text((left + 40, top + 72), f"Ether: {COLOURS[view.ether]}", 18, INK, 0.5)
    draw_conditions(canvas, (left + 94, top + 8, width - 100, height - 12), view.table)


def draw_boss(canvas: Canvas, box: Box, boss: Boss, beaten: int | None) -> None:
    """The boss's card with its Health and Damage, and beside it the parts of its endgame condition and the defeats so far."""
    left, top, width, height = box
    card, aside = boss.card, 300
    title = f"Boss: {card.face.name}"
    area = draw_card(canvas, (left, top, width - aside - 8, height), title, HEADERS["boss"], 21, f"{card.face.side}, {boss.state}")
    x, y, wide, tall = area
    draw_figures(canvas, (x, y - 1, 86, 22), 22, card, str(card.health))
    texts = [(card.face.text or "No effects.", INK), (back_line(card.face), FADED)]
    canvas.paragraphs((x + 92, y, wide - 92, tall), texts, 19, 14)
    draw_panel(canvas, (left + width - aside, top, aside, height), "Endgame condition")
    x, y = left + width - aside + 10, top + 28.0
    for text, met in boss.parts:
        canvas.circle((x + 7, y + 7), 7, MET if met else TABLE, MET if met else BLOOD, 2)
        canvas.text((x + 22, y + 1), f"{text}{': met' if met else ''}", 19, MET if met else INK)
        y += 20
    if not boss.parts:
        canvas.text((x, y), "none", 19)
    if beaten is not None:
        canvas.text((x, top + height - 20), f"{counted(beaten, 'enemy', 'enemies')} defeated so far", 17, FADED)


def draw_here(canvas: Canvas, box: Box, view: View) -> None:
    """The hero's space, with the whole text of its actions."""
    if view.here is None:
        draw_panel(canvas, box, "The hero is not on the map")
        return
    card, space = view.here
    left, top, width, height = box
    title = f"You are in space {space.letter} of {card.name}" + "".join(f", {feature}" for feature in space.features)
    draw_panel(canvas, box, title, f"now: {', '.join(view.offers)}" if view.offers else "")
    places = grid((left, top + 24, width, height - 24), max(1, len(space.actions)), 1)
    for place, action in zip(places, space.actions, strict=False):
        draw_unique(canvas, place, action)


def draw_unique(canvas: Canvas, box: Box, action: UniqueAction) -> None:
    header, aside = (HEADERS["defeated"], "used") if action.used else (BANNER, "")
    area = draw_card(canvas, box, action.name, header, 18, aside, ["take"] * action.may)
    left, top, width, height = area
    x = left
    for i, amounts in enumerate(amounts for amounts in action.costs if any(amounts)):
        if i:
            canvas.text((x, top + 1), "/", 20)
            x += 9
        x = draw_resources(canvas, x, top - 1, 17, amounts)
    if x == left:
        canvas.text((x, top + 1), "free", 17, FADED)
        x += 28
    canvas.paragraph((x + 8, top, width - (x - left) - 8, height), action.text, 18, 13)


def draw_cards(canvas: Canvas, area: Box, title: str, cards: tuple[Card, ...], least: int) -> None:
    """Cards of the hand or the inventory in a row."""
    left, top, width, height = area
    draw_panel(canvas, area, title)
    for place, card in zip(grid((left, top + 24, width, height - 24), max(least, len(cards)), 1), cards, strict=False):
        draw_spendable(canvas, place, card)


def draw_spendable(canvas: Canvas, box: Box, card: Card) -> None:
    """A card that can be spent: what it gives at the left, at the right how it is used and for what cost."""
    face = card.face
    left, top, width, height = draw_card(canvas, box, face.name, HEADERS[face.kind], 18, face.side[:1], face.choices)
    draw_resources(canvas, left, top - 1, 17, card.gives)
    x = left + width
    if card.cost is not None and any(card.cost):
        x -= resources_width(17, card.cost)
        draw_resources(canvas, x, top - 1, 17, card.cost)
        x -= 4
    used = "used" in face.remarks
    kind = f"{card.kind}, used" if used else card.kind + ":" * (x < left + width)
    canvas.text((x, top + 1), kind, 16, BLOOD if used else FADED, 1)
    texts = [(card.timing, BLOOD), (face.text, INK), (back_line(face), FADED)]
    canvas.paragraphs((left, top + 19, width, height - 19), texts, 19, 14)


def draw_decks(canvas: Canvas, area: Box, view: View) -> None:
    """The four decks, each with its visible top card."""
    left, top, width, height = area
    each = (width - 3 * GAP) / 4
    for i, deck in enumerate(view.decks):
        draw_deck(canvas, (left + i * (each + GAP), top, each, height), deck)


def draw_deck(canvas: Canvas, area: Box, deck: Deck) -> None:
    left, top, width, height = area
    draw_panel(canvas, area, deck.name)
    counts = f"{deck.left} left, {deck.discarded} discarded" + ", from below" * deck.from_bottom
    canvas.text((left + 8, top + 20), counts, fitted(counts, 15, width - 14), BLOOD if deck.from_bottom else FADED)
    place = left + 5, top + 34, width - 10, height - 39
    if isinstance(deck.top, Fighter):
        draw_printed_fighter(canvas, place, deck.top)
    elif isinstance(deck.top, Card):
        draw_spendable(canvas, place, deck.top)
    elif isinstance(deck.top, MapCard):
        draw_top_map(canvas, place, deck.top)
    else:
        canvas.text((left + width / 2, top + 70), "empty" if not deck.left else "unknown", 18, FADED, 0.5)


def draw_top_map(canvas: Canvas, place: Box, card: MapCard) -> None:
    """The map card that comes next, as it will lie, with what its unique actions are."""
    left, top, width, height = place
    tall = min(height * 0.62, width * 0.75)
    draw_map(canvas, (left, top, width, tall), (replace(card, x=0, y=0, here=None),), 0)
    actions = [f"{space.letter} {action.name}: {action.price}" for space in card.spaces for action in space.actions]
    texts = [("\n".join(actions), INK), (card.side, FADED)]
    canvas.paragraphs((left, top + tall + 3, width, height - tall - 3), texts, 15, 12)


def draw_legend(canvas: Canvas) -> None:
    left, top, _, height = LEGEND
    draw_panel(canvas, LEGEND)
    x, y = left + 12.0, top + height / 2
    for resource in (AWARENESS, CUNNING, WRATH):
        amounts = [int(other == resource) for other in range(len(RESOURCES))]
        x = label(canvas, draw_resources(canvas, x, y - 9, 18, amounts), y, RESOURCES[resource])
    draw_skull(canvas, (x + 9, y), 9)
    x = label(canvas, x + 19, y, "activates an enemy")
    draw_arrow(canvas, (x + 9, y), 9, EAST)
    x = label(canvas, x + 19, y, "explore")
    draw_star(canvas, (x + 8, y), 8, False)
    x = label(canvas, x + 17, y, "unique action")
    draw_entrance(canvas, (x + 9, y), 9)
    x = label(canvas, x + 19, y, "Dream Entrance")
    draw_health(canvas, x, y - 8, 16, 4)
    x = label(canvas, x + 18, y, "you")
    canvas.rect((x, y - 8, 24, 16), GROUND)
    for offset in (-1.8, 1.8):
        canvas.line((x + 12 + offset, y - 8), (x + 12 + offset, y + 8), BORDER, 1.4)
    x = label(canvas, x + 25, y, "border")
    canvas.line((x + 3, y - 7), (x + 3, y + 7), DARK, 5)
    x = label(canvas, x + 7, y, "wall")
    canvas.rect((x, y - 8, 20, 16), NEXT, INK, 2, 1)
    canvas.centred((x + 10, y), "1", 15)
    x = label(canvas, x + 21, y, "reached in so many steps")
    draw_key(canvas, x + 10, y, (("heart", "Health"), ("blade", "Damage"), ("wrath", "to assault")))


def label(canvas: Canvas, x: float, middle: float, text: str) -> float:
    canvas.text((x + 3, middle - 6), text, 17)
    return x + 16 + text_width(text, 17)
