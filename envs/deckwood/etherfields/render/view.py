"""What lies on the table, read from a position once for text and picture alike. Its figures are those of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.etherfields import actions as own
from deckwood.etherfields.deck import WORDS
from deckwood.etherfields.rules import boss as bosses
from deckwood.etherfields.rules import cards, contract, dream, payment, setup, taking
from deckwood.etherfields.rules.table import STEPS
from deckwood.etherfields.state import (
    ARROW,
    AWARENESS_COST,
    BOSS_FACE,
    CARDS_HELD,
    CONDITIONS,
    DIRECTIONS,
    EAST,
    EDGES,
    ENEMIES_BEATEN,
    ENEMY_DECK,
    ETHER_IS,
    HERO_FACE,
    IN_DECK,
    IN_DISCARD,
    IN_PLAY,
    MAP_DECK,
    MAPS_OUT,
    MAX_GUESTS,
    MAX_HAND,
    MAX_SPACES,
    NORTH,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_MAPS,
    OPTION_GAMES,
    OPTION_RANK,
    RESHUFFLE_CARDS,
    RESHUFFLE_HEALTH,
    SOUTH,
    SPACE_ACTIONS,
    UNIVERSAL_FACE,
    WEST,
    WON,
    ZONES,
)
from deckwood.etherfields.steps import (
    ASSAULT,
    BEFORE_BOSS,
    BEFORE_CLEANUP,
    BEFORE_OPPOSITION,
    CHOOSE_BOSS,
    CHOOSE_COST,
    CHOOSE_HERO,
    DAWN,
    DISCARD_CARDS,
    EXPLORATION,
    MOVEMENT,
    MOVING,
    PAYING,
    REVEAL,
    WINDOW,
)
from deckwood.etherfields.words import back_of, phase_name, required, resources
from deckwood.strong.deck import card_text
from deckwood.strong.render import view as strong
from deckwood.strong.render.view import (
    Badge,
    Face,
    Fighter,
    Pile,
    Sides,
    Table,
    item_choices,
    legal_actions,
    printed,
    printed_fighter,
    read_table,
)
from deckwood.strong.steps import A, B
from deckwood.strong.terms import COLOURS, HERO, INFLUENCE, MAX_ITEMS, NONE, ONGOING
from deckwood.strong.words import counted, step_of

legal = uncompiled(contract.legal)
boss_face = uncompiled(bosses.boss_face)
enemies_beaten = uncompiled(bosses.enemies_beaten)
is_met = uncompiled(bosses.is_met)
may_face = uncompiled(bosses.may_face)
count_in = uncompiled(cards.count_in)
face_of = uncompiled(cards.face_of)
lies_in = uncompiled(cards.lies_in)
deck_size = uncompiled(cards.deck_size)
draws_from_bottom = uncompiled(cards.draws_from_bottom)
card_beside = uncompiled(dream.card_beside)
has_acted = uncompiled(dream.has_acted)
map_row = uncompiled(dream.map_row)
maps_in_play = uncompiled(dream.maps_in_play)
over_edge = uncompiled(dream.over_edge)
cost_of = uncompiled(payment.cost_of)
hero_face = uncompiled(setup.hero_face)
is_hero = uncompiled(setup.is_hero)
wrath_to_fell = uncompiled(taking.wrath_to_fell)

Amounts: TypeAlias = tuple[int, int, int]
"""Awareness, Cunning, Wrath."""

ENDINGS = (
    "Won: the boss is defeated",
    "Lost: Health fell below 1",
    "Lost: Health fell below 1 facing the boss",
    "Lost in the dream: no Dream Entrance to return to",
    "The campaign is over",
)
"""In the order of the spec's endings."""
TIMING_TEXT = ("", "in Activation", "in Engagement", "after a roll")
"""In the order of ``TIMINGS``."""
DECK_NAMES = ("Enemy Deck", "Influence Deck", "Item Deck", "Map Deck")
"""In the order of ``DECKS``."""

WINDOWS = {
    DAWN: "The round begins: actions first, then the Influence step.",
    BEFORE_OPPOSITION: "Actions before an enemy is activated.",
    BEFORE_BOSS: "Actions before the boss's Activation effect.",
    BEFORE_CLEANUP: "Actions before Cleanup.",
}


