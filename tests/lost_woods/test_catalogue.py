"""What the documentation lists of a deck."""

from dataclasses import replace
from types import SimpleNamespace

from deckwood import docs
from deckwood.lost_woods import catalogue
from deckwood.lost_woods.deck import load_deck
from deckwood.lost_woods.state import BOX_TILES, D12, NUM_SPACES, SPELLS, STRIDE, STRIKE


def tables_of(deck):
    return {title: (columns, rows) for title, columns, rows in catalogue.card_tables(deck)}


def with_eighth(effect, amount):
    deck = load_deck()
    tables = deck.tables.copy()
    tables.eighth[:] = effect, amount
    return replace(deck, tables=tables)


def test_every_component_is_listed():
    deck = load_deck()
    tables = tables_of(deck)
    assert all(len(row) == len(columns) for columns, rows in tables.values() for row in rows)
    cards = tables["Map cards"][1]
    assert [card[0] for card in cards] == list(deck.names["spaces"])
    assert len(cards) == NUM_SPACES
    assert sorted(card[3] for card in cards if card[3]) == sorted(deck.names["spells"])
    assert sum(card[1].endswith(", bottom") for card in cards) == 4
    assert sum(count for _, count in tables[f"The {BOX_TILES} tiles"][1]) == BOX_TILES
    assert [row[0] for row in tables["Enemies"][1]] == list(deck.names["enemies"])
    assert [row[0] for row in tables["Guardians"][1]] == list(deck.names["guardians"])
    assert [row[0] for row in tables["Spells"][1]] == list(deck.names["spells"])


def test_figures_are_those_of_the_tables():
    deck = load_deck()
    tables = deck.tables.copy()
    tables.enemies[0] = D12, -1, -1, 9
    tables.guardians[2] = D12, 0, 4, 8
    tables.ways[3] = 1, 0, 1, 0
    found = tables_of(replace(deck, tables=tables))
    assert found["Enemies"][1][0][1:] == ("D12", 9)
    assert found["Guardians"][1][2][1:] == ("south", "D12, D4, D20", 8)
    assert found["Map cards"][1][3][2] == "N S"


def test_the_eighth_spell_says_what_the_deck_makes_of_it():
    assert tables_of(with_eighth(STRIDE, 4))["Spells"][1][-1][2:] == ("while moving", "Move up to 4 more spaces.")
    assert tables_of(with_eighth(STRIKE, D12))["Spells"][1][-1][2:] == ("in combat", "Roll a D12.")
    assert len(tables_of(with_eighth(STRIDE, 1))["Spells"][1]) == len(SPELLS)


def test_every_field_of_a_deck_file_is_told():
    rows = docs.fields(SimpleNamespace(catalogue=catalogue)).splitlines()
    assert rows[0] == "| table | fields | allowed | meaning |"
    assert '| `[eighth.effect]` | `type` | "stride", or "strike" | when it is used, and what for |' in rows
    assert '| `[eighth.effect]`, "strike" | `die` | one of 4, 6, 8, 12, 20 | the die |' in rows
    assert "| `[weapons]` | `d6` | a whole number of at least 6 | D6 weapons, those that adventurers start with counted |" in rows
