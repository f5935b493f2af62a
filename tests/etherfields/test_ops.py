"""The words that only Etherfields has, and the moments of its cards: a scenario for each."""

from typing import Any

import pytest

from deckwood.etherfields.deck import EVENTS, WORDS
from deckwood.etherfields.state import DECK_OPS
from deckwood.strong.deck import SYSTEM_EVENTS, UsedEffect
from tests.etherfields.scenario import Scenario, enemy, instant, item, space
from tests.strong.scenario import Covered

covers = Covered()

ANYTHING = {"op": "advance_ether"}


def play(*effects: dict[str, Any], **fields: Any) -> Scenario:
    """An influence card with these effects is played; ``hand`` names what else is in hand."""
    hand = ["Influence 0", *fields.pop("hand", ())]
    cards = [instant(*effects), *fields.pop("influence", ())]
    return Scenario(**{"influence": cards, "hand": hand, **fields}).do("play_card_1")


def holding(*effects: dict[str, Any], **fields: Any) -> Scenario:
    """An ongoing item with these effects is held."""
    return Scenario(items=[item(*effects, uses="ongoing")], held=["Item 0"], **fields)


@covers("hand_change")
@pytest.mark.parametrize(("change", "cards"), [(1, 6), (3, 8), (-2, 3)])
def test_hand_change(change: int, cards: int) -> None:
    """Draw until your hand has so many more."""
    assert len(holding({"op": "hand_change", "count": change}).do("done").hand) == cards


@covers("hand_change")
def test_hand_change_of_several_cards() -> None:
    """They add up, and an enemy's stands as long as it does."""
    s = holding({"op": "hand_change", "count": -1}, enemies=[enemy(effects=[{"op": "hand_change", "count": -3}])]).meet()
    s.next_round().do("done")
    assert len(s.hand) == 1


@covers("cost_change")
def test_cost_change() -> None:
    """Exploring, unique and influence actions, each resource that is asked for."""
    card = instant(ANYTHING, cost={"cunning": 1, "wrath": 1})
    s = holding(
        {"op": "cost_change", "count": 1}, influence=[card], hand=["Influence 0"], dice={"yellow": 2, "red": 2, "green": 2}, at="0a"
    )
    s.do("play_card_1", "exhaust_yellow", "exhaust_yellow", "exhaust_red", "exhaust_red")
    assert s.ether == "green"
    s.do("explore", "exhaust_green", "exhaust_green")
    assert s.exhausted == {"yellow": 2, "red": 2, "green": 2}
    assert not holding({"op": "cost_change", "count": 1}, dice={"green": 1}, at="0a").may("explore")


@covers("cost_change")
def test_cost_change_is_not_for_standard_actions() -> None:
    s = holding({"op": "cost_change", "count": 2}, dice={"yellow": 1, "red": 1}, enemies=[enemy(health=1)]).meet()
    s.do("assault", "target_1", "exhaust_red", "move", "exhaust_yellow")
    assert s.phase == "Move"


@covers("no_moves")
def test_no_moves() -> None:
    s = Scenario(enemies=[enemy(effects=[{"op": "no_moves"}])], dice={"yellow": 1})
    assert s.may("move")
    assert not s.meet().may("move")


@covers("no_moves")
def test_a_movement_goes_on() -> None:
    """An enemy on the way that forbids to move stops the next movement, not this one."""
    trap = {"space": {"a": {"skulls": 1}, "c": space({"op": "summon"}, name="S")}}
    s = Scenario(maps=[trap], enemies=[enemy(effects=[{"op": "no_moves"}])], dice={"yellow": 3})
    s.do("move", "exhaust_yellow", "exhaust_yellow", "done", "go_to_1")
    assert s.phase == "Move"
    s.do("go_to_2")
    assert not s.may("move")


@covers("no_cards")
def test_no_cards() -> None:
    s = Scenario(
        enemies=[enemy(effects=[{"op": "no_cards"}])], influence=[instant(ANYTHING, gives={"wrath": 1})], hand=["Influence 0"], dice={}
    )
    s.meet()
    assert not s.may("play_card_1")
    free = Scenario(
        enemies=[enemy(health=1, effects=[{"op": "no_cards"}])], influence=[instant(ANYTHING, gives={"wrath": 1})], hand=["Influence 0"]
    )
    assert free.meet().do("assault").legal == ["target_1"], "but they can be spent"


