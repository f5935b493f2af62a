"""The deck that ships, and what the loader says about decks that are wrong."""

import copy
import json
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckwood.core.errors import DeckError
from deckwood.etherfields.deck import CHOOSE, EVENTS, SHIPPED, WORDS, Numbers, load_deck
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import (
    ACTION_FACE,
    BOSS_FACE,
    CELLS,
    HERO_FACE,
    INFLUENCE_CARD,
    ITEM_CARD,
    MAX_GUESTS,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_MAPS,
    NUMBERS,
    RESOURCES,
    SPACE_ACTIONS,
    TIMINGS,
    UNIVERSAL_FACE,
)
from deckwood.strong.deck import ENEMY_MOMENTS, SYSTEM_EVENTS, card_text
from deckwood.strong.terms import BOSS, ENEMY, HERO, INFLUENCE, ITEM, MAP_ACTION, NONE, OP, PER, PERS, STAT_MAX, WHEN, WHENS
from tests.etherfields.scenario import PLAIN, Scenario, compiled, enemy, instant, item, ongoing, space

DECK = load_deck()
CARDS = DECK.tables.cards
TEXT = SHIPPED.read_text(encoding="utf-8")
ELSEWHERE = {
    **dict.fromkeys(("gain_gold", "lose_gold", "pay_gold", "price_change"), "there is no gold and no merchant"),
    **dict.fromkeys(("bribe_change", "no_bribes"), "nobody can be bribed"),
    "upgrade_item": "items flip by what they say themselves",
    "keep_card": "it is fables that are kept",
    "damage_cap": "damage does not last beyond the round: a limit below an enemy's Health would make it invincible, any other does nothing",
}
"""Words of the system that no card of Etherfields has, with the reason."""

# The deck that ships


def test_counts_are_those_of_the_rulebook() -> None:
    """Contents: 5 hero cards, 5 boss cards, 27 enemy cards, 21 influence cards, 10 map cards, 12 item cards, by their A sides."""
    assert Counter(CARDS["kind"][:NUM_CARDS].tolist()) == {ENEMY: 27, INFLUENCE: 21, ITEM: 12}
    assert CARDS["kind"][:INFLUENCE_CARD].tolist() == [ENEMY] * 27
    assert CARDS["kind"][ITEM_CARD:NUM_CARDS].tolist() == [ITEM] * 12
    assert CARDS["kind"][BOSS_FACE:HERO_FACE].tolist() == [BOSS] * 10
    assert CARDS["kind"][HERO_FACE:UNIVERSAL_FACE].tolist() == [HERO] * 10
    assert len(DECK.names["maps"]) == len(DECK.names["letters"]) == 2 * NUM_MAPS == 20
    assert (NUM_HEROES, NUM_BOSSES) == (5, 5)


def test_some_cards_change_their_type() -> None:
    """Due to some cards changing their type when flipped: of each type there are such cards."""
    front, back = CARDS["kind"][:NUM_CARDS], CARDS["kind"][NUM_CARDS : 2 * NUM_CARDS]
    assert set(back.tolist()) <= {ENEMY, INFLUENCE, ITEM}
    for kind in (ENEMY, INFLUENCE, ITEM):
        assert ((front == kind) & (back != kind)).any()


def test_names_differ() -> None:
    names = [name for name in DECK.names["faces"] if name] + list(DECK.names["maps"])
    assert len(set(names)) == len(names)


def test_some_bosses_must_wait() -> None:
    """Choose a boss: some bosses cannot be faced until certain items and enemies are in play; the recommended first boss can."""
    needs = (DECK.tables.requires[: 2 * NUM_BOSSES] != NONE).any(axis=1)
    assert needs.any()
    assert not needs[:2][0]
    assert SPEC.load_deck(None) is DECK


