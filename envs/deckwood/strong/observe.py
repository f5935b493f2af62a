"""The parts of an observation that every 20 Strong deck has. Features and the rule that writes them stand together.

A deck puts the groups into its own ``FEATURES`` in any order, its own features between them, and calls each writer with the place where
its group begins (``places_of``). A group's features stay together and in order.
"""

from __future__ import annotations

from collections.abc import Sequence

from deckwood.core.jit import rule
from deckwood.core.spec import Feature
from deckwood.strong.after import damage_due
from deckwood.strong.cards import colours_on, damage_of, damage_to, dice_on, die_damage, health_of, here
from deckwood.strong.pool import recovery_of, strategy_of
from deckwood.strong.steps import AIMING, STEP, TARGET, A, B, top
from deckwood.strong.terms import (
    CANCELLED,
    COLOURS,
    CRIT,
    DEFEATED,
    ENEMY,
    FACES,
    HIT,
    MAX_ITEMS,
    MAX_KEPT,
    NONE,
    POWER_UP,
    SLOTS,
    STAT_MAX,
    STATS,
)
from deckwood.strong.traits import FACE_NUMBERS, FACE_VIEW, NUM_TRAITS, TRAITS
from deckwood.strong.vocabulary import (
    APPLY_BAN,
    APPLY_LIMIT,
    APPLY_PER_ROLL,
    CANCEL,
    COLOURS_NEEDED,
    COMMIT_BAN,
    DAMAGE_CAP,
    DEFEAT,
    HIT_BONUS,
    HITS_VOID,
    NO_ITEMS,
    OPS,
    PROTECTED,
    SET_HEALTH,
    WOUND,
)

MANY = 20
"""Numbers that a deck file could make larger are shown as at most this much."""

_OP_NAMES = {op.code: op.name for op in OPS}
_DICE = tuple(f"{c} {f}" for c in COLOURS for f in FACES)


@rule
def bounded(value):
    return max(-MANY, min(MANY, value))


def places_of(features: Sequence[Feature]) -> dict[str, int]:
    """Where each feature begins in the observation, by name, and its whole size as ``end``."""
    places, end = {}, 0
    for feature in features:
        places[feature.name] = end
        end += feature.size
    return {**places, "end": end}


# What is being decided.

AIMS = (DEFEAT, WOUND, SET_HEALTH, CANCEL)
REQUEST_FEATURES = (
    Feature("how_many", 1, 0, MANY, "how many more dice, stats or items this step asks for"),
    Feature("die_in_hand", 15, 0, 1, "the die that is being placed, one-hot", _DICE),
    Feature("aim", 4, 0, 1, "what the enemy is being chosen for, one-hot", tuple(_OP_NAMES[op] for op in AIMS)),
)


def step_features(phases: dict[int, str], steps: Sequence[int]) -> tuple[Feature, ...]:
    """The step, one-hot in the order of ``steps``, the deck's decisions, and what it asks for."""
    phase = Feature("phase", len(steps), 0, 1, "what is being decided, one-hot", tuple(phases[step] for step in steps))
    return phase, *REQUEST_FEATURES


def step_places(steps: Sequence[int]) -> tuple[int, ...]:
    """The place of each step among a deck's decisions, NONE for others: the table that ``observe_step`` reads."""
    return tuple(steps.index(step) if step in steps else NONE for step in range(max(steps) + 1))


@rule
def observe_step(s, places, out, phase, request):
    """Writes the features of ``step_features``: the one-hot at ``phase``, the others from ``request``, where how_many is."""
    step = top(s, STEP)
    place = places[step] if step < len(places) else NONE
    if place != NONE:
        out[phase + place] = 1
    if step == TARGET:
        out[request + 1 + 3 * top(s, A) + top(s, B)] = 1
    elif step == AIMING:
        for i in range(4):
            if AIMS[i] == top(s, A):
                out[request + 16 + i] = 1
        out[request] = bounded(top(s, B))
    else:
        out[request] = bounded(max(0, top(s, A)))