@covers("draw_influence")
def test_draw_influence() -> None:
    assert play({"op": "draw_influence", "count": 2}).hand == ["Influence 1", "Influence 2"]


@covers("draw_influence")
def test_draw_influence_per() -> None:
    each = {"op": "draw_influence", "count": 1, "per": "standing_enemy"}
    s = Scenario(influence=[instant(each)], hand=["Influence 0"]).meet(3).do("play_card_1")
    assert len(s.hand) == 3


@covers("discard_influence")
def test_discard_influence() -> None:
    s = play({"op": "discard_influence", "count": 1}, ANYTHING, hand=["Influence 4", "Influence 5"])
    assert s.legal == ["spend_card_1", "spend_card_2"], "not optional"
    s.do("spend_card_1")
    assert s.hand == ["Influence 5"]
    assert s.ether == "green"


@covers("recall")
def test_recall() -> None:
    """Random cards of the influence discard; the card itself is not there until it has resolved."""
    s = Scenario(influence=[instant({"op": "recall", "count": 2})], hand=["Influence 0"]).put(
        4, "Influence 8", "Influence 9", "Enemy 3", "Item 2"
    )
    s.do("play_card_1")
    assert s.phase == "Take a card of the influence discard"
    assert s.chances == {"Influence 8": 1, "Influence 9": 1}
    s.draw("Influence 9")
    assert s.chances == {"Influence 8": 1}
    s.draw("Influence 8")
    assert s.hand == ["Influence 8", "Influence 9"]
    assert s.pile("influence", "discard") == ["Influence 0"]


@covers("banish_influence")
def test_banish_influence() -> None:
    s = play({"op": "banish_influence", "count": 2})
    assert s.chances == {f"Influence {i}": 1 for i in range(1, 21)}
    s.draw("Influence 1", "Influence 20")
    assert s.pile("influence", "banished") == ["Influence 1", "Influence 20"]
    assert s.top("influence") == "Influence 2", "the top card was banished"


@covers("banish_influence")
def test_banish_influence_of_an_empty_deck() -> None:
    """Nothing is drawn: no new deck is made for it."""
    s = Scenario(influence=[instant({"op": "banish_influence", "count": 1}, ANYTHING)], hand=["Influence 0"])
    s.only("influence").put(4, "Influence 3")
    s.do("play_card_1")
    assert (s.phase, s.ether) == ("Take actions", "green")


@covers("set_ether", "advance_ether")
def test_ether() -> None:
    assert play({"op": "set_ether", "colour": "red"}).ether == "red"
    assert play({"op": "set_ether", "colour": "red"}, {"op": "advance_ether"}).ether == "yellow"


@covers("if_ether")
@pytest.mark.parametrize(("ether", "stats"), [("green", (4, 4)), ("blue", (3, 3))])
def test_if_ether(ether: str, stats: tuple[int, int]) -> None:
    """The next instructions if it is, otherwise those after them: here there are none."""
    raises = [{"op": "gain_stat", "stat": stat, "count": 1} for stat in ("strategy", "recovery")]
    s = play({"op": "if_ether", "colour": "green", "count": 2}, *raises, ether=ether)
    assert (s.strategy, s.recovery) == stats


@covers("if_ether")
def test_if_ether_otherwise() -> None:
    s = play({"op": "if_ether", "colour": "green", "count": 0}, {"op": "gain_stat", "stat": "strategy", "count": 1}, ether="green")
    assert s.strategy == 3
    s = play({"op": "if_ether", "colour": "green", "count": 0}, {"op": "gain_stat", "stat": "strategy", "count": 1}, ether="red")
    assert s.strategy == 4


@covers("if_ether")
def test_the_ether_at_that_moment() -> None:
    s = play(
        {"op": "advance_ether"}, {"op": "if_ether", "colour": "green", "count": 1}, {"op": "gain_stat", "stat": "strategy", "count": 1}
    )
    assert s.strategy == 4


@covers("flip_card")
def test_flip_card() -> None:
    s = play({"op": "flip_card"})
    assert s.where("Influence 0") == "influence discard"
    assert s.pile("influence", "discard") == ["Influence 0, turned"]


@covers("flip_card")
def test_flip_card_twice() -> None:
    """A card that has flipped is no longer the one that says so."""
    s = play({"op": "flip_card"}, {"op": "flip_card"})
    assert s.pile("influence", "discard") == ["Influence 0, turned"]


