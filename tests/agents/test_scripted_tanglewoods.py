"""Tanglewoods' scripted players: what they do in plain positions, and that all they do is legal."""

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.tanglewoods.spec import SPEC
from deckwood_agents.players.scripted import find_policy, names
from deckwood_agents.players.scripted.agent import ScriptedAgent
from deckwood_agents.players.scripted.strong.dice_sets import many, one, pack, size, strongest, weakest_colour
from deckwood_agents.players.scripted.strong.fight import at_least, reach
from tests.tanglewoods.scenario import Scenario, enemy

SET_OF_DICE = one(0) * 2 + one(2) * 3 + one(4)


def choice(name: str, s: Scenario) -> str:
    """What a player does in a scenario."""
    policy = find_policy(name, SPEC)
    assert policy is not None
    agent = ScriptedAgent(name, policy, s.game.deck)
    mask = s.game.legal(s.position)[None]
    return SPEC.actions[int(agent.act(np.zeros((1, 0), np.float32), mask, s.position)[0])].name


def choices(s: Scenario) -> tuple[str, str]:
    return choice("greedy", s), choice("expert", s)


# Sets of dice and odds


def test_sets_of_dice() -> None:
    assert pack(np.array([2, 0, 3, 0, 1], np.int16)) == SET_OF_DICE
    assert (size(SET_OF_DICE), many(SET_OF_DICE, 2), weakest_colour(SET_OF_DICE)) == (6, 3, 0)
    assert strongest(SET_OF_DICE, 3) == one(2) * 2 + one(4)
    assert weakest_colour(0) == -1


@pytest.mark.parametrize(("n", "chance", "least", "expected"), [(3, 0.5, 2, 0.5), (2, 0.25, 1, 7 / 16), (4, 0.3, 0, 1.0), (2, 0.9, 3, 0.0)])
def test_odds_of_successes(n: int, chance: float, least: int, expected: float) -> None:
    assert at_least(n, chance, least) == pytest.approx(expected)


def test_odds_of_damage_count_crits_twice() -> None:
    """Two purple dice: 1/6 miss, 4/6 hit, 1/6 crit."""
    two = {damage: reach(2, 4 / 6, 1 / 6, 1.0, 1.0 + 1.0, damage, 99, 0) for damage in range(1, 6)}
    assert two == pytest.approx({1: 35 / 36, 2: 27 / 36, 3: 9 / 36, 4: 1 / 36, 5: 0.0})
    assert reach(2, 4 / 6, 1 / 6, 1.0, 2.0, 2, 1, 0) == pytest.approx(11 / 36)  # one die only counts
    assert reach(2, 4 / 6, 1 / 6, 1.0, 2.0, 1, 99, 2) == pytest.approx(25 / 36)  # both must


# Dice of a fight


def test_no_dice_for_a_harmless_enemy_that_gives_nothing() -> None:
    s = Scenario(enemies=[enemy(health=8, damage=0)], dice={"purple": 3}, recovery=1).fight()
    assert choice("expert", s) == "roll"


def test_dice_are_committed_until_they_are_enough() -> None:
    s = Scenario(enemies=[enemy(health=1, damage=2)], dice={"yellow": 3, "purple": 3}, strategy=3).fight()
    committed = 0
    while (action := choice("expert", s)) != "roll":
        s.do(action)
        committed += 1
    assert 1 <= committed <= 3


def test_strong_dice_come_back_so_they_are_used_first() -> None:
    s = Scenario(enemies=[enemy(health=3, damage=2)], dice={"yellow": 3, "purple": 3}, recovery=4, strategy=3).fight()
    assert choice("expert", s) == "commit_purple"


def test_the_die_that_just_finishes_an_enemy_is_applied() -> None:
    s = Scenario(enemies=[enemy(health=2, damage=2)], dice={"yellow": 1, "purple": 1}).fight()
    s.commit("yellow", "purple").roll("hit", "crit")
    assert choices(s) == ("pick_yellow_hit", "pick_purple_crit")