# The hero's stats.

STAT_FEATURES = (
    Feature("stats", 3, 0, STAT_MAX, "the stat dice", STATS),
    Feature("counting_strategy", 1, 0, MANY, "Strategy as it counts now"),
    Feature("counting_recovery", 1, 0, MANY, "Recovery as it counts now"),
    Feature("passes_left", 1, 0, MANY, "times that the Strategy phase may still be repeated"),
)


@rule
def observe_stats(s, out, at):
    for stat in range(3):
        out[at + stat] = s.stats[stat]
    strategy = strategy_of(s)
    out[at + 3] = bounded(strategy)
    out[at + 4] = bounded(recovery_of(s))
    out[at + 5] = bounded(max(0, strategy + int(s.extra_passes) - int(s.passes)))


DAMAGE_FEATURES = (
    Feature("damage_due", 1, 0, MANY, "Health that the Suffer Damage step would cost now"),
    Feature("shield", 1, 0, MANY, "damage that would be ignored this round"),
)


@rule
def observe_damage(s, deck, out, at):
    out[at] = bounded(damage_due(s, deck))
    out[at + 1] = bounded(int(s.shield))


# Dice that are not on cards.

POOL_FEATURES = (
    Feature("ready", 5, 0, 4, "ready dice", COLOURS),
    Feature("exhausted", 5, 0, 4, "exhausted dice", COLOURS),
    Feature("banished", 5, 0, 4, "banished dice", COLOURS),
)


@rule
def observe_pool(s, out, at):
    for colour in range(5):
        out[at + colour] = s.ready[colour]
        out[at + 5 + colour] = s.exhausted[colour]
        out[at + 10 + colour] = s.banished[colour]


COMMITTED_FEATURES = (
    Feature("to_roll", 5, 0, 4, "committed dice about to be rolled", COLOURS),
    Feature("rolled", 15, 0, 4, "unapplied committed dice by what they show", _DICE),
    Feature("kept", 10, 0, 4, "hits set aside from the next roll", tuple(f"{c} {f}" for c in COLOURS for f in FACES[1:])),
)


@rule
def observe_committed(s, out, at):
    for colour in range(5):
        out[at + colour] = s.unrolled[colour]
        for face in range(3):
            out[at + 5 + 3 * colour + face] = s.rolled[colour, face]
        out[at + 20 + 2 * colour] = s.kept[colour, HIT]
        out[at + 20 + 2 * colour + 1] = s.kept[colour, CRIT]


# Cards.


def card_labels(own: str) -> tuple[str, ...]:
    """What is shown of an active card before its traits; ``own`` names the number of an enemy that is the deck's own."""
    return (
        "enemy", "boss", "power-up", "standing", "cancelled", "health left", "health", "damage", own, "dice on it",
        "dice it still takes", "dice it takes after this roll", "colours it still needs", "damage a round", "protected",
        *(f"takes damage from {c}" for c in COLOURS),
    )  # fmt: skip


CARD_SIZE = len(card_labels(""))
SLOT_SIZE = CARD_SIZE + NUM_TRAITS


def active_feature(own: str) -> Feature:
    """The cards of the active area, SLOT_SIZE entries for each place."""
    labels = tuple(f"{j + 1} {label}" for j in range(SLOTS) for label in (*card_labels(own), *TRAITS))
    return Feature("active", SLOTS * SLOT_SIZE, -MANY, MANY, "the cards of the active area", labels)


