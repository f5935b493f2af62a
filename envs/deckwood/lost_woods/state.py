"""Lost Woods' words as numbers, and the record that a position is."""

from __future__ import annotations

import numpy as np

from deckwood.core.spec import position_dtype

NONE = -1

MAX_PLAYERS = 6

# The woods: a space for each map card, whether it lies on the table yet or not, after the three spaces of the camp.
DIRECTIONS = ("north", "east", "south", "west")
LETTERS = "NESW"  # on cards and in deck files
NORTH, EAST, SOUTH, WEST = range(4)
NUM_DIRECTIONS = 4
STEP_X = (0, 1, 0, -1)
STEP_Y = (1, 0, -1, 0)
CARDS_PER_DECK = 12
CAMP_SPACES = 3
CAMP_CENTRE = 1  # the space between the other two
NUM_SPACES = CAMP_SPACES + NUM_DIRECTIONS * CARDS_PER_DECK
BOTTOM = CARDS_PER_DECK - 1  # in each deck the card marked "Bottom of Deck" comes last
UNREACHED = 100  # a distance longer than any path

DICE = (4, 6, 8, 12, 20)
D4, D6, D8, D12, D20 = range(5)
NUM_DICE = 5

SPELLS = ("bolt", "fire", "meteor", "tornado", "magnet", "revive", "teleport", "eighth")
BOLT, FIRE, METEOR, TORNADO, MAGNET, REVIVE, TELEPORT, EIGHTH = range(8)
NUM_SPELLS = 8
# What the eighth spell does.
STRIDE, STRIKE = range(2)
EIGHTH_EFFECTS = ("stride", "strike")
EFFECT, AMOUNT = range(2)  # columns of ``eighth``

# Items: what lies on a space and what an adventurer carries. Weapons come first, by die; each spell is an item of its own.
POTION = NUM_DICE
GOLD = POTION + 1
NUM_GOODS = GOLD + 1  # those that are counted
FIRST_SPELL = NUM_GOODS
NUM_ITEMS = FIRST_SPELL + NUM_SPELLS
ITEM_NAMES = (*(f"d{die}" for die in DICE), "potion", "gold", *SPELLS)

# Inventory limits.
MAX_HELD = 3  # weapons and potions
MAX_SPELLS = 2

# Tiles in the bag. Weapons come first, by die.
MAX_ENEMIES = 12  # kinds
ENEMY_TILE = NUM_DICE
POTION_TILE = ENEMY_TILE + MAX_ENEMIES
GOLD_TILE = POTION_TILE + 1
PLUS_TWO_TILE = GOLD_TILE + 1
GNOME_TILE = PLUS_TWO_TILE + 1
NUM_TILES = GNOME_TILE + 1
BOX_TILES = 66
# Columns of ``enemies`` and ``guardians``.
FOE_DICE = 3  # a common enemy has one
FOE_GOLD = FOE_DICE
GUARDIAN = MAX_ENEMIES  # the foe of that number is the guardian of the space

MOVES = 3
LONGEST_GAME = 50_000  # decisions, forced ones included
LONGEST_TURN = 2_000  # more than a turn has: 13 visits of 76 drops and takes (50 of them gold) at most, two decisions a tile, and 50 others
BOX_GOLD = 50
DEFEATED = -2  # where a guardian is that has fallen; NONE: in the box

# Where a spell is that an adventurer holds: HELD + seat. On the map it is at a space; NONE: its well is not discovered yet.
HELD = NUM_SPACES

# How a game ends: places in the spec's endings.
ESCAPED, FULLY_EXPLORED = range(2)

OPTION_PLAYERS, OPTION_TURN_LIMIT, OPTION_REWARD = range(3)
NUM_OPTIONS = 3
REWARD_WIN, REWARD_GOLD, REWARD_PROGRESS = range(3)