@dataclass(frozen=True)
class Card:
    """A card that can be spent or played: what it gives, and of an influence card its kind, costs and timing."""

    face: Face
    gives: Amounts
    kind: str
    cost: Amounts | None = None
    timing: str = ""

    @property
    def figures(self) -> list[str]:
        """All of that in words."""
        found = [f"gives {resources(self.gives)}"] if any(self.gives) else []
        found += [self.kind]
        found += [f"costs {resources(self.cost)}"] if self.cost is not None and any(self.cost) else []
        return found + [self.timing] * bool(self.timing)

    @property
    def annotated(self) -> Face:
        """The card with its figures as remarks."""
        return replace(self.face, remarks=(*self.figures, *self.face.remarks))


@dataclass(frozen=True)
class UniqueAction:
    """A map action of a space; ``costs`` are the alternatives, as they count now."""

    name: str
    costs: tuple[Amounts, ...]
    text: str
    used: bool
    may: bool = False  # it may be taken now

    @property
    def price(self) -> str:
        """The costs in words."""
        return " or ".join(resources(cost) for cost in self.costs if any(cost)) or "free"

    @property
    def label(self) -> str:
        """Name and price, and whether it has been used this round."""
        return f"{self.name} ({self.price}{', used' if self.used else ''})" + " [take]" * self.may


@dataclass(frozen=True)
class Space:
    """A space of a map card."""

    letter: str
    cells: tuple[int, ...]
    skulls: int
    entrance: bool
    arrow: int | None
    awareness: int
    actions: tuple[UniqueAction, ...]
    steps: int | None  # while moving: how many steps away, where it can be reached

    @property
    def features(self) -> list[str]:
        """What is in the space besides its unique actions, in words."""
        found = ["Dream Entrance"] * self.entrance + [f"skull +{self.skulls}"] * bool(self.skulls)
        if self.arrow is not None:
            found.append(f"explore {DIRECTIONS[self.arrow]} for {self.awareness} awareness")
        return found


@dataclass(frozen=True)
class MapCard:
    """A side of a map card and where it lies: columns to the east of the Dream Entrance, rows to the north."""

    name: str
    side: str
    x: int
    y: int
    spaces: tuple[Space, ...]
    space_at: tuple[int, ...]
    doors: tuple[int, ...]
    edges: tuple[bool, ...]
    here: int | None  # the hero's space

    def divider(self, cell: int, side: int) -> bool | None:
        """What lies on a side of a cell: True a wall, False a border, None nothing, for the cell beyond is of the same space."""
        row, column = divmod(cell, 3)
        if {NORTH: row == 0, EAST: column == 2, SOUTH: row == 2, WEST: column == 0}[side]:
            return not self.edges[3 * side + (column if side in (NORTH, SOUTH) else row)]
        beyond = {NORTH: cell - 3, EAST: cell + 1, SOUTH: cell + 3, WEST: cell - 1}[side]
        one, other = self.space_at[cell], self.space_at[beyond]
        return None if one == other else not self.doors[one] >> other & 1


@dataclass(frozen=True)
class Deck:
    """A deck with its visible top card."""

    name: str
    left: int
    discarded: int
    from_bottom: bool
    top: Fighter | Card | MapCard | None

    @property
    def remark(self) -> str:
        """How many cards it has, and whence they are drawn."""
        return f"{self.left} left, {self.discarded} discarded" + ", drawn from below" * self.from_bottom


@dataclass(frozen=True)
class Boss:
    """The boss and the parts of its endgame condition, each with whether it is met."""

    card: Fighter
    parts: tuple[tuple[str, bool], ...]
    facing: bool

    @property
    def state(self) -> str:
        """Whether it is in play or could be."""
        if self.facing:
            return "in play"
        return "condition met" if all(met for _, met in self.parts) else "not in play"


