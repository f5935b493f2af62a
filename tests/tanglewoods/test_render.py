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
from deckwood.strong.steps import APPLY, BANISHING, COMMIT, OFFERED, TARGET
from deckwood.strong.terms import BLUE, CANCELLED, CRIT, DEFEATED, GREEN, HIT, MISS, NONE, PURPLE, RED, UNBRIBABLE, YELLOW
from deckwood.strong.words import question
from deckwood.tanglewoods.deck import WORDS, card_text
from deckwood.tanglewoods.render import describe, draw, picture
from deckwood.tanglewoods.render.view import read_view
from deckwood.tanglewoods.spec import SPEC
from deckwood.tanglewoods.state import (
    BIGGER_BADDER_FACE,
    CABIN,
    DAY,
    FABLE_FACE,
    IN_DECK,
    IN_DISCARD,
    IN_HAND,
    IN_LINE,
    IN_PLAY,
    IN_SHOP,
    ITEM_FACE,
    NIGHT,
    NUM_ENEMIES,
    NUM_ITEMS,
    NUMBERS,
    OUT,
    PLACE_NAMES,
    PLACES,
    POWER_UP_FACE,
    THRESHOLD_NAMES,
    THRESHOLDS,
    TRAILHEAD,
    UPGRADED_FACE,
    WOLF_FACE,
)
from deckwood.tanglewoods.steps import MERCHANT_VISIT, TRAVEL
from deckwood.tanglewoods.words import node_text
from tests.strong import tables
from tests.strong.tables import at_step, check_words, longest, questions, see

__all__ = ["see"]

DECK = SPEC.load_deck(None)
FACES = {name: face for face, name in enumerate(DECK.names["faces"])}
FOREST = {name: card for card, name in enumerate(DECK.names["forest"])}


SHAPE = (picture.HEIGHT, picture.WIDTH, 3)


def new(**options):
    """A fresh position at its first node, without a compiler."""
    return tables.new(SPEC, DECK, **options)


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
        "rolled: miss 1 . . . . 1 rolled: hit . . 2 . . 2 rolled: crit . . . 1 . 1",
        "on cards: hit . 2 . . 1 3",
        "exhausted . 2 . 1 . 3",
        "banished 1 . . . . 1",
        f"1. Night Singer (boss): Health {singer - 1} left of {singer}, Damage {singers}",
        "dice on it: red hit",
        f"2. Hedge Witch (enemy): Health {witch + 2} left of {witch + 2}, Damage {witches}, cancelled, blighted",
        "3. Goblin Drummer (enemy): defeated",
        "dice on it: 2 green hits",
        "1. Pine Ogre: Health {}, Damage {}, bribe {}".format(*printed("Pine Ogre")),
        "2. Smoke Fox: Health {}, Damage {}, bribe {} (top of the deck)".format(*printed("Smoke Fox")),
        "1. Grindstone (upgraded, ongoing, used)",
        "A Lucky Clover (3 rounds left)",
        "3 day Stillwater: a=",
        ">> 2 night Lantern Birches: a=",
        f"at node b ({node_text(DECK, fight.path[2], 1)}) of Lantern Birches",
        "upper threshold",
        "Goose Girl, Combing Her Hair (front)",
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
    assert f"Pot Lid ({DECK.tables.cards[FACES['Pot Lid']]['cost']} gold, basic, once) [buy]" in describe(fight, DECK)
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
    shown = draw(fight, DECK)
    assert shown.shape == SHAPE
    assert shown.dtype == np.uint8
    assert fight.tobytes() == before
    assert np.array_equal(shown, draw(fight, DECK))
    assert shown.std() > 20


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
    for i, shown in enumerate(pictures):
        assert not any(np.array_equal(shown, other) for other in pictures[:i])


def test_every_question_can_be_read(see):
    """The longest offers, choices and tests of the cards that ship, with both options in full."""
    s = crowded()
    for steps in questions(DECK, WORDS, s)[-3:]:
        assert see(SPEC, at_step(s, *steps), DECK).cut == []
        assert words(question(s, DECK, WORDS)) in words(describe(s, DECK))


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
                assert draw(s, DECK).shape == SHAPE
            if s.node == Node.END:
                break
            if s.node == Node.CHANCE:
                weights = np.zeros(SPEC.max_outcomes, np.int32)
                n = chance(s, DECK.tables, weights)
                apply_chance(s, DECK.tables, int(rng.choice(n, p=weights[:n] / weights[:n].sum())))
            else:
                mask = np.zeros(len(SPEC.actions), np.int8)
                legal(s, DECK.tables, mask)
                if rng.random() < 0.04:
                    check_words(SPEC, s, DECK, np.flatnonzero(mask))
                apply(s, DECK.tables, int(rng.choice(np.flatnonzero(mask))))
    assert len(seen) > 15


