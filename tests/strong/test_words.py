"""What actions of the system are called: what they are about, what they cost and what comes of them."""

import tomllib
from functools import cache

import numpy as np
import pytest

from deckwood.core.spec import LoadedDeck
from deckwood.core.uncompiled import uncompiled
from deckwood.strong import actions as act
from deckwood.strong import cards as in_play
from deckwood.strong.engagement import ROWS
from deckwood.strong.items import legal_uses
from deckwood.strong.steps import (
    AFTER_EFFECTS,
    AIMING,
    APPLY,
    BANISHING,
    BANISHING_APPLIED,
    CHOOSING,
    COMMIT,
    EFFECTS,
    EXHAUSTING_HITS,
    KEEP,
    LOWERING,
    OFFERED,
    RAISING,
    RECOVERING,
    REROLLING,
    RETURNING,
    ROLLED_EFFECTS,
    SWAPPING,
    TAKE_ITEM,
    TAKE_REWARD,
    TARGET,
    TURNING_HIT,
    TURNING_MISS,
    UPGRADING,
    A,
)
from deckwood.strong.terms import BLUE, CRIT, DEFEATED, GREEN, HIT, MISS, NONE, PURPLE, ROLL_SEEN, YELLOW
from deckwood.strong.vocabulary import CANCEL, DEFEAT, SET_HEALTH, WOUND
from deckwood.strong.words import action_text, counted
from deckwood.tanglewoods.deck import SHIPPED, WORDS, DeckFile
from deckwood.tanglewoods.rules.table import STEPS
from deckwood.tanglewoods.spec import SPEC
from tests.strong.tables import at_step, new

ENEMIES = {
    "Plain": [],
    "Biter": [{"when": "rolled", "op": "lose_stat", "stat": "health", "count": 1}],
    "Mourner": [{"when": "after", "op": "exhaust_best", "count": 1}, {"when": "after_standing", "op": "lose_gold", "count": 2}],
    "Herder": [{"op": "commit_whole_colour"}, {"op": "commit_limit", "count": 2}],
}
CHOICE = [{"op": "choose", "count": 1}, {"op": "gain_gold", "count": 3}, {"op": "recover", "count": 2}]
OFFER = [{"op": "offer"}, {"op": "pay_gold", "count": 3}, {"op": "gain_stat", "stat": "health", "count": 1}]


@cache
def our_deck():
    """The deck that ships with enemies, fables and items of our own in front."""
    data = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    for card, (name, effects) in zip(data["enemy"], ENEMIES.items(), strict=False):
        card.update(name=name, health=3, damage=2, effects=effects, reward=[{"op": "gain_gold", "count": 2}])
    data["enemy"][0]["fable"] = {"name": "Crossroads", "effects": CHOICE}
    data["enemy"][1]["fable"] = {"name": "Bargain", "effects": OFFER}
    for item, name, op in zip(data["item"], ("Salve", "Drum"), ("recover", "shield"), strict=False):
        item.update(name=name, uses="single", effects=[{"op": op, "count": 2}])
        item["upgraded"] = {"name": f"Fine {name}", "uses": "ongoing", "effects": [{"op": op, "count": 3}]}
    tables, names = DeckFile.model_validate(data, context=WORDS).compile(())
    return LoadedDeck(tables, names, SHIPPED, "")


@pytest.fixture
def s():
    deck = our_deck()
    s = new(SPEC, deck)
    s.slot[:3] = [face(name) for name in ("Plain", "Biter", "Mourner")]
    s.items[:2] = face("Salve"), face("Drum")
    s.stats[:], s.gold, s.passes = (4, 3, 2), 5, 1
    s.ready[:], s.exhausted[:] = (3, 1, 0, 0, 0), (0, 0, 1, 0, 0)
    s.rolled[:] = 0
    uncompiled(in_play.refresh)(s, deck.tables)
    return s


def face(name):
    return our_deck().names["faces"].index(name)


