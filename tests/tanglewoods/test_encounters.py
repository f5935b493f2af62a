"""Bribery, the Strategy phase and the Resolve phase. The last two are the general rules, as Etherfields' rulebook repeats them."""

import pytest

from deckwood.tanglewoods import steps
from deckwood.tanglewoods.state import IN_DECK, IN_DISCARD
from tests.tanglewoods.scenario import Scenario, enemy

# Bribery Phase


def test_bribe() -> None:
    """Pay the Bribe; the enemy is discarded, without reward and not defeated; others are engaged."""
    paid = enemy(bribe=4, reward=[{"op": "gain_gold", "count": 9}])
    s = Scenario(enemies=[paid], ability=[{"op": "gain_gold", "count": 1, "when": "enemy_fell"}], gold=5).fight(2, bribe=True)
    assert s.legal == ["target_1", "target_2", "done"]
    s.do("target_1")
    assert s.gold == 1
    assert list(s.active) == ["Minion 1"]
    assert s.zone("minions", 0) == IN_DISCARD
    assert s.phase == "Commit Dice", "1 gold is not enough for the other"


def test_all_bribed_leads_to_cleanup() -> None:
    """If no enemies remain, proceed directly to Cleanup: no dice are recovered."""
    s = Scenario(gold=3, dice={}, exhausted={"yellow": 2}).fight(bribe=True).do("target_1")
    assert s.phase == "Explore: choose dice"
    assert s.exhausted == {"yellow": 2}


def test_bosses_cannot_be_bribed() -> None:
    """Bribery Phase: each non-boss enemy has a Bribe. Wolf Pack: wolves are boss enemies."""
    s = Scenario(gold=20, at="wolf/mob:1").arrive().draw("Wolf 0")
    assert s.legal == ["target_2", "done"]


PURSE = {"effects": [{"op": "gain_gold", "count": 2}]}


def test_bribery_waits_for_gold_that_an_item_or_the_hero_can_give() -> None:
    """Bribery Phase: with enemies there one has the opportunity; items may be used at any time, so also before saying no."""
    s = Scenario(enemies=[enemy(bribe=3)], items=[PURSE], held=["Item 0"], gold=1).fight(bribe=True)
    assert (s.phase, s.legal) == ("Bribery", ["use_item_1", "done"])
    s.do("use_item_1")
    assert s.legal == ["target_1", "done"]
    assert s.do("target_1").gold == 0
    assert s.active == {}
    hero = Scenario(enemies=[enemy(bribe=3)], ability=PURSE["effects"], gold=2).fight(bribe=True)
    assert hero.legal == ["use_hero", "done"]
    assert hero.do("use_hero", "target_1").gold == 1


def test_bribery_waits_for_an_item_that_lets_enemies_be_bribed() -> None:
    """An enemy that keeps others from being bribed may be cancelled first."""
    proud = enemy(bribe=3, effects=[{"op": "no_bribes"}])
    s = Scenario(enemies=[proud], items=[{"effects": [{"op": "cancel"}]}], held=["Item 0"], gold=3).fight(bribe=True)
    assert s.legal == ["use_item_1", "done"]
    assert s.do("use_item_1", "target_1", "target_1").active == {}


def test_no_bribery_where_nothing_could_change_it() -> None:
    """With nothing to use and too little gold, or no enemy that could ever be bribed, there is nothing to decide."""
    assert Scenario(enemies=[enemy(bribe=3)], gold=2).fight(bribe=True).phase == "Commit Dice"
    assert Scenario(items=[PURSE], held=["Item 0"], gold=9, at="minion/blighted").arrive().phase == "Commit Dice"
    used = Scenario(enemies=[enemy(bribe=9)], ability=PURSE["effects"], gold=0).fight(bribe=True).do("use_hero")
    assert used.phase == "Commit Dice", "what has been used up can pay no more"
    wolf = Scenario(items=[PURSE], held=["Item 0"], gold=9)
    wolf._agenda(steps.ENCOUNTER, steps.DRAW_WOLF)
    assert wolf.draw("Wolf 0").phase == "Commit Dice"


