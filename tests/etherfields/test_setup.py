"""Setup, by the rulebook's steps; the choices of boss and hero; Heroes and Stats."""

import pytest

from deckwood.core.errors import OptionError
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import BOSS_SIDE, DECKS, HERO_SIDE, IN_DECK, MAP_SIDE, NUM_SIDES
from deckwood.strong.terms import NONE, UNIT_DICE
from tests.etherfields.scenario import PLAIN, Scenario, enemy, instant, item


def sides(**turned: int) -> dict[str, list[int]]:
    """A deck in which these cards lie on their other side: hero0, boss1 and so on, or card3, map2."""
    first = {"card": 0, "map": 60, "hero": HERO_SIDE, "boss": BOSS_SIDE}
    memory = [0] * NUM_SIDES
    for name, side in turned.items():
        memory[first[name.rstrip("0123456789")] + int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))] = side
    return {"side": memory}


def test_the_dice_pool() -> None:
    """Setup: set the 17 unit dice in the dice pool."""
    s = Scenario()
    assert s.ready == {"yellow": 4, "green": 4, "blue": 4, "purple": 4, "red": 1}
    assert sum(UNIT_DICE) == 17
    assert s.exhausted == s.banished == {}


def test_the_decks() -> None:
    """Setup: enemy, map, item and influence cards form decks of their own; no hand is drawn before the first round's Influence step."""
    s = Scenario()
    assert [len(s.pile(deck)) for deck in DECKS] == [27, 21, 12, 9]
    assert s.hand == s.items == []
    assert s.active == {}


def test_the_top_cards_can_be_seen() -> None:
    """Decks that are not covered show their top card; any card may be there."""
    s = Scenario(reveal=False)
    for deck, names in (
        ("map", {f"Map {i}" for i in range(1, 10)}),
        ("item", {f"Item {i}" for i in range(12)}),
        ("influence", {f"Influence {i}" for i in range(21)}),
        ("enemy", {f"Enemy {i}" for i in range(27)}),
    ):
        assert s.phase == "Turn up the next card of a deck"
        assert s.chances == dict.fromkeys(names, 1)
        s.draw(max(names))
        assert s.top(deck) == max(names)
    assert s.phase == "Take actions"


def seen(s: Scenario, feature: str) -> list[float]:
    """What an observation shows in one of its features."""
    at = 0
    for found in SPEC.features:
        if found.name == feature:
            return [float(value) for value in s.game.observe(s.position)[at : at + found.size]]
        at += found.size
    raise AssertionError(feature)


def test_the_player_sees_them() -> None:
    """The top cards are part of the observation, and so are the map cards with their sides."""
    s = Scenario(enemies=[enemy(health=7, damage=3)], influence=[instant(gives={"cunning": 3})], placed={4: (1, 0)})
    assert seen(s, "next_enemy")[:3] == [1, 7, 3]
    assert seen(s, "next_cards")[:4] == [1, 0, 3, 0]
    maps = seen(s, "map")
    size = len(maps) // 10
    assert maps[0 * size : 0 * size + 3] == [1, 0, 0]
    assert maps[4 * size : 4 * size + 3] == [1, 1, 0]
    assert [card for card in range(10) if maps[card * size + size - 1]] == [1], "the top of the Map Deck"
    s.p["side"][MAP_SIDE + 4] = 1
    assert seen(s, "map") != maps
    s.only("enemy")
    assert not any(seen(s, "next_enemy"))


def test_the_ether_is_yellow() -> None:
    """Setup: set the ether to yellow. The Ether: Etherfields begins with the ether set to yellow."""
    assert Scenario().ether == "yellow"
    assert Scenario(cards={"numbers": {"first_ether": "blue"}}).ether == "blue", "a number of the deck file"


def test_the_dream_entrance() -> None:
    """Setup: the card with the Dream Entrance at the center is in the active area, the Health die on it."""
    s = Scenario()
    assert s.map == {"Map 0": (0, 0)}
    assert s.at == "0c"
    assert "Map 0" not in s.pile("map")


def test_the_entrance_card_may_lie_on_its_other_side() -> None:
    """Cards that flip remain that way for future games; the entrance is where that side shows it."""
    turned = {"entrance": "a", "space": {"a": {}, "c": {"action": PLAIN["map"][0]["b"]["space"]["c"]["action"]}}}
    s = Scenario(maps=[{"a": {}, "b": turned}], remembered=sides(map0=1))
    assert s.map == {"Map 0, turned": (0, 0)}
    assert s.at == "0a"


@pytest.mark.parametrize("up", [0, 1])
def test_an_entrance_on_one_side(up: int) -> None:
    """Setup: find the map card with the Dream Entrance. Where only one of its sides shows it, that side is placed."""
    s = Scenario(maps=[{"a": {"entrance": None}, "b": {"entrance": "a"}}], remembered=sides(map0=up))
    assert s.map == {"Map 0, turned": (0, 0)}
    assert s.at == "0a"


def test_decks_by_the_side_that_faces_up() -> None:
    """An Ever-Changing Deck: the separation into decks goes by the current sides."""
    s = Scenario(turned={"Enemy 3": item(), "Item 2": instant()}, remembered=sides(card3=1, card50=1))
    assert [len(s.pile(deck)) for deck in DECKS] == [26, 22, 12, 9]
    assert "Enemy 3, turned" in s.pile("item")
    assert "Item 2, turned" in s.pile("influence")