@dataclass(frozen=True)
class View:
    """The table, and what only Etherfields has on it."""

    table: Table
    about: str
    ether: int
    boss: Boss | None
    map: tuple[MapCard, ...]
    hand: tuple[Card, ...]
    inventory: tuple[Card, ...]
    decks: tuple[Deck, ...]
    choices: tuple[Fighter | Face, ...]
    laid_out: bool
    beaten: int  # enemies defeated in this game
    offers: tuple[str, ...]  # standard actions that may be taken now
    piles: tuple[Pile, ...]

    @property
    def here(self) -> tuple[MapCard, Space] | None:
        """The hero's map card and space."""
        return next(((card, card.spaces[card.here]) for card in self.map if card.here is not None), None)


def read_view(s: Any, deck: LoadedDeck) -> View:
    """Reads a position."""
    over = int(s.node) == Node.END
    may = legal_actions(s, deck, legal, len(own.ACTIONS))
    return View(
        table=read_table(
            s,
            deck,
            WORDS,
            phase=ending(s) if over and s.ended else phase_name(s),
            hint="" if over else hint(s, deck),
            won=int(s.ended) == 1 + WON or (over and int(s.wins) > 0),
            legal=may,
            sides=sides,
            badges=wrath,
        ),
        about=about(s),
        ether=int(s.ether),
        boss=None if int(s.boss) == NONE else boss(s, deck),
        map=read_map(s, deck, may),
        hand=tuple(in_hand(s, deck, i, may) for i in range(MAX_HAND) if s.hand[i] != NONE),
        inventory=tuple(held(s, deck, i, may) for i in range(MAX_ITEMS) if s.items[i] != NONE),
        decks=tuple(read_deck(s, deck, which) for which in range(4)),
        choices=tuple(choices(s, deck, may)),
        laid_out=int(s.hero) != NONE,
        beaten=int(enemies_beaten(s, deck.tables)) if s.hero != NONE else 0,
        offers=tuple(name for action, name in OFFERS if action in may),
        piles=tuple(piles(s, deck)),
    )


OFFERS = ((own.START_MOVE, "move"), (own.START_ASSAULT, "assault"), (own.EXPLORE, "explore"))
"""The standard actions."""


def sides(deck: LoadedDeck, face: int) -> tuple[str, int]:
    """The side of a card of hand, inventory or active area, and its back, which may be looked at."""
    if face < HERO_FACE:
        return upper_side(deck, face)[0], back_of(face) if face < BOSS_FACE else face ^ 1
    return upper_side(deck, face)


