"""What lies on the table, read from a position once for text and picture alike. Its figures are those of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.strong.render import view as strong
from deckwood.strong.render.view import (
    Badge,
    Face,
    Fighter,
    Pile,
    Table,
    in_state,
    legal_actions,
    printed,
    printed_fighter,
    read_table,
    use_of,
)
from deckwood.strong.steps import STEP, A
from deckwood.strong.terms import HERO, NONE, UNBRIBABLE
from deckwood.strong.words import counted, step_of
from deckwood.tanglewoods import actions as own
from deckwood.tanglewoods.deck import WORDS
from deckwood.tanglewoods.rules import contract, encounter, forest, merchant
from deckwood.tanglewoods.rules.table import STEPS
from deckwood.tanglewoods.state import (
    FABLE_FACE,
    FOREST_DEALT,
    GRIMM_FACE,
    IN_DECK,
    IN_DISCARD,
    IN_PLAY,
    ITEM_FACE,
    MOBS,
    NIGHT,
    NODE_TYPES,
    NUM_ITEMS,
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
    CROSS,
    DISCARD_FROM_LINE,
    FABLE_TOLD,
    MERCHANT_VISIT,
)
from deckwood.tanglewoods.words import phase_name

legal = uncompiled(contract.legal)
bribe_cost = uncompiled(encounter.bribe_cost)
item_price = uncompiled(merchant.item_price)
price = uncompiled(merchant.price)
lines_from_here = uncompiled(forest.lines_from_here)

ENDINGS = ("Won: the wolf is defeated", "Lost: Health fell below 1 in the forest", "Lost: Health fell below 1 at Grandma's Cabin")

WOLF_ZONES = {IN_DECK: "in the deck", IN_PLAY: "here", IN_DISCARD: "gone", OUT: "removed"}


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
    """The table, and what only Tanglewoods has on it."""

    table: Table
    difficulty: int
    endgame: bool
    gold: int
    fable: Face | None
    line: tuple[Fighter, ...]
    shop: tuple[Face, ...]
    prices: str
    wolves: tuple[tuple[str, str], ...]
    path: tuple[PathCard, ...]
    at_card: int
    at_place: int | None
    at_threshold: int
    crossing: bool
    routes: tuple[int, ...]  # where the lines lead from the hero's place
    may_travel: frozenset[int]  # ... and those that may be followed now
    minions_left: int
    minions_discarded: int
    items_left: int
    forest_left: int
    piles: tuple[Pile, ...]

    @property
    def where(self) -> str:
        """The hero's place in words."""
        card = self.path[self.at_card]
        if self.at_place is not None:
            return f"node {PLACE_NAMES[self.at_place]} ({card.spots[self.at_place].name}) of {card.name}"
        return f"the {THRESHOLD_NAMES[self.at_threshold]} {'upper' if self.crossing else 'lower'} threshold of {card.name}"


def read_view(s: Any, deck: LoadedDeck) -> View:
    """Reads a position."""
    over = int(s.node) == Node.END
    place = int(s.at_place)
    may = legal_actions(s, deck, legal, len(own.ACTIONS))
    return View(
        table=read_table(
            s,
            deck,
            WORDS,
            phase=ending(s) if over and s.ended else phase_name(s),
            hint="" if over else hint(s, deck),
            won=int(s.ended) == 1 + WON,
            legal=may,
            sides=sides,
            badges=bribe,
            marks=[(UNBRIBABLE, "blighted")],
            areas={"exploring": in_state(s.explore)},
            dice_actions=[(own.EXPLORE_DIE, "ready"), (own.ROLL_NEXT, "exploring")],
            facts=facts(s),
        ),
        difficulty=int(s.options[OPTION_DIFFICULTY]),
        endgame=bool(s.endgame),
        gold=int(s.gold),
        fable=drawn_fable(s, deck),
        line=tuple(scouted(s, deck, i, may) for i in range(int(s.line_length))),
        shop=tuple(on_sale(s, deck, i, may) for i in range(3) if s.shop[i] != NONE),
        prices=prices(s, deck) if step_of(s) == MERCHANT_VISIT else "",
        wolves=wolves(s, deck),
        path=tuple(path_card(deck, int(s.path[i])) for i in range(int(s.path_length))),
        at_card=int(s.at_card),
        at_place=None if place == NONE else place,
        at_threshold=int(s.at_threshold),
        crossing=any(s.agenda[i, STEP] == CROSS for i in range(int(s.depth))),
        routes=routes(s, deck),
        may_travel=frozenset(end for end in range(PLACES + THRESHOLDS) if own.TRAVEL_PLACE + end in may),
        minions_left=int(np.count_nonzero(s.minions == IN_DECK)),
        minions_discarded=int(np.count_nonzero(s.minions == IN_DISCARD)),
        items_left=int(np.count_nonzero(s.item_cards == IN_DECK)),
        forest_left=FOREST_DEALT - int(s.placed),
        piles=tuple(piles(s, deck)),
    )


