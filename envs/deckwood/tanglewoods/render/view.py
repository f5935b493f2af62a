"""What lies on the table, read from a position once for text and picture alike. Its figures are those of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.strong import cards as in_play
from deckwood.strong import engagement, pool
from deckwood.strong.deck import effect_text
from deckwood.strong.steps import (
    AFTER_EFFECTS,
    AIMING,
    APPLY,
    BANISHING,
    BANISHING_APPLIED,
    CHOOSING,
    COMMIT,
    EXHAUSTING,
    EXHAUSTING_HITS,
    KEEP,
    LOSING_ITEM,
    LOWERING,
    OFFERED,
    RAISING,
    RECOVERING,
    REROLLING,
    REROLLING_HITS,
    RESTORING,
    RETURNING,
    STEP,
    TAKE_ITEM,
    TAKE_REWARD,
    TARGET,
    TESTING,
    TURNING_HIT,
    TURNING_MISS,
    UPGRADING,
    A,
    B,
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
    MAX_ITEMS,
    MAX_KEPT,
    NONE,
    NUM_COLOURS,
    ONGOING,
    REWARD,
    SLOTS,
    TOLD,
    UNBRIBABLE,
    USE,
    WHEN,
)
from deckwood.strong.vocabulary import OPS
from deckwood.strong.words import step_of
from deckwood.tanglewoods.deck import WORDS, card_text
from deckwood.tanglewoods.rules import encounter, forest, merchant
from deckwood.tanglewoods.state import (
    FABLE_FACE,
    FOREST_DEALT,
    IN_DECK,
    IN_DISCARD,
    IN_PLAY,
    MOBS,
    NIGHT,
    NODE_TYPES,
    NUM_WOLVES,
    NUMBERS,
    OPTION_DIFFICULTY,
    OUT,
    OUTLINE,
    OUTLINES,
    PLACE_NAMES,
    PLACES,
    RECOVER_COST,
    STAT_COST,
    THRESHOLD_NAMES,
    THRESHOLDS,
    TYPE,
    UPGRADE_COST,
    UPGRADED_FACE,
    WOLF_FACE,
    WON,
)
from deckwood.tanglewoods.steps import (
    CAMP,
    CROSS,
    DISCARD_FROM_LINE,
    EXPLORE,
    FABLE_TOLD,
    MERCHANT_VISIT,
    PAY_OR_BANISH,
    ROLL_EXPLORE,
    SETUP_RAISE,
    TRAVEL,
)
from deckwood.tanglewoods.words import phase_name

strategy_of = uncompiled(pool.strategy_of)
recovery_of = uncompiled(pool.recovery_of)
damage_due = uncompiled(engagement.damage_due)
is_protected = uncompiled(in_play.is_protected)
health_of = uncompiled(in_play.health_of)
damage_to = uncompiled(in_play.damage_to)
damage_of = uncompiled(in_play.damage_of)
bribe_cost = uncompiled(encounter.bribe_cost)
item_price = uncompiled(merchant.item_price)
price = uncompiled(merchant.price)
lines_from_here = uncompiled(forest.lines_from_here)

Dice: TypeAlias = Sequence[tuple[int, int | None]]
"""Dice by colour and by what they show (None: nothing, they lie ready), weakest first."""

COUNTED = (
    RECOVERING, EXHAUSTING, BANISHING, BANISHING_APPLIED, RESTORING, RAISING, LOWERING, TURNING_MISS, TURNING_HIT, REROLLING,
    REROLLING_HITS, EXHAUSTING_HITS, RETURNING, LOSING_ITEM, UPGRADING, DISCARD_FROM_LINE, SETUP_RAISE,
)  # fmt: skip
"""Steps that say how many more they ask for."""

ENDINGS = ("Won: the wolf is defeated", "Lost: Health fell below 1 in the forest", "Lost: Health fell below 1 at Grandma's Cabin")

WOLF_ZONES = {IN_DECK: "in the deck", IN_PLAY: "here", IN_DISCARD: "gone", OUT: "removed"}

HINTS = {
    KEEP: "Dice set aside are not rolled again.",
    AFTER_EFFECTS: "Choose whose After effect comes next.",
    EXPLORE: "Up to {explore_dice} dice: a miss adds a card by night, a hit one by day, a crit also {explore_gold} gold.",
    ROLL_EXPLORE: "Each die is rolled alone: a miss adds a card by night, a hit one by day, a crit also {explore_gold} gold.",
    TRAVEL: "Follow a line upward from where the hero stands.",
    PAY_OR_BANISH: "Pay {toll_gold} gold or banish a die.",
    CAMP: "Health +{camp_health}, Strategy +{camp_strategy} or Recovery +{camp_recovery}.",
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
class Fighter:
    """An enemy: in the scouting line as printed, in the active area as it stands."""

    face: Face
    health: int
    left: int
    damage: int
    bribe: int | None
    defeated: bool = False
    dice: Dice = ()
    place: int = 0


@dataclass(frozen=True)
class Spot:
    """A node of a forest card."""

    kind: str
    outline: str
    mobs: int

    @property
    def name(self) -> str:
        """Outline and type in words."""
        outline = f"mob +{self.mobs}" if self.mobs else self.outline
        return self.kind if outline == "standard" else f"{outline} {self.kind}"


@dataclass(frozen=True)
class PathCard:
    """A card of the path. Lines run from places and lower thresholds (PLACES + t) to places and upper thresholds (PLACES + t)."""

    name: str
    night: bool
    spots: dict[int, Spot]
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class View:
    """The table."""

    phase: str
    hint: str
    over: bool
    won: bool
    difficulty: int
    decisions: int
    endgame: bool
    hero: Face
    stats: tuple[int, int, int]
    strategy: int
    recovery: int
    gold: int
    damage_due: int
    zones: dict[str, Dice]
    active: tuple[Fighter | Face, ...]
    told: Face | None
    line: tuple[Fighter, ...]
    items: tuple[Face, ...]
    beside: tuple[Face, ...]
    shop: tuple[Face, ...]
    prices: str
    wolves: tuple[tuple[str, str], ...]
    path: tuple[PathCard, ...]
    at_card: int
    at_place: int | None
    at_threshold: int
    crossing: bool
    routes: tuple[int, ...]
    travelling: bool
    conditions: tuple[str, ...]
    minions_left: int
    minions_discarded: int
    items_left: int
    forest_left: int

    @property
    def where(self) -> str:
        """The hero's place in words."""
        card = self.path[self.at_card]
        if self.at_place is not None:
            return f"node {PLACE_NAMES[self.at_place]} ({card.spots[self.at_place].name}) of {card.name}"
        return f"the {THRESHOLD_NAMES[self.at_threshold]} {'upper' if self.crossing else 'lower'} threshold of {card.name}"


