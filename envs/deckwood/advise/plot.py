"""Recommendations as a picture: the choices ranked, how much worse each is, and its prospects."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deckwood.advise.text import dice_list
from deckwood.core.errors import DeckwoodError
from deckwood.core.files import write_atomically

LABEL = 60  # characters in a line of what an action does
BEST, OTHER = "#2f6f4f", "#8aa5b8"


def make_figure(width: float, height: float) -> Any:
    """A matplotlib figure; DeckwoodError if matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise DeckwoodError('pictures of advice need matplotlib: pip install "deckwood[train]"') from error
    return Figure(figsize=(width, height), layout="constrained")


def draw(report: Mapping[str, Any], path: Path) -> None:
    """Write a report as a picture, whole or not at all; the suffix of ``path`` chooses its format."""
    if "instead" in report:
        report = {"left_out": report["left_out"], **report["instead"]}
    figure = {"position": _actions, "counted": _counted}.get(report["kind"], _choices)(report)
    buffer = io.BytesIO()
    figure.savefig(buffer, format=path.suffix.lstrip("."), dpi=150)
    write_atomically(path, buffer.getvalue())


def _bars(axis: Any, names: Sequence[str], lengths: Sequence[float], label: str) -> None:
    """Horizontal bars from the top, each with its figure; the best is first."""
    axis.barh(range(len(lengths)), lengths, color=[BEST, *[OTHER] * (len(lengths) - 1)], height=0.65)
    for place, length in enumerate(lengths):
        axis.annotate(f"{length:.3f}" if length else "best", (length, place), (4, 0), textcoords="offset points", va="center", fontsize=9)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.5, -0.5)
    axis.set_xlim(0, 1.25 * max(lengths) or 1)
    axis.set_xlabel(label)
    axis.spines[["top", "right"]].set_visible(False)


def _choices(report: Mapping[str, Any]) -> Any:
    """Commits: how much worse, the chance to defeat, Health lost."""
    rows = report["choices"]
    figure = make_figure(11, 1.9 + 0.42 * len(rows))
    worse, defeat, lost = figure.subplots(1, 3, sharey=True, width_ratios=(2, 3, 2))
    names = [f"{row['rank']}.  {'resolve now' if row['resolve'] else dice_list(row['commit'])}" for row in rows]
    _bars(worse, names, [row["worse_by"] for row in rows], "worse than the best by (value)")
    enemies = report["fight"]["enemies"]
    series = [
        (f"enemy {i} ({enemy['health']}/{enemy['damage']})", [row["defeat"][i - 1] for row in rows]) for i, enemy in enumerate(enemies, 1)
    ]
    if len(enemies) > 1:
        series.append(("all", [row["defeat_all"] for row in rows]))
    for i, ((name, chances), marker) in enumerate(zip(series, "osD^vP*Xh", strict=False)):
        places = [place + 0.5 * ((i + 0.5) / len(series) - 0.5) for place in range(len(rows))]  # beside each other, not on top
        defeat.plot([100 * chance for chance in chances], places, marker, markersize=6, label=name, clip_on=False, zorder=3)
    defeat.set_xlim(0, 100)
    defeat.set_xlabel("chance to defeat, %")
    defeat.grid(axis="x", alpha=0.3)
    for line in range(1, len(rows)):
        defeat.axhline(line - 0.5, color="0.9", linewidth=0.8)
    defeat.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=min(len(series), 4), frameon=False, fontsize=9)
    lost.barh(range(len(rows)), [row["damage"] for row in rows], color=OTHER, height=0.65)
    for place, row in enumerate(rows):
        text = f"{row['damage']:.2f}" + (f"  (death {100 * row['death']:.1f}%)" if row["death"] else "")
        lost.annotate(text, (row["damage"], place), (4, 0), textcoords="offset points", va="center", fontsize=9)
    lost.set_xlim(0, 1.9 * max(row["damage"] for row in rows) or 1)
    lost.set_xlabel("mean Health lost")
    for axis in (defeat, lost):
        axis.spines[["top", "right"]].set_visible(False)
    fight = report["fight"]
    stats = ", ".join(f"{name.capitalize()} {fight[name]}" for name in ("health", "strategy", "recovery"))
    title = f"What to commit of {dice_list(fight['ready'])}; {stats}"
    if report["kind"] == "roll":
        dice = f"{dice_list(report['ready'])} ready, {dice_list(report['in_hand'])} in hand"
        title = f"What to commit after roll {report['roll']}: {dice}; {stats}"
    figure.suptitle(title, fontsize=11)
    return figure


def _actions(report: Mapping[str, Any]) -> Any:
    """The legal actions of a position: how much worse each is."""
    rows = report["actions"]
    if not rows:
        raise DeckwoodError(f"there is nothing to draw: {report['phase']} is a chance event")
    figure = make_figure(8, 1.5 + 0.4 * len(rows))
    axis = figure.subplots()
    _bars(axis, [textwrap.fill(row["text"], LABEL) for row in rows], [row["worse_by"] for row in rows], "worse than the best by (value)")
    figure.suptitle(f"{report['game']}, {report['phase']}: value {report['value']:.3f} under best play", fontsize=11)
    return figure


def _counted(report: Mapping[str, Any]) -> Any:
    """First commits of a position: how much worse each is."""
    rows = report["choices"]
    figure = make_figure(8, 1.5 + 0.4 * len(rows))
    axis = figure.subplots()
    _bars(axis, [dice_list(row["commit"]) for row in rows], [row["worse_by"] for row in rows], "worse than the best by (value)")
    without = " (some effects left out)" if report["left_out"] else ""
    figure.suptitle(f"What to commit, value {report['value']:.3f} under best play{without}", fontsize=11)
    return figure
