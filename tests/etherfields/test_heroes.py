"""Heroes: abilities, lucid sides, and universal heroes of other decks."""

from collections.abc import Callable
from typing import Any

import pytest

from deckwood.etherfields.deck import EVENTS
from deckwood.etherfields.state import HERO_SIDE
from deckwood.strong.deck import SYSTEM_EVENTS, HeroSide, Words
from deckwood.strong.guests import Guest
from deckwood.tanglewoods.spec import SPEC as TANGLEWOODS
from tests.etherfields.scenario import NOTHING, Scenario, enemy, item, space

WEAK = [enemy(health=1)]
BOSS = [{"a": {"health": 1, "damage": 0}}]


def victory(event: str) -> Scenario:
    s = Scenario(flip=event, enemies=WEAK, dice={"red": 1}).fight()
    return s.commit("red").roll("hit").hit("red_hit")


def boss_victory(event: str) -> Scenario:
    s = Scenario(flip=event, bosses=BOSS, dice={"red": 1}).window().do("unique_1", "done")
    return s.commit("red").roll("hit").hit("red_hit")


FLIPS: dict[str, Callable[[], Scenario]] = {
    "round_starts": lambda: Scenario(flip="round_starts").next_round(),
    "engaged": lambda: Scenario(flip="engaged").fight(),
    "hero_rolled": lambda: Scenario(flip="hero_rolled", dice={"red": 1}).fight().commit("red").roll("hit"),
    "enemy_fell": lambda: victory("enemy_fell"),
    "boss_fell": lambda: boss_victory("boss_fell"),
    "suffered": lambda: Scenario(flip="suffered", dice={}).fight().do("roll", "resolve"),
    "recovering": lambda: Scenario(flip="recovering", dice={}).fight().do("roll", "resolve"),
    "endgame": lambda: Scenario(flip="endgame").do("unique_1"),
    "set_up": lambda: Scenario(flip="set_up"),
    "activation": lambda: Scenario(flip="activation").do("done", "done", "done"),
    "explored": lambda: Scenario(flip="explored", at="0a", dice={"green": 1}).do("explore", "exhaust_green"),
    "ether_changed": lambda: Scenario(flip="ether_changed", here=space({"op": "advance_ether"})).do("unique_1"),
}


@pytest.mark.parametrize("event", [*SYSTEM_EVENTS, *EVENTS])
def test_lucid(event: str) -> None:
    """Heroes: some effects let you flip your hero to its lucid side."""
    assert FLIPS[event]().hero == "Hero 0, lucid"


def test_not_lucid_without_the_event() -> None:
    assert victory("boss_fell").hero == "Hero 0"
    assert Scenario(flip="suffered", enemies=[enemy(damage=0)], dice={}).fight().do("roll", "resolve").hero == "Hero 0"
    assert Scenario(flip="explored").do("done").hero == "Hero 0"
    assert Scenario(flip="activation").do("done", "done").hero == "Hero 0"
    assert Scenario(flip="ether_changed", here=space({"op": "set_ether", "colour": "yellow"})).do("unique_1").hero == "Hero 0"


def test_lucid_for_good() -> None:
    """There is no way back from the lucid side: an effect that flips the hero flips it once."""
    s = Scenario(ability=[{"op": "flip_hero"}], heroes=[{"lucid": {"effects": [{"op": "flip_hero"}, {"op": "advance_ether"}]}}])
    s.do("use_hero")
    assert s.hero == "Hero 0, lucid"
    s.next_round().do("use_hero")
    assert s.hero == "Hero 0, lucid"
    assert s.ether == "green"


def test_stats_stay() -> None:
    """The stat dice are set once, in setup."""
    s = Scenario(flip="round_starts", heroes=[{"lucid": {"health": 6, "strategy": 6, "recovery": 6}}], health=2).next_round()
    assert (s.health, s.strategy, s.recovery) == (2, 3, 3)


def test_lucid_abilities() -> None:
    """Each side has its ability."""
    sides = {"front": {"effects": [{"op": "recovery_change", "count": 3}]}, "lucid": {"effects": [{"op": "strategy_change", "count": -2}]}}
    s = Scenario(heroes=[sides], flip="engaged", dice={"blue": 1}).fight().commit("blue").roll("miss")
    assert not s.may("again")


