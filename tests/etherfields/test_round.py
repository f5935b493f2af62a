"""Round Overview: Influence, Opposition, Strategy and Resolve phase, and when actions may be taken."""

from typing import Any

import pytest

from deckwood.etherfields import steps
from tests.etherfields.scenario import NOTHING, RECOVER, Scenario, enemy, instant, item, ongoing

# Influence


def test_the_first_hand() -> None:
    """Influence: discard at least one card if possible (there is none yet); then draw until your hand has five."""
    s = Scenario().do("done")
    assert s.hand == [f"Influence {i}" for i in range(5)]
    assert s.phase == "Take actions"


def test_at_least_one_card_is_discarded() -> None:
    """Influence: discard at least one card from your hand. You may choose to discard more."""
    s = Scenario(hand=["Influence 0", "Influence 1", "Influence 2"]).do("done")
    assert s.phase == "Discard influence cards"
    assert s.legal == ["spend_card_1", "spend_card_2", "spend_card_3"], "discarding is not optional"
    s.do("spend_card_2")
    assert s.where("Influence 1") == "influence discard"
    assert s.legal == ["done", "spend_card_2"], "more may follow; a set of cards has one spelling"
    s.do("done")
    assert s.hand == ["Influence 0", "Influence 2", "Influence 3", "Influence 4", "Influence 5"]


def test_all_cards_may_be_discarded() -> None:
    s = Scenario(hand=["Influence 0", "Influence 1"]).do("done", "spend_card_1", "spend_card_1")
    assert s.hand == [f"Influence {i}" for i in range(2, 7)]
    assert s.pile("influence", "discard") == ["Influence 0", "Influence 1"]


def test_the_last_card_ends_the_discard() -> None:
    s = Scenario(hand=["Influence 0", "Influence 1"]).do("done", "spend_card_2")
    assert s.phase == "Take actions"
    assert "Influence 0" in s.hand


def every_discard(s: Scenario) -> list[tuple[str, ...]]:
    """The cards that the Influence step's discard can leave, one entry for each way to play it."""
    found = []
    before = s.position.copy()
    for name in s.legal:
        s.do(name)
        done = s.phase != "Discard influence cards"
        found += [tuple(s.pile("influence", "discard"))] if done else every_discard(s)
        s.position[:] = before
        s.p = s.position[0]
    return found


def test_every_discard_has_one_spelling() -> None:
    """All sets of one or more of four cards, each of them once."""
    cards = [f"Influence {i}" for i in range(4)]
    found = every_discard(Scenario(hand=cards).do("done"))
    sets = [tuple(card for i, card in enumerate(cards) if bits >> i & 1) for bits in range(1, 16)]
    assert sorted(found) == sorted(sets)


def test_a_hand_of_more_than_five() -> None:
    """You can have more than five cards if an effect instructs you to; then only the discard happens."""
    s = Scenario(hand=[f"Influence {i}" for i in range(8)]).do("done", "spend_card_1", "done")
    assert len(s.hand) == 7


def test_drawing_outside_of_the_start_of_the_round() -> None:
    """Effects may lift the hand above five cards."""
    s = Scenario(influence=[instant({"op": "draw_influence", "count": 3})], hand=[f"Influence {i}" for i in range(5)])
    s.do("play_card_1")
    assert s.hand == [f"Influence {i}" for i in range(1, 8)]


def test_drawn_one_at_a_time_from_the_top() -> None:
    s = Scenario(reveal=False)
    s.draw("Map 1", "Item 0", "Influence 7", "Enemy 0").do("done")
    for name in ("Influence 3", "Influence 9", "Influence 0", "Influence 12", "Influence 20"):
        s.draw(name)
    assert s.hand == ["Influence 0", "Influence 3", "Influence 7", "Influence 9", "Influence 12"], "the hand lies in order"
    assert s.top("influence") == "Influence 20"


# Opposition


