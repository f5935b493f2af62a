"""``python -m deckwood.advise``: what a player types and reads, against values worked out by hand and the solvers."""

import itertools
import json
import re
import shlex
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from deckwood import Batch, lost_woods_v1
from deckwood.advise import saved, typed
from deckwood.advise.command import main
from deckwood.advise.fight import objective_report
from deckwood.advise.saved import advise_position, plain_fight
from deckwood.advise.text import WIDTH, in_words, percent
from deckwood.core.errors import DeckwoodError
from deckwood.core.jit import COMPILED
from deckwood.solver import Enemy, Fight, isolate, solve_engagement, solve_fight
from deckwood.strong.objective import Objective
from deckwood.strong.steps import COMMIT
from deckwood.strong.terms import SIDES
from deckwood.strong.words import step_of
from tests.tanglewoods.scenario import Scenario, enemy

PAGE = Path(__file__).parents[1] / "docs/advise.md"
EXAMPLE = re.compile(r"^\$ python -m deckwood\.advise (.*)\n((?:.*\n)*?)```", re.MULTILINE)
WON = Path(__file__).parent / "golden/tanglewoods/won.json"


def run(line, *words, ask=input):
    """The command's exit status, for a line of words and any more."""
    return main([*shlex.split(line), *words], ask)


def advice(capsys, line, *words):
    """What the command prints as JSON."""
    assert run(line, *words, "--json", "-") == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys, line, *words):
    """What the command says when it refuses, with exit status 2."""
    try:
        status = run(line, *words)
    except SystemExit as left:
        status = left.code
    assert status == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


def dice(row):
    return tuple(row["commit"].values())


# What a player types


def test_dice_are_counts_and_colours():
    assert typed.read_dice("3y2p") == (3, 0, 0, 2, 0)
    assert typed.read_dice(" 2P, y + r ") == (1, 0, 0, 2, 1)
    assert typed.read_dice("0") == typed.read_dice("none") == (0, 0, 0, 0, 0)


def test_enemies_may_have_rewards():
    assert typed.read_enemy("5/2") == Enemy(5, 2)
    assert typed.read_enemy("5/2:gold=2,health=1,dice=3") == Enemy(5, 2, gold=2, gain_health=1, recover=3)


def test_what_dice_show_is_read_by_colour():
    assert typed.read_shown("p=hcm,y=m") == ((1, 0, 0), (0, 0, 0), (0, 0, 0), (1, 1, 1), (0, 0, 0))


