"""The sheet: its committed cells against fights solved alone, its rules by hand, its files."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deckwood.solver import Enemy, Fight, solve_fight
from deckwood.solver.ledger import Ledger
from deckwood.strong.objective import Objective
from deckwood_agents.studies.sheet import compute, files, findings, pages
from deckwood_agents.studies.sheet.__main__ import main
from deckwood_agents.studies.sheet.charts import DEADLY, LETTERS, OBJECTIVE, Book, Pool, best_two, dice_of, duel, large_cells
from deckwood_agents.studies.sheet.heuristics import CHEAPEST, FREE, STRONGEST, WEAKEST, All, Multiple, Table, follow, losing, reach

DOCS = Path(__file__).parents[2] / "docs"
CELLS = files.read_cells(DOCS / "sheet" / files.FIGHTS)
SMALL = [cell for cell in CELLS if sum(dice_of(cell.ready).values()) == 6 and cell.strategy < 3]


def dice(spelled):
    return tuple(dice_of(spelled).get(letter, 0) for letter in LETTERS)


@pytest.mark.parametrize("cell", SMALL[:: len(SMALL) // 8], ids=lambda cell: f"{cell.ready}-{cell.strategy}-{cell.health}-{cell.damage}")
def test_committed_cells_are_those_of_the_fight_solved_alone(cell):
    deadly = cell.damage == "deadly"
    enemy = Enemy(cell.health, 1 if deadly else int(cell.damage))
    fight = Fight(dice(cell.ready), (enemy,), dice(cell.exhausted), 1 if deadly else 6, cell.strategy, cell.recovery)
    solution = solve_fight(fight, OBJECTIVE)
    resolve = next(commit.value for commit in solution.commits if not sum(commit.dice)) if cell.commit == "none" else cell.value - cell.gain
    best, second = best_two(solution.commits, resolve)
    outlook = solution.outlook(best.dice)
    assert (dice(cell.commit), dice(cell.second)) == (best.dice, second.dice)
    assert (cell.value, cell.second_loss) == pytest.approx((best.value, best.value - second.value), abs=2e-6)
    assert (cell.defeat, cell.exhausts) == pytest.approx((outlook.defeat[0], outlook.exhausted), abs=2e-6)
    assert cell.suffered == pytest.approx(outlook.damage, abs=2e-6)


def test_the_findings_are_what_the_figures_say():
    assert (DOCS / "dice_commit_findings.md").read_text(encoding="utf-8") == findings.page(CELLS, files.read_figures(DOCS / "sheet"))


def test_what_the_column_deadly_loses_to_one_with_more_health(monkeypatch):
    """Each fight solved alone: the best first commit of a hero with one Health left, for one whom the same enemy costs six."""
    pool, passes, healths = Pool("Tanglewoods", (2, 2, 1, 0, 0), (2, 2, 1, 0, 0)), (1, 2), (1, 2, 3)
    for name, value in (("POOLS", (pool,)), ("MAX_PASSES", 2), ("HEALTHS", healths)):
        monkeypatch.setattr(compute, name, value)
    lost = []
    for strategy, health in itertools.product(passes, healths):
        last, whole = (
            solve_fight(Fight(pool.ready, (Enemy(health, n),), health=n, strategy=strategy, recovery=1), OBJECTIVE) for n in (1, 6)
        )
        values = {commit.dice: commit.value for commit in whole.commits}
        lost.append(whole.value - values[best_two(last.commits, -30.0)[0].dice])
    found = compute.stake_figures(Ledger(duel(pool.whole, DEADLY, 1, passes=2, health=3), OBJECTIVE))["stake"]
    assert found == {"fights": 6, "change": sum(loss > 1e-6 for loss in lost), "worst": pytest.approx(max(lost))}
    assert found["change"] > 0


def test_the_way_for_large_pools_and_the_ledger_tell_the_same():
    """Of Health and Damage 2, from the same dice."""
    pool = Pool("Tanglewoods", (1, 1, 0, 1, 0), (1, 1, 0, 1, 0))
    fight = duel(pool.whole, 2, 1, passes=2, health=3)
    ledger, large = Book(fight).cells([pool]), large_cells(pool, fight, (1, 2))
    for one, other in zip(ledger, large, strict=True):
        for name, value in vars(replace(one, held=0.0)).items():
            found = getattr(replace(other, held=0.0), name)
            assert found == (value if isinstance(value, str) else pytest.approx(value)), name


def table(ready, hand=(0, 0, 0, 0, 0), whole=(3, 3, 3, 3, 0), recovery=3, health=4, passes=1, stake=9.0):
    arrays = (np.array([row]) for row in (ready, hand))
    return Table(passes, health, stake, recovery, np.array(OBJECTIVE.ready), np.array(whole), *arrays)


@pytest.mark.parametrize(
    ("order", "target", "commit"),
    [
        (WEAKEST, 2.0, (3, 1, 0, 0, 0)),  # 3/2 + 2/3
        (STRONGEST, 3.5, (0, 0, 1, 3, 0)),
        (FREE, 3.5, (1, 0, 0, 3, 0)),  # three come back, then the weakest
        (CHEAPEST, 3.5, (1, 0, 0, 3, 0)),
        (FREE, 99.0, (3, 3, 3, 3, 0)),
    ],
)
def test_dice_are_added_in_the_order_of_the_rule(order, target, commit):
    assert reach(table((3, 3, 3, 3, 0)), target, order).tolist() == [list(commit)]


def test_dice_in_hand_count_and_the_cheapest_may_be_strong():
    """With purple, blue and green exhausted and Recovery 3 a die costs 2 at most: purple 2 for 1 damage, as yellow 1 for 1/2."""
    here = table((2, 2, 2, 2, 0), whole=(3, 3, 3, 3, 0))
    assert losing(here, np.array([[0, 0, 0, 1, 0]])).tolist() == [2.0]
    assert reach(here, 1.0, CHEAPEST).tolist() == [[0, 0, 0, 1, 0]]
    assert reach(table((2, 0, 0, 2, 0), hand=(0, 0, 0, 1, 0)), 1.5, WEAKEST).tolist() == [[1, 0, 0, 0, 0]]


def test_losing_is_what_recovery_does_not_bring_back():
    """Three purple dice come back; a yellow one more does not; with Recovery 2 the green of 2p1g does not either."""
    here = table((3, 3, 3, 3, 0))
    assert losing(here, np.array([[1, 0, 0, 3, 0]])).tolist() == [1.0]
    assert losing(table((3, 3, 3, 3, 0), recovery=2), np.array([[0, 1, 0, 2, 0]])).tolist() == [2.0]


def test_the_rule_gives_up_where_the_price_is_too_high_or_the_dice_too_few():
    rule = Multiple(WEAKEST, {1: 0.5}, price={1: 0.5}, least={1: 1.0})  # 2 damage here, which lose 3 yellow and a green die: 5
    here = table((3, 3, 3, 3, 0), recovery=0, stake=10.0)
    assert rule.commit(here).tolist() == [[3, 1, 0, 0, 0]]
    assert rule.commit(replace(here, stake=9.0)).tolist() == [[0, 0, 0, 0, 0]]
    assert rule.commit(replace(here, stake=99.0, health=10)).tolist() == [[0, 0, 0, 0, 0]]  # all dice deal 9


def test_a_rule_is_value_what_it_is_by_hand():
    """Everything at once, 1y1p against Health 1 and one pass: 3 and 2 Health for 1 - 2/3 * 1/6; Recovery 1 brings purple back."""
    ledger = Ledger(Fight((1, 0, 0, 1, 0), (Enemy(1, 2),), health=6, strategy=1, recovery=1), Objective(fallen=3))
    play = follow(ledger, All())
    assert play.values[1, ledger.row((1, 0, 0, 1, 0)), 1] == pytest.approx(36 - 12 + 4 + 15 * (1 - 2 / 18))


def test_files_are_read_as_they_were_written(tmp_path):
    files.write_cells(CELLS[:3], tmp_path / "cells.csv")
    assert files.read_cells(tmp_path / "cells.csv") == CELLS[:3]


def test_the_same_page_makes_the_same_bytes(tmp_path):
    (name, _), own = next(iter(pages.grouped(CELLS).items()))
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        pages.save(
            [(name, pages.page([("Strategy 1", [cell for cell in own if cell.strategy == 1])], "title", (), (), "ygbp"))], tmp_path / folder
        )
    for file in (f"{name}.png", "sheet.pdf"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_there_is_nothing_to_redraw_in_an_empty_folder(tmp_path, capsys):
    assert main(["--redraw", "--to", str(tmp_path), "--findings", str(tmp_path / "page.md")]) == 2
    assert "write the sheet first" in capsys.readouterr().err
    assert not (tmp_path / "page.md").exists()
