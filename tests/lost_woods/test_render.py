"""What people see of a position: text and picture."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from deckwood.core import drawing
from deckwood.core.errors import DeckwoodError
from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.deck import SHIPPED, load_deck
from deckwood.lost_woods.render import describe, draw, picture, view
from deckwood.lost_woods.rules import woods
from deckwood.lost_woods.rules.table import STEPS
from deckwood.lost_woods.spec import SPEC
from deckwood.lost_woods.state import (
    BOLT,
    BOTTOM,
    CAMP_CENTRE,
    CAMP_SPACES,
    CARDS_PER_DECK,
    D4,
    D6,
    D8,
    D12,
    DEFEATED,
    EAST,
    ESCAPED,
    FIRE,
    FIRST_SPELL,
    GOLD,
    GUARDIAN,
    HELD,
    MAGNET,
    NONE,
    NORTH,
    NUM_DIRECTIONS,
    NUM_SPACES,
    POTION,
    POTION_TILE,
    SOUTH,
    WEST,
)

SHAPE = (picture.HEIGHT, picture.WIDTH, 3)
NORTH_CARD, EAST_CARD, SOUTH_CARD, WEST_CARD = (CAMP_SPACES + CARDS_PER_DECK * direction for direction in range(NUM_DIRECTIONS))
GATE = NORTH_CARD + BOTTOM
MAP = np.s_[50:810, 8:1144]  # of the picture
CAMP_WEST, CAMP_EAST = 0, 2

legal, apply, chance, apply_chance = (uncompiled(getattr(SPEC.rules, name)) for name in ("legal", "apply", "chance", "apply_chance"))
lay = uncompiled(woods.lay)


def our_deck():
    """The deck that ships with ways and wells that the scenes need."""
    shipped = load_deck()
    tables = shipped.tables.copy()
    for space, ways in {
        CAMP_WEST: (1, 1, 1, 1),
        CAMP_CENTRE: (1, 1, 1, 1),
        CAMP_EAST: (1, 1, 1, 1),
        NORTH_CARD: (1, 1, 1, 0),
        NORTH_CARD + 1: (0, 0, 1, 0),
        EAST_CARD: (0, 1, 0, 1),
        SOUTH_CARD: (1, 0, 0, 0),
        GATE: (1, 0, 1, 0),
    }.items():
        tables.ways[space] = ways
    tables.enemies[:2] = (D4, NONE, NONE, 1), (D6, NONE, NONE, 2)
    tables.guardians[:] = D6, D8, D12, 4
    tables.well[:] = NONE
    for spell, space in enumerate((NORTH_CARD, EAST_CARD, *range(NORTH_CARD + 3, NORTH_CARD + 9))):
        tables.well[space], tables.well_space[spell] = spell, space
    names = list(shipped.names["spaces"])
    for space, name in {NORTH_CARD: "Cold Spring", NORTH_CARD + 1: "Goat Stair", EAST_CARD: "Ember Pit", GATE: "Iron Gate"}.items():
        names[space] = name
    return LoadedDeck(
        tables, {**shipped.names, "spaces": tuple(names), "enemies": ("Imp", "Ogre", *shipped.names["enemies"][2:])}, shipped.source, ""
    )


DECK = our_deck()


def new(**options):
    """A fresh position at its first node, without a compiler."""
    position = np.zeros(1, SPEC.dtype).view(np.recarray)
    uncompiled(SPEC.rules.setup)(position[0], DECK.tables, SPEC.encode_options(options, DECK))
    return position[0]


@pytest.fixture
def scene():
    """The turn of player 2 of 4, who stands in a room with an ogre; the way from Goat Stair to the camp leads in one direction only."""
    s = new(num_players=4)
    apply_chance(s, DECK.tables, 2)
    lay(s, DECK.tables, NORTH_CARD, 0, 1)
    lay(s, DECK.tables, NORTH_CARD + 1, 1, 1)
    lay(s, DECK.tables, EAST_CARD, 2, 0)
    lay(s, DECK.tables, SOUTH_CARD, 0, -1)
    s.left[:] = 10, 11, 11, 0
    s.turns = 9
    s.at[:4] = CAMP_CENTRE, CAMP_CENTRE, NORTH_CARD, EAST_CARD
    s.enemies[NORTH_CARD, 1] = s.foes[NORTH_CARD] = 1
    s.lying[D12, NORTH_CARD], s.lying[POTION, EAST_CARD], s.lying[GOLD, EAST_CARD] = 1, 2, 3
    s.carried[2, [D4, D8, POTION, GOLD]] = 1, 1, 1, 7
    s.spell_at[FIRE], s.spell_at[MAGNET] = HELD + 2, SOUTH_CARD
    return s


def line_with(s, label, deck=DECK):
    """The lines of the text from a label to the next one."""
    lines = describe(s, deck).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(label))
    end = next((i for i in range(first + 1, len(lines)) if not lines[i].startswith(" ")), len(lines))
    return " ".join(line.strip() for line in lines[first:end])


def test_the_map_is_drawn_with_its_ways(scene):
    """The deck of the west is empty, that of the north is not; one cannot go back from 4 to 3."""
    drawing = """
       +--??--+------+
       [3  e  ]4     )
       [*wo   >      )
       [2     ]      )