def test_universal_heroes() -> None:
    """Universal Heroes: some heroes may be used in other decks."""
    universal = CARDS["universal"][HERO_FACE:UNIVERSAL_FACE].reshape(NUM_HEROES, 2)
    assert (universal[:, 0] == universal[:, 1]).all()
    assert universal.any()
    keys = DECK.names["heroes"]
    assert keys[-1] == CHOOSE
    assert len(keys) <= NUM_HEROES + MAX_GUESTS + 1


def test_heroes_turn_one_way() -> None:
    """Each hero has a non-lucid side and a lucid side, and a way to become lucid."""
    flips = int(WORDS["flip_hero"].code)
    for hero in range(NUM_HEROES):
        front = HERO_FACE + 2 * hero
        assert CARDS[front]["other_side"] == front + 1
        assert CARDS[front + 1]["other_side"] == NONE
        assert flips in rows_of(front)[:, OP]
        assert all(1 <= stat <= STAT_MAX for side in (front, front + 1) for stat in CARDS[side]["stats"])


def rows_of(face: int) -> Any:
    card = CARDS[face]
    return DECK.tables.effects[card["first"] : card["first"] + card["count"]]


OWN_FACES = [*range(UNIVERSAL_FACE), *range(ACTION_FACE, len(CARDS))]
"""All but the guests from other decks."""


def own_rows() -> Any:
    return np.concatenate([rows_of(face) for face in OWN_FACES])


def test_every_word_is_on_a_card() -> None:
    """... or there is a reason why none has it. The same goes for moments, multipliers and times of influence cards."""
    rows = own_rows()
    words = {op.name for op in WORDS.values() if op.code in set(rows[:, OP].tolist())}
    assert set(WORDS) - words == set(ELSEWHERE)
    moments = {WHENS[when] for when in set(rows[:, WHEN].tolist())}
    assert moments == {*ENEMY_MOMENTS, *SYSTEM_EVENTS, *EVENTS, "always", "during", "reward", "use"}
    assert {PERS[per] for per in set(rows[:, PER].tolist())} == set(PERS)
    assert set(DECK.tables.timing[: 2 * NUM_CARDS].tolist()) == set(range(len(TIMINGS)))


def test_the_breadth_of_the_deck() -> None:
    """Enemies and bosses act at each of their moments, some of them beyond their defeat. Some effects work differently depending on the
    ether, on cards of every kind. Some spaces have two unique actions, and some bring two enemies."""
    at_work = {(int(CARDS[face]["kind"]), WHENS[row[WHEN]]) for face in OWN_FACES for row in rows_of(face)}
    assert {when for kind, when in at_work if kind == ENEMY} == {"during", "always", "reward", *ENEMY_MOMENTS}
    assert {when for kind, when in at_work if kind == BOSS} == {"during", "always", "endgame", "activation", *ENEMY_MOMENTS}
    if_ether = WORDS["if_ether"].code
    kinds = {int(CARDS[face]["kind"]) for face in OWN_FACES if if_ether in rows_of(face)[:, OP]}
    assert kinds == {ENEMY, BOSS, HERO, INFLUENCE, ITEM}
    assert (DECK.tables.unique != NONE).sum(axis=2).max() == SPACE_ACTIONS
    assert DECK.tables.skulls.max() == 2


def test_every_face_has_a_text() -> None:
    for face in range(UNIVERSAL_FACE):
        if CARDS[face]["count"]:
            assert card_text(DECK.tables, face, WORDS)


def test_rows_are_contiguous_and_sorted() -> None:
    assert CARDS["first"].tolist() == [0, *np.cumsum(CARDS["count"])[:-1].tolist()]
    for face in range(len(CARDS)):
        assert np.all(np.diff(rows_of(face)[:, WHEN]) >= 0)


