"""``render_mode="rgb_array"`` and ``"human"``: the table as a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.drawing import BLOOD, FADED, INK, PAPER, Box, Canvas, Colour, Point, draw_blade, shortened, text_width
from deckwood.core.spec import LoadedDeck
from deckwood.lost_woods.render.atlas import EXIT, FOREST, GROUNDS, HERE, draw_crossing, draw_foe, draw_map, draw_woods
from deckwood.lost_woods.render.icons import (
    BEAST,
    EMPTY,
    ENEMY,
    PAWNS,
    TARGET,
    WEAPON,
    draw_die,
    draw_guardian,
    draw_pawn,
    draw_pieces,
    draw_potion,
    draw_ring,
    draw_spell,
    draw_tile_die,
    draw_well,
    polygon,
)
from deckwood.lost_woods.render.view import (
    BOTH_WAYS,
    ONE_WAY,
    OPEN,
    WAY_OUT,
    Adventurer,
    Fight,
    Guardian,
    View,
    goods_text,
    read_view,
    well_text,
)
from deckwood.lost_woods.state import D6, DICE, EAST, LETTERS, MAX_HELD, MAX_PLAYERS, MAX_SPELLS, NONE

WIDTH, HEIGHT = 1600, 1040
MARGIN, GAP = 8, 6
TABLE: Colour = (218, 210, 186)
PANEL: Colour = (238, 231, 213)
EDGE: Colour = (164, 152, 122)
BANNER: Colour = (38, 62, 44)
OVER: Colour = (150, 104, 20)
CUT: Colour = (110, 104, 96)
GREY: Colour = (160, 152, 142)

MAP: Box = (MARGIN, 50, 1136, 760)
LEGEND: Box = (MARGIN, 814, 1136, 30)
MATS: Box = (1150, 50, WIDTH - MARGIN - 1150, 794)
DECKS: Box = (MARGIN, 850, 540, 182)
SCENE: Box = (MARGIN + 546, 850, 334, 182)
BAG: Box = (MARGIN + 886, 850, 250, 182)
SPELL_LIST: Box = (1150, 850, WIDTH - MARGIN - 1150, 182)
MAT = 98.0, 150.0  # how tall a mat is: at least, at most
LOW = 120.0  # a mat that is less tall has its words in one row
CHOICES = 190.0  # how much room there is below the mats, at least


def draw(s: Any, deck: LoadedDeck) -> NDArray[np.uint8]:
    """The position as uint8 (height, width, 3). DeckwoodError without pygame."""
    canvas, view = ground().copy(), read_view(s, deck)
    draw_banner(canvas, view)
    draw_map(canvas, MAP, view.spaces, deck.names["spells"])
    draw_mats(canvas, MATS, view, deck)
    draw_decks(canvas, DECKS, view)
    draw_scene(canvas, SCENE, view, deck)
    draw_bag(canvas, BAG, view)
    draw_spells(canvas, SPELL_LIST, view)
    return canvas.pixels()


@cache
def ground() -> Canvas:
    """What lies under every picture."""
    canvas = Canvas(WIDTH, HEIGHT, TABLE)
    draw_woods(canvas, MAP)
    draw_legend(canvas, LEGEND)
    return canvas


def draw_banner(canvas: Canvas, view: View) -> None:
    """What is being decided, what for, and the turn."""
    won = any(found.won for found in view.adventurers)
    canvas.rect((0, 0, WIDTH, 42), BANNER if not view.over else OVER if won else CUT)
    seat = next((found.seat for found in view.adventurers if found.decides or found.won), NONE if view.over or view.tie else view.turn)
    x = 12.0
    if seat != NONE:
        draw_pawn(canvas, (24, 21), 15, seat, halo=True)
        x = 50
    canvas.text((x, 8), view.phase, 36, PAPER)
    canvas.text((WIDTH - 12, 14), view.about, 20, PAPER, 1)
    left = max(x + 330, x + text_width(view.phase, 36) + 24)
    canvas.paragraph((left, 5, WIDTH - 36 - text_width(view.about, 20) - left, 34), view.hint, 22, 15, (240, 226, 170), True)


def draw_panel(canvas: Canvas, area: Box, title: str = "", aside: str = "") -> None:
    """The ground on which a part of the table lies."""
    left, top, width, _ = area
    canvas.rect(area, PANEL, EDGE, 6)
    canvas.text((left + 8, top + 6), title, 19)
    canvas.text((left + width - 8, top + 7), aside, 17, FADED, 1)


# Beside the map ------------------------------------------------------------------------------------------------------------------------


def draw_mats(canvas: Canvas, area: Box, view: View, deck: LoadedDeck) -> None:
    """A mat for each adventurer, in the order of play; below them what can be chosen."""
    left, top, width, height = area
    tall = max(MAT[0], min(MAT[1], (height - CHOICES) / len(view.adventurers) - GAP))
    for found in view.adventurers:
        draw_mat(canvas, (left, top + found.seat * (tall + GAP), width, tall), found, deck, view.over)
    below = len(view.adventurers) * (tall + GAP)
    if view.choices:
        draw_choices(canvas, (left, top + below, width, height - below), view)


def draw_choices(canvas: Canvas, area: Box, view: View) -> None:
    """In the largest letters and the fewest columns in which all of them fit."""
    left, top, width, height = area
    draw_panel(canvas, area, "Choices")
    longest = max(view.choices, key=len)
    for size, columns in ((18, 1), (18, 2), (17, 1), (16, 1), (16, 2), (15, 1), (15, 2), (14, 1), (14, 2), (14, 3), (13, 2), (13, 3)):
        room = int((height - 34) / (size + 1))
        if len(view.choices) <= columns * room and text_width(longest, size) <= width / columns - 16:
            break
    else:
        room, columns, size = int((height - 34) / 14), 2, 13
    shown = view.choices
    if len(shown) > columns * room:
        shown = (*shown[: columns * room - 1], f"and {len(shown) - columns * room + 1} more")
    for place, text in enumerate(shown):
        x, y = left + 10 + place // room * (width - 8) / columns, top + 28 + place % room * (size + 1)
        canvas.text((x, y), shortened(text, size, width / columns - 14), size)


def draw_mat(canvas: Canvas, box: Box, found: Adventurer, deck: LoadedDeck, over: bool) -> None:
    left, top, width, height = box
    bright = found.won if over else found.turn
    canvas.rect(box, PANEL, TARGET if found.target else HERE if bright else EDGE, 7, 4 if bright or found.target else 1.5)
    canvas.rect((left + 5, top + 5, 54, height - 10), PAWNS[found.seat], None, 5)
    draw_pawn(canvas, (left + 32, top + height / 2), 21, found.seat, halo=True)
    x, low = left + 70, height < LOW
    canvas.text((x, top + 10), f"Player {found.seat}", 25)
    x += text_width(f"Player {found.seat}", 25) + 12
    for badge, colour in badges(found, over):
        wide = text_width(badge, 17) + 12
        canvas.rect((x, top + 9, wide, 18), colour, None, 9)
        canvas.text((x + 6, top + 12), badge, 17, PAPER)
        x += wide + 5
    where = (x + 4, top + 13) if low else (left + 70, top + 33)
    canvas.paragraph((*where, left + width - 66 - where[0], 18), f"at {found.where}", 18, 13, FADED)
    draw_pieces(canvas, (left + width - 36, top + 34), 29, found.goods.gold)
    row = 34 if low else 56
    draw_belongings(canvas, (left + 70, top + row, width - 136, height - row - 6), found, deck)


def badges(found: Adventurer, over: bool) -> list[tuple[str, Colour]]:
    shown: list[tuple[str, Colour]] = [("turn", (176, 122, 10))] * (found.turn and not over)
    shown += [("decides", BLOOD)] * (found.decides and not found.turn)
    shown += [("tied", ENEMY)] * (found.tied and not found.won and not over)
    return shown + [("wins", (30, 130, 60))] * found.won


def draw_belongings(canvas: Canvas, box: Box, found: Adventurer, deck: LoadedDeck) -> None:
    """Places for three weapons or potions and for two spells, with what is in them; one thing more for as long as it has to go."""
    left, top, width, height = box
    goods = found.goods
    held = len(goods.dice) + goods.potions
    places = max(MAX_HELD, held) + max(MAX_SPELLS, len(goods.spells))
    step = min(56.0, 2 * height * 0.34 + 8, (width - 24) / places)
    radius = step / 2 - 4
    y = top + radius
    for place in range(max(MAX_HELD, held)):
        centre = left + radius + 4 + place * step, y
        if place >= held:
            canvas.circle(centre, radius, PANEL, EMPTY)
        elif place < len(goods.dice):
            draw_tile_die(canvas, centre, radius, goods.dice[place], WEAPON)
            canvas.text((centre[0], y + radius + 4), f"D{DICE[goods.dice[place]]}", 16, INK, 0.5)
        else:
            draw_potion(canvas, centre, radius * 0.9)
            canvas.text((centre[0], y + radius + 4), "potion", 16, INK, 0.5)
    first = left + max(MAX_HELD, held) * step + 18
    for place in range(max(MAX_SPELLS, len(goods.spells))):
        centre = first + radius + place * step, y
        if place >= len(goods.spells):
            draw_empty_spell(canvas, centre, radius)
            continue
        spell = goods.spells[place]
        draw_spell(canvas, centre, radius, deck.names["spells"][spell])
        name = shortened(deck.names["spells"][spell], 16, step)
        canvas.text((centre[0], y + radius + 4), name, 16, INK, 0.5)


def draw_empty_spell(canvas: Canvas, centre: Point, radius: float) -> None:
    canvas.polygon(polygon(centre, radius * 1.05, 6), EMPTY)
    canvas.polygon(polygon(centre, radius * 0.95, 6), PANEL)


# Below the map -------------------------------------------------------------------------------------------------------------------------


def draw_legend(canvas: Canvas, area: Box) -> None:
    left, top, _, height = area
    canvas.rect(area, PANEL, EDGE, 6)
    y, r = top + height / 2, 10.0
    x = left + 16.0
    icons: tuple[tuple[str, Callable[[Point], None]], ...] = (
        ("enemy", lambda c: draw_tile_die(canvas, c, r, D6, ENEMY)),
        ("guardian", lambda c: draw_guardian(canvas, c, r, "N")),
        ("weapon", lambda c: draw_tile_die(canvas, c, r, D6, WEAPON)),
        ("potion", lambda c: draw_potion(canvas, c, r)),
        ("gold", lambda c: draw_pieces(canvas, c, r, 1)),
        ("spell", lambda c: draw_spell(canvas, c, r, "Bo")),
        ("well", lambda c: draw_well(canvas, c, r, "Bo", True)),
        ("its spell is away", lambda c: draw_well(canvas, c, r, "Bo", False)),
    )
    for text, icon in icons:
        icon((x, y))
        canvas.text((x + 14, y - 6), text, 17)
        x += 30 + text_width(text, 17)
    for text, kind in (("both ways", BOTH_WAYS), ("one way", ONE_WAY), ("unexplored", OPEN), ("the way out", WAY_OUT)):
        canvas.rect((x - 12, y - 10, 36, 20), FOREST, None, 4)
        draw_crossing(canvas, (x - 6, y), 44 if kind == BOTH_WAYS else 11, 42, EAST, kind)
        canvas.text((x + 31, y - 6), text, 17)
        x += 54 + text_width(text, 17)
    draw_ring(canvas, (x, y), 8)
    canvas.circle((x, y), 8, PANEL)
    canvas.text((x + 18, y - 6), "can be chosen", 17)


def draw_decks(canvas: Canvas, area: Box, view: View) -> None:
    """The four decks with what is left of them, and their guardians."""
    left, top, width, height = area
    draw_panel(canvas, area, "Decks and guardians")
    wide = (width - 8) / len(view.guardians)
    for direction, found in enumerate(view.guardians):
        draw_deck(canvas, (left + 8 + direction * wide, top + 26, wide - 8, height - 34), found, direction)


def draw_deck(canvas: Canvas, box: Box, found: Guardian, direction: int) -> None:
    left, top, width, height = box
    letter = LETTERS[direction]
    for under in range(min(3, found.left), 0, -1):
        canvas.rect((left + 2 * under - 2, top + 2 * under - 2, 44, 58), GROUNDS[direction], INK, 5, 1)
    if found.left:
        canvas.centred((left + 22, top + 20), letter, 28, INK)
        canvas.centred((left + 22, top + 44), str(found.left), 26, BLOOD)
    else:
        canvas.rect((left, top, 44, 58), PANEL, EXIT, 5, 3)
        canvas.centred((left + 22, top + 18), letter, 26, FADED)
        canvas.centred((left + 22, top + 36), "way", 17, INK)
        canvas.centred((left + 22, top + 48), "out", 17, INK)
    draw_guardian(canvas, (left + width - 34, top + 26), 23, letter, faint=found.defeated or not found.come)
    draw_pieces(canvas, (left + width - 12, top + 46), 11, found.foe.gold)
    canvas.text((left, top + 67), shortened(found.foe.name, 17, width), 17, FADED if found.defeated else INK)
    for place, die in enumerate(found.foe.dice):
        draw_die(canvas, (left + 12 + place * 27, top + 97), 11.5, die, GREY if found.defeated else BEAST)
    canvas.paragraph((left, top + 115, width, height - 113), found.state, 16, 13, FADED)


def draw_scene(canvas: Canvas, area: Box, view: View, deck: LoadedDeck) -> None:
    """The fight that is going on, else the room where the adventurer is; at the end, who has how much."""
    if view.tie:
        draw_tie(canvas, area, view)
    elif view.over:
        draw_ranking(canvas, area, view)
    elif view.fight is not None:
        draw_fight(canvas, area, view.fight, view.turn)
    else:
        draw_room(canvas, area, view, deck)


def draw_fight(canvas: Canvas, area: Box, found: Fight, seat: int) -> None:
    left, top, width, _ = area
    draw_panel(canvas, area, "Fight", f"{found.foe.gold} gold")
    y = top + 72
    mine, theirs = left + 82, left + width - 82
    for x, ring in ((mine, found.rerolls[0]), (theirs, found.rerolls[1])):
        if ring:
            draw_ring(canvas, (x, y), 33)
    if found.die != NONE:
        draw_die(canvas, (mine, y), 36, found.die, PAWNS[seat], str(found.roll) if found.roll else "?")
    else:
        canvas.circle((mine, y), 34, PANEL, EMPTY)
        canvas.centred((mine, y), "?", 40, EMPTY)
    several = len(found.foe.dice) > 1
    rolling = found.foe.dice[min(found.wins, len(found.foe.dice) - 1)]
    draw_die(canvas, (theirs, y), 36, rolling, BEAST if several else ENEMY, str(found.foe_roll) if found.foe_roll else "?")
    draw_blade(canvas, (left + width / 2, y), 18)
    weapon = found.weapon if found.die == NONE or found.weapon.startswith("D") else f"{found.weapon}, D{DICE[found.die]}"
    for x, name, under in ((mine, f"Player {seat}", weapon), (theirs, found.foe.name, f"D{DICE[rolling]}")):
        canvas.text((x, top + 119), shortened(name, 20, width / 2 - 12), 20, INK, 0.5)
        canvas.text((x, top + 135), shortened(under, 18, width / 2 - 12), 18, FADED, 0.5)
    if several:
        draw_rolls(canvas, (left + 14, top + 164), found)


def draw_rolls(canvas: Canvas, place: Point, found: Fight) -> None:
    """A guardian's dice in their order: those that were beaten are crossed out, the one that it rolls now has a ring."""
    x, y = place
    told = f"Roll {found.wins + 1} of {len(found.foe.dice)}:"
    canvas.text((x, y - 6), told, 18)
    x += text_width(told, 18) + 22
    for number, die in enumerate(found.foe.dice):
        if number == found.wins:
            canvas.circle((x, y), 17, HERE, INK, 1.2)
        draw_die(canvas, (x, y), 12, die, GREY if number < found.wins else BEAST)
        if number < found.wins:
            canvas.line((x - 10, y + 10), (x + 10, y - 10), BLOOD, 2.4)
        x += 40
    if found.wins:
        canvas.text((x - 12, y - 6), f"{found.wins} won", 18, BLOOD)