def test_starting_stats() -> None:
    """Setup: the three stat dice are set to the hero's starting values. Heroes and Stats: Health, Strategy, Recovery."""
    s = Scenario(heroes=[{"front": {"health": 5, "strategy": 2, "recovery": 6}}])
    assert (s.health, s.strategy, s.recovery) == (5, 2, 6)
    assert s.hero == "Hero 0"


@pytest.mark.parametrize("hero", range(5))
def test_every_hero(hero: int) -> None:
    s = Scenario(hero=f"hero{hero}", heroes=[{"front": {"health": 2 + i % 4}} for i in range(5)])
    assert s.hero == f"Hero {hero}"
    assert s.health == 2 + hero % 4


def test_the_side_that_faces_up() -> None:
    """Choose your hero: you must choose the side of a hero that is currently face-up."""
    s = Scenario(heroes=[{"lucid": {"health": 6}}], remembered=sides(hero0=1))
    assert s.hero == "Hero 0, lucid"
    assert s.health == 6


def test_choosing_the_hero() -> None:
    """With the option "choose" it is the player's decision, on the sides that face up."""
    s = Scenario(hero="choose", remembered=sides(hero3=1))
    assert s.phase == "Setup: choose your hero"
    assert s.legal == ["hero_1", "hero_2", "hero_3", "hero_4", "hero_5"]
    assert SPEC.action_text(s.p, s.deck, SPEC.action_index["hero_4"]) == "Play as Hero 3, lucid"
    s.do("hero_4")
    assert s.hero == "Hero 3, lucid"
    assert s.phase == "Take actions"


def test_choosing_the_boss() -> None:
    """Choose a boss: a face-up boss. Some bosses cannot be faced until certain items and enemies are in play."""
    needs = [{"a": {"requires": ["Enemy 3, turned", "Item 1"]}}, {"a": {"requires": ["Item 1, turned"]}}]
    s = Scenario(boss="choose", bosses=needs)
    assert s.phase == "Setup: choose a boss"
    assert s.legal == ["boss_3", "boss_4", "boss_5"]
    s = Scenario(boss="choose", bosses=needs, remembered=sides(card3=1))
    assert s.legal == ["boss_1", "boss_3", "boss_4", "boss_5"]
    assert Scenario(boss="choose", bosses=needs, remembered=sides(card49=1)).legal == ["boss_2", "boss_3", "boss_4", "boss_5"]
    s.do("boss_1")
    assert s.names["faces"][s.p["boss"]] == "Boss 0"
    assert s.phase == "Take actions"


def test_the_boss_comes_before_the_hero() -> None:
    """Setup: the boss is chosen, then the hero."""
    s = Scenario(boss="choose", hero="choose").do("boss_2")
    assert s.phase == "Setup: choose your hero"


def test_the_face_up_side_of_the_boss() -> None:
    s = Scenario(boss="choose", bosses=[{"a": {"requires": ["Item 0, turned"]}}], remembered=sides(boss0=1))
    assert "boss_1" in s.legal, "the other side requires nothing"
    assert SPEC.action_text(s.p, s.deck, SPEC.action_index["boss_1"]) == "Face Boss 0, turned"
    assert s.names["faces"][s.do("boss_1").p["boss"]] == "Boss 0, turned"


def test_a_boss_that_cannot_be_faced_is_refused() -> None:
    """Asked for by name it is an error that says what is missing."""
    with pytest.raises(OptionError, match='Boss 0 can be faced only with Enemy 3, turned in play; allowed: another boss, or "choose"'):
        Scenario(bosses=[{"a": {"requires": ["Enemy 3, turned"]}}])
    s = Scenario(bosses=[{"a": {"requires": ["Enemy 3, turned"]}}], boss="boss1")
    assert s.names["faces"][s.p["boss"]] == "Boss 1"


def test_the_boss_waits() -> None:
    """You cannot face the boss until you meet its endgame condition: it is not in the active area at first."""
    s = Scenario()
    assert s.active == {}
    assert s.p["facing"] == 0


def test_heroes_that_answer_to_setup() -> None:
    s = Scenario(flip="set_up")
    assert s.hero == "Hero 0, lucid"
    s = Scenario(ability=[{"op": "gain_stat", "stat": "strategy", "count": 2, "when": "set_up"}])
    assert s.strategy == 5


@pytest.mark.parametrize(("stat", "most"), [("health", 6), ("strategy", 6), ("recovery", 6)])
def test_stats_stay_within_their_dice(stat: str, most: int) -> None:
    """Stat Dice: they cannot go below 1 (except Health) or above 6."""
    s = Scenario(ability=[{"op": "gain_stat", "stat": stat, "count": 5}]).do("use_hero")
    assert getattr(s, stat) == most
    lost = [{"op": "lose_stat", "stat": stat, "count": 5}, {"op": "recover", "count": 1}]
    s = Scenario(ability=lost, exhausted={"red": 1}).do("use_hero")
    if stat == "health":
        assert s.ending == "died"
    else:
        assert getattr(s, stat) == 1


def test_there_is_nothing_of_another_game() -> None:
    """All cards are in their decks, none banished, and no place holds a die."""
    s = Scenario()
    assert (s.p["zone"] == IN_DECK).all()
    assert (s.p["items"] == NONE).all()
    assert (s.p["slot"] == NONE).all()
    assert not s.p["applied"].any()
    assert not s.p["rolled"].any()