+--??--+--  --+--  --+------+
|0     (1     )2     |15    |
!                     $po   ?
|      (01    )      |3     |
+--??--+--  --+--??--+------+
       |27    |
       |*     |
       |      |
       +------+
"""
    assert drawing in describe(scene, DECK)


def test_a_way_in_one_direction_is_an_arrow(scene):
    """From Cold Spring one may go east to Goat Stair, whose card has no marker facing back."""
    found = {space.number: space.edges for space in view.read_view(scene, DECK).spaces}
    assert found[NORTH_CARD][EAST] == view.ONE_WAY
    assert found[NORTH_CARD + 1][WEST] == view.CLOSED
    assert found[NORTH_CARD][SOUTH] == found[CAMP_CENTRE][NORTH] == view.BOTH_WAYS
    assert found[NORTH_CARD][NORTH] == view.OPEN
    assert found[CAMP_WEST][WEST] == view.WAY_OUT
    text, shown = describe(scene, DECK), draw(scene, DECK)
    assert ">" in text
    both = DECK.tables.copy()
    both.ways[NORTH_CARD + 1, WEST] = 1
    both = replace(DECK, tables=both)
    assert ">" not in describe(scene, both)
    assert not np.array_equal(shown, draw(scene, both))


def test_what_lies_and_stands_on_the_map_is_told(scene):
    text = describe(scene, DECK)
    assert "Cold Spring: Ogre (D6, 2 gold); D12, Bolt; the well of Bolt; player 2" in text
    assert "Ember Pit: 2 potions, 3 gold; the well of Fire, empty; player 3" in text
    assert "camp, centre: player 0; player 1" in text
    assert "4 Goat Stair" in line_with(scene, "Empty")


def test_inventories_are_told(scene):
    assert line_with(scene, "Player 2").endswith("7 gold, D4, D6, D8, 1 potion, Fire; at Cold Spring (turn, decides)")
    assert line_with(scene, "Player 0").endswith("1 gold, D6; at camp, centre")
    assert "Player 4" not in describe(scene, DECK)


def test_decks_guardians_spells_bag_and_supply_are_told(scene):
    lay(scene, DECK.tables, GATE, 0, 2)
    scene.guardian_at[NORTH], scene.guardian_at[EAST] = GATE, DEFEATED
    scene.left[NORTH] = 0
    decks = line_with(scene, "Decks")
    assert f"north: 0 cards; {DECK.names['guardians'][NORTH]} (D6+D8+D12, 4 gold), at" in decks
    assert "at Iron Gate" in decks
    assert "east: 11 cards" in decks
    assert "defeated" in decks
    assert decks.count("not come yet") == 2
    spells = line_with(scene, "Spells")
    assert "Bolt: in its well: Cold Spring" in spells
    assert "Fire: with player 2; its well: Ember Pit" in spells
    assert f"Magnet: lies at {DECK.names['spaces'][SOUTH_CARD]}; its well" in spells
    assert "Meteor: not discovered" in spells
    assert f"{scene.bag[POTION_TILE]} x potion" in line_with(scene, "Bag")
    assert line_with(scene, "Supply").endswith(f"{scene.supply} gold")
    scene.bag[:] = 0
    assert line_with(scene, "Bag").endswith("empty")


def test_the_decision_and_its_choices_are_told(scene):
    text = describe(scene, DECK)
    assert text.splitlines()[1].startswith("Move ")
    assert text.splitlines()[1].endswith("turn 9 of at most 400: player 2")
    assert "3 spaces left to move." in text
    choices = line_with(scene, "Choices")
    for choice in (
        "End the Move step",
        "Move east to Goat Stair",
        "Move south to camp, centre",
        "Drop 1 gold",
        "Drop Fire",
        "Pick up Bolt",
    ):
        assert choice in choices
    assert {space.number for space in view.read_view(scene, DECK).spaces if space.target} == {NORTH_CARD + 1, CAMP_CENTRE}


def texts(s):
    """What can be chosen, in words."""
    return set(view.read_view(s, DECK).choices)


def test_texts_say_what_is_paid_and_done(scene):
    scene.phase = at.EXPLORING
    scene.at[2] = CAMP_WEST
    scene.left[:] = 1, 11, 12, 0
    guardian = DECK.names["guardians"][NORTH]
    assert {"Explore north: the last card, with " + guardian, "Explore south: 12 cards left"} < texts(scene)
    assert "Explore west: leave the Lost Woods, which ends the game" in texts(scene)
    assert "north: 1 card;" in describe(scene, DECK)
    scene.phase, scene.at[2] = at.ATTACKING, NORTH_CARD
    scene.guardian_at[WEST] = NORTH_CARD
    assert texts(scene) == {
        "Do not attack",
        "Attack Ogre (D6, 2 gold)",
        f"Attack {DECK.names['guardians'][WEST]} (D6+D8+D12, 4 gold), three rolls",
    }
    fighting(scene, phase=at.CHOOSING_WEAPON)
    against = "against the D6 of Ogre"
    assert texts(scene) == {
        f"Fight with a D4 {against}",
        f"Fight with a D6 {against}",
        f"Fight with a D8 {against}",
        f"Use Fire: roll a D20 {against}",
    }
    fighting(scene)
    assert texts(scene) == {
        "Let the dice stand, 5 against 3: Ogre is defeated", "Use a potion: re-roll the 3 of Ogre", "Use a potion: re-roll your own 5"
    }  # fmt: skip
    fighting(scene, foe=GUARDIAN, own=3)
    assert "Let the dice stand, 3 against 3: a draw, the attack is over" in texts(scene)
    fighting(scene, foe=GUARDIAN)
    assert "Let the dice stand, 5 against 3: this roll is won, 1 of 3" in texts(scene)
    fighting(scene, own=1, phase=at.BATTLE_LOST)
    assert texts(scene) == {"Drop 1 gold and go back to camp", "Drop a D8 and go back to camp"}
    scene.phase = at.RICHEST
    assert texts(scene) == {"The gnome takes 1 gold from player 2 (7 gold)"}


def test_a_third_spell_is_announced(scene):
    scene.spell_at[MAGNET] = HELD + 2
    assert "Pick up Bolt, a third spell: one goes back to its well" in texts(scene)
    scene.spell_at[BOLT], scene.phase = HELD + 2, at.THIRD_SPELL
    assert "Put Fire back into its well, Ember Pit" in texts(scene)


def test_what_can_be_chosen_is_marked(scene):
    shown = view.read_view(scene, DECK)
    room = next(space for space in shown.spaces if space.here)
    assert room.takable == {FIRST_SPELL + BOLT}
    assert not any(foe.target for foe in room.foes)
    assert not any(any(space.explorable) for space in shown.spaces)
    scene.phase = at.ATTACKING
    assert [[foe.target for foe in space.foes] for space in view.read_view(scene, DECK).spaces if space.foes] == [[True]]
    scene.phase, scene.at[2] = at.EXPLORING, CAMP_WEST
    spaces = view.read_view(scene, DECK).spaces
    assert [space.explorable for space in spaces if any(space.explorable)] == [(True, False, True, True)]
    scene.phase = at.RICHEST
    assert [found.target for found in view.read_view(scene, DECK).adventurers] == [False, False, True, False]
    assert view.read_view(fighting(scene), DECK).fight.rerolls == (True, True)
    tied(scene)
    scene.phase, scene.node, scene.mover, scene.duel_roll[0] = at.TIE_ROLLED, Node.DECISION, 3, 2
    assert [found.target for found in view.read_view(scene, DECK).adventurers] == [True, False, False, True]


def crowded():
    """The widest map, with all adventurers, a dozen enemies and much else in the guardian's room at its end."""
    s = widest()
    gate = int(s.guardian_at[EAST])
    s.enemies[gate, :6] += 1
    s.foes[gate] += 7
    s.lying[:, gate] += 2
    s.at[:], s.turn = gate, 5
    return s


