"""Scenarios: a table of plain cards with a few special ones on it, played by the names of actions, dice faces and cards.

    s = Scenario(enemies=[enemy(health=3, effects=[{"op": "apply_limit", "count": 1}])], dice={"yellow": 2})
    s.fight()
    s.commit("yellow", "yellow").roll("hit", "crit").hit("yellow_crit")
    assert s.phase == "Apply Dice"

Cards are written in the words of a deck file, so a scenario plays what the loader makes of them. Nothing is left to chance: each roll
and each draw is named by the scenario, except which card is turned up on top of a deck where it does not matter: the first one there is.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from deckwood.core.spec import LoadedDeck
from deckwood.core.uncompiled import uncompiled
from deckwood.etherfields import steps
from deckwood.etherfields.deck import SHIPPED, WORDS, DeckFile
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import (
    DECKS,
    IN_DECK,
    IN_HAND,
    IN_INVENTORY,
    IN_PLAY,
    MAP_DECK,
    MAX_HAND,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_ENEMIES,
    NUM_HEROES,
    NUM_INFLUENCE,
    NUM_ITEMS,
    NUM_MAPS,
    RESOURCES,
    ZONES,
)
from deckwood.strong import cards as in_play
from deckwood.strong.guests import Guest
from deckwood.strong.terms import COLOURS, ENEMY, INFLUENCE, ITEM, NONE
from tests.strong.scenario import NOTHING, Effects, Played, enemy, merge

__all__ = ["NOTHING", "PLAIN", "RECOVER", "Scenario", "compiled", "enemy", "instant", "item", "ongoing", "space"]

RECOVER: Effects = [{"op": "recover", "count": 1}]
NUMBERS = {"hand_size": 5, "reshuffle_health": 2, "reshuffle_cards": 2, "first_ether": "yellow"}
"""What the rulebook prints."""
LAYOUT = ["aaa", "bcd", "eee"]
"""North a, west b, centre c, east d, south e."""
ARROWS = {"a": "north", "b": "west", "d": "east", "e": "south"}
ROUND_TAIL = (steps.END_ROUND, steps.CLEANUP, (steps.WINDOW, steps.BEFORE_CLEANUP), steps.ENGAGEMENT)
WHOLE = ("gives", "cost", "endgame", "space")
"""Fields that a scenario gives as a whole."""


def instant(*effects: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """A side that is an influence card, played and discarded."""
    return {"type": "influence", "gives": {}, "action": "instant", "effects": list(effects) or list(RECOVER), **fields}


def ongoing(*effects: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """A side that is an influence card which goes to the inventory."""
    return {"type": "influence", "gives": {}, "action": "ongoing", "effects": list(effects) or list(NOTHING), **fields}


def item(*effects: Mapping[str, Any], uses: str = "single", **fields: Any) -> dict[str, Any]:
    """A side that is an item."""
    return {"type": "item", "uses": uses, "effects": list(effects) or list(RECOVER), **fields}


def space(*effects: Mapping[str, Any], cost: Sequence[Mapping[str, int]] = (), name: str = "Act", **fields: Any) -> dict[str, Any]:
    """A space of the map, with a unique action if there are effects."""
    actions = [{"name": name, "cost": list(cost), "effects": list(effects)}] if effects else []
    return {"action": actions, **fields}


def _map_side(name: str) -> dict[str, Any]:
    spaces: dict[str, Any] = {letter: {"explore": {"to": to, "awareness": 1}} for letter, to in ARROWS.items()}
    return {"name": name, "layout": list(LAYOUT), "walls": [], "closed": [], "space": spaces}


def _plain_deck() -> dict[str, Any]:
    """As many cards as the rulebook lists, every one of them plain; the B sides are of the same type."""

    def influence(i: int) -> dict[str, Any]:
        return instant(gives={RESOURCES[i % 3]: 1})

    def hero(i: int, lucid: bool) -> dict[str, Any]:
        return {"name": f"Hero {i}, lucid" if lucid else f"Hero {i}", "health": 4, "strategy": 3, "recovery": 3, "effects": list(NOTHING)}

    kinds: dict[str, tuple[str, int, Any]] = {
        "enemy": ("Enemy", NUM_ENEMIES, lambda i: {"type": "enemy", "health": 4, "damage": 1, "effects": [], "reward": []}),
        "influence": ("Influence", NUM_INFLUENCE, influence),
        "item": ("Item", NUM_ITEMS, lambda i: item()),
    }
    deck: dict[str, Any] = {"title": "Plain", "note": "", "numbers": dict(NUMBERS)}
    for kind, (word, number, make) in kinds.items():
        deck[kind] = [{"a": {"name": f"{word} {i}", **make(i)}, "b": {"name": f"{word} {i}, turned", **make(i)}} for i in range(number)]
    deck["hero"] = [
        {"name": f"Hero {i}", "key": f"hero{i}", "universal": False, "front": hero(i, False), "lucid": hero(i, True)}
        for i in range(NUM_HEROES)
    ]
    for card in deck["hero"]:
        card["name"] += ", the card"
    deck["boss"] = [
        {
            "key": f"boss{i}",
            **{k: {"name": name, "health": 9, "damage": 2, "effects": [], "endgame": {}, "requires": []} for k, name in names.items()},
        }
        for i, names in ((i, {"a": f"Boss {i}", "b": f"Boss {i}, turned"}) for i in range(NUM_BOSSES))
    ]
    deck["map"] = [{"a": _map_side(f"Map {i}"), "b": _map_side(f"Map {i}, turned")} for i in range(NUM_MAPS)]
    for side, name in (("a", "Summon"), ("b", "Summon from the other side")):
        deck["map"][0][side]["entrance"] = "c"
        deck["map"][0][side]["space"]["c"] = space({"op": "summon"}, name=name)
    return deck


PLAIN = _plain_deck()


def change_side(side: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Changes fields of a side, or all of it where its type changes."""
    if changes.get("type", side.get("type")) != side.get("type"):
        name = side["name"]
        side.clear()
        side["name"] = name
    merge(side, changes, WHOLE)


