"""Etherfields' scripted players: what they do in plain positions, that all they do is legal, and how well they play."""

import os
import subprocess
import sys

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import IN_DISCARD, INFLUENCE_CARD
from deckwood.etherfields.steps import BEFORE_OPPOSITION, DRAW_CARDS
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.scripted import find_policy, names
from deckwood_agents.players.scripted.agent import ScriptedAgent
from deckwood_agents.players.uniform import RandomAgent
from tests.etherfields.scenario import Scenario, enemy, instant, item, space

SUMMON = {"op": "summon"}
RED_BOSS = [{"a": {"endgame": {"ether": "red"}}}]
STRONG = {"yellow": 4, "green": 4, "blue": 4, "purple": 4, "red": 1}


def player(name: str, game: Game) -> Agent:
    if name == "random":
        return RandomAgent()
    policy = find_policy(name, SPEC)
    assert policy is not None
    return ScriptedAgent(name, policy, game.deck)


def choice(name: str, s: Scenario) -> str:
    """What a player does in a scenario."""
    mask = s.game.legal(s.position)[None]
    return SPEC.actions[int(player(name, s.game).act(np.zeros((1, 0), np.float32), mask, s.position)[0])].name


def choices(s: Scenario) -> tuple[str, str]:
    return choice("greedy", s), choice("expert", s)


# Paying


def test_cards_are_spent_before_dice() -> None:
    seen = instant(gives={"awareness": 1})
    s = Scenario(influence=[seen], hand=["Influence 0"], dice={"green": 3, "blue": 4}, placed={1: (1, 0)}, at="0a")
    s.window(BEFORE_OPPOSITION).do("explore")
    assert choices(s) == ("spend_card_1", "spend_card_1")


def test_a_weak_card_is_spent_before_a_strong_one() -> None:
    weak, strong = instant(gives={"wrath": 1}), instant({"op": "gain_stat", "stat": "strategy", "count": 2}, gives={"wrath": 1})
    search = space({"op": "gain_item", "count": 1}, cost=[{"wrath": 1}])
    s = Scenario(influence=[strong, weak], hand=["Influence 0", "Influence 1"], dice={"red": 1}, here=search)
    assert choice("expert", s.window(BEFORE_OPPOSITION).do("unique_1")) == "spend_card_2"


# The boss


def at_the_boss(**fields: object) -> Scenario:
    """At the Dream Entrance, where the boss is activated, in the Commit Dice step of a round without enemies."""
    return Scenario(here=space(SUMMON), hand=[], **fields).fight(0)  # type: ignore[arg-type]


def test_the_boss_is_summoned_by_the_strong() -> None:
    s = at_the_boss(dice=STRONG, bosses=[{"a": {"health": 6}}])
    assert choices(s) == ("unique_1", "unique_1")


def test_the_weak_wait() -> None:
    s = at_the_boss(dice={"yellow": 3}, exhausted={"purple": 4, "blue": 4, "green": 4}, health=6, bosses=[{"a": {"health": 9}}])
    assert s.may("unique_1")
    assert "unique_1" not in choices(s)


def test_all_strike_the_boss() -> None:
    s = at_the_boss(dice={"purple": 3}, bosses=[{"a": {"health": 2}}], enemies=[enemy(health=4, damage=0)])
    s.do("unique_1").commit("purple", "purple", "purple").roll("hit", "hit", "hit")
    assert choices(s) == ("pick_purple_hit", "pick_purple_hit")


# The map


def test_a_calm_way_is_taken_round_a_skull() -> None:
    """From the west space both the north and the south lead east and to the goal in the centre; the south has a skull."""
    part = {"layout": ["aad", "bcd", "eed"], "walls": ["ac", "bc", "ce"]}
    spaces = {"b": {}, "e": {"skulls": 1}, "a": {}, "c": space(SUMMON), "d": {"explore": {"to": "east", "awareness": 1}}}
    s = Scenario(maps=[{**part, "space": spaces, "entrance": "c"}, {}, {}], hand=[], dice=STRONG, at="0b")
    s.window(BEFORE_OPPOSITION)
    assert choices(s) == ("move", "move")
    s.do("move")
    while not s.may("go_to_1"):
        s.do("exhaust_yellow")
    assert choices(s) == ("go_to_1", "go_to_1")


