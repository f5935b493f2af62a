"""The generated parts of the documentation, from specs, decks and measurements.

``python -m deckwood.docs`` regenerates them in place; with ``--check`` it changes nothing and fails if a page is stale.

A page (README.md or one in docs/) holds blocks ``<!-- generated: NAME -->`` ... ``<!-- /generated -->``, NAME being a function of
:data:`BLOCKS`. A game's page has the name of the game's folder; elsewhere a block names its subject, ``<!-- generated: NAME SUBJECT -->``:
the folder of a game, or an entry of the measurements in docs/data. The picture of the packages is drawn as well (:data:`PICTURE`).
What is not in a spec comes from a module ``catalogue`` in the game's folder: ``card_tables(deck)``, ``FILE``, and ``OWN_OPS`` where the
deck has ops of its own.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from deckwood.core import registry
from deckwood.core.decks import _allowed, _types, quoted
from deckwood.core.errors import DeckwoodError
from deckwood.core.files import write_atomically
from deckwood.core.golden import stored_hash
from deckwood.core.program import program
from deckwood.core.spec import GameSpec, LoadedDeck
from deckwood.dependencies import imports, picture
from deckwood.strong.deck import (
    ARGUMENTS,
    PER_TEXT,
    BossEffect,
    Effect,
    EnemyEffect,
    FableEffect,
    PowerUpEffect,
    Reward,
    UsedEffect,
    vocabulary_table,
)
from deckwood.strong.terms import PERS, WHEN_MEANINGS, WHENS

CHECKOUT = Path(__file__).resolve().parents[2]
PICTURE = "docs/images/packages.svg"
BLOCK = re.compile(r"<!-- generated: (\w+)(?: (\w+))? -->\n(.*?)<!-- /generated -->", re.DOTALL)
OPENING = re.compile(r"^<!-- generated\b", re.MULTILINE)


class DocsError(DeckwoodError, ValueError):
    """A page with a block that cannot be made."""


@dataclass(frozen=True)
class Source:
    """What a block is made from: a page of the checkout at ``root`` and what the block is about, such as the folder of a game."""

    root: Path
    page: str
    subject: str

    @cached_property
    def spec(self) -> GameSpec:
        found = {folder_of(spec): spec for spec in map(registry.spec, registry.games())}
        if self.subject not in found:
            raise DocsError(f"{self.page}: no game in a folder {self.subject!r}; there are {', '.join(found)}")
        return found[self.subject]

    @cached_property
    def deck(self) -> LoadedDeck:
        return self.spec.load_deck(None)

    @property
    def catalogue(self) -> Any:
        return importlib.import_module(f"{package_of(self.spec)}.catalogue")

    def measured(self, file: str) -> Any:
        """A JSON file of measurements, or None while there is none."""
        path = self.root / file
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def package_of(spec: GameSpec) -> str:
    return registry.GAMES[spec.env_id].partition(":")[0].rpartition(".")[0]


def folder_of(spec: GameSpec) -> str:
    return package_of(spec).rpartition(".")[2]


# Markdown ------------------------------------------------------------------------------------------------------------------------------


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; lines within a cell are kept."""
    lines = [columns, ["--"] * len(columns), *rows]  # as mdformat writes them
    return "\n".join("| " + " | ".join(_cell(value) for value in line) + " |" for line in lines)


def _cell(value: object) -> str:
    text = str(value).replace("|", "\\|").replace("\n", "<br>")
    if "[[" in text:  # a table of a deck file
        return text
    return re.sub(r"\[(?=[^\]]*\[)", r"\\[", text).replace("]]", "]\\]")  # brackets within brackets, as mdformat writes them


