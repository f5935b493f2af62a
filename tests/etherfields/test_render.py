"""What people see of a position: text and picture."""

import itertools
import os
import subprocess
import sys
import tomllib

import numpy as np
import pytest

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.etherfields.deck import SHIPPED, WORDS, DeckFile
from deckwood.etherfields.render import describe, draw, picture, view
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import (
    COST_CHANGE,
    ENEMY_DECK,
    IN_DECK,
    IN_DISCARD,
    IN_HAND,
    IN_INVENTORY,
    IN_PLAY,
    INFLUENCE_CARD,
    INFLUENCE_DECK,
    ITEM_CARD,
    ITEM_DECK,
    MAP_DECK,
    MAP_SIDE,
    NUM_CARDS,
    NUM_MAPS,
    OUT,
    RESHUFFLE_CARDS,
)
from deckwood.etherfields.steps import (
    AIM_ASSAULT,
    ASSAULT,
    CHOOSE_COST,
    CHOOSE_HERO,
    DISCARD_CARDS,
    EXPLORATION,
    FLIPPING,
    MOVEMENT,
    MOVING,
    PAYING,
    PENALTY,
    UNIQUE_ACTION,
    WINDOW,
)
from deckwood.strong import cards as in_play
from deckwood.strong.steps import APPLY, RECOVERING, TARGET
from deckwood.strong.terms import BLUE, CANCELLED, CRIT, DEFEATED, GREEN, HIT, MISS, NONE, PURPLE, YELLOW
from deckwood.strong.words import question
from tests.strong import tables
from tests.strong.tables import at_step, check_words, longest, questions, see

__all__ = ["see"]

SHAPE = (picture.HEIGHT, picture.WIDTH, 3)
HOME, EAST_CARD, NEXT_MAP = range(3)
A_SPACE, B_SPACE, C_SPACE, D_SPACE = range(4)


def home(name):
    """
    a a b
    a c b
    d d d
    """
    return {
        "name": name,
        "layout": ["aab", "acb", "ddd"],
        "walls": ["ac"],
        "closed": ["west"],
        "entrance": "c",
        "space": {
            "a": {"skulls": 1},
            "b": {"action": [{"name": "Knock", "cost": [{"awareness": 1}, {"wrath": 2}], "effects": [{"op": "recover", "count": 1}]}]},
            "c": {"action": [{"name": "Call", "cost": [{"wrath": 1}], "effects": [{"op": "summon"}]}]},
            "d": {"explore": {"to": "south", "awareness": 1}},
        },
    }


def columns(name):
    return {"name": name, "layout": ["abc"] * 3, "closed": ["east", "west north"], "space": {"b": {"skulls": 2}}}


def our_deck():
    """The deck that ships with a few cards of our own on top of it."""
    data = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    for boss, side in itertools.product(data["boss"], "ab"):
        boss[side].pop("requires", None)
    side = {"name": "Dreamer, Asleep", "health": 4, "strategy": 3, "recovery": 2, "effects": [{"op": "recover", "count": 1}]}
    data["hero"][0] = {"name": "Dreamer", "key": "dreamer", "front": side, "lucid": {**side, "name": "Dreamer, Awake"}}
    data["boss"][0]["key"] = "host"
    data["boss"][0]["a"] = {
        "name": "The Host",
        "health": 6,
        "damage": 2,
        "effects": [{"when": "activation", "op": "lose_stat", "stat": "health", "count": 1}],
        "endgame": {"ether": "red", "maps": 2},
    }
    for i, (name, health, damage, effects) in enumerate(
        (
            ("Grey Guest", 4, 2, []),
            ("Thick Guest", 5, 1, [{"op": "colours_needed", "count": 3}]),
            ("Fallen Guest", 1, 3, []),
            ("Next Guest", 6, 3, []),
        )
    ):
        data["enemy"][i]["a"] = {"name": name, "health": health, "damage": damage, "effects": effects}
    lantern = {"gives": {"awareness": 2}, "action": "instant", "cost": {"cunning": 1}, "timing": "engagement"}
    data["influence"][0]["a"] = {"name": "Lantern", **lantern, "effects": [{"op": "recover", "count": 2}]}
    mask = {"gives": {"cunning": 1, "wrath": 1}, "action": "ongoing"}
    data["influence"][1]["a"] = {"name": "Mask", **mask, "effects": [{"op": "recovery_change", "count": 1}]}
    data["influence"][2]["a"] = {"name": "Next Card", **mask, "effects": [{"op": "keep_hits"}]}
    for i, name in enumerate(("Button", "Next Item")):
        data["item"][i]["a"] = {"name": name, "uses": "single", "gives": {"wrath": 1}, "effects": [{"op": "recover", "count": 3}]}
    at = next(i for i, card in enumerate(data["map"]) if "entrance" in card["a"])
    data["map"][at], data["map"][0] = data["map"][0], {"a": home("Home"), "b": home("Home, Turned")}
    data["map"][EAST_CARD] = {"a": columns("Three Halls"), "b": columns("Three Halls, Turned")}
    data["map"][NEXT_MAP]["a"] = columns("Next Map")
    tables, names = DeckFile.model_validate(data, context=WORDS).compile(())
    return LoadedDeck(tables, names, SHIPPED, "")


