"""The deck that ships, and what the loader says about decks that are wrong: file, card, field, what was found, what is allowed."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from deckwood.core.errors import DeckError
from deckwood.core.game import Game
from deckwood.lost_woods.deck import SHIPPED, load_deck
from deckwood.lost_woods.spec import SPEC
from deckwood.lost_woods.state import NONE
from tests.lost_woods.scenario import Table

DECK = load_deck()
TEXT = SHIPPED.read_text(encoding="utf-8")
BROOK = 'name = "Frozen Brook"\ndeck = "north"\nways = "NS"'
GOBLIN = 'name = "Goblin"\ndie = 4\ngold = 1\ntiles = 3'
BEAR = 'name = "The Great Bear"\ndeck = "north"\ndice = [6, 6, 8]\ngold = 5'
DIRECTIONS = ("north", "east", "south", "west")


def test_counts_are_those_of_the_rulebook() -> None:
    """The rulebook's Contents: twelve cards of each direction, 66 tiles, eight spells, four guardians."""
    assert len(DECK.names["spaces"]) == 3 + 4 * 12
    assert len(set(DECK.names["spaces"])) == 51
    assert DECK.tables.tiles.sum() == 66
    assert len(DECK.names["spells"]) == 8
    assert len(DECK.names["guardians"]) == 4


def test_dice_are_those_of_the_rulebook() -> None:
    """D4, D6, D8, D12 and D20; six D6's to start with, and six D12's of which two players remove four."""
    assert DECK.tables.tiles[1] >= 6
    assert DECK.tables.tiles[3] >= 6
    assert DECK.tables.tiles[4] == 0
    kinds = len(DECK.names["enemies"])
    assert (DECK.tables.enemies[:kinds, 0] >= 0).all()
    assert (DECK.tables.enemies[:kinds, 1:3] == NONE).all()
    assert (DECK.tables.enemies[kinds:] == NONE).all()
    assert (DECK.tables.guardians[:, :3] >= 0).all()


def test_each_of_the_eight_wells_is_on_a_card() -> None:
    assert sorted(DECK.tables.well_space.tolist()) == sorted(np.flatnonzero(DECK.tables.well >= 0).tolist())
    for spell, space in enumerate(DECK.tables.well_space):
        assert DECK.tables.well[space] == spell
    assert set(DECK.tables.well[:3].tolist()) == {NONE}


def test_every_card_has_the_way_back() -> None:
    for direction in range(4):
        assert (DECK.tables.ways[3 + 12 * direction : 15 + 12 * direction, (direction + 2) % 4] == 1).all()


def test_the_bottom_cards_come_last() -> None:
    """As a player types them in, bottom cards may stand anywhere."""
    names = DECK.names["spaces"]
    assert [names[14 + 12 * direction] for direction in range(4)] == ["The Bear Gate", "The Owl Gate", "The Serpent Gate", "The Boar Gate"]


def test_the_bag_has_a_tile_for_every_card() -> None:
    """48 cards draw one each, and every Plus Two brings two more: no more than the 60 tiles in the bag."""
    assert 48 + 2 * DECK.tables.tiles[-2] <= 60


def test_the_spaces_of_the_camp_lead_to_each_other() -> None:
    north, east, south, west = range(4)
    assert DECK.tables.ways[:3].tolist() == [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]
    assert (north, east, south, west) == (0, 1, 2, 3)


def test_names() -> None:
    assert DECK.names["spells"][:7] == ("Bolt", "Fire", "Meteor", "Tornado", "Magnet", "Revive", "Teleport")
    assert DECK.names["spaces"][:3] == ("camp, west", "camp, centre", "camp, east")


def test_the_shipped_deck_is_loaded_once_and_cannot_be_written_to() -> None:
    assert load_deck() is DECK


