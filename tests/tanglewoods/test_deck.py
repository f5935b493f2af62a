"""The deck that ships, and what the loader says about decks that are wrong."""

import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckwood.core.errors import DeckError
from deckwood.strong.terms import BOSS, ENEMY, FABLE, HERO, ITEM, NONE, OP, POWER_UP, STAT_MAX, WHEN
from deckwood.tanglewoods.deck import SHIPPED, WORDS, Numbers, card_text, load_deck
from deckwood.tanglewoods.state import (
    BIG_BAD_FACE,
    CABIN,
    ENEMY_FACE,
    FABLE_FACE,
    FROM_THRESHOLD,
    GRIMM_FACE,
    HERO_FACE,
    HOME,
    ITEM_FACE,
    NUM_ENEMIES,
    NUM_HEROES,
    NUM_ITEMS,
    NUM_SIDES,
    NUM_WOLVES,
    NUMBERS,
    PLACES,
    POWER_UP_FACE,
    START,
    THRESHOLDS,
    TRAILHEAD,
    TYPE,
    UNIVERSAL_FACE,
    UPGRADED_FACE,
    WOLF_FACE,
)

DECK = load_deck()
CARDS = DECK.tables.cards[: len(DECK.names["faces"])]  # the table has room for more universal heroes
TEXT = SHIPPED.read_text(encoding="utf-8")


def test_counts_are_those_of_the_rulebook() -> None:
    """The rulebook's Contents: 40 enemy/fable cards, 5 wolf pack cards, 15 items, 5 heroes, a two-sided boss, 15 forest cards, a
    Trailhead, a Cabin; and the Brothers Grimm on the back of the reference card."""
    kinds = Counter(CARDS["kind"][:UNIVERSAL_FACE].tolist())
    assert kinds == {ENEMY: 40, FABLE: 40, BOSS: 5 + 2, POWER_UP: 5, ITEM: 15 + 15, HERO: 2 * 5 + 1}
    assert DECK.tables.nodes.shape == (2 * (15 + 1 + 1), PLACES, 3)
    assert DECK.tables.paths.shape == (NUM_SIDES, PLACES + THRESHOLDS)
    assert len(DECK.names["forest"]) == 17
    assert DECK.names["faces"][GRIMM_FACE] == "Brothers Grimm"
    assert UNIVERSAL_FACE < len(DECK.names["faces"]) <= len(DECK.tables.cards)
    guests, faces = len(DECK.names["heroes"]) - NUM_HEROES, len(DECK.names["faces"]) - UNIVERSAL_FACE
    assert 0 < guests <= faces  # guests of other decks may have a back


@pytest.mark.parametrize(
    ("first", "back", "count"),
    [(ENEMY_FACE, FABLE_FACE, NUM_ENEMIES), (WOLF_FACE, POWER_UP_FACE, NUM_WOLVES), (BIG_BAD_FACE, BIG_BAD_FACE + 1, 1)],
)
def test_two_sides_name_each_other(first: int, back: int, count: int) -> None:
    sides = DECK.tables.cards["other_side"]
    assert sides[first : first + count].tolist() == list(range(back, back + count))
    assert sides[back : back + count].tolist() == list(range(first, first + count))


def test_items_and_heroes_turn_over() -> None:
    cards = CARDS
    assert cards["other_side"][ITEM_FACE:UPGRADED_FACE].tolist() == list(range(UPGRADED_FACE, UPGRADED_FACE + NUM_ITEMS))
    assert set(cards["other_side"][UPGRADED_FACE : UPGRADED_FACE + NUM_ITEMS].tolist()) == {NONE}
    for hero in range(HERO_FACE, GRIMM_FACE, 2):
        assert (cards[hero]["other_side"], cards[hero + 1]["other_side"]) == (hero + 1, hero)
    assert cards[GRIMM_FACE]["other_side"] == NONE
    for face in range(UNIVERSAL_FACE, len(cards)):
        back = int(cards["other_side"][face])
        assert back == GRIMM_FACE or cards["other_side"][back] == face  # the Grimm replace those without a second side
    shepherdess = HERO_FACE + 2 * DECK.names["heroes"].index("shepherdess")
    assert cards["universal"].nonzero()[0].tolist() == [shepherdess, shepherdess + 1, *range(UNIVERSAL_FACE, len(cards))]
    forced = cards["forced"].nonzero()[0]
    assert len(forced) >= 1
    assert all(HERO_FACE <= face < GRIMM_FACE for face in forced)
    playable = [*range(HERO_FACE, GRIMM_FACE), *range(UNIVERSAL_FACE, len(cards))]
    assert all(1 <= stat <= STAT_MAX for face in playable for stat in cards[face]["stats"])