def test_one_enemy_is_activated() -> None:
    """Opposition: after you finish drawing influence cards, activate an enemy, from the top of the Enemy Deck."""
    s = Scenario().do("done", "done")
    assert s.active == {"Enemy 0": "standing"}
    assert s.where("Enemy 0") == "enemy play"
    assert s.top("enemy") == "Enemy 1"
    assert s.do("done").phase == "Commit Dice"


def test_enemies_that_bring_enemies() -> None:
    """Opposition: an additional enemies icon repeats the process; so do the icons of the additional enemies."""
    more = [{"op": "activate", "count": 2, "when": "activated"}]
    one = [{"op": "activate", "count": 1, "when": "activated"}]
    s = Scenario(enemies=[enemy(effects=more), enemy(effects=one)]).do("done", "done")
    assert list(s.active) == ["Enemy 0", "Enemy 1", "Enemy 2", "Enemy 3"]


def test_during_effects_apply_at_once() -> None:
    """Opposition: any During and Special effects apply immediately."""
    heal = [{"op": "lose_stat", "stat": "health", "count": 1, "when": "activated"}]
    for when in ("during", "always"):
        first = enemy(effects=[{"op": "activate", "count": 1, "when": "activated"}, {"op": "strategy_change", "count": -2, "when": when}])
        s = Scenario(enemies=[first, enemy(effects=heal)], dice={"blue": 1}, strategy=3).do("done", "done")
        assert s.health == 3
        assert not s.do("done", "commit_blue", "roll").roll("miss").may("again"), "Strategy counts 1"


def test_the_chain_is_activated_one_at_a_time() -> None:
    """Opposition: one enemy at a time; the additional enemies of the first come before what is left of a larger number."""
    two = enemy(effects=[{"op": "activate", "count": 2, "when": "activated"}])
    one = enemy(effects=[{"op": "activate", "count": 1, "when": "activated"}])
    s = Scenario(enemies=[two, one], reveal=False)
    s.draw("Map 1", "Item 0", "Influence 0", "Enemy 0").do("done")
    s.draw(*(f"Influence {i}" for i in range(1, 6))).do("done")
    assert list(s.active) == ["Enemy 0"]
    s.draw("Enemy 1")
    assert list(s.active) == ["Enemy 0", "Enemy 1"]
    s.draw("Enemy 2", "Enemy 3", "Enemy 4")
    assert list(s.active) == ["Enemy 0", "Enemy 1", "Enemy 2", "Enemy 3"]
    assert s.top("enemy") == "Enemy 4"


def test_a_full_active_area() -> None:
    """Our reading: there is room for eight cards; more do not come."""
    more = [{"op": "activate", "count": 3, "when": "activated"}]
    s = Scenario(enemies=[enemy(effects=more)] * 20).do("done", "done")
    assert len(s.active) == 8
    assert s.do("done").phase == "Commit Dice"


def test_an_empty_enemy_deck_is_made_anew() -> None:
    """Reshuffling: the discard forms a new deck when one must be drawn; there is no price for that."""
    s = Scenario()
    s.only("enemy", "Enemy 4").put(4, "Enemy 7", "Enemy 9")
    s.do("done", "done")
    assert list(s.active) == ["Enemy 4"]
    assert s.pile("enemy", "discard") == ["Enemy 7", "Enemy 9"], "not before it is needed"
    s.do("done", "roll", "resolve", "done").do("done", "spend_card_1", "done", "done")
    assert list(s.active) == ["Enemy 4", "Enemy 7"]
    assert s.health == 3


def test_no_enemy_left_at_all() -> None:
    s = Scenario()
    s.only("enemy")
    s.do("done", "done", "done")
    assert s.active == {}
    assert s.phase == "Commit Dice"


def test_the_bosss_activation_effect() -> None:
    """Bosses: a boss's activation effect resolves at the end of every Activation throughout the entire game."""
    drain = {"effects": [{"op": "lose_stat", "stat": "health", "count": 1, "when": "activation"}]}
    s = Scenario(bosses=[{"a": drain}], enemies=[enemy(damage=0)] * 3).do("done")
    assert s.health == 4
    s.do("done")
    assert (s.health, list(s.active)) == (4, ["Enemy 0"]), "actions can be taken before it"
    s.do("done")
    assert (s.health, list(s.active)) == (3, ["Enemy 0"])
    s.do("roll", "resolve", "done").do("done", "spend_card_1", "done", "done", "done")
    assert (s.health, list(s.active)) == (2, ["Enemy 0", "Enemy 1"])