def test_no_more_map_cards_than_the_boss_asks_for() -> None:
    s = Scenario(hand=[], dice={"green": 2}, at="0a").window(BEFORE_OPPOSITION)
    assert s.may("explore")
    assert "explore" not in choices(s)


def test_a_map_card_that_the_boss_asks_for_is_explored() -> None:
    s = Scenario(hand=[], dice={"green": 2, "blue": 4}, at="0a", bosses=[{"a": {"endgame": {"maps": 3}}}]).window(BEFORE_OPPOSITION)
    assert choices(s) == ("explore", "explore")


def test_the_ether_of_the_boss_is_set() -> None:
    s = Scenario(
        here=space({"op": "set_ether", "colour": "red"}, cost=[{"wrath": 1}]),
        bosses=[{"a": {"endgame": {"ether": "red"}}}],
        influence=[instant(gives={"wrath": 1})],
        hand=["Influence 0"],
    )
    assert choice("expert", s.window(BEFORE_OPPOSITION)) == "unique_1"


TURN = {"name": "Turn", "cost": [], "effects": [{"op": "recover", "count": 2}, {"op": "flip_map"}]}


@pytest.mark.parametrize("elsewhere", [False, True])
def test_the_only_place_of_the_boss_is_not_turned_away(elsewhere: bool) -> None:
    """Two dice are not worth it; where the boss can be activated elsewhere, they are."""
    here = {"action": [*space(SUMMON, name="Summon")["action"], TURN]}
    maps = [{"a": {"space": {"c": here}}, "b": {"space": {}}}, {"space": {"c": space(SUMMON, name="Summon there")}}]
    s = Scenario(maps=maps, exhausted={"red": 1, "purple": 1}, dice={}, placed={1: (0, 1)} if elsewhere else {}, hand=[], bosses=RED_BOSS)
    assert choice("expert", s.window(BEFORE_OPPOSITION)) == ("unique_2" if elsewhere else "done")


def test_the_way_back_is_not_turned_away() -> None:
    """The Dream Entrance is on one side of its card only: turned underfoot, the game would be lost."""
    maps = [{"a": {"space": {"c": {"action": [TURN]}}}, "b": {"entrance": None}}]
    s = Scenario(maps=maps, exhausted={"red": 1, "purple": 1}, dice={}, hand=[], bosses=RED_BOSS)
    assert choices(s.window(BEFORE_OPPOSITION)) == ("done", "done")


def test_a_movement_goes_on() -> None:
    """Between two spaces there is much that could be done."""
    s = Scenario(maps=[{}, {}, {}], hand=[], dice={**STRONG, "yellow": 2}, at="0b", bosses=[{"a": {"endgame": {"maps": 3}}}])
    s.window(BEFORE_OPPOSITION).do("move", "exhaust_yellow", "exhaust_yellow")
    assert s.may("go_to_1")
    assert [name.startswith(("go_", "done")) for name in choices(s)] == [True, True]


# Enemies and cards


def test_nothing_is_done_that_would_do_nothing() -> None:
    """It may be played, used and taken, and would be wasted."""
    nothing = {"op": "recover", "count": 2}
    items = [item(nothing), item(nothing, uses="ongoing")]
    table = {"influence": [instant(nothing)], "hand": ["Influence 0"], "items": items, "held": ["Item 0", "Item 1"], "ability": [nothing]}
    s = Scenario(here=space(nothing), dice={}, **table)  # type: ignore[arg-type]
    s.window(BEFORE_OPPOSITION)
    assert {"play_card_1", "use_item_1", "use_item_2", "use_hero", "unique_1"} <= set(s.legal)
    assert choices(s) == ("done", "done")