def rows_of(face: int) -> Any:
    card = CARDS[face]
    return DECK.tables.effects[card["first"] : card["first"] + card["count"]]


def test_all_cards_differ() -> None:
    assert len(set(DECK.names["faces"])) == len(DECK.names["faces"])
    seen = set()
    for face, card in enumerate(CARDS):
        own = (*(card[name].tobytes() for name in ("kind", "health", "damage", "bribe", "cost", "uses", "stats")), rows_of(face).tobytes())
        assert own not in seen, DECK.names["faces"][face]
        seen.add(own)
    sides = {DECK.tables.nodes[side].tobytes() + DECK.tables.paths[side].tobytes() for side in range(NUM_SIDES)}
    assert len(sides) == NUM_SIDES


def test_every_word_is_on_a_card_and_every_face_has_a_text() -> None:
    used = set(DECK.tables.effects[: CARDS["count"].sum(), OP].tolist())
    assert [op.name for op in WORDS.values() if op.code not in used] == []
    for face in range(len(CARDS)):
        assert card_text(DECK.tables, face)


def test_rows_are_contiguous_and_sorted() -> None:
    cards = CARDS
    assert cards["first"].tolist() == [0, *np.cumsum(cards["count"])[:-1].tolist()]
    assert not DECK.tables.effects[cards["count"].sum() :].any()
    for face in range(len(cards)):
        assert np.all(np.diff(rows_of(face)[:, WHEN]) >= 0)


def test_every_way_through_the_forest_leads_on() -> None:
    """From each lower threshold (or the start), every walk along the lines comes to an upper threshold (or home) within four nodes."""
    nodes, paths = DECK.tables.nodes, DECK.tables.paths
    for side in range(NUM_SIDES):
        card = side // 2
        starts = [FROM_THRESHOLD + t for t in range(THRESHOLDS)]
        if card == TRAILHEAD:
            starts = [int(np.flatnonzero(nodes[side, :, TYPE] == START)[0])]
        walks = [(start, 0) for start in starts]
        visited = set()
        while walks:
            at, length = walks.pop()
            assert length <= PLACES
            lines = int(paths[side, at])
            assert (lines == 0) == (at < PLACES and nodes[side, at, TYPE] == HOME)
            assert not (card == CABIN and lines >> PLACES)
            targets = [place for place in range(PLACES) if lines >> place & 1]
            assert all(nodes[side, place, TYPE] for place in targets)
            visited |= set(targets) | ({at} if at < PLACES else set())
            walks += [(place, length + 1) for place in targets]
        assert visited == set(np.flatnonzero(nodes[side, :, TYPE]).tolist())
        assert (HOME in nodes[side, :, TYPE]) == (card == CABIN)


def test_numbers() -> None:
    assert tuple(Numbers.model_fields) == NUMBERS
    assert len(DECK.tables.numbers) == len(NUMBERS)


def test_the_shipped_deck_is_loaded_once_and_cannot_be_written_to() -> None:
    assert load_deck() is DECK
    assert load_deck(None) is DECK
    with pytest.raises(ValueError, match="read-only"):
        DECK.tables.cards["health"][0] = 9


def test_a_users_deck_is_loaded_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT.replace('name = "Bramble Hare"\nhealth = 3', 'name = "My Hare"\nhealth = 7'), encoding="utf-8")
    for given in (path, str(path)):
        mine = load_deck(given)  # type: ignore[arg-type]
        assert mine.source == path
        assert mine.names["faces"][ENEMY_FACE] == "My Hare"
        assert mine.tables.cards[ENEMY_FACE]["health"] == 7
    assert mine.digest != DECK.digest
    assert np.array_equal(mine.tables.effects, DECK.tables.effects)
    copy = tmp_path / "copy.toml"
    copy.write_text(TEXT, encoding="utf-8")
    assert load_deck(copy).digest == DECK.digest
    assert load_deck(copy).tables.tobytes() == DECK.tables.tobytes()


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def swap(old: str, new: str) -> Callable[[], str]:
    def change() -> str:
        assert old in TEXT, old
        return TEXT.replace(old, new, 1)

    return change