def test_values_come_from_file_and_line(tmp_path):
    file = tmp_path / "objective.json"
    file.write_text('{"health": 2, "ready": [1, 1, 1, 1, 1]}')
    objective = typed.make_objective([typed.read_objective(file), typed.read_value("purple=4"), typed.read_value("health=3")])
    assert objective == Objective(health=3, ready=(1, 1, 1, 4, 1))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--dice 3y3x --enemy 1/1", "'3y3x': 'x' is not a colour; y, g, b, p and r are"),
        ("--dice 3y3 --enemy 1/1", "'3y3': a colour is missing after 3"),
        ("--dice 1y1y --enemy 1/1", "'y' is there twice"),
        ("--dice 5y --enemy 1/1", "5 yellow dice, ready and exhausted: the box has 4"),
        ("--dice 1y --enemy 5-2", "'5-2': write an enemy as HEALTH/DAMAGE, as in 5/2"),
        ("--dice 1y --enemy 5/2:silver=1", "'silver' is not a reward; gold, health, strategy, recovery and dice are"),
        ("--dice 1y --enemy 5/2:gold=x", "found gold=x; allowed is a whole number from 1 to 20"),
        ("--dice 1y --enemy 21/2", "Health must be from 1 to 20"),
        ("--dice 1y --enemy 1/1 --strategy 7", "argument --strategy: found '7'; allowed is a whole number from 1 to 6"),
        ("--dice 1y --enemy 1/1 --value luck=1", "'luck=1': write a value as NAME=NUMBER, as in health=6; the names are health,"),
        ("--dice 1y --enemy 1/1 --value health=much", "'much' is not a number from"),
        ("--dice 1y --enemy 1/1 --value ready=1,2", "ready takes five numbers"),
        ("--dice 1y --enemy 1/1 --commit 1p", "the commit 1p is not possible here: 1y is what may be committed at most"),
        ("--dice 1y --enemy 1/1 --rolled y=x", "'x' is not a face of a die; h (hit), c (crit) and m (miss) are"),
        ("--dice 1r --enemy 1/1 --rolled r=m", "a red die has no miss"),
        ("--dice 1y --enemy 1/1 --rolled z=m", "found 'z=m'; write what the dice of each colour show, as in p=hcm,y=m"),
        ("--dice 1y --enemy 1/1 --rolled y=mm", "2y committed, of 1y: there are not that many"),
        ("--dice 2y --enemy 1/1 --rolled y=m --left 1,2", "Health left (1, 2): the enemies have (1,)"),
        ("--dice 2y --enemy 1/1 --rolled y=m --left one", "write the Health left of each enemy, as in 5,3"),
        ("--dice 2y --enemy 1/1 --rolled y=m --roll 4", "4 rolls: the Strategy phase can be played from 1 to 3 times"),
        ("--dice 2y --enemy 2/1 --rolled y=m --committed 2y", "they were applied, but the enemies have all their Health left"),
        ("--dice 2y --enemy 2/1 --rolled y=m --left 1", "0 dice are neither ready nor rolled"),
        ("--dice 1y", "--dice and --enemy are needed"),
        ("--dice 1y --enemy 1/1 --left 1", "--left belongs to --rolled"),
        ("--dice 1y --enemy 1/1 --event 3", "--event belongs to --position FILE"),
        ("--position pyproject.toml --dice 1y", "--dice belongs to a fight that is typed in"),
        ("--position no_such_file", "no such file"),
        ("--dice 1y --enemy 1/1 --plot x.txt", "the name of a picture ends in .png, .svg or .pdf"),
        ("--dice 1y --enemy 1/1 --json no/such/folder/x", "there is no folder"),
        ("--dice 1y --enemy 1/1 --objective no_such_file", "cannot be read"),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_allowed(capsys, words, message):
    assert message in refused(capsys, words)


# Before the first roll


def test_a_single_die_by_hand(capsys):
    """A yellow die has two sides of six that hit. Won, 3 Health and the die are left: 19; lost, 2 Health and the die: 13."""
    report = advice(capsys, "--dice 1y --enemy 1/1 --strategy 1")
    best, other = report["choices"]
    assert best["commit"] == {"yellow": 1, "green": 0, "blue": 0, "purple": 0, "red": 0}
    assert best["value"] == pytest.approx(15)
    assert (best["rank"], best["worse_by"], best["exhausted"]) == (1, 0, 1)
    assert best["defeat"] == pytest.approx([1 / 3])
    assert best["defeat_all"] == pytest.approx(1 / 3)
    assert best["damage"] == pytest.approx(2 / 3)
    assert (best["death"], other["death"]) == (0, 0)
    assert dice(other) == (0, 0, 0, 0, 0)
    assert other["worse_by"] == pytest.approx(2)


def test_a_second_roll_by_hand(capsys):
    best = advice(capsys, "--dice 1y --enemy 1/1 --strategy 2")["choices"][0]
    assert best["defeat"] == pytest.approx([1 - (2 / 3) ** 2])


def test_death_rewards_and_values_by_hand(capsys):
    """With 1 Health, a miss is death (-7); a hit leaves 1 Health and 2 gold."""
    words = "--dice 1y --enemy 1/1:gold=2 --strategy 1 --health 1 --value lost=-7 --value health=5 --value yellow=0 --value gold=2"
    best = advice(capsys, *words.split())["choices"][0]
    assert best["death"] == pytest.approx(2 / 3)
    assert best["value"] == pytest.approx(1 / 3 * (5 + 2 * 2) + 2 / 3 * -7)


