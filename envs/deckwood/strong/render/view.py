"""What lies on the table of any 20 Strong deck, read from a position once for text and picture. Its figures are those of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.step_table import StepTable
from deckwood.core.uncompiled import uncompiled
from deckwood.strong import actions as act
from deckwood.strong import after, pool
from deckwood.strong import cards as in_play
from deckwood.strong.deck import Words, card_text, effect_text, rows_of
from deckwood.strong.steps import (
    AFTER_EFFECTS,
    AIMING,
    APPLY,
    BANISHING_APPLIED,
    CHOOSING,
    COMMIT,
    OFFERED,
    RECOVERING,
    ROLLED_EFFECTS,
    TAKE_ITEM,
    TAKE_REWARD,
    TARGET,
    TESTING,
    A,
    B,
    C,
)
from deckwood.strong.terms import (
    AFTER_DONE,
    BOSS,
    CANCELLED,
    CARD_KINDS,
    COLOURS,
    DEFEATED,
    ENEMY,
    FACES,
    HELD,
    HERO,
    MAX_ITEMS,
    MAX_KEPT,
    NONE,
    NUM_COLOURS,
    ONGOING,
    REWARD,
    ROLL_SEEN,
    SLOTS,
    TOLD,
    USE,
    WHEN,
)
from deckwood.strong.vocabulary import (
    APPLY_LIMIT,
    APPLY_LIMIT_ALL,
    APPLY_PER_ROLL,
    COLOURS_NEEDED,
    COMMIT_LIMIT,
    COMMIT_TOTAL,
    DAMAGE_CAP,
    FALL_LIMIT,
    NO_LIMIT,
)
from deckwood.strong.words import at_moments, counted, question, step_argument, step_of

strategy_of = uncompiled(pool.strategy_of)
recovery_of = uncompiled(pool.recovery_of)
damage_due = uncompiled(after.damage_due)
is_protected = uncompiled(in_play.is_protected)
health_of = uncompiled(in_play.health_of)
damage_to = uncompiled(in_play.damage_to)
damage_of = uncompiled(in_play.damage_of)
uncapped_damage = uncompiled(in_play.uncapped_damage)
colours_on = uncompiled(in_play.colours_on)
dice_on = uncompiled(in_play.dice_on)
modifier_here = uncompiled(in_play.here)

Dice: TypeAlias = Sequence[tuple[int, int | None]]
"""Dice by colour and by what they show (None: nothing, they lie ready), weakest first."""


@dataclass(frozen=True)
class Face:
    """A card on the table, with its text and short remarks on its state. One with two sides says which is up, and has the other one too.

    ``choices`` are what may be done with it now, as verbs.
    """

    name: str
    kind: str
    text: str
    remarks: tuple[str, ...] = ()
    cost: int | None = None
    side: str = ""
    back: Face | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pile:
    """Cards that are out of play, by name."""

    name: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Badge:
    """A figure of an enemy that only its deck has. A picture shows it with this icon, or in words where there is none of that name."""

    name: str
    value: int
    icon: str = ""


@dataclass(frozen=True)
class Fighter:
    """An enemy: in the active area as it stands, elsewhere as printed. ``counts`` are its limits with what counts against them."""

    face: Face
    health: int
    left: int
    damage: int
    badges: tuple[Badge, ...] = ()
    defeated: bool = False
    dice: Dice = ()
    place: int = 0
    counts: tuple[str, ...] = ()
    pick: frozenset[tuple[int, int | None]] = frozenset()  # dice on it that may be chosen now


Badges: TypeAlias = Callable[[Any, LoadedDeck, int], tuple[Badge, ...]]
"""The deck's own figures of the enemy in a slot of the active area."""


Sides: TypeAlias = Callable[[LoadedDeck, int], tuple[str, int]]
"""What the side of a face is called and which face is its back; an empty name and NONE for a card that has but one."""


def no_badges(s: Any, deck: LoadedDeck, slot: int) -> tuple[Badge, ...]:
    return ()


def one_side(deck: LoadedDeck, face: int) -> tuple[str, int]:
    return "", NONE