FIRST_ENEMY = '[[enemy]]\nname = "Bramble Hare"'
POND_NIGHT = 'nodes = { a = "campfire/toll", b = "minion/weary"'
DELL_DAY = 'nodes = { a = "campfire/trap", b = "minion", c = "fable" }\npaths = { left = "b", middle = "a", right = "c"'


@pytest.mark.parametrize(
    ("change", "said"),
    [
        # op, colour, stat, field, count
        (
            swap('op = "crits_only"', 'op = "crit_only"'),
            ['enemy 9 "Grave Moth"', "field effects 1.op", '"crit_only"', 'did you mean "crits_only"', '"no_crits"'],
        ),
        (
            swap('colours = ["blue", "purple"]', 'colours = ["blue", "pruple"]'),
            ['"Marsh Lantern"', "effects 1.colours", '"pruple"', 'did you mean "purple"', '"red"'],
        ),
        (
            swap('stat = "health", count = 1 }, { op = "lose_gold"', 'stat = "helth", count = 1 }, { op = "lose_gold"'),
            ['"Thorn Sprite"', 'fable "Sugar on the Gatepost"', "effects 2.stat", '"helth"', '"health", "strategy", "recovery"'],
        ),
        (
            swap('op = "commit_limit", count = 4', 'op = "commit_limit", cuont = 4'),
            ['"Truffle Hog"', "effects 1.cuont", 'unknown field "cuont"', 'did you mean "count"'],
        ),
        (
            swap('op = "commit_limit", count = 4', 'op = "commit_limit", count = 44'),
            ['"Truffle Hog"', "effects 1.count", "found 44", "a whole number from 0 to 17"],
        ),
        (
            swap('op = "commit_limit", count = 4', 'op = "commit_limit", count = "4"'),
            ['"Truffle Hog"', "effects 1.count", 'found "4"', "a whole number"],
        ),
        (
            swap('when = "rolled", op = "flee"', 'when = "roled", op = "flee"'),
            ['"Bramble Hare"', "effects 1.when", '"roled"', 'did you mean "rolled"'],
        ),
        # cards
        (
            swap(f"{FIRST_ENEMY}\nhealth = 3\n", f"{FIRST_ENEMY}\n"),
            ['enemy 1 "Bramble Hare"', "line ", "field health", "found nothing", "a whole number from 1 to 20"],
        ),
        (swap(FIRST_ENEMY, "[[enemy]]"), ["enemy 1", "name", "found nothing", "a text"]),
        (swap('name = "Truffle Hog"', 'name = "Bramble Hare"'), ["enemy 2", "field name", '"Bramble Hare"', "no other card has"]),
        (swap('key = "tinker"', 'key = "piper"'), ['hero 4 "Tinker"', "field key", '"piper"', "no other card has"]),
        (swap('key = "tinker"', 'key = "The Tinker"'), ['"Tinker"', "field key", '"The Tinker"', "of the form"]),
        (swap('forced_side = "front"', 'forced_side = "left"'), ["Woodcutter's Daughter", "forced_side", '"left"', '"front", "back"']),
        (swap('flip = "camped"', 'flip = "camping"'), ["Shepherdess, Swinging Her Crook", "flip", '"camping"', 'did you mean "camped"']),
        (swap("strategy = 3\n", "strategy = 7\n"), ["Piper, Playing a Jig", "strategy", "found 7", "from 1 to 6"]),
        (swap('uses = "single"', 'uses = "once"'), ['item 1 "Tin Whistle"', "uses", '"once"', '"single", "ongoing"']),
        (swap('trap_die = "blue"', 'trap_die = "black"'), ["numbers.trap_die", '"black"', '"purple"']),
        (swap('weary_stat = "strategy"', 'weary_stat = "health"'), ["numbers.weary_stat", '"health"', 'one of "strategy", "recovery"']),
        (
            swap('level_3_colours = ["green", "blue"]', 'level_3_colours = ["green", "bleu"]'),
            ["numbers.level_3_colours 2", '"bleu"', 'one of "yellow", "green", "blue", "purple", "red"'],
        ),
        (
            swap('level_3_colours = ["green", "blue"]', 'level_3_colours = ["blue", "blue"]'),
            ["numbers.level_3_colours", '["blue", "blue"]', "each colour once"],
        ),
        (
            swap('explore_colours = ["yellow", "green", "blue", "purple", "red"]', "explore_colours = []"),
            ["numbers.explore_colours", "one or more entries"],
        ),
        # fables
        (
            swap('{ op = "keep_card", count = 2 }, { op = "shield_always"', '{ op = "shield_always"'),
            ['"A Watchful Badger"', "effects 1.op", '"shield_always"', "keep_card"],
        ),
        (
            swap('{ op = "offer" }, { op = "pay_gold", count = 2 }, { op = "recover", count = 5 }', '{ op = "offer" }'),
            ['"The Honest Well"', "effects 1.op", '"offer"', "may be declined"],
        ),
        # the forest
        (
            swap('a = "campfire/trap", b = "minion", c = "fable" }', 'a = "campfires/trap", b = "minion", c = "fable" }'),
            ['forest 5 "Foxglove Dell"', "day.nodes.a", '"campfires/trap"', 'did you mean "campfire"'],
        ),
        (swap('b = "fable/toll" }', 'b = "fable/tolls" }'), ["Ogre's Bridge", "day.nodes.b", '"fable/tolls"', 'did you mean "toll"']),
        (swap('a = "minion/mob:2"', 'a = "minion/mob"'), ["Ogre's Bridge", "night.nodes.a", '"minion/mob"', "from 1 to 4"]),
        (
            swap('b = "fable/toll" }', 'b = "fable/mob:1" }'),
            ["Ogre's Bridge", "day.nodes.b", '"fable/mob:1"', "minion and wolf nodes only"],
        ),
        (swap('b = "fable/toll" }', 'b = "home" }'), ["Ogre's Bridge", "day.nodes.b", '"home"', "campfire"]),
        (swap(DELL_DAY, DELL_DAY.replace('left = "b", ', "")), ["Foxglove Dell", "day.paths.left", "no line", "no dead ends"]),
        (swap(DELL_DAY, DELL_DAY.replace('left = "b"', 'left = "d"')), ["Foxglove Dell", "day.paths.left", '"d"', '"a", "b", "c"']),
        (swap(DELL_DAY, DELL_DAY.replace('left = "b"', 'left = "b >left"')), ["Foxglove Dell", "day.paths.left", "to places only"]),
        (swap(DELL_DAY, DELL_DAY.replace('left = "b"', 'left = "a"')), ["Foxglove Dell", "day.nodes.b", "no line reaches"]),
        (swap('c = ">middle" }\n[forest.night]', 'c = "a" }\n[forest.night]'), ["Bramble Fork", "day.paths.a", "no way back"]),
        (swap('b = "d", c = "d" }', 'b = "d", c = ">left" }'), ["Grandma's Cabin", "day.paths.c", '">left"', '"d"']),
        (
            swap('[trailhead.day]\nnodes = { a = "start" }', '[trailhead.day]\nnodes = { a = "minion" }'),
            ["Trailhead", "day.nodes", "exactly one start"],
        ),
        (
            swap(f'{POND_NIGHT} }}\npaths = {{ left = "a"', 'nodes = { b = "minion/weary" }\npaths = { left = "b"'),
            ["Stillwater", "night.paths.a", '"a"', "lines from"],
        ),
        (swap(POND_NIGHT, f'{POND_NIGHT}, c = "fable"'), ["Stillwater", "night.paths.c", "no line", "no dead ends"]),
        (
            swap(
                f"{POND_NIGHT} }}\npaths = {{ ",
                f'{POND_NIGHT}, c = "fable" }}\npaths = {{ c = ">left", ',
            ),
            ["Stillwater", "night.nodes.c", "no line reaches"],
        ),
        (
            swap(
                f'{POND_NIGHT} }}\npaths = {{ left = "a"',
                f'{POND_NIGHT}, c = "fable" }}\npaths = {{ c = ">left", left = "a c"',
            ),
            ["Stillwater", "night.nodes", '["a", "b", "c"]', "the places of the day side, a, b"],
        ),
    ],
)
def test_a_wrong_deck_is_refused(tmp_path: Path, change: Callable[[], str], said: list[str]) -> None:
    """File, card, field, what was found and what is allowed."""
    message = refused(tmp_path, change())
    for words in (*said, "found", "allowed: "):
        assert words in message
    assert "1 problem" in message.splitlines()[0]


