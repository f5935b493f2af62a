"""The page of findings, its numbers from the sheet's figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deckwood_agents.studies.sheet.charts import Cell
from deckwood_agents.studies.sheet.pages import NAMES, pages_of, rule_lines

COMMAND = "python -m deckwood_agents.studies.sheet"


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(str(field) for field in line) + " |" for line in lines)


def percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f}%"


def _rules(figures: dict[str, Any]) -> str:
    rows = [
        [row["rule"], f"{row['regret']:.3f}", percent(row["share"], 1), percent(row["within"]), f"{row['worst']:.2f}", row["where"]]
        for row in figures["rules"]
    ]
    return table(("rule", "mean regret", "of the gain", "within 0.05", "worst", "where"), rows)


def _simple(figures: dict[str, Any]) -> str:
    simple = figures["simple"]
    passes = sorted(simple["times"], key=int)
    rows = [[name, *(f"{simple[key][n]:g}" for n in passes)] for name, key in (("k", "times"), ("price", "price"), ("least", "least"))]
    return table(("passes left", *passes), rows)


def _commits(figures: dict[str, Any]) -> str:
    rows = [
        [
            row["strategy"], f"{row['first']:.1f}", f"{row['in all']:.1f}", f"{row['damage for each Health']:.2f}", percent(row["defeat"]),
            *(percent(row[letter]) for letter in "ygbp"), f"{row['second']:.3f}",
        ]
        for row in figures["commits"]
    ]  # fmt: skip
    return table(
        (
            "Strategy",
            "dice first",
            "dice in all",
            "mean damage a Health",
            "defeated",
            *(f"{NAMES[c]} used" for c in "ygbp"),
            "second best loses",
        ),
        rows,
    )


def _holds(figures: dict[str, Any]) -> str:
    rows = [
        [row["strategy"], percent(row["with"]), f"{row['held']:.2f}", f"{row['lost']:.3f}", f"{row['worst']:.2f}"]
        for row in figures["holds"]
    ]
    return table(("Strategy", "fights in which a hit may be kept", "rolls after which one is kept", "applying all loses", "at most"), rows)


def _two(figures: dict[str, Any]) -> str:
    rows = [
        [row["strategy"], percent(row["with"]), f"{row['held']:.2f}", f"{row['first']:.3f}", f"{row['regret']:.2f}", percent(row["share"], 1), f"{row['worst']:.2f}"]
        for row in figures["two"]
    ]  # fmt: skip
    return table(
        ("Strategy", "fights in which a hit may be kept", "rolls after which one is kept", "always the first enemy first, all hits: loses",
         "rule of thumb loses", "of the gain", "at most"),
        rows,
    )  # fmt: skip


def _objectives(figures: dict[str, Any]) -> str:
    columns = figures["objectives"]
    return table(
        ("enemy's Health", *(name.replace("Health", "Health worth") for name in columns)),
        [[health, *(column[health - 1] for column in columns.values())] for health in (2, 4, 6, 8, 10)],
    )


def _wrong(figures: dict[str, Any]) -> str:
    rows = [[name, f"{row['regret']:.2f}", percent(row["share"], 1), f"{row['worst']:.2f}"] for name, row in figures["wrong"].items()]
    return table(("but really", "mean regret", "of the gain", "worst"), rows)


def _tree(figures: dict[str, Any]) -> str:
    return table(
        ("when", "reach"),
        [[row["when"], f"{row['share']:g} times the target" if row["share"] else "add nothing"] for row in figures["tree"]],
    )


def _row(figures: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in figures["rules"] if row["rule"] == name)
    return found


def page(cells: Sequence[Cell], figures: dict[str, Any]) -> str:
    """docs/dice_commit_findings.md."""
    always, everything = figures["rules"][0], figures["rules"][1]
    rule, plain = _row(figures, "the rule of thumb"), _row(figures, "the rule of thumb, every hit applied")
    orders = [row for row in figures["rules"] if row["rule"].startswith("k times Health")]
    best_all, recovery4 = _row(figures, "best commits, every hit applied"), _row(figures, "the rule of thumb at Recovery 4, starting pool")
    charts = _row(figures, "the charts first, then the rule of thumb")
    three, one = figures["commits"][2], figures["commits"][0]
    deadly, stake = figures["deadly"], figures["stake"]
    example = figures["example"]
    order_text = "; ".join(f"{row['rule'].removeprefix('k times Health, ').split(';')[0]} {row['regret']:.2f}" for row in orders)
    kept = ", ".join(f"{NAMES[c]} {percent(example[c][1], 1)}" for c in "gbpr")
    sheet = "\n".join(f"- [{title}](sheet/{name}.png)" for name, title in pages_of(cells))
    lines = "\n".join(f"{number}. {line}" for number, line in enumerate(rule_lines(figures), 1))
    within = _within(figures)
    return f"""# Which dice to commit: findings