def draw_tie(canvas: Canvas, area: Box, view: View) -> None:
    """The dice of those who fight for a tie."""
    left, top, width, _ = area
    draw_panel(canvas, area, "The tied fight each other")
    found = [one for one in view.adventurers if one.tied or one.duel_item]
    step = (width - 12) / len(found)
    radius = min(32.0, step * 0.4)
    for place, one in enumerate(found):
        centre = left + 6 + step * (place + 0.5), top + 80
        if one.target:
            draw_ring(canvas, centre, radius)
        if one.duel_die != NONE:
            colour = PAWNS[one.seat] if one.tied else EMPTY
            draw_die(canvas, centre, radius, one.duel_die, colour, str(one.duel_roll) if one.duel_roll else "?")
        else:
            canvas.circle(centre, radius, PANEL, EMPTY)
        canvas.text((centre[0], top + 122), shortened(f"Player {one.seat}", 18, step), 18, INK, 0.5)
        canvas.text((centre[0], top + 138), shortened(one.duel_item, 17, step), 17, FADED, 0.5)
        state = "wins" if one.won else "" if one.tied else "beaten"
        canvas.text((centre[0], top + 156), state, 17, BLOOD, 0.5)


def draw_ranking(canvas: Canvas, area: Box, view: View) -> None:
    """Who has most gold."""
    left, top, width, height = area
    draw_panel(canvas, area, "Gold")
    ranked = sorted(view.adventurers, key=lambda found: (-found.goods.gold, not found.won))
    step = (height - 34) / MAX_PLAYERS
    for place, found in enumerate(ranked):
        y = top + 30 + step * (place + 0.5)
        draw_pawn(canvas, (left + 24, y), step * 0.44, found.seat)
        longest = max(1, ranked[0].goods.gold)
        canvas.rect((left + 44, y - step * 0.34, 4 + (width - 110) * found.goods.gold / longest, step * 0.68), (226, 170, 40), None, 3)
        canvas.text((left + 54 + (width - 110) * found.goods.gold / longest, y - 7), str(found.goods.gold), 20)