def test_a_misspelt_part_of_the_file(tmp_path: Path) -> None:
    message = refused(tmp_path, TEXT.replace("[grimm]", "[grim]"))
    assert 'found an unknown field "grim"; allowed: one of "title"' in message
    assert 'did you mean "grimm"?' in message
    assert "field grimm: found nothing; allowed: a table with the fields name, effects" in message


def test_a_deck_of_39_enemies(tmp_path: Path) -> None:
    start = TEXT.index("[[enemy]]")
    message = refused(tmp_path, TEXT[:start] + TEXT[TEXT.index("[[enemy]]", start + 1) :])
    assert "field enemy: found 39 entries; allowed: exactly 40 entries" in message


def test_all_problems_are_listed(tmp_path: Path) -> None:
    message = refused(
        tmp_path, TEXT.replace('name = "Truffle Hog"\nhealth = 4', 'name = "Truffle Hog"\nhealth = 0').replace("damage_cap", "damage_cup")
    )
    assert "3 problems" in message
    assert "Truffle Hog" in message
    assert "Big Bad Wolf" in message
    assert "Bigger Badder Wolf" in message
    message = refused(tmp_path, TEXT.replace("health = ", "helth = "))
    assert "... and " in message
    assert len(message.splitlines()) == 22


def test_an_empty_file_names_what_is_missing(tmp_path: Path) -> None:
    message = refused(tmp_path, "")
    for field in ("title", "numbers", "hero", "enemy", "wolf", "item", "boss", "forest"):
        assert f"field {field}: found nothing" in message