Written by `{COMMAND}` (`make sheet`), numbers and all, from exact values of plain fights against one enemy: {figures["cells"]:,} of them, every one in
[fights.csv](sheet/fights.csv). For the table: [the pages as one PDF](sheet/sheet.pdf).

[![a page of the sheet](sheet/tanglewoods_3y3g3b3p_recovery3.png)](sheet/tanglewoods_3y3g3b3p_recovery3.png)

{sheet}
- [The rule of thumb and what rules lose](sheet/rules.png), as numbers in [rules.csv](sheet/rules.csv)

## The objective

What is best depends on what things are worth to you. The sheet uses the defaults of `Objective`: a point of Health 6, a ready yellow, green, blue, purple or
red die 1, 2, 3, 4, 5, gold 1, and 3 for an enemy's fall, which stands for its reward. A hero of Health 6 takes Damage 0 to 5, so that none of it kills. *Gain* is what best play is worth above resolving at once; *regret* what a way to play loses
against best play. Both are in these units: 1 is a ready yellow die.

The column "deadly" is drawn for a hero with **one Health left**: at stake are that point, the reward and 30 for the death,
39 in all, and every die that would be ready afterwards. One whom such an enemy costs 6 Health has 69 at stake, and the
dice: of {stake["fights"]} first commits from Tanglewoods' four pools at Recovery 3, Strategy 1 to 5, {stake["change"]} are others
then, and those of the column lose up to {stake["worst"]:.2f}.

Against one enemy only the **stake** matters: what its fall is worth, 6 times Damage and 3 here. So one chart answers for other worths of Health too: with Health worth
12, Damage 2 is a stake of 27, which is the sheet's column for Damage 4; with Health worth 3 it is 9, the column for Damage 1. First commits from 3y3g3b3p,
Strategy 3, Recovery 3, Damage 2 ("none": leave it alone):

{_objectives(figures)}

Using the column for Damage 2 as it stands loses, over the four pools of Tanglewoods, Strategy 1 to 5 and Health 1 to 10:

{_wrong(figures)}

## What best play does

Tanglewoods' four pools, Recovery 3, Damage 0 to 5, those fights that are fought at all. "Used": the share of a colour's ready dice that is in the first commit; "mean
damage a Health": of the first commit, where the enemy falls more often than not; "second best loses": the median.

{_commits(figures)}

- **Start small, add later.** With Strategy 3 the first commit has {three["first"]:.1f} dice, and {three["in all"]:.1f} are committed in the end; with Strategy 1 it is {one["first"]:.1f}
  at once. Rolling everything at once, always, loses {always["regret"]:.2f} a fight, {percent(always["share"])} of all there is to gain{_worse(always)}; even one
  who knows when it is better to stand back loses {everything["regret"]:.2f} ({percent(everything["share"])}).
- **With two or more passes Damage says whether to fight, hardly how.** Along a row of a chart the boxes barely change once the fight is worth it, as dice can still be added; with
  Strategy 1 they grow with Damage.
