"""What lies on the table, read from a position once for text and picture. Its figures are those of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.lost_woods import actions as act
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.rules import attacking, contract, inventory, weapons, woods
from deckwood.lost_woods.rules import ending as ending_rules
from deckwood.lost_woods.rules.table import STEPS
from deckwood.lost_woods.state import (
    CAMP_SPACES,
    CARDS_PER_DECK,
    DEFEATED,
    DICE,
    DIRECTIONS,
    ESCAPED,
    FOE_GOLD,
    GOLD,
    GUARDIAN,
    HELD,
    MAX_ENEMIES,
    NONE,
    NUM_DICE,
    NUM_DIRECTIONS,
    NUM_ITEMS,
    NUM_SPACES,
    NUM_SPELLS,
    OPTION_TURN_LIMIT,
    POTION,
)
from deckwood.lost_woods.words import action_text, dice_of, foe_text, item_text, name_and_traits, phase_name, tile_text

legal = uncompiled(contract.legal)
holds = uncompiled(inventory.holds)
lies = uncompiled(inventory.lies)
was_cast = uncompiled(inventory.was_cast)
guardian_here = uncompiled(attacking.guardian_here)
number_tied = uncompiled(ending_rules.number_tied)
neighbour = uncompiled(woods.neighbour)
is_open = uncompiled(woods.is_open)
opposite = uncompiled(woods.opposite)
die_of = uncompiled(weapons.die_of)

# What is at an edge of a space.
CLOSED, BOTH_WAYS, ONE_WAY, OPEN, WAY_OUT = "closed", "both ways", "one way", "open", "way out"


@dataclass(frozen=True)
class Foe:
    """An enemy on the map: ``text`` says all of it."""

    kind: int
    name: str
    dice: tuple[int, ...]  # places in state.DICE
    gold: int
    text: str
    guardian: int = NONE  # the direction of a guardian
    target: bool = False  # the decision can choose it


@dataclass(frozen=True)
class Goods:
    """Weapons by die, potions and gold that lie somewhere or are carried; and spells, by number."""

    dice: tuple[int, ...]
    potions: int
    gold: int
    spells: tuple[int, ...]

    def __bool__(self) -> bool:
        return bool(self.dice or self.potions or self.gold or self.spells)


@dataclass(frozen=True)
class Space:
    """A space of the map."""

    number: int
    name: str
    x: int
    y: int
    deck: int  # the direction of its deck; NONE: the camp
    edges: tuple[str, ...]  # by direction
    foes: tuple[Foe, ...]
    goods: Goods
    well: int  # the spell whose well it is, or NONE
    pawns: tuple[int, ...]
    here: bool  # the adventurer whose turn it is stands there
    new: bool  # being explored
    target: bool  # the decision can lead there
    explorable: tuple[bool, ...]  # by direction: the decision can go on there
    takable: frozenset[int]  # items that the decision can take from there


@dataclass(frozen=True)
class Adventurer:
    """A player with what is carried."""

    seat: int
    where: str
    goods: Goods
    turn: bool
    decides: bool
    won: bool
    tied: bool
    duel_item: str  # what fights for the tie, in words
    duel_die: int  # its die, or NONE
    duel_roll: int  # 0: not rolled
    target: bool  # the decision can choose this player, or this player's die


@dataclass(frozen=True)
class Guardian:
    """A deck with its guardian."""

    foe: Foe
    left: int  # cards in the deck
    state: str
    defeated: bool
    come: bool


@dataclass(frozen=True)
class Spell:
    """A spell and where it is."""

    name: str
    state: str


@dataclass(frozen=True)
class Fight:
    """The adventurer's battle with an enemy."""

    foe: Foe
    wins: int
    weapon: str  # in words; empty before it is chosen
    die: int  # the weapon's, or NONE
    roll: int  # 0: not rolled
    foe_roll: int
    rerolls: tuple[bool, bool]  # the decision can re-roll the adventurer's die, the enemy's