def texts(s):
    """What the legal actions of the system are called, by name."""
    mask = np.zeros(len(SPEC.actions), np.int8)
    step = int(s.agenda[s.depth - 1, 0])
    uncompiled(STEPS.legal)(s, our_deck().tables, step, mask)
    if ROWS[step].window:  # in every deck
        uncompiled(legal_uses)(s, our_deck().tables, mask)
    return {act.STRONG_ACTIONS[a].name: action_text(s, our_deck(), int(a), WORDS) for a in np.flatnonzero(mask)}


def rows_in_question(card, step):
    """A question about the rows of a card that come after its first one."""
    row = our_deck().tables.cards[face(card)]
    return (EFFECTS, row["first"] + 1, row["first"] + row["count"]), step


def test_an_offer_says_what_is_offered_and_what_it_costs(s):
    found = texts(at_step(s, *rows_in_question("Bargain", (OFFERED,))))
    assert found == {
        "accept": "Accept what Bargain offers: Cost: pay 3 gold. Gain 1 Health.",
        "decline": "Decline what Bargain offers",
    }


def test_options_of_a_choice_say_what_they_do(s):
    found = texts(at_step(s, *rows_in_question("Crossroads", (CHOOSING, 1))))
    assert found == {"first": "Gain 3 gold.", "second": "Recover up to 2 dice of your choice."}


def test_a_reward_says_what_it_gives_and_how_often(s):
    at_step(s, TAKE_REWARD, 0, face("Plain"))
    assert texts(s) == {"accept": "Take the reward of Plain: Gain 2 gold.", "decline": "Leave the reward of Plain"}
    s.doubled = 1
    assert texts(s)["accept"] == "Take the reward of Plain twice: Gain 2 gold."


def test_items_say_what_they_do(s):
    drum = face("Drum")
    s.items[1] = NONE
    at_step(s, TAKE_ITEM, drum)
    assert texts(s) | {"use_item_1": "", "use_hero": ""} == {
        "accept": "Take Drum (for a single use): Use: Suffer 2 less damage this round.",
        "decline": "Leave Drum: it is discarded",
        "use_item_1": "",
        "use_hero": "",
    }
    assert texts(s)["use_item_1"] == "Use Salve once and for all: Recover up to 2 dice of your choice."
    s.items[:6], s.stats[1] = face("Salve"), 6
    assert texts(at_step(s, TAKE_ITEM, drum))["discard_item_1"] == "Discard Salve to make room for Drum"
    s.items[2:] = NONE
    found = texts(at_step(s, UPGRADING, 1))
    assert found["upgrade_item_1"] == "Upgrade Salve to Fine Salve: Use: Recover up to 3 dice of your choice."
    assert found["done"] == "Upgrade no more items"


def test_committing_says_how_many_dice(s):
    found = texts(at_step(s, COMMIT))
    assert (found["commit_yellow"], found["roll"]) == ("Commit a yellow die", "Finish committing; there is nothing to roll")
    s.unrolled[YELLOW], s.rolled[BLUE, MISS], s.rolled[GREEN, HIT] = 1, 1, 1
    assert texts(s)["roll"] == "Finish committing and roll 3 dice, 2 of them again"
    s.slot[3] = face("Herder")
    uncompiled(in_play.refresh)(s, our_deck().tables)
    assert texts(s)["commit_yellow"] == "Commit 2 yellow dice"
    s.committed_now[GREEN] = 1
    assert texts(s)["commit_yellow"] == "Commit 1 yellow die"


def test_the_end_of_a_roll_says_what_follows(s):
    s.rolled[BLUE, MISS] = 1
    found = texts(at_step(s, APPLY))
    assert found["again"] == "Repeat the Strategy phase: roll 2 of 3, unapplied dice again"
    assert found["resolve"] == "Go on to the Resolve phase: 6 damage is due"


