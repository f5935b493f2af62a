"""Etherfields' own words as numbers, and the record that a position is."""

from __future__ import annotations

import numpy as np

from deckwood.core.spec import position_dtype
from deckwood.strong.terms import CARD, GREEN, RED, STRONG_FIELDS, YELLOW
from deckwood.strong.traits import FACE_VIEW
from deckwood.strong.vocabulary import COLOUR, FIRST_DECK_MODIFIER, FIRST_DECK_OP, SUM, Op

# Printed component counts, by the type of the A side.
NUM_ENEMIES = 27
NUM_INFLUENCE = 21
NUM_ITEMS = 12
NUM_CARDS = NUM_ENEMIES + NUM_INFLUENCE + NUM_ITEMS  # those whose type may change when they flip
NUM_MAPS = 10
NUM_HEROES = 5
NUM_BOSSES = 5

# Cards: enemies, influence, items.
INFLUENCE_CARD = NUM_ENEMIES
ITEM_CARD = INFLUENCE_CARD + NUM_INFLUENCE
# Places in ``side``, which says of every card which side faces up: these cards, then maps, heroes, bosses.
MAP_SIDE = NUM_CARDS
HERO_SIDE = MAP_SIDE + NUM_MAPS
BOSS_SIDE = HERO_SIDE + NUM_HEROES
NUM_SIDES = BOSS_SIDE + NUM_BOSSES

# Faces: places in the deck's ``cards`` table. Side k of card i is NUM_CARDS k + i.
BOSS_FACE = 2 * NUM_CARDS  # boss b, side k is BOSS_FACE + 2 b + k
HERO_FACE = BOSS_FACE + 2 * NUM_BOSSES  # hero h, side k is HERO_FACE + 2 h + k
UNIVERSAL_FACE = HERO_FACE + 2 * NUM_HEROES  # guest g, side k is UNIVERSAL_FACE + 2 g + k
MAX_GUESTS = 8
ACTION_FACE = UNIVERSAL_FACE + 2 * MAX_GUESTS  # the unique actions of the map
MAX_ACTIONS = 96
MAX_FACES = ACTION_FACE + MAX_ACTIONS
MAX_ROWS = 1024

# The four decks, by the type of the cards in them.
ENEMY_DECK, INFLUENCE_DECK, ITEM_DECK, MAP_DECK = range(4)
DECKS = ("enemy", "influence", "item", "map")

# The three resources, and the colour of the die that gives each.
AWARENESS, CUNNING, WRATH = range(3)
RESOURCES = ("awareness", "cunning", "wrath")
RESOURCE_DICE = (GREEN, YELLOW, RED)

# When an instant influence card may be played.
ANY_TIME, IN_ACTIVATION, IN_ENGAGEMENT, AFTER_ROLL = range(4)
TIMINGS = ("any", "activation", "engagement", "apply")

# Map cards. Side k of map card m is row 2 m + k of the map tables. A card is a grid of three by three cells, rows from the top; cells with
# the same letter are one space.
CELLS = 9
MAX_SPACES = 9
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("north", "east", "south", "west")
STEP_X = (0, 1, 0, -1)
STEP_Y = (1, 0, -1, 0)
EDGES = 12  # 3 direction + segment, segments from the left or from the top
SPACE_ACTIONS = 2  # unique actions of one space, at most
# Columns of ``explore``.
ARROW, AWARENESS_COST = range(2)

# Columns of ``conditions``: what a boss's endgame condition asks for. NONE: nothing.
ETHER_IS, MAPS_OUT, CARDS_HELD, ENEMIES_BEATEN = range(4)
CONDITIONS = ("ether", "maps", "items", "defeated")
MAX_REQUIRED = 4  # faces that a boss needs in play

# Places in the deck's ``numbers`` table.
HAND_SIZE, RESHUFFLE_HEALTH, RESHUFFLE_CARDS, FIRST_ETHER = range(4)
NUMBERS = ("hand_size", "reshuffle_health", "reshuffle_cards", "first_ether")