def view(s: Any, deck: LoadedDeck) -> View:
    """Reads a position."""
    over = int(s.node) == Node.END
    place = int(s.at_place)
    return View(
        phase=ending(s) if over else phase_name(s),
        hint="" if over else hint(s, deck),
        over=over,
        won=int(s.ended) == 1 + WON,
        difficulty=int(s.options[OPTION_DIFFICULTY]),
        decisions=int(s.decisions),
        endgame=bool(s.endgame),
        hero=hero(s, deck),
        stats=(int(s.stats[0]), int(s.stats[1]), int(s.stats[2])),
        strategy=strategy_of(s),
        recovery=recovery_of(s),
        gold=int(s.gold),
        damage_due=damage_due(s, deck.tables),
        zones=zones(s),
        active=tuple(active(s, deck, slot) for slot in range(SLOTS) if s.slot[slot] != NONE),
        told=told(s, deck),
        line=tuple(scouted(deck, int(s.line[i])) for i in range(int(s.line_length))),
        items=tuple(item(s, deck, i) for i in range(MAX_ITEMS) if s.items[i] != NONE),
        beside=tuple(kept(s, deck, i) for i in range(MAX_KEPT) if s.beside[i] != NONE),
        shop=tuple(on_sale(s, deck, i) for i in range(3) if s.shop[i] != NONE),
        prices=prices(s, deck) if step_of(s) == MERCHANT_VISIT else "",
        wolves=wolves(s, deck),
        path=tuple(path_card(deck, int(s.path[i])) for i in range(int(s.path_length))),
        at_card=int(s.at_card),
        at_place=None if place == NONE else place,
        at_threshold=int(s.at_threshold),
        crossing=any(s.agenda[i, STEP] == CROSS for i in range(int(s.depth))),
        routes=routes(s, deck),
        travelling=step_of(s) == TRAVEL,
        conditions=conditions(s),
        minions_left=int(np.count_nonzero(s.minions == IN_DECK)),
        minions_discarded=int(np.count_nonzero(s.minions == IN_DISCARD)),
        items_left=int(np.count_nonzero(s.item_cards == IN_DECK)),
        forest_left=FOREST_DEALT - int(s.placed),
    )


