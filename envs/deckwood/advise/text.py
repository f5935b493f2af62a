"""Recommendations in words: a report as lines of at most 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from deckwood.advise.typed import REWARDS, listed
from deckwood.strong.terms import COLOURS, FACES

WIDTH = 100
ACTION = 68  # columns of what an action does, in a table
SAME = 5e-10  # values closer than this are the same

Report = Mapping[str, Any]


def dice_list(dice: Mapping[str, int]) -> str:
    """Dice as "3 yellow, 1 blue"."""
    return ", ".join(f"{n} {colour}" for colour, n in dice.items() if n) or "none"


def dice_phrase(dice: Mapping[str, int]) -> str:
    """Dice as "3 yellow and 1 blue dice"."""
    named = [f"{n} {colour}" for colour, n in dice.items() if n]
    return f"{listed(named)} {'die' if sum(dice.values()) == 1 else 'dice'}" if named else "no dice"


def dice_letters(dice: Mapping[str, int]) -> str:
    """Dice as "3y 1b"."""
    return " ".join(f"{n}{colour[0]}" for colour, n in dice.items() if n) or "none"


def faces_text(face: str, n: int) -> str:
    """A number of dice that show the same face, as "2 misses"."""
    return f"{n} {face}" + ("" if n == 1 else "es" if face.endswith("s") else "s")


def percent(chance: float) -> str:
    """A chance with one figure after the point; 0 and 100 only where it is that."""
    if 0 < chance < 0.0005:
        return "<0.1%"
    if 0.9995 <= chance < 1 - 1e-12:
        return ">99.9%"
    return f"{100 * chance:.1f}%"


def worse(value: float) -> str:
    return f"{value:.3f}" if value > SAME else "-"


def paragraph(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent))


def table(heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table: its second column is set to the left, all others are to the right."""
    widths = [max(map(len, column)) for column in zip(*heads, *rows, strict=True)]
    lines = []
    for row in (*heads, *rows):
        cells = [cell.ljust(width) if i == 1 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def choice_table(choices: Sequence[Report], of: int) -> list[str]:
    """A ranking of what to do; those that are not among the best stand apart."""
    numbers = range(1, len(choices[0]["defeat"]) + 1)
    chances = [(f"enemy {i}", [choice["defeat"][i - 1] for choice in choices]) for i in numbers]
    if len(chances) > 1:
        chances.append(("all", [choice["defeat_all"] for choice in choices]))
    heads = [
        ["", "", *["defeat"] * len(chances), "Health", "", "dice", "", "worse"],
        ["", "commit", *(name for name, _ in chances), "lost", "death", "used", "value", "by"],
    ]

    def lines_with(words: Callable[[Mapping[str, int]], str]) -> list[str]:
        rows = [
            [
                str(choice["rank"]),
                "(resolve now)" if choice["resolve"] else words(choice["commit"]),
                *(percent(column[place]) for _, column in chances),
                f"{choice['damage']:.2f}",
                percent(choice["death"]),
                f"{choice['exhausted']:.1f}",
                f"{choice['value']:.3f}",
                worse(choice["worse_by"]),
            ]
            for place, choice in enumerate(choices)
        ]
        return table(heads, rows)

    lines = lines_with(dice_list)
    if max(map(len, lines)) > WIDTH:
        lines = lines_with(dice_letters)
    gaps = [place for place, choice in enumerate(choices, 1) if choice["rank"] != place]
    if gaps:
        lines.insert(len(heads) + gaps[0] - 1, "...")
    return [*lines, f"({len(choices)} of {of:,} choices)"] if of > len(choices) else lines


def fight_lines(fight: Report) -> list[str]:
    """A fight as it begins."""
    spent = f"; {dice_list(fight['exhausted'])} exhausted" if any(fight["exhausted"].values()) else ""
    stats = [f"{name.capitalize()} {fight[name]}" for name in ("health", "strategy", "recovery")]
    stats += [f"{name} {fight[name]}" for name in ("gold", "shield") if fight[name]]
    lines = [paragraph(f"Dice: {dice_list(fight['ready'])} ready{spent}. {', '.join(stats)}.")]
    for i, enemy in enumerate(fight["enemies"], 1):
        rewards = [f"{word} +{enemy[field]}" for word, field in REWARDS.items() if enemy[field]]
        gives = f"; when defeated {listed(rewards)}" if rewards else ""
        lines.append(paragraph(f"Enemy {i}: Health {enemy['health']}, Damage {enemy['damage']}{gives}."))
    return lines


def objective_text(objective: Report, items: bool = False) -> str:
    """What the value counts; ``items`` only where there can be some."""
    named = (
        ("health", "each Health"),
        ("strategy", "each Strategy"),
        ("recovery", "each Recovery"),
        ("gold", "each gold piece"),
        *[("items", "each item")] * items,
        ("fallen", "each defeated enemy"),
        ("won", "defeating all"),
    )
    parts = [f"{objective[name]:g} for {what}" for name, what in named if objective[name]]
    ready = ", ".join(f"{objective['ready'][colour]:g}" for colour in COLOURS)
    parts.append(f"{ready} for each ready {', '.join(COLOURS)} die")
    return f"Value: what is left after recovery counts {listed(parts)}; to die counts {objective['lost']:g}."


def footnotes(report: Report) -> list[str]:
    """How a ranking is to be read."""
    return [
        paragraph(objective_text(report["objective"])),
        paragraph(
            "All figures are exact, for the best play from the commit on. Health lost and dice used (all that are committed by the end) "
            f"are means. {report['states']:,} states were worked out."
        ),
    ]


def first_lines(report: Report) -> list[str]:
    """Advice on a fight about to begin."""
    best, hand = report["choices"][0]["commit"], report["in_hand"]
    recommendation = f"Commit {dice_phrase(best)}."
    if any(hand.values()):
        recommendation = f"Commit {dice_phrase(best)} more, and roll with the {dice_phrase(hand)} in hand."
    return [
        *fight_lines(report["fight"]),
        "",
        paragraph(recommendation),
        "",
        *choice_table(report["choices"], report["of"]),
        "",
        *footnotes(report),
    ]


def roll_lines(report: Report) -> list[str]:
    """Advice after a roll."""
    shown = [
        f"{row['colour']} {listed([faces_text(face, row[face]) for face in reversed(FACES) if row[face]])}"
        for row in report["shown"]
        if any(row[face] for face in FACES)
    ]
    left = listed([f"{n} of enemy {i}" for i, n in enumerate(report["left"], 1)])
    known = f"Roll {report['roll']} shows {'; '.join(shown) or 'nothing'}. Still ready: {dice_list(report['ready'])}. Health left: {left}."
    return [
        *fight_lines(report["fight"]),
        "",
        paragraph(known),
        "",
        *applied_lines(report),
        paragraph(next_step(report)),
        "",
        *choice_table(report["choices"], report["of"]),
        "",
        *footnotes(report),
    ]


def applied_lines(report: Report) -> list[str]:
    """Where the dice go."""
    lines, left = [], list(report["left"])
    for die, same in groupby(report["apply"]):
        n, place = len(list(same)), die["enemy"] - 1
        before, left[place] = left[place], max(0, left[place] - n * FACES.index(die["face"]))
        end = f"Health {before} to {left[place]}" + (", defeated" if left[place] == 0 else "")
        lines.append(f"Apply {faces_text(die['colour'] + ' ' + die['face'], n)} to enemy {die['enemy']} ({end}).")
    return lines or ["Apply nothing."]


def next_step(report: Report) -> str:
    """What to do when they lie there."""
    best, hand = report["choices"][0], report["in_hand"]
    if best["resolve"]:
        end = "all enemies are defeated" if best["defeat_all"] else f"{best['damage']:g} Health is lost"
        return f"Then go on to the Resolve phase: {end}."
    if not any(best["commit"].values()):
        return f"Then repeat the Strategy phase: commit no more dice and roll the {dice_phrase(hand)} in hand again."
    again = f" with the {dice_phrase(hand)} in hand" if any(hand.values()) else ""
    return f"Then repeat the Strategy phase: commit {dice_phrase(best['commit'])} and roll{again}."


def position_lines(report: Report) -> list[str]:
    """Advice on a saved position."""
    lines = [paragraph(line) for line in report["table"]]
    if "instead" in report:
        return [*lines, "", *too_large_lines(report), "", *report_lines(report["instead"])]
    notes = [
        paragraph(objective_text(report["objective"], items=True)),
        paragraph(f"All values are exact, with every card effect, for the best play from there on. {report['states']:,} positions follow."),
    ]
    if not report["actions"]:
        return [*lines, "", f"A chance event: there is nothing to decide. The value of the position is {report['value']:.3f}.", "", *notes]
    rows = []
    for rank, row in enumerate(report["actions"], 1):
        first, *rest = textwrap.wrap(row["text"], ACTION)
        rows += [[str(rank), first, f"{row['value']:.3f}", worse(row["worse_by"])], *(["", f"  {more}", "", ""] for more in rest)]
    line = [(text, len(list(same))) for text, same in groupby(report["line"])]
    best = "; ".join(f"{text} (x{n})" if n > 1 else text for text, n in line)
    return [*lines, "", paragraph(f"Best: {best}."), "", *table([["", "action", "value", "worse by"]], rows), "", *notes]


def too_large_lines(report: Report) -> list[str]:
    """That a position was too large, and what the advice on it leaves out."""
    large, counted = report["too_large"], report["instead"]["kind"] == "counted"
    lines = [
        paragraph(
            f"To solve this with every card effect is too large: {large['states']:,} positions and more follow (--limit). "
            f"The value lies between {large['lower']:g} and {large['upper']:g}."
        )
    ]
    known = "What follows counts all effects that stand" if counted else "What follows is only the nearest plain fight"
    if not report["left_out"]:
        which = "all values are exact" if report["exact"] else "but the order of dice, and those on enemies, are"
        return [*lines, paragraph(f"{known}; no card effect is left out, {which}.")]
    return [*lines, paragraph(f"{known}. It leaves out:"), *(paragraph(line, "- ") for line in report["left_out"])]


def counted_lines(report: Report) -> list[str]:
    """Advice on a first commit that was counted."""
    rows = [[str(row["rank"]), dice_list(row["commit"]), f"{row['value']:.3f}", worse(row["worse_by"])] for row in report["choices"]]
    more = [f"({len(rows)} of {report['of']:,} choices)"] if report["of"] > len(rows) else []
    return [
        paragraph(f"Commit {dice_phrase(report['choices'][0]['commit'])}."),
        "",
        *table([["", "commit", "value", "worse by"]], rows),
        *more,
        "",
        paragraph(objective_text(report["objective"], items=True)),
        paragraph(f"The values are those of the best play from there on. {report['states']:,} states were worked out."),
    ]


def report_lines(report: Report) -> list[str]:
    """Any report."""
    return {"fight": first_lines, "roll": roll_lines, "counted": counted_lines, "position": position_lines}[report["kind"]](report)


def in_words(report: Report) -> str:
    """Any report, as text."""
    return "\n".join(report_lines(report))