def test_a_hit_goes_to_the_enemy_that_it_finishes() -> None:
    s = Scenario(enemies=[enemy(health=4, damage=3), enemy(health=1, damage=1)], dice={"purple": 2}).fight(2)
    s.commit("purple", "purple").roll("hit", "miss").do("pick_purple_hit")
    assert choices(s) == ("target_2", "target_2")


def test_misses_are_rolled_again_and_a_won_fight_is_over() -> None:
    s = Scenario(enemies=[enemy(health=1, damage=2)], dice={"blue": 3}).fight()
    s.commit("blue", "blue").roll("miss", "miss")
    assert choices(s) == ("again", "again")
    s = Scenario(enemies=[enemy(health=1, damage=2)], dice={"blue": 3}).fight()
    s.commit("blue", "blue").roll("hit", "miss").hit("blue_hit")
    assert choices(s) == ("resolve", "resolve")


def test_the_strongest_dice_are_recovered() -> None:
    s = Scenario(enemies=[enemy(health=1)], dice={"blue": 1}, exhausted={"yellow": 2, "purple": 2}, recovery=2).fight()
    s.commit("blue").roll("hit").hit("blue_hit").do("resolve")
    assert s.phase == "Recover dice"
    assert choices(s) == ("recover_purple", "recover_purple")


# Gold


def test_a_deadly_enemy_is_bribed_and_an_easy_one_fought() -> None:
    deadly = Scenario(enemies=[enemy(health=9, damage=4, bribe=4)], dice={"yellow": 2}, health=3, gold=10).fight(bribe=True)
    easy = Scenario(enemies=[enemy(health=1, damage=1, bribe=4)], dice={"purple": 3}, health=5, gold=10).fight(bribe=True)
    assert (choice("expert", deadly), choice("expert", easy)) == ("target_1", "done")
    assert choice("greedy", deadly) == "done"  # it costs more than a third of its gold


PURSE = {"name": "Purse", "uses": "single", "effects": [{"op": "gain_gold", "count": 3}]}
HEAL = {"name": "Salve", "uses": "single", "effects": [{"op": "gain_stat", "stat": "health", "count": 3}]}


def test_bribes_that_cannot_be_paid_yet() -> None:
    """Greedy goes on; the expert opens its purse, and pays where that is worth it."""
    s = Scenario(enemies=[enemy(health=9, damage=4, bribe=4)], items=[PURSE], held=["Purse"], dice={"yellow": 2}, health=3, gold=1)
    s.fight(bribe=True)
    assert s.phase == "Bribery"
    assert choices(s) == ("done", "use_item_1")
    assert choice("expert", s.do("use_item_1")) == "target_1"


def test_items_are_not_spent_on_offers_and_choices() -> None:
    """What the item does is no help there, or would be wasted; what cannot be paid for is declined."""
    well = [{"op": "offer"}, {"op": "pay_gold", "count": 2}, {"op": "recover", "count": 1}]
    fork = [{"op": "choose", "count": 1}, {"op": "gain_gold", "count": 5}, {"op": "gain_gold", "count": 1}]
    items = {"items": [HEAL], "held": ["Salve"], "gold": 1, "health": 5}
    assert choices(Scenario(fables=[well], **items).tell()) == ("decline", "decline")
    assert choices(Scenario(fables=[fork], **items).tell()) == ("first", "first")


def test_effects_of_a_roll_are_put_in_some_order() -> None:
    flees = {"when": "rolled", "op": "flee", "face": "hit", "count": 2}
    rerolls = {"when": "rolled", "op": "reroll_hits", "count": 1}
    s = (
        Scenario(enemies=[enemy(effects=[flees]), enemy(effects=[rerolls])], dice={"red": 2})
        .fight(2)
        .commit("red", "red")
        .roll("hit", "hit")
    )
    assert s.phase == "Effects of the roll"
    assert {*choices(s)} <= {"target_1", "target_2"}


