"""The 20 Strong system's words as numbers, and the position fields that every deck of it has."""

from __future__ import annotations

from typing import Any

import numpy as np

# Colours, weakest first.
YELLOW, GREEN, BLUE, PURPLE, RED = range(5)
COLOURS = ("yellow", "green", "blue", "purple", "red")
NUM_COLOURS = 5
UNIT_DICE = (4, 4, 4, 4, 1)  # in the box, by colour

# What a die shows.
MISS, HIT, CRIT = range(3)
FACES = ("miss", "hit", "crit")
SIDES = ((4, 1, 1), (3, 2, 1), (2, 3, 1), (1, 4, 1), (0, 5, 1))  # sides of each colour showing a miss, a basic hit, a crit

HEALTH, STRATEGY, RECOVERY = range(3)
STATS = ("health", "strategy", "recovery")
STAT_MAX = 6
GOLD_MAX = 20  # the numbers on the chip

SLOTS = 8  # cards that the active area holds
MAX_ITEMS = STAT_MAX  # items are limited by Strategy
MAX_KEPT = 4  # cards set beside the hero
MAX_AGENDA = 40
NONE = -1

# Kinds of card face.
ENEMY, BOSS, POWER_UP, ITEM, HERO, FABLE, INFLUENCE, MAP_ACTION = range(8)
CARD_KINDS = ("enemy", "boss", "power-up", "item", "hero", "fable", "influence", "map action")

SINGLE_USE, ONGOING = range(2)

# When an effect acts. Up to ALWAYS they are standing modifiers, the rest are moments at which an instruction is carried out.
(
    DURING,  # while its enemy is undefeated
    ALWAYS,  # as long as its card lies there: Special effects, ongoing items, heroes, power-ups, cards beside the hero
    ACTIVATED,  # its enemy enters the active area
    ROLLED,  # after each roll while its enemy is undefeated
    CRIT_APPLIED,  # a crit is applied to its enemy
    FALLS,  # its enemy is defeated (forced)
    REWARD,  # its enemy is defeated (the Instant reward, optional)
    AFTER,  # the After Effects step, defeated or not
    AFTER_STANDING,  # the After Effects step, only if undefeated
    USE,  # the player chooses to use the item or the hero's ability
    TOLD,  # a fable is drawn
    ROUND_STARTS,
    EXPLORED_CRIT,  # an exploring die shows a crit
    NIGHT_ENTERED,  # arriving on a node of a nighttime card
    TRAP_SPRUNG,  # a trap's die misses
    CAMPED,  # arriving at a campfire
    BRIBED,  # an enemy is bribed
    BOUGHT,  # an item is bought
    ENGAGED,  # an engagement begins
    HERO_ROLLED,  # after each roll of the Strategy phase
    ENEMY_FELL,  # any enemy is defeated
    BOSS_FELL,  # a boss enemy (a wolf too) is defeated
    SUFFERED,  # damage was suffered in the Suffer Damage step
    RECOVERING,  # the Recover Dice step begins
    ENDGAME,  # the endgame begins
    SET_UP,  # the game has been set up
    ACTIVATION,  # the end of every Activation
    EXPLORED,  # a map card was placed
    ETHER_CHANGED,
) = range(29)
WHENS = (
    "during", "always", "activated", "rolled", "crit_applied", "falls", "reward", "after", "after_standing", "use", "told",
    "round_starts", "explored_crit", "night_entered", "trap_sprung", "camped", "bribed", "bought", "engaged", "hero_rolled",
    "enemy_fell", "boss_fell", "suffered", "recovering", "endgame", "set_up", "activation", "explored", "ether_changed",
)  # fmt: skip
WHEN_MEANINGS = (
    "while this enemy is undefeated",
    "as long as this card is in play",
    "when this enemy is activated",
    "after each roll while this enemy is undefeated",
    "when a crit is applied to this enemy",
    "when this enemy is defeated; not optional",
    "when this enemy is defeated; the player may refuse it",
    "in the After Effects step, defeated or not",
    "in the After Effects step, if undefeated",
    "when the player uses it: a single-use item once, an ongoing item or a hero once a round",
    "when this fable is drawn",
    "at the start of a round",
    "when a die rolled to explore shows a crit",
    "on arriving at a node of a nighttime card",
    "when a trap's die misses",
    "on arriving at a campfire",
    "when an enemy is bribed",
    "when an item is bought",
    "when an engagement begins",
    "after each roll of the Strategy phase",
    "when any enemy is defeated",
    "when a boss enemy is defeated",
    "when damage was suffered in the Suffer Damage step",
    "when the Recover Dice step begins",
    "when the endgame begins",
    "at the end of setup",
    "at the end of every Activation",
    "when a map card is explored",
    "when the ether changes",
)