@covers("flip_and_take")
def test_flip_and_take() -> None:
    s = play({"op": "flip_and_take"})
    assert s.hand == ["Influence 0, turned"]
    s = play({"op": "flip_and_take"}, turned={"Influence 0": item()})
    assert s.phase == "Take the item?"
    assert s.do("accept").items == ["Influence 0, turned"]
    s = play({"op": "flip_and_take"}, turned={"Influence 0": {"type": "enemy", "health": 2, "damage": 1}})
    assert s.where("Influence 0") == "enemy discard"


@covers("flip_and_take")
def test_flip_and_take_with_a_full_hand() -> None:
    s = Scenario(
        items=[item({"op": "flip_and_take"})], turned={"Item 0": instant()}, held=["Item 0"], hand=[f"Influence {i}" for i in range(8)]
    )
    s.do("use_item_1")
    assert len(s.hand) == 8
    assert s.where("Item 0") == "influence discard"


@covers("flip_and_take")
def test_a_doubled_reward_flips_once() -> None:
    rich = enemy(health=1, reward=[{"op": "flip_and_take"}])
    s = Scenario(
        enemies=[rich],
        turned={"Enemy 0": instant()},
        influence=[instant({"op": "double_reward", "count": 1})],
        hand=["Influence 0"],
        dice={"blue": 1},
    ).fight()
    s.do("play_card_1").commit("blue").roll("hit").hit("blue_hit").do("accept")
    assert s.hand == ["Enemy 0, turned"]


@covers("banish_card")
def test_banish_card() -> None:
    assert play({"op": "banish_card"}).where("Influence 0") == "influence banished"


@covers("flip_enemy")
def test_flip_enemy() -> None:
    """An undefeated non-boss enemy of your choice."""
    s = Scenario(
        influence=[instant({"op": "flip_enemy"})],
        hand=["Influence 0"],
        turned={"Enemy 1": item()},
        dice={"red": 1},
        enemies=[enemy(health=1)],
    )
    s.meet(3).do("unique_1", "assault", "target_1", "exhaust_red", "play_card_1")
    assert s.phase == "Choose an enemy to flip"
    assert s.legal == ["target_2", "target_3"]
    s.do("target_2")
    assert s.active == {"Enemy 0": "defeated", "Enemy 2": "standing", "Boss 0": "standing"}
    assert s.where("Enemy 1") == "item discard"


@covers("flip_enemy")
def test_flip_enemy_without_enemies() -> None:
    assert play(ANYTHING, {"op": "flip_enemy"}).phase == "Take actions"


@covers("flip_map", "discard_map")
def test_flip_and_discard_map() -> None:
    assert play({"op": "flip_map"}).map == {"Map 0, turned": (0, 0)}
    s = play({"op": "discard_map"}, placed={7: (1, 0), 8: (2, 0)})
    assert s.phase == "A map card is discarded"
    assert s.chances == {"Map 0": 1, "Map 7": 1, "Map 8": 1}
    assert s.draw("Map 8").map == {"Map 0": (0, 0), "Map 7": (1, 0)}


@covers("move")
def test_move() -> None:
    """Up to so many spaces, without Cunning; spaces that are entered count like any."""
    trap = {"space": {"a": {"skulls": 1}, "c": space({"op": "summon"}, name="S")}}
    s = play({"op": "move", "count": 2}, maps=[trap], dice={})
    assert s.phase == "Move"
    s.do("go_to_1")
    assert list(s.active) == ["Enemy 0"]
    s.do("done")
    assert s.at == "0a"


@covers("return_home")
def test_return_home() -> None:
    s = play({"op": "return_home"}, at="3b", placed={3: (0, 1)})
    assert s.at == "0c"
    s = Scenario(influence=[instant({"op": "return_home"})], hand=["Influence 0"], at="3b", placed={3: (0, 1)})
    s.p["map_zone"][0] = 4
    assert s.do("play_card_1").at == "3b", "there is nowhere to return to"


@covers("summon")
def test_summon() -> None:
    s = Scenario().do("unique_1")
    assert s.active == {"Boss 0": "standing"}
    assert not Scenario(bosses=[{"a": {"endgame": {"ether": "red"}}}]).may("unique_1")


@covers("summon")
def test_summon_among_other_instructions() -> None:
    """The condition is that of the moment: what stands before it may meet it only if it did when the action was taken."""
    here = space({"op": "set_ether", "colour": "red"}, {"op": "summon"})
    s = Scenario(here=here, bosses=[{"a": {"endgame": {"ether": "yellow"}}}]).do("unique_1")
    assert s.ether == "red"
    assert s.active == {}