@dataclass(frozen=True)
class Table:
    """What the table of every deck holds."""

    phase: str
    hint: str
    over: bool
    won: bool
    decisions: int
    hero: Face
    stats: tuple[int, int, int]
    strategy: int
    recovery: int
    damage_due: int
    zones: Mapping[str, Dice]
    active: tuple[Fighter | Face, ...]
    items: tuple[Face, ...]
    beside: tuple[Face, ...]
    conditions: tuple[str, ...]
    pick: frozenset[tuple[str, int, int | None]]  # dice that may be chosen now: zone, colour, what they show


DICE_ACTIONS = (
    (act.COMMIT_DIE, "ready"),
    (act.RECOVER_DIE, "exhausted"),
    (act.EXHAUST_DIE, "ready"),
    (act.BANISH_READY, "ready"),
    (act.BANISH_EXHAUSTED, "exhausted"),
    (act.RESTORE_DIE, "banished"),
)
"""The first of the actions that choose a die by its colour, and the zone it lies in."""
ITEM_ACTIONS = ((act.USE_ITEM, "use"), (act.DISCARD_ITEM, "discard"), (act.TURN_ITEM, "upgrade"))
"""The first of the actions on items, and what they do."""


def legal_actions(s: Any, deck: LoadedDeck, legal: Callable[..., Any], number: int) -> frozenset[int]:
    """The legal actions of a decision, of ``number`` actions in all."""
    if int(s.node) != Node.DECISION:
        return frozenset()
    mask = np.zeros(number, np.int8)
    legal(s, deck.tables, mask)
    return frozenset(np.flatnonzero(mask).tolist())


def read_table(
    s: Any,
    deck: LoadedDeck,
    words: Words,
    *,
    phase: str,
    hint: str,
    won: bool,
    legal: frozenset[int] = frozenset(),
    sides: Sides = one_side,
    badges: Badges = no_badges,
    marks: Sequence[tuple[int, str]] = (),
    areas: Mapping[str, Dice] | None = None,
    dice_actions: Sequence[tuple[int, str]] = (),
    facts: Sequence[str] = (),
) -> Table:
    """Reads a position. What the deck adds: the legal actions, the sides of cards, figures and marks of enemies, areas of dice with the
    actions that choose from them, and facts that count for now."""
    return Table(
        phase=phase,
        hint=hint,
        over=int(s.node) == Node.END,
        won=won,
        decisions=int(s.decisions),
        hero=hero(s, deck, words, sides, legal),
        stats=(int(s.stats[0]), int(s.stats[1]), int(s.stats[2])),
        strategy=strategy_of(s),
        recovery=recovery_of(s),
        damage_due=damage_due(s, deck.tables),
        zones=zones(s, areas or {}),
        active=tuple(active(s, deck, words, slot, badges, marks, sides, legal) for slot in range(SLOTS) if s.slot[slot] != NONE),
        items=tuple(item(s, deck, words, i, sides, legal) for i in range(MAX_ITEMS) if s.items[i] != NONE),
        beside=tuple(kept(s, deck, words, i) for i in range(MAX_KEPT) if s.beside[i] != NONE),
        conditions=conditions(s, facts),
        pick=dice_to_pick(s, legal, (*DICE_ACTIONS, *dice_actions)),
    )


def dice_to_pick(s: Any, legal: frozenset[int], actions: Sequence[tuple[int, str]]) -> frozenset[tuple[str, int, int | None]]:
    """The dice that legal actions choose, but for those on cards."""
    found: set[tuple[str, int, int | None]] = {(zone, c, None) for first, zone in actions for c in range(NUM_COLOURS) if first + c in legal}
    if step_of(s) != BANISHING_APPLIED:
        found |= {("rolled", *die) for die in shown_to_pick(legal)}
    return frozenset(found)


def shown_to_pick(legal: frozenset[int]) -> frozenset[tuple[int, int]]:
    """Colour and face of the dice that legal actions choose by what they show."""
    return frozenset((c, f) for c in range(NUM_COLOURS) for f in range(len(FACES)) if act.PICK_DIE + len(FACES) * c + f in legal)