def sides(deck: LoadedDeck, face: int) -> tuple[str, int]:
    """The side of an item or a hero, and its back; that of an item that has been upgraded is never seen again."""
    other = int(deck.tables.cards[face].other_side)
    if ITEM_FACE <= face < UPGRADED_FACE + NUM_ITEMS:
        return ("basic", other) if face < UPGRADED_FACE else ("upgraded", NONE)
    if deck.tables.cards[face].kind != HERO or other == NONE:
        return "", NONE
    if other == GRIMM_FACE:
        return "one side", other
    return ("front" if face < other else "back"), other


def piles(s: Any, deck: LoadedDeck) -> list[Pile]:
    """The discards, and what has been removed from the game; wolves have a list of their own."""
    names = deck.names["faces"]
    kinds = (("Minion", s.minions, 0), ("Item", s.item_cards, ITEM_FACE))
    found = [
        Pile(f"{kind} {what}", tuple(names[first + i] for i in np.flatnonzero(zones == zone)))
        for what, zone in (("discard", IN_DISCARD), ("cards removed", OUT))
        for kind, zones, first in kinds
    ]
    return [pile for pile in found if pile.cards]


def ending(s: Any) -> str:
    """How the game ended."""
    return ENDINGS[int(s.ended) - 1]


def hint(s: Any, deck: LoadedDeck) -> str:
    """More about what is being decided."""
    numbers = dict(zip(NUMBERS, map(int, deck.tables.numbers), strict=True))
    return strong.hint(s, deck, WORDS, STEPS, **numbers)


def bribe(s: Any, deck: LoadedDeck, slot: int) -> tuple[Badge, ...]:
    return bribe_badge(bribe_cost(s, deck.tables, slot))


def bribe_badge(cost: int) -> tuple[Badge, ...]:
    """An enemy's bribe, where it takes one."""
    return () if cost == NONE else (Badge("bribe", int(cost), "coin"),)


def scouted(s: Any, deck: LoadedDeck, i: int, may: frozenset[int]) -> Fighter:
    """An enemy of the scouting line."""
    card = int(s.line[i])
    verb = "discard" if step_of(s) == DISCARD_FROM_LINE else "shuffle back"
    return printed_fighter(deck, WORDS, card, bribe_badge(deck.tables.cards[card].bribe), choices=[verb] * (own.SCOUTED + i in may))


def drawn_fable(s: Any, deck: LoadedDeck) -> Face | None:
    """The fable that is being followed."""
    for i in range(int(s.depth)):
        if s.agenda[i, STEP] == FABLE_TOLD:
            return printed(deck, WORDS, FABLE_FACE + int(s.agenda[i, A]))
    return None


def on_sale(s: Any, deck: LoadedDeck, i: int, may: frozenset[int]) -> Face:
    face = int(s.shop[i])
    return printed(deck, WORDS, face, [use_of(deck, face)], item_price(s, deck.tables, i), sides, ["buy"] * (own.BUY + i in may))


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


def facts(s: Any) -> list[str]:
    """What counts for now, of what only Tanglewoods has."""
    more = counted(int(s.next_mobs), "enemy", "enemies")
    return ["blighted node"] * bool(s.blighted) + [f"next encounter: {more} more"] * bool(s.next_mobs)