def test_every_op_has_a_scenario() -> None:
    assert {op.name for op in DECK_OPS} == covers.ops


# Moments

HAPPENS: dict[str, Any] = {
    "round_starts": lambda s: s.next_round(),
    "engaged": lambda s: s.fight(),
    "hero_rolled": lambda s: s.fight().commit("blue").roll("miss"),
    "enemy_fell": lambda s: s.meet().do("assault", "target_1", "exhaust_red"),
    "boss_fell": lambda s: s.window().do("unique_1", "done").commit("red").roll("crit").hit("red_crit"),
    "suffered": lambda s: s.fight().do("roll", "resolve"),
    "recovering": lambda s: s.fight().do("roll", "resolve"),
    "endgame": lambda s: s.do("unique_1"),
    "activation": lambda s: s.do("done", "spend_card_1", "done", "done"),
    "explored": lambda s: s.stand("0a").do("explore", "exhaust_green"),
    "ether_changed": lambda s: s.do("play_card_1"),
}
"""What brings about each moment, on the table below; ``set_up`` is over before an item could be held."""


def table(**fields: Any) -> Scenario:
    return Scenario(
        bosses=[{"a": {"health": 1}}],
        enemies=[enemy(health=1)] * 9,
        influence=[instant({"op": "advance_ether"})],
        hand=["Influence 0"],
        dice={"red": 1, "blue": 1, "green": 1},
        recovery=1,
        health=5,
        **fields,
    )


@pytest.mark.parametrize("moment", [event for event in (*SYSTEM_EVENTS, *EVENTS) if event != "set_up"])
def test_moments_of_ongoing_items(moment: str) -> None:
    """An ongoing item answers each time."""
    watch = item({"op": "gain_stat", "stat": "recovery", "count": 2, "when": moment}, uses="ongoing")
    s = HAPPENS[moment](table(items=[watch], held=["Item 0"]))
    assert s.recovery == 3
    assert HAPPENS[moment](table(items=[watch])).recovery == 1, "not when it is not held"


@pytest.mark.parametrize("moment", ["round_starts", "explored"])
def test_single_use_items_do_not_answer(moment: str) -> None:
    watch = item({"op": "gain_stat", "stat": "recovery", "count": 2, "when": moment}, {"op": "recover", "count": 1})
    assert HAPPENS[moment](table(items=[watch], held=["Item 0"])).recovery == 1


@pytest.mark.parametrize(
    ("moment", "happens"),
    [
        ("activated", lambda s: s.meet()),
        ("rolled", lambda s: s.fight().commit("blue").roll("miss")),
        ("crit_applied", lambda s: s.fight().commit("blue").roll("crit").hit("blue_crit")),
        ("falls", lambda s: s.meet().do("assault", "target_1", "exhaust_red", "exhaust_red", "exhaust_red")),
        ("after", lambda s: s.fight().do("roll", "resolve")),
        ("after_standing", lambda s: s.fight().do("roll", "resolve")),
    ],
)
def test_moments_of_enemies(moment: str, happens: Any) -> None:
    """Enemy Effects: each at its moment, and not before."""
    gain = {"op": "gain_stat", "stat": "recovery", "count": 2, "when": moment}
    s = Scenario(enemies=[enemy(health=3, damage=0, effects=[gain])], dice={"blue": 1, "red": 3}, recovery=1)
    assert s.recovery == 1
    assert happens(s).recovery == 3


def test_deck_words_on_enemies() -> None:
    """A deck's own words are good for any card: here After effects of an enemy."""
    effects = [{"op": "discard_influence", "count": 1, "when": "after"}, {"op": "set_ether", "colour": "blue", "when": "after"}]
    s = Scenario(enemies=[enemy(effects=effects, damage=0)], hand=["Influence 0", "Influence 1"]).fight().do("roll", "resolve")
    assert s.phase == "Discard influence cards"
    s.do("spend_card_2")
    assert (s.hand, s.ether) == (["Influence 0"], "blue")


def test_moments_that_other_decks_have() -> None:
    """A moment of another deck is refused, so that no card waits for what never comes."""
    allowed = {event for event in UsedEffect.moments if event not in WORDS.absent}
    assert allowed == {"use", *SYSTEM_EVENTS, *EVENTS}