def wrapped(text: str) -> str:
    """Prose as mdformat leaves it."""
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def code(words: Iterable[object]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def entries(labels: Sequence[str]) -> str:
    """Labels with what several of them begin with told once: "1, 2: each a, b" for "1 a", "1 b", "2 a", "2 b", or with points."""
    heads: dict[str, list[str]] = {}
    for label in labels:
        head, _, tail = label.partition("." if "." in label else " ")
        heads.setdefault(head, []).append(tail)
    tails = next(iter(heads.values()))
    if len(heads) > 1 and len(tails) > 1 and all(other == tails for other in heads.values()):
        return f"{', '.join(heads)}: each {entries(tails)}"
    return ", ".join(labels)


# A game's page -------------------------------------------------------------------------------------------------------------------------


def summary(source: Source) -> str:
    spec = source.spec
    fewest, most = spec.seats
    low, high = spec.payoff_range
    return table(
        ("", ""),
        (
            ("Id", f"`{spec.env_id}`"),
            ("Players", fewest if fewest == most else f"{fewest} to {most}"),
            ("Action space", f"`Discrete({len(spec.actions)})`, with a mask"),
            ("Observation space", f"`Box` of {spec.observation_size} `float32`, each within the range given below"),
            ("Payoff of a game", f"{low:g} to {high:g}"),
            ("Longest game", f"{spec.longest_game:,} decisions, forced ones included; then it is truncated"),
            ("A position", f"{spec.dtype.itemsize:,} bytes"),
        ),
    )


def actions(source: Source) -> str:
    rows = ((index, f"`{action.name}`", action.group, action.text) for index, action in enumerate(source.spec.actions))
    return table(("index", "name", "group", "meaning"), rows)


def observation(source: Source) -> str:
    """A long list of entries that a feature shares with one before it is told there."""
    rows = []
    first: dict[tuple[str, ...], str] = {}
    for feature in source.spec.features:
        where = source.spec.slices[feature.name]
        place = f"{where.start}" if feature.size == 1 else f"{where.start}:{where.stop}"
        before = first.setdefault(feature.labels, feature.name)
        told = entries(feature.labels) if feature.labels else ""
        if before != feature.name and len(told) > 200:
            told = f"as in `{before}`"
        meaning = feature.meaning + (f"\n*{told}*" if told else "")
        rows.append((place, f"`{feature.name}`", feature.size, f"{feature.low:g} to {feature.high:g}", meaning))
    return table(("slice", "name", "size", "range", "meaning"), rows)


def options(source: Source) -> str:
    rows = []
    for option in source.spec.options:
        names = option.names(source.deck)
        if isinstance(option.default, bool):
            allowed = "`True`, `False`"
        else:
            allowed = code(repr(name) for name in names if name) if names else f"{option.low} to {option.high}"
        rows.append((f"`{option.name}`", f"`{option.default!r}`", allowed, option.meaning))
    return table(("option", "default", "allowed", "meaning"), rows)


def endings(source: Source) -> str:
    """Whether the players have won is told where they play against the game, not against each other."""
    told = any(ending.won for ending in source.spec.endings)
    rows = ((f"`{ending.name}`", ending.meaning, *["yes" if ending.won else "no"] * told) for ending in source.spec.endings)
    return table(('`info["ended"]`', "meaning", *["won"] * told), rows)


def readings(source: Source) -> str:
    rows = ((reading.where, reading.text, reading.reading) for reading in source.spec.readings)
    return table(("rulebook", "what it says", "what we do"), rows)


def golden(source: Source) -> str:
    found = stored_hash(source.spec)
    return wrapped(f"The golden hash of `{source.spec.env_id}` is `{found}`.") if found else "No golden hash is recorded yet."


def cards(source: Source) -> str:
    deck = source.deck
    heading = ". ".join(part.rstrip(".") for part in deck.names.get("deck", ()) if part)
    parts = [wrapped(f"{heading}.")] if heading else []
    for title, columns, rows in source.catalogue.card_tables(deck):
        parts.append(f"### {title}\n\n{table(columns, rows)}")
    return "\n\n".join(parts)


def balance(source: Source) -> str:
    """docs/data/balance.json: {env id: {"note": text, "tables": [{"title", "columns", "rows"}]}}."""
    found = (source.measured("docs/data/balance.json") or {}).get(source.spec.env_id)
    if found is None:
        return "Not measured yet."
    parts = [wrapped(found["note"])] if found.get("note") else []
    parts += [wrapped(f"**{entry['title']}**") + f"\n\n{table(entry['columns'], entry['rows'])}" for entry in found["tables"]]
    return "\n\n".join(parts)


# The vocabulary of cards ---------------------------------------------------------------------------------------------------------------

EFFECTS: tuple[tuple[type[Effect], str], ...] = (
    (EnemyEffect, "an enemy's effect"),
    (BossEffect, "a boss's effect"),
    (Reward, "a reward"),
    (FableEffect, "a fable's effect"),
    (UsedEffect, "an item's, hero's or action's effect"),
    (PowerUpEffect, "a power-up's effect"),
)
"""Kinds of effect, and what this documentation calls them."""


def ops(source: Source) -> str:
    return vocabulary_table().strip()


def own_ops(source: Source) -> str:
    return vocabulary_table(source.catalogue.OWN_OPS).strip()


def arguments(source: Source) -> str:
    rows = [
        (f"`{name}`", code(words) + (', a list of some, or `"all"`' if name == "colours" else "")) for name, words in ARGUMENTS.values()
    ]
    return table(("field", "words"), rows)


def whens(source: Source) -> str:
    return table(("when", "meaning"), ((f"`{name}`", meaning) for name, meaning in zip(WHENS, WHEN_MEANINGS, strict=True)))


def pers(source: Source) -> str:
    return table(("per", "count is meant"), ((f"`{name}`", text.strip()) for name, text in zip(PERS[1:], PER_TEXT[1:], strict=True)))


def moments(source: Source) -> str:
    rows = []
    for kind, name in EFFECTS:
        standing = [f"`{when}`" + (" (if not said)" if not at else "") for at, when in enumerate(kind.standing)]
        instructions = [f"`{when}`" + (" (if not said)" if when == kind.implied else "") for when in kind.moments]
        rows.append((name, ", ".join(standing) or "none", ", ".join(instructions)))
    return table(("kind", "`when` of a modifier", "`when` of an instruction"), rows)


def fields(source: Source) -> str:
    """Every table of a deck file with its fields, from the models that check it; with their meanings where the models tell them."""
    file = source.catalogue.FILE
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for where, name, allowed, meaning in _fields(file, "", "top of the file", dict(_places(file, ""))):
        grouped.setdefault((where, allowed, meaning), []).append(name)
    told = any(meaning for _, _, meaning in grouped)
    rows = [(where, code(names), allowed, *[meaning] * told) for (where, allowed, meaning), names in grouped.items()]
    return table(("table", "fields", "allowed", *["meaning"] * told), rows)


def _fields(model: type[BaseModel], path: str, shown: str, places: dict[type[BaseModel], str]) -> Iterator[tuple[str, str, str, str]]:
    """Table, field, what is allowed in it, and what it means."""
    inner: list[tuple[str, FieldInfo, list[type[BaseModel]]]] = []
    for name, field in model.model_fields.items():
        found = list(_models(field.annotation))
        if found and not issubclass(found[0], Effect):
            inner.append((name, field, found))
        elif name != "type":
            allowed = re.sub(r"(?<=of the form )\S+", r"`\g<0>`", _allowed(field.annotation, field.metadata))
            if found:
                some = "one or more" if any(getattr(item, "min_length", 0) for item in field.metadata) else "a list"
                allowed = f"{some}, each {next(text for kind, text in EFFECTS if kind is found[0])}"
            yield shown, name, allowed + ("" if field.is_required() else " (may be left out)"), field.description or ""
    if path and len(inner) == len(model.model_fields):
        yield from ((shown, name, "a table", field.description or "") for name, field, _ in inner)
    for name, field, parts in inner:
        below = _below(path, name, field)
        if len(parts) > 1:
            yield f"`[{below}]`", "type", _kinds(parts, places), field.description or ""
            for kind in parts:
                if kind not in places:
                    yield from _fields(kind, below, f"`[{below}]`, {quoted(_types(kind))}", places)
            continue
        several = get_origin(field.annotation) is list
        left_out = "" if several or field.is_required() else ", may be left out"
        yield from _fields(parts[0], below, f"`[[{below}]]`{_number(field)}" if several else f"`[{below}]`{left_out}", places)


def _below(path: str, name: str, field: FieldInfo) -> str:
    """The name of a table within the one at ``path``; NAME stands for any name that the file gives it."""
    below = f"{path}.{name}" if path else name
    return f"{below}.NAME" if get_origin(field.annotation) is dict else below


def _places(model: type[BaseModel], path: str) -> Iterator[tuple[type[BaseModel], str]]:
    """Where each model is the only one that a table may be."""
    for name, field in model.model_fields.items():
        found = list(_models(field.annotation))
        if len(found) == 1 and not issubclass(found[0], Effect):
            below = _below(path, name, field)
            yield found[0], below
            yield from _places(found[0], below)


def _kinds(models: Sequence[type[BaseModel]], places: dict[type[BaseModel], str]) -> str:
    """The kinds of table, as ``type`` names them, and where their other fields are listed if not here."""
    return ", or ".join(quoted(_types(kind)) + (f" and the fields of `[{places[kind]}]`" if kind in places else "") for kind in models)


def _number(field: FieldInfo) -> str:
    least, most = (
        next((found for item in field.metadata if (found := getattr(item, name, None))), 0) for name in ("min_length", "max_length")
    )
    return "" if not most else f" × {most}" if least == most else f", up to {most}"


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models within an annotation."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)


# Speed ---------------------------------------------------------------------------------------------------------------------------------


def benchmarks(source: Source) -> str:
    """benchmarks/results.json, as benchmarks/run.py writes it."""
    found = source.measured("benchmarks/results.json")
    if found is None:
        return "Not measured yet: `make bench ARGS='--json benchmarks/results.json'`."
    machine = found["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    parts = [wrapped(f"Measured on {machine['cpu']}, {machine['cores']} cores in use, {machine['system']}; {versions}.")]
    if found["quick"]:
        parts.append("These are figures of a quick run, not a measurement.")
    for env_id, rows in found["games"].items():
        shown = [
            (row["what"], row["unit"], _amount(row["median"]), f"{_amount(row['low'])} to {_amount(row['high'])}", _aim(row))
            for row in rows
        ]
        parts.append(f"**{env_id}**\n\n" + table(("what", "unit", "median", "lowest to highest", "aim"), shown))
    return "\n\n".join(parts)


def _amount(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _aim(row: dict[str, Any]) -> str:
    if row["aim"] is None:
        return ""
    least = row["unit"].endswith("/s")
    met = row["median"] >= row["aim"] if least else row["median"] <= row["aim"]
    return f"{'at least' if least else 'under'} {_amount(row['aim'])}: {'met' if met else 'not met'}"


FASTEST = ("gymnasium.make", "deckwood.Batch, 64 games", "deckwood.Batch, 1024 games", "gymnasium.make_vec, 1024 games")


def speed(source: Source) -> str:
    """Decisions per second of the games and interfaces that people ask for first."""
    games = source.measured("benchmarks/results.json")["games"]
    medians = {env_id: {row["what"]: _amount(row["median"]) for row in rows} for env_id, rows in games.items()}
    shown = [(env_id, found) for env_id, found in medians.items() if FASTEST[0] in found]
    rows = ((what, *(found[what] for _, found in shown)) for what in FASTEST)
    return table(("decisions per second, one core", *(f"`{env_id}`" for env_id, _ in shown)), rows)


# Results -------------------------------------------------------------------------------------------------------------------------------


def run(source: Source) -> str:
    """docs/data/runs/SUBJECT.json, the ``result.json`` of a run: its closing table."""
    rows = []
    for name, row in source.measured(f"docs/data/runs/{source.subject}.json")["agents"].items():
        wins = " to ".join(f"{100 * end:.2f}" for end in row["win_rate_ci"])
        returns = " to ".join(f"{end:.3f}" for end in row["mean_return_ci"])
        rows.append((f"`{name}`", f"{100 * row['win_rate']:.2f}", wins, f"{row['mean_return']:.3f}", returns))
    return table(("agent", "wins %", "95% interval", "mean return", "95% interval"), rows)


def measured(source: Source) -> str:
    """docs/data/training.json: {SUBJECT: {"columns", "rows"}}, results of runs whose games are no longer played."""
    found = source.measured("docs/data/training.json")[source.subject]
    return table(found["columns"], found["rows"])


STANDINGS = (
    ("Tanglewoods, difficulty 5", "wins %"),
    ("Etherfields, rank 1, the first boss", "wins %"),
    ("Lost Woods, four players", "wins % among expert"),
    ("DiceCommit, medium fights", "exact regret, % of the range"),
)
"""Sections of docs/results.md, and the column that tells most."""


def standings(source: Source) -> str:
    """The agents that most games have, from the first table of each of those sections."""
    agents = ("random", "greedy", "expert", "ppo")
    page = (source.root / "docs" / "results.md").read_text(encoding="utf-8")
    rows = []
    for section, column in STANDINGS:
        found = _first_table(page, section)
        rows.append((section, column, *(found[agent][column] or "-" for agent in agents)))
    return table(("game", "", *(f"`{agent}`" for agent in agents)), rows)


def _first_table(page: str, section: str) -> dict[str, dict[str, str]]:
    """The first table below a heading: {first cell of a row: {column: cell}}."""
    text = page.partition(f"\n## {section}\n")[2]
    columns, _, *rows = (
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in re.findall(r"^\|.*\|$", text.partition("\n## ")[0], re.M)
    )
    return {row[0]: dict(zip(columns, row, strict=True)) for row in rows}


BLOCKS: dict[str, Callable[[Source], str]] = {
    block.__name__: block
    for block in (
        summary, actions, observation, options, endings, readings, golden, cards, balance,
        ops, own_ops, arguments, whens, pers, moments, fields,
        benchmarks, speed, run, measured, standings,
    )
}  # fmt: skip


# Pages ---------------------------------------------------------------------------------------------------------------------------------


def pages(root: Path) -> list[Path]:
    """The pages of a checkout that may hold blocks."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def renew(page: Path, root: Path) -> tuple[str, str]:
    """A page's text as it is, and with its blocks regenerated. DocsError for an unclosed or unknown block."""
    name = page.relative_to(root).as_posix()
    try:
        text = page.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DocsError(f"{name}: not in UTF-8 ({error})") from None

    def made(match: re.Match[str]) -> str:
        block, subject = match[1], match[2] or page.stem
        if block not in BLOCKS:
            raise DocsError(f"{name}: no block {block!r}; there are {', '.join(BLOCKS)}")
        start = match[0].index("\n")
        return f"{match[0][:start]}\n\n{BLOCKS[block](Source(root, name, subject))}\n\n<!-- /generated -->"

    new, found = BLOCK.subn(made, text)
    if found != len(OPENING.findall(text)):
        raise DocsError(f"{name}: a block that is not of the form <!-- generated: NAME --> ... <!-- /generated -->")
    return text, new


def drawings(root: Path) -> list[tuple[Path, tuple[str, str]]]:
    """The picture of the packages, as it is and redrawn; empty if ``root`` has no packages."""
    path, packages = root / PICTURE, imports(root)
    if not packages:
        return []
    return [(path, (path.read_text(encoding="utf-8") if path.exists() else "", picture(packages)))]


@program
def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit status 1 where ``--check`` finds a stale page."""
    parser = argparse.ArgumentParser(prog="python -m deckwood.docs", description="Regenerate the generated parts of the documentation.")
    parser.add_argument("--check", action="store_true", help="change nothing, and fail where a page is stale")
    parser.add_argument("--root", type=Path, default=CHECKOUT, help="the checkout whose pages are written (default: this one)")
    args = parser.parse_args(argv)
    if not (args.root / "docs").is_dir():
        parser.error(f"no folder docs in {args.root}: run this in a checkout, or pass --root")
    stale = []
    for page, (text, new) in [(page, renew(page, args.root)) for page in pages(args.root)] + drawings(args.root):
        if text != new:
            stale.append(page.relative_to(args.root).as_posix())
            if not args.check:
                write_atomically(page, new)
    if stale:
        print(f"{'stale' if args.check else 'written'}: {', '.join(stale)}" + ("; run `make docs`" if args.check else ""))
    return int(args.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
