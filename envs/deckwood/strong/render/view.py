"""What lies on the table of any 20 Strong deck, read from a position once for text and picture. Its figures are those of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.strong import cards as in_play
from deckwood.strong import engagement, pool
from deckwood.strong.deck import Words, card_text, effect_text, rows_of
from deckwood.strong.steps import (
    AFTER_EFFECTS,
    AIMING,
    APPLY,
    CHOOSING,
    COMMIT,
    KEEP,
    OFFERED,
    RECOVERING,
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
    HERO,
    MAX_ITEMS,
    MAX_KEPT,
    NONE,
    NUM_COLOURS,
    ONGOING,
    REWARD,
    SLOTS,
    TOLD,
    USE,
    WHEN,
)
from deckwood.strong.words import step_of

strategy_of = uncompiled(pool.strategy_of)
recovery_of = uncompiled(pool.recovery_of)
damage_due = uncompiled(engagement.damage_due)
is_protected = uncompiled(in_play.is_protected)
health_of = uncompiled(in_play.health_of)
damage_to = uncompiled(in_play.damage_to)
damage_of = uncompiled(in_play.damage_of)

Dice: TypeAlias = Sequence[tuple[int, int | None]]
"""Dice by colour and by what they show (None: nothing, they lie ready), weakest first."""

HINTS = {
    KEEP: "Dice set aside are not rolled again.",
    AFTER_EFFECTS: "Choose whose After effect comes next.",
}


@dataclass(frozen=True)
class Face:
    """A card on the table, with its text and short remarks on its state."""

    name: str
    kind: str
    text: str
    remarks: tuple[str, ...] = ()
    cost: int | None = None


@dataclass(frozen=True)
class Badge:
    """A figure of an enemy that only its deck has. A picture shows it with this icon, or in words where there is none of that name."""

    name: str
    value: int
    icon: str = ""


@dataclass(frozen=True)
class Fighter:
    """An enemy: in the active area as it stands, elsewhere as printed."""

    face: Face
    health: int
    left: int
    damage: int
    badges: tuple[Badge, ...] = ()
    defeated: bool = False
    dice: Dice = ()
    place: int = 0


Badges: TypeAlias = Callable[[Any, LoadedDeck, int], tuple[Badge, ...]]
"""The deck's own figures of the enemy in a slot of the active area."""


def no_badges(s: Any, deck: LoadedDeck, slot: int) -> tuple[Badge, ...]:
    return ()


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


def read_table(
    s: Any,
    deck: LoadedDeck,
    words: Words,
    *,
    phase: str,
    hint: str,
    won: bool,
    upgraded: int,
    badges: Badges = no_badges,
    marks: Sequence[tuple[int, str]] = (),
    areas: Mapping[str, Dice] | None = None,
    facts: Sequence[str] = (),
) -> Table:
    """Reads a position. What the deck adds: the first face of an upgraded item, figures and marks of enemies, areas of dice, and facts
    that count for now."""
    return Table(
        phase=phase,
        hint=hint,
        over=int(s.node) == Node.END,
        won=won,
        decisions=int(s.decisions),
        hero=hero(s, deck, words),
        stats=(int(s.stats[0]), int(s.stats[1]), int(s.stats[2])),
        strategy=strategy_of(s),
        recovery=recovery_of(s),
        damage_due=damage_due(s, deck.tables),
        zones=zones(s, areas or {}),
        active=tuple(active(s, deck, words, slot, badges, marks) for slot in range(SLOTS) if s.slot[slot] != NONE),
        items=tuple(item(s, deck, words, i, upgraded) for i in range(MAX_ITEMS) if s.items[i] != NONE),
        beside=tuple(kept(s, deck, words, i) for i in range(MAX_KEPT) if s.beside[i] != NONE),
        conditions=conditions(s, facts),
    )