# What an instruction's count is multiplied by.
ONCE, PER_MISS, PER_HIT, PER_STANDING, PER_COMMITTED = range(5)
PERS = ("once", "miss", "hit", "standing_enemy", "committed_die")

# Marks of an active card.
DEFEATED, CANCELLED, UNBRIBABLE, AFTER_DONE, HEALTH_SET = 1, 2, 4, 8, 16
HELD = 32  # its Health is met, but the Apply Dice step had seen as many defeats as it may
ROLL_SEEN = 64  # it was in play when the dice were rolled, and its effect of the roll is still to be resolved

CARD = np.dtype(
    [
        ("kind", np.int16),
        ("health", np.int16),
        ("damage", np.int16),
        ("bribe", np.int16),  # NONE: cannot be bribed
        ("cost", np.int16),  # of an item at the merchant
        ("uses", np.int16),  # SINGLE_USE or ONGOING
        ("stats", np.int16, (3,)),  # a hero's starting values
        ("other_side", np.int16),  # the face on the card's back; NONE: it has none
        ("forced", np.int16),  # 1: a hero must start on this side
        ("universal", np.int16),
        ("first", np.int16),  # its rows in the effects table are first .. first + count - 1, sorted by when
        ("count", np.int16),
        ("moments", np.int32),  # bit w: there is a row with that when
    ],
    align=True,
)
"""One row of a deck's ``cards`` table: one face."""

# Columns of a deck's ``effects`` table (int16).
WHEN, OP, WHAT, COUNT, PER = range(5)

GLOBAL_MODIFIERS = 32
SLOT_MODIFIERS = 16

STRONG_FIELDS: list[tuple[Any, ...]] = [
    # dice, by colour
    ("ready", np.int16, (5,)),
    ("exhausted", np.int16, (5,)),
    ("banished", np.int16, (5,)),
    ("unrolled", np.int16, (5,)),  # committed, about to be rolled
    ("rolled", np.int16, (5, 3)),  # committed, by what they show
    ("kept", np.int16, (5, 3)),  # committed, set aside from the next roll
    ("applied", np.int16, (SLOTS, 5, 3)),
    ("to_recover", np.int16, (5,)),  # exhausted, about to be rolled for their recovery
    ("stats", np.int16, (3,)),
    ("gold", np.int16),
    # the active area
    ("slot", np.int16, (SLOTS,)),  # the face that lies there; NONE: empty
    ("marks", np.int16, (SLOTS,)),
    ("set_health", np.int16, (SLOTS,)),  # where HEALTH_SET
    ("extra_health", np.int16, (SLOTS,)),
    ("extra_damage", np.int16, (SLOTS,)),
    ("wounds", np.int16, (SLOTS,)),  # damage dealt without dice
    ("before", np.int16, (SLOTS,)),  # damage that it had taken when this engagement began
    ("before_uncapped", np.int16, (SLOTS,)),  # ... had there been no limit to it
    ("applied_now", np.int16, (SLOTS,)),  # dice applied to it since the last roll
    # the hero
    ("hero", np.int16),
    ("items", np.int16, (MAX_ITEMS,)),
    ("beside", np.int16, (MAX_KEPT,)),  # cards kept next to the hero
    ("beside_left", np.int16, (MAX_KEPT,)),  # rounds for which each still counts; 0: to the end of the game
    ("used", np.int16, (MAX_ITEMS + 1,)),  # used this round: ongoing items, and last the hero
    # the Strategy phase
    ("passes", np.int16),
    ("extra_passes", np.int16),
    ("committed", np.int16),  # dice committed in this engagement
    ("committed_now", np.int16, (5,)),  # ... in this Commit Dice step
    ("falls", np.int16),  # enemies defeated in this Apply Dice step
    ("unsettled", np.int16),  # 1: damage, Health or modifiers have changed since it was last asked who falls
    ("weary", np.int16),  # by how much Strategy counts lower here
    ("tired", np.int16),  # by how much Recovery counts lower here
    ("last_die", np.int16),  # the order in which equal choices are spelt
    ("last_target", np.int16),
    ("shield", np.int16),  # damage ignored this round
    ("doubled", np.int16),  # rewards still to be doubled
    ("endgame", np.int16),  # 1: a battle of several rounds, in which applied dice stay on undefeated enemies
    # standing modifiers, a summary of every card in play that `refresh` recomputes
    ("modifiers", np.int16, (GLOBAL_MODIFIERS,)),
    ("slot_modifiers", np.int16, (SLOTS, SLOT_MODIFIERS)),
    # what remains to be done, the next step last
    ("depth", np.int16),
    ("agenda", np.int16, (MAX_AGENDA, 4)),
]
"""Fields that the functions of this package name; a deck's position has these and its own."""