def test_the_boss_acts_after_the_enemies() -> None:
    """Finally, resolve the boss's Activation effect: the enemies that came count."""
    drain = {"effects": [{"op": "lose_stat", "stat": "health", "count": 1, "per": "standing_enemy", "when": "activation"}]}
    s = Scenario(bosses=[{"a": drain}], enemies=[enemy(effects=[{"op": "activate", "count": 1, "when": "activated"}])])
    assert s.do("done", "done", "done").health == 2


def test_the_standing_effects_of_the_boss_wait() -> None:
    """Bosses: the standard enemy effects on a boss card do not apply until the endgame."""
    s = Scenario(
        bosses=[
            {"a": {"effects": [{"op": "strategy_change", "count": -2}, {"op": "lose_stat", "stat": "health", "count": 1, "when": "after"}]}}
        ],
        dice={"blue": 1},
        enemies=[enemy(damage=0)],
    ).do("done", "done", "done")
    s.do("commit_blue", "roll").roll("miss")
    assert s.may("again")
    assert s.do("resolve", "done").health == 4


# Enemy effects


def test_during_effects_end_with_the_enemy() -> None:
    """Enemy Effects: a During effect applies until the enemy is defeated, a Special effect as long as it is in the active area."""
    for when, repeats in (("during", True), ("always", False)):
        weak = enemy(health=1, effects=[{"op": "strategy_change", "count": -2, "when": when}])
        s = Scenario(enemies=[weak, enemy(health=9)], dice={"blue": 2}).fight(2).commit("blue").roll("hit").hit("blue_hit")
        assert s.may("again") == repeats


def test_after_effects_of_the_defeated() -> None:
    """Enemy Effects: After effects trigger even if the enemy is defeated; special ones only if undefeated, where they say so."""
    after = [{"op": "lose_stat", "stat": "recovery", "count": 1, "when": "after"}]
    standing = [{"op": "lose_stat", "stat": "strategy", "count": 1, "when": "after_standing"}]
    s = Scenario(enemies=[enemy(health=1, effects=after), enemy(health=1, effects=standing)], dice={"blue": 2}).fight(2)
    s.commit("blue", "blue").roll("hit", "hit").hit("blue_hit").do("pick_blue_hit", "target_2", "resolve")
    assert (s.strategy, s.recovery) == (3, 2)


def test_after_effects_in_the_order_of_your_choice() -> None:
    """After Effects Step: resolved one at a time, in the order of your choice."""
    one = [{"op": "lose_stat", "stat": "health", "count": 1, "when": "after"}]
    two = [{"op": "gain_stat", "stat": "health", "count": 1, "when": "after"}]
    s = Scenario(enemies=[enemy(effects=one, damage=0), enemy(effects=two, damage=0)], health=1).fight(2).do("roll", "resolve")
    assert s.phase == "After Effects"
    assert [name for name in s.legal if name.startswith("target")] == ["target_1", "target_2"]
    s.do("target_2")
    assert s.health == 1
    lost = Scenario(enemies=[enemy(effects=one, damage=0), enemy(effects=two, damage=0)], health=1).fight(2).do("roll", "resolve")
    assert lost.do("target_1").ending == "died"


# Strategy phase


def test_any_number_of_dice_of_any_combination() -> None:
    """Commit Dice Step: any number and combination of dice from the pool, none included."""
    s = Scenario(dice={"yellow": 2, "red": 1}).fight()
    assert [name for name in s.legal if name.startswith(("commit", "roll"))] == ["commit_yellow", "commit_red", "roll"]
    s.do("commit_yellow", "commit_red", "roll")
    assert s.chances == {"miss": 4, "hit": 1, "crit": 1}
    s.roll("hit")
    assert s.chances == {"hit": 5, "crit": 1}
    none = Scenario(dice={"yellow": 1}).fight().do("roll")
    assert none.phase == "Apply Dice"