def crowded():
    """The most enemies, items, cards beside the hero and scouted cards, many dice, a long path, everything else discarded."""
    s = new(hero="piper")
    s.stats[:], s.gold = 6, 20
    for slot, face in enumerate(longest(DECK, WORDS, range(NUM_ENEMIES), 8)):
        s.slot[slot], s.minions[face] = face, IN_PLAY
        s.applied[slot, slot % 5, HIT], s.applied[slot, (slot + 2) % 5, CRIT], s.applied[slot, (slot + 3) % 5, HIT] = 2, 1, 2
    s.marks[0] = CANCELLED | UNBRIBABLE
    s.line[:6] = [face for face in longest(DECK, WORDS, range(NUM_ENEMIES), 14) if face not in s.slot][:6]
    s.line_length, s.minions[s.line[:6]] = 6, IN_LINE
    s.minions[s.minions == IN_DECK] = IN_DISCARD
    s.items[:6], s.used[:3] = longest(DECK, WORDS, range(UPGRADED_FACE, UPGRADED_FACE + NUM_ITEMS), 6), 1
    s.beside[:4], s.beside_left[:4] = longest(DECK, WORDS, range(FABLE_FACE, FABLE_FACE + NUM_ENEMIES), 4), (1, 2, 0, 5)
    s.path[:12] = [2 * TRAILHEAD, *(2 * card + card % 2 for card in range(10)), 2 * CABIN]
    s.path_length, s.placed, s.at_card, s.at_place = 12, 10, 3, 1
    s.weary, s.shield, s.doubled, s.next_mobs, s.passes, s.blighted = 1, 3, 1, 2, 2, 1
    s.ready[:], s.exhausted[:], s.banished[:] = (1, 0, 1, 1, 0), (1, 1, 1, 0, 0), 1
    s.rolled[YELLOW, MISS], s.rolled[GREEN, HIT], s.rolled[BLUE, CRIT], s.rolled[PURPLE, HIT] = 1, 1, 1, 1
    uncompiled(in_play.refresh)(s, DECK.tables)
    return at_step(s, TARGET, YELLOW, HIT)


def shopping():
    """A full shop and full hands, and every other item discarded."""
    s = crowded()
    s.slot[:], s.applied[:] = NONE, 0
    s.items[:6] = longest(DECK, WORDS, range(ITEM_FACE, ITEM_FACE + NUM_ITEMS), 6)
    s.shop[:] = [face for face in range(ITEM_FACE, ITEM_FACE + NUM_ITEMS) if face not in s.items][:3]
    s.item_cards[:] = IN_DISCARD
    s.item_cards[s.items - ITEM_FACE], s.item_cards[s.shop - ITEM_FACE] = IN_HAND, IN_SHOP
    uncompiled(in_play.refresh)(s, DECK.tables)
    return at_step(s, MERCHANT_VISIT)


def last_battle():
    """All dice on the boss, power-ups and four more enemies."""
    s = crowded()
    s.slot[0], s.slot[1:4], s.slot[4:] = (
        BIGGER_BADDER_FACE,
        range(POWER_UP_FACE, POWER_UP_FACE + 3),
        longest(DECK, WORDS, range(NUM_ENEMIES), 4),
    )
    s.applied[:], s.marks[:] = 0, 0
    s.applied[0, :, HIT], s.applied[0, :, CRIT] = (2, 3, 4, 2, 1), (2, 1, 0, 2, 0)
    s.wolves[:], s.endgame, s.at_card, s.at_place = (IN_DISCARD, OUT, IN_PLAY, IN_DECK, IN_DECK), 1, 11, 3
    uncompiled(in_play.refresh)(s, DECK.tables)
    return at_step(s, APPLY)


