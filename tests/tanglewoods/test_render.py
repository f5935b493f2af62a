"""What people see of a position: text and picture."""

import os
import subprocess
import sys

import numpy as np
import pytest

from deckwood.core import drawing
from deckwood.core.errors import DeckwoodError
from deckwood.core.spec import Node
from deckwood.core.uncompiled import uncompiled
from deckwood.strong import cards as in_play
from deckwood.strong.steps import APPLY, OFFERED, TARGET
from deckwood.strong.terms import BLUE, CANCELLED, CRIT, DEFEATED, GREEN, HIT, MISS, NONE, PURPLE, RED, UNBRIBABLE, YELLOW
from deckwood.tanglewoods.deck import card_text
from deckwood.tanglewoods.render import describe, draw
from deckwood.tanglewoods.spec import SPEC
from deckwood.tanglewoods.state import DAY, IN_DISCARD, IN_LINE, IN_PLAY, NIGHT, NUMBERS, TRAILHEAD, WOLF_FACE
from deckwood.tanglewoods.steps import MERCHANT_VISIT, TRAVEL
from deckwood.tanglewoods.words import node_text

DECK = SPEC.load_deck(None)
FACES = {name: face for face, name in enumerate(DECK.names["faces"])}
FOREST = {name: card for card, name in enumerate(DECK.names["forest"])}


def new(**options):
    """A fresh position at its first node, without a compiler."""
    position = np.zeros(1, SPEC.dtype).view(np.recarray)
    uncompiled(SPEC.rules.setup)(position[0], DECK.tables, SPEC.encode_options(options, DECK))
    return position[0]


def at_step(s, *step):
    """The position with nothing on its agenda but a step."""
    s.node, s.depth = Node.DECISION, 1
    s.agenda[:] = 0
    s.agenda[0, : len(step)] = step
    return s


@pytest.fixture
def fight():
    """The second roll against a wolf and two enemies, one of them defeated."""
    s = new(hero="goose_girl", difficulty=4)
    s.stats[:] = 2, 4, 3
    s.gold = 7
    sides = [("Bramble Fork", DAY), ("Lantern Birches", NIGHT), ("Stillwater", DAY)]
    s.path[:4] = [2 * TRAILHEAD, *(2 * FOREST[name] + side for name, side in sides)]
    s.path_length, s.placed, s.at_card, s.at_place, s.weary = 4, 3, 2, 1, 1
    for slot, name in enumerate(("Night Singer", "Hedge Witch", "Goblin Drummer")):
        s.slot[slot] = FACES[name]
    s.wolves[FACES["Night Singer"] - WOLF_FACE], s.wolves[0] = IN_PLAY, IN_DISCARD
    s.minions[[FACES["Hedge Witch"], FACES["Goblin Drummer"]]] = IN_PLAY
    s.line[:2], s.line_length = (FACES["Pine Ogre"], FACES["Smoke Fox"]), 2
    s.minions[s.line[:2]] = IN_LINE
    s.marks[1], s.extra_health[1] = UNBRIBABLE | CANCELLED, 2
    s.marks[2] = DEFEATED
    s.ready[:], s.exhausted[:], s.banished[:] = (1, 0, 1, 0, 0), (0, 2, 0, 1, 0), (1, 0, 0, 0, 0)
    s.rolled[YELLOW, MISS], s.rolled[BLUE, HIT], s.rolled[PURPLE, CRIT] = 1, 2, 1
    s.applied[0, RED, HIT], s.applied[2, GREEN, HIT] = 1, 2
    s.items[:2], s.used[0] = (FACES["Grindstone"], FACES["Heel of Bread"]), 1
    s.beside[0], s.beside_left[0] = FACES["A Lucky Clover"], 3
    s.passes = 2
    at_step(s, APPLY)
    uncompiled(in_play.refresh)(s, DECK.tables)
    return s


def words(text):
    return " ".join(text.split())


def printed(name):
    """Health, Damage and bribe of an enemy's card."""
    card = DECK.tables.cards[FACES[name]]
    return int(card["health"]), int(card["damage"]), int(card["bribe"])


def test_text_names_what_matters(fight):
    text = words(describe(fight, DECK))
    (singer, singers, _), (witch, witches, _) = printed("Night Singer"), printed("Hedge Witch")
    for fact in (
        "Apply Dice",
        "difficulty 4",
        "Roll 2 of 3",
        "Goose Girl, Combing Her Hair",
        f"Health 2 Strategy 4 (counts 3) Recovery 3 Gold 7 Damage due {singers + witches}",
        "weary: Strategy counts 1 less",
        "ready 1 . 1 . . 2",
        "rolled 1 miss . 2 hit 1 crit . 4",
        "exhausted . 2 . 1 . 3",
        "banished 1 . . . . 1",
        f"1. Night Singer (boss): Health {singer - 1} left of {singer}, Damage {singers}",
        "dice on it: red hit",
        f"2. Hedge Witch (enemy): Health {witch + 2} left of {witch + 2}, Damage {witches}, cancelled, blighted",
        "3. Goblin Drummer (enemy): defeated",
        "dice on it: green hit, green hit",
        "1. Pine Ogre: Health {}, Damage {}, bribe {}".format(*printed("Pine Ogre")),
        "2. Smoke Fox: Health {}, Damage {}, bribe {} (top of the deck)".format(*printed("Smoke Fox")),
        "1. Grindstone (ongoing, upgraded, used)",
        "A Lucky Clover (3 rounds left)",
        "3 day Stillwater: a=",
        ">> 2 night Lantern Birches: a=",
        f"at node b ({node_text(DECK, fight.path[2], 1)}) of Lantern Birches",
        "upper threshold",
        "Greyflank (gone)",
        "Night Singer (here)",
        "7 forest cards, 36 minions, 15 items left",
    ):
        assert fact in text