def test_an_offer_waits_for_gold_that_an_item_can_give() -> None:
    """Gold: what cannot be paid brings nothing; Items: they may be used at any time, so also to pay for what a fable offers."""
    well = [{"op": "offer"}, {"op": "pay_gold", "count": 2}, {"op": "gain_stat", "stat": "strategy", "count": 1}]
    s = Scenario(fables=[well], items=[PURSE], held=["Item 0"], gold=1, strategy=2).tell()
    assert (s.phase, s.legal) == ("Accept the offer?", ["use_item_1", "decline"])
    s.do("use_item_1")
    assert s.legal == ["accept", "decline"]
    s.do("accept")
    assert (s.gold, s.strategy) == (1, 3)


def test_bribed_hero_event() -> None:
    s = Scenario(gold=9, flip="bribed").fight(2, bribe=True).do("target_1")
    assert s.hero == "Hero 0, back"


# Strategy Phase


def test_commit_any_number_and_combination() -> None:
    """Commit Dice Step: any number and combination, none included; weakest first, so that each choice has one spelling."""
    s = Scenario(dice={"yellow": 2, "blue": 1}).fight()
    assert s.legal == ["commit_yellow", "commit_blue", "roll"]
    s.do("commit_blue")
    assert s.legal == ["roll"]
    none = Scenario(dice={"yellow": 1}).fight().do("roll")
    assert none.legal == ["again", "resolve"]


@pytest.mark.parametrize(("colour", "sides"), [("yellow", (4, 1, 1)), ("green", (3, 2, 1)), ("blue", (2, 3, 1)), ("purple", (1, 4, 1))])
def test_unit_dice(colour: str, sides: tuple[int, int, int]) -> None:
    """Unit Dice: 2, 3, 4, 5 and 6 hit sides, one of them a crit."""
    s = Scenario(dice={colour: 1}).fight().do(f"commit_{colour}", "roll")
    assert s.chances == dict(zip(("miss", "hit", "crit"), sides, strict=True))


def test_red_die_never_misses() -> None:
    assert Scenario(dice={"red": 1}).fight().do("commit_red", "roll").chances == {"hit": 5, "crit": 1}


def test_hits_and_crits() -> None:
    """Unit Dice: a basic hit deals 1 damage, a crit 2. Apply Dice: misses cannot be applied."""
    s = Scenario(enemies=[enemy(health=3)], dice={"blue": 3}).fight().commit("blue", "blue", "blue").roll("miss", "hit", "crit")
    assert s.legal == ["pick_blue_hit", "pick_blue_crit", "again", "resolve"]
    s.hit("blue_hit")
    assert s.active == {"Minion 0": "standing"}
    s.hit("blue_crit")
    assert s.active == {"Minion 0": "defeated"}
    assert s.legal == ["resolve"]


def test_repeat_up_to_strategy() -> None:
    """After the Apply Dice step you may repeat the phase; the total, the first included, cannot exceed your Strategy."""
    s = Scenario(enemies=[enemy(health=9)], dice={"blue": 2}, strategy=3).fight().commit("blue").roll("miss")
    s.do("again", "commit_blue", "roll").roll("hit", "miss").hit("blue_hit")
    s.do("again", "roll").roll("hit")
    assert s.dice_on(1) == {"blue": 1}, "applied dice are not rolled again"
    assert s.legal == ["pick_blue_hit", "resolve"]


def test_repeat_rolls_all_unapplied_dice() -> None:
    s = Scenario(enemies=[enemy(health=9)], dice={"blue": 3}).fight().commit("blue", "blue").roll("hit", "crit").do("again", "roll")
    s.roll("miss", "miss")
    assert s.shown == {"blue_miss": 2}


def test_hits_may_go_onto_defeated_enemies() -> None:
    """You may continue to apply hits to enemies after they have been defeated."""
    s = Scenario(enemies=[enemy(health=1)], dice={"blue": 2}).fight(2).commit("blue", "blue").roll("hit", "hit").hit("blue_hit")
    s.do("pick_blue_hit")
    assert s.legal == ["target_1", "target_2"]


def test_equal_dice_go_from_left_to_right() -> None:
    """One spelling for each way to spread equal dice."""
    s = Scenario(enemies=[enemy(health=9)] * 2, dice={"green": 1, "blue": 2}).fight(2).commit("green", "blue", "blue")
    s.roll("hit", "hit", "hit").do("pick_blue_hit", "target_2")
    assert "pick_green_hit" not in s.legal
    s.do("pick_blue_hit")
    assert s.legal == ["target_2"]