def test_the_lucid_side_is_remembered() -> None:
    """A flipped hero remains that way for future games, whether the game was won or lost."""
    s = Scenario(flip="engaged", enemies=[enemy(damage=4)], hero="hero0").fight().do("roll", "resolve")
    assert s.ending == "died"
    assert s.p["side"][HERO_SIDE : HERO_SIDE + 5].tolist() == [1, 0, 0, 0, 0]
    same = Scenario(enemies=[enemy(damage=4)], hero="hero3").fight().do("roll", "resolve")
    assert not same.p["side"].any()


def test_a_lucid_hero_stays_so() -> None:
    memory = {"side": [0] * HERO_SIDE + [1, 0, 0, 0, 0] + [0] * 5}
    s = Scenario(enemies=[enemy(damage=4)], remembered=memory).fight().do("roll", "resolve")
    assert s.p["side"][HERO_SIDE] == 1


def test_answers_in_order() -> None:
    """Our reading: the hero first, then the inventory from the left."""
    gain, lose = ({"op": op, "stat": "recovery", "count": 5, "when": "round_starts"} for op in ("gain_stat", "lose_stat"))
    s = Scenario(ability=[gain], items=[item(lose, uses="ongoing")], held=["Item 0"]).next_round()
    assert s.recovery == 1
    s = Scenario(ability=[lose], items=[item(gain, uses="ongoing")], held=["Item 0"]).next_round()
    assert s.recovery == 6


# Universal heroes of other decks


def guest(*sides: dict[str, Any], key: str = "guest") -> Guest:
    plain = {"name": "Guest", "health": 5, "strategy": 2, "recovery": 4, "effects": list(NOTHING)}
    return Guest(key, tuple(HeroSide.model_validate({**plain, **side}, context=Words()) for side in sides))


def test_a_guest() -> None:
    """Universal Heroes: they can be used in any 20 Strong deck; a guest starts with its own stats and ability."""
    s = Scenario(guests=[guest({"effects": [{"op": "gain_stat", "stat": "health", "count": 1}]})], hero="guest")
    assert s.hero == "Guest"
    assert (s.health, s.strategy, s.recovery) == (5, 2, 4)
    assert s.do("use_hero").health == 6


def test_a_double_sided_guest_flips() -> None:
    """When adding universal heroes to Etherfields: flip your hero only if it is a double-sided hero."""
    two = guest({"name": "Front", "flip": "engaged"}, {"name": "Back", "flip": "suffered"})
    s = Scenario(guests=[two], hero="guest").fight()
    assert s.hero == "Back"
    s.do("roll", "resolve")
    assert s.hero == "Front", "its card says so, and it is no Etherfields hero"


def test_a_single_sided_guest_does_not() -> None:
    """Otherwise, ignore the effect."""
    s = Scenario(guests=[guest({"flip": "engaged"})], hero="guest").fight()
    assert s.hero == "Guest"
    assert s.phase == "Commit Dice"


def test_the_guest_is_not_part_of_this_deck() -> None:
    """Nothing of a guest is remembered; it begins on its front."""
    two = guest({"name": "Front", "flip": "engaged"}, {"name": "Back"})
    s = Scenario(guests=[two], hero="guest", enemies=[enemy(damage=5)], games=2).fight()
    assert s.hero == "Back"
    s.do("roll", "resolve")
    assert s.hero == "Front"
    assert not s.p["side"].any()


def test_guests_can_be_chosen() -> None:
    guests = [guest({"name": "One"}, key="one"), guest({"name": "Two"}, {"name": "Two, back"}, key="two")]
    s = Scenario(guests=guests, hero="choose")
    assert s.legal == [f"hero_{i + 1}" for i in range(7)]
    assert s.do("hero_7").hero == "Two"


def test_our_universal_heroes_in_other_decks() -> None:
    """When using universal heroes from Etherfields in other 20 Strong decks: a fresh deck's current side is the non-lucid one."""
    from deckwood.etherfields.deck import load_deck
    from deckwood.etherfields.state import HERO_FACE, NUM_HEROES

    ours = load_deck()
    universal = [h for h in range(NUM_HEROES) if ours.tables.cards[HERO_FACE + 2 * h]["universal"]]
    assert universal
    deck = TANGLEWOODS.load_deck(None)
    for hero in universal:
        assert ours.names["heroes"][hero] in deck.names["heroes"]
        assert ours.names["faces"][HERO_FACE + 2 * hero] in deck.names["faces"]
