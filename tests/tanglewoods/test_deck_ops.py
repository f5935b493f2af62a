"""The words that only Tanglewoods has, a scenario for each."""

from deckwood.tanglewoods.state import DECK_OPS, IN_DISCARD
from tests.strong.scenario import Covered
from tests.tanglewoods.scenario import Scenario

covers = Covered()


@covers("activate_wolf")
def test_activate_wolf() -> None:
    s = Scenario(fables=[[{"op": "activate_wolf"}]]).tell().draw("Wolf 3")
    assert list(s.active) == ["Wolf 3"]
    assert s.phase == "Commit Dice"
    gone = Scenario(fables=[[{"op": "activate_wolf"}]])
    gone.p["wolves"] = IN_DISCARD
    assert gone.tell().phase == "Explore: choose dice", "the Wolf Pack Deck is never reshuffled"


@covers("activate_next")
def test_activate_next_counts_once_for_minions_and_wolves() -> None:
    s = Scenario(fables=[[{"op": "activate_next", "count": 2}]], at="minion", strategy=4).tell().arrive()
    assert len(s.active) == 3
    s.do("done", "roll", "resolve").path(1).do("done", "travel_left", "travel_a")
    assert len(s.active) == 1
    wolf = Scenario(fables=[[{"op": "activate_next", "count": 1}]], at="wolf").tell().arrive().draw("Wolf 0")
    assert len(wolf.active) == 2
    camp = Scenario(fables=[[{"op": "activate_next", "count": 1}]], at="campfire").tell().arrive().do("choose_health")
    assert camp.p["next_mobs"] == 1, "it waits for such a node"


@covers("discard_scouted")
def test_discard_scouted() -> None:
    """The Scouting Line is refilled only when all have been taken."""
    s = Scenario(fables=[[{"op": "discard_scouted", "count": 2}]], strategy=3, scout=False).scouted(4, 5, 6).tell()
    assert s.legal == ["done", "scouted_1", "scouted_2", "scouted_3"]
    s.do("scouted_2")
    assert s.legal == ["done", "scouted_2"], "from there on: one spelling"
    s.do("scouted_2")
    assert s.line == ["Minion 4"]
    s.draw("Minion 20", "Minion 21")
    assert s.line == ["Minion 4", "Minion 20", "Minion 21"]
    assert s.zone("minions", 5) == s.zone("minions", 6) == IN_DISCARD


@covers("place_forest")
def test_place_forest() -> None:
    s = Scenario(fables=[[{"op": "place_forest", "side": "night"}]]).tell().draw("Forest 9")
    assert s.trail == ["Trailhead, day", "Forest 9, night"]
    last = Scenario(fables=[[{"op": "place_forest", "side": "day"}] * 2]).path(*range(10)).tell()
    assert last.trail[-1] == "Grandma's Cabin, day"
    assert len(last.trail) == 12


@covers("flip_forest")
def test_flip_forest_resolves_the_new_node() -> None:
    """Day and Night: resolve the outline and type of your new node when this happens."""
    s = Scenario(fables=[[{"op": "flip_forest", "side": "night"}]], at="fable | campfire/toll", gold=2).scouted(1, 2, 3).arrive()
    s.draw("Fable 0")
    assert s.phase == "Toll"
    s.do("pay_toll")
    assert s.phase == "Campfire"
    s.do("choose_recovery")
    assert s.trail[1] == "Forest 0, night"
    assert s.zone("minions", 0) == IN_DISCARD
    same = Scenario(fables=[[{"op": "flip_forest", "side": "day"}]], at="fable | minion").scouted(1, 2, 3).arrive()
    same.draw("Fable 0")
    assert same.phase == "Explore: choose dice"


@covers("flip_forest")
def test_flip_forest_between_nodes() -> None:
    """On a threshold there is no node to resolve; the card turns, and the lines of its new side lead on."""
    turn = {"effects": [{"op": "flip_forest", "side": "night"}]}
    card = {
        "nodes": {"a": "minion", "d": "campfire"},
        "paths": {"left": "a", "middle": "a", "right": "a", "a": "d", "d": ">left"},
    }
    s = Scenario(items=[turn], held=["Item 0"], forest=[{"day": card, "night": card}]).path(0)
    s.next_round().do("done", "travel_left", "use_item_1")
    assert s.trail[1] == "Forest 0, night"
    assert s.legal == ["travel_a"]


@covers("turn_next")
def test_turn_next() -> None:
    s = Scenario(fables=[[{"op": "turn_next", "side": "day"}]]).path(0, 1, night=[0, 1]).tell()
    assert s.trail == ["Trailhead, day", "Forest 0, day", "Forest 1, night"]
    assert Scenario(fables=[[{"op": "turn_next", "side": "day"}]]).tell().trail == ["Trailhead, day"]


@covers("merchant")
def test_merchant_without_exploring() -> None:
    s = Scenario(fables=[[{"op": "merchant", "count": 2}]], gold=3).tell().draw("Item 0", "Item 1")
    assert s.phase == "Visit the merchant"
    s.do("buy_2", "done")
    assert s.items == ["Item 1"]
    assert s.zone("item_cards", 0) == IN_DISCARD


@covers("wolf_returns")
def test_wolf_returns() -> None:
    s = Scenario(fables=[[{"op": "wolf_returns"}]])
    s.p["wolves"][:3] = IN_DISCARD
    s.tell()
    assert s.chances == {"Wolf 0": 1, "Wolf 1": 1, "Wolf 2": 1}
    assert list(s.draw("Wolf 1").active) == ["Wolf 1"]


def test_every_op_has_a_scenario() -> None:
    assert {op.name for op in DECK_OPS} == covers.ops