# Where a card is. Played, used or offered, it is resolving until all that it says is done: in no pile, so that it cannot be drawn.
IN_DECK, IN_HAND, IN_INVENTORY, IN_PLAY, IN_DISCARD, OUT, RESOLVING = range(7)
ZONES = ("deck", "hand", "inventory", "play", "discard", "banished", "resolving")
MAX_HAND = 8

# How a game ends: places in the spec's endings.
WON, DIED, DIED_FACING_BOSS, LOST_IN_DREAM, CAMPAIGN_OVER = range(5)

# Etherfields' own standing modifiers.
HAND_CHANGE, COST_CHANGE, NO_MOVES, NO_CARDS = range(FIRST_DECK_MODIFIER, FIRST_DECK_MODIFIER + 4)
# Etherfields' own instructions.
(
    DRAW_INFLUENCE,
    DISCARD_INFLUENCE,
    RECALL,
    BANISH_INFLUENCE,
    SET_ETHER,
    ADVANCE_ETHER,
    IF_ETHER,
    FLIP_CARD,
    FLIP_AND_TAKE,
    BANISH_CARD,
    FLIP_ENEMY,
    FLIP_MAP,
    DISCARD_MAP,
    MOVE,
    RETURN_HOME,
    SUMMON,
) = range(FIRST_DECK_OP, FIRST_DECK_OP + 16)
DECK_OPS: tuple[Op, ...] = (
    Op("hand_change", HAND_CHANGE, "Draw until your hand has {count} more cards (never below 0).", count=(-3, 3), combine=SUM),
    Op(
        "cost_change",
        COST_CHANGE,
        "Exploring, unique and influence actions cost {count} more of each resource they ask for (never below 1).",
        count=(-2, 2),
        combine=SUM,
    ),
    Op("no_moves", NO_MOVES, "You cannot take the movement action.", combine=SUM),
    Op("no_cards", NO_CARDS, "Influence cards cannot be played for their action.", combine=SUM),
    Op("draw_influence", DRAW_INFLUENCE, "Draw {count} influence cards.", count=(1, 5), per=True),
    Op("discard_influence", DISCARD_INFLUENCE, "Discard {count} influence cards of your choice.", count=(1, 5), per=True),
    Op("recall", RECALL, "Take {count} random cards of the influence discard into your hand.", count=(1, 5)),
    Op("banish_influence", BANISH_INFLUENCE, "Banish {count} random cards of the Influence Deck.", count=(1, 5)),
    Op("set_ether", SET_ETHER, "Set the ether to {what}.", what=COLOUR, raises=("ether_changed",)),
    Op("advance_ether", ADVANCE_ETHER, "Advance the ether by one colour.", raises=("ether_changed",)),
    Op(
        "if_ether",
        IF_ETHER,
        "If the ether is {what}, the next {count} instructions, otherwise those after them.",
        what=COLOUR,
        count=(0, 4),
        branches=("if the ether is {what}", "otherwise"),
    ),
    Op("flip_card", FLIP_CARD, "Flip this card."),
    Op("flip_and_take", FLIP_AND_TAKE, "Flip this card and take it into your hand or inventory."),
    Op("banish_card", BANISH_CARD, "Banish this card."),
    Op("flip_enemy", FLIP_ENEMY, "Flip an undefeated non-boss enemy of your choice."),
    Op("flip_map", FLIP_MAP, "Flip the map card you are on."),
    Op("discard_map", DISCARD_MAP, "Discard a random map card of the map."),
    Op("move", MOVE, "Move up to {count} spaces.", count=(1, 5)),
    Op("return_home", RETURN_HOME, "Return to the Dream Entrance."),
    Op("summon", SUMMON, "Activate the boss, if its endgame condition is met."),
)

OPTION_HERO, OPTION_BOSS, OPTION_RANK, OPTION_GAMES, OPTION_REWARD = range(5)
NUM_OPTIONS = 5

CARD_VIEW = 15  # of an influence card, an item or a unique action, see ``views``
SPACE_VIEW = 9  # of a space of the map