def ending(s: Any) -> str:
    """How the game ended."""
    return ENDINGS[int(s.ended) - 1]


def hint(s: Any, deck: LoadedDeck) -> str:
    """More about what is being decided."""
    step = step_of(s)
    a, b = int(s.agenda[s.depth - 1, A]), int(s.agenda[s.depth - 1, B])
    names = deck.names["faces"]
    if step in (COMMIT, APPLY):
        return f"Roll {int(s.passes) + (step == COMMIT)} of {strategy_of(s) + int(s.extra_passes)} in this engagement."
    if step == TARGET:
        return f"In hand: {COLOURS[a]} {FACES[b]}."
    if step == AIMING:
        return next(op.text for op in OPS if op.code == a).format(count=b)
    if step == TAKE_REWARD:
        rows = deck.tables.effects[rows_of(deck, b)]
        return f"{names[b]}: {instructions(rows[rows[:, WHEN] == REWARD])}"
    if step == TAKE_ITEM:
        return f"{names[a]}: {card_text(deck.tables, a)}"
    if step in (OFFERED, CHOOSING, TESTING):
        return block(s, deck, a if step == CHOOSING else None)
    if step in COUNTED:
        return f"{a} more."
    return HINTS.get(step, "").format(**dict(zip(NUMBERS, map(int, deck.tables.numbers), strict=True)))


def block(s: Any, deck: LoadedDeck, split: int | None) -> str:
    """The instructions that an offer, a choice or a test is about: those left of the card whose turn it is."""
    first, end = (int(s.agenda[s.depth - 2, column]) for column in (A, B))
    rows, cards = deck.tables.effects, deck.tables.cards
    face = int(np.flatnonzero((cards["first"] < end) & (end <= cards["first"] + cards["count"]))[0])
    parts = [rows[first:end]] if split is None else [rows[first : first + split], rows[first + split : end]]
    return f"{deck.names['faces'][face]}: " + " - or - ".join(map(instructions, parts))


def instructions(rows: NDArray[np.int16]) -> str:
    """The text of a run of rows, without the moment at its head."""
    rows = rows.copy()
    rows[:, WHEN] = TOLD
    return effect_text(rows, WORDS.values())


def hero(s: Any, deck: LoadedDeck) -> Face:
    used = bool(s.used[MAX_ITEMS]) and USE in deck.tables.effects[rows_of(deck, int(s.hero)), WHEN]
    return Face(deck.names["faces"][s.hero], "hero", card_text(deck.tables, int(s.hero)), ("used",) if used else ())


def rows_of(deck: LoadedDeck, face: int) -> slice:
    """Where a face's effects are."""
    card = deck.tables.cards[face]
    return slice(int(card.first), int(card.first + card.count))