def test_an_entry_of_the_wrong_type(tmp_path: Path) -> None:
    message = refused(tmp_path, TEXT.replace('colours = ["blue", "purple"]', 'colours = ["blue", 3]'))
    assert '"Marsh Lantern"' in message
    assert "found 3; allowed: a text" in message
    message = refused(tmp_path, "enemy = [7]")
    assert "field enemy 1: found 7; allowed: a table with the fields name, health" in message


def test_the_line_of_a_card_is_named(tmp_path: Path) -> None:
    message = refused(tmp_path, TEXT.replace('op = "crits_only"', 'op = "crit_only"'))
    line = next(number for number, text in enumerate(TEXT.splitlines(), 1) if "Grave Moth" in text)
    assert f"line {line}," in message


def test_toml_syntax(tmp_path: Path) -> None:
    line = TEXT.splitlines().index("health = 3") + 1
    message = refused(tmp_path, TEXT.replace("health = 3", "health = = 3", 1))
    assert f"line {line}, column 10" in message
    assert "health = = 3" in message
    assert "not valid TOML" in refused(tmp_path, TEXT + "\nnote = [1,")
    assert "not valid TOML" in refused(tmp_path, TEXT + "\n[boss]\n")


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"no\.toml: cannot be read \(No such file"):
        load_deck(tmp_path / "no.toml")
    with pytest.raises(DeckError, match="cannot be read"):
        load_deck(tmp_path)
    path = tmp_path / "latin.toml"
    path.write_bytes(b'title = "x"\nnote = "\xe9"\n')
    with pytest.raises(DeckError, match=r"line 2: found a byte that is not UTF-8"):
        load_deck(path)


def test_windows_line_endings(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(TEXT.replace("\n", "\r\n").encode())
    assert np.array_equal(load_deck(path).tables.effects, DECK.tables.effects)


def test_the_shipped_file_says_that_its_cards_are_stand_ins() -> None:
    data = tomllib.loads(TEXT)
    assert "Stand-in" in data["title"]
    assert "our own" in data["note"]
