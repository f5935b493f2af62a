"""Scenarios: a table of Lost Woods laid by hand and played by the names of actions, cards, tiles and dice faces.

    t = Table(players=3)
    t.place(n3=(0, 1)).stand(0, "n3").owns(0, d6=1, gold=2).enemies("n3", ogre=1)
    t.do("done", "done", "attack_2", "fight_with_d6").roll(5, 3)
    assert t.changes == {...}

Nothing is left to chance: each card, tile and die is named by the scenario. The map, what lies beside a space and how far it is are worked
out here, from the coordinates, and not by the rules. Spaces are called west, centre and east (the camp) and n1 to n12, e1, s1, w1 and so on
(n12, e12, s12 and w12 are the bottom cards). The cards of the plain deck have all four markers unless a scenario says otherwise.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from deckwood.core.game import Game
from deckwood.core.spec import LoadedDeck
from deckwood.lost_woods import phases
from deckwood.lost_woods.deck import SHIPPED, DeckFile
from deckwood.lost_woods.spec import SPEC
from deckwood.lost_woods.state import DEFEATED, GUARDIAN, HELD, NONE, UNREACHED

DIRECTIONS = ("north", "east", "south", "west")
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
SPACES = ("west", "centre", "east", *(f"{d[0]}{n}" for d in DIRECTIONS for n in range(1, 13)))
SPELLS = ("bolt", "fire", "meteor", "tornado", "magnet", "revive", "teleport", "eighth")
GOODS = ("d4", "d6", "d8", "d12", "d20", "potion", "gold")
ITEMS = (*GOODS, *SPELLS)
WELLS = {"bolt": "n1", "fire": "n2", "meteor": "e1", "tornado": "e2", "magnet": "s1", "revive": "s2", "teleport": "w1", "eighth": "w2"}
ENEMIES = {"goblin": (4, 1, 10), "ogre": (8, 2, 6), "dragon": (20, 5, 4)}
"""Die, gold, tiles."""
KINDS = tuple(ENEMIES)
GUARDIANS = {"north": ([4, 6, 8], 3), "east": ([6, 6, 6], 2), "south": ([20, 12, 8], 5), "west": ([4, 4, 4], 1)}
WEAPONS = {"d4": 4, "d6": 9, "d8": 5, "d12": 6, "d20": 0}
OTHER_TILES = {"potion": 6, "gold": 6, "plus_two": 6, "gnome": 4}
TILES = ("d4", "d6", "d8", "d12", "d20", *KINDS, *(f"kind_{n}" for n in range(4, 13)), *OTHER_TILES)
CAMP = {"west": "NSW", "centre": "NS", "east": "NES"}
STRIDE = {"type": "stride", "spaces": 3}

CHANCES = ("starter", "draw_card", "draw_tile", "own_die", "foe_die", "tie_die", "tie_lots")
PHASES = (*phases.DECISION_PHASES, *CHANCES)
AXES: dict[str, tuple[tuple[str, ...], ...]] = {
    "placed": (SPACES,),
    "x": (SPACES,),
    "y": (SPACES,),
    "left": (DIRECTIONS,),
    "beside": (SPACES, DIRECTIONS),
    "distance": (SPACES, SPACES),
    "enemies": (SPACES, (*KINDS, *(f"kind_{n}" for n in range(4, 13)))),
    "open_ways": (SPACES,),
    "foes": (SPACES,),
    "guardian_at": (DIRECTIONS,),
    "lying": (GOODS, SPACES),
    "spell_at": (SPELLS,),
    "bag": (TILES,),
    "carried": (tuple("012345"), GOODS),
}


def deck_file(
    *, ways: Mapping[str, str] | None = None, camp: Mapping[str, str] | None = None, wells: Mapping[str, str] | None = None, **parts: Any
) -> dict[str, Any]:
    """A deck of plain cards in the form of a deck file, with these markers, wells and parts changed."""
    at_card = {card: spell for spell, card in {**WELLS, **(wells or {})}.items()}
    cards = []
    for name in SPACES[3:]:
        direction = next(d for d in DIRECTIONS if d[0] == name[0])
        card: dict[str, Any] = {"name": name, "deck": direction, "ways": (ways or {}).get(name, "NESW")}
        if name in at_card:
            card["well"] = at_card[name]
        if name.endswith("12"):
            card["bottom"] = True
        cards.append(card)
    file: dict[str, Any] = {
        "camp": {**CAMP, **(camp or {})},
        "cards": cards,
        "weapons": dict(WEAPONS),
        "tiles": dict(OTHER_TILES),
        "enemies": [{"name": kind, "die": die, "gold": gold, "tiles": tiles} for kind, (die, gold, tiles) in ENEMIES.items()],
        "guardians": [{"name": f"the {d} one", "deck": d, "dice": dice, "gold": gold} for d, (dice, gold) in GUARDIANS.items()],
        "eighth": {"name": "Stride", "effect": dict(STRIDE)},
    }
    return {**file, **parts}


def load(file: Mapping[str, Any]) -> LoadedDeck:
    """What the loader makes of a deck file's content."""
    tables, names = DeckFile.model_validate(file).compile()
    return LoadedDeck(tables, names, SHIPPED, "scenario")


