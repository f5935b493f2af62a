"""Tanglewoods' own words as numbers, and the record that a position is."""

from __future__ import annotations

import numpy as np

from deckwood.core.spec import position_dtype
from deckwood.strong.terms import CARD, STAT_MAX, STRONG_FIELDS
from deckwood.strong.traits import FACE_VIEW
from deckwood.strong.vocabulary import FIRST_DECK_OP, FOREST_SIDE, Op

# Printed component counts.
NUM_ENEMIES = 40
NUM_WOLVES = 5
NUM_ITEMS = 15
NUM_HEROES = 5
NUM_FOREST = 15
FOREST_DEALT = 10

# Faces: places in the deck's ``cards`` table.
ENEMY_FACE = 0
FABLE_FACE = ENEMY_FACE + NUM_ENEMIES  # the back of enemy i
WOLF_FACE = FABLE_FACE + NUM_ENEMIES
POWER_UP_FACE = WOLF_FACE + NUM_WOLVES  # the back of wolf i
ITEM_FACE = POWER_UP_FACE + NUM_WOLVES
UPGRADED_FACE = ITEM_FACE + NUM_ITEMS  # the back of item i
BIG_BAD_FACE = UPGRADED_FACE + NUM_ITEMS
BIGGER_BADDER_FACE = BIG_BAD_FACE + 1
HERO_FACE = BIGGER_BADDER_FACE + 1  # hero i, side k is HERO_FACE + 2 i + k
GRIMM_FACE = HERO_FACE + 2 * NUM_HEROES
UNIVERSAL_FACE = GRIMM_FACE + 1  # universal heroes that the deck lists, then guests of other decks, then the backs of guests
MAX_UNIVERSAL = 4
MAX_GUESTS = 2

# Sides of forest cards: places in ``nodes`` and ``paths``. Card i by day is 2 i, by night 2 i + 1.
DAY, NIGHT = range(2)
TRAILHEAD = NUM_FOREST
CABIN = NUM_FOREST + 1
NUM_SIDES = 2 * (NUM_FOREST + 2)
MAX_PATH = FOREST_DEALT + 2
MAX_LINE = STAT_MAX  # Strategy is at most 6

PLACES = 4  # node places on a forest card, numbered from the bottom
PLACE_NAMES = ("a", "b", "c", "d")
THRESHOLDS = 3  # left, middle, right
THRESHOLD_NAMES = ("left", "middle", "right")
# A row of ``paths`` has an entry for each place one can leave, a place or a lower threshold, in this order; an entry's bits are where
# the lines lead: bit p for place p, bit PLACES + t for upper threshold t.
FROM_THRESHOLD = PLACES

MINION, WOLF, FABLE_NODE, CAMPFIRE, HOME, START = range(1, 7)
NODE_TYPES = ("none", "minion", "wolf", "fable", "campfire", "home", "start")
STANDARD, WEARY, BLIGHTED_NODE, MOB, TOLL, TRAP = range(6)
OUTLINES = ("standard", "weary", "blighted", "mob", "toll", "trap")
# Columns of ``nodes``.
TYPE, OUTLINE, MOBS = range(3)

# Places in the deck's ``numbers`` table: printed values, and those we had to choose.
(
    GOLD_LESS_STATS,
    BLIGHT_HEALTH,
    BLIGHT_DAMAGE,
    TOLL_GOLD,
    CAMP_HEALTH,
    CAMP_STRATEGY,
    CAMP_RECOVERY,
    TRAP_DIE,
    TRAP_RECOVERS,
    EXPLORE_DICE,
    EXPLORE_COLOURS,  # bits
    EXPLORE_GOLD,
    UPGRADE_COST,
    RECOVER_COST,
    STAT_COST,
    WEARY_STAT,
    WEARY_LESS,
    RICH_START,
    POOR_START,
    LEVEL_3_COLOURS,  # bits
) = range(20)
NUMBERS = (
    "gold_less_stats", "blight_health", "blight_damage", "toll_gold", "camp_health", "camp_strategy", "camp_recovery",
    "trap_die", "trap_recovers", "explore_dice", "explore_colours", "explore_gold", "upgrade_cost", "recover_cost", "stat_cost",
    "weary_stat", "weary_less", "rich_start", "poor_start", "level_3_colours",
)  # fmt: skip

# Where a card is.
IN_DECK, IN_LINE, IN_PLAY, IN_DISCARD, OUT, IN_SHOP, IN_HAND, ON_PATH = range(8)

# How a game ends: places in the spec's endings.
WON, DIED_IN_FOREST, DIED_AT_CABIN = range(3)

