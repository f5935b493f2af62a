"""The agenda's bounds: a deck whose effects never end is refused where the loader sees it, and its game is cut where it does not."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.spec import Node
from deckwood.core.uncompiled import uncompiled
from deckwood.etherfields import deck as etherfields
from deckwood.strong import steps
from deckwood.strong.steps import GUARD, MAX_PUSHED, OVERRUN, PUSHED
from deckwood.strong.words import why_cut
from deckwood.tanglewoods import deck as tanglewoods
from tests.etherfields import scenario as dream
from tests.tanglewoods import scenario as forest

ADVANCE = {"op": "advance_ether", "when": "ether_changed"}


def in_order(*colours: str) -> list[dict[str, Any]]:
    """From each of these colours the ether is turned to the next, from the last one to the first."""
    found: list[dict[str, Any]] = []
    for colour, then in zip(colours, (*colours[1:], colours[0]), strict=True):
        found += [{"op": "if_ether", "colour": colour, "count": 1}, {"op": "set_ether", "colour": then}]
    return [{**effect, "when": "ether_changed"} for effect in found]


# What the loader sees


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ({"ability": [ADVANCE]}, "yellow to green.*red to yellow"),
        ({"ability": in_order("red", "blue")}, "red to blue, then .* blue to red"),
        (
            {"items": [dream.item({"op": "set_ether", "colour": c, "when": "ether_changed"}, uses="ongoing") for c in ("red", "blue")]},
            "Item",
        ),
        (
            {
                "ability": [{"op": "set_ether", "colour": "red", "when": "ether_changed"}],
                "influence": [dream.ongoing({**ADVANCE, "when": "ether_changed"})],
            },
            "Influence 0",
        ),
        ({"ability": [{"op": "test", "colour": "red", "count": 1, "when": "ether_changed"}, ADVANCE]}, "advance_ether"),
    ],
)
def test_answers_that_turn_the_ether_round_are_refused(cards: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=f"ether_changed.*{named}|{named}.*ether_changed"):
        dream.Scenario(**cards)


@pytest.mark.parametrize(
    "ability",
    [
        [{"op": "set_ether", "colour": "red", "when": "ether_changed"}],
        in_order("red", "blue")[:2],
        [{"op": "advance_ether", "when": "enemy_fell"}, {"op": "recover", "count": 1, "when": "ether_changed"}],
    ],
)
def test_answers_that_end_are_accepted(ability: list[dict[str, Any]]) -> None:
    assert dream.Scenario(ability=ability).phase


def test_two_heroes_do_not_answer_each_other() -> None:
    """There is one hero in play."""
    half = [{"op": "set_ether", "colour": "red", "when": "ether_changed"}], [{"op": "set_ether", "colour": "blue", "when": "ether_changed"}]
    assert dream.Scenario(heroes=[{"front": {"effects": side}} for side in half]).phase


@pytest.mark.parametrize(
    ("effects", "fine"),
    [
        ({"night_entered": "day", "camped": "night"}, False),
        ({"trap_sprung": "night"}, True),
        ({"trap_sprung": "day"}, False),
        ({"camped": "night", "night_entered": "night"}, True),
    ],
)
def test_answers_that_turn_the_forest_back_and_forth_are_refused(effects: dict[str, str], fine: bool) -> None:
    """A trap turns the card to the night by itself."""
    file = copy.deepcopy(forest.PLAIN)
    file["forest"][0]["day"]["nodes"]["a"] = "minion/trap"
    file["hero"][0]["front"]["effects"] = [{"op": "flip_forest", "side": side, "when": when} for when, side in effects.items()]
    if fine:
        tanglewoods.DeckFile.model_validate(file, context=tanglewoods.WORDS)
    else:
        with pytest.raises(ValueError, match="flip_forest"):
            tanglewoods.DeckFile.model_validate(file, context=tanglewoods.WORDS)


# What it does not


def overrun(monkeypatch: pytest.MonkeyPatch) -> dream.Scenario:
    """A hero who answers to a change of the ether with two, and an item that changes it."""
    monkeypatch.setattr(etherfields, "endless", lambda *args: [])
    advance = dream.item({"op": "advance_ether"}, uses="ongoing")
    return dream.Scenario(ability=[ADVANCE, ADVANCE], items=[advance], held=["Item 0"])


def test_a_full_agenda_cuts_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    s = overrun(monkeypatch).do("use_item_1")
    assert (s.p["node"], s.p["ended"], s.p["depth"]) == (Node.END, 0, GUARD)
    assert 'effects of "Hero 0" (ether_changed)' in why_cut(s.p, s.game.deck)
    assert not s.game.legal(s.position).any()
    assert s.spec.describe(s.p, s.game.deck)
    assert s.spec.draw(s.p, s.game.deck).any()


def test_compiled_and_uncompiled_rules_cut_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    s = overrun(monkeypatch)
    twin = s.position.copy()
    uncompiled(s.spec.rules.apply)(twin[0], s.game.deck.tables, s.spec.action_index["use_item_1"])
    s.do("use_item_1")
    twin["decisions"] += 1
    assert s.p["agenda"][GUARD, OVERRUN]
    assert all(np.array_equal(twin[name], s.position[name]) for name in twin.dtype.names)


def test_a_batch_truncates_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    s = overrun(monkeypatch)
    batch = Batch(s.game, 2, seed=0)
    batch.set_positions(np.concatenate([s.position] * 2).view(np.recarray))
    batch.step([s.spec.action_index["use_item_1"]] * 2)
    assert batch.truncated.all()
    assert not batch.terminated.any()
    assert not batch.ended.any()
    assert (batch.positions["node"] == Node.DECISION).all()


def test_an_environment_names_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    s = overrun(monkeypatch)
    env: Any = gymnasium.make("deckwood:deckwood/Etherfields-v1").unwrapped
    env.batch = Batch(s.game, 1, seed=0, autoreset=False)
    env.reset(seed=0)
    env.batch.set_positions(s.position)
    with pytest.warns(RuntimeWarning, match="Hero 0"):
        _, _, terminated, truncated, info = env.step(s.spec.action_index["use_item_1"])
    assert (terminated, truncated, info["ended"]) == (False, True, "truncated")
    assert "Hero 0" in info["reason"]


def test_steps_without_a_decision_have_a_bound() -> None:
    """Enemies that call the next one and return to their deck do so for ever, without filling the agenda."""
    effects = [{"op": op, "when": "after", **more} for op, more in (("return_to_deck", {}), ("activate", {"count": 1}))]
    s = forest.Scenario(enemies=[{"effects": effects, "damage": 0, "health": 9}] * 30, dice={"red": 1})
    s.fight().do("roll", "resolve")
    rng = np.random.default_rng(0)
    for _ in range(2_000):
        if s.p["node"] == Node.END:
            break
        if s.p["node"] == Node.CHANCE:
            s.game.apply_chance(s.position, int(rng.choice(np.flatnonzero(s.game.chance(s.position)))))
        else:
            s.game.apply(s.position, int(rng.choice(np.flatnonzero(s.game.legal(s.position)))))
    assert (s.p["node"], s.p["ended"], s.p["agenda"][GUARD, OVERRUN]) == (Node.END, 0, 1)
    assert "(after)" in why_cut(s.p, s.game.deck)


def test_no_step_lies_beyond_the_last_place() -> None:
    """push refuses; what waits stays as it is."""
    s = dream.Scenario()
    position = s.position.copy()
    p = position[0]
    for _ in range(100):
        uncompiled(steps.push)(p, steps.RECOVERING, 1, 0, 0)
    assert (p.depth, p.agenda[GUARD, OVERRUN]) == (GUARD, 1)
    assert p.agenda[GUARD, PUSHED] < MAX_PUSHED
    assert (p.agenda[p.depth - 1] == (steps.RECOVERING, 1, 0, 0)).all()
