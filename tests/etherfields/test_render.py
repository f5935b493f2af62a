"""What people see of a position: text and picture."""

import itertools
import os
import subprocess
import sys
import tomllib

import numpy as np
import pytest

from deckwood.core import drawing
from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.etherfields.deck import SHIPPED, WORDS, DeckFile
from deckwood.etherfields.render import describe, draw, picture, view
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import (
    COST_CHANGE,
    ENEMY_DECK,
    IN_DISCARD,
    IN_HAND,
    IN_INVENTORY,
    IN_PLAY,
    INFLUENCE_CARD,
    INFLUENCE_DECK,
    ITEM_CARD,
    ITEM_DECK,
    MAP_DECK,
)
from deckwood.etherfields.steps import (
    ASSAULT,
    CHOOSE_HERO,
    DISCARD_CARDS,
    EXPLORATION,
    MOVEMENT,
    MOVING,
    PAYING,
    PENALTY,
    UNIQUE_ACTION,
)
from deckwood.strong import cards as in_play
from deckwood.strong.render import picture as strong_picture
from deckwood.strong.steps import APPLY, RECOVERING
from deckwood.strong.terms import BLUE, BOSS, CRIT, DEFEATED, ENEMY, GREEN, HERO, HIT, INFLUENCE, ITEM, MISS, NONE, PURPLE, YELLOW

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
    position = np.zeros(1, SPEC.dtype).view(np.recarray)
    uncompiled(SPEC.rules.setup)(position[0], deck.tables, SPEC.encode_options(options, deck))
    return position[0]


def at_step(s, *step):
    """The position with nothing on its agenda but a step."""
    s.node, s.depth = Node.DECISION, 1
    s.agenda[:] = 0
    s.agenda[0, : len(step)] = step
    return s


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
        "Dreamer, Asleep",
        "Health 4 Strategy 3 Recovery 2 Ether green Damage due 3",
        "Boss The Host: Health 6, Damage 2 (not in play) At the end of every Activation: Lose 1 Health.",
        "Endgame condition: [ ] ether red, [x] 2 of 2 map cards in play",
        "ready 1 . 1 . . 2",
        "rolled 1 miss . 2 hit 1 crit . 4",
        "exhausted . 2 . 1 . 3",
        "banished 1 . . . . 1",
        "1. Grey Guest (enemy): Health 2 left of 4, Damage 2, assault 2 dice on it: green crit",
        "2. Thick Guest (enemy): Health 4 left of 5, Damage 1 dice on it: blue hit Dice of 3 different colours",
        "3. Fallen Guest (enemy): defeated dice on it: blue hit, blue hit",
        "1. Lantern (gives 2 awareness, instant, costs 1 cunning, in Engagement) Recover up to 2 dice of your choice.",
        "2. Mask (gives 1 cunning, 1 wrath, ongoing) Recovery counts 1 more",
        "Inventory 1 of at most 3 1. Button (gives 1 wrath, once, used) Use: Recover up to 3 dice",
        ">> Home (where the game began) a: skull +1 b: Knock (1 awareness or 2 wrath, used) c: Dream Entrance; Call (1 wrath)",
        "d: explore south for 1 awareness",
        "Three Halls (1 east) b: skull +2",
        "You are in space c of Home Call (1 wrath): Activate the boss, if its endgame condition is met.",
        "Enemy Deck, 24 left, 0 discarded; on top: Next Guest: Health 6, Damage 3",
        "Influence Deck, 19 left, 0 discarded, drawn from below; on top: Next Card (gives 1 cunning, 1 wrath, ongoing)",
        "Item Deck, 11 left, 0 discarded; on top: Next Item (gives 1 wrath, once)",
        "Map Deck, 8 left, 0 discarded; on top: Next Map b: skull +2",
    ):
        assert fact in text