def test_figures_are_the_solvers(capsys):
    report = advice(capsys, "--dice 2y1b1p --exhausted 1g --enemy 3/2:health=1 --enemy 1/1 --recovery 2 --top 3 --commit 1b")
    solution = solve_fight(Fight((2, 0, 1, 1, 0), (Enemy(3, 2, gain_health=1), Enemy(1, 1)), exhausted=(0, 1, 0, 0, 0), recovery=2))
    assert report["of"] == len(solution.commits) == 3 * 2 * 2
    assert report["states"] == solution.states
    assert [dice(row) for row in report["choices"][:3]] == [commit.dice for commit in solution.commits[:3]]
    asked = [row for row in report["choices"] if dice(row) == (0, 0, 1, 0, 0)]
    for row in [*report["choices"][:3], *asked]:
        outlook = solution.outlook(dice(row))
        assert row["defeat"] == list(outlook.defeat)
        for name in ("value", "defeat_all", "death", "damage", "exhausted", "ready_after"):
            assert row[name] == getattr(outlook, name)
        assert row["worse_by"] == pytest.approx(solution.value - outlook.value)
        assert solution.commits[row["rank"] - 1].dice == dice(row)


def test_a_fight_that_takes_too_much_memory_says_so(capsys):
    message = refused(capsys, "--dice 4y4g4b4p1r --enemy 20/1 --enemy 20/1 --enemy 20/1 --memory 1")
    assert "4,219,543,125 positions and more, beyond the limit given; the value lies between -30 and 119" in message


# After a roll


def test_each_die_goes_where_it_is_needed(capsys):
    """A crit and a hit can defeat both in only one way."""
    report = advice(capsys, "--dice 1y1p --enemy 1/1 --enemy 2/1 --strategy 1 --rolled p=c,y=h")
    assert {(die["colour"], die["face"], die["enemy"]) for die in report["apply"]} == {("purple", "crit", 2), ("yellow", "hit", 1)}
    assert report["left_then"] == [0, 0]
    best = report["choices"][0]
    assert best["resolve"]
    assert (best["defeat"], best["damage"], best["exhausted"]) == ([1, 1], 0, 2)
    assert report["of"] == 1


def test_no_die_is_wasted_and_the_weakest_goes_first(capsys):
    """One hit is enough for the first enemy; the stronger die is kept to be rolled for the second."""
    report = advice(capsys, "--dice 1y1p --enemy 1/0 --enemy 4/1 --strategy 2 --rolled y=h,p=h --value fallen=9")
    assert report["apply"][0] == {"colour": "yellow", "face": "hit", "enemy": 1}
    assert all(die["enemy"] == 1 for die in report["apply"][:1])


@cache
def rolled(yellow, purple):
    """All that these dice may show, as counts of hits and crits by colour, with the chances."""
    found = {}
    for faces in itertools.product(range(3), repeat=yellow + purple):
        chance = np.prod([SIDES[0 if i < yellow else 3][face] / 6 for i, face in enumerate(faces)])
        first, second = faces[:yellow], faces[yellow:]
        key = first.count(1), first.count(2), second.count(1), second.count(2)
        found[key] = found.get(key, 0) + chance
    return found


@cache
def most_likely_fall(yellow, purple, need, rolls):
    """The best chance to deal ``need`` damage with dice in hand, by trying every way to apply them."""
    if need <= 0:
        return 1.0
    if rolls == 0:
        return 0.0
    return sum(
        chance
        * max(
            most_likely_fall(yellow - a - b, purple - c - d, need - a - 2 * b - c - 2 * d, rolls - 1)
            for a, b, c, d in itertools.product(*(range(n + 1) for n in shown))
        )
        for shown, chance in rolled(yellow, purple).items()
    )