def changed(tmp_path: Path, *swaps: tuple[str, str]) -> Path:
    text = TEXT
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_users_deck_is_loaded_by_its_path(tmp_path: Path) -> None:
    path = changed(tmp_path, ('name = "Goblin"\ndie = 4\ngold = 1', 'name = "Gremlin"\ndie = 8\ngold = 6'))
    mine = load_deck(path)
    assert mine.source == path
    assert mine.names["enemies"][0] == "Gremlin"
    assert mine.tables.enemies[0].tolist() == [2, NONE, NONE, 6]
    assert Game(SPEC, deck=path, num_players=2).deck.digest == mine.digest


def test_a_bottom_card_that_stands_first_in_the_file(tmp_path: Path) -> None:
    gate = 'name = "The Bear Gate"\ndeck = "north"\nways = "NS"\nbottom = true\n'
    brook = f"{BROOK}\n"
    mine = load_deck(changed(tmp_path, (gate, "GATE"), (brook, gate), ("GATE", brook)))
    assert mine.names["spaces"][14] == "The Bear Gate"
    assert mine.names["spaces"][3] == "Grey Pines"
    assert "Frozen Brook" in mine.names["spaces"][4:14]


def test_ways_as_they_are_typed(tmp_path: Path) -> None:
    mine = load_deck(changed(tmp_path, (BROOK, BROOK.replace('"NS"', '"SW"'))))
    assert mine.tables.ways[3].tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("west", "centre", "east", "ways"),
    [
        ("", "N", "", [[0, 1, 0, 0], [1, 1, 0, 1], [0, 0, 0, 1]]),
        ("W", "", "E", [[0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1]]),
        ("NS", "S", "N", [[1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 1]]),
    ],
)
def test_the_markers_of_the_camp(tmp_path: Path, west: str, centre: str, east: str, ways: list[list[int]]) -> None:
    camp = ('west = "NSW"\ncentre = "NS"\neast = "NES"', f'west = "{west}"\ncentre = "{centre}"\neast = "{east}"')
    assert load_deck(changed(tmp_path, camp)).tables.ways[:3].tolist() == ways


@pytest.mark.parametrize(
    ("camp", "names", "places", "ways"),
    [
        ({"north": "NE", "centre": "EW", "south": "S"}, ["north", "centre", "south"], [(0, 1), (0, 0), (0, -1)], ["NES", "NESW", "NS"]),
        ({"east": "E", "centre": "SW", "north": ""}, ["north", "centre", "east"], [(0, 1), (0, 0), (1, 0)], ["S", "NESW", "EW"]),
        ({"south": "SW", "centre": "", "west": "N"}, ["west", "centre", "south"], [(-1, 0), (0, 0), (0, -1)], ["NE", "SW", "NSW"]),
    ],
)
def test_the_shape_of_the_camp(
    tmp_path: Path, camp: dict[str, str], names: list[str], places: list[tuple[int, int]], ways: list[str]
) -> None:
    """A column, and two corners: the spaces lie where the file says, and one moves between them."""
    text = "\n".join(f'{name} = "{markers}"' for name, markers in camp.items())
    deck = load_deck(changed(tmp_path, ('west = "NSW"\ncentre = "NS"\neast = "NES"', text)))
    assert deck.names["spaces"][:3] == tuple(f"camp, {name}" for name in names)
    assert ["".join(letter for letter, way in zip("NESW", row, strict=True) if way) for row in deck.tables.ways[:3]] == ways
    t = Table(2, deck=deck)
    assert list(zip(t.s.x[:3].tolist(), t.s.y[:3].tolist(), strict=True)) == places
    first, last = names[0], names[2]
    t.do(f"move_{first}", f"move_{DIRECTIONS[(DIRECTIONS.index(first) + 2) % 4]}", f"move_{last}")
    assert (t.where[0], int(t.s.moves)) == ("east", 0)  # the scenario's word for the third space
    assert t.s.open_ways[:3].tolist() == [len(ways[0]) - 1, len(ways[1]) - 2, len(ways[2]) - 1]