@dataclass(frozen=True)
class View:
    """All that a picture or a text shows."""

    phase: str
    hint: str
    about: str
    over: bool
    turn: int  # the seat whose turn it is, or NONE
    spaces: tuple[Space, ...]
    adventurers: tuple[Adventurer, ...]
    guardians: tuple[Guardian, ...]
    spells: tuple[Spell, ...]
    bag: tuple[tuple[str, int], ...]
    supply: int
    fight: Fight | None
    tie: bool
    facts: tuple[str, ...]  # of this turn
    choices: tuple[str, ...]


def read_view(s: Any, deck: LoadedDeck) -> View:
    """Reads a position."""
    s, deck = plain(s), replace(deck, tables=plain(deck.tables))
    mask = np.zeros(len(act.ACTIONS), np.int8)
    if s.node == Node.DECISION:
        legal(s, deck.tables, mask)
    players = int(s.players)
    return View(
        phase=headline(s),
        hint=hint(s, deck),
        about=about(s),
        over=bool(s.node == Node.END),
        turn=int(s.turn),
        spaces=tuple(space(s, deck, number, mask) for number in range(NUM_SPACES) if s.placed[number]),
        adventurers=tuple(adventurer(s, deck, seat, mask) for seat in range(players)),
        guardians=tuple(guardian(s, deck, direction) for direction in range(NUM_DIRECTIONS)),
        spells=tuple(Spell(deck.names["spells"][spell], spell_state(s, deck, spell)) for spell in range(NUM_SPELLS)),
        bag=tuple((tile_name(deck, tile), int(count)) for tile, count in enumerate(s.bag) if count > 0),
        supply=int(s.supply),
        fight=fight(s, deck, mask),
        tie=number_tied(s) > 1 or (int(s.ending) > 0 and any(int(item) != NONE for item in s.duel_item)),
        facts=facts(s, deck),
        choices=tuple(action_text(s, deck, int(action)) for action in np.flatnonzero(mask)),
    )


def plain(record: Any) -> Any:
    """A record as an object with the same attributes, which are much faster to read."""
    return SimpleNamespace(**{name: record[name] for name in record.dtype.names})


# Words ---------------------------------------------------------------------------------------------------------------------------------


def headline(s: Any) -> str:
    """What is being decided or drawn; at the end, who has won."""
    if s.node == Node.END:
        if not s.ended:
            name = phase_name(s)
            return f"{name[0].upper()}{name[1:]}"
        gold = int(s.carried[s.mover, GOLD])
        return f"Player {s.mover} wins with {gold} gold"
    return f"Chance: {phase_name(s)}" if s.node == Node.CHANCE else phase_name(s)


def hint(s: Any, deck: LoadedDeck) -> str:
    """More about it."""
    phase = int(s.phase)
    if s.node == Node.END:
        return ending(s) if s.ended else "Nobody has won."
    if phase >= at.TIE_DIE or phase in (at.TIE_WEAPON, at.TIE_ROLLED):
        return f"{ending(s)} {STEPS.rows[phase].hint or STEPS.rows[at.TIE_WEAPON].hint}"
    if phase == at.MOVING:
        return f"{counted(int(s.moves), 'space')} left to move. Pick up and drop on the way."
    if phase == at.POOREST:
        return f"It takes 1 gold from player {s.giver}. To whom does it go?"
    if phase == at.MAGNET_SPACE:
        return f"Where does it draw {item_text(deck, int(s.magnet))} from?"
    if phase == at.DRAW_TILE:
        return f"{s.to_draw} to draw."
    if phase == at.DRAW_CARD:
        return f"From the deck of the {DIRECTIONS[s.way]}."
    if s.foe != NONE and phase != at.BATTLE_LOST:
        return f"Player {s.turn} against {foe_here(s, deck)}."
    return STEPS.rows[phase].hint


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def ending(s: Any) -> str:
    """How the game has come to its end."""
    if s.ending == ESCAPED + 1:
        return f"Player {s.turn} has found the way out to the {DIRECTIONS[s.way]}."
    return "The woods are fully explored, and the last enemy is defeated."


def about(s: Any) -> str:
    """The turn, and who decides."""
    turns = f"turn {s.turns} of at most {s.options[OPTION_TURN_LIMIT] * s.players}"
    if s.turn == NONE or s.node == Node.END:
        return turns
    other = f", player {s.mover} decides" if s.mover != s.turn and s.node == Node.DECISION else ""
    return f"{turns}: player {s.turn}{other}"