def test_a_hit_may_be_better_rolled_again(capsys):
    """Two rolls are left for 3 damage. With a purple hit kept in hand: 87%; with it applied, 2 damage and one die less: 84%.

    Of the four dice the best three are recovered: 9. With 2 Health that is 21, and 6 more with 3.
    """
    assert most_likely_fall(2, 2, 3, 2) > most_likely_fall(2, 1, 2, 2)
    report = advice(capsys, "--dice 2y2p --enemy 3/1 --rolled y=mm,p=hm")
    assert report["apply"] == []
    assert report["in_hand"] == {"yellow": 2, "green": 0, "blue": 0, "purple": 2, "red": 0}
    again, now = report["choices"]
    assert again["defeat_all"] == pytest.approx(most_likely_fall(2, 2, 3, 2))
    assert again["value"] == pytest.approx(21 + 6 * most_likely_fall(2, 2, 3, 2)) == pytest.approx(report["value"])
    assert (now["resolve"], now["defeat_all"], now["damage"]) == (True, 0, 1)


def test_a_later_roll_counts_what_was_applied(capsys):
    """Of three purple dice one was applied to an enemy of Health 2. The second and last roll shows a hit: it falls, 3 Health are left."""
    report = advice(capsys, "--dice 3p --enemy 2/1 --strategy 2 --rolled p=hm --committed 3p --left 1 --roll 2 --recovery 1")
    assert report["apply"] == [{"colour": "purple", "face": "hit", "enemy": 1}]
    (only,) = report["choices"]
    assert only["resolve"]
    assert (only["value"], only["exhausted"], only["ready_after"]) == (3 * 6 + 4, 3, 1)


def test_the_text_says_what_to_do(capsys):
    assert run("--dice 2y2p --enemy 3/1 --rolled y=mm,p=hm") == 0
    out = capsys.readouterr().out
    assert "Roll 1 shows yellow 2 misses; purple 1 hit and 1 miss. Still ready: none. Health left: 3 of enemy 1." in out
    assert "Apply nothing.\nThen repeat the Strategy phase: commit no more dice and roll the 2 yellow and 2 purple dice in" in out
    assert run("--dice 1y1p --enemy 1/1 --enemy 2/1 --strategy 1 --rolled p=c,y=h") == 0
    out = capsys.readouterr().out
    assert "Apply 1 purple crit to enemy 2 (Health 2 to 0, defeated).\n" in out
    assert "Then go on to the Resolve phase: all enemies are defeated." in out


def test_text_fits_the_page(capsys):
    report = advice(capsys, "--dice 1y1g1b1p1r --enemy 1/1:gold=1,health=1,strategy=1 --enemy 1/1 --enemy 2/1 --strategy 2")
    assert max(map(len, in_words(report).splitlines())) <= WIDTH
    assert [percent(chance) for chance in (0, 1e-9, 0.5, 1 - 1e-9, 1)] == ["0.0%", "<0.1%", "50.0%", ">99.9%", "100.0%"]


def test_a_fight_is_played_along(capsys):
    """The player types nonsense, then what was rolled: a miss, then a hit."""
    typed_in = iter(["1p", "", "p=h", "y=m", "", "y=h"])
    assert run("--dice 1y --enemy 1/1 --interactive", ask=lambda question: next(typed_in)) == 0
    out = capsys.readouterr().out
    assert "'1p': only 1y are ready" in out
    assert "'p=h': that is 1p, but 1y were rolled" in out
    assert "Roll 2 shows yellow 1 hit." in out
    assert "Then go on to the Resolve phase: all enemies are defeated." in out
    assert next(typed_in, None) is None


def test_playing_along_may_be_left(capsys):
    def leave(question):
        raise EOFError

    assert run("--dice 1y --enemy 1/1 --interactive", ask=leave) == 0