@pytest.mark.parametrize(("colour", "hits"), [("yellow", 2), ("green", 3), ("blue", 4), ("purple", 5), ("red", 6)])
def test_unit_dice(colour: str, hits: int) -> None:
    """Unit Dice: the number of hit sides, one of which is a crit; red has no misses."""
    s = Scenario(dice={colour: 1}).fight().do(f"commit_{colour}", "roll")
    sides = {"miss": 6 - hits, "hit": hits - 1, "crit": 1}
    assert s.chances == {face: n for face, n in sides.items() if n}


def test_items_cannot_be_used_in_the_roll_dice_step() -> None:
    """Roll Dice Step: items cannot be used; it is chance alone."""
    s = Scenario(dice={"blue": 2}, held=["Item 0"], exhausted={"red": 1}).fight()
    assert s.may("use_item_1")
    s.do("commit_blue", "roll")
    assert s.legal == []


def test_hits_and_crits() -> None:
    """Unit Dice: a basic hit deals 1 damage, a crit 2. Apply Dice: hits that meet its Health defeat an enemy; misses do not apply."""
    s = Scenario(enemies=[enemy(health=3)], dice={"blue": 3}).fight().commit("blue", "blue", "blue").roll("miss", "hit", "crit")
    assert [name for name in s.legal if name.startswith("pick")] == ["pick_blue_hit", "pick_blue_crit"]
    s.hit("blue_hit")
    assert s.active == {"Enemy 0": "standing"}
    s.hit("blue_crit")
    assert s.active == {"Enemy 0": "defeated"}


def test_a_crit_is_one_hit() -> None:
    """Unit Dice: a crit is still considered to be one hit."""
    s = Scenario(enemies=[enemy(health=4, effects=[{"op": "apply_limit", "count": 1}])], dice={"blue": 2}).fight()
    s.commit("blue", "blue").roll("crit", "crit").hit("blue_crit")
    assert not s.may("pick_blue_crit")


def test_rewards_are_instant_and_optional() -> None:
    """Apply Dice Step: instant rewards are gained immediately when the enemy is defeated; gaining them is optional."""
    rich = enemy(health=1, reward=[{"op": "gain_stat", "stat": "health", "count": 1}])
    s = Scenario(enemies=[rich, enemy(health=9)], dice={"blue": 1}).fight(2).commit("blue").roll("hit").hit("blue_hit")
    assert (s.phase, s.legal) == ("Take the reward?", ["accept", "decline"])
    assert s.do("accept").health == 5
    s = Scenario(enemies=[rich, enemy(health=9)], dice={"blue": 1}).fight(2).commit("blue").roll("hit").hit("blue_hit").do("decline")
    assert s.health == 4
    assert s.phase == "Apply Dice"


def test_hits_may_go_onto_the_defeated() -> None:
    """Apply Dice Step: you may continue to apply hits to enemies after they have been defeated; you need not apply all hits."""
    s = Scenario(enemies=[enemy(health=1)], dice={"blue": 2}).fight(2).commit("blue", "blue").roll("hit", "hit").hit("blue_hit")
    assert s.may("resolve")
    s.do("pick_blue_hit")
    assert s.legal == ["target_1", "target_2"]


def test_repeat_as_often_as_strategy_allows() -> None:
    """Strategy Phase: the total number of times, the first included, cannot exceed your Strategy; all unapplied dice are rolled again."""
    s = Scenario(enemies=[enemy(health=9)], dice={"blue": 2}, strategy=3).fight().commit("blue").roll("hit")
    s.do("again", "commit_blue", "roll").roll("hit", "miss").hit("blue_hit")
    s.do("again", "roll").roll("hit")
    assert s.dice_on(1) == {"blue": 1}
    assert not s.may("again")


# Resolve phase