@pytest.mark.parametrize(
    ("step", "name", "text"),
    [
        ((APPLY,), "pick_blue_hit", "Apply a blue hit"),
        ((KEEP,), "pick_blue_hit", "Set a blue hit aside"),
        ((TURNING_MISS, 1), "pick_green_miss", "Turn a green miss to a basic hit"),
        ((TURNING_HIT, 1), "pick_blue_hit", "Turn a blue hit to a crit"),
        ((REROLLING, 1), "pick_green_miss", "Reroll a green miss"),
        ((EXHAUSTING_HITS, 1), "pick_blue_hit", "Exhaust a blue hit"),
        ((RETURNING, 1), "pick_green_miss", "Return a green miss to the pool"),
        ((SWAPPING, NONE), "pick_green_miss", "Swap a green miss with a hit of another colour"),
        ((SWAPPING, GREEN), "pick_blue_hit", "Swap the green miss with a blue hit: the green die shows a hit, the blue one a miss"),
        ((BANISHING_APPLIED, 1, 0), "pick_purple_crit", "Banish a purple crit applied to Plain"),
        ((BANISHING, 1), "pick_green_miss", "Banish a green miss"),
        ((BANISHING, 1), "target_1", "Banish a die applied to Plain"),
        ((TARGET, BLUE, HIT), "target_1", "Apply the blue hit to Plain"),
        ((AIMING, DEFEAT), "target_1", "Defeat Plain"),
        ((AIMING, WOUND, 2), "target_1", "Deal 2 damage to Plain"),
        ((AIMING, SET_HEALTH, 1), "target_1", "Set the Health of Plain to 1"),
        ((AIMING, CANCEL), "target_1", "Cancel the effects of Plain"),
        ((RAISING, 1), "choose_health", "Raise Health from 4 to 5"),
        ((LOWERING, 1), "choose_strategy", "Lower Strategy from 3 to 2"),
        ((RECOVERING, 2), "done", "Recover no more dice"),
        ((SWAPPING, NONE), "done", "Swap nothing"),
    ],
)
def test_every_choice_says_what_is_done(s, step, name, text):
    s.rolled[BLUE, HIT] = s.rolled[GREEN, MISS] = s.applied[0, PURPLE, CRIT] = 1
    assert texts(at_step(s, *step))[name] == text


def test_effects_that_the_player_puts_in_order_are_told(s):
    s.marks[1] = s.marks[2] = ROLL_SEEN
    deck = our_deck()
    at_step(s, ROLLED_EFFECTS)
    assert action_text(s, deck, act.TARGET_CARD + 1, WORDS) == "Let Biter act: Lose 1 Health."
    at_step(s, AFTER_EFFECTS)
    assert (
        action_text(s, deck, act.TARGET_CARD + 2, WORDS)
        == "Let Mourner act: Lose 2 gold, or all you have. Exhaust your strongest ready die."
    )
    s.marks[2] = DEFEATED
    assert action_text(s, deck, act.TARGET_CARD + 2, WORDS) == "Let Mourner act: Exhaust your strongest ready die."


def test_effects_of_another_vocabulary_are_left_out(s):
    """A deck that does not hand over its words still has every action named."""
    s.items[0] = face("Surveyor's Map")
    at_step(s, COMMIT)
    assert action_text(s, our_deck(), act.USE_ITEM).startswith("Use Surveyor's Map")
    assert action_text(s, our_deck(), act.USE_ITEM, WORDS).count("Add a day forest card")


def test_numbers_agree_with_their_nouns():
    assert [counted(n, "card") for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert counted(1, "enemy", "enemies") == "1 enemy"
    assert counted(3, "enemy", "enemies") == "3 enemies"


def test_what_is_asked_is_told_too(s):
    """The hint of an offer is the text of accepting it."""
    from deckwood.tanglewoods.render import describe

    at_step(s, *rows_in_question("Crossroads", (CHOOSING, 1)))
    assert int(s.agenda[s.depth - 1, A]) == 1
    assert "Crossroads: Gain 3 gold. - or - Recover up to 2 dice of your choice." in describe(s, our_deck())