def test_a_crowded_room_shows_its_guardian():
    s = crowded()
    assert "26G" in describe(s, DECK)
    room = next(space for space in view.read_view(s, DECK).spaces if space.here)
    assert room.foes[0].guardian == EAST
    pytest.importorskip("pygame")
    with_guardian = draw(s, DECK)
    s.guardian_at[EAST] = DEFEATED
    changed = (with_guardian[MAP] != draw(s, DECK)[MAP]).any(axis=2)
    assert changed.sum() > np.pi * 9**2  # a badge that can be seen, on a map whose rooms are 30 pixels wide


def test_six_players_have_their_choices_in_the_picture(monkeypatch):
    pytest.importorskip("pygame")
    written = []
    text = drawing.Canvas.text
    monkeypatch.setattr(drawing.Canvas, "text", lambda self, place, words, *rest: (written.append(words), text(self, place, words, *rest)))
    s = crowded()
    draw(s, DECK)
    assert set(view.read_view(s, DECK).choices) <= set(written)


def test_the_die_of_the_roll_is_marked(scene):
    """Each of a guardian's three rolls looks different though the dice are the same."""
    pytest.importorskip("pygame")
    tables = DECK.tables.copy()
    tables.guardians[:] = D6, D6, D6, 4
    scene.guardian_at[WEST] = NORTH_CARD
    shown = set()
    for wins in range(3):
        scene.wins = wins
        shown.add(draw(fighting(scene, foe=GUARDIAN), replace(DECK, tables=tables))[850:1032, 554:888].tobytes())
    assert len(shown) == 3