def test_suffer_damage() -> None:
    """Suffer Damage Step: the Damage of all undefeated enemies."""
    s = Scenario(enemies=[enemy(health=1, damage=3), enemy(damage=1), enemy(damage=2)], dice={"blue": 1}).fight(3)
    s.commit("blue").roll("hit").hit("blue_hit").do("resolve")
    assert s.health == 1


def test_health_below_1_loses() -> None:
    """Winning and Losing: if your Health is ever reduced below 1, you lose. The rest of the round does not happen."""
    after = enemy(damage=4, effects=[{"op": "gain_stat", "stat": "health", "count": 2, "when": "after"}])
    s = Scenario(enemies=[after]).fight().do("roll", "resolve")
    assert (s.ending, s.health) == ("died", 0)
    assert s.legal == []


def test_health_below_1_at_any_time() -> None:
    """... ever: an effect between others of the same card is enough."""
    s = Scenario(influence=[instant({"op": "lose_stat", "stat": "health", "count": 1}, {"op": "gain_stat", "stat": "health", "count": 3})],
                 hand=["Influence 0"], health=1).do("play_card_1")  # fmt: skip
    assert s.ending == "died"


def test_committed_dice_are_exhausted() -> None:
    """Exhaust Dice Step: all committed dice, applied or not."""
    s = Scenario(enemies=[enemy(health=9)], dice={"blue": 3, "green": 1}, recovery=1).fight().commit("blue", "blue").roll("hit", "miss")
    s.hit("blue_hit").do("resolve")
    assert s.phase == "Recover dice"
    assert s.exhausted == {"blue": 2}
    assert s.ready == {"blue": 1, "green": 1}
    assert s.dice_on(1) == {}


def recovering(ether: str, recovery: int, **exhausted: int) -> Scenario:
    s = Scenario(dice={}, exhausted=exhausted, ether=ether, recovery=recovery, enemies=[enemy(damage=0)]).fight().do("roll", "resolve")
    assert s.phase == "Recover dice"
    return s


def test_recover_one_more_of_the_ethers_colour() -> None:
    """Recover Dice Step: up to Recovery dice, and one additional die that matches the current ether."""
    s = recovering("green", 2, yellow=3, green=3)
    s.do("recover_yellow", "recover_yellow")
    assert s.legal == ["recover_green", "done"], "the third one must match"
    s.do("recover_green")
    assert s.ready == {"yellow": 2, "green": 1}
    assert s.phase == "Take actions"


def test_no_more_without_such_a_die() -> None:
    s = recovering("red", 2, yellow=4).do("recover_yellow", "recover_yellow")
    assert s.phase == "Take actions"
    assert s.ready == {"yellow": 2}


def test_all_may_match() -> None:
    """The additional die comes on top of Recovery, whatever colours were recovered."""
    s = recovering("green", 2, green=4, red=1).do("recover_green", "recover_green", "recover_green")
    assert s.ready == {"green": 3}
    assert s.phase == "Take actions"


def test_one_spelling_of_recovery() -> None:
    """Dice are recovered weakest first; passing over the ether's colour gives up the additional die."""
    s = recovering("green", 2, yellow=3, green=3, blue=3).do("recover_green")
    assert s.legal == ["recover_green", "recover_blue", "done"]
    s.do("recover_blue")
    assert s.legal == ["recover_blue", "done"]
    s.do("recover_blue")
    assert s.phase == "Take actions"
    assert s.ready == {"green": 1, "blue": 2}
    s = recovering("green", 2, yellow=3, green=3, blue=3).do("recover_blue")
    assert s.legal == ["recover_blue", "done"]
    assert s.do("recover_blue").phase == "Take actions"


def test_recovery_is_optional() -> None:
    """Choose a number of dice up to Recovery."""
    s = recovering("green", 2, yellow=3, green=3).do("done")
    assert s.exhausted == {"yellow": 3, "green": 3}