def test_long_texts_of_actions_keep_to_the_width():
    text = "Use a Lantern once and for all: " + "Recover up to 2 dice of your choice. " * 4
    action = {"text": text.strip(), "value": 1.0, "worse_by": 0.0}
    report = {"kind": "position", "table": ["A table."], "exact": True, "states": 3, "value": 1.0, "actions": [action], "line": []}
    lines = in_words({**report, "objective": objective_report(Objective())}).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert text.strip() in " ".join(" ".join(lines).replace("1.000", "").replace(" - ", " ").split())


# Saved games


@pytest.fixture(scope="module")
def small_game(tmp_path_factory):
    """A saved game of Tanglewoods at the first Commit Dice step of a fight, with one yellow die ready."""
    batch = Batch("deckwood/Tanglewoods-v1", 1, seed=90, autoreset=False)
    for _ in range(21):
        batch.step(batch.random_actions())
    s = batch.positions[0]
    assert step_of(s) == COMMIT
    assert s.passes == 1
    assert s.ready.tolist() == [1, 0, 0, 0, 0]
    file = tmp_path_factory.mktemp("saved") / "game.bin"
    file.write_bytes(batch.save())
    return file, batch


def test_a_saved_game_is_solved_with_every_effect(small_game, capsys):
    file, batch = small_game
    report = advice(capsys, "--value gold=2 --position", str(file))
    position = batch.positions.copy()
    graph = solve_engagement(batch.game, position, Objective(gold=2))
    values = graph.action_values(isolate(batch.game, position))
    assert report["exact"]
    assert {row["action"]: row["value"] for row in report["actions"]} == values
    assert report["value"] == report["actions"][0]["value"] == max(values.values())
    assert {row["name"] for row in report["actions"]} == {batch.spec.actions[a].name for a in np.flatnonzero(batch.mask[0])}
    assert report["line"][0] == report["actions"][0]["text"]
    assert run("--value gold=2 --position", str(file)) == 0
    out = capsys.readouterr().out
    assert f"Best: {report['line'][0]}" in " ".join(out.split())
    assert "with every card effect" in out


def test_a_large_saved_game_says_so_and_what_is_left_out(small_game, capsys):
    file, batch = small_game
    exact = advice(capsys, "--position", str(file))["value"]
    report = advice(capsys, "--limit 5 --position", str(file))
    assert not report["exact"]
    assert report["too_large"]["lower"] <= exact <= report["too_large"]["upper"]
    assert report["instead"]["kind"] == "counted"
    assert [dice(row) for row in report["instead"]["choices"]] in ([(0,) * 5, (1, 0, 0, 0, 0)], [(1, 0, 0, 0, 0), (0,) * 5])
    names, s = batch.game.deck.names["faces"], batch.positions[0]
    cards = {names[int(face)] for face in (*s.slot, *s.items, s.hero) if face >= 0}
    assert report["left_out"]
    assert {line.partition(": ")[0] for line in report["left_out"]} <= cards
    assert run("--limit 5 --position", str(file)) == 0
    out = capsys.readouterr().out
    assert "is too large: " in out
    assert "What follows counts all effects that stand. It leaves out:" in out
    for line in report["left_out"]:
        assert f"- {line.split()[0]}" in out


