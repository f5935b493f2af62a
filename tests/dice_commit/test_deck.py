"""Deck files: dice as they are written, and what is refused, with the place, what was found and what is allowed."""

import re

import pytest

from deckwood.core.errors import DeckError
from deckwood.dice_commit.deck import load_deck, payoff_bounds
from deckwood.strong.notation import dice_counts, dice_text
from deckwood.strong.objective import Objective
from tests.dice_commit.scenario import OBJECTIVE, enemy, write_deck

PLAIN = {"Wolf": enemy(2, 1)}


@pytest.mark.parametrize(
    ("text", "counts"),
    [("3y3g3b3p", (3, 3, 3, 3, 0)), ("", (0, 0, 0, 0, 0)), ("r", (0, 0, 0, 0, 1)), ("2b1yb", (1, 0, 3, 0, 0)), ("4p", (0, 0, 0, 4, 0))],
)
def test_dice_in_writing(text, counts):
    assert dice_counts(text) == counts
    assert dice_counts(dice_text(counts)) == counts


@pytest.mark.parametrize(
    ("text", "allowed"), [("3x", "as in 3y3g3b3p"), ("y 2b", "as in"), ("5y", "at most 4y4g4b4p1r"), ("2r", "at most")]
)
def test_dice_that_cannot_be(text, allowed):
    with pytest.raises(ValueError, match=allowed):
        dice_counts(text)


def refused(path, *messages):
    with pytest.raises(DeckError) as error:
        load_deck(path)
    for message in messages:
        assert re.search(message, str(error.value)), str(error.value)


@pytest.mark.parametrize(
    ("op", "about"),
    [
        ({"when": "falls", "op": "activate", "count": 1}, "a deck to draw from"),
        ({"when": "after", "op": "lose_item", "count": 1}, "items"),
        ({"op": "no_bribes"}, "a merchant"),
        ({"when": "falls", "op": "flip_hero"}, "a hero's card"),
    ],
)
def test_effects_that_a_single_fight_cannot_have(tmp_path, op, about):
    path = write_deck(tmp_path / "d.toml", {"Wolf": enemy(2, 1, op)})
    refused(path, rf'enemy 1 "Wolf", line 7, field effects 1.op: found "{op["op"]}"; allowed: what a single fight has; .* about {about}')


def test_rewards_that_a_single_fight_cannot_have(tmp_path):
    path = write_deck(tmp_path / "d.toml", {"Wolf": enemy(2, 1, reward=[{"op": "gain_item", "count": 1}])})
    refused(path, r'field reward 1.op: found "gain_item"; allowed: what a single fight has')


@pytest.mark.parametrize(
    ("fights", "message"),
    [
        ({"dice": ["1y", "3q"]}, r'tier 1 "mine", line \d+, field plain 1.dice 2: found "3q"; allowed: numbers and first letters'),
        ({"dice": ["3y"], "exhausted": ["2y"]}, r'field plain 1.dice: found "3y \+ 2y"; allowed: at most 4y4g4b4p1r'),
        (
            {"enemies": [["Wolff"]]},
            r'field plain 1.enemies 1: found "Wolff"; allowed: names of enemies, one of "Wolf"; did you mean "Wolf"',
        ),
        ({"enemies": [["Wolf", "Wolf"]]}, r'found "Wolf"; allowed: each enemy once'),
        ({"enemies": [[]]}, r"field plain 1.enemies 1: found \[\]"),
        ({"health": [7]}, r"field plain 1.health 1: found 7; allowed: a whole number from 1 to 6"),
        ({"dice": []}, r"field plain 1.dice: found \[\]; allowed: one or more entries"),
        ({"speed": [1]}, 'found an unknown field "speed"'),
        (
            {"strategy": [1, 2, 3, 4, 5, 6], "health": [1, 2, 3, 4, 5, 6], "recovery": list(range(1, 7)), "gold": [0, 1]},
            "at most 256 fights",
        ),
    ],
)
def test_fights_that_cannot_be(tmp_path, fights, message):
    refused(write_deck(tmp_path / "d.toml", PLAIN, **fights), message)


def test_plain_fights_and_those_with_effects_are_listed_apart(tmp_path):
    path = write_deck(tmp_path / "d.toml", {"Wolf": enemy(2, 1, {"op": "crits_void"})})
    text = path.read_text()
    path.write_text(text.replace("tier.with_effects", "tier.plain"))
    refused(path, r'field plain 1.enemies 1: found "Wolf"; allowed: enemies without effects')
    path.write_text(text.replace('effects = [{ op = "crits_void" }]', ""))
    refused(path, "field with_effects 1.enemies 1: .*one or more enemies with effects")
    path.write_text(text[: text.index("[[tier.")])
    refused(path, r'tier 1 "mine".*found no fights|allowed: some plain fights')


@pytest.mark.parametrize(
    ("part", "value", "allowed"),
    [
        ("health", 21, "a number from 0 to 20"),
        ("lost", 1, "a number from -100 to 0"),
        ("ready", [1, 2, 3], "exactly 5 entries, each a number from 0 to 10"),
        ("gold", "much", "a number from 0 to 5"),
    ],
)
def test_an_objective_out_of_bounds(tmp_path, part, value, allowed):
    refused(write_deck(tmp_path / "d.toml", PLAIN, {**OBJECTIVE, part: value}), f"field worths.{part}: found .*; allowed: {allowed}")


def test_bounds_of_a_payoff_by_hand():
    """Most is gained from every stat at 1 and nothing else; most is lost from all there is to ``lost``."""
    objective = Objective(health=6, strategy=2, recovery=1, gold=1, items=0, ready=(1, 2, 3, 4, 5), fallen=3, won=10, lost=-30)
    dice = 4 * (1 + 2 + 3 + 4) + 5
    assert payoff_bounds(objective) == (-30 - (6 * 9 + 20 + dice), 5 * 9 + 20 + dice + 8 * 3 + 10)