- **Recovery makes dice free.** The worthiest exhausted dice come back, so a fight costs only those beyond Recovery, and the weakest of them. A die costs what it is worth, but no
  more than the last of the dice that Recovery will bring back. So with all dice ready the purple ones go first, as many as Recovery, and then yellow: they cost least for the
  damage they deal (worth by mean damage: yellow 2, green 3, blue 3.6, purple 4). By order, each with its best k and perfect stopping (mean regret): {order_text}. "Free" takes purple dice up to Recovery and then
  the weakest; "cheapest" always the die that loses least for its mean damage, as just said, which differs where good dice are exhausted already.
- **The choice is flat near the best.** The second best commit loses {three["second"]:.3f} in the median at Strategy 3.

## Hits that are better kept

A hit need not be applied. With rolls to come, best play often rolls it again:

{_holds(figures)}

A crit deals 2 with one die, so an even Health left is worth keeping even. The smallest case: Health 2, one roll left, a yellow die that missed, and another die that shows a hit.
Apply it, and the yellow die must hit: {percent(example["p"][0], 1)}. Keep it, and roll both again: {kept}. A red die never misses, so its hit is never lost by
keeping it. Applying every hit, with the best commits for that, loses {best_all["regret"]:.3f} in the mean ({percent(best_all["share"], 1)} of the gain): next to nothing with two passes, most with
many passes and few dice against much Health, where an applied die is one that can no longer crit. On the last roll nothing is kept.

## A rule of thumb

{lines}

{_simple(figures)}

k, price and least were fitted on single commits followed by best play; the regrets are those of the rule itself in every pass, worked out exactly over {figures["fights"]:,} fights (four pools,
Strategy 1 to 5, Health 1 to 10, Damage 0, 1, 3 and 5). Hits are applied as is best for one who goes on by the rule, or all where that is said.

{_rules(figures)}

- {within}
- One who commits first as the charts say, and then by the rule, loses {charts["regret"]:.3f} ({percent(charts["share"], 1)}).
- Applying every hit, which needs no thought, it loses {plain["regret"]:.3f} instead of {rule["regret"]:.3f}.
- At Recovery 4, for which it was not fitted, from the starting pool: {recovery4["regret"]:.3f} ({percent(recovery4["share"], 1)}).
- Against deadly enemies: {deadly["regret"]:.2f} in the mean, {percent(deadly["share"], 1)} of the gain, {deadly["worst"]:.1f} at worst: it gives up where one must not. Against these use the charts.
- The trees (scikit-learn's, grown on the exact regrets of each choice) start from the rule and say what share of its target to reach. The smallest:

{_tree(figures)}

Price: what reaching the target loses in dice, by the stake; reach and in hand: mean damage of all dice, and of those in hand, by the target; free dice: those that may be
exhausted before Recovery falls short.

## Two enemies

Health 1 to 5 each, Damage 2 and 1, from 3y3g3b3p, Recovery 3: {figures["two fights"]} fights. The rule of thumb takes their Health and stakes together, which will not do where
only one of them can fall (Strategy 1). With a roll to come hits are kept in most fights. "Always the first enemy first": best commits for one who applies all hits, to the first enemy until it falls.

{_two(figures)}
"""


def _worse(row: dict[str, Any]) -> str:
    return ": worse than never fighting" if row["share"] > 1 else ""


def _within(figures: dict[str, Any]) -> str:
    rule = _row(figures, "the rule of thumb")
    near = "Within 0.05 of optimal in the mean" if rule["regret"] <= 0.05 else "It is **not** within 0.05 of optimal"
    return (
        f"{near}: it loses {rule['regret']:.3f} a fight in the mean, {percent(rule['share'], 1)} of the gain. In {percent(rule['within'])} of the fights it loses 0.05 or less; "
        f"at worst {rule['worst']:.2f} ({rule['where']})."
    )
