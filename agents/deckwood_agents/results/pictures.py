"""The pictures of the page of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from deckwood_agents.measuring.evaluation import save_figure
from deckwood_agents.measuring.statistics import Interval


def win_rates(path: Path, title: str, label: str, rows: Sequence[tuple[str, float, Interval, int]], fair: float | None = None) -> None:
    """A bar for each agent, the share that it wins with its interval; ``rows``: name, share, interval, games."""
    figure = Figure(figsize=(8, 1.3 + 0.42 * len(rows)), layout="constrained")
    axis = figure.subplots()
    for place, (_, share, (low, high), _) in enumerate(rows):
        axis.barh(place, 100 * share, color="C0", alpha=0.35)
        axis.plot([100 * low, 100 * high], [place, place], color="C0", linewidth=3, solid_capstyle="butt")
        axis.annotate(f"{100 * share:.1f}", (100 * high, place), textcoords="offset points", xytext=(6, 0), va="center", fontsize=9)
    if fair is not None:
        axis.axvline(100 * fair, color="0.4", linestyle="--", linewidth=1)
    axis.set_yticks(range(len(rows)), [f"{name} ({games:,})" for name, _, _, games in rows])
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.set_xlim(0, 112 * max([interval.high for _, _, interval, _ in rows] + [fair or 0]))
    axis.grid(axis="x", alpha=0.3)
    axis.set_xlabel(label)
    axis.set_title(title, loc="left")
    save_figure(figure, path)


def training(
    path: Path,
    title: str,
    label: str,
    curves: Mapping[str, tuple[Sequence[int], Sequence[float]]],
    lines: Mapping[str, float],
    *,
    losses: bool = False,
) -> None:
    """Learning curves by run, with what others reach as horizontal lines: shares, or ``losses`` that fall by powers of ten."""
    scale = 1 if losses else 100
    figure = Figure(figsize=(8, 4), layout="constrained")
    axis = figure.subplots()
    for name, (steps, values) in curves.items():
        axis.plot(np.array(steps) / 1e6, scale * np.array(values), marker="" if losses else ".", linewidth=1.2, label=name)
    for place, (name, value) in enumerate(lines.items()):
        axis.axhline(scale * value, color="0.4", linestyle=("--", ":", "-.")[place % 3], linewidth=1, label=name)
    axis.set_xlabel("decisions trained on, millions")
    axis.set_ylabel(label)
    if losses:
        axis.set_yscale("log")
    else:
        axis.set_ylim(0, 1.05 * axis.get_ylim()[1])
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)
    axis.set_title(title, loc="left")
    save_figure(figure, path)


Profile = tuple[NDArray[np.float64], tuple[NDArray[np.float64], NDArray[np.float64]] | None]
"""Shares (k,), and their band, (low, high), if there is one."""


def profiles(path: Path, thresholds: NDArray[np.float64], found: Mapping[str, Profile]) -> None:
    """Performance profiles, with their bands: the share of runs above each threshold."""
    figure = Figure(figsize=(8, 4), layout="constrained")
    axis = figure.subplots()
    for place, (name, (share, band)) in enumerate(found.items()):
        axis.plot(thresholds, 100 * share, color=f"C{place}", label=name, drawstyle="steps-post")
        if band:
            axis.fill_between(thresholds, 100 * band[0], 100 * band[1], color=f"C{place}", alpha=0.2, step="post", linewidth=0)
    axis.axvline(1, color="0.4", linestyle="--", linewidth=1)
    axis.set_xlabel("wins, as a multiple of the expert's (dashed: the expert)")
    axis.set_ylabel("runs above it, %")
    axis.set_ylim(-3, 103)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)
    axis.set_title(
        "Performance profiles over training seeds" + (", 95% bands" if any(band for _, band in found.values()) else ""), loc="left"
    )
    save_figure(figure, path)


def cross_play(path: Path, title: str, rows: Sequence[str], columns: Sequence[str], shares: NDArray[np.float64], fair: float) -> None:
    """Shares (rows, columns) that one of a row wins alone among copies of the column's; nan where nothing was played."""
    figure = Figure(figsize=(3.2 + 1.1 * len(columns), 1.8 + 0.5 * len(rows)), layout="constrained")
    axis = figure.subplots()
    reach = max(fair, float(np.nanmax(np.abs(shares - fair)))) if np.isfinite(shares).any() else fair
    axis.imshow(shares, cmap="RdBu", vmin=fair - reach, vmax=fair + reach, aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        if np.isfinite(share):
            strong = abs(share - fair) > 0.6 * reach
            axis.text(column, row, f"{100 * share:.1f}", ha="center", va="center", fontsize=9, color="white" if strong else "black")
    axis.set_xticks(range(len(columns)), columns)
    axis.set_yticks(range(len(rows)), rows)
    axis.set_xlabel(f"wins, % of one alone (row) among copies\nof another (column); fair share {100 * fair:.0f}")
    axis.set_title(title, loc="left")
    save_figure(figure, path)