@rule
def observe_card(s, deck, slot, own, out, at):
    """Writes the card of one place of the active area, ``at`` the beginning of that place; ``own`` is the deck's own number of it,
    which counts for enemies and bosses."""
    face = int(s.slot[slot])
    kind = int(deck.cards[face].kind)
    if kind == POWER_UP:
        out[at + 2] = 1
    else:
        out[at + (0 if kind == ENEMY else 1)] = 1
        health = health_of(s, deck, slot)
        out[at + 6] = bounded(health)
        out[at + 7] = bounded(damage_of(s, deck, slot))
        out[at + 8] = bounded(own)
        on_it = dice_on(s, slot)
        out[at + 9] = bounded(on_it)
        if not s.marks[slot] & DEFEATED:
            out[at + 3] = 1
            out[at + 5] = bounded(max(0, health - damage_to(s, deck, slot)))
            out[at + 10] = bounded(max(0, here(s, slot, APPLY_LIMIT) - on_it))
            out[at + 11] = bounded(max(0, here(s, slot, APPLY_PER_ROLL) - int(s.applied_now[slot])))
            out[at + 12] = bounded(max(0, here(s, slot, COLOURS_NEEDED) - colours_on(s, slot)))
            out[at + 13] = bounded(here(s, slot, DAMAGE_CAP))
            out[at + 14] = min(1, here(s, slot, PROTECTED))
            for colour in range(5):
                out[at + 15 + colour] = 1 if die_damage(s, slot, colour, HIT) > 0 and not (here(s, slot, APPLY_BAN) >> colour) & 1 else 0
    out[at + 4] = 1 if s.marks[slot] & CANCELLED else 0
    show_face(deck, face, FACE_NUMBERS, out, at + CARD_SIZE)


@rule
def show_face(deck, face, first, out, at):
    """Copies what the deck's ``face_view`` shows of a face, from entry ``first`` on."""
    for i in range(FACE_VIEW - first):
        out[at + i] = deck.face_view[face, first + i]


def items_feature(items: int) -> Feature:
    """Items in hand, for a deck of as many of them, whose ordinary sides are faces one after another, then the upgraded ones."""
    return Feature("items", 2 * items, 0, 1, "items in hand, which lie in this order: ordinary sides, then upgraded ones")


@rule
def observe_items(s, first, out, at):
    """``first`` is the face of the first item."""
    for i in range(MAX_ITEMS):
        face = int(s.items[i])
        if face != NONE:
            out[at + face - first] = 1


USED_FEATURE = Feature("used", MAX_ITEMS + 1, 0, 1, "used this round: items by place, then the hero")


@rule
def observe_used(s, out, at):
    for i in range(MAX_ITEMS + 1):
        out[at + i] = s.used[i]


def beside_feature(cards: str) -> Feature:
    """The cards next to the hero, which the deck calls ``cards``."""
    return Feature("beside", MAX_KEPT, 0, MANY, f"{cards} next to the hero: rounds left, 20 where they stay")


@rule
def observe_beside(s, out, at):
    for i in range(MAX_KEPT):
        if s.beside[i] != NONE:
            left = int(s.beside_left[i])
            out[at + i] = bounded(left) if left > 0 else MANY


# Standing modifiers.

NUM_MODIFIERS = NO_ITEMS + 1
MODIFIER_FEATURES = (
    Feature(
        "modifiers",
        NUM_MODIFIERS,
        -MANY,
        MANY,
        "standing modifiers; an absent limit shows as 20",
        tuple(_OP_NAMES.get(op, f"hit_bonus_{COLOURS[(op - HIT_BONUS) % 5]}") for op in range(NUM_MODIFIERS)),
    ),
    Feature("banned", 5, 0, 1, "colours that may not be committed", COLOURS),
    Feature("void", 5, 0, 1, "colours whose hits deal no damage", COLOURS),
)


@rule
def observe_modifiers(s, out, at):
    for op in range(NUM_MODIFIERS):
        out[at + op] = bounded(int(s.modifiers[op]))
    for colour in range(5):
        out[at + NUM_MODIFIERS + colour] = (int(s.modifiers[COMMIT_BAN]) >> colour) & 1
        out[at + NUM_MODIFIERS + 5 + colour] = (int(s.modifiers[HITS_VOID]) >> colour) & 1