def test_guardians_in_any_order(tmp_path: Path) -> None:
    mine = load_deck(
        changed(
            tmp_path,
            ('name = "The Great Bear"\ndeck = "north"', 'name = "The Great Bear"\ndeck = "west!"'),
            ('name = "The Tusked King"\ndeck = "west"', 'name = "The Tusked King"\ndeck = "north"'),
            ("west!", "west"),
        )
    )
    assert mine.names["guardians"] == ("The Tusked King", "The Owl Queen", "The Old Serpent", "The Great Bear")
    assert mine.tables.guardians[0].tolist() == [0, 0, 3, 5]
    assert mine.tables.guardians[3].tolist() == [1, 1, 2, 5]


@pytest.mark.parametrize(
    ("effect", "row"),
    [('{ type = "stride", spaces = 5 }', [0, 5]), ('{ type = "strike", die = 12 }', [1, 3]), ('{ type = "strike", die = 20 }', [1, 4])],
)
def test_the_eighth_spell(tmp_path: Path, effect: str, row: list[int]) -> None:
    mine = load_deck(changed(tmp_path, ('name = "Stride"\neffect = { type = "stride", spaces = 3 }', f'name = "Mine"\neffect = {effect}')))
    assert mine.tables.eighth.tolist() == row
    assert mine.names["spells"][7] == "Mine"


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def swap(*swaps: tuple[str, str]) -> Callable[[], str]:
    def change() -> str:
        text = TEXT
        for old, new in swaps:
            assert old in text, old
            text = text.replace(old, new, 1)
        return text

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        # cards
        (swap((BROOK, BROOK.replace('"NS"', '"NE"'))), ['cards 1 "Frozen Brook"', "field ways", 'found "NE"', "ways with S, the way back"]),
        (swap(('ways = "NEW"', 'ways = "NE"')), ['cards 18 "Heron Marsh"', "field ways", 'found "NE"', "ways with W, the way back"]),
        (
            swap(('ways = "NS"\nwell = "magnet"', 'ways = "S"\nwell = "magnet"')),
            ['"Warm Springs"', 'found "S"', "ways with N, the way back"],
        ),
        (
            swap(('name = "Dusk Clearing"\ndeck = "west"\nways = "EW"', 'name = "Dusk Clearing"\ndeck = "west"\nways = "W"')),
            ['"Dusk Clearing"', 'found "W"', "ways with E, the way back"],
        ),
        (swap((BROOK, BROOK.replace('"NS"', '"SEN"'))), ['"Frozen Brook"', "field ways", 'found "SEN"', "of the form ^N?E?S?W?$"]),
        (swap((BROOK, BROOK.replace('"NS"', '"NESX"'))), ['"Frozen Brook"', "field ways", 'found "NESX"', "of the form"]),
        (
            swap((BROOK, BROOK.replace("north", "nord"))),
            ['"Frozen Brook"', "field deck", 'found "nord"', '"north", "east", "south", "west"'],
        ),
        (swap((BROOK, BROOK.replace('"Frozen Brook"', '""'))), ["field name", 'found ""', "a text that is not empty"]),
        (
            swap(("Grey Pines", "Frozen Brook")),
            ['cards 2 "Frozen Brook"', "field name", 'found "Frozen Brook"', "a value that no other entry has"],
        ),
        (swap(('well = "bolt"', 'well = "blot"')), ['"Snowmelt Pool"', "field well", 'found "blot"', '"bolt", "fire", "meteor"']),
        (swap(('well = "bolt"\n', "")), ["field cards", "found 0", 'exactly 1 card with the well "bolt"']),
        (swap((BROOK, BROOK + '\nwell = "bolt"')), ["field cards", "found 2", 'exactly 1 card with the well "bolt"']),
        (swap((BROOK, BROOK + "\nbottom = true")), ["field cards", "found 2", 'exactly 1 card of the deck "north" with bottom = true']),
        (
            swap(
                ('name = "The Boar Gate"\ndeck = "west"\nways = "EW"\nbottom = true', 'name = "The Boar Gate"\ndeck = "west"\nways = "EW"')
            ),
            ["field cards", "found 0", 'exactly 1 card of the deck "west" with bottom = true'],
        ),
        (swap((BROOK, BROOK + "\nbottom = 1")), ['"Frozen Brook"', "field bottom", "found 1", "true or false"]),
        (swap((BROOK, BROOK + "\nbotom = true")), ['"Frozen Brook"', "field botom", 'unknown field "botom"', 'did you mean "bottom"']),
        # the camp
        (swap(('west = "NSW"', 'west = "NESW"')), ["field camp.west", 'found "NESW"', "ways without E"]),
        (swap(('centre = "NS"', 'centre = "NSW"')), ["field camp.centre", 'found "NSW"', "ways without W"]),
        (swap(('east = "NES"', 'east = "NSW"')), ["field camp.east", 'found "NSW"', "ways without W"]),
        (swap(('east = "NES"', 'east = "SEN"')), ["field camp.east", 'found "SEN"', "of the form ^N?E?S?W?$"]),
        (swap(('west = "NSW"', 'north = "N"\nwest = "NSW"')), ["field camp", 'found "west, north, east"', "exactly 2 of north, east"]),
        (swap(('west = "NSW"\n', "")), ["field camp", 'found "east"', "exactly 2 of north, east, south and west"]),
        (swap(('centre = "NS"', 'center = "NS"')), ["field camp.center", 'unknown field "center"', 'did you mean "centre"']),
        # tiles
        (swap(("d4 = 4", "d4 = 5")), ["field tiles", "found 67", "66 tiles in all, weapons and enemies counted"]),
        (swap(("gnome = 4", "gnome = 3")), ["field tiles", "found 65", "66 tiles in all"]),
        (swap((GOBLIN, GOBLIN.replace("tiles = 3", "tiles = 9"))), ["field tiles", "found 72", "66 tiles in all"]),
        (swap(("d6 = 9", "d6 = 5"), ("d8 = 5", "d8 = 9")), ["field weapons.d6", "found 5", "a whole number"]),
        (swap(("d12 = 6", "d12 = 5"), ("d8 = 5", "d8 = 6")), ["field weapons.d12", "found 5", "a whole number"]),
        (swap(("potion = 6", "potion = -1")), ["field tiles.potion", "found -1", "a whole number"]),
        (swap(("d4 = 4", "d4 = 4.0")), ["field weapons.d4", "found 4.0", "a whole number"]),
        (swap(("d4 = 4", "d10 = 4")), ["field weapons.d10", 'unknown field "d10"']),
        # enemies
        (
            swap((GOBLIN, GOBLIN.replace("die = 4", "die = 10"))),
            ['enemies 1 "Goblin"', "field die", "found 10", "one of 4, 6, 8, 12, 20"],
        ),
        (swap((GOBLIN, GOBLIN.replace("gold = 1", "gold = 11"))), ['"Goblin"', "field gold", "found 11", "a whole number from 0 to 10"]),
        (swap((GOBLIN, GOBLIN.replace("tiles = 3", "tiles = 0"))), ['"Goblin"', "field tiles", "found 0", "a whole number"]),
        (swap(('name = "Wild Dog"', 'name = "Goblin"')), ['enemies 3 "Goblin"', "field name", "a value that no other entry has"]),
        # guardians
        (
            swap((BEAR, BEAR.replace("[6, 6, 8]", "[6, 8]"))),
            ['guardians 1 "The Great Bear"', "field dice", "found [6, 8]", "exactly 3 entries"],
        ),
        (swap((BEAR, BEAR.replace("[6, 6, 8]", "[6, 8, 10]"))), ['"The Great Bear"', "field dice 3", "found 10", "one of 4, 6"]),
        (
            swap((BEAR, BEAR.replace("north", "east"))),
            ['guardians 2 "The Owl Queen"', "field deck", 'found "east"', "a value that no other entry has"],
        ),
        (swap((BEAR, BEAR.replace("gold = 5", "gold = 12"))), ['"The Great Bear"', "field gold", "found 12", "from 0 to 10"]),
        # the eighth spell
        (swap(("spaces = 3", "spaces = 0")), ["eighth", "spaces", "found 0", "a whole number from 1 to 9"]),
        (swap(("spaces = 3", "spaces = 10")), ["eighth", "spaces", "found 10", "a whole number from 1 to 9"]),
        (swap(('type = "stride", spaces = 3', 'type = "strike", die = 10')), ["eighth", "die", "found 10", "one of"]),
        (swap(('type = "stride"', 'type = "stroll"')), ["eighth", 'found type "stroll"', '"stride", "strike"']),
        (swap(('type = "stride", spaces = 3', 'type = "stride", die = 6')), ["eighth", "spaces", "found nothing"]),
    ],
)
def test_a_wrong_deck_is_refused(tmp_path: Path, change: Callable[[], str], said: list[str]) -> None:
    message = refused(tmp_path, change())
    for words in (*said, "found", "allowed: "):
        assert words in message