def test_the_additional_die_without_recovery() -> None:
    """Recovery counts 0 by an effect: the additional die is still there. Where no dice are recovered, it is not."""
    less = enemy(damage=0, effects=[{"op": "recovery_change", "count": -5}])
    s = Scenario(enemies=[less], dice={}, exhausted={"yellow": 2, "blue": 2}, ether="blue").fight().do("roll", "resolve")
    assert s.legal == ["recover_blue", "done"]
    assert s.do("recover_blue").ready == {"blue": 1}
    none = enemy(damage=0, effects=[{"op": "no_recovery"}])
    s = Scenario(enemies=[none], dice={}, exhausted={"yellow": 2, "blue": 2}, ether="blue").fight().do("roll", "resolve")
    assert s.phase == "Take actions"
    assert s.ready == {}


def every_recovery(s: Scenario) -> list[tuple[int, ...]]:
    """The pools that recovering can lead to, one for each way to play it."""
    found = []
    before = s.position.copy()
    for name in s.legal:
        s.do(name)
        found += every_recovery(s) if s.phase == "Recover dice" else [tuple(int(n) for n in s.p["ready"])]
        s.position[:] = before
        s.p = s.position[0]
    return found


@pytest.mark.parametrize("ether", ["yellow", "green", "red"])
def test_every_recovery_has_one_spelling(ether: str) -> None:
    """All choices of up to 2 dice and one of the ether's colour, each of them once."""
    dice = (2, 2, 1, 0, 1)
    colour = ["yellow", "green", "blue", "purple", "red"].index(ether)
    pools = {()}
    for a in range(dice[0] + 1):
        for b in range(dice[1] + 1):
            for c in range(dice[2] + 1):
                for e in range(dice[4] + 1):
                    pool = (a, b, c, 0, e)
                    if sum(pool) - (pool[colour] > 0) <= 2:
                        pools.add(pool)
    pools.remove(())
    found = every_recovery(recovering(ether, 2, yellow=2, green=2, blue=1, red=1))
    assert sorted(found) == sorted(pools)


def test_returned_dice() -> None:
    """Dice States: returned dice move from the active area to the dice pool."""
    s = Scenario(influence=[instant({"op": "return_die", "count": 1})], hand=["Influence 0"], dice={"blue": 2}).fight()
    s.commit("blue", "blue").roll("hit", "miss").do("play_card_1", "pick_blue_miss")
    assert s.ready == {"blue": 1}
    assert s.do("resolve").exhausted == {"blue": 1}


def test_cleanup() -> None:
    """Cleanup Step: discard all defeated enemies. Undefeated enemies remain in the active area. Map cards are not discarded."""
    s = Scenario(enemies=[enemy(health=1), enemy(damage=0)], dice={"blue": 1}, placed={4: (1, 0)}).fight(2)
    s.commit("blue").roll("hit").hit("blue_hit").do("resolve", "done")
    assert s.active == {"Enemy 0": "defeated", "Enemy 1": "standing"}
    s.do("done")
    assert s.active == {"Enemy 1": "standing"}
    assert s.where("Enemy 0") == "enemy discard"
    assert s.where("Enemy 1") == "enemy play"
    assert s.map == {"Map 0": (0, 0), "Map 4": (1, 0)}


def test_undefeated_enemies_are_fought_again() -> None:
    """After the Resolve phase, another round begins. The dice on them were exhausted: their Health is whole again."""
    s = Scenario(enemies=[enemy(health=2, damage=1), enemy(damage=0)], dice={"blue": 1, "red": 1}, recovery=1)
    s.do("done", "done", "done").commit("blue").roll("hit").hit("blue_hit").do("resolve", "recover_blue", "done")
    assert s.health == 3
    s.do("done", "spend_card_1", "done", "done", "done")
    assert list(s.active) == ["Enemy 0", "Enemy 1"]
    s.commit("blue").roll("hit").hit("blue_hit")
    assert s.active["Enemy 0"] == "standing"
    assert s.do("resolve").health == 2


# When actions may be taken


