"""The charts, drawn as pages of A4: one panel for each Strategy, one cell for each Health and Damage."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deckwood.core.files import write_atomically
from deckwood_agents.studies.sheet.charts import Cell, dice_of

A4 = (11.69, 8.27)  # inches, landscape
COLOURS = {"y": "#f6cf45", "g": "#3c9a4b", "b": "#2c6fbb", "p": "#7a4aa3", "r": "#c8352b"}
INK = {"y": "black", "g": "white", "b": "white", "p": "white", "r": "white"}
NAMES = {"y": "yellow", "g": "green", "b": "blue", "p": "purple", "r": "red"}
SHADES = ((0.95, "#ffffff"), (0.85, "#f0f0f0"), (0.7, "#e0e0e0"), (0.0, "#cdcdcd"))  # of cells, by the least chance to defeat

HOW_TO_READ = (
    "Row: the enemy's Health. Column: its Damage; †: it would kill you.",
    "The boxes are the dice to commit first, below them the chance to",
    "defeat the enemy if you go on well. A dot: leave the enemy alone.",
)
GOING_ON = (
    "Finish the enemy if you can. Otherwise apply hits and crits, weakest",
    "dice first; with rolls to come a strong die's hit may wait in your",
    "hand, a red one should. On the last roll apply everything.",
    "Then bring the mean damage in your hand up to k times the Health,",
    "k being {k} with {n} rolls",
    "left; how, and when not to: see the page of rules.",
    "Roll what is in your hand again in any case: it costs nothing.",
)


def _box(axis: Any, x: float, y: float, width: float, height: float, letter: str, text: str, size: float) -> None:
    xs, ys = [x, x + width, x + width, x], [y, y, y + height, y + height]
    axis.fill(xs, ys, facecolor=COLOURS[letter], edgecolor="black", linewidth=0.4)
    axis.text(x + width / 2, y + height / 2, text, ha="center", va="center_baseline", fontsize=size, color=INK[letter], fontweight="bold")


def chance(share: float) -> str:
    """Per cent; never 0% or 100% for what may happen or fail."""
    return "<1%" if 0 < share < 0.005 else ">99%" if 0.995 <= share < 1 - 1e-12 else f"{100 * share:.0f}%"


def panel(axis: Any, cells: Sequence[Cell], title: str, letters: str) -> None:
    """One chart. ``letters`` are the colours that have a place of their own in each cell, so that the place tells the colour too."""
    damages = list(dict.fromkeys(cell.damage for cell in cells))
    healths = list(dict.fromkeys(cell.health for cell in cells))
    axis.set_xlim(0, len(damages))
    axis.set_ylim(len(healths), 0)
    axis.set_xticks([i + 0.5 for i in range(len(damages))], ["†" if damage == "deadly" else damage for damage in damages], fontsize=7.5)
    axis.set_yticks([i + 0.5 for i in range(len(healths))], healths, fontsize=7.5)
    axis.tick_params(length=0, pad=2, labeltop=True, labelbottom=False)
    axis.set_title(title, fontsize=9.5, fontweight="bold", pad=14, loc="left")
    axis.text(0.5, 1.055, "Damage", transform=axis.transAxes, ha="center", fontsize=7)
    axis.set_ylabel("Health", fontsize=7, labelpad=1)
    width, size = 0.92 / len(letters), 5.0 if len(letters) > 4 else 6.2
    for cell in cells:
        x, y = damages.index(cell.damage), healths.index(cell.health)
        dice = dice_of(cell.commit)
        shade = next(colour for least, colour in SHADES if cell.defeat >= least) if dice else "white"
        axis.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], facecolor=shade, edgecolor="#9a9a9a", linewidth=0.4)
        if not dice:
            axis.plot([x + 0.5], [y + 0.5], ".", color="#9a9a9a", markersize=2)
        for place, letter in enumerate(letters):
            if letter in dice:
                _box(axis, x + 0.04 + place * width, y + 0.06, width * 0.93, 0.53, letter, f"{dice[letter]}{letter}", size)
        if dice:
            axis.text(x + 0.5, y + 0.80, chance(cell.defeat), ha="center", va="center_baseline", fontsize=6.2)
    for side in axis.spines.values():
        side.set_linewidth(0.6)


def legend(axis: Any, letters: str, going_on: Sequence[str], notes: Sequence[str]) -> None:
    """How to read a page, in the place of a panel."""
    axis.set_axis_off()
    axis.set_xlim(0, 1)
    axis.set_ylim(1, 0)
    axis.text(0, 0.0, "How to read this", fontsize=9.5, fontweight="bold", va="top")
    y = 0.075
    for line in HOW_TO_READ:
        axis.text(0, y, line, fontsize=7, va="top")
        y += 0.045
    y += 0.015
    for place, letter in enumerate(letters):
        x = place * 0.19
        _box(axis, x, y, 0.055, 0.055, letter, f"2{letter}", 6.2)
        axis.text(x + 0.065, y + 0.03, NAMES[letter], fontsize=7, va="center")
    y += 0.08
    axis.text(0, y + 0.004, "Chance to defeat:", fontsize=7, va="top")
    for i, (least, colour) in enumerate(SHADES):
        x = 0.27 + 0.18 * i
        axis.fill([x, x + 0.04, x + 0.04, x], [y, y, y + 0.035, y + 0.035], facecolor=colour, edgecolor="#9a9a9a", linewidth=0.4)
        label = f"{100 * least:.0f}% up" if least else f"below {100 * SHADES[-2][0]:.0f}%"
        axis.text(x + 0.05, y + 0.02, label, fontsize=6.5, va="center")
    y += 0.085
    axis.text(0, y, "After the first roll", fontsize=9.5, fontweight="bold", va="top")
    y += 0.07
    for line in going_on:
        axis.text(0, y, line, fontsize=7, va="top")
        y += 0.045
    y += 0.03
    for line in notes:
        axis.text(0, y, line, fontsize=6.5, va="top", color="#333333")
        y += 0.042


def going_on(times: Mapping[str, float]) -> list[str]:
    """What to do after a roll, by the k of the rule of thumb for each number of passes left."""
    passes = sorted(times, key=int)
    names = [f"{times[n]:g}" for n in passes]
    numbers = f"{', '.join(passes[:-1])} and {passes[-1]}"
    return [line.format(k=f"{', '.join(names[:-1])} and {names[-1]}", n=numbers) for line in GOING_ON]


def page(charts: Sequence[tuple[str, Sequence[Cell]]], title: str, lines: Sequence[str], notes: Sequence[str], letters: str) -> Any:
    """A page with up to five charts, (title, cells) each, how to read them, and ``lines`` about going on."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=A4)
    figure.suptitle(title, x=0.035, y=0.975, ha="left", fontsize=13, fontweight="bold")
    columns = 3
    grid = figure.add_gridspec(2, columns, left=0.035, right=0.985, top=0.885, bottom=0.025, hspace=0.2, wspace=0.11)
    for i, (name, cells) in enumerate(charts):
        panel(figure.add_subplot(grid[i // columns, i % columns]), cells, name, letters)
    legend(figure.add_subplot(grid[len(charts) // columns, columns - 1]), letters, lines, notes)
    return figure


OBJECTIVE = (
    "Best for one to whom a Health point is worth 6, the enemy's fall 3 and",
    "a ready y, g, b, p, r die 1, 2, 3, 4, 5. If Health is worth twice as",
    "much to you, read the column of twice the Damage.",
    "† is for your last Health point; with more to lose some boxes differ.",
)


def grouped(cells: Sequence[Cell]) -> dict[tuple[str, str], list[Cell]]:
    """The cells of each page, by the page's name and title: one page for each pool and Recovery."""
    out: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        spent = "" if cell.exhausted == "none" else f", {cell.exhausted} exhausted"
        title = f"{cell.game}: {cell.ready} ready{spent}, Recovery {cell.recovery}"
        out.setdefault((f"{cell.game.lower()}_{cell.ready}_recovery{cell.recovery}", title), []).append(cell)
    return out


def pages_of(cells: Sequence[Cell]) -> list[tuple[str, str]]:
    """The name and title of each page of charts."""
    return list(grouped(cells))


def pages(cells: Sequence[Cell], figures: dict[str, Any]) -> list[tuple[str, Any]]:
    """Every page with its name: the rules of thumb, then the charts."""
    out = [("rules", rules_page(figures))]
    for (name, title), own in grouped(cells).items():
        own.sort(key=lambda cell: (cell.strategy, cell.health))
        charts = [(f"Strategy {n}", [cell for cell in own if cell.strategy == n]) for n in sorted({cell.strategy for cell in own})]
        letters = "".join(letter for letter in COLOURS if any(letter in cell.ready for cell in own))
        out.append((name, page(charts, f"{title}: dice to commit first", going_on(figures["simple"]["times"]), OBJECTIVE, letters)))
    return out


def rule_lines(figures: dict[str, Any]) -> list[str]:
    """The rule of thumb, in sentences."""
    simple = figures["simple"]
    price = sorted(set(simple["price"].values()))
    named = f"{price[0]:g}" if len(price) == 1 else f"{price[0]:g} to {price[-1]:g} (see the table)"
    return [
        "Know what dice deal in the mean: yellow 1/2, green 2/3, blue 5/6, purple 1, red 7/6.",
        "Before each roll, bring the mean damage in your hand up to k times the enemy's Health that is left; k is in the table.",
        "Take purple dice (red, blue ... if there are none) until as many dice are exhausted as you will recover: these come back.",
        "Then take the weakest: yellow, green, blue.",
        f"Add nothing where the dice that do not come back would cost more than {named} of the stake, or where all dice "
        "you have deal less than the table's least times the Health. "
        "Stake: 6 for each Damage, 3 for the reward. Dice: y 1, g 2, b 3, p 4, r 5.",
        "Roll what is in your hand again in any case, and apply hits, the weakest dice first.",
    ]


def rules_page(figures: dict[str, Any]) -> Any:
    """The rule of thumb and what each rule loses."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=A4)
    axis = figure.add_axes((0.035, 0.03, 0.93, 0.94))
    axis.set_axis_off()
    axis.set_xlim(0, 1)
    axis.set_ylim(1, 0)
    axis.text(0, 0.02, "Which dice to commit: a rule of thumb, and what rules lose", fontsize=13, fontweight="bold", va="center")
    y = 0.075
    for line in [part for sentence in rule_lines(figures) for part in textwrap.wrap(sentence, 150)]:
        axis.text(0.0, y, line, fontsize=9, va="center")
        y += 0.031
    simple = figures["simple"]
    y += 0.03
    columns = (0.0, 0.30, 0.38, 0.46, 0.54, 0.62)
    lines = (
        ("rolls left, the next one included", None),
        ("k: mean damage in hand for each Health", "times"),
        ("price: dice lost, as a share of the stake, at most", "price"),
        ("least: damage of all dice for each Health", "least"),
    )
    for name, key in lines:
        weight = "bold" if key is None else "normal"
        axis.text(columns[0], y, name, fontsize=9, va="center", fontweight=weight)
        for passes, x in enumerate(columns[1:], 1):
            text = str(passes) if key is None else f"{simple[key][str(passes)]:g}"
            axis.text(x + 0.02, y, text, fontsize=9, va="center", ha="right", fontweight=weight)
        y += 0.031
        if key is None:
            axis.plot([0, 0.66], [y - 0.017, y - 0.017], color="black", linewidth=0.6)
    y += 0.03
    axis.text(
        0,
        y,
        f"What each loses against best play, exactly, in the mean over {figures['fights']:,} fights",
        fontsize=10,
        fontweight="bold",
        va="center",
    )
    axis.text(0.585, y, "mean", fontsize=8, va="center", ha="right")
    axis.text(0.67, y, "of the gain", fontsize=8, va="center", ha="right")
    axis.text(0.735, y, "within 0.05", fontsize=8, va="center", ha="right")
    axis.text(0.785, y, "worst", fontsize=8, va="center", ha="right")
    axis.text(0.80, y, "where", fontsize=8, va="center")
    y += 0.036
    longest = max(row["regret"] for row in figures["rules"])
    for row in figures["rules"]:
        axis.fill_between([0.40, 0.40 + 0.14 * row["regret"] / longest], y - 0.011, y + 0.011, color="#2c6fbb", linewidth=0)
        axis.text(0, y, row["rule"], fontsize=8.5, va="center")
        numbers = (f"{row['regret']:.2f}", f"{100 * row['share']:.1f}%", f"{100 * row['within']:.0f}%", f"{row['worst']:.1f}")
        for x, text in zip((0.585, 0.67, 0.735, 0.785), numbers, strict=True):
            axis.text(x, y, text, fontsize=8.5, va="center", ha="right")
        axis.text(0.80, y, row["where"], fontsize=7, va="center")
        y += 0.0305
    y += 0.012
    for line in (
        "Tanglewoods, four pools, Recovery 3, Strategy 1 to 5, one enemy of Health 1 to 10 and Damage 0, 1, 3 and 5.",
        "The rule is followed in every pass; hits are applied as is best for one who follows it, unless said otherwise.",
        "Values: Health 6, the enemy's fall 3, ready dice 1, 2, 3, 4. Gain: of best play above resolving at once.",
    ):
        axis.text(0, y, line, fontsize=7, va="center", color="#333333")
        y += 0.025
    return figure


def save(figures: Sequence[tuple[str, Any]], folder: Path) -> list[Path]:
    """Each figure as ``NAME.png`` and all of them in ``sheet.pdf``, whole or not at all; the same figures make the same bytes."""
    from matplotlib.backends.backend_pdf import PdfPages

    out = []
    together = io.BytesIO()
    with PdfPages(together, metadata={"Title": "Which dice to commit", "CreationDate": None, "ModDate": None}) as pdf:
        for name, figure in figures:
            pdf.savefig(figure)
            picture = io.BytesIO()
            figure.savefig(picture, format="png", dpi=150, metadata={"Software": None})
            out.append(folder / f"{name}.png")
            write_atomically(out[-1], picture.getvalue())
    out.append(folder / "sheet.pdf")
    write_atomically(out[-1], together.getvalue())
    return out