def test_a_camp_without_a_way_out_is_refused(tmp_path: Path) -> None:
    """The woods would be fully explored before they are entered."""
    text = TEXT.replace('west = "NSW"', 'west = ""').replace('centre = "NS"', 'centre = ""').replace('east = "NES"', 'east = ""')
    assert "camp" in refused(tmp_path, text)


def test_a_deck_of_47_cards(tmp_path: Path) -> None:
    start = TEXT.index("[[cards]]")
    message = refused(tmp_path, TEXT[:start] + TEXT[TEXT.index("[[cards]]", start + 1) :])
    assert "field cards: found 47 entries; allowed: exactly 48 entries" in message


def test_thirteen_cards_of_one_deck_and_eleven_of_another(tmp_path: Path) -> None:
    message = refused(tmp_path, TEXT.replace('name = "Charcoal Pit"\ndeck = "south"', 'name = "Charcoal Pit"\ndeck = "west"'))
    assert 'found 11; allowed: exactly 12 cards of the deck "south"' in message
    assert 'found 13; allowed: exactly 12 cards of the deck "west"' in message


def test_thirteen_kinds_of_enemy(tmp_path: Path) -> None:
    more = "".join(f'[[enemies]]\nname = "Rat {n}"\ndie = 4\ngold = 1\n\n' for n in range(1))
    message = refused(tmp_path, TEXT.replace("[[guardians]]", f"{more}[[guardians]]", 1).replace("potion = 6", "potion = 5"))
    assert "field enemies" in message
    assert "found 13 entries" in message