def test_actions_at_any_time() -> None:
    """Round Overview: actions can be taken at any time in a round: before and between the steps of Activation, while dice are committed
    and applied, and before Cleanup."""
    s = Scenario(dice={"yellow": 4, "blue": 1}, enemies=[enemy(damage=0)])
    assert s.may("move")
    s.do("done")
    assert s.may("move"), "in-between the Influence and Opposition steps"
    s.do("done")
    assert s.may("move"), "before the boss's Activation effect"
    s.do("done")
    assert (s.phase, s.may("move")) == ("Commit Dice", True)
    s.do("commit_blue")
    assert s.may("move")
    s.do("roll").roll("miss")
    assert (s.phase, s.may("move")) == ("Apply Dice", True)
    s.do("resolve", "done")
    assert (s.phase, s.may("move")) == ("Take actions", True)
    s.do("done")
    assert s.phase == "Take actions"
    assert s.active == {"Enemy 0": "standing"}


def test_timing_of_influence_cards() -> None:
    """Influence Actions: some cards have specific timing. Activation is Influence and Opposition, the rest is Engagement."""
    timings = ("any", "activation", "engagement", "apply")
    cards = [instant({"op": "draw_influence", "count": 1}, timing=timing) for timing in timings]
    s = Scenario(influence=cards, hand=[f"Influence {i}" for i in range(4)], dice={"blue": 1}, enemies=[enemy(damage=0)])

    def playable() -> list[str]:
        return [timings[int(name[-1]) - 1] for name in s.legal if name.startswith("play_card")]

    assert playable() == ["any", "activation"]
    s.meet()
    assert playable() == ["any", "activation"]
    s.do("done")
    assert s.phase == "Commit Dice"
    assert playable() == ["any", "engagement"]
    s.do("commit_blue", "roll").roll("miss")
    assert playable() == ["any", "engagement", "apply"]
    s.do("resolve", "done")
    assert s.phase == "Take actions"
    assert playable() == ["any", "engagement"], "the Resolve phase belongs to the Engagement"


def test_action_in_the_midst_of_committing() -> None:
    """Dice that are committed cannot be exhausted for resources; ready ones can."""
    s = Scenario(dice={"yellow": 2}).fight().do("commit_yellow", "move", "exhaust_yellow")
    assert s.phase == "Move"
    assert s.exhausted == {"yellow": 1}
    s.do("go_to_1")
    assert s.phase == "Commit Dice"
    assert s.at == "0a"
    assert not s.may("move")


def test_items_and_the_hero_in_all_windows() -> None:
    """Items: unless they specify timing, items can be used at any time except in the Roll Dice step."""
    use = [{"op": "advance_ether"}]
    s = Scenario(ability=use, items=[item(*use, uses="ongoing")], held=["Item 0"], dice={"blue": 1}, enemies=[enemy(damage=0)])
    for _ in range(3):
        assert s.may("use_item_1")
        assert s.may("use_hero")
        s.do("done")
    assert s.phase == "Commit Dice"
    assert s.may("use_item_1")
    s.do("commit_blue", "roll").roll("miss")
    assert s.may("use_item_1")
    s.do("resolve", "done")
    assert s.may("use_item_1")
    assert s.may("use_hero")


def test_once_a_round() -> None:
    """An ongoing item or a hero is used once a round."""
    use = [{"op": "advance_ether"}]
    s = Scenario(ability=use, items=[item(*use, uses="ongoing")], held=["Item 0"]).do("use_hero", "use_item_1")
    assert s.ether == "blue"
    assert not s.may("use_hero")
    assert not s.may("use_item_1")
    s.next_round()
    assert s.may("use_hero")
    assert s.may("use_item_1")


def test_a_damage_cap_counts_for_the_round() -> None:
    """At most so much damage a round: what was dealt in Activation counts."""
    tough = enemy(health=4, effects=[{"op": "damage_cap", "count": 2}])
    wound = instant({"op": "wound", "count": 3})
    s = Scenario(enemies=[tough], influence=[wound], hand=["Influence 0"], dice={"red": 1}).meet().do("play_card_1", "target_1", "done")
    s.commit("red").roll("crit").hit("red_crit")
    assert s.active == {"Enemy 0": "standing"}