def test_a_shield_is_kept_for_damage() -> None:
    lid = {"name": "Lid", "uses": "single", "effects": [{"op": "shield", "count": 3}]}
    s = Scenario(enemies=[enemy(health=9, damage=3)], items=[lid], held=["Lid"], dice={"yellow": 1}, strategy=1, health=4).fight()
    assert choice("expert", s) != "use_item_1"
    s.do(*(["commit_yellow"] if s.may("commit_yellow") else []), "roll").roll("miss")
    assert choice("expert", s) == "use_item_1"


# The way


def test_the_expert_explores_before_it_would_cross_by_night() -> None:
    s = Scenario(dice={"yellow": 3, "purple": 3}).next_round()
    assert choice("expert", s) == "explore_purple"
    assert choice("expert", Scenario(dice={"yellow": 3, "purple": 3}).path(0).next_round()) == "done"


def test_a_hurt_hero_goes_by_the_campfire() -> None:
    fork = {
        "nodes": {"a": "minion", "b": "campfire"},
        "paths": {"left": "a b", "middle": "a b", "right": "a b", "a": ">left >middle >right", "b": ">left >middle >right"},
    }
    s = Scenario(forest=[{"day": fork, "night": fork}], health=2).path(0).next_round().do("done", "travel_left")
    assert choices(s) == ("travel_b", "travel_b")
    assert choice("expert", s.do("travel_b")) == "choose_health"


@pytest.mark.parametrize(("option", "way"), [("discard", "travel_b"), ("deck", "travel_a")])
def test_wolves_are_met_where_that_spares_the_hero_their_power_up(option: str, way: str) -> None:
    fork = {
        "nodes": {"a": "minion", "b": "wolf"},
        "paths": {"left": "a b", "middle": "a b", "right": "a b", "a": ">left >middle >right", "b": ">left >middle >right"},
    }
    s = Scenario(forest=[{"day": fork, "night": fork}], health=5, undefeated_wolves=option).path(0).next_round().do("done", "travel_left")
    assert choice("expert", s) == way


def test_a_trap_is_value_what_may_come_of_it() -> None:
    """By day it may turn the card; with nothing exhausted it has nothing to give."""
    fork = {
        "nodes": {"a": "minion/trap", "b": "minion"},
        "paths": {"left": "a b", "middle": "a b", "right": "a b", "a": ">left >middle >right", "b": ">left >middle >right"},
    }
    night = {**fork, "nodes": {"a": "minion/blighted", "b": "minion"}}
    fresh = Scenario(forest=[{"day": fork, "night": night}], exhausted={}).path(0).next_round().do("done", "travel_left")
    assert choice("expert", fresh) == "travel_b"
    harmless = {"forest": [{"day": fork, "night": {**fork, "nodes": {"a": "minion", "b": "minion"}}}]}
    spent = Scenario(**harmless, dice={"blue": 6}, exhausted={"purple": 3}).path(0).next_round().do("done", "travel_left")
    assert choice("expert", spent) == "travel_a"


# Whole games


@pytest.mark.parametrize("name", names(SPEC))
@pytest.mark.parametrize(
    "options", [{}, {"difficulty": 9, "hero": "tinker"}, {"difficulty": 0, "boss": "bigger_badder_wolf", "hero": "clockmaker"}]
)
def test_only_legal_actions(name: str, options: dict[str, object]) -> None:
    game = Game(SPEC, **options)
    policy = find_policy(name, SPEC)
    assert policy is not None
    agent = ScriptedAgent(name, policy, game.deck)
    batch = Batch(game, 64, seed=2)
    for _ in range(400):
        actions = agent.act(batch.obs, batch.mask, batch.positions)
        assert batch.mask[np.arange(64), actions].all()
        before = batch.positions.copy()
        assert np.array_equal(agent.act(batch.obs, batch.mask, batch.positions), actions)  # a function of the position
        assert (batch.positions == before).all()  # ... which it does not change
        batch.step(actions)