def test_three_guardians(tmp_path: Path) -> None:
    message = refused(tmp_path, TEXT.replace(f"[[guardians]]\n{BEAR}", ""))
    assert "field guardians: found 3 entries; allowed: exactly 4 entries" in message


def test_all_problems_are_listed(tmp_path: Path) -> None:
    message = refused(
        tmp_path, TEXT.replace("d4 = 4", "d4 = 5").replace(BROOK, BROOK.replace('"NS"', '"NE"')).replace('"Wild Dog"', '"Goblin"')
    )
    assert "3 problems" in message


def test_an_empty_file_names_what_is_missing(tmp_path: Path) -> None:
    message = refused(tmp_path, "")
    for field in ("camp", "cards", "weapons", "tiles", "enemies", "guardians", "eighth"):
        assert f"field {field}: found nothing" in message


def test_a_deck_of_the_users_is_played(tmp_path: Path) -> None:
    mine = load_deck(changed(tmp_path, (BEAR, BEAR.replace("gold = 5", "gold = 7"))))
    t = Table(2, deck=mine).place(n12=(0, 1)).enemies("n12", guardian="north").stand(0, "n12").owns(0, d6=1)
    t.do("done", "done", "attack_guardian")
    for _ in range(3):
        t.do("fight_with_d6").roll(6, 1)
    assert t.gold[0] == 7