def test_the_map_of_the_deck() -> None:
    """Exactly one card has the Dream Entrance, on both sides; the boss can be activated somewhere; every space is one of its card's."""
    entrance = DECK.tables.entrance.reshape(NUM_MAPS, 2)
    assert ((entrance != NONE).sum(axis=1) > 0).sum() == 1
    assert (entrance[(entrance != NONE).any(axis=1)] != NONE).all()
    summon = WORDS["summon"].code
    faces = [face for face in DECK.tables.unique.flatten().tolist() if face != NONE]
    assert len(set(faces)) == len(faces)
    assert all(CARDS[face]["kind"] == MAP_ACTION and face >= ACTION_FACE for face in faces)
    assert any(summon in rows_of(face)[:, OP] for face in faces)
    for row in range(2 * NUM_MAPS):
        spaces = set(DECK.tables.space_at[row].tolist())
        assert spaces == set(range(len(DECK.names["letters"][row])))
        doors = DECK.tables.doors[row]
        for here in spaces:
            assert not doors[here] >> here & 1
            assert all(doors[there] >> here & 1 for there in spaces if doors[here] >> there & 1), "borders count both ways"


def test_the_dream_entrance_is_at_the_center() -> None:
    """Setup: find the map card with the Dream Entrance at the center."""
    for row in range(2 * NUM_MAPS):
        if DECK.tables.entrance[row] != NONE:
            assert DECK.tables.space_at[row][CELLS // 2] == DECK.tables.entrance[row]


def test_every_ether_can_be_reached_for_a_boss() -> None:
    """Certain bosses require a particular ether, and some unique map actions let you change it."""
    unique = {face for face in DECK.tables.unique.flatten().tolist() if face != NONE}
    ops = {int(row[OP]) for face in unique for row in rows_of(face)}
    assert ops & {WORDS["advance_ether"].code, WORDS["set_ether"].code}
    assert (DECK.tables.conditions[:, 0] != NONE).any()


def test_all_resources_are_given_and_asked_for() -> None:
    """There are three resources used to take actions."""
    assert RESOURCES == ("awareness", "cunning", "wrath")
    assert (DECK.tables.yields[: 2 * NUM_CARDS].sum(axis=0) > 0).all()
    assert (np.maximum(DECK.tables.costs, 0).sum(axis=(0, 1)) > 0).all()


def test_numbers() -> None:
    assert tuple(Numbers.model_fields) == NUMBERS
    assert DECK.tables.numbers.tolist() == [5, 2, 2, 0]


def test_the_shipped_deck_is_loaded_once_and_cannot_be_written_to() -> None:
    assert load_deck() is DECK
    with pytest.raises(ValueError, match="read-only"):
        DECK.tables.cards["health"][0] = 9


def test_the_shipped_file_says_that_its_cards_are_stand_ins() -> None:
    data = tomllib.loads(TEXT)
    assert "Stand-in" in data["title"]
    assert "our own" in data["note"]


# Files


def toml(value: Any) -> str:
    """A value in TOML, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {toml(inner)}" for name, inner in value.items() if inner is not None) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def written(tmp_path: Path, file: dict[str, Any]) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text("".join(f"{name} = {toml(value)}\n" for name, value in file.items()), encoding="utf-8")
    return path


def test_a_users_deck_is_loaded_by_its_path(tmp_path: Path) -> None:
    file = copy.deepcopy(PLAIN)
    file["enemy"][3]["a"].update(name="My Hare", health=7)
    for given in (path := written(tmp_path, file), str(path)):
        mine = load_deck(given)
        assert mine.source == path
        assert mine.names["faces"][3] == "My Hare"
        assert mine.tables.cards[3]["health"] == 7
    assert mine.digest != DECK.digest
    assert mine.names["heroes"][:5] == ("hero0", "hero1", "hero2", "hero3", "hero4")


def changed(where: Sequence[str | int], value: Any) -> dict[str, Any]:
    """The plain deck with one thing changed; the value "absent" takes it away."""
    file = copy.deepcopy(PLAIN)
    part: Any = file
    for name in where[:-1]:
        part = part[name]
    if value == "absent":
        del part[where[-1]]
    else:
        part[where[-1]] = value
    return file


A_SPACE = ["map", 2, "a", "space", "a"]
LASTING = {"op": "strategy_change", "count": 1}
ONCE = {"op": "recover", "count": 1}
INFLUENCE_SIDE = instant(ONCE, name="Some Card")

WRONG: dict[str, tuple[Sequence[str | int], Any, Sequence[str]]] = {
    # counts
    "enemies": (["enemy"], PLAIN["enemy"][1:], ["field enemy", "found 26 entries; allowed: exactly 27 entries"]),
    "influence cards": (["influence"], PLAIN["influence"][1:], ["found 20 entries; allowed: exactly 21 entries"]),
    "items": (["item"], PLAIN["item"][1:], ["found 11 entries; allowed: exactly 12 entries"]),
    "map cards": (["map"], PLAIN["map"][:9], ["found 9 entries; allowed: exactly 10 entries"]),
    "heroes": (["hero"], PLAIN["hero"][1:], ["found 4 entries; allowed: exactly 5 entries"]),
    "bosses": (["boss"], PLAIN["boss"][1:], ["found 4 entries; allowed: exactly 5 entries"]),
    # names and keys
    "two of a name": (["item", 4, "b", "name"], "Enemy 2", ['"Enemy 2"', "a name that no other card has"]),
    "two maps of a name": (["map", 4, "b", "name"], "Map 3", ['"Map 3"', "a name that no other card has"]),
    "two of a key": (["hero", 2, "key"], "hero0", ["field key", '"hero0"', "a key that no other card has"]),
    "a wrong key": (["boss", 2, "key"], "The Boss", ["field boss 3.key", '"The Boss"', "of the form"]),
    "no name": (["enemy", 2, "a", "name"], "absent", ["field enemy 3.a.name", "found nothing; allowed: a text"]),
    # numbers
    "hand size": (["numbers", "hand_size"], 9, ["numbers.hand_size", "found 9; allowed: a whole number from 1 to 8"]),
    "first ether": (["numbers", "first_ether"], "white", ["numbers.first_ether", '"white"', '"purple"']),
    "a number too many": (["numbers", "hand"], 3, ['unknown field "hand"', 'did you mean "hand_size"']),
    # types of sides
    "an unknown type": (["enemy", 1, "b", "type"], "spell", ["enemy 2", 'found type "spell"', '"enemy", "influence", "item"']),
    "no type": (["enemy", 1, "b", "type"], "absent", ["enemy 2", "found no type", 'type = one of "enemy", "influence", "item"']),
    "an a side of another type": (["enemy", 1, "a"], {**item(), "name": "X"}, ["enemy 2", "field type", '"item"', '"enemy"']),
    "an enemy's health": (["enemy", 1, "a", "health"], 0, ['"Enemy 1"', "health", "found 0; allowed: a whole number from 1 to 20"]),
    "gold": (["enemy", 1, "a", "reward"], [{"op": "gold"}], ['"Enemy 1"', "reward 1.op", '"gold"']),
    # influence cards
    "no resources": (["influence", 1, "a", "gives"], "absent", ['"Influence 1"', "gives", "found nothing"]),
    "an unknown resource": (["influence", 1, "a", "gives"], {"anger": 1}, ['"Influence 1"', 'unknown field "anger"', '"wrath"']),
    "a resource of 0": (["influence", 1, "a", "gives"], {"wrath": 0}, ['"Influence 1"', "wrath", "found 0", "from 1 to 9"]),
    "neither instant nor ongoing": (["influence", 1, "a", "action"], "slow", ['"slow"', '"instant", "ongoing"']),
    "an unknown timing": (["influence", 1, "a", "timing"], "dawn", ['"dawn"', '"any", "activation", "engagement", "apply"']),
    "a timing of an ongoing card": (
        ["influence", 1, "a"],
        {**ongoing(name="X", timing="apply"), "type": "influence"},
        ['"X"', "timing", '"apply"', '"any" for an ongoing card'],
    ),
    "a lasting instant": (
        ["influence", 1, "a", "effects"],
        [LASTING],
        ["effects 1.op", '"strategy_change"', "an instruction that is followed at once"],
    ),
    "an instant that waits": (
        ["influence", 1, "a", "effects"],
        [{**ONCE, "when": "engaged"}],
        ["effects 1.op", '"recover"', "followed at once"],
    ),
    "no effects": (["influence", 1, "a", "effects"], [], ["effects", "one or more"]),
    # where words are allowed
    "summoning by a card": (["influence", 1, "a", "effects"], [{"op": "summon"}], ["effects 1.op", '"summon"', "this op on the map only"]),
    "summoning by an item": (["item", 1, "a", "effects"], [{"op": "summon"}], ["effects 1.op", '"summon"', "this op on the map only"]),
    "summoning by an enemy": (
        ["enemy", 1, "a", "effects"],
        [{"op": "summon", "when": "after"}],
        ["effects 1.op", "this op on the map only"],
    ),
    "summoning as a reward": (["enemy", 1, "a", "reward"], [{"op": "summon"}], ["reward 1.op", "this op on the map only"]),
    "a boss that flips itself": (
        ["boss", 1, "a", "effects"],
        [{"op": "flip_card", "when": "after"}],
        ["effects 1.op", '"flip_card"', "on a boss"],
    ),
    "a boss that flees": (
        ["boss", 1, "a", "effects"],
        [{"op": "return_to_deck", "when": "after"}],
        ["effects 1.op", "no way out of the battle for a boss"],
    ),
    "a hero that banishes itself": (
        ["hero", 1, "front", "effects"],
        [{"op": "banish_card"}],
        ["effects 1.op", '"banish_card"', "on a hero"],
    ),
    "a map action about a card": (
        [*A_SPACE],
        space({"op": "flip_card"}, name="X"),
        ["effects 1.op", '"flip_card"', "no op about this card, on the map"],
    ),
    "a lasting map action": ([*A_SPACE], space(LASTING, name="X"), ["effects 1.op", "followed at once"]),
    "a moment of another deck": (["hero", 1, "front", "flip"], "camped", ["flip", '"camped"', '"explored"']),
    "an item for a single use": (["item", 1, "a", "effects"], [{**ONCE, "when": "engaged"}], ["uses", '"single"', 'when = "use"']),
    "if_ether without a colour": (
        ["item", 1, "a", "effects"],
        [{"op": "if_ether", "count": 1}, ONCE],
        ["effects 1.colour", 'found "nothing"; allowed: one of yellow'],
    ),
    "if_ether of too many": (
        ["item", 1, "a", "effects"],
        [{"op": "if_ether", "colour": "red", "count": 2}, ONCE],
        ["effects 1.count", "found 2", "at most the 1 that follow"],
    ),
    # bosses
    "a boss that needs nobody's card": (["boss", 1, "a", "requires"], ["Enemi 3"], ["requires", '"Enemi 3"', 'did you mean "Enemy 3']),
    "a boss that needs too many": (["boss", 1, "a", "requires"], [f"Enemy {i}" for i in range(5)], ["requires", "entries"]),
    "a condition of an unknown ether": (["boss", 1, "a", "endgame"], {"ether": "white"}, ["endgame.ether", '"white"', '"red"']),
    "a condition of too many maps": (["boss", 1, "a", "endgame"], {"maps": 11}, ["endgame.maps", "found 11", "from 1 to 10"]),
    "an unknown condition": (["boss", 1, "a", "endgame"], {"items_held": 1}, ['unknown field "items_held"', '"items"']),
    # the map
    "two rows": (["map", 2, "a", "layout"], ["aab", "ccd"], ["layout", "exactly 3 entries"]),
    "a row of four": (["map", 2, "a", "layout"], ["aab", "ccdd", "eee"], ["layout 2", '"ccdd"']),
    "a space in pieces": (["map", 2, "a", "layout"], ["aba", "bcd", "eee"], ["layout", "space a in pieces", "spaces that hang together"]),
    "a space that is not there": (["map", 2, "a", "space", "x"], {}, ["space.x", '"x"', '"a"']),
    "an entrance that is not there": (["map", 0, "a", "entrance"], "x", ["entrance", '"x"', '"c"']),
    "a wall between spaces that do not touch": (
        ["map", 2, "a", "walls"],
        ["ae"],
        ["walls", '"ae"', "two letters of spaces that touch: ab, ac, ad"],
    ),
    "a wall of three": (["map", 2, "a", "walls"], ["abc"], ["walls", '"abc"', "two letters"]),
    "an edge that is not there": (["map", 2, "a", "closed"], ["noth"], ["closed", '"noth"', 'did you mean "north"']),
    "a space behind walls": (
        ["map", 2, "a", "walls"],
        ["ac", "bc", "cd", "ce"],
        ["walls", "space c behind walls on all sides", "a way into every space"],
    ),
    "an arrow to nowhere": (
        [*A_SPACE],
        {"explore": {"to": "up", "awareness": 1}},
        ["explore.to", '"up"', '"north", "east", "south", "west"'],
    ),
    "a free arrow": ([*A_SPACE], {"explore": {"to": "north", "awareness": 0}}, ["explore.awareness", "found 0", "from 1 to 9"]),
    "too many skulls": ([*A_SPACE], {"skulls": 4}, ["skulls", "found 4", "from 0 to 3"]),
    "three actions": ([*A_SPACE], {"action": [{"name": f"X{i}", "effects": [ONCE]} for i in range(3)]}, ["action", "found 3 entries"]),
    "three costs": ([*A_SPACE], space(ONCE, name="X", cost=[{"wrath": 1}] * 3), ["cost", "found 3 entries"]),
    "an action without effects": ([*A_SPACE], {"action": [{"name": "X", "effects": []}]}, ["effects", "one or more"]),
    "a second entrance": (
        ["map", 3, "a", "entrance"],
        "a",
        ["field map", "2 cards with an entrance", "exactly one card with the Dream Entrance, on one of its sides or on both"],
    ),
    "parts of the file": (["titel"], "x", ['unknown field "titel"', 'did you mean "title"']),
}


@pytest.mark.parametrize("what", WRONG)
def test_refused(tmp_path: Path, what: str) -> None:
    """A wrong file is refused with where, what was found, and what is allowed."""
    where, value, said = WRONG[what]
    path = written(tmp_path, changed(where, value))
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    message = str(caught.value)
    assert message.startswith(f"deck file {path}: ")
    assert "; allowed: " in message
    for words in said:
        assert words in message


def test_the_map_needs_an_entrance_and_a_way_to_the_boss(tmp_path: Path) -> None:
    """Setup: find the map card with the Dream Entrance. Endgame: find the one with the action that activates the boss. On either side."""
    file = copy.deepcopy(PLAIN)
    bedroom = file["map"][0]
    bedroom["a"]["entrance"] = None
    bedroom["b"]["space"]["c"] = {}
    assert load_deck(written(tmp_path, file)).tables.entrance[:2].tolist() == [NONE, 2]
    bedroom["a"]["space"]["c"] = {}
    with pytest.raises(DeckError, match='found "no such card"; allowed: a card with a unique action "summon"'):
        load_deck(written(tmp_path, file))
    bedroom["b"]["entrance"] = None
    with pytest.raises(DeckError, match='found "0 cards with an entrance"; allowed: exactly one card with the Dream Entrance'):
        load_deck(written(tmp_path, file))


def test_bosses_that_all_wait(tmp_path: Path) -> None:
    """Some bosses cannot be faced until certain cards are in play: with a fresh deck someone can."""
    file = copy.deepcopy(PLAIN)
    for boss in file["boss"]:
        boss["a"]["requires"], boss["b"]["requires"] = ["Enemy 3, turned"], ["Enemy 3"]
    with pytest.raises(DeckError, match='found "bosses that all wait for flipped cards"; allowed: an A side'):
        load_deck(written(tmp_path, file))
    file["boss"][4]["a"]["requires"] = ["Enemy 3"]
    assert load_deck(written(tmp_path, file)).names["bosses"] == ("boss0", "boss1", "boss2", "boss3", "boss4", CHOOSE)


def test_too_many_actions(tmp_path: Path) -> None:
    file = copy.deepcopy(PLAIN)
    for i, card in enumerate(file["map"]):
        for side in "ab":
            for letter in "abde":
                card[side]["space"][letter]["action"] = [{"name": f"{i}{side}{letter}{k}", "effects": [ONCE]} for k in range(2)]
    with pytest.raises(DeckError, match='found "162 unique actions"; allowed: at most 96'):
        load_deck(written(tmp_path, file))


def test_too_many_effects(tmp_path: Path) -> None:
    """The tables have room for so many effects: more are refused as a deck error, not by a crash."""
    file = copy.deepcopy(PLAIN)
    for card in file["enemy"]:
        for side in "ab":
            card[side]["effects"] = [{"op": "recover", "count": 1, "when": "after"}] * 20
    with pytest.raises(DeckError, match="effects"):
        load_deck(written(tmp_path, file))


def test_all_problems_are_listed(tmp_path: Path) -> None:
    file = changed(["enemy", 1, "a", "health"], 0)
    file["item"][2]["a"]["uses"] = "twice"
    file["map"][3]["a"]["closed"] = ["up"]
    with pytest.raises(DeckError) as caught:
        load_deck(written(tmp_path, file))
    assert "3 problems" in str(caught.value)
    for name in ("Enemy 1", "Item 2", "Map 3"):
        assert name in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"no\.toml: cannot be read"):
        load_deck(tmp_path / "no.toml")
    (tmp_path / "broken.toml").write_text("title = = 3", encoding="utf-8")
    with pytest.raises(DeckError, match="not valid TOML"):
        load_deck(tmp_path / "broken.toml")


# What becomes of it in the tables


def test_tables_of_cards() -> None:
    """What a card gives, costs and when it may be played."""
    file = copy.deepcopy(PLAIN)
    file["influence"][2]["a"].update(gives={"awareness": 2, "wrath": 1}, cost={"cunning": 3}, timing="apply")
    file["item"][1]["b"] = {**item(gives={"cunning": 4}), "name": "X"}
    file["enemy"][5]["b"] = {**ongoing(gives={"wrath": 1}), "name": "Y"}
    t = compiled(file).tables
    card = INFLUENCE_CARD + 2
    assert t.yields[card].tolist() == [2, 0, 1]
    assert t.costs[card].tolist() == [[0, 3, 0], [NONE] * 3]
    assert t.timing[card] == 3
    assert t.yields[NUM_CARDS + ITEM_CARD + 1].tolist() == [0, 4, 0]
    assert t.cards[NUM_CARDS + 5]["kind"] == INFLUENCE
    assert t.yields[5].tolist() == [0, 0, 0]


def test_tables_of_the_map() -> None:
    """Spaces are numbered as they come; walls and closed edges are left out."""
    file = copy.deepcopy(PLAIN)
    file["map"][4]["b"].update(
        layout=["cca", "cba", "bba"],
        walls=["ac"],
        closed=["east", "north west"],
        space={"b": {"skulls": 2, "explore": {"to": "south", "awareness": 3}}},
    )
    deck = compiled(file)
    t, row = deck.tables, 9
    assert deck.names["letters"][row] == "cab"
    assert t.space_at[row].tolist() == [0, 0, 1, 0, 2, 1, 2, 2, 1]
    assert t.doors[row][:3].tolist() == [0b100, 0b100, 0b011]
    assert t.edges[row].tolist() == [0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert t.skulls[row][:3].tolist() == [0, 0, 2]
    assert t.explore[row][2].tolist() == [2, 3]
    assert t.explore[row][0].tolist()[0] == NONE


def test_a_scenario_is_such_a_deck() -> None:
    s = Scenario(enemies=[enemy(health=2)], influence=[INFLUENCE_SIDE])
    assert s.deck.tables.cards[0]["health"] == 2
    assert s.names["faces"][INFLUENCE_CARD] == "Some Card"