DECK = our_deck()
FACES = {name: face for face, name in enumerate(DECK.names["faces"])}


def new(deck=DECK, **options):
    """A fresh position at its first node, without a compiler."""
    return tables.new(SPEC, deck, **options)


@pytest.fixture
def fight():
    """The second roll against three enemies, one of them defeated, in the second game of three."""
    s = new(hero="dreamer", boss="host", rank=2, games=3)
    s.games, s.wins, s.ether = 1, 1, GREEN
    s.map_zone[EAST_CARD], s.map_x[EAST_CARD] = IN_PLAY, 1
    s.top_card[[ENEMY_DECK, INFLUENCE_DECK, ITEM_DECK, MAP_DECK]] = 3, INFLUENCE_CARD + 2, ITEM_CARD + 1, NEXT_MAP
    s.slot[:3], s.zone[:3] = range(3), IN_PLAY
    s.marks[2] = DEFEATED
    s.applied[0, GREEN, CRIT], s.applied[1, BLUE, HIT], s.applied[2, BLUE, HIT] = 1, 1, 2
    s.ready[:], s.exhausted[:], s.banished[:] = (1, 0, 1, 0, 0), (0, 2, 0, 1, 0), (1, 0, 0, 0, 0)
    s.rolled[YELLOW, MISS], s.rolled[BLUE, HIT], s.rolled[PURPLE, CRIT] = 1, 2, 1
    for place, name in enumerate(("Lantern", "Mask")):
        s.hand[place], s.zone[FACES[name]] = FACES[name], IN_HAND
    s.items[0], s.zone[ITEM_CARD], s.used[0] = FACES["Button"], IN_INVENTORY, 1
    s.acted[2 * HOME] = 1 << (2 * B_SPACE)
    s.passes = 2
    at_step(s, APPLY)
    uncompiled(in_play.refresh)(s, DECK.tables)
    return s


def words(text):
    return " ".join(text.split())


def test_text_names_what_matters(fight):
    text = words(describe(fight, DECK))
    for fact in (
        "Apply Dice",
        "rank 2, game 2 of 3 (1 won)",
        "Roll 2 of 3",
        "Dreamer, Asleep (front)",
        "Health 4 Strategy 3 Recovery 2 Ether green Damage due 3",
        "Boss The Host (A side): Health 6, Damage 2 (not in play) At the end of every Activation: Lose 1 Health.",
        "Endgame condition: [ ] ether red, [x] 2 of 2 map cards in play 1 enemy defeated so far",
        "ready 1 . 1 . . 2",
        "rolled: miss 1 . . . . 1 rolled: hit . . 2 . . 2 rolled: crit . . . 1 . 1",
        "on cards: hit . . 3 . . 3 on cards: crit . 1 . . . 1",
        "choose blue hit, purple crit",
        "exhausted . 2 . 1 . 3",
        "banished 1 . . . . 1",
        "1. Grey Guest (enemy, A side): Health 2 left of 4, Damage 2, assault 2 dice on it: green crit back: Moth Dust (B side, influence)",
        "2. Thick Guest (enemy, A side): Health 4 left of 5, Damage 1 1 of 3 colours dice on it: blue hit Dice of 3 different colours",
        "3. Fallen Guest (enemy, A side): defeated dice on it: 2 blue hits back: Jar of Buttons (B side, item): Use: Turn",
        "1. Lantern (A side, gives 2 awareness, instant, costs 1 cunning, in Engagement) [play] Recover up to 2 dice of your choice.",
        "2. Mask (A side, gives 1 cunning, 1 wrath, ongoing) [play] Recovery counts 1 more",
        "Inventory 1 of at most 3 1. Button (A side, gives 1 wrath, once, used)",
        "Use: Recover up to 3 dice",
        ">> Home (A side, where the game began) a: skull +1 b: Knock (1 awareness or 2 wrath, used): Recover up to 1 die of your choice.",
        "c: Dream Entrance; Call (1 wrath): Activate the boss, if its endgame condition is met. d: explore south for 1 awareness",
        "Three Halls (A side, 1 east) b: skull +2",
        "You are in space c of Home [move, assault] Dream Entrance Call (1 wrath): Activate the boss",
        "Enemy Deck, 24 left, 0 discarded; on top: Next Guest (A side): Health 6, Damage 3",
        "Influence Deck, 19 left, 0 discarded, drawn from below; on top: Next Card (A side, gives 1 cunning, 1 wrath, ongoing)",
        "Item Deck, 11 left, 0 discarded; on top: Next Item (A side, gives 1 wrath, once)",
        "Map Deck, 8 left, 0 discarded; on top: Next Map (A side) b: skull +2",
    ):
        assert fact in text