def foe_here(s: Any, deck: LoadedDeck) -> str:
    """The enemy that is fought."""
    return foe_text(deck, int(s.foe), guardian_here(s))


def facts(s: Any, deck: LoadedDeck) -> tuple[str, ...]:
    """What counts for this turn besides."""
    if s.turn == NONE or s.node == Node.END or s.ending:
        return ()
    names = deck.names["spells"]
    cast = [names[spell] for spell in range(NUM_SPELLS) if was_cast(s, spell)]
    dropped = [item_text(deck, item) for item in range(NUM_ITEMS) if int(s.dropped) >> item & 1]
    return (
        *[f"explored {DIRECTIONS[s.way]}"] * bool(s.way != NONE),
        *[f"used: {', '.join(cast)}"] * bool(cast),
        *[f"dropped here: {', '.join(dropped)}"] * bool(dropped and s.phase == at.MOVING),
    )


# The map -------------------------------------------------------------------------------------------------------------------------------


def is_target(s: Any, deck: LoadedDeck, number: int, mask: Any) -> bool:
    """Whether a legal action leads to a space."""
    moves = [neighbour(s, deck.tables, int(s.at[s.turn]), way) for way in range(NUM_DIRECTIONS) if mask[act.MOVE + way]]
    return bool(mask[act.SPACE + number]) or number in moves


def takable(s: Any, number: int, mask: Any) -> frozenset[int]:
    """The items of a space that a legal action takes: the Magnet from anywhere, else where the adventurer is."""
    if s.phase != at.MAGNET_ITEM and number != s.at[s.turn]:
        return frozenset()
    return frozenset(item for item in range(NUM_ITEMS) if mask[act.TAKE + item] and lies(s, number, item))


def space(s: Any, deck: LoadedDeck, number: int, mask: Any) -> Space:
    here = s.turn != NONE and number == s.at[s.turn]
    return Space(
        number=number,
        name=deck.names["spaces"][number],
        x=int(s.x[number]),
        y=int(s.y[number]),
        deck=NONE if number < CAMP_SPACES else (number - CAMP_SPACES) // CARDS_PER_DECK,
        edges=tuple(edge(s, deck, number, direction) for direction in range(NUM_DIRECTIONS)),
        foes=foes(s, deck, number, mask if here else np.zeros_like(mask)),
        goods=goods(s.lying[:, number], [spell for spell in range(NUM_SPELLS) if s.spell_at[spell] == number]),
        well=int(deck.tables.well[number]),
        pawns=tuple(seat for seat in range(int(s.players)) if s.at[seat] == number),
        here=bool(here),
        new=bool(s.room == number),
        target=is_target(s, deck, number, mask),
        explorable=tuple(bool(here and mask[act.EXPLORE + direction]) for direction in range(NUM_DIRECTIONS)),
        takable=takable(s, number, mask),
    )


def edge(s: Any, deck: LoadedDeck, number: int, direction: int) -> str:
    """How one gets out of a space in a direction. One way is told of the space that it leads out of."""
    if is_open(s, deck.tables, number, direction):
        return WAY_OUT if s.left[direction] == 0 else OPEN
    beyond = neighbour(s, deck.tables, number, direction)
    if beyond == NONE:
        return CLOSED
    return BOTH_WAYS if deck.tables.ways[beyond, opposite(direction)] else ONE_WAY


def foes(s: Any, deck: LoadedDeck, number: int, mask: Any) -> tuple[Foe, ...]:
    """The guardian first."""
    found = [foe(deck, GUARDIAN, direction) for direction in range(NUM_DIRECTIONS) if s.guardian_at[direction] == number]
    found += [foe(deck, kind) for kind in range(MAX_ENEMIES) for _ in range(int(s.enemies[number, kind]))]
    return tuple(replace(one, target=bool(mask[act.ATTACK + one.kind])) for one in found)


def foe(deck: LoadedDeck, kind: int, direction: int = NONE) -> Foe:
    """A kind of enemy, or the guardian of a direction."""
    name, traits = name_and_traits(deck, kind, direction)
    return Foe(kind, name, dice_of(traits), int(traits[FOE_GOLD]), foe_text(deck, kind, direction), direction)