def compiled(file: Mapping[str, Any], guests: Sequence[Guest] = ()) -> LoadedDeck:
    """The deck that a file with this content would be."""
    if not guests:
        return _without_guests(json.dumps(file))
    tables, names = DeckFile.model_validate(file, context=WORDS).compile(guests)
    return LoadedDeck(tables, names, SHIPPED, "scenario")


@lru_cache(maxsize=32)
def _without_guests(file: str) -> LoadedDeck:
    """Kept, as many scenarios have the same cards."""
    tables, names = DeckFile.model_validate(json.loads(file), context=WORDS).compile(())
    return LoadedDeck(tables, names, SHIPPED, "scenario")


class Scenario(Played):
    """A game on such a table.

    ``enemies``, ``influence`` and ``items`` say what the A sides of the first cards of a kind are; ``turned`` gives B sides by the name of
    the A side. ``maps`` changes the A sides of the first map cards (a dict with the keys "a" and "b" changes both); ``here`` is the
    space of the Dream Entrance, ``heroes`` and ``bosses`` are changes of the first cards with their sides; ``ability`` and ``flip`` are the
    first hero's; ``cards`` is anything else of a deck file. With ``reveal=False`` the scenario names the top cards of the decks
    too, with ``after=False`` the After effect that is resolved where only one waits.
    Then comes what lies on the table: dice, the ``hand`` and the cards ``held`` by name, map cards ``placed`` by number, stats, the hero
    ``at`` a space of a map card ("0a"), the ether. All else are the game's options.
    """

    def __init__(
        self,
        *,
        enemies: Sequence[Mapping[str, Any]] = (),
        influence: Sequence[Mapping[str, Any]] = (),
        items: Sequence[Mapping[str, Any]] = (),
        turned: Mapping[str, Mapping[str, Any]] | None = None,
        maps: Sequence[Mapping[str, Any]] = (),
        here: Mapping[str, Any] | None = None,
        heroes: Sequence[Mapping[str, Any]] = (),
        bosses: Sequence[Mapping[str, Any]] = (),
        ability: Effects | None = None,
        flip: str | None = None,
        cards: Mapping[str, Any] | None = None,
        guests: Sequence[Guest] = (),
        reveal: bool = True,
        after: bool = True,
        dice: Mapping[str, int] | None = None,
        exhausted: Mapping[str, int] | None = None,
        banished: Mapping[str, int] | None = None,
        hand: Iterable[str] | None = None,
        held: Iterable[str] = (),
        placed: Mapping[int, tuple[int, int]] | None = None,
        health: int | None = None,
        strategy: int | None = None,
        recovery: int | None = None,
        at: str | None = None,
        ether: str | None = None,
        remembered: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        file = copy.deepcopy(PLAIN)
        for kind, given in (("enemy", enemies), ("influence", influence), ("item", items)):
            for card, changes in zip(file[kind], given, strict=False):
                change_side(card["a"], changes)
        names = {card["a"]["name"]: card for kind in ("enemy", "influence", "item") for card in file[kind]}
        for name, changes in (turned or {}).items():
            change_side(names[name]["b"], changes)
        for card, changes in zip(file["map"], maps, strict=False):
            for side, part in changes.items() if set(changes) <= {"a", "b"} else (("a", changes),):
                merge(card[side], part, WHOLE)
        if here is not None:
            file["map"][0]["a"]["space"]["c"] = dict(here)
        if here is not None and not any(effect["op"] == "summon" for act in here.get("action", ()) for effect in act["effects"]):
            for side in ("a", "b"):  # the boss must be within reach somewhere
                file["map"][9][side]["space"]["c"] = space({"op": "summon"}, name=f"Summon there, {side}")
        for kind, given in (("hero", heroes), ("boss", bosses)):
            for card, changes in zip(file[kind], given, strict=False):
                merge(card, changes, WHOLE)
        if ability is not None:
            file["hero"][0]["front"]["effects"] = list(ability)
        if flip is not None:
            file["hero"][0]["front"]["flip"] = flip
        merge(file, cards or {}, WHOLE)
        self.reveal, self.after = reveal, after
        self.deck = compiled(file, guests)
        first = {"hero": self.deck.names["heroes"][0], "boss": self.deck.names["bosses"][0]}
        self._start(SPEC, self.deck, remembered, {**first, **options})
        self.lay_dice(ready=dice, exhausted=exhausted, banished=banished).set_stats(health, strategy, recovery)
        for card, (x, y) in (placed or {}).items():
            self.p["map_zone"][card], self.p["map_x"][card], self.p["map_y"][card] = IN_PLAY, x, y
        if ether is not None:
            self.p["ether"] = COLOURS.index(ether)
        if at is not None:
            self.stand(at)
        if hand is not None:
            self.take(*hand)
        self.hold(*held)
        self._turn_up()

    def _start(self, spec: Any, deck: LoadedDeck, remembered: Mapping[str, Any] | None, options: Mapping[str, Any]) -> None:
        super().__init__(spec, deck, **options)
        if remembered is not None:
            self.position = self.game.new(remembered)
            self.p = self.position[0]
            self.settle()

    # What lies on the table

    def face(self, name: str) -> int:
        return self.names["faces"].index(name)

    def put(self, zone: int, *cards: str) -> Scenario:
        """Moves cards to a zone, each on the side that is named."""
        for name in cards:
            face = self.face(name)
            self.p["side"][face % NUM_CARDS] = face // NUM_CARDS
            self.p["zone"][face % NUM_CARDS] = zone
        self._turn_up()
        return self

    def take(self, *cards: str) -> Scenario:
        """These cards are the hand, and no others."""
        self.p["zone"][self.p["zone"] == IN_HAND] = IN_DECK
        self.put(IN_HAND, *cards)
        faces = sorted(self.face(name) for name in cards)
        self.p["hand"] = [*faces, *[NONE] * (MAX_HAND - len(faces))]
        return self

    def hold(self, *cards: str) -> Scenario:
        """These cards are the inventory, and no others."""
        self.p["zone"][self.p["zone"] == IN_INVENTORY] = IN_DECK
        self.put(IN_INVENTORY, *cards)
        faces = sorted(self.face(name) for name in cards)
        self.p["items"] = [*faces, *[NONE] * (len(self.p["items"]) - len(faces))]
        self.refresh()
        return self

    def stand(self, at: str) -> Scenario:
        """The hero is at a space of a map card, "3b"."""
        card, letter = int(at[:-1]), at[-1]
        self.p["at_card"] = card
        self.p["at_space"] = self.names["letters"][2 * card + int(self.p["side"][NUM_CARDS + card])].index(letter)
        return self

    def refresh(self) -> None:
        """Recomputes the summary of standing modifiers."""
        unsettled = int(self.p["unsettled"])
        uncompiled(in_play.refresh)(self.p, self.deck.tables)
        self.p["unsettled"] = unsettled

    def _lies(self, which: int, card: int, zone: int) -> bool:
        if which == MAP_DECK:
            return bool(self.p["map_zone"][card] == zone)
        kind = self.deck.tables.cards[int(self.p["side"][card]) * NUM_CARDS + card]["kind"]
        return bool(self.p["zone"][card] == zone) and kind == (ENEMY, INFLUENCE, ITEM)[which]

    def _turn_up(self) -> None:
        """Where the top card of a deck has been moved away, or a card has been put there, the first one of the deck is on top."""
        if self.phase == "Banish an influence card":
            return  # no card has been turned up yet
        for which in range(len(DECKS)):
            cards = [card for card in range(NUM_MAPS if which == MAP_DECK else NUM_CARDS) if self._lies(which, card, IN_DECK)]
            if self.p["top_card"][which] not in cards and (self.reveal or self.p["top_card"][which] != NONE):
                self.p["top_card"][which] = cards[0] if cards else NONE

    def only(self, deck: str, *cards: str) -> Scenario:
        """A deck of nothing but these cards, the first one on top; its others are banished."""
        which = DECKS.index(deck)
        faces = [self.face(name) for name in cards]
        for card in range(NUM_CARDS):
            if self._lies(which, card, IN_DECK):
                self.p["zone"][card] = ZONES.index("banished")
        for face in faces:
            self.p["side"][face % NUM_CARDS], self.p["zone"][face % NUM_CARDS] = face // NUM_CARDS, IN_DECK
        self.p["top_card"][which] = faces[0] % NUM_CARDS if faces else NONE
        return self

    def go_on(self, *todo: int | tuple[int, ...]) -> Scenario:
        """Goes on with these steps, the last one first."""
        self.schedule(*todo, (steps.WINDOW, steps.DAWN)).do("done")
        return self

    def window(self, which: int = steps.DAWN) -> Scenario:
        """At a window of a round, the rest of which is left out."""
        tail = ROUND_TAIL if which == steps.DAWN else ROUND_TAIL[:2]
        self.go_on(*tail, (steps.WINDOW, which))
        return self

    def next_round(self) -> Scenario:
        """A round begins."""
        return self.go_on(steps.ROUND)

    def fight(self, enemies: int = 1) -> Scenario:
        """The first enemies of the deck are activated, one at a time, and an engagement begins."""
        return self.go_on(*ROUND_TAIL, (steps.ACTIVATE_ENEMIES, enemies))

    def meet(self, enemies: int = 1, which: int = steps.BEFORE_OPPOSITION) -> Scenario:
        """The first enemies of the deck are activated, then comes a window."""
        return self.go_on(*ROUND_TAIL, (steps.WINDOW, which), (steps.ACTIVATE_ENEMIES, enemies))

    def settle(self) -> None:
        """The first card that there is is turned up, and an After effect that waits alone is resolved."""
        while self.reveal and self.p["node"] == 1 and self.phase == "Turn up the next card of a deck":
            self.game.apply_chance(self.position, int(np.flatnonzero(self.game.chance(self.position))[0]))
        if self.after and self.phase == "After Effects":
            waiting = [name for name in self.legal if name.startswith("target_")]
            if len(waiting) == 1:
                self.do(*waiting)

    # Reading

    @property
    def hand(self) -> list[str]:
        return [self.names["faces"][face] for face in self.p["hand"] if face != NONE]

    @property
    def ether(self) -> str:
        return COLOURS[self.p["ether"]]

    @property
    def at(self) -> str:
        """The hero's place: the number of the map card, the letter of the space."""
        card = int(self.p["at_card"])
        return f"{card}{self.names['letters'][2 * card + int(self.p['side'][NUM_CARDS + card])][self.p['at_space']]}"

    @property
    def map(self) -> dict[str, tuple[int, int]]:
        """The map cards in play, with their columns to the east and rows to the north."""
        where = {card: (int(self.p["map_x"][card]), int(self.p["map_y"][card])) for card in range(NUM_MAPS)}
        return {self.map_name(card): where[card] for card in range(NUM_MAPS) if self.p["map_zone"][card] == IN_PLAY}

    def map_name(self, card: int) -> str:
        return self.names["maps"][2 * card + int(self.p["side"][NUM_CARDS + card])]

    def where(self, card: str) -> str:
        """The zone of a card that is not a map card, and the type that it counts for there, by the name of its A side."""
        number = self.face(card) % NUM_CARDS
        kind = self.deck.tables.cards[int(self.p["side"][number]) * NUM_CARDS + number]["kind"]
        return f"{ {ENEMY: 'enemy', INFLUENCE: 'influence', ITEM: 'item'}[int(kind)] } {ZONES[self.p['zone'][number]]}"

    def top(self, deck: str) -> str | None:
        """The visible card on top of a deck."""
        which = DECKS.index(deck)
        card = int(self.p["top_card"][which])
        if card == NONE:
            return None
        return self.map_name(card) if which == MAP_DECK else self.names["faces"][int(self.p["side"][card]) * NUM_CARDS + card]

    def pile(self, deck: str, zone: str = "deck") -> list[str]:
        """The cards of one type in a zone."""
        which, at = DECKS.index(deck), ZONES.index(zone)
        cards = [card for card in range(NUM_MAPS if which == MAP_DECK else NUM_CARDS) if self._lies(which, card, at)]
        if which == MAP_DECK:
            return [self.map_name(card) for card in cards]
        return [self.names["faces"][int(self.p["side"][card]) * NUM_CARDS + card] for card in cards]