# Rewards and effects


def test_instant_reward_is_gained_at_once() -> None:
    """Instant rewards are gained immediately when the enemy is defeated; gaining them is optional."""
    rich = enemy(health=1, reward=[{"op": "recover", "count": 1}])
    s = Scenario(enemies=[rich, enemy(health=9)], dice={"blue": 2}, exhausted={"red": 1}).fight(2).commit("blue").roll("hit")
    s.hit("blue_hit")
    assert s.phase == "Take the reward?"
    s.do("accept", "recover_red", "again")
    assert s.may("commit_red")


def test_when_it_falls_comes_before_its_reward() -> None:
    """An enemy's effect beats a reward: lose 2 Health first, then gain 1."""
    effects = [{"when": "falls", "op": "lose_stat", "stat": "health", "count": 2}]
    both = enemy(health=1, effects=effects, reward=[{"op": "gain_stat", "stat": "health", "count": 1}])
    s = Scenario(enemies=[both], dice={"red": 1}, health=6).fight().commit("red").roll("hit").hit("red_hit")
    assert s.health == 4
    assert s.do("accept").health == 5
    fatal = Scenario(enemies=[both], dice={"red": 1}, health=2).fight().commit("red").roll("hit").hit("red_hit")
    assert fatal.ending == "died_in_forest"


def test_during_effects_end_with_their_enemy() -> None:
    """Any During effects on an enemy end immediately when it is defeated; Special effects do not."""
    during = enemy(health=1, effects=[{"op": "enemy_damage", "count": 2}])
    always = enemy(health=1, effects=[{"op": "enemy_damage", "count": 2, "when": "always"}])
    for card, left in ((during, 5), (always, 3)):
        s = Scenario(enemies=[card], dice={"red": 1}, health=6).fight(2).commit("red").roll("hit").hit("red_hit").do("resolve")
        assert s.health == left


def test_changed_damage_counts_for_dice_already_applied() -> None:
    """Applied Dice: effects that change the damage a die deals also impact dice already applied."""
    dull = enemy(health=1, effects=[{"op": "hits_void", "colours": ["green"]}])
    s = Scenario(enemies=[dull, enemy(health=1)], dice={"green": 1, "red": 1}).fight(2).commit("green", "red").roll("hit", "hit")
    s.hit("green_hit", slot=2)
    assert s.active["Minion 1"] == "standing"
    s.hit("red_hit")
    assert s.active == {"Minion 0": "defeated", "Minion 1": "defeated"}


# Resolve Phase


def test_suffer_the_damage_of_undefeated_enemies() -> None:
    """Suffer Damage Step."""
    s = Scenario(enemies=[enemy(health=1, damage=5), enemy(damage=2), enemy(damage=1)], dice={"red": 1}, health=6).fight(3)
    s.commit("red").roll("hit").hit("red_hit").do("resolve")
    assert s.health == 3


def test_health_below_one_loses_before_anything_else() -> None:
    """Winning & Losing: at once, so that no After effect can mend it."""
    saved = enemy(damage=4, effects=[{"when": "after", "op": "gain_stat", "stat": "health", "count": 3}])
    s = Scenario(enemies=[saved], dice={}, health=4).fight().do("roll", "resolve")
    assert s.ending == "died_in_forest"
    assert s.health == 0
    assert s.legal == []


def test_after_effects_in_the_order_of_choice() -> None:
    """After Effects Step: all, those on defeated enemies too, one at a time, in the order of your choice."""
    hurt = enemy(health=1, damage=0, effects=[{"when": "after", "op": "lose_stat", "stat": "health", "count": 5}])
    heal = enemy(health=9, damage=0, effects=[{"when": "after", "op": "gain_stat", "stat": "health", "count": 5}])
    for order, health in ((("target_2",), 1), (("target_1",), 0)):
        s = Scenario(enemies=[hurt, heal], dice={"red": 1}, health=4).fight(2).commit("red").roll("hit").hit("red_hit").do("resolve")
        assert s.legal == ["target_1", "target_2"]
        assert s.do(*order).health == health


def test_after_effects_of_undefeated_enemies_only() -> None:
    ifs = [{"when": "after_standing", "op": "lose_gold", "count": 2}]
    for face, gold in (("hit", 2), ("miss", 0)):
        s = Scenario(enemies=[enemy(health=1, effects=ifs)], dice={"blue": 1}, gold=2).fight().commit("blue").roll(face)
        s = s.hit("blue_hit") if face == "hit" else s
        assert s.do("resolve").gold == gold


