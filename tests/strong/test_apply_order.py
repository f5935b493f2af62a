"""Dice may be applied in any order (Etherfields' rulebook, Apply Dice Step). The mask spares the player orders that differ in nothing.

What can be reached under the mask is compared with what can be reached in every order at all, as sets of positions: on tables of the
shipped decks as play comes to them, and on cards made at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.spec import Node, Positions
from deckwood.strong.steps import APPLY, STEP
from deckwood.strong.terms import COLOURS, HIT, NUM_COLOURS
from deckwood.strong.vocabulary import COLOUR, COLOUR_SET, FACE, OPS, STAT
from tests.strong.scenario import enemy
from tests.tanglewoods.scenario import Scenario

SPELLING = ("decisions", "last_die", "last_target")
"""Fields of how a position was come to, not of what lies on the table."""


def without_spelling(position: Positions) -> bytes:
    names = position.dtype.names or ()
    return b"".join(position[name].tobytes() for name in names if name not in SPELLING)


def is_over(position: Positions) -> bool:
    """True when the Apply Dice step is over, or chance decides."""
    return position["node"][0] != Node.DECISION or APPLY not in position["agenda"][0, : position["depth"][0], STEP]


MAX_POSITIONS = 1_000
"""Positions of one Apply Dice step; a table with more is passed over."""


class TooMany(Exception):
    pass


def ways_out(game: Game, position: Positions, any_order: bool) -> set[bytes]:
    """The tables that an Apply Dice step can be left with."""
    seen, out, waiting = set(), set(), [position.copy()]
    while waiting:
        now = waiting.pop()
        if is_over(now):
            out.add(without_spelling(now))
            continue
        if any_order:
            now["last_die"] = now["last_target"] = 0
        here = without_spelling(now) + now["last_die"].tobytes() + now["last_target"].tobytes()
        if here in seen:
            continue
        seen.add(here)
        if len(seen) > MAX_POSITIONS:
            raise TooMany
        for action in np.flatnonzero(game.legal(now)):
            after = now.copy()
            game.apply(after, int(action))
            waiting.append(after)
    return out


def same_ways_out(game: Game, position: Positions) -> bool:
    return ways_out(game, position, any_order=False) == ways_out(game, position, any_order=True)


# The faults that were reported


def test_a_hit_may_be_saved_from_what_a_crit_brings_about() -> None:
    """A hit that is applied first is no longer there for the crit's effect to exhaust."""
    miller = enemy(health=9, effects=[{"when": "crit_applied", "op": "exhaust_hits", "count": 1}])
    s = Scenario(enemies=[miller, enemy(health=9)], dice={"yellow": 1, "purple": 1}).fight(2)
    s.commit("yellow", "purple").roll("crit", "hit").hit("purple_hit", slot=2)
    assert s.may("pick_yellow_crit")
    s.do("pick_yellow_crit")
    assert s.legal == ["target_1"], "on the hare it would change nothing that the other order does not"
    s.do("target_1")
    assert s.legal == ["resolve"], "no die is left in hand"
    assert s.p["applied"][0].sum() == s.p["applied"][1].sum() == 1


def test_the_second_of_two_equal_crits_may_go_further_left() -> None:
    miller = enemy(health=9, effects=[{"when": "crit_applied", "op": "exhaust_hits", "count": 1}])
    s = Scenario(enemies=[miller, enemy(health=3)], dice={"blue": 2}).fight(2)
    s.commit("blue", "blue").roll("crit", "crit").hit("blue_crit", slot=2).hit("blue_crit", slot=1)
    assert s.p["applied"][0].sum() == s.p["applied"][1].sum() == 1


def test_a_weaker_die_may_defeat_after_a_stronger_one_was_applied() -> None:
    """A fall may cost dice in hand, so it matters what has been applied before it."""
    costly = enemy(health=1, effects=[{"when": "falls", "op": "exhaust_hits", "count": 1}])
    s = Scenario(enemies=[costly, enemy(health=9)], dice={"yellow": 1, "red": 1}).fight(2)
    s.commit("yellow", "red").roll("hit", "hit").hit("red_hit", slot=2)
    assert s.may("pick_yellow_hit")
    s.do("pick_yellow_hit", "target_1")
    assert s.active == {"Minion 0": "defeated", "Minion 1": "standing"}
    assert s.p["applied"][1].sum() == 1


def test_orders_that_differ_in_nothing_are_spelt_once() -> None:
    s = Scenario(enemies=[enemy(health=9), enemy(health=9)], dice={"yellow": 1, "red": 2}).fight(2)
    s.commit("yellow", "red", "red").roll("hit", "hit", "hit").hit("red_hit", slot=2)
    assert not s.may("pick_yellow_hit"), "weaker dice come first"
    s.do("pick_red_hit")
    assert s.legal == ["target_2"], "equal dice go from left to right"