@pytest.mark.parametrize("objective", [Objective(), Objective(strategy=2, recovery=2, fallen=3, won=1)])
def test_a_plain_position_is_that_plain_fight(objective):
    """Cards without effects: walking the rules and counting dice agree, before a roll and after it, and nothing is left out. It says so,
    but between two dice of a commit, when the rules allow no weaker ones any more.
    """
    game = Scenario(enemies=[enemy(health=2, damage=1, reward=[{"op": "gain_gold", "count": 2}])], dice={"yellow": 1, "blue": 1}).fight()
    course = (
        ("counted", True, (), ()),
        ("fight", False, ("commit_yellow",), ()),
        ("roll", True, ("roll",), ("miss",)),
        ("fight", True, ("again",), ()),
        ("roll", True, ("commit_blue", "roll"), ("hit", "miss")),
    )
    for kind, told_exact, actions, faces in course:
        game.do(*actions).roll(*faces)
        exact = advise_position(game.game, game.position, objective, limit=10**6, top=99, max_bytes=1 << 30)
        near = advise_position(game.game, game.position, objective, limit=1, top=99, max_bytes=1 << 30)
        assert exact["exact"]
        assert near["exact"] == told_exact
        assert near["left_out"] == []
        assert near["instead"]["kind"] == kind
        assert near["instead"]["objective"] == objective_report(objective)
        assert near["instead"]["value"] == near["instead"]["choices"][0]["value"] == pytest.approx(exact["value"])


def test_dice_on_enemies_are_not_as_in_a_plain_fight():
    """They are not recovered by a reward in the fight, as exhausted ones are: the plain fight's value is another one."""
    rewards = [{"op": "recover", "count": 2}]
    game = Scenario(enemies=[enemy(health=2, reward=rewards)], dice={"yellow": 1, "blue": 1}, exhausted={"purple": 1}).fight()
    game.commit("blue").roll("hit").hit("blue_hit").do("again")
    near = advise_position(game.game, game.position, Objective(), limit=1, top=9, max_bytes=1 << 30)
    assert near["left_out"] == []
    assert not near["exact"]


@pytest.fixture(scope="module")
def commit_game(tmp_path_factory):
    """A saved game of DiceCommit, about to begin, and what its fight is worth to the best policy."""
    batch = Batch("deckwood/DiceCommit-v1", 1, seed=1, tier="small", fight=1)
    file = tmp_path_factory.mktemp("saved") / "commit.bin"
    file.write_bytes(batch.save())
    return file, float(batch.metrics()["optimal_value"][0]) + float(batch.positions["start"][0])


def test_a_game_with_an_objective_is_advised_by_it(commit_game, capsys):
    file, value = commit_game
    report = advice(capsys, "--position", str(file))
    assert report["value"] == pytest.approx(value)
    assert (report["objective"]["strategy"], report["objective"]["recovery"]) == (2, 2)  # as its deck file says
    changed = advice(capsys, "--value recovery=5 --position", str(file))["objective"]
    assert changed == {**report["objective"], "recovery": 5}


def test_what_was_counted_without_leaving_anything_out_is_exact(commit_game, capsys):
    """As in fights of the full tier, which are too large to be walked."""
    file, value = commit_game
    report = advice(capsys, "--limit 1 --position", str(file))
    assert report["exact"]
    assert report["left_out"] == []
    assert report["instead"]["value"] == pytest.approx(value)
    assert run("--limit 1 --position", str(file)) == 0
    assert "no card effect is left out, all values are exact." in " ".join(capsys.readouterr().out.split())


def test_a_limit_counts_in_the_first_commit():
    """One die may be committed at once: no commit of two is listed, and walking the rules gives the same values."""
    game = Scenario(enemies=[enemy(health=2, effects=[{"op": "commit_limit", "count": 1}])], dice={"yellow": 1, "blue": 1}).fight()
    exact = advise_position(game.game, game.position, Objective(), limit=10**6, top=99, max_bytes=1 << 30)
    near = advise_position(game.game, game.position, Objective(), limit=1, top=99, max_bytes=1 << 30)
    assert near["exact"]
    assert near["left_out"] == []
    assert sorted(dice(row) for row in near["instead"]["choices"]) == [(0, 0, 0, 0, 0), (0, 0, 1, 0, 0), (1, 0, 0, 0, 0)]
    assert near["instead"]["value"] == pytest.approx(exact["value"])