def draw_room(canvas: Canvas, area: Box, view: View, deck: LoadedDeck) -> None:
    """The room that is being explored, or where the adventurer is whose turn it is, in words."""
    left, top, width, height = area
    here = min((space for space in view.spaces if space.new or space.here), key=lambda space: not space.new, default=None)
    if here is None:
        draw_panel(canvas, area, "Before the first turn")
        return
    draw_panel(canvas, area, shortened(here.name, 19, width - 120), "being explored" if here.new else "")
    kinds = Counter(here.foes)  # the guardian first
    lines = ["No enemy here."] * (not kinds)
    lines += [f"Here lie: {goods_text(here.goods, deck)}."] * bool(here.goods)
    lines += [f"Here is {well_text(here, deck)}."] * (here.well != NONE)
    lines += [f"{fact[0].upper()}{fact[1:]}." for fact in view.facts]
    step = min(26.0, (height - 34 - 17 * min(3, len(lines))) / max(1, len(kinds)))
    size = max(13, min(18, round(step * 0.9)))
    y = top + 30 + step / 2
    for foe, count in kinds.items():
        draw_foe(canvas, (left + 20, y), min(12.0, step * 0.48), foe)
        text = f"{count} x {foe.text}" if count > 1 else foe.text
        canvas.text((left + 38, y - 0.31 * size), shortened(text, size, width - 44), size)
        y += step
    y -= step / 2
    canvas.paragraph((left + 10, y + 3, width - 20, top + height - y - 5), "\n".join(lines), 18, 13)