def test_whole_colours_may_be_cut_in_any_order() -> None:
    """Three dice may be committed, of two yellow and two purple ones: either colour may be the one that is cut."""
    effects = [{"op": "commit_whole_colour"}, {"op": "commit_limit", "count": 3}]
    cut = set()
    for first, second in (("yellow", "purple"), ("purple", "yellow")):
        s = Scenario(enemies=[enemy(health=9, effects=effects)], dice={"yellow": 2, "purple": 2}).fight()
        s.do(f"commit_{first}", f"commit_{second}")
        cut.add(tuple(int(n) for n in s.p["ready"]))
    assert cut == {(0, 0, 0, 1, 0), (1, 0, 0, 0, 0)}


# Everything that can be reached


def applying(game_id: str, count: int, seed: int, **options: Any) -> tuple[Game, Iterator[Positions]]:
    """Tables at which random play has two to five hits in hand, the fight of two or more enemies or with an effect first."""
    batch = Batch(game_id, 256, seed=seed, **options)

    def found() -> Iterator[Positions]:
        left = count
        while left > 0:
            batch.step(batch.random_actions())
            at = batch.positions
            rows = np.arange(len(at))
            hits = at["rolled"][:, :, HIT:].sum(axis=(1, 2))
            chosen = (at["agenda"][rows, at["depth"] - 1, STEP] == APPLY) & (hits >= 2) & (hits <= 5)
            chosen &= (at["slot"] >= 0).sum(axis=1) >= 2
            for i in np.flatnonzero(chosen)[:3]:
                position = at[i : i + 1].copy()
                position["last_die"] = position["last_target"] = 0  # as if an event had just been
                yield position
                left -= 1

    return batch.game, found()


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("deckwood/Tanglewoods-v1", {"difficulty": 10}),
        ("deckwood/Etherfields-v1", {}),
        ("deckwood/DiceCommit-v1", {"tier": "medium", "effects": True, "solve": False}),
    ],
)
def test_shipped_decks_reach_what_any_order_reaches(game_id: str, options: dict[str, Any]) -> None:
    game, positions = applying(game_id, 30, seed=3, **options)
    compared = 0
    for position in positions:
        with suppress(TooMany):
            assert same_ways_out(game, position)
            compared += 1
    assert compared > 15


WHENS = ("during", "always", "crit_applied", "falls", "reward", "after")


def random_effect(rng: np.random.Generator) -> dict[str, Any]:
    op = OPS[rng.integers(len(OPS))]
    when = WHENS[rng.integers(2) if op.is_modifier else 2 + rng.integers(len(WHENS) - 2)]
    effect: dict[str, Any] = {"when": when, "op": op.name}
    colour = COLOURS[rng.integers(NUM_COLOURS)]
    effect |= {COLOUR: {"colour": colour}, COLOUR_SET: {"colours": [colour]}, STAT: {"stat": "health"}, FACE: {"face": "hit"}}.get(
        op.what, {}
    )
    if op.count is not None:
        effect["count"] = int(rng.integers(max(1, op.count[0]), min(3, op.count[1]) + 1))
    return effect


def random_enemy(rng: np.random.Generator) -> dict[str, Any]:
    effects = [random_effect(rng) for _ in range(rng.integers(1, 4))]
    reward = [{name: value for name, value in effect.items() if name != "when"} for effect in effects if effect["when"] == "reward"]
    kept = [effect if effect["when"] != "during" else {k: v for k, v in effect.items() if k != "when"} for effect in effects]
    return enemy(health=int(rng.integers(1, 4)), effects=[effect for effect in kept if effect.get("when") != "reward"], reward=reward)


def random_table(rng: np.random.Generator) -> Scenario:
    """Three random enemies and up to four dice that show hits."""
    while True:
        try:
            s = Scenario(enemies=[random_enemy(rng) for _ in range(3)], dice={"red": 1}, cards={}, health=6)
            break
        except ValidationError:
            continue
    return s


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_random_cards_reach_what_any_order_reaches(seed: int) -> None:
    rng = np.random.default_rng(seed)
    compared = 0
    while compared < 12:
        s = random_table(rng)
        s.p["ready"] = rng.multinomial(rng.integers(2, 5), [0.3, 0.2, 0.2, 0.2, 0.1])
        s.p["ready"][4] = min(1, s.p["ready"][4])
        s.p["node"] = Node.DECISION
        s.fight(3)
        for _ in range(40):  # all dice are committed and show hits
            if APPLY in s.p["agenda"][: s.p["depth"], STEP] and s.phase == "Apply Dice":
                break
            if s.p["node"] == Node.CHANCE:
                weights = s.game.chance(s.position)
                s.game.apply_chance(s.position, int(np.flatnonzero(weights)[-1 - int(rng.integers(2))]))
            else:
                s.game.apply(s.position, int(np.flatnonzero(s.game.legal(s.position))[0]))
        if s.phase == "Apply Dice" and (s.p["slot"] >= 0).sum() > 1 and s.p["rolled"][:, HIT:].sum() >= 2:
            with suppress(TooMany):
                assert same_ways_out(s.game, s.position)
                compared += 1