PLAIN = load(deck_file())


class Table:
    """A game at its first turn, on a deck of plain cards or another."""

    def __init__(self, players: int = 4, *, turn: int = 0, deck: LoadedDeck | None = None, **options: Any) -> None:
        self.deck = deck or PLAIN
        self.game = Game(dataclasses.replace(SPEC, load_deck=lambda path: self.deck), num_players=players, **options)
        self.position = self.game.new()
        self.s = self.position[0]
        self.players = players
        self.game.apply_chance(self.position, turn)
        self.mark()

    # Laying the table

    def place(self, **cards: tuple[int, int]) -> Self:
        """Map cards, columns east and rows north of the centre of the camp."""
        s = self.s
        for name, (x, y) in cards.items():
            space = SPACES.index(name)
            s.placed[space], s.x[space], s.y[space] = 1, x, y
            s.left[DIRECTIONS.index(next(d for d in DIRECTIONS if d[0] == name[0]))] -= 1
            for spell, well in enumerate(self.deck.tables.well_space):
                if well == space:
                    s.spell_at[spell] = space
        self.survey()
        return self.mark()

    def survey(self) -> Self:
        """What lies beside each space, and how far it is, from the coordinates and the markers."""
        s = self.s
        s.beside[:], s.distance[:] = beside(s), distances(s, self.deck)
        s.open_ways[:] = open_ways(s, self.deck)
        return self.mark()

    def decks(self, **left: int) -> Self:
        """Cards left in decks, whatever lies on the table."""
        for direction, count in left.items():
            self.s.left[DIRECTIONS.index(direction)] = count
        return self.mark()

    def stand(self, seat: int, space: str) -> Self:
        self.s.at[seat] = SPACES.index(space)
        return self.mark()

    def owns(self, seat: int, **items: int) -> Self:
        """All that an adventurer carries; the supply has what is left of the 50 gold pieces."""
        s = self.s
        s.carried[seat] = [items.get(good, 0) for good in GOODS]
        for spell, name in enumerate(SPELLS):
            if items.get(name):
                s.spell_at[spell] = HELD + seat
            elif s.spell_at[spell] == HELD + seat:
                s.spell_at[spell] = self.deck.tables.well_space[spell]
        return self.count_gold()

    def lay(self, space: str, **items: int) -> Self:
        """What lies on a space, besides spells that lie there already."""
        s, here = self.s, SPACES.index(space)
        s.lying[:, here] = [items.get(good, 0) for good in GOODS]
        for spell, name in enumerate(SPELLS):
            if items.get(name):
                s.spell_at[spell] = here
        return self.count_gold()

    def count_gold(self) -> Self:
        self.s.supply = 50 - self.s.carried[:, 6].sum() - self.s.lying[6].sum()
        return self.mark()

    def supply(self, pieces: int) -> Self:
        """The rest of the gold has gone out of reach."""
        self.s.supply = pieces
        return self.mark()

    def enemies(self, space: str, guardian: str = "", **kinds: int) -> Self:
        s, here = self.s, SPACES.index(space)
        s.enemies[here] = [kinds.get(kind, 0) for kind in KINDS] + [0] * (12 - len(KINDS))
        if guardian:
            s.guardian_at[DIRECTIONS.index(guardian)] = here
        s.foes[here] = sum(kinds.values()) + sum(1 for at in s.guardian_at if at == here)
        return self.mark()

    def bag(self, **tiles: int) -> Self:
        """All that is in the bag."""
        self.s.bag = [tiles.get(tile, 0) for tile in TILES]
        return self.mark()

    # Playing

    def mark(self) -> Self:
        """Changes are counted from here."""
        self.before = self.position.copy()
        return self

    def do(self, *names: str) -> Self:
        for name in names:
            self.game.apply(self.position, SPEC.action_index[name])
        return self

    def happen(self, *outcomes: int | str) -> Self:
        """Lets chance decide as told: seats, cards, tiles or faces."""
        for outcome in outcomes:
            names = self.outcome_names()
            index = names.index(outcome)  # type: ignore[arg-type]
            self.game.apply_chance(self.position, index)
        return self

    roll = draw = happen

    def outcome_names(self) -> list[int | str]:
        if self.phase == "draw_card":
            return [f"{DIRECTIONS[self.s.way][0]}{n}" for n in range(1, 13)]
        if self.phase == "draw_tile":
            return list(TILES)
        if self.phase in ("starter", "tie_lots"):
            return list(range(self.players))
        return list(range(1, 21))

    # Reading

    @property
    def phase(self) -> str:
        return "end" if self.s.node == 2 else PHASES[self.s.phase]

    @property
    def legal(self) -> set[str]:
        return {SPEC.actions[i].name for i in np.flatnonzero(self.game.legal(self.position))}

    def may(self, name: str) -> bool:
        return name in self.legal

    @property
    def chances(self) -> dict[int | str, int]:
        """The outcomes that are possible, with their weights."""
        weights = self.game.chance(self.position)
        return {self.outcome_names()[int(i)]: int(weights[i]) for i in np.flatnonzero(weights)}

    @property
    def where(self) -> list[str]:
        return [SPACES[space] for space in self.s.at[: self.players]]

    @property
    def gold(self) -> list[int]:
        return [int(row[6]) for row in self.s.carried[: self.players]]

    @property
    def payoffs(self) -> list[float]:
        return [float(payoff) for payoff in self.s.payoff[: self.players]]

    def carries(self, seat: int) -> dict[str, int]:
        """What an adventurer has."""
        goods = {good: int(count) for good, count in zip(GOODS, self.s.carried[seat], strict=True) if count}
        return goods | {name: 1 for name, at in zip(SPELLS, self.s.spell_at, strict=True) if at == HELD + seat}

    def lies(self, space: str) -> dict[str, int]:
        """What lies on a space."""
        here = SPACES.index(space)
        goods = {good: int(count) for good, count in zip(GOODS, self.s.lying[:, here], strict=True) if count}
        return goods | {name: 1 for name, at in zip(SPELLS, self.s.spell_at, strict=True) if at == here}

    @property
    def changes(self) -> dict[str, Any]:
        """What differs from the marked position, with its new values; decisions are not counted."""
        found: dict[str, Any] = {}
        for field in SPEC.dtype.names or ():
            old, new = np.asarray(self.before[field][0]), np.asarray(self.s[field])
            if field == "decisions" or np.array_equal(old, new):
                continue
            for index in np.ndindex(new.shape):
                if old[index] != new[index]:
                    axes = AXES.get(field, tuple(tuple(map(str, range(n))) for n in new.shape))
                    key = ".".join([field, *(names[i] for names, i in zip(axes, index, strict=True))])
                    found[key] = named(field, new[index].item())
        return found