def test_effects_that_a_plain_fight_lacks_are_named():
    effects = [{"op": "commit_limit", "count": 1}, {"when": "rolled", "op": "lose_stat", "stat": "health", "count": 1}]
    reward = [{"op": "gain_gold", "count": 2}, {"op": "gain_item", "count": 1}]
    game = Scenario(enemies=[enemy(effects=effects, reward=reward)], dice={"yellow": 2}, held=("Item 0",)).fight()
    plain = plain_fight(game.game, game.p)
    assert plain.fight.enemies == (Enemy(3, 1, gold=2),)
    assert plain.fight.ready == (2, 0, 0, 0, 0)
    assert [line.partition(":")[0] for line in plain.left_out] == ["Minion 0", "Item 0"]
    for words in ("At most 1 die may be committed at once.", "Lose 1 Health", "Gain 1 random item"):
        assert words in plain.left_out[0]
    assert "Gain 2 gold" not in plain.left_out[0]


def test_a_question_that_no_plain_fight_has_is_not_answered():
    reward = [{"op": "gain_gold", "count": 2}]
    game = Scenario(enemies=[enemy(health=1, reward=reward)], dice={"yellow": 1}).fight().commit("yellow").roll("hit").hit("yellow_hit")
    assert game.phase == "Take the reward?"
    with pytest.raises(DeckwoodError, match=r"3 positions and more.* No plain fight is like Take the reward\?: raise --limit"):
        advise_position(game.game, game.position, Objective(), limit=1, top=1, max_bytes=1 << 30)


def test_a_replay_is_read_at_an_event(capsys):
    """The replay is over at its end; somewhere before there is a fight."""
    message = refused(capsys, "--position", str(WON))
    assert "no engagement is under way at The game is over" in message
    assert "the replay has" in refused(capsys, "--event 1000000 --position", str(WON))
    _, position = saved.read_position(WON, event=0)
    assert position["decisions"][0] == 0


def test_files_that_are_no_saved_games_are_refused(tmp_path, small_game, capsys):
    file, _ = small_game
    nonsense, damaged, woods = tmp_path / "nonsense", tmp_path / "damaged", tmp_path / "woods"
    nonsense.write_bytes(b"\xff\x00")
    assert "is neither a saved game" in refused(capsys, "--position", str(nonsense))
    data = file.read_bytes()
    damaged.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert "the saved game is damaged" in refused(capsys, "--position", str(damaged))
    assert "allowed is 0 to 0: 1 games were saved" in refused(capsys, "--slot 1 --position", str(file))
    env = lost_woods_v1.env(num_players=2)
    env.reset(seed=1)
    woods.write_bytes(env.unwrapped.save())
    assert "deckwood/LostWoods-v1 is not a 20 Strong deck" in refused(capsys, "--position", str(woods))


# Pictures and the page


def test_a_picture_is_drawn(tmp_path, capsys, small_game):
    pytest.importorskip("matplotlib")
    lines = ("--dice 1y1p --enemy 1/1 --enemy 2/1", "--dice 1y1p --enemy 2/1 --rolled y=m", f"--position {small_game[0]}")
    for i, words in enumerate(lines):
        picture = tmp_path / f"{i}.png"
        assert run(words, "--plot", str(picture)) == 0
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_picture_needs_matplotlib(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert "pictures of advice need matplotlib" in refused(capsys, "--dice 1y --enemy 1/1 --plot", str(tmp_path / "x.png"))
    assert list(tmp_path.iterdir()) == []


def test_json_is_written_beside_the_text(tmp_path, capsys):
    assert run("--dice 1y --enemy 1/1 --json", str(tmp_path / "x.json")) == 0
    assert "Commit 1 yellow die." in capsys.readouterr().out
    assert json.loads((tmp_path / "x.json").read_text())["kind"] == "fight"


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="whole pools take long uncompiled")
@pytest.mark.parametrize(("line", "output"), EXAMPLE.findall(PAGE.read_text(encoding="utf-8")))
def test_the_page_shows_what_the_command_prints(line, output, capsys):
    assert run(line) == 0
    assert capsys.readouterr().out.strip() == output.strip()