def zones(s: Any) -> dict[str, Dice]:
    """The dice that are not on cards."""
    return {
        "ready": in_state(s.ready),
        "exploring": in_state(s.explore),
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


def active(s: Any, deck: LoadedDeck, slot: int) -> Fighter | Face:
    """A card of the active area."""
    tables, card = deck.tables, int(s.slot[slot])
    marks, kind = int(s.marks[slot]), int(tables.cards[card].kind)
    states = (
        (DEFEATED, "defeated"),
        (CANCELLED, "cancelled"),
        (UNBRIBABLE, "blighted"),
        (AFTER_DONE if step_of(s) == AFTER_EFFECTS else 0, "after done"),
    )
    remarks = [name for mark, name in states if marks & mark]
    if kind in (ENEMY, BOSS) and not marks & DEFEATED and is_protected(s, tables, slot):
        remarks.append("protected")
    face = Face(deck.names["faces"][card], CARD_KINDS[kind], card_text(tables, card), tuple(remarks))
    if kind not in (ENEMY, BOSS):
        return face
    health = health_of(s, tables, slot)
    left = 0 if marks & DEFEATED else max(0, health - damage_to(s, tables, slot))
    bribe = bribe_cost(s, tables, slot)
    damage = damage_of(s, tables, slot)
    return Fighter(face, health, left, damage, None if bribe == NONE else bribe, bool(marks & DEFEATED), showing(s.applied[slot]), slot + 1)


def scouted(deck: LoadedDeck, card: int) -> Fighter:
    row = deck.tables.cards[card]
    face = Face(deck.names["faces"][card], "enemy", card_text(deck.tables, card))
    return Fighter(face, int(row.health), int(row.health), int(row.damage), None if row.bribe == NONE else int(row.bribe))


def told(s: Any, deck: LoadedDeck) -> Face | None:
    """The fable that is being followed."""
    for i in range(int(s.depth)):
        if s.agenda[i, STEP] == FABLE_TOLD:
            face = FABLE_FACE + int(s.agenda[i, A])
            return Face(deck.names["faces"][face], "fable", card_text(deck.tables, face))
    return None


def item(s: Any, deck: LoadedDeck, i: int) -> Face:
    face = int(s.items[i])
    ongoing = deck.tables.cards[face].uses == ONGOING
    remarks = ["ongoing" if ongoing else "once"] + ["upgraded"] * (face >= UPGRADED_FACE) + ["used"] * bool(s.used[i])
    return Face(deck.names["faces"][face], "item", card_text(deck.tables, face), tuple(remarks))


def kept(s: Any, deck: LoadedDeck, i: int) -> Face:
    """A card beside the hero, with what it still does."""
    face, left = int(s.beside[i]), int(s.beside_left[i])
    rows = deck.tables.effects[rows_of(deck, face)]
    remark = f"{left} round{'s' * (left > 1)} left" if left else "to the end"
    return Face(deck.names["faces"][face], "fable", effect_text(rows[rows[:, WHEN] != TOLD], WORDS.values()), (remark,))


def on_sale(s: Any, deck: LoadedDeck, i: int) -> Face:
    face = int(s.shop[i])
    remark = "ongoing" if deck.tables.cards[face].uses == ONGOING else "once"
    cost = item_price(s, deck.tables, i)
    return Face(deck.names["faces"][face], "item", card_text(deck.tables, face), (remark,), cost)


def prices(s: Any, deck: LoadedDeck) -> str:
    """What the merchant asks besides the items' costs."""
    actions = (("upgrade an item", UPGRADE_COST), ("recover a die", RECOVER_COST), ("raise a stat", STAT_COST))
    costs = [(name, price(s, int(deck.tables.numbers[number]))) for name, number in actions]
    return ", ".join(f"{name} {cost} gold" for name, cost in costs)


def wolves(s: Any, deck: LoadedDeck) -> tuple[tuple[str, str], ...]:
    """Each wolf and where it is."""
    return tuple((deck.names["faces"][WOLF_FACE + i], WOLF_ZONES.get(int(s.wolves[i]), "")) for i in range(NUM_WOLVES))


def path_card(deck: LoadedDeck, side: int) -> PathCard:
    tables = deck.tables
    nodes, paths = tables.nodes[side], tables.paths[side]
    spots = {p: Spot(NODE_TYPES[n[TYPE]], OUTLINES[n[OUTLINE]], int(n[MOBS])) for p, n in enumerate(nodes) if n[TYPE]}
    ends = range(PLACES + THRESHOLDS)
    lines = tuple((source, end) for source in ends for end in ends if int(paths[source]) >> end & 1)
    return PathCard(deck.names["forest"][side // 2], side % 2 == NIGHT, spots, lines)


def routes(s: Any, deck: LoadedDeck) -> tuple[int, ...]:
    """Where the lines lead from the hero's place."""
    bits = int(lines_from_here(s, deck.tables))
    return tuple(end for end in range(PLACES + THRESHOLDS) if bits >> end & 1)


def conditions(s: Any) -> tuple[str, ...]:
    """What counts for now."""
    facts = (
        (s.weary, f"weary: Strategy counts {int(s.weary)} less"),
        (s.blighted, "blighted node"),
        (s.next_mobs, f"next encounter: {int(s.next_mobs)} more enemies"),
        (s.shield, f"shield {int(s.shield)}"),
        (s.doubled, f"rewards doubled: {int(s.doubled)}"),
    )
    return tuple(text for fact, text in facts if fact)
