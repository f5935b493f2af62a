"""The sheet's files: cells as CSV, figures as JSON, read and written."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from deckwood.core.errors import DeckwoodError
from deckwood.core.files import write_atomically
from deckwood.core.untrusted import parse_json, printable, read_bytes
from deckwood_agents.studies.sheet.charts import COLUMNS, Cell

DIGITS = 6
FIGURES, FIGHTS, RULES = "figures.json", "fights.csv", "rules.csv"


class NoSheet(DeckwoodError, FileNotFoundError):
    """A folder without a sheet to redraw."""


def shown(value: Any) -> str:
    """A value in a CSV file; nothing for what is not known."""
    if not isinstance(value, float):
        return str(value)
    return "" if math.isnan(value) else f"{round(value, DIGITS) + 0.0:.{DIGITS}f}"


def write_rows(path: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([columns, *([shown(value) for value in row] for row in rows)])
    write_atomically(path, text.getvalue())


def write_cells(cells: Sequence[Cell], path: Path) -> None:
    write_rows(path, COLUMNS, [astuple(cell) for cell in cells])


def read_cells(path: Path) -> list[Cell]:
    """The cells of a file that :func:`write_cells` wrote; NoSheet where it is none."""
    kinds = {field.name: {"int": int, "float": float, "str": str}[str(field.type)] for field in fields(Cell)}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except FileNotFoundError as error:
        raise NoSheet(f"{path}: there is no such file; write the sheet first, without --redraw") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise NoSheet(f"{path}: not the cells of a sheet ({error})") from None
    try:
        return [Cell(**{name: kinds[name](text or "nan") for name, text in row.items()}) for row in rows]
    except (LookupError, TypeError, ValueError) as error:
        raise NoSheet(f"{path}: not the cells of a sheet ({error}); write it anew, without --redraw") from None


def write_figures(figures: dict[str, Any], folder: Path) -> None:
    write_atomically(folder / FIGURES, json.dumps(figures, indent=1) + "\n")
    columns = ("rule", "regret", "share", "within", "worst", "where")
    write_rows(folder / RULES, columns, [[row[name] for name in columns] for row in figures["rules"]])


def read_figures(folder: Path) -> dict[str, Any]:
    """The figures that :func:`write_figures` wrote; NoSheet, OSError where they are none."""
    path = folder / FIGURES
    try:
        figures = parse_json(read_bytes(path))
    except ValueError as error:
        raise NoSheet(f"{path}: found no JSON ({printable(str(error))})") from None
    if not isinstance(figures, dict):
        raise NoSheet(f"{path}: not the figures of a sheet")
    return figures


def rounded(value: Any) -> Any:
    """Figures as they are written: numbers to six digits, names as text."""
    if isinstance(value, dict):
        return {str(name): rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return round(float(value), DIGITS) + 0.0 if isinstance(value, float) else value