def test_text_is_plain_and_narrow(fight):
    text = describe(fight, DECK)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 100


def test_text_says_what_is_decided(fight):
    assert "In hand: blue hit." in describe(at_step(fight, TARGET, BLUE, HIT), DECK)

    at_step(fight, MERCHANT_VISIT)
    fight.shop[0] = FACES["Pot Lid"]
    costs = {name: int(cost) for name, cost in zip(NUMBERS, DECK.tables.numbers, strict=True)}
    assert f"Pot Lid ({DECK.tables.cards[FACES['Pot Lid']]['cost']} gold, once)" in describe(fight, DECK)
    prices = "also: upgrade an item {upgrade_cost} gold, recover a die {recover_cost} gold, raise a stat {stat_cost} gold"
    assert prices.format(**costs) in describe(fight, DECK)

    well = FACES["The Honest Well"]
    card = DECK.tables.cards[well]
    at_step(fight, 0, card["first"] + 1, card["first"] + card["count"])
    fight.agenda[1, 0], fight.depth = OFFERED, 2
    offer = card_text(DECK.tables, well).replace("You may: ", "The Honest Well: ")
    assert offer in words(describe(fight, DECK))


def test_text_of_an_end(fight):
    fight.node, fight.depth = Node.END, 0
    for ended, line in ((1, "Won"), (2, "Lost: Health fell below 1 in the forest"), (3, "Lost: Health fell below 1 at Grandma's Cabin")):
        fight.ended = ended
        assert line in describe(fight, DECK)


def test_picture(fight):
    pytest.importorskip("pygame")
    before = fight.tobytes()
    picture = draw(fight, DECK)
    assert picture.shape == (800, 1280, 3)
    assert picture.dtype == np.uint8
    assert fight.tobytes() == before
    assert np.array_equal(picture, draw(fight, DECK))
    assert picture.std() > 20


@pytest.mark.parametrize("field", ["ready", "exhausted", "banished", "rolled", "kept", "applied", "unrolled", "explore"])
def test_picture_shows_every_die(fight, field):
    pytest.importorskip("pygame")
    before = draw(fight, DECK)
    dice = fight[field]
    dice[..., GREEN if dice.ndim == 1 else HIT] += 1
    assert not np.array_equal(before, draw(fight, DECK))


def test_picture_shows_the_place_and_where_it_leads(fight):
    pytest.importorskip("pygame")
    pictures = []
    for place, threshold in ((0, 0), (1, 0), (NONE, 0), (NONE, 2)):
        fight.at_place, fight.at_threshold = place, threshold
        pictures.append(draw(at_step(fight, APPLY), DECK))
        pictures.append(draw(at_step(fight, TRAVEL), DECK))
    for i, picture in enumerate(pictures):
        assert not any(np.array_equal(picture, other) for other in pictures[:i])


def test_every_phase_of_random_games_can_be_shown():
    pytest.importorskip("pygame")
    rng = np.random.default_rng(0)
    seen = set()
    legal, apply, chance, apply_chance = (uncompiled(getattr(SPEC.rules, name)) for name in ("legal", "apply", "chance", "apply_chance"))
    for difficulty in (0, 5, 9):
        s = new(difficulty=difficulty)
        while True:
            phase = SPEC.phase_name(s)
            if phase not in seen or rng.random() < 0.05:
                seen.add(phase)
                text = describe(s, DECK)
                assert text.isascii()
                assert max(map(len, text.splitlines())) <= 100
                assert draw(s, DECK).shape == (800, 1280, 3)
            if s.node == Node.END:
                break
            if s.node == Node.CHANCE:
                weights = np.zeros(SPEC.max_outcomes, np.int32)
                n = chance(s, DECK.tables, weights)
                apply_chance(s, DECK.tables, int(rng.choice(n, p=weights[:n] / weights[:n].sum())))
            else:
                mask = np.zeros(len(SPEC.actions), np.int8)
                legal(s, DECK.tables, mask)
                apply(s, DECK.tables, int(rng.choice(np.flatnonzero(mask))))
    assert len(seen) > 15


def test_every_side_of_every_card_has_room_for_its_nodes():
    from deckwood.tanglewoods.render.nodes import layout
    from deckwood.tanglewoods.render.view import path_card

    for side in range(len(DECK.tables.nodes)):
        card = path_card(DECK, side)
        places = layout(tuple(card.spots), card.lines, 1.8)
        assert places.keys() == card.spots.keys()
        assert len(set(places.values())) == len(places)


def test_without_pygame(monkeypatch, fight):
    monkeypatch.setitem(sys.modules, "pygame", None)
    drawing.load_pygame.cache_clear()
    try:
        with pytest.raises(DeckwoodError, match=r'pip install "deckwood\[render\]"'):
            draw(fight, DECK)
    finally:
        drawing.load_pygame.cache_clear()


HEADLESS = """
import numpy as np
from deckwood.adapters.gymnasium_env import DeckwoodEnv
from deckwood.tanglewoods.spec import SPEC
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