def test_camps_of_every_shape_are_drawn(tmp_path):
    pytest.importorskip("pygame")
    row = 'west = "NSW"\ncentre = "NS"\neast = "NES"'
    text, pictures = SHIPPED.read_text(encoding="utf-8"), set()
    for camp in (row, 'north = "NE"\ncentre = "EW"\nsouth = "S"', 'north = "N"\ncentre = "SW"\neast = "E"'):
        assert row in text
        path = tmp_path / "camp.toml"
        path.write_text(text.replace(row, camp), encoding="utf-8")
        deck = load_deck(path)
        position = np.zeros(1, SPEC.dtype).view(np.recarray)
        uncompiled(SPEC.rules.setup)(position[0], deck.tables, SPEC.encode_options({}, deck))
        pictures.add(draw(position[0], deck)[MAP].tobytes())
    assert len(pictures) == 3


def fighting(s, foe=1, weapon=D8, own=5, other=3, phase=at.ROLLED):
    s.phase, s.node, s.foe, s.weapon, s.own_roll, s.foe_roll = phase, Node.DECISION, foe, weapon, own, other
    return s


def test_a_fight_is_told_with_its_rolls(scene):
    assert line_with(fighting(scene), "Fight").endswith("player 2 with D8 (rolled 5) against Ogre, D6 (rolled 3)")
    scene.guardian_at[WEST], scene.wins = NORTH_CARD, 1
    told = line_with(fighting(scene, foe=GUARDIAN, weapon=NONE, own=0, other=0, phase=at.CHOOSING_WEAPON), "Fight")
    assert told.endswith(f"player 2 against {DECK.names['guardians'][WEST]}, D6+D8+D12, 1 of 3 rolls won")


def tied(s):
    """Players 0 and 3 fight for a tie after player 2 has left to the west; player 3 has rolled."""
    s.ending, s.way = ESCAPED + 1, WEST
    s.tied[[0, 3]] = 1
    s.duel_item[[0, 3]], s.duel_roll[3] = D12, 9
    s.phase, s.node, s.mover = at.TIE_DIE, Node.CHANCE, 0
    return s