def test_text_draws_the_map(fight):
    drawing = """
            +....+....+....+....+....+....+
            #a1   a   :b!  #a   :b2  :c   #
            +    +####+    +    +    +    +
            #a   #c@O!:b   :a   :b   :c   #
            +....+....+....+    +    +    +
            #dv   d    d   :a   :b   :c   #
            +....+....+....+....+....+....+
"""
    assert drawing in describe(fight, DECK)
    at_step(fight, MOVING, 1)
    assert "#a1   a   :b!* #a   :b2  :c   #" in describe(fight, DECK)
    at_step(fight, MOVING, 2)
    assert "#a1*  a*  :b!* #a*  :b2  :c   #" in describe(fight, DECK)
    fight.map_x[EAST_CARD] = 9  # a long way off: cells as narrow as a letter, one mark below the other
    lines = [line[12:19] for line in describe(fight, DECK).splitlines()]
    at = lines.index("#a a:b:")
    assert lines[at + 1 : at + 7] == ["#1 *:!:", "#*  :*:", "#   : :", "+ +#+ +", "#a#c:b:", "#*#@:*:"]


def test_the_widest_map_of_text_fits(fight):
    for places in ([(i, 0) for i in range(1, 10)], [(0, -i) for i in range(1, 10)], [(i % 4, i // 4) for i in range(1, 10)]):
        on_map(fight, places)
        text = describe(fight, DECK)
        assert max(map(len, text.splitlines())) <= 100
        assert all(mark in text for mark in ("@", "O", "!", ">"))


def test_reached_spaces_are_those_that_the_rules_let_the_hero_reach(fight):
    at_step(fight, MOVING, 2)
    reached = {(card.name, space.letter): space.steps for card in view.read_view(fight, DECK).map for space in card.spaces}
    assert {place: steps for place, steps in reached.items() if steps is not None} == {
        ("Home", "a"): 2,
        ("Home", "b"): 1,
        ("Home", "d"): 1,
        ("Three Halls", "a"): 2,
    }


def test_text_is_plain_and_narrow(fight):
    text = describe(fight, DECK)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    ("step", "due", "hint"),
    [
        ((PAYING, MOVEMENT, 0), (0, 0, 0), "Movement: 1 space for each Cunning, 2 so far."),
        ((PAYING, EXPLORATION, 0), (1, 0, 0), "Exploring: 1 awareness due."),
        ((PAYING, ASSAULT, 0), (0, 0, 2), "Assault on Grey Guest: 2 wrath due."),
        ((PAYING, UNIQUE_ACTION, FACES["Knock"]), (0, 0, 1), "Knock: 1 wrath due."),
        ((MOVING, 2), (0, 0, 0), "2 spaces left; no other action until the movement is over."),
        ((DISCARD_CARDS, 1), (0, 0, 0), "1 more."),
        ((DISCARD_CARDS, 0), (0, 0, 0), "More, if you like."),
        ((RECOVERING, 3, 0, 1 + GREEN), (0, 0, 0), "3 more, one of them green."),
        ((PENALTY,), (0, 0, 0), "Suffer -2 Health, or banish 2 random cards of it."),
    ],
)
def test_text_says_what_is_decided(fight, step, due, hint):
    fight.due[:], fight.paid = due, 2
    assert f"\n{hint}\n" in describe(at_step(fight, *step), DECK)


def test_costs_are_those_of_now(fight):
    fight.modifiers[COST_CHANGE] = 1
    text = words(describe(fight, DECK))
    for fact in (
        "Knock (2 awareness or 3 wrath, used)",
        "explore south for 2 awareness",
        "Lantern (A side, gives 2 awareness, instant, costs 2 cunning",
    ):
        assert fact in text


def test_text_of_the_choices():
    s = new(hero="choose", boss="choose")
    text = words(describe(s, DECK))
    assert "Setup: choose a boss" in text
    assert "1. The Host (A side): Health 6, Damage 2 [choose] Endgame condition: ether red, 2 map cards in play. At the end" in text
    s.boss = FACES["The Host"]
    text = words(describe(at_step(s, CHOOSE_HERO), DECK))
    assert "Endgame condition: [ ] ether red, [ ] 0 of 2 map cards in play" in text
    assert "1. Dreamer, Asleep (front) [choose] Health / Strategy / Recovery 4 / 3 / 2 Use: Recover up to 1 die" in text


def test_text_of_an_end(fight):
    fight.node, fight.depth, fight.games = Node.END, 0, 3
    for ended, line in enumerate(view.ENDINGS, 1):
        fight.ended = ended
        text = describe(fight, DECK)
        assert f"{line}: 1 of 3 games won" in text
        assert max(map(len, text.splitlines())) <= 100
    fight.options[3] = 1
    fight.ended = 4
    assert "Lost in the dream: no Dream Entrance to return to  " in describe(fight, DECK)


def test_picture_of_an_end(see, fight):
    fight.node, fight.depth, fight.games = Node.END, 0, 3
    for fight.ended in range(1, 1 + len(view.ENDINGS)):
        seen = see(SPEC, fight, DECK)
        assert f"{view.ENDINGS[fight.ended - 1]}: 1 of 3 games won" in seen.words
        assert seen.overlapping() == []


def test_picture(fight):
    pytest.importorskip("pygame")
    before = fight.tobytes()
    shown = draw(fight, DECK)
    assert shown.shape == SHAPE
    assert shown.dtype == np.uint8
    assert fight.tobytes() == before
    assert np.array_equal(shown, draw(fight, DECK))
    assert shown.std() > 20


@pytest.mark.parametrize("field", ["ready", "exhausted", "banished", "rolled", "kept", "applied", "unrolled"])
def test_picture_shows_every_die(fight, field):
    pytest.importorskip("pygame")
    before = draw(fight, DECK)
    dice = fight[field]
    dice[..., GREEN if dice.ndim == 1 else HIT] += 1
    assert not np.array_equal(before, draw(fight, DECK))


def test_picture_shows_what_changes(fight):
    pytest.importorskip("pygame")
    pictures = [draw(fight, DECK)]

    def seen():
        pictures.append(draw(fight, DECK))
        assert not any(np.array_equal(pictures[-1], other) for other in pictures[:-1])

    fight.at_space = D_SPACE
    seen()
    fight.at_card, fight.at_space = EAST_CARD, A_SPACE
    seen()
    at_step(fight, MOVING, 1)
    seen()
    at_step(fight, MOVING, 2)
    seen()
    fight.ether = BLUE
    seen()
    fight.acted[2 * HOME] = 0
    seen()
    fight.hand[1], fight.zone[FACES["Mask"]] = NONE, IN_DISCARD
    seen()
    fight.stats[0] = 1
    seen()
    fight.top_card[ENEMY_DECK] = NONE
    seen()


def on_map(fight, places):
    """As many map cards in play, beside the one at the Dream Entrance, at these places of the grid."""
    for card, (x, y) in enumerate(places, 1):
        fight.map_zone[card], fight.map_x[card], fight.map_y[card] = IN_PLAY, x, y
    return view.read_view(fight, DECK).map


@pytest.mark.parametrize(
    "places", [[(i, 0) for i in range(1, 10)], [(i % 4, i // 4) for i in range(1, 10)], [(0, -i) for i in range(1, 10)]]
)
def test_the_whole_map_has_room(fight, places):
    from deckwood.etherfields.render.atlas import places as boxes_of

    area = (10, 20, 684, 514)
    shown = on_map(fight, places)
    boxes = boxes_of(area, shown)
    assert len(boxes) == 10
    for left, top, width, height in boxes:
        assert 10 <= left <= left + width <= 694.01
        assert 20 <= top <= top + height <= 534.01
    for (one, a), (other, b) in itertools.combinations(zip(shown, boxes, strict=True), 2):
        assert a[:2] != b[:2]
        assert (b[0] - a[0]) == pytest.approx((other.x - one.x) * a[2])
        assert (b[1] - a[1]) == pytest.approx((one.y - other.y) * a[3])


def test_the_largest_rectangle_of_a_space():
    from deckwood.etherfields.render.atlas import largest

    assert largest((4,)) == (1, 1, 1, 1)
    assert largest((0, 1, 3)) == (0, 0, 2, 1)  # an L: the row, which is better to write in
    assert largest((2, 5, 8)) == (2, 0, 1, 3)
    assert largest((0, 1, 3, 4, 8)) == (0, 0, 2, 2)


SHIPPED_DECK = SPEC.load_deck(None)
BLOCK, ROW, COLUMN = [(i % 4, i // 4) for i in range(1, 10)], [(i, 0) for i in range(1, 10)], [(0, -i) for i in range(1, 10)]


def crowded(places=BLOCK, step=(TARGET, YELLOW, HIT)):
    """The most enemies, cards in hand and inventory, the whole map, many dice, everything else discarded or banished."""
    s = new(SHIPPED_DECK, rank=5, games=3)
    for slot, face in enumerate(longest(SHIPPED_DECK, WORDS, range(INFLUENCE_CARD), 8)):
        s.slot[slot], s.zone[face] = face, IN_PLAY
        s.applied[slot, slot % 5, HIT], s.applied[slot, (slot + 2) % 5, CRIT], s.applied[slot, (slot + 3) % 5, HIT] = 2, 1, 2
    s.marks[:2] = CANCELLED, DEFEATED
    s.hand[:] = longest(SHIPPED_DECK, WORDS, range(INFLUENCE_CARD, ITEM_CARD), 8)
    s.items[:] = longest(SHIPPED_DECK, WORDS, range(ITEM_CARD, NUM_CARDS), 6)
    s.zone[s.hand], s.zone[s.items], s.used[:2] = IN_HAND, IN_INVENTORY, 1
    left = [card for card in range(NUM_CARDS) if s.zone[card] == IN_DECK]
    s.zone[left] = [OUT if card % 3 == 0 else IN_DISCARD for card in left]
    s.top_card[:] = NONE
    for card, (x, y) in zip((card for card in range(NUM_MAPS) if card != s.at_card), places, strict=True):
        s.map_zone[card], s.map_x[card], s.map_y[card] = IN_PLAY, x, y
    s.stats[:], s.shield, s.doubled, s.passes, s.beaten = 6, 2, 1, 1, 7
    s.ready[:], s.exhausted[:], s.banished[:] = (1, 0, 1, 1, 0), (1, 1, 1, 0, 0), 1
    s.rolled[YELLOW, MISS], s.rolled[GREEN, HIT], s.rolled[BLUE, CRIT], s.rolled[PURPLE, HIT] = 1, 1, 1, 1
    uncompiled(in_play.refresh)(s, SHIPPED_DECK.tables)
    return at_step(s, *step)


@pytest.mark.parametrize(("places", "step"), [(BLOCK, (TARGET, YELLOW, HIT)), (ROW, (MOVING, 3)), (COLUMN, (WINDOW, 0)), (BLOCK, (APPLY,))])
def test_a_full_table_can_be_read(see, places, step):
    """Nothing is cut off, nothing lies over anything else; only the map of ten cards in a line needs the smallest type."""
    s = crowded(places, step)
    seen = see(SPEC, s, SHIPPED_DECK)
    assert seen.cut == []
    assert seen.overlapping() == []
    assert seen.colliding() == []
    assert seen.covered() == []
    if places == BLOCK:
        assert min(size for _, _, size in seen.texts) >= 11
    assert max(map(len, describe(s, SHIPPED_DECK).splitlines())) <= 100


def test_picture_and_text_tell_the_same(see):
    """Names, sides, limits, what is out of play, every unique action of the map, and what may be done."""
    for places, step in ((BLOCK, (TARGET, YELLOW, HIT)), (COLUMN, (WINDOW, 0)), (BLOCK, (DISCARD_CARDS, 1))):
        s = crowded(places, step)
        shown, told = words(see(SPEC, s, SHIPPED_DECK).words), words(describe(s, SHIPPED_DECK))
        found = view.read_view(s, SHIPPED_DECK)
        facts = [name for pile in found.piles for name in pile.cards]
        facts += [action.name for card in found.map for space in card.spaces for action in space.actions]
        facts += [card.name for card in found.map] + list(found.offers)
        for card in (*found.table.active, *found.hand, *found.inventory):
            facts += [card.face.name, card.face.back.name, *card.face.choices, *getattr(card, "counts", ())]
        facts += [*found.table.conditions, found.table.phase, "8 enemies defeated so far"]
        for fact in facts:
            assert fact in told, fact
            assert all(word in shown for word in fact.split()), fact


def test_sides_and_backs(fight):
    """Backs are those of hand, inventory and active area alone: others may not be looked at."""
    found = view.read_view(fight, DECK)
    open_cards = [*found.hand, *found.inventory, *found.table.active]
    assert all(card.face.side == "A side" and card.face.back.side == "B side" for card in open_cards)
    closed = [found.table.hero, found.boss.card.face, *(deck.top.face for deck in found.decks[:3])]
    assert [face.back for face in closed] == [None] * 5
    assert [face.side for face in closed] == ["front", *["A side"] * 4]
    assert {card.side for card in found.map} == {"A side"}
    fight.side[FACES["Button"]] = fight.side[MAP_SIDE + HOME] = 1
    fight.items[0] = FACES["Button"] + NUM_CARDS
    found = view.read_view(fight, DECK)
    assert (found.inventory[0].face.side, found.inventory[0].face.back.name) == ("B side", "Button")
    assert "Home, Turned (B side, where the game began)" in words(describe(fight, DECK))


def test_piles_tell_what_is_discarded_and_banished(fight):
    fight.zone[[FACES["Next Guest"], FACES["Next Card"]]], fight.zone[FACES["Next Item"]] = IN_DISCARD, OUT
    fight.map_zone[NEXT_MAP] = IN_DISCARD
    piles = [(pile.name, pile.cards) for pile in view.read_view(fight, DECK).piles]
    assert piles == [
        ("Enemy discard", ("Next Guest",)),
        ("Influence discard", ("Next Card",)),
        ("Map discard", ("Next Map",)),
        ("Item banished", ("Next Item",)),
    ]


def legal_texts(s, deck=DECK):
    """What the legal actions are called, by name."""
    mask = np.zeros(len(SPEC.actions), np.int8)
    uncompiled(SPEC.rules.legal)(s, deck.tables, mask)
    return {SPEC.actions[action].name: SPEC.action_text(s, deck, int(action)) for action in np.flatnonzero(mask)}


def test_texts_of_actions_tell_costs_and_effects(fight):
    texts = legal_texts(fight)
    assert texts["play_card_1"] == "Play Lantern, for 1 cunning: Recover up to 2 dice of your choice."
    assert texts["play_card_2"] == "Play Mask into the inventory, free: Recovery counts 1 more; the die stays."
    assert texts["resolve"] == "Go on to the Resolve phase: 3 damage is due"
    assert texts["again"] == "Repeat the Strategy phase: roll 3 of 3, unapplied dice again"
    assert texts["use_hero"] == "Use Dreamer, Asleep: Recover up to 1 die of your choice."
    fight.at_space, fight.acted[2 * HOME] = B_SPACE, 0
    assert legal_texts(fight)["unique_1"] == "Knock, for 1 awareness or 2 wrath: Recover up to 1 die of your choice."
    fight.modifiers[COST_CHANGE] = 1
    texts = legal_texts(fight)
    assert texts["play_card_1"].startswith("Play Lantern, for 2 cunning") if "play_card_1" in texts else True
    fight.at_space = D_SPACE
    assert legal_texts(at_step(fight, WINDOW, 0))["explore"] == "Explore south for 2 awareness"


def test_texts_of_payments_and_moves(fight):
    fight.due[:] = 1, 0, 0
    texts = legal_texts(at_step(fight, PAYING, EXPLORATION, 0))
    assert texts["spend_card_1"] == "Discard Lantern for 2 awareness (1 awareness of it lost)"
    fight.due[:], fight.paid = 0, 2
    texts = legal_texts(at_step(fight, PAYING, MOVEMENT, 0))
    assert texts["spend_card_2"] == "Discard Mask for 1 cunning, 1 wrath (1 wrath of it lost)"
    assert texts["exhaust_yellow"] == "Exhaust a yellow die for 1 cunning"
    assert texts["done"] == "Spend no more: move up to 2 spaces"
    fight.at_space = B_SPACE
    texts = legal_texts(at_step(fight, MOVING, 1))
    assert texts["go_to_1"] == "Move to space a of Home: it activates 1 enemy"
    assert texts["done"] == "Stop here: 1 space of the movement left over"
    assert legal_texts(at_step(fight, AIM_ASSAULT))["target_1"] == "Assault Grey Guest for 2 wrath"
    assert legal_texts(at_step(fight, FLIPPING))["target_1"] == "Flip Grey Guest to Moth Dust"
    assert legal_texts(at_step(fight, CHOOSE_COST, UNIQUE_ACTION, FACES["Knock"])) == {
        "first": "Pay 1 awareness for Knock",
        "second": "Pay 2 wrath for Knock",
    }
    tables = DECK.tables.copy()
    tables["numbers"][RESHUFFLE_CARDS] = 1
    deck = LoadedDeck(tables, DECK.names, DECK.source, "")
    assert legal_texts(at_step(fight, PENALTY), deck)["second"] == "Banish 1 random card of the Influence Deck"
    assert "banish 1 random card of it" in describe(fight, deck)


def test_every_question_can_be_read(see):
    """The longest offers, choices and tests of the cards that ship, with both options in full."""
    s = crowded()
    for steps in questions(SHIPPED_DECK, WORDS, s)[-3:]:
        assert see(SPEC, at_step(s, *steps), SHIPPED_DECK).cut == []
        assert words(question(s, SHIPPED_DECK, WORDS)) in words(describe(s, SHIPPED_DECK))


def test_every_phase_of_random_games_can_be_shown():
    pytest.importorskip("pygame")
    deck, rng = SPEC.load_deck(None), np.random.default_rng(0)
    seen = set()
    legal, apply, chance, apply_chance = (uncompiled(getattr(SPEC.rules, name)) for name in ("legal", "apply", "chance", "apply_chance"))
    for options in ({"hero": "choose", "boss": "choose"}, {"rank": 2, "games": 2}, {"rank": 5}):
        s = new(deck, **options)
        while True:
            phase = SPEC.phase_name(s)
            if phase not in seen or rng.random() < 0.03:
                seen.add(phase)
                text = describe(s, deck)
                assert text.isascii()
                assert max(map(len, text.splitlines())) <= 100
                assert draw(s, deck).shape == SHAPE
            if s.node == Node.END:
                break
            if s.node == Node.CHANCE:
                weights = np.zeros(SPEC.max_outcomes, np.int32)
                n = chance(s, deck.tables, weights)
                apply_chance(s, deck.tables, int(rng.choice(n, p=weights[:n] / weights[:n].sum())))
            else:
                mask = np.zeros(len(SPEC.actions), np.int8)
                legal(s, deck.tables, mask)
                if rng.random() < 0.04:
                    check_words(SPEC, s, deck, np.flatnonzero(mask))
                apply(s, deck.tables, int(rng.choice(np.flatnonzero(mask))))
    assert len(seen) > 15


HEADLESS = """
import numpy as np
from deckwood.adapters.gymnasium_env import DeckwoodEnv
from deckwood.etherfields.spec import SPEC
env = DeckwoodEnv(SPEC, render_mode="human")
env.reset(seed=3)
env.step(int(np.flatnonzero(env.action_masks())[0]))
env.close()
"""


def test_human_mode_without_a_screen():
    """In a process of its own: neither the window nor a compiler is wanted here."""
    pytest.importorskip("pygame")
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", HEADLESS], env=environment, check=True, capture_output=True, timeout=120)