def test_text_draws_the_map(fight):
    drawing = """
            +...+...+...+...+...+...+
            # a   a : b # a : b : c #
            +   +###+   +   +   +   +
            # a # @ : b : a : b : c #
            +...+...+...+   +   +   +
            # d   d   d : a : b : c #
            +...+...+...+...+...+...+
"""
    assert drawing in describe(fight, DECK)
    at_step(fight, MOVING, 1)
    assert "# a   a : b*# a : b : c #" in describe(fight, DECK)
    at_step(fight, MOVING, 2)
    assert "# a*  a*: b*# a*: b : c #" in describe(fight, DECK)
    fight.map_x[EAST_CARD] = 9
    assert "\n            #a a:b:" in describe(fight, DECK)  # a long way off: smaller cells


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
        "Lantern (gives 2 awareness, instant, costs 2 cunning",
    ):
        assert fact in text


def test_text_of_the_choices():
    s = new(hero="choose", boss="choose")
    text = words(describe(s, DECK))
    assert "Setup: choose a boss" in text
    assert "1. The Host: Health 6, Damage 2 Endgame condition: ether red, 2 map cards in play. At the end" in text
    s.boss = FACES["The Host"]
    text = words(describe(at_step(s, CHOOSE_HERO), DECK))
    assert "Endgame condition: [ ] ether red, [ ] 0 of 2 map cards in play" in text
    assert "1. Dreamer, Asleep Health / Strategy / Recovery 4 / 3 / 2 Use: Recover up to 1 die" in text


def test_text_of_an_end(fight):
    fight.node, fight.depth, fight.games = Node.END, 0, 3
    for ended, line in enumerate(view.ENDINGS, 1):
        fight.ended = ended
        assert f"{line}: 1 of 3 games won" in describe(fight, DECK)
    fight.options[3] = 1
    fight.ended = 4
    assert "Lost in the dream: no Dream Entrance to return to  " in describe(fight, DECK)


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


def test_no_text_of_the_deck_that_ships_is_cut_off(monkeypatch):
    """In the places where cards are shown: hand and inventory when full, decks, active area, boss and hero."""
    pytest.importorskip("pygame")
    deck = SPEC.load_deck(None)
    cut, original = [], drawing.Canvas.paragraph

    def paragraph(canvas, box, text, largest, smallest, *rest):
        if len(drawing.wrapped(text, smallest, box[2])) > max(1, int(box[3] / drawing.line_height(smallest))):
            cut.append(text)
        return original(canvas, box, text, largest, smallest, *rest)

    monkeypatch.setattr(drawing.Canvas, "paragraph", paragraph)
    canvas, s = drawing.Canvas(10, 10, (0, 0, 0)), new(deck)
    full = [strong_picture.grid((left, top + 24, width, height - 24), n, 1)[0] for (left, top, width, height), n in HELD]
    crowd = strong_picture.grid((picture.ACTIVE[0], 24, picture.ACTIVE[2], picture.ACTIVE[3] - 24), 4, 2)[0]
    for face, card in enumerate(deck.tables.cards):
        if not deck.names["faces"][face]:
            continue
        if card.kind in (INFLUENCE, ITEM):
            for box in (full[1], TOP_CARD) if card.kind == ITEM or card.uses else (full[0], TOP_CARD):
                picture.draw_spendable(canvas, box, view.card(s, deck, face))
        elif card.kind == ENEMY:
            enemy = view.printed_fighter(deck, WORDS, face)
            strong_picture.draw_printed_fighter(canvas, TOP_CARD, enemy)
            strong_picture.draw_fighter(canvas, crowd, enemy, False)
        elif card.kind == BOSS:
            s.boss = face
            picture.draw_boss(canvas, picture.BOSS, view.boss(s, deck))
        elif card.kind == HERO:
            s.hero = face
            strong_picture.draw_hero(canvas, picture.HERO, view.read_view(s, deck).table)
    assert cut == []


HELD = ((picture.HAND, 8), (picture.INVENTORY, 6))
TOP_CARD = (0, 0, (picture.DECKS[2] - 3 * picture.GAP) / 4 - 10, picture.DECKS[3] - 39)


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
