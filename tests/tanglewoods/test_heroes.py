"""Hero cards: abilities, the events that turn them over, and other cards that answer to events."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from deckwood.core.game import Game
from deckwood.strong.deck import SYSTEM_EVENTS
from deckwood.tanglewoods.deck import EVENTS, load_deck
from deckwood.tanglewoods.spec import SPEC
from tests.tanglewoods.scenario import NOTHING, Scenario, enemy

WEAK = [enemy(health=1)]


def bribes() -> Scenario:
    return Scenario(flip="bribed", gold=3).fight(bribe=True).do("target_1")


def trap() -> Scenario:
    return Scenario(flip="trap_sprung", at="minion/trap").arrive().roll("miss")


def victory(event: str, wolf: bool = False) -> Scenario:
    s = Scenario(flip=event, enemies=WEAK, wolves=WEAK, dice={"red": 1})
    return (s.fight_wolf() if wolf else s.fight()).commit("red").roll("hit").hit("red_hit")


FLIPS: dict[str, Callable[[], Scenario]] = {
    "round_starts": lambda: Scenario(flip="round_starts").next_round(),
    "explored_crit": lambda: Scenario(flip="explored_crit", dice={"red": 1}).next_round().explore("red_crit", cards=[0]),
    "night_entered": lambda: Scenario(flip="night_entered").arrive(night=True),
    "trap_sprung": trap,
    "camped": lambda: Scenario(flip="camped", at="campfire").arrive(),
    "bribed": bribes,
    "bought": lambda: Scenario(flip="bought", dice={"red": 1}, gold=3).next_round().explore("red_hit", cards=[0], shop=[0]).do("buy_1"),
    "engaged": lambda: Scenario(flip="engaged").fight(),
    "hero_rolled": lambda: Scenario(flip="hero_rolled", dice={"red": 1}).fight().commit("red").roll("hit"),
    "enemy_fell": lambda: victory("enemy_fell"),
    "boss_fell": lambda: victory("boss_fell", wolf=True),
    "suffered": lambda: Scenario(flip="suffered", dice={}).fight().do("roll", "resolve"),
    "recovering": lambda: Scenario(flip="recovering", dice={}).fight().do("roll", "resolve"),
    "endgame": lambda: Scenario(flip="endgame").battle(),
    "set_up": lambda: Scenario(flip="set_up").do("done"),
}


@pytest.mark.parametrize("event", [*SYSTEM_EVENTS, *EVENTS])
def test_flip(event: str) -> None:
    """Hero Cards: each side shows its flip trigger."""
    assert FLIPS[event]().hero == "Hero 0, back"


def test_no_flip_without_its_event() -> None:
    assert victory("boss_fell").hero == "Hero 0, front"
    assert Scenario(flip="camped").fight().hero == "Hero 0, front"
    assert Scenario(flip="suffered", enemies=[enemy(damage=0)], dice={}).fight().do("roll", "resolve").hero == "Hero 0, front"
    assert Scenario(flip="night_entered").arrive().hero == "Hero 0, front"


def test_each_side_has_its_own_ability_and_trigger() -> None:
    front = {"effects": [{"op": "recovery_change", "count": 2}], "flip": "engaged"}
    back = {"effects": [{"op": "recovery_change", "count": -1}], "flip": "suffered"}
    s = Scenario(heroes=[{"front": front, "back": back}], dice={"yellow": 5}, recovery=2).fight()
    assert s.hero == "Hero 0, back"
    s.commit(*["yellow"] * 5).roll(*["miss"] * 5).do("resolve")
    assert s.hero == "Hero 0, front"
    s.do(*["recover_yellow"] * 4)
    assert s.phase == "Explore: choose dice", "2 + 2, of the side that is up by then"


def test_ability_once_a_round() -> None:
    s = Scenario(ability=[{"op": "gain_gold", "count": 1}], gold=0).next_round().do("use_hero")
    assert s.gold == 1
    assert not s.may("use_hero")
    s.next_round()
    assert s.may("use_hero")


def test_ability_that_would_do_nothing_is_not_offered() -> None:
    assert not Scenario(ability=[{"op": "gain_stat", "stat": "health", "count": 1}], health=6).next_round().may("use_hero")
    paid = [{"op": "pay_gold", "count": 2}, {"op": "gain_stat", "stat": "health", "count": 1}]
    assert not Scenario(ability=paid, gold=1).next_round().may("use_hero")
    s = Scenario(ability=paid, gold=2, health=1).next_round().do("use_hero")
    assert (s.gold, s.health) == (0, 2)


ANSWERS = ("hero", "Item 1", "Item 0", "Fable 1", "Fable 0")


@pytest.mark.parametrize(("first", "second"), list(pairwise(ANSWERS)))
def test_order_of_answers(first: str, second: str) -> None:
    """Our reading: the hero acts first, then items from the left, then cards beside the hero from the left."""
    gain = {"op": "gain_gold", "count": 1, "when": "camped"}
    lose = {"op": "lose_gold", "count": 20, "when": "camped"}
    effects = {name: list(NOTHING) for name in ANSWERS} | {first: [lose], second: [gain]}
    keep = {"op": "keep_card", "count": 0}
    s = Scenario(
        at="campfire",
        ability=effects["hero"],
        items=[{"uses": "ongoing", "effects": effects[name]} for name in ("Item 0", "Item 1")],
        fables=[[keep, *effects[name]] for name in ("Fable 0", "Fable 1")],
        held=["Item 1", "Item 0"],
        beside=[1, 0],
        gold=5,
    )
    assert s.arrive().gold == 1


def test_standing_effects_of_items_and_kept_fables() -> None:
    cloak = {"uses": "ongoing", "effects": [{"op": "strategy_change", "count": 1}]}
    s = Scenario(items=[cloak], held=["Item 0"], strategy=1, dice={"yellow": 1}).fight().commit("yellow").roll("miss")
    assert s.legal == ["again", "resolve"]
    single = {"uses": "single", "effects": [{"op": "gain_gold", "count": 1}, {"op": "shield_always", "count": 3}]}
    assert Scenario(items=[single], held=["Item 0"], dice={}).fight().do("roll", "resolve").health == 3, "a single-use item does not stand"


def test_brothers_grimm_have_an_ability() -> None:
    """Universal Heroes: the Brothers Grimm Card replaces the hero, ability and all."""
    grimm = {"grimm": {"effects": [{"op": "gain_gold", "count": 2}]}}
    s = Scenario(hero="guest_1", at="campfire", cards=grimm, gold=0, health=3).arrive().do("choose_health")
    assert s.hero == "Brothers Grimm"
    assert s.do("use_hero").gold == 2


def half(name: str, flip: str | None, gold: int) -> dict[str, object]:
    stats = {"health": 4, "strategy": 3, "recovery": 3}
    return {"name": name, **stats, "effects": [{"op": "gain_gold", "count": gold}], **({"flip": flip} if flip else {})}


def test_a_guest_with_one_side_makes_way_for_the_brothers_grimm() -> None:
    """Universal Heroes: any time a game effect would cause your hero to flip, instead replace it with the Brothers Grimm."""
    grimm = {"grimm": {"effects": [{"op": "gain_gold", "count": 9}]}}
    turns = [{"op": "flip_hero"}]
    for cause in ("its own moment", "a fable"):
        s = Scenario(guests=[{"key": "lone", **half("Lone", "camped", 1)}], hero="lone", cards=grimm, fables=[turns], at="campfire", gold=0)
        s = s.arrive().do("choose_health") if cause == "its own moment" else s.tell()
        assert s.hero == "Brothers Grimm", cause
        assert s.do("use_hero").gold == 9
        assert s.tell().hero == "Brothers Grimm", "for good"


@pytest.mark.parametrize(("side", "first", "then"), [("front", "Awake", "Asleep"), ("back", "Asleep", "Awake")])
def test_a_guest_with_two_sides_flips_to_its_own(side: str, first: str, then: str) -> None:
    """Ready Your Reference: the Brothers Grimm side is ignored unless the universal hero has no secondary side (our reading: this sentence
    says when the other one, of Universal Heroes, applies)."""
    twofold = {"key": "twofold", "front": half("Awake", "camped", 1), "lucid": half("Asleep", None, 3)}
    s = Scenario(guests=[twofold], hero="twofold", side=side, fables=[[{"op": "flip_hero"}]])
    assert s.hero == first
    assert s.tell().hero == then
    assert s.tell().hero == first


def test_universal_heroes_of_this_deck_flip_as_its_others_do() -> None:
    """Universal Heroes: the sentence is about non-Tanglewoods ones."""
    s = Scenario(heroes=[{"universal": True}], flip="camped", at="campfire").arrive()
    assert s.hero == "Hero 0, back"


def test_a_guest_of_another_deck_brings_both_its_sides() -> None:
    """Universal Heroes; Etherfields' rulebook: its heroes are used on their current side, and flip as two-sided heroes do."""
    deck = load_deck()
    front = deck.names["faces"].index("Insomniac, Counting")
    lucid = int(deck.tables.cards[front]["other_side"])
    assert deck.names["faces"][lucid] == "Insomniac, Wide Awake"
    assert deck.tables.cards[lucid]["other_side"] == front
    assert [int(Game(SPEC, hero="insomniac", side=side).new().hero[0]) for side in ("printed", "back")] == [front, lucid]
    candlemaker = deck.names["faces"].index("Candlemaker")
    assert int(Game(SPEC, hero="candlemaker", side="back").new().hero[0]) == candlemaker