def test_a_tie_is_told(scene):
    text = describe(tied(scene), DECK)
    assert "Chance: the dice of the tied" in text
    assert "Player 2 has found the way out to the west." in text
    assert line_with(scene, "Tie: 0").endswith("D12")
    assert line_with(scene, "Tie: 3").endswith("D12 (rolled 9)")


def test_the_end_is_told(scene):
    tied(scene)
    scene.node, scene.ended, scene.mover, scene.tied[0], scene.carried[3, GOLD] = Node.END, scene.ending, 3, 0, 8
    text = describe(scene, DECK)
    assert "Player 3 wins with 8 gold" in text
    assert "D12, beaten" in line_with(scene, "Tie: 0")
    assert line_with(scene, "Player 3     ").endswith("(has won)")
    assert "Choices" not in text


def test_a_cut_game_is_told(scene):
    scene.node, scene.ended, scene.turns = Node.END, 0, 400
    text = describe(scene, DECK)
    assert "Cut after 100 turns each" in text
    assert "Nobody has won." in text
    scene.turns, scene.decisions = 80, 48_003
    text = describe(scene, DECK)
    assert "Cut after 48,003 decisions" in text
    assert "Choices" not in text


@pytest.mark.parametrize("players", range(2, 7))
def test_the_table_before_the_first_turn(players):
    s = new(num_players=players)
    text = describe(s, DECK)
    assert "Chance: who starts" in text
    assert f"Player {players - 1}" in text
    assert f"Player {players} " not in text
    assert "Fight" not in text
    pytest.importorskip("pygame")
    assert draw(s, DECK).shape == SHAPE


def widest():
    """All cards in rows as long as the woods can become, with something on each."""
    s = new(num_players=6)
    apply_chance(s, DECK.tables, 5)
    rng = np.random.default_rng(1)
    for direction, cards in ((EAST, 1), (WEST, -1)):
        for card in range(CARDS_PER_DECK):
            lay(s, DECK.tables, CAMP_SPACES + CARDS_PER_DECK * direction + card, cards * (2 + card), 0)
    for card in range(CARDS_PER_DECK):
        lay(s, DECK.tables, NORTH_CARD + card, 2 * card - 11, 1)
        lay(s, DECK.tables, SOUTH_CARD + card, 2 * card - 11, -1)
    s.left[:] = 0
    for space in range(NUM_SPACES):
        s.lying[rng.integers(0, GOLD + 1, 4), space] += 1
        s.enemies[space, :2] += 1
        s.foes[space] += 2
    s.guardian_at[:] = [CAMP_SPACES + CARDS_PER_DECK * direction + BOTTOM for direction in range(NUM_DIRECTIONS)]
    s.at[:] = EAST_CARD
    return s


def test_the_widest_map_fits():
    s = widest()
    lines = describe(s, DECK).splitlines()
    columns = 4 * (2 * CARDS_PER_DECK + 3) + 1
    assert max(map(len, lines)) == columns
    assert "20+" in describe(s, DECK)
    pytest.importorskip("pygame")
    assert draw(s, DECK).shape == SHAPE


def test_long_names_are_cut_or_wrapped(scene):
    names = {kind: tuple(f"{name} of a long, winding and never-ending name" for name in DECK.names[kind]) for kind in DECK.names}
    deck = replace(DECK, names=names)
    for s in (scene, fighting(scene), tied(scene.copy())):
        assert max(map(len, describe(s, deck).splitlines())) <= 100
    pytest.importorskip("pygame")
    assert draw(scene, deck).shape == SHAPE


def test_picture_keeps_its_shape_and_changes_nothing(scene):
    pytest.importorskip("pygame")
    before = scene.tobytes()
    shown = draw(scene, DECK)
    assert shown.shape == SHAPE
    assert shown.dtype == np.uint8
    assert shown.std() > 20
    assert np.array_equal(shown, draw(scene, DECK))
    assert describe(scene, DECK) == describe(scene, DECK)
    assert scene.tobytes() == before