def hint(s: Any, deck: LoadedDeck, words: Words, steps: StepTable, **numbers: int | str) -> str:
    """More about what is being decided; ``numbers`` are those that hints of the deck's table mention."""
    step = step_of(s)
    a, b, c = (int(s.agenda[s.depth - 1, column]) for column in (A, B, C))
    names = deck.names["faces"]
    if step in (COMMIT, APPLY):
        return f"Roll {int(s.passes)} of {strategy_of(s) + int(s.extra_passes)} in this engagement."
    if step == TARGET:
        return f"In hand: {COLOURS[a]} {FACES[b]}."
    if step == AIMING:
        return effect_text([(TOLD, a, 0, b, 0)], words.values())
    if step == TAKE_REWARD:
        return f"{names[b]}{', gained twice' * int(s.doubled > 0)}: {at_moments(deck, words, b, REWARD)}"
    if step == TAKE_ITEM:
        return f"{names[a]}: {card_text(deck.tables, a, words)}"
    if step in (OFFERED, CHOOSING, TESTING):
        return question(s, deck, words)
    if step == RECOVERING and c:
        return f"{a} more, one of them {COLOURS[c - 1]}."
    return steps.hint(step).format(a=a, **numbers)


def printed(
    deck: LoadedDeck,
    words: Words,
    face: int,
    remarks: Sequence[str] = (),
    cost: int | None = None,
    sides: Sides = one_side,
    choices: Sequence[str] = (),
) -> Face:
    """A card as it is printed, with its back."""
    side, other = sides(deck, face)
    kind = CARD_KINDS[int(deck.tables.cards[face].kind)]
    text = card_text(deck.tables, face, words)
    back = None if other == NONE else back_of(deck, words, other, sides)
    return Face(deck.names["faces"][face], kind, text, tuple(remarks), cost, side, back, tuple(choices))


def back_of(deck: LoadedDeck, words: Words, face: int, sides: Sides) -> Face:
    """The side of a card that faces down; of an enemy its figures are remarks."""
    card = deck.tables.cards[face]
    kind = CARD_KINDS[int(card.kind)]
    figures = (f"Health {int(card.health)}", f"Damage {int(card.damage)}") if card.kind in (ENEMY, BOSS) else ()
    return Face(deck.names["faces"][face], kind, card_text(deck.tables, face, words), figures, side=sides(deck, face)[0])


def printed_fighter(
    deck: LoadedDeck,
    words: Words,
    face: int,
    badges: tuple[Badge, ...] = (),
    sides: Sides = one_side,
    choices: Sequence[str] = (),
) -> Fighter:
    """An enemy as it is printed."""
    row = deck.tables.cards[face]
    return Fighter(printed(deck, words, face, sides=sides, choices=choices), int(row.health), int(row.health), int(row.damage), badges)


def hero(s: Any, deck: LoadedDeck, words: Words, sides: Sides, legal: frozenset[int]) -> Face:
    if s.hero == NONE:
        return Face("no hero yet", CARD_KINDS[HERO], "")
    used = bool(s.used[MAX_ITEMS]) and USE in deck.tables.effects[rows_of(deck.tables, int(s.hero)), WHEN]
    return printed(deck, words, int(s.hero), ["used"] * used, sides=sides, choices=["use"] * (act.USE_HERO in legal))


def zones(s: Any, areas: Mapping[str, Dice]) -> dict[str, Dice]:
    """The dice that are not on cards; a deck's own areas come after the ready dice."""
    return {
        "ready": in_state(s.ready),
        **areas,
        "to roll": in_state(s.unrolled),
        "rolled": showing(s.rolled),
        "set aside": showing(s.kept),
        "exhausted": in_state(s.exhausted + s.to_recover),
        "banished": in_state(s.banished),
    }


def in_state(counts: NDArray[np.int16]) -> Dice:
    return tuple((colour, None) for colour in range(NUM_COLOURS) for _ in range(int(counts[colour])))


def showing(counts: NDArray[np.int16]) -> Dice:
    return tuple((c, f) for c in range(NUM_COLOURS) for f in range(len(FACES)) for _ in range(int(counts[c, f])))