def named(field: str, value: Any) -> Any:
    """A value in the scenario's words."""
    if field == "phase":
        return PHASES[value]
    if field in ("at", "room", "beside"):
        return None if value == NONE else SPACES[value]
    if field == "guardian_at":
        return "defeated" if value == DEFEATED else "box" if value == NONE else SPACES[value]
    if field == "spell_at":
        return "hidden" if value == NONE else SPACES[value] if value < HELD else value - HELD
    if field == "way":
        return None if value == NONE else DIRECTIONS[value]
    if field in ("weapon", "magnet", "duel_item"):
        return None if value == NONE else ITEMS[value]
    if field == "foe":
        return None if value == NONE else "guardian" if value == GUARDIAN else KINDS[value]
    return value


def beside(s: Any) -> np.ndarray[Any, Any]:
    """The card that lies on each side of each card, from the coordinates."""
    found = np.full(s.beside.shape, NONE)
    spots = {(int(s.x[space]), int(s.y[space])): space for space in np.flatnonzero(s.placed)}
    for (x, y), space in spots.items():
        for direction, (dx, dy) in enumerate(STEPS):
            found[space, direction] = spots.get((x + dx, y + dy), NONE)
    return found


def open_ways(s: Any, deck: LoadedDeck) -> np.ndarray[Any, Any]:
    """How many markers of each card have no card next to them."""
    return ((deck.tables.ways == 1) & (beside(s) == NONE)).sum(axis=1) * (np.asarray(s.placed) == 1)


def distances(s: Any, deck: LoadedDeck) -> np.ndarray[Any, Any]:
    """Moves from each card on the table to each other along the markers, by a search breadth first."""
    found = np.full(s.distance.shape, UNREACHED)
    around = beside(s)
    for start in np.flatnonzero(s.placed):
        reached = {int(start): 0}
        waiting = deque(reached)
        while waiting:
            here = waiting.popleft()
            for direction in range(4):
                beyond = int(around[here, direction])
                if deck.tables.ways[here, direction] and beyond != NONE and beyond not in reached:
                    reached[beyond] = reached[here] + 1
                    waiting.append(beyond)
        for space, moves in reached.items():
            found[start, space] = moves
    return found


__all__ = ["ITEMS", "PLAIN", "SPACES", "SPELLS", "Table", "beside", "deck_file", "distances", "load", "open_ways"]
