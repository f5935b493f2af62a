"""The packages of a checkout, which of them import which, and a picture of that (docs/images/packages.svg, by ``make docs``)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path

SOURCES = {"deckwood": "envs", "deckwood_agents": "agents"}

Graph = Mapping[str, frozenset[str]]  # package, such as "deckwood.core" -> the packages that it imports

MEANINGS = {
    "deckwood.core": "contract, driver, decks, replays",
    "deckwood.adapters": "Gymnasium, PettingZoo",
    "deckwood.strong": "what 20 Strong games share",
    "deckwood.solver": "exact values and policies",
    "deckwood.advise": "odds for a player at the table",
    "deckwood.tanglewoods": "a game",
    "deckwood.etherfields": "a game",
    "deckwood.lost_woods": "a game, 2 to 6 players",
    "deckwood.dice_commit": "a game of one engagement",
    "deckwood_agents.players": "scripted, search, networks",
    "deckwood_agents.measuring": "evaluation, tournaments",
    "deckwood_agents.learning": "PPO, imitation, self-play",
    "deckwood_agents.studies": "tuning, charts of dice",
    "deckwood_agents.results": "the page of results",
}


def imports(root: Path) -> Graph:
    """Every package directly below ``deckwood`` and ``deckwood_agents``, with those that its modules import, anywhere in them."""
    homes = {
        f"{top}.{home.parent.name}": home.parent for top, base in SOURCES.items() for home in (root / base / top).glob("*/__init__.py")
    }
    return {
        name: frozenset(used for path in home.rglob("*.py") for used in _imported(path) if used in homes and used != name)
        for name, home in sorted(homes.items())
    }


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (".".join(name.split(".")[:2]) for name in names)


def levels(graph: Graph) -> dict[str, int]:
    """The floor of each package: 0 for one that imports none, else one above the highest that it imports. ValueError for a circle."""
    floors: dict[str, int] = {}
    while len(floors) < len(graph):
        ready = [name for name in graph if name not in floors and graph[name] <= floors.keys()]
        if not ready:
            raise ValueError(f"packages import each other in a circle: {', '.join(sorted(set(graph) - set(floors)))}")
        floors |= {name: 1 + max((floors[used] for used in graph[name]), default=-1) for name in ready}
    return floors


def direct(graph: Graph) -> Graph:
    """Without the arrows that follow from others."""
    reached: dict[str, set[str]] = {}
    for name in sorted(graph, key=levels(graph).__getitem__):
        reached[name] = set(graph[name]).union(*(reached[used] for used in graph[name]))
    return {name: used - frozenset().union(*(reached[other] for other in used)) for name, used in graph.items()}


# The picture ---------------------------------------------------------------------------------------------------------------------------

BOX, GAP, LANE, ROW, HEIGHT, MARGIN = 196, 28, 24, 100, 52, 24

STYLE = """
text { font: 600 15px system-ui, sans-serif; fill: #20303a; text-anchor: middle }
.meaning { font: 12px system-ui, sans-serif; fill: #52646f }
.page { fill: #ffffff }
.deckwood { fill: #e3f1ee; stroke: #2b7a6d }
.deckwood_agents { fill: #fbeedd; stroke: #b06a1b }
.arrow { fill: none; stroke: #8496a0; stroke-width: 1.5 }
.head { fill: #8496a0 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf1 } .meaning { fill: #a9bac4 } .page { fill: #1d2429 }
  .deckwood { fill: #1f3f3a; stroke: #5fb3a4 } .deckwood_agents { fill: #46331d; stroke: #d99a4e }
}
"""


def picture(graph: Graph) -> str:
    """An SVG: packages in rows by :func:`levels`, an arrow to each that a package imports but for those that follow from others."""
    arrows = {name: sorted(used) for name, used in direct(graph).items()}
    floors = levels(graph)
    rows: list[list[str]] = [[] for _ in range(max(floors.values()) + 1)]
    for name in sorted(graph):
        rows[floors[name]].append(name)
    paths = _paths(arrows, floors, rows)
    _order(paths, rows)
    width = max(map(_width, rows)) + 2 * MARGIN
    height = len(rows) * ROW - (ROW - HEIGHT) + 2 * MARGIN
    place = {name: (x, height - MARGIN - HEIGHT - floor * ROW) for floor, row in enumerate(rows) for name, x in _places(row, width)}
    body = [_arrow([place[at] for at in path]) for path in paths] + [_box(name, *place[name]) for name in sorted(graph)]
    marker = '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
            "<title>The packages, and which import which</title>",
            f"<style>{STYLE}</style>",
            f'<defs>{marker}<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
            f'<rect class="page" width="{width}" height="{height}" rx="8"/>',
            *body,
            "</svg>\n",
        ]
    )


def _paths(arrows: Mapping[str, list[str]], floors: Mapping[str, int], rows: list[list[str]]) -> list[list[str]]:
    """Each arrow as what it meets from row to row; in rows between, a lane of its own is added."""
    paths = []
    for name, targets in sorted(arrows.items()):
        for used in targets:
            between = range(floors[name] - 1, floors[used], -1)
            lanes = {floor: f"{name}>{used} {floor}" for floor in between}
            paths.append([name, *lanes.values(), used])
            for floor, lane in lanes.items():
                rows[floor].append(lane)
    return paths


def _order(paths: list[list[str]], rows: list[list[str]]) -> None:
    """Sort each row by where its neighbours above and below lie, a few times over (the barycentre method)."""
    at = {(floor, name): index / len(row) for floor, row in enumerate(rows) for index, name in enumerate(row)}
    neighbours: dict[tuple[int, str], list[tuple[int, str]]] = {key: [] for key in at}
    floor_of = {name: floor for floor, row in enumerate(rows) for name in row if ">" not in name}
    for path in paths:
        steps = [(floor_of[path[0]] - index, name) for index, name in enumerate(path)]
        steps[-1] = (floor_of[path[-1]], path[-1])
        for upper, lower in pairwise(steps):
            neighbours[upper].append(lower)
            neighbours[lower].append(upper)
    for sweep in range(24):
        for floor in sorted(range(len(rows)), reverse=bool(sweep % 2)):
            means = {
                name: sum(at[other] for other in neighbours[floor, name]) / max(1, len(neighbours[floor, name])) for name in rows[floor]
            }
            rows[floor].sort(key=lambda name: (means[name], name))
            at |= {(floor, name): (index + 0.5) / len(rows[floor]) for index, name in enumerate(rows[floor])}


def _width(row: list[str]) -> int:
    return sum(LANE if ">" in name else BOX for name in row) + GAP * (len(row) - 1)


def _places(row: list[str], width: int) -> Iterator[tuple[str, int]]:
    """The middle of each entry of a row."""
    x = (width - _width(row)) // 2
    for name in row:
        own = LANE if ">" in name else BOX
        yield name, x + own // 2
        x += own + GAP


def _arrow(points: list[tuple[int, int]]) -> str:
    (x, y), *inner, (end_x, end_y) = points
    drawn = [f"M{x} {y + HEIGHT}"]
    at_y = y + HEIGHT
    for next_x, next_y in [*inner, (end_x, end_y)]:
        middle = (at_y + next_y) // 2
        drawn.append(f"C{x} {middle} {next_x} {middle} {next_x} {next_y}")
        x, at_y = next_x, next_y
        if (next_x, next_y) != (end_x, end_y):
            drawn.append(f"V{next_y + HEIGHT}")
            at_y = next_y + HEIGHT
    return f'<path class="arrow" marker-end="url(#head)" d="{"".join(drawn)}"/>'


def _box(name: str, x: int, y: int) -> str:
    top, _, own = name.partition(".")
    meaning = escape(MEANINGS.get(name, ""))
    return (
        f'<rect class="{top}" x="{x - BOX // 2}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{x}" y="{y + 22}">{escape(own)}</text><text class="meaning" x="{x}" y="{y + 40}">{meaning}</text>'
    )