TABLES = np.dtype(
    [
        ("cards", CARD, (MAX_FACES,)),
        ("effects", np.int16, (MAX_ROWS, 5)),  # WHEN, OP, WHAT, COUNT, PER
        ("deck_of", np.int16, (2 * NUM_CARDS,)),  # the deck that a card belongs to with this side up
        ("yields", np.int16, (MAX_FACES, 3)),  # resources that spending the card gives
        ("costs", np.int16, (MAX_FACES, 2, 3)),  # of an influence action or a unique action; a second row of NONE: no alternative
        ("timing", np.int16, (MAX_FACES,)),
        ("requires", np.int16, (2 * NUM_BOSSES, MAX_REQUIRED)),  # faces that must face up for the boss to be chosen, then NONE
        ("conditions", np.int16, (2 * NUM_BOSSES, len(CONDITIONS))),
        ("numbers", np.int16, (len(NUMBERS),)),
        # the sides of map cards
        ("space_at", np.int16, (2 * NUM_MAPS, CELLS)),  # the space that a cell belongs to
        ("doors", np.int16, (2 * NUM_MAPS, MAX_SPACES)),  # bits of the spaces of the card across a border
        ("edges", np.int16, (2 * NUM_MAPS, EDGES)),  # 1: open, 0: a wall
        ("skulls", np.int16, (2 * NUM_MAPS, MAX_SPACES)),  # enemies that entering activates
        ("explore", np.int16, (2 * NUM_MAPS, MAX_SPACES, 2)),  # ARROW (a direction or NONE), AWARENESS_COST
        ("unique", np.int16, (2 * NUM_MAPS, MAX_SPACES, SPACE_ACTIONS)),  # faces of unique actions, or NONE
        ("entrance", np.int16, (2 * NUM_MAPS,)),  # the space of the Dream Entrance, or NONE
        # derived from the others, for observations to copy
        ("face_view", np.float32, (MAX_FACES, FACE_VIEW)),
        ("card_view", np.float32, (MAX_FACES, CARD_VIEW)),
        ("space_view", np.float32, (2 * NUM_MAPS, MAX_SPACES, SPACE_VIEW)),
    ],
    align=True,
)
"""The deck as the rules see it: one record, so that passing it to a rule is passing a pointer. Its size is fixed for any deck file."""

POSITION = position_dtype(
    [
        *STRONG_FIELDS,
        ("side", np.int16, (NUM_SIDES,)),  # the side of every card that faces up: what a campaign remembers
        # where every card is
        ("zone", np.int16, (NUM_CARDS,)),
        ("map_zone", np.int16, (NUM_MAPS,)),
        ("top_card", np.int16, (4,)),  # the visible card on top of each deck, or NONE
        ("hand", np.int16, (MAX_HAND,)),  # faces of the influence cards in hand, in the order of their cards, then NONE
        # the map
        ("map_x", np.int16, (NUM_MAPS,)),  # columns to the east of the Dream Entrance, of cards in play
        ("map_y", np.int16, (NUM_MAPS,)),  # rows to the north
        ("at_card", np.int16),  # where the Health die is: a map card
        ("at_space", np.int16),  # ... and a space on it
        ("acted", np.int32, (2 * NUM_MAPS,)),  # unique actions of each side used this round: bit SPACE_ACTIONS space + action
        ("ether", np.int16),
        # the boss
        ("boss", np.int16),  # its face
        ("facing", np.int16),  # 1: it is in the active area, the endgame
        ("beaten", np.int16),  # enemies defeated and put away in this game
        # a payment that is being made
        ("due", np.int16, (3,)),  # resources still to be spent
        ("paid", np.int16),  # Cunning spent on movement so far
        # a campaign of several games
        ("games", np.int16),  # games that are over
        ("wins", np.int16),
        ("earned", np.float64),  # under reward="progress": payoff of the game being played, as if it were the only one
        ("consoled", np.float64),  # ... and of those that were lost, added up
        ("explored", np.int16),  # map cards of this game that counted for the payoff
        ("options", np.int16, (NUM_OPTIONS,)),
    ]
)
"""A position of Etherfields."""