@pytest.mark.parametrize("table", [crowded, shopping, last_battle])
def test_a_full_table_can_be_read(see, table):
    """Nothing is cut off, nothing lies over anything else, and no card's text is set in the smallest type."""
    s = table()
    seen = see(SPEC, s, DECK)
    assert seen.cut == []
    assert seen.overlapping() == []
    assert seen.colliding() == []
    assert seen.covered() == []
    assert min(size for _, _, size in seen.texts) >= 11
    assert max(map(len, describe(s, DECK).splitlines())) <= 100


def test_picture_and_text_tell_the_same(see):
    """What matters on a full table: names, sides, limits, what is out of play and what may be done, in both."""
    for s in (crowded(), shopping(), last_battle()):
        shown, told = words(see(SPEC, s, DECK).words), words(describe(s, DECK))
        view = read_view(s, DECK)
        table = view.table
        facts = [name for pile in view.piles for name in pile.cards] + [name for name, _ in view.wolves]
        for card in (*table.active, *table.items, *table.beside, *view.line, *view.shop):
            face = getattr(card, "face", card)
            facts += [face.name, *face.choices, *getattr(card, "counts", ()), *[face.side] * bool(face.side)]
        facts += [*table.conditions, table.phase, table.hero.name, table.hero.side, table.hero.back.name]
        for fact in facts:
            assert fact in told, fact
            assert all(word in shown for word in fact.split()), fact


def test_choices_are_marked():
    """Targets, items to use, dice to pick and places to go are those of the mask."""
    s = crowded()
    table = read_view(s, DECK).table
    assert [card.place for card in table.active if card.face.choices == ("target",)] == [
        1,
        2,
        3,
        5,
        6,
        7,
        8,
    ]  # the fourth has its three dice
    assert table.active[3].counts == ("5 of at most 3 dice",)
    s = last_battle()
    table = read_view(s, DECK).table
    assert {(zone, face) for zone, _, face in table.pick} == {("rolled", HIT), ("rolled", CRIT)}
    assert "choose green hit, blue crit, purple hit" in words(describe(s, DECK))
    s.slot[:], s.applied[:], s.rolled[:] = NONE, 0, 0
    assert read_view(at_step(s, BANISHING, 1, 0), DECK).table.pick == {
        ("ready", YELLOW, None), ("ready", BLUE, None), ("ready", PURPLE, None),
        ("exhausted", YELLOW, None), ("exhausted", GREEN, None), ("exhausted", BLUE, None),
    }  # fmt: skip


def test_the_path_shows_where_lines_lead_and_may_be_followed():
    s = at_step(crowded(), TRAVEL)
    row = DECK.tables.paths[s.path[s.at_card]]
    ends = {end for end in range(PLACES + THRESHOLDS) if row[s.at_place] >> end & 1}
    view = read_view(s, DECK)
    assert view.may_travel == set(view.routes) == ends
    lines = describe(s, DECK).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(">>"))
    nodes = dict(node.split("=") for node in lines[at].split(": ")[1].split())
    assert {place for place, node in nodes.items() if node.endswith("@")} == {PLACE_NAMES[s.at_place]}
    assert {place for place, node in nodes.items() if node.endswith("*")} == {PLACE_NAMES[end] for end in ends if end < PLACES}
    names = [PLACE_NAMES[end] if end < PLACES else f"^{THRESHOLD_NAMES[end - PLACES]}" for end in sorted(ends)]
    assert f"{PLACE_NAMES[s.at_place]}->{','.join(names)}" in lines[at + 1]
    assert words(describe(s, DECK)).split("lines to ")[1].split(" Wolves")[0].count("*") == len(ends)


def test_dice_are_counted_against_limits():
    s = crowded()
    s.committed, s.committed_now[:] = 4, (1, 0, 2, 0, 0)
    text = words(describe(at_step(s, COMMIT), DECK))
    assert "0 of at most 1 enemy defeated in this Apply Dice step" in text
    s = last_battle()
    s.committed_now[:] = 1, 0, 2, 0, 0
    text = words(describe(s, DECK))
    assert "3 of at most 5 dice committed at once" in text
    assert "6 of at most 6 damage this round" in text


def test_what_is_out_of_play_is_listed(fight):
    fight.minions[FACES["Bog Serpent"]], fight.minions[FACES["Frost Stag"]] = IN_DISCARD, OUT
    fight.item_cards[FACES["Pot Lid"] - ITEM_FACE] = IN_DISCARD
    text = words(describe(fight, DECK))
    assert "Out of play Minion discard (1): Bog Serpent Item discard (1): Pot Lid Minion cards removed (1): Frost Stag" in text


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