def goods(counts: Any, spells: Iterable[int]) -> Goods:
    """Items that are counted, by item, and spells."""
    dice = tuple(die for die in range(NUM_DICE) for _ in range(int(counts[die])))
    return Goods(dice, int(counts[POTION]), int(counts[GOLD]), tuple(spells))


def goods_text(goods: Goods, deck: LoadedDeck, gold: bool = True) -> str:
    """What lies somewhere or is carried, in words."""
    parts = [f"D{DICE[die]}" for die in goods.dice]
    parts += [counted(goods.potions, "potion")] * bool(goods.potions)
    parts += [f"{goods.gold} gold"] * bool(gold and goods.gold)
    parts += [deck.names["spells"][spell] for spell in goods.spells]
    return ", ".join(parts)


def grouped(texts: Iterable[str]) -> list[str]:
    """Equal texts once, with how many there are."""
    return [f"{count} x {text}" if count > 1 else text for text, count in Counter(texts).items()]


def well_text(space: Space, deck: LoadedDeck) -> str:
    """A space's well, and whether its spell is there."""
    if space.well == NONE:
        return ""
    return f"the well of {deck.names['spells'][space.well]}" + (", empty" if space.well not in space.goods.spells else "")


# Beside the map ------------------------------------------------------------------------------------------------------------------------


def adventurer(s: Any, deck: LoadedDeck, seat: int, mask: Any) -> Adventurer:
    item = int(s.duel_item[seat])
    gnome, tie = s.phase in (at.RICHEST, at.POOREST), s.phase == at.TIE_ROLLED
    first = act.CHAIR if gnome else act.REROLL
    return Adventurer(
        seat=seat,
        where=deck.names["spaces"][int(s.at[seat])],
        goods=goods(s.carried[seat], [spell for spell in range(NUM_SPELLS) if holds(s, seat, spell)]),
        turn=bool(s.turn == seat),
        decides=bool(s.node == Node.DECISION and s.mover == seat),
        won=bool(s.node == Node.END and s.ended and s.mover == seat),
        tied=bool(s.tied[seat]),
        duel_item=item_text(deck, item) if item != NONE else "",
        duel_die=die_of(deck.tables, item) if item != NONE else NONE,
        duel_roll=int(s.duel_roll[seat]),
        target=bool((gnome or tie) and mask[first + (seat - int(s.turn if gnome else s.mover)) % int(s.players)]),
    )


def guardian(s: Any, deck: LoadedDeck, direction: int) -> Guardian:
    place = int(s.guardian_at[direction])
    state = {NONE: "not come yet", DEFEATED: "defeated"}.get(place) or f"at {deck.names['spaces'][place]}"
    return Guardian(foe(deck, GUARDIAN, direction), int(s.left[direction]), state, place == DEFEATED, place != NONE)


def spell_state(s: Any, deck: LoadedDeck, spell: int) -> str:
    """Where a spell is, and its well."""
    place, home = int(s.spell_at[spell]), int(deck.tables.well_space[spell])
    if place == NONE:
        return "not discovered"
    well = f"its well: {deck.names['spaces'][home]}"
    if place == home:
        return f"in {well}"
    if place >= HELD:
        return f"with player {place - HELD}; {well}"
    return f"lies at {deck.names['spaces'][place]}; {well}"


def tile_name(deck: LoadedDeck, tile: int) -> str:
    """A kind of tile, in a list of them."""
    return tile_text(deck, tile).removeprefix("an enemy: ").removeprefix("a ")


def fight(s: Any, deck: LoadedDeck, mask: Any) -> Fight | None:
    if s.foe == NONE or s.turn == NONE:
        return None
    item = int(s.weapon)
    return Fight(
        foe=foe(deck, int(s.foe), guardian_here(s) if s.foe == GUARDIAN else NONE),
        wins=int(s.wins),
        weapon=item_text(deck, item) if item != NONE else "",
        die=die_of(deck.tables, item) if item != NONE else NONE,
        roll=int(s.own_roll),
        foe_roll=int(s.foe_roll),
        rerolls=(bool(s.phase == at.ROLLED and mask[act.REROLL]), bool(mask[act.REROLL_FOE])),
    )