def draw_bag(canvas: Canvas, area: Box, view: View) -> None:
    """The supply and the tiles in the bag."""
    left, top, width, height = area
    tiles = sum(count for _, count in view.bag)
    draw_panel(canvas, area, f"Bag: {tiles} tiles")
    canvas.text((left + width - 40, top + 7), "supply", 17, FADED, 1)
    draw_pieces(canvas, (left + width - 22, top + 18), 15, view.supply)
    half = -(-len(view.bag) // 2)
    step = min(20.0, (height - 34) / max(1, half))
    for place, (name, count) in enumerate(view.bag):
        x = left + 8 + place // half * (width - 8) / 2
        y = top + 32 + place % half * step
        canvas.text((x, y), shortened(f"{count} x {name.partition(' (')[0]}", 17, width / 2 - 12), 17)


def draw_spells(canvas: Canvas, area: Box, view: View) -> None:
    """Where each spell is."""
    left, top, width, height = area
    draw_panel(canvas, area, "Magic")
    rows = (len(view.spells) + 1) // 2
    wide, step = (width - 8) / 2, (height - 28) / rows
    for place, spell in enumerate(view.spells):
        x, y = left + 6 + place // rows * wide, top + 26 + place % rows * step
        draw_spell(canvas, (x + 17, y + step / 2 - 1), 15, spell.name, faint=spell.state == "not discovered")
        canvas.text((x + 37, y), shortened(spell.name, 17, wide - 42), 17)
        canvas.paragraph((x + 37, y + 13, wide - 42, step - 13), spell.state, 15, 12, FADED)