def hint(s: Any, deck: LoadedDeck, words: Words, counted: Sequence[int] = ()) -> str:
    """More about what is being decided; nothing at a deck's own steps, but for those of ``counted``, which say how many they ask for."""
    step = step_of(s)
    a, b, c = (int(s.agenda[s.depth - 1, column]) for column in (A, B, C))
    names = deck.names["faces"]
    if step in (COMMIT, APPLY):
        return f"Roll {int(s.passes)} of {strategy_of(s) + int(s.extra_passes)} in this engagement."
    if step == TARGET:
        return f"In hand: {COLOURS[a]} {FACES[b]}."
    if step == AIMING:
        return next(op.text for op in words.values() if op.code == a).format(count=b)
    if step == TAKE_REWARD:
        rows = deck.tables.effects[rows_of(deck.tables, b)]
        return f"{names[b]}: {instructions(rows[rows[:, WHEN] == REWARD], words)}"
    if step == TAKE_ITEM:
        return f"{names[a]}: {card_text(deck.tables, a, words)}"
    if step in (OFFERED, CHOOSING, TESTING):
        return block(s, deck, words, a if step == CHOOSING else None)
    if step == RECOVERING and c:
        return f"{a} more, one of them {COLOURS[c - 1]}."
    if step in engagement.COUNTED_STEPS or step in counted:
        return f"{a} more."
    return HINTS.get(step, "")


def block(s: Any, deck: LoadedDeck, words: Words, split: int | None) -> str:
    """The instructions that an offer, a choice or a test is about: those left of the card whose turn it is."""
    first, end = (int(s.agenda[s.depth - 2, column]) for column in (A, B))
    rows, cards = deck.tables.effects, deck.tables.cards
    face = int(np.flatnonzero((cards["first"] < end) & (end <= cards["first"] + cards["count"]))[0])
    parts = [rows[first:end]] if split is None else [rows[first : first + split], rows[first + split : end]]
    return f"{deck.names['faces'][face]}: " + " - or - ".join(instructions(part, words) for part in parts)


def instructions(rows: NDArray[np.int16], words: Words) -> str:
    """The text of a run of rows, without the moment at its head."""
    rows = rows.copy()
    rows[:, WHEN] = TOLD
    return effect_text(rows, words.values())


def printed(deck: LoadedDeck, words: Words, face: int, remarks: Sequence[str] = (), cost: int | None = None) -> Face:
    """A card as it is printed."""
    kind = CARD_KINDS[int(deck.tables.cards[face].kind)]
    return Face(deck.names["faces"][face], kind, card_text(deck.tables, face, words), tuple(remarks), cost)


def printed_fighter(deck: LoadedDeck, words: Words, face: int, badges: tuple[Badge, ...] = ()) -> Fighter:
    """An enemy as it is printed."""
    row = deck.tables.cards[face]
    return Fighter(printed(deck, words, face), int(row.health), int(row.health), int(row.damage), badges)


def hero(s: Any, deck: LoadedDeck, words: Words) -> Face:
    if s.hero == NONE:
        return Face("no hero yet", CARD_KINDS[HERO], "")
    used = bool(s.used[MAX_ITEMS]) and USE in deck.tables.effects[rows_of(deck.tables, int(s.hero)), WHEN]
    return printed(deck, words, int(s.hero), ["used"] * used)


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


def active(s: Any, deck: LoadedDeck, words: Words, slot: int, badges: Badges, marks: Sequence[tuple[int, str]]) -> Fighter | Face:
    """A card of the active area."""
    tables, card = deck.tables, int(s.slot[slot])
    marked, kind = int(s.marks[slot]), int(tables.cards[card].kind)
    states = (
        (DEFEATED, "defeated"),
        (CANCELLED, "cancelled"),
        *marks,
        (AFTER_DONE if step_of(s) == AFTER_EFFECTS else 0, "after done"),
    )
    remarks = [name for mark, name in states if marked & mark]
    if kind in (ENEMY, BOSS) and not marked & DEFEATED and is_protected(s, tables, slot):
        remarks.append("protected")
    face = printed(deck, words, card, remarks)
    if kind not in (ENEMY, BOSS):
        return face
    health, defeated = health_of(s, tables, slot), bool(marked & DEFEATED)
    left = 0 if defeated else max(0, health - damage_to(s, tables, slot))
    own = badges(s, deck, slot)
    return Fighter(face, health, left, damage_of(s, tables, slot), own, defeated, showing(s.applied[slot]), slot + 1)


def use_of(deck: LoadedDeck, face: int) -> str:
    """How often an item may be used."""
    return "ongoing" if deck.tables.cards[face].uses == ONGOING else "once"


def item(s: Any, deck: LoadedDeck, words: Words, i: int, upgraded: int) -> Face:
    face = int(s.items[i])
    return printed(deck, words, face, [use_of(deck, face)] + ["upgraded"] * (face >= upgraded) + ["used"] * bool(s.used[i]))


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
    return (
        *[f"weary: Strategy counts {weary} less"] * bool(weary),
        *facts,
        *[f"shield {shield}"] * bool(shield),
        *[f"rewards doubled: {doubled}"] * bool(doubled),
    )