CHANGES = {
    "a pawn": lambda s: s.at.__setitem__(0, EAST_CARD),
    "an enemy": lambda s: s.enemies.__setitem__((EAST_CARD, 0), 1),
    "a weapon": lambda s: s.lying.__setitem__((D4, SOUTH_CARD), 1),
    "a potion": lambda s: s.lying.__setitem__((POTION, SOUTH_CARD), 1),
    "gold": lambda s: s.lying.__setitem__((GOLD, SOUTH_CARD), 1),
    "a spell taken": lambda s: s.spell_at.__setitem__(BOLT, HELD),
    "a guardian": lambda s: s.guardian_at.__setitem__(EAST, EAST_CARD),
    "a guardian defeated": lambda s: s.guardian_at.__setitem__(EAST, DEFEATED),
    "a deck": lambda s: s.left.__setitem__(EAST, 3),
    "an empty deck": lambda s: s.left.__setitem__(EAST, 0),
    "a weapon carried": lambda s: s.carried.__setitem__((0, D12), 1),
    "a potion carried": lambda s: s.carried.__setitem__((0, POTION), 1),
    "gold carried": lambda s: s.carried.__setitem__((0, GOLD), 5),
    "the bag": lambda s: s.bag.__setitem__(0, 0),
    "the supply": lambda s: setattr(s, "supply", 3),
    "the turn": lambda s: setattr(s, "turn", 1),
    "turns": lambda s: setattr(s, "turns", 12),
    "the phase": lambda s: setattr(s, "phase", at.EXPLORING),
    "a room being explored": lambda s: setattr(s, "room", SOUTH_CARD),
    "a fight": fighting,
    "a roll": lambda s: fighting(s, own=7),
    "a tie": tied,
}


def test_every_change_shows(scene):
    """In the text and in the picture, each other than what was before and than all others."""
    pytest.importorskip("pygame")
    texts, pictures = [describe(scene, DECK)], [draw(scene, DECK).tobytes()]
    for change in CHANGES.values():
        s = scene.copy()
        change(s)
        texts.append(describe(s, DECK))
        pictures.append(draw(s, DECK).tobytes())
    assert len(set(texts)) == len(texts)
    assert len(set(pictures)) == len(pictures)


def test_every_phase_of_random_games_can_be_shown():
    pytest.importorskip("pygame")
    rng = np.random.default_rng(0)
    seen = set()
    for game in range(4):
        s = new(num_players=2 + game, turn_limit=25)
        mask, weights = np.zeros(len(SPEC.actions), np.int8), np.zeros(SPEC.max_outcomes, np.int32)
        while s.node != Node.END:
            if s.phase not in seen:
                seen.add(int(s.phase))
                assert STEPS.phases[int(s.phase)].lower() in describe(s, DECK).lower()
                assert draw(s, DECK).shape == SHAPE
            if s.node == Node.CHANCE:
                outcomes = chance(s, DECK.tables, weights)
                apply_chance(s, DECK.tables, int(rng.choice(outcomes, p=weights[:outcomes] / weights[:outcomes].sum())))
            else:
                legal(s, DECK.tables, mask)
                apply(s, DECK.tables, int(rng.choice(np.flatnonzero(mask))))
        assert describe(s, DECK)
        assert draw(s, DECK).shape == SHAPE
    assert len(seen) > 8


def test_without_pygame(monkeypatch, scene):
    monkeypatch.setitem(sys.modules, "pygame", None)
    drawing.load_pygame.cache_clear()
    picture.ground.cache_clear()
    try:
        with pytest.raises(DeckwoodError, match=r'pip install "deckwood\[render\]"'):
            draw(scene, DECK)
    finally:
        drawing.load_pygame.cache_clear()


HEADLESS = """
import numpy as np
from deckwood import lost_woods_v1
env = lost_woods_v1.env(num_players=2, render_mode="human")
env.reset(seed=1)
env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
env.close()
"""


@pytest.mark.slow
def test_a_window_opens_on_a_machine_without_a_screen():
    pytest.importorskip("pygame")
    subprocess.run([sys.executable, "-c", HEADLESS], check=True, timeout=240, env={**os.environ, "SDL_VIDEODRIVER": "dummy"})