def active(
    s: Any,
    deck: LoadedDeck,
    words: Words,
    slot: int,
    badges: Badges,
    marks: Sequence[tuple[int, str]],
    sides: Sides,
    legal: frozenset[int],
) -> Fighter | Face:
    """A card of the active area."""
    tables, card = deck.tables, int(s.slot[slot])
    marked, kind = int(s.marks[slot]), int(tables.cards[card].kind)
    states = (
        (DEFEATED, "defeated"),
        (CANCELLED, "cancelled"),
        (HELD, "falls in a later step"),
        *marks,
        (ROLL_SEEN if step_of(s) == ROLLED_EFFECTS else 0, "still to act"),
        (AFTER_DONE if step_of(s) == AFTER_EFFECTS else 0, "after done"),
    )
    remarks = [name for mark, name in states if marked & mark]
    if kind in (ENEMY, BOSS) and not marked & DEFEATED and is_protected(s, tables, slot):
        remarks.append("protected")
    face = printed(deck, words, card, remarks, sides=sides, choices=["target"] * (act.TARGET_CARD + slot in legal))
    if kind not in (ENEMY, BOSS):
        return face
    health, defeated = health_of(s, tables, slot), bool(marked & DEFEATED)
    here = step_of(s) == BANISHING_APPLIED and step_argument(s, B) == slot
    return Fighter(
        face,
        health,
        left=0 if defeated else max(0, health - damage_to(s, tables, slot)),
        damage=damage_of(s, tables, slot),
        badges=badges(s, deck, slot),
        defeated=defeated,
        dice=showing(s.applied[slot]),
        place=slot + 1,
        counts=() if defeated else tuple(limits_of(s, slot)),
        pick=shown_to_pick(legal) if here else frozenset(),
    )


def limits_of(s: Any, slot: int) -> list[str]:
    """An enemy's limits, and what counts against them."""
    most, after_roll, colours, cap = (modifier_here(s, slot, op) for op in (APPLY_LIMIT, APPLY_PER_ROLL, COLOURS_NEEDED, DAMAGE_CAP))
    done = uncapped_damage(s, slot) - int(s.before_uncapped[slot])
    return [
        *[f"{dice_on(s, slot)} of at most {counted(most, 'die', 'dice')}"] * (most < NO_LIMIT),
        *[f"{int(s.applied_now[slot])} of at most {counted(after_roll, 'die', 'dice')} after this roll"] * (after_roll < NO_LIMIT),
        *[f"{colours_on(s, slot)} of {colours} colours"] * (colours > 0),
        *[f"{min(cap, done)} of at most {cap} damage this round"] * (cap < NO_LIMIT),
    ]


def use_of(deck: LoadedDeck, face: int) -> str:
    """How often an item may be used."""
    return "ongoing" if deck.tables.cards[face].uses == ONGOING else "once"


def item(s: Any, deck: LoadedDeck, words: Words, i: int, sides: Sides, legal: frozenset[int]) -> Face:
    face = int(s.items[i])
    remarks = [use_of(deck, face)] + ["used"] * bool(s.used[i])
    return printed(deck, words, face, remarks, sides=sides, choices=item_choices(legal, i))


def item_choices(legal: frozenset[int], i: int) -> list[str]:
    """What may be done with a held item now."""
    return [verb for first, verb in ITEM_ACTIONS if first + i in legal]


def kept(s: Any, deck: LoadedDeck, words: Words, i: int) -> Face:
    """A card beside the hero, with what it still does."""
    face, left = int(s.beside[i]), int(s.beside_left[i])
    rows = deck.tables.effects[rows_of(deck.tables, face)]
    remark = f"{left} round{'s' * (left > 1)} left" if left else "to the end"
    kind = CARD_KINDS[int(deck.tables.cards[face].kind)]
    return Face(deck.names["faces"][face], kind, effect_text(rows[rows[:, WHEN] != TOLD], words.values()), (remark,))


def conditions(s: Any, facts: Sequence[str] = ()) -> tuple[str, ...]:
    """What counts for now; a deck's own facts come after the first one."""
    weary, shield, doubled = int(s.weary), int(s.shield), int(s.doubled)
    limits = (
        (COMMIT_LIMIT, int(s.committed_now.sum()), ("die", "dice"), "committed at once"),
        (COMMIT_TOTAL, int(s.committed), ("die", "dice"), "committed in this engagement"),
        (APPLY_LIMIT_ALL, int(s.applied_now.sum()), ("die", "dice"), "applied after this roll"),
        (FALL_LIMIT, int(s.falls), ("enemy", "enemies"), "defeated in this Apply Dice step"),
    )
    return (
        *[f"weary: Strategy counts {weary} less"] * bool(weary),
        *facts,
        *[f"shield {shield}"] * bool(shield),
        *[f"rewards doubled: {doubled}"] * bool(doubled),
        *(f"{now} of at most {counted(int(s.modifiers[op]), *what)} {how}" for op, now, what, how in limits if s.modifiers[op] < NO_LIMIT),
    )