def test_an_assault_saves_dice() -> None:
    wrath = instant(gives={"wrath": 2})
    s = Scenario(enemies=[enemy(health=2, damage=3)], influence=[wrath], hand=["Influence 0"], dice={"yellow": 2}, health=3).fight()
    assert choice("expert", s) == "assault"


def test_a_reshuffle_is_paid_with_cards_while_there_are_many() -> None:
    s = Scenario(hand=[]).only("influence")
    s.p["zone"][INFLUENCE_CARD : INFLUENCE_CARD + 12] = IN_DISCARD
    s.go_on((DRAW_CARDS, 1))
    assert choices(s) == ("second", "second")


def test_the_better_item_stays() -> None:
    good, poor = item({"op": "gain_stat", "stat": "strategy", "count": 2}), item({"op": "swap_dice"})
    s = Scenario(items=[good, poor], held=["Item 1"], strategy=1, enemies=[enemy(reward=[{"op": "gain_item", "count": 1}], health=1)])
    s.fight().commit("red").roll("hit").hit("red_hit").do("accept")
    assert s.phase == "Take the item?"
    assert choice("expert", s) == "discard_item_1"


# Whole games


@pytest.mark.parametrize("name", names(SPEC))
@pytest.mark.parametrize("options", [{}, {"rank": 5, "hero": "lamplighter", "boss": "paper_choir"}, {"games": 3, "hero": "choose"}])
def test_only_legal_actions(name: str, options: dict[str, object]) -> None:
    game = Game(SPEC, **options)
    agent = player(name, game)
    batch = Batch(game, 64, seed=2)
    for _ in range(400):
        actions = agent.act(batch.obs, batch.mask, batch.positions)
        assert batch.mask[np.arange(64), actions].all()
        before = batch.positions.copy()
        assert np.array_equal(agent.act(batch.obs, batch.mask, batch.positions), actions)  # a function of the position
        assert (batch.positions == before).all()  # ... which it does not change
        batch.step(actions)


def games_won(name: str, slots: int = 256) -> float:
    """The share of first games won; no game goes on without end."""
    game = Game(SPEC)
    agent = player(name, game)
    agent.reset(3)
    batch = Batch(game, slots, seed=3)
    won, over = np.zeros(slots, bool), np.zeros(slots, bool)
    for _ in range(1000):
        batch.step(agent.act(batch.obs, batch.mask, batch.positions))
        ended = (batch.terminated | batch.truncated) & ~over
        won[ended] = batch.episode_return[ended] == 1
        over |= ended
        if over.all():
            return float(won.mean())
    raise AssertionError("a game of more than 1,000 decisions")


def test_who_knows_more_wins_more() -> None:
    shares = [games_won(name) for name in ("random", *names(SPEC))]
    assert shares == sorted(shares)
    assert shares[0] < 0.02 < shares[1] < shares[2]


SHORT_GAME = """
import numpy as np
from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.etherfields.spec import SPEC
from deckwood_agents.players.scripted.agent import ScriptedAgent
from deckwood_agents.players.scripted import find_policy, names
for name in names(SPEC):
    game = Game(SPEC)
    agent = ScriptedAgent(name, find_policy(name, SPEC), game.deck)
    batch = Batch(game, 1, seed=4)
    for _ in range(60):
        action = agent.act(batch.obs, batch.mask, batch.positions)
        print(int(action[0]), end=" ")
        batch.step(action)
"""


def test_the_same_compiled_and_not() -> None:
    played = [
        subprocess.run(
            [sys.executable, "-c", SHORT_GAME], env={**os.environ, "NUMBA_DISABLE_JIT": off}, capture_output=True, text=True, check=True
        ).stdout
        for off in ("0", "1")
    ]
    assert played[0] == played[1] != ""