def upper_side(deck: LoadedDeck, face: int) -> tuple[str, int]:
    """The side of any card; backs of other cards may not be looked at."""
    if face < BOSS_FACE:
        return SIDE_NAMES[face // NUM_CARDS], NONE
    if face < HERO_FACE:
        return SIDE_NAMES[(face - BOSS_FACE) % 2], NONE
    other = int(deck.tables.cards[face].other_side)
    if deck.tables.cards[face].kind != HERO:
        return "", NONE
    if face < UNIVERSAL_FACE:
        return ("front", "lucid")[(face - HERO_FACE) % 2], NONE
    return "one side" if other == NONE else "front" if face < other else "back", NONE


SIDE_NAMES = ("A side", "B side")


def piles(s: Any, deck: LoadedDeck) -> list[Pile]:
    """The discards, the cards that are banished, and whatever else is on no other place, with the sides that face up."""
    found = []
    for zone, what in list(enumerate(ZONES))[IN_DISCARD:]:
        for which, name in enumerate(DECK_NAMES):
            numbers = [i for i in range(deck_size(which)) if lies_in(s, deck.tables, which, i, zone)]
            faces = deck.names["maps"] if which == MAP_DECK else deck.names["faces"]
            shown = tuple(faces[int(map_row(s, i) if which == MAP_DECK else face_of(s, i))] for i in numbers)
            found.append(Pile(f"{name.removesuffix(' Deck')} {what}", shown))
    return [pile for pile in found if pile.cards]


def ending(s: Any) -> str:
    """How the game ended."""
    text = ENDINGS[int(s.ended) - 1]
    return f"{text}: {int(s.wins)} of {int(s.games)} games won" if int(s.options[OPTION_GAMES]) > 1 else text


def about(s: Any) -> str:
    """The rank, the game of a campaign and the number of decisions."""
    games, rank = int(s.options[OPTION_GAMES]), f"rank {int(s.options[OPTION_RANK])}"
    number = min(int(s.games) + 1, games)
    return f"{rank}, " + f"game {number} of {games} ({int(s.wins)} won), " * (games > 1) + f"decision {int(s.decisions)}"


def hint(s: Any, deck: LoadedDeck) -> str:
    """More about what is being decided."""
    step = step_of(s)
    a, b = (int(s.agenda[s.depth - 1, column]) for column in (A, B))
    if step == PAYING:
        return payment_hint(s, deck, a, b)
    if step == WINDOW:
        return WINDOWS[a]
    if step == MOVING:
        return f"{a} space{'s' * (a > 1)} left; no other action until the movement is over."
    if step == DISCARD_CARDS:
        return f"{a} more." if a else "More, if you like."
    if step == CHOOSE_COST:
        return f"{deck.names['faces'][b]}: one of two costs."
    if step == REVEAL:
        return f"{DECK_NAMES[a]}: its top card is turned up."
    numbers = deck.tables.numbers
    lost = counted(int(numbers[RESHUFFLE_CARDS]), "random card")
    return strong.hint(s, deck, WORDS, STEPS, health=int(numbers[RESHUFFLE_HEALTH]), cards=lost)


def payment_hint(s: Any, deck: LoadedDeck, purpose: int, what: int) -> str:
    """What is being paid for, and what is still due."""
    due = resources(s.due)
    if purpose == MOVEMENT:
        return f"Movement: 1 space for each Cunning, {int(s.paid)} so far." + f" Due: {due}." * any(s.due)
    if purpose == ASSAULT:
        name = f"Assault on {deck.names['faces'][s.slot[what]]}"
    elif purpose == EXPLORATION:
        name = "Exploring"
    else:
        name = deck.names["faces"][what]
    return f"{name}: {due} due."


def wrath(s: Any, deck: LoadedDeck, slot: int) -> tuple[Badge, ...]:
    """What an assault on an enemy takes, where one could defeat it."""
    needed = int(wrath_to_fell(s, deck.tables, slot))
    return () if needed == NONE else (Badge("assault", needed, "wrath"),)


def amounts(row: Any) -> Amounts:
    return int(row[0]), int(row[1]), int(row[2])


def action_words(deck: LoadedDeck, face: int) -> str:
    """What an action does, without the moment at its head."""
    return card_text(deck.tables, face, WORDS).removeprefix("Use: ")


def card(s: Any, deck: LoadedDeck, face: int, remarks: Sequence[str] = (), choices: Sequence[str] = (), sides: Sides = upper_side) -> Card:
    """A card of the hand, the inventory or a deck."""
    tables = deck.tables
    gives, kind = amounts(tables.yields[face]), int(tables.cards[face].kind)
    shown = printed(deck, WORDS, face, remarks, sides=sides, choices=choices)
    if kind != INFLUENCE:
        return Card(shown, gives, strong.use_of(deck, face))
    cost = amounts([cost_of(s, int(amount)) for amount in tables.costs[face, 0]])
    if tables.cards[face].uses == ONGOING:
        return Card(shown, gives, "ongoing", cost)
    return Card(replace(shown, text=action_words(deck, face)), gives, "instant", cost, TIMING_TEXT[int(tables.timing[face])])


def in_hand(s: Any, deck: LoadedDeck, i: int, may: frozenset[int]) -> Card:
    """A card of the hand."""
    verbs = ["play"] * (own.PLAY_CARD + i in may) + [putting_away(s)] * (own.SPEND_CARD + i in may)
    return card(s, deck, int(s.hand[i]), choices=verbs, sides=sides)


def putting_away(s: Any) -> str:
    """What it is called where a card is discarded."""
    return "spend" if step_of(s) == PAYING else "discard"


def held(s: Any, deck: LoadedDeck, i: int, may: frozenset[int]) -> Card:
    """A card of the inventory, where its cost is paid."""
    verbs = [putting_away(s) if verb == "discard" else verb for verb in item_choices(may, i)]
    found = card(s, deck, int(s.items[i]), ["used"] * bool(s.used[i]), verbs, sides)
    return Card(found.face, found.gives, found.kind)


def read_deck(s: Any, deck: LoadedDeck, which: int) -> Deck:
    tables, top = deck.tables, int(s.top_card[which])
    shown: Fighter | Card | MapCard | None = None
    if top != NONE and which == MAP_DECK:
        shown = map_card(s, deck, top)
    elif top != NONE and which == ENEMY_DECK:
        shown = printed_fighter(deck, WORDS, int(face_of(s, top)), sides=upper_side)
    elif top != NONE:
        shown = card(s, deck, int(face_of(s, top)))
    left, discarded = (int(count_in(s, tables, which, zone)) for zone in (IN_DECK, IN_DISCARD))
    return Deck(DECK_NAMES[which], left, discarded, bool(draws_from_bottom(s, which)), shown)


def boss(s: Any, deck: LoadedDeck) -> Boss:
    face = int(s.boss)
    return Boss(printed_fighter(deck, WORDS, face, sides=upper_side), tuple(condition(s, deck, face)), bool(s.facing))


def condition(s: Any, deck: LoadedDeck, face: int) -> list[tuple[str, bool]]:
    """The parts of a boss's endgame condition; of one that is not chosen yet none is met."""
    chosen = face == int(s.boss)
    out = []
    for part in range(len(CONDITIONS)):
        wanted = int(deck.tables.conditions[face - BOSS_FACE, part])
        if wanted == NONE:
            continue
        if part == ETHER_IS:
            text = f"ether {COLOURS[wanted]}"
        else:
            beaten = int(enemies_beaten(s, deck.tables))
            found = {MAPS_OUT: int(maps_in_play(s)), CARDS_HELD: sum(s.items != NONE), ENEMIES_BEATEN: beaten}[part]
            names = {MAPS_OUT: "map card{} in play", CARDS_HELD: "card{} in the inventory", ENEMIES_BEATEN: "enem{} defeated"}
            endings = ("y", "ies") if part == ENEMIES_BEATEN else ("", "s")
            text = f"{f'{found} of ' * chosen}{wanted} {names[part].format(endings[wanted != 1])}"
        out.append((text, chosen and bool(is_met(s, deck.tables, part))))
    return out


# The map -------------------------------------------------------------------------------------------------------------------------------


def read_map(s: Any, deck: LoadedDeck, may: frozenset[int]) -> tuple[MapCard, ...]:
    """The map cards in play, from the north-west."""
    reached = reachable(s, deck) if step_of(s) == MOVING else {}
    lying = [m for m in range(NUM_MAPS) if s.map_zone[m] == IN_PLAY]
    return tuple(map_card(s, deck, m, reached, may) for m in sorted(lying, key=lambda m: (-int(s.map_y[m]), int(s.map_x[m]))))


def map_card(
    s: Any,
    deck: LoadedDeck,
    number: int,
    reached: Mapping[tuple[int, int], int] = MappingProxyType({}),
    may: frozenset[int] = frozenset(),
) -> MapCard:
    """A map card with its upper side; ``reached`` tells how far spaces are."""
    tables, row = deck.tables, int(map_row(s, number))
    here = int(s.at_space) if s.map_zone[number] == IN_PLAY and number == int(s.at_card) else None
    letters = deck.names["letters"][row]
    return MapCard(
        name=deck.names["maps"][row],
        side=SIDE_NAMES[row % 2],
        x=int(s.map_x[number]),
        y=int(s.map_y[number]),
        spaces=tuple(space(s, deck, row, at, reached.get((number, at)), may if at == here else frozenset()) for at in range(len(letters))),
        space_at=tuple(map(int, tables.space_at[row])),
        doors=tuple(int(tables.doors[row, at]) for at in range(len(letters))),
        edges=tuple(bool(tables.edges[row, edge]) for edge in range(EDGES)),
        here=here,
    )


def space(s: Any, deck: LoadedDeck, row: int, at: int, steps: int | None, may: frozenset[int]) -> Space:
    """A space of the side of a map card in this row of the map tables."""
    tables = deck.tables
    arrow = int(tables.explore[row, at, ARROW])
    actions = []
    for k in range(SPACE_ACTIONS):
        face = int(tables.unique[row, at, k])
        if face != NONE:
            costs = [amounts([cost_of(s, int(n)) for n in cost]) for cost in tables.costs[face] if cost[0] != NONE]
            used = has_acted(s, row, at, k)
            actions.append(UniqueAction(deck.names["faces"][face], tuple(costs), action_words(deck, face), used, own.USE_SPACE + k in may))
    return Space(
        letter=deck.names["letters"][row][at],
        cells=tuple(cell for cell in range(len(tables.space_at[row])) if tables.space_at[row, cell] == at),
        skulls=int(tables.skulls[row, at]),
        entrance=int(tables.entrance[row]) == at,
        arrow=None if arrow == NONE else arrow,
        awareness=int(cost_of(s, int(tables.explore[row, at, AWARENESS_COST]))),
        actions=tuple(actions),
        steps=steps,
    )


def reachable(s: Any, deck: LoadedDeck) -> dict[tuple[int, int], int]:
    """Spaces (map card, space) that the rest of a movement reaches, with their distance from the hero."""
    start = int(s.at_card), int(s.at_space)
    found, frontier = {start: 0}, [start]
    for steps in range(1, int(s.agenda[s.depth - 1, A]) + 1):
        following = []
        for card, at in frontier:
            for place in neighbours(s, deck, card, at):
                if place not in found:
                    found[place] = steps
                    following.append(place)
        frontier = following
    del found[start]
    return found


def neighbours(s: Any, deck: LoadedDeck, card: int, at: int) -> list[tuple[int, int]]:
    """The spaces (map card, space) one border away from a space."""
    doors = int(deck.tables.doors[map_row(s, card), at])
    found = [(card, near) for near in range(MAX_SPACES) if doors >> near & 1]
    for direction in range(4):
        other = int(card_beside(s, card, direction))
        if other != NONE:
            across = {int(over_edge(s, deck.tables, card, at, other, direction, segment)) for segment in range(3)} - {NONE}
            found += [(other, near) for near in sorted(across)]
    return found


# Setup ---------------------------------------------------------------------------------------------------------------------------------


def choices(s: Any, deck: LoadedDeck, may: frozenset[int]) -> list[Fighter | Face]:
    """The bosses or heroes to choose from."""
    if step_of(s) == CHOOSE_BOSS:
        return [boss_choice(s, deck, b, may) for b in range(NUM_BOSSES)]
    if step_of(s) == CHOOSE_HERO:
        return [hero_choice(s, deck, h, may) for h in range(NUM_HEROES + MAX_GUESTS) if is_hero(s, deck.tables, h)]
    return []


def boss_choice(s: Any, deck: LoadedDeck, b: int, may: frozenset[int]) -> Fighter:
    face = int(boss_face(s, b))
    row = deck.tables.cards[face]
    needed = [deck.names["faces"][other] for other in required(deck, face)]
    parts = ", ".join(text for text, _ in condition(s, deck, face)) or "none"
    lines = [f"Endgame condition: {parts}."]
    lines += [f"Needs {' and '.join(needed)} in play."] * bool(needed)
    remarks = [] if may_face(s, deck.tables, b) else ["cannot be faced"]
    shown = printed(deck, WORDS, face, remarks, sides=upper_side, choices=["choose"] * (own.PICK_BOSS + b in may))
    shown = replace(shown, text="\n".join([*lines, shown.text]))
    return Fighter(shown, int(row.health), int(row.health), int(row.damage), place=b + 1)


def hero_choice(s: Any, deck: LoadedDeck, h: int, may: frozenset[int]) -> Face:
    face = int(hero_face(s, h))
    shown = printed(deck, WORDS, face, sides=upper_side, choices=["choose"] * (own.PICK_HERO + h in may))
    stats = " / ".join(str(int(value)) for value in deck.tables.cards[face].stats)
    return replace(shown, name=f"{h + 1}. {shown.name}", text=f"Health / Strategy / Recovery {stats}\n{shown.text}")