def test_what_lasts_a_round() -> None:
    """Shields end with the round."""
    s = Scenario(influence=[instant({"op": "shield", "count": 2})], hand=["Influence 0"], enemies=[enemy(damage=2)] * 9).meet()
    s.do("play_card_1", "done", "roll", "resolve", "done")
    assert s.health == 4
    s.do("done", "done", "done", "roll", "resolve")
    assert s.ending == "died"


def test_wounds_end_with_the_round() -> None:
    """Damage does not stay on undefeated enemies: the dice go in the Exhaust Dice step, and so do wounds, at Cleanup."""
    wound = instant({"op": "wound", "count": 2})
    s = Scenario(enemies=[enemy(health=3, damage=0), enemy(damage=0)], influence=[wound], hand=["Influence 0"], dice={"red": 1}).meet()
    s.do("play_card_1", "target_1", "done", "roll", "resolve", "done").do("done", "done", "done")
    s.commit("red").roll("hit").hit("red_hit")
    assert s.active["Enemy 0"] == "standing"


def test_the_steps_of_a_round() -> None:
    """Round Overview, as a whole: decisions and rolls come in this order."""
    s = Scenario(dice={"blue": 1}, hand=["Influence 0", "Influence 1"], enemies=[enemy(damage=0)], exhausted={"green": 1})
    seen = []
    for play in ("done", "spend_card_1", "done", "done", "done", "commit_blue", "roll", "miss", "resolve", "done", "done"):
        seen.append(s.phase)
        s.roll(play) if play == "miss" else s.do(play)
    assert seen == [
        "Take actions", "Discard influence cards", "Discard influence cards", "Take actions", "Take actions", "Commit Dice", "Commit Dice",
        "Roll Dice", "Apply Dice", "Recover dice", "Take actions",
    ]  # fmt: skip
    assert s.phase == "Take actions", "and the next round begins"
    assert len(s.hand) == 5
    assert s.may("done")


def test_ongoing_and_plain_cards_of_the_kit() -> None:
    """What scenarios rest on: plain cards do nothing."""
    s = Scenario(items=[item(*NOTHING, *RECOVER)], influence=[ongoing()], held=["Item 0", "Influence 0"])
    assert s.items == ["Influence 0", "Item 0"]
    assert s.window(steps.BEFORE_CLEANUP).phase == "Take actions"


# Actions before After effects


def hurt(**fields: Any) -> Scenario:
    """Health 6, 4 of which are suffered; an After effect will cost 2 more."""
    harm = {"op": "lose_stat", "stat": "health", "count": 2, "when": "after"}
    s = Scenario(enemies=[enemy(health=9, damage=4, effects=[harm])], health=6, after=False, **fields).fight().do("roll", "resolve")
    assert (s.phase, s.health) == ("After Effects", 2)
    return s


def test_actions_before_an_after_effect() -> None:
    """Actions can be taken, and items used, at any time in a round: here what heals is not lost on full Health, and saves the hero."""
    milk = item({"op": "gain_stat", "stat": "health", "count": 1})
    s = hurt(items=[milk], held=["Item 0"])
    assert {"target_1", "use_item_1", "unique_1", "discard_item_1"} <= set(s.legal)
    s.do("use_item_1", "target_1")
    assert (s.health, s.phase, s.ending) == (1, "Take actions", None)
    assert hurt(items=[milk], held=["Item 0"]).do("target_1").ending == "died"


def test_an_enemy_felled_before_its_after_effect() -> None:
    """An assault between two After effects: what an undefeated enemy would do is not done."""
    first = {"op": "advance_ether", "when": "after"}
    second = {"op": "lose_stat", "stat": "health", "count": 2, "when": "after_standing"}
    s = Scenario(enemies=[enemy(damage=0, effects=[first]), enemy(health=1, damage=0, effects=[second])], dice={"red": 1}, after=False)
    s.fight(2).do("roll", "resolve", "target_1", "assault", "target_2", "exhaust_red")
    assert s.active == {"Enemy 0": "standing", "Enemy 1": "defeated"}
    assert (s.phase, s.health, s.ether) == ("Recover dice", 4, "green")