TABLES = np.dtype(
    [
        ("ways", np.int16, (NUM_SPACES, NUM_DIRECTIONS)),  # 1 where a card is marked: one may leave it there
        ("camp", np.int16, (CAMP_SPACES, 2)),  # where its spaces lie: columns east and rows north of its centre
        ("well", np.int16, (NUM_SPACES,)),  # the spell whose well this is, or NONE
        ("well_space", np.int16, (NUM_SPELLS,)),
        ("tiles", np.int16, (NUM_TILES,)),  # in the box
        ("enemies", np.int16, (MAX_ENEMIES, FOE_DICE + 1)),  # dice, gold; NONE for no die
        ("guardians", np.int16, (NUM_DIRECTIONS, FOE_DICE + 1)),
        ("eighth", np.int16, (2,)),  # its effect; the spaces of a stride, the die of a strike
        # derived, for observations
        ("nearness", np.float32, (UNREACHED + 1,)),  # by distance: 1 / (1 + moves), 0 without a way
    ],
    align=True,
)
"""The deck as the rules see it: one record, so that passing it to a rule is passing a pointer."""

POSITION = position_dtype(
    [
        ("options", np.int16, (NUM_OPTIONS,)),
        ("players", np.int16),
        ("turn", np.int16),  # the seat whose turn it is
        ("turns", np.int16),  # begun so far
        ("phase", np.int16),
        # the woods
        ("placed", np.int8, (NUM_SPACES,)),  # 1: the card lies on the table
        ("x", np.int8, (NUM_SPACES,)),  # columns east of the centre of the camp
        ("y", np.int8, (NUM_SPACES,)),  # rows north of it
        ("left", np.int16, (NUM_DIRECTIONS,)),  # cards in each deck
        ("beside", np.int8, (NUM_SPACES, NUM_DIRECTIONS)),  # the space that lies there, whether a way leads to it or not
        ("open_ways", np.int8, (NUM_SPACES,)),  # markers with no card next to them; follows from the above, as distances do
        ("distance", np.uint8, (NUM_SPACES, NUM_SPACES)),  # moves from one space to another, UNREACHED without a way
        ("enemies", np.int8, (NUM_SPACES, MAX_ENEMIES)),  # common enemies, by kind
        ("foes", np.int8, (NUM_SPACES,)),  # how many stand there, the guardian counted
        ("guardian_at", np.int16, (NUM_DIRECTIONS,)),
        ("lying", np.int8, (NUM_GOODS, NUM_SPACES)),  # weapons, potions and gold that lie on each space
        ("spell_at", np.int16, (NUM_SPELLS,)),
        ("bag", np.int16, (NUM_TILES,)),
        ("supply", np.int16),  # gold pieces
        # the adventurers
        ("at", np.int16, (MAX_PLAYERS,)),
        ("carried", np.int16, (MAX_PLAYERS, NUM_GOODS)),
        # this turn
        ("moves", np.int16),  # spaces that may still be moved
        ("moved", np.int16),  # spaces moved
        ("dropped", np.int16),  # items dropped on this visit to a space, as bits: they are not taken up again
        ("handled", np.int16),  # the last drop or take of this visit: drops come first, each in the order of items
        ("put_back", np.int16),  # 1: a third spell went back to its well on this visit, so that spells can be dropped after takes
        ("cast", np.int16),  # spells used this turn, as bits
        ("way", np.int16),  # explored: its direction
        ("room", np.int16),  # the space explored, until the adventurer has moved there
        ("to_draw", np.int16),  # tiles
        ("giver", np.int16),  # the adventurer whom a gnome takes from
        ("magnet", np.int16),  # the item that the Magnet draws
        # the fight
        ("foe", np.int16),  # the kind of enemy, or GUARDIAN
        ("wins", np.int16),  # rolls won against a guardian
        ("weapon", np.int16),  # the item used, or NONE
        ("own_roll", np.int16),
        ("foe_roll", np.int16),
        # the fight for a tie
        ("ending", np.int16),  # 1 + how the game ended, for which the tie is fought; 0 before
        ("tied", np.int16, (MAX_PLAYERS,)),  # 1: still in it
        ("duel_item", np.int16, (MAX_PLAYERS,)),  # the weapon or spell chosen
        ("duel_roll", np.int16, (MAX_PLAYERS,)),
    ],
    seats=MAX_PLAYERS,
)
"""A position of Lost Woods."""
