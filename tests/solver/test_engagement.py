"""Engagements of a real deck, walked with every rule, against plain fights and against plain walking."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.core.jit import COMPILED
from deckwood.core.spec import Node
from deckwood.solver import Enemy, Fight, TooLarge, isolate, policy_value, settle_value, solve_engagement, solve_fight
from deckwood.strong.objective import Objective, value_of
from deckwood.strong.steps import HALT, RECOVER_DICE
from deckwood.strong.terms import COLOURS
from tests.games import pig
from tests.solver.some_fights import some_values
from tests.solver.walk import value_by_walking
from tests.tanglewoods.scenario import Scenario, enemy

GAINS = {"gain_health": "health", "gain_strategy": "strategy", "gain_recovery": "recovery"}
DICE = 3 if COMPILED else 2


def by_colour(dice):
    return dict(zip(COLOURS, dice, strict=True))


def rewards(foe):
    found = [{"op": "gain_stat", "stat": stat, "count": getattr(foe, name)} for name, stat in GAINS.items() if getattr(foe, name)]
    found += [{"op": op, "count": n} for op, n in (("gain_gold", foe.gold), ("recover", foe.recover)) if n]
    return found


def laid(fight, **more):
    """The fight on a table of Tanglewoods, at its first Commit Dice step."""
    cards = [enemy(health=foe.health, damage=foe.damage, reward=rewards(foe)) for foe in fight.enemies]
    scenario = Scenario(
        enemies=cards, dice=by_colour(fight.ready), exhausted=by_colour(fight.exhausted),
        health=fight.health, strategy=fight.strategy, recovery=fight.recovery, gold=fight.gold, **more,
    )  # fmt: skip
    return scenario.fight(len(cards))


FIGHTS = {
    "two colours": Fight((1, 0, 0, 1, 0), (Enemy(2, 2),), health=3, strategy=2, recovery=1),
    "two enemies": Fight((1, 1, 0, 0, 0), (Enemy(1, 2), Enemy(2, 1)), health=3, strategy=2, recovery=0),
    "death": Fight((0, 0, 2, 0, 0), (Enemy(3, 4),), health=2, strategy=3, recovery=1),
    "rewards": Fight((1, 0, 0, 0, 1), (Enemy(2, 1, gold=2, recover=1),), (0, 2, 0, 1, 0), health=2, strategy=2, recovery=1),
    "another roll": Fight((0, 2, 0, 0, 0), (Enemy(1, 1, gain_strategy=1), Enemy(2, 1, gain_health=1)), health=6, strategy=1, recovery=2),
    "three dice": Fight((1, 0, 1, 1, 0), (Enemy(3, 2, gain_recovery=1),), health=3, strategy=2, recovery=2),
}


@pytest.mark.parametrize("name", FIGHTS)
def test_both_solvers_agree(name):
    fight = FIGHTS[name]
    if sum(fight.ready) > DICE:
        pytest.skip("many positions to walk uncompiled")
    scenario = laid(fight)
    for objective in (Objective(), some_values(np.random.default_rng(sum(map(ord, name))), signs=False)):
        graph = solve_engagement(scenario.game, scenario.position, objective)
        solution = solve_fight(fight, objective)
        assert graph.value == pytest.approx(solution.value, abs=1e-9)
        # The first die that the general solver commits, or none, is part of a best commit.
        action = scenario.spec.actions[graph.action(isolate(scenario.game, scenario.position))].name
        best = [commit.dice for commit in solution.commits if commit.value >= solution.value - 1e-9]
        firsts = {next((f"commit_{colour}" for colour, n in by_colour(dice).items() if n), "roll") for dice in best}
        assert action in firsts, objective


def test_after_a_roll_both_solvers_agree():
    """Committed, rolled, and a die applied: the general solver finds the position in its graph, the plain one is told of it."""
    fight = Fight((1, 0, 0, 1, 0), (Enemy(2, 2), Enemy(1, 1)), health=4, strategy=2, recovery=1)
    scenario = laid(fight)
    graph, solution = solve_engagement(scenario.game, scenario.position), solve_fight(fight)
    scenario.commit("yellow", "purple").roll("miss", "hit")
    values = graph.action_values(isolate(scenario.game, scenario.position))
    shown = [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]
    recommendation = solution.after_roll((0, 0, 0, 0, 0), shown)
    assert max(values.values()) == pytest.approx(recommendation.value, abs=1e-9)
    scenario.hit("purple_hit", slot=2)
    now = isolate(scenario.game, scenario.position)
    then = solution.after_roll((0, 0, 0, 0, 0), [[1, 0, 0], *[[0, 0, 0]] * 4], left=(2, 0))
    assert max(graph.action_values(now).values()) == pytest.approx(then.value, abs=1e-9)


# Card effects ----------------------------------------------------------------------------------------------------------------------------

EFFECTS = {
    "commit_limit": [{"op": "commit_limit", "count": 1}],
    "crits_only": [{"op": "crits_only"}],
    "damage_cap": [{"op": "damage_cap", "count": 1}],
    "rolled": [{"when": "rolled", "op": "lose_stat", "stat": "health", "count": 1, "per": "miss"}],
}


@cache
def strange(name):
    return Scenario(
        enemies=[enemy(health=2, damage=2, effects=EFFECTS[name])], dice={"green": 1, "purple": 1}, health=5, strategy=2, recovery=1
    ).fight()


def points(scenario, objective):
    return lambda position: float(value_of(position[0], scenario.game.deck.tables, objective.record()))


@pytest.mark.parametrize("name", EFFECTS)
def test_effects_count_as_in_play(name):
    scenario, objective = strange(name), Objective(ready=(1, 1, 1, 1, 1), fallen=7.0)
    alone = isolate(scenario.game, scenario.position)
    walked = value_by_walking(scenario.game, alone, points(scenario, objective))
    assert solve_engagement(scenario.game, scenario.position, objective).value == pytest.approx(walked, abs=1e-9)


def test_an_enemy_that_only_crits_hurt_by_hand():
    """Health 2, two rolls, a single purple die: a crit in one of two rolls, 11/36. The die is recovered."""
    scenario = Scenario(
        enemies=[enemy(health=2, damage=2, effects=[{"op": "crits_only"}])], dice={"purple": 1}, health=5, strategy=2, recovery=1
    )
    objective = Objective(health=1, gold=0, items=0, ready=(0, 0, 0, 0, 0))
    assert solve_engagement(scenario.fight().game, scenario.position, objective).value == pytest.approx(5 - 2 * 25 / 36)


def test_rewards_may_be_refused():
    """Where gold is worth less than nothing the general solver declines it; a plain fight takes its rewards."""
    fight = Fight((0, 0, 0, 0, 1), (Enemy(1, 1, gold=2),), health=3, strategy=1, recovery=1)
    objective = Objective(health=1, gold=-10, items=0, ready=(0, 0, 0, 0, 0))
    scenario = laid(fight)
    assert solve_engagement(scenario.game, scenario.position, objective).value == 3
    assert solve_fight(fight, objective).value == 2


# Policies and limits ---------------------------------------------------------------------------------------------------------------------

SMALL = Fight((0, 1, 0, 1, 0), (Enemy(2, 2),), health=3, strategy=2, recovery=1)


def test_policies_of_an_engagement():
    scenario, objective = laid(SMALL), Objective()
    game, alone = scenario.game, isolate(scenario.game, scenario.position)
    graph = solve_engagement(game, scenario.position, objective)

    def optimal(obs, mask, positions):
        return np.array([graph.action(positions[i : i + 1]) for i in range(len(positions))])

    def evenly(obs, mask, positions):
        return mask / mask.sum(axis=1, keepdims=True)

    record = objective.record()
    best = policy_value(game, alone, optimal, settle=settle_value, objective=record)
    assert best.values == pytest.approx(graph.values[0], abs=1e-9)
    random = policy_value(game, alone, evenly, settle=settle_value, objective=record)
    walked = value_by_walking(game, alone, points(scenario, objective), policy=lambda position, moves: np.full(len(moves), 1 / len(moves)))
    assert random.values == pytest.approx([walked], abs=1e-9)
    assert random.values[0] < best.values[0]


@pytest.mark.skipif(not COMPILED, reason="many positions")
def test_too_large_an_engagement_is_bounded():
    fight = Fight((1, 0, 1, 2, 0), (Enemy(3, 2, gold=1), Enemy(2, 1)), health=4, strategy=2, recovery=1)
    scenario, objective = laid(fight), Objective()
    with pytest.raises(TooLarge, match=r"deckwood/Tanglewoods-v1 at Commit Dice: 20,0[0-9][0-9] positions and more") as refused:
        solve_engagement(scenario.game, scenario.position, objective, max_positions=20_000)
    true = solve_fight(fight, objective).value
    low, high = objective.range()
    assert low <= refused.value.lower <= true <= refused.value.upper <= high
    graph = solve_engagement(scenario.game, scenario.position, objective)
    assert graph.states > 20_000
    assert graph.value == pytest.approx(true, abs=1e-9)


# By itself -------------------------------------------------------------------------------------------------------------------------------


def test_an_engagement_by_itself_ends_after_its_recovery():
    scenario = laid(replace(SMALL, exhausted=(2, 0, 0, 0, 0)))
    before = scenario.position.tobytes()
    alone = isolate(scenario.game, scenario.position)
    assert scenario.position.tobytes() == before
    assert alone["agenda"][0, :2, 0].tolist() == [HALT, RECOVER_DICE]  # where END_ROUND and CLEANUP wait in the game
    assert alone["agenda"][0, 1:10].tolist() == scenario.position["agenda"][0, 2:11].tolist()
    game, play = scenario.game, {name: i for i, name in enumerate(action.name for action in scenario.spec.actions)}
    for name in ("roll", "resolve", "recover_yellow"):
        game.apply(alone, play[name])
    assert alone["node"][0] == Node.END
    assert alone["ended"][0] == 0
    assert alone["ready"][0].tolist() == [1, 1, 0, 1, 0]
    assert alone["stats"][0, 0] == 3 - 2


def test_the_hero_may_die_in_an_engagement_by_itself():
    scenario = laid(replace(SMALL, health=2))
    alone = isolate(scenario.game, scenario.position)
    for name in ("roll", "resolve"):
        scenario.game.apply(alone, scenario.spec.action_index[name])
    assert alone["node"][0] == Node.END
    assert points(scenario, Objective(lost=-77.0))(alone) == -77.0


def test_where_there_is_no_engagement():
    scenario = laid(SMALL)
    over = isolate(scenario.game, scenario.position)
    scenario.do("roll", "resolve")
    with pytest.raises(ValueError, match="deckwood/Tanglewoods-v1: no engagement is under way at"):
        isolate(scenario.game, scenario.next_round().position)
    game = Game(pig.SPEC)
    with pytest.raises(TypeError, match="test/Pig-v0 is not a 20 Strong deck"):
        isolate(game, game.new())
    assert isolate(scenario.game, over)["depth"] == over["depth"]  # alone already


# Values ----------------------------------------------------------------------------------------------------------------------------------


def test_the_value_of_a_position_by_hand():
    scenario = Scenario(
        enemies=[enemy(health=1), enemy()],
        dice={"yellow": 2, "red": 1},
        health=4,
        strategy=3,
        recovery=2,
        gold=5,
        held=["Item 1", "Item 3"],
    ).fight(2)
    objective = Objective(health=100, strategy=10, recovery=1, gold=1000, items=0.5, ready=(2, 9, 9, 9, 7), fallen=0.25, won=0.125, lost=-3)
    everything = 400 + 30 + 2 + 5000 + 1.0 + 2 * 2 + 7
    value = points(scenario, objective)
    assert value(scenario.position) == everything
    scenario.commit("red").roll("hit").hit("red_hit", slot=1)
    rewarded = everything - 7 + 0.25  # the red die is not ready, the first enemy has fallen
    assert value(scenario.position) == rewarded
    scenario.p["marks"][:2] |= 1
    assert value(scenario.position) == rewarded + 0.25 + 0.125
    scenario.p["stats"][0] = 0
    assert value(scenario.position) == -3


def test_no_position_is_value_more_or_less_than_the_range_says():
    assert Objective(1, -2, 0, 0, 0, (0, 0, 0, 0, 0), 0, 0, 5).range() == (-12.0, 6.0)
    assert Objective(0, 0, 0, -1, 2, (1, 0, 0, 0, -3), 0.5, 8, -50).range() == (-50.0, 12 + 4 + 4 + 8)