def test_all_committed_dice_are_exhausted_and_some_recovered() -> None:
    """Exhaust Dice Step: applied or not. Recover Dice Step: up to Recovery, of your choice."""
    s = Scenario(enemies=[enemy(health=9)], dice={"green": 1, "blue": 2}, exhausted={"red": 1}, recovery=2).fight()
    s.commit("green", "blue").roll("miss", "hit").hit("blue_hit").do("resolve")
    assert s.exhausted == {"green": 1, "blue": 1, "red": 1}
    assert s.ready == {"blue": 1}
    s.do("recover_green")
    assert s.legal == ["recover_blue", "recover_red", "done"]
    s.do("recover_red")
    assert (s.ready, s.exhausted) == ({"green": 1, "blue": 1, "red": 1}, {"blue": 1})


def test_cleanup_discards_defeated_and_undefeated_enemies() -> None:
    """Notes About Cleanup: both move to the discard pile."""
    s = Scenario(enemies=[enemy(health=1)], dice={"red": 1}).fight(2).commit("red").roll("hit").hit("red_hit").do("resolve", "done")
    assert s.active == {}
    assert s.zone("minions", 0) == s.zone("minions", 1) == IN_DISCARD


WOLF_DECKS = [({}, IN_DISCARD), ({"undefeated_wolves": "discard"}, IN_DISCARD), ({"undefeated_wolves": "deck"}, IN_DECK)]


@pytest.mark.parametrize(("options", "undefeated"), WOLF_DECKS)
def test_wolves_after_the_fight(options: dict[str, str], undefeated: int) -> None:
    """Notes About Cleanup: defeated and undefeated cards alike go to their discard. An option has the latter return to their deck."""
    s = Scenario(wolves=[{"health": 1}], dice={"red": 1}, **options).fight_wolf().commit("red").roll("hit").hit("red_hit")
    s.do("resolve", "done")
    assert s.zone("wolves", 0) == IN_DISCARD
    assert s.ending is None, "wolves do not trigger the endgame"
    assert Scenario(dice={}, **options).fight_wolf().do("roll", "resolve").zone("wolves", 0) == undefeated


@pytest.mark.parametrize(("options", "undefeated"), WOLF_DECKS)
def test_a_wolf_that_flees_goes_where_undefeated_wolves_go(options: dict[str, str], undefeated: int) -> None:
    shy = {"effects": [{"when": "rolled", "op": "flee", "face": "miss", "count": 1}]}
    s = Scenario(wolves=[shy], dice={"yellow": 1}, **options).fight_wolf().commit("yellow").roll("miss")
    assert s.active == {}
    assert s.zone("wolves", 0) == undefeated


@pytest.mark.parametrize("option", ["discard", "deck"])
def test_a_wolf_that_returns_to_its_deck_does(option: str) -> None:
    """A card beats the rulebook."""
    home = {"effects": [{"when": "after_standing", "op": "return_to_deck"}]}
    s = Scenario(wolves=[home], dice={}, undefeated_wolves=option).fight_wolf().do("roll", "resolve")
    assert s.zone("wolves", 0) == IN_DECK


def test_full_active_area() -> None:
    """Our limit: it holds eight cards; a ninth enemy is discarded."""
    s = Scenario(strategy=6, fables=[[{"op": "activate", "count": 3}] * 3]).scouted(1, 2, 3, 4, 5, 6).tell()
    assert list(s.active) == [f"Minion {i}" for i in range(1, 9)]
    assert s.zone("minions", 9) == IN_DISCARD


def test_a_place_that_was_left_is_free_of_its_card() -> None:
    """What the next card in the same place has is its own."""
    flee = enemy(health=9, effects=[{"when": "rolled", "op": "flee", "face": "miss", "count": 1}, {"op": "crits_only"}])
    s = Scenario(enemies=[flee], dice={"red": 1, "blue": 1, "yellow": 1}).fight().commit("red").roll("crit").hit("red_crit")
    s.do("again", "commit_yellow", "roll").roll("miss")
    assert s.active == {}
    assert s.p["slot_modifiers"].sum() == 0