# Tanglewoods' own ops.
(
    ACTIVATE_WOLF,
    ACTIVATE_NEXT,
    DISCARD_SCOUTED,
    PLACE_FOREST,
    FLIP_FOREST,
    TURN_NEXT,
    MERCHANT,
    WOLF_RETURNS,
) = range(FIRST_DECK_OP, FIRST_DECK_OP + 8)
DECK_OPS: tuple[Op, ...] = (
    Op("activate_wolf", ACTIVATE_WOLF, "Activate a wolf from the bottom of the Wolf Pack Deck."),
    Op("activate_next", ACTIVATE_NEXT, "The next minion or wolf node activates {count} more enemies.", count=(1, 3)),
    Op("discard_scouted", DISCARD_SCOUTED, "Discard up to {count} scouted cards of your choice.", count=(1, 6)),
    Op("place_forest", PLACE_FOREST, "Add a {what} forest card to the end of the path.", what=FOREST_SIDE),
    Op(
        "flip_forest",
        FLIP_FOREST,
        "Turn the forest card you are on to its {what} side and resolve the new node.",
        what=FOREST_SIDE,
        raises=("night_entered", "trap_sprung", "camped"),
    ),
    Op("turn_next", TURN_NEXT, "Turn the next forest card of the path to its {what} side.", what=FOREST_SIDE),
    Op("merchant", MERCHANT, "Visit the merchant, who offers {count} items.", count=(1, 3)),
    Op("wolf_returns", WOLF_RETURNS, "A random defeated wolf returns to the active area."),
)

OPTION_HERO, OPTION_SIDE, OPTION_DIFFICULTY, OPTION_BOSS, OPTION_WOLVES, OPTION_REWARD = range(6)

NODE_VIEW = len(NODE_TYPES) - 1 + len(OUTLINES) - 1 + 1
ROUTE_VIEW = PLACES * (PLACES + THRESHOLDS) + THRESHOLDS * PLACES
MAX_FACES = UNIVERSAL_FACE + MAX_UNIVERSAL + 2 * MAX_GUESTS
MAX_ROWS = 1024

TABLES = np.dtype(
    [
        ("cards", CARD, (MAX_FACES,)),
        ("effects", np.int16, (MAX_ROWS, 5)),  # WHEN, OP, WHAT, COUNT, PER
        ("nodes", np.int16, (NUM_SIDES, PLACES, 3)),  # TYPE, OUTLINE, MOBS
        ("paths", np.int16, (NUM_SIDES, PLACES + THRESHOLDS)),  # bits of where the lines lead
        ("numbers", np.int16, (len(NUMBERS),)),
        # derived from the others, for observations to copy
        ("face_view", np.float32, (MAX_FACES, FACE_VIEW)),  # 1, Health, Damage, bribe, then the face's traits
        ("node_view", np.float32, (NUM_SIDES, PLACES * NODE_VIEW)),  # each place's type and outline one-hot, and its mobs
        ("route_view", np.float32, (NUM_SIDES, ROUTE_VIEW)),  # lines from each place, then from each lower threshold to places
    ],
    align=True,
)
"""The deck as the rules see it: one record, so that passing it to a rule is passing a pointer. Its size is fixed for any deck file."""

POSITION = position_dtype(
    [
        *STRONG_FIELDS,
        # where every card is
        ("minions", np.int16, (NUM_ENEMIES,)),
        ("wolves", np.int16, (NUM_WOLVES,)),
        ("item_cards", np.int16, (NUM_ITEMS,)),
        ("forest", np.int16, (NUM_FOREST,)),
        ("line", np.int16, (MAX_LINE,)),  # scouted enemies from the left; the last one is the top of the Minion Deck
        ("line_length", np.int16),
        ("shop", np.int16, (3,)),
        # the path
        ("path", np.int16, (MAX_PATH,)),  # sides of the placed forest cards, from the Trailhead on
        ("path_length", np.int16),
        ("placed", np.int16),  # forest cards dealt to the path so far
        ("at_card", np.int16),  # the hero's place: a card of the path
        ("at_place", np.int16),  # ... and a node on it; NONE: on the threshold that at_threshold names
        ("at_threshold", np.int16),
        ("blighted", np.int16),
        ("next_mobs", np.int16),  # enemies that an effect adds to the next encounter
        ("explore", np.int16, (5,)),  # dice chosen to explore, not yet rolled
        ("explored", np.int16),  # dice rolled to explore this round
        ("cabin_side", np.int16),
        ("options", np.int16, (6,)),
    ]
)
"""A position of Tanglewoods."""
