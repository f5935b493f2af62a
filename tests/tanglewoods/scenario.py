"""Scenarios: a table of plain cards with a few special ones on it, played by the names of actions, dice faces and cards.

    s = Scenario(enemies=[enemy(health=3, effects=[{"op": "apply_limit", "count": 1}])], dice={"yellow": 2})
    s.fight()
    s.commit("yellow", "yellow").roll("hit", "crit").hit("yellow_crit")
    assert s.phase == "Apply Dice"

Cards are written in the words of a deck file, so a scenario plays what the loader makes of them. Nothing is left to chance: each roll
and each draw is named by the scenario, except which cards are scouted where it does not matter.
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from deckwood.core.spec import LoadedDeck
from deckwood.strong.guests import guest_of
from deckwood.strong.terms import COLOURS, NONE
from deckwood.tanglewoods import steps
from deckwood.tanglewoods.deck import SHIPPED, WORDS, DeckFile
from deckwood.tanglewoods.spec import SPEC
from deckwood.tanglewoods.state import FABLE_FACE, IN_HAND, IN_LINE, IN_PLAY, ITEM_FACE, ON_PATH, TRAILHEAD
from tests.strong.scenario import NOTHING, Effects, Played, enemy, merge

__all__ = ["NOTHING", "Scenario", "enemy", "one_node", "tile"]

NUMBERS = {
    "gold_less_stats": 20,
    "blight_health": 2,
    "blight_damage": 1,
    "toll_gold": 2,
    "camp_health": 1,
    "camp_strategy": 2,
    "camp_recovery": 1,
    "trap_die": "blue",
    "trap_recovers": 2,
    "explore_dice": 3,
    "explore_colours": ["yellow", "green", "blue", "purple", "red"],
    "explore_gold": 1,
    "upgrade_cost": 3,
    "recover_cost": 1,
    "stat_cost": 5,
    "weary_stat": "strategy",
    "weary_less": 1,
    "rich_start": 20,
    "poor_start": 5,
    "level_3_colours": ["green", "blue"],
}
"""What the rulebook prints, and costs of our own for the merchant's other actions."""

ROUND_TAIL = (steps.END_ROUND, steps.CLEANUP, steps.ENCOUNTER)


def tile(day: str, night: str | None = None) -> dict[str, Any]:
    """A forest card of a single node, a, that every line leads to."""
    return {side: one_node(node) for side, node in (("day", day), ("night", night or day))}


def one_node(node: str, leads_on: str = ">left >middle >right") -> dict[str, Any]:
    return {"nodes": {"a": node}, "paths": {"left": "a", "middle": "a", "right": "a", "a": leads_on}}


def _plain_deck() -> dict[str, Any]:
    """As many cards as the shipped deck has, every one of them plain."""
    deck = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    deck["numbers"] = dict(NUMBERS)
    for i, card in enumerate(deck["enemy"]):
        card.update(name=f"Minion {i}", health=4, damage=1, bribe=3, effects=[], reward=[])
        card["fable"] = {"name": f"Fable {i}", "effects": [{"op": "gain_gold", "count": 1}]}
    for i, card in enumerate(deck["wolf"]):
        card.update(name=f"Wolf {i}", health=5, damage=2, effects=[], reward=[])
        card["power_up"] = {"name": f"Power-up {i}", "effects": list(NOTHING)}
    for i, card in enumerate(deck["item"]):
        card.update(name=f"Item {i}", cost=3, uses="single", effects=[{"op": "gain_gold", "count": 1}])
        card["upgraded"] = {"name": f"Item {i}, upgraded", "uses": "single", "effects": [{"op": "gain_gold", "count": 2}]}
    for i, card in enumerate(deck["hero"]):
        card.pop("forced_side", None)
        card.update(name=f"Hero {i}", key=f"hero_{i}")
        for side in ("front", "back"):
            card[side] = {"name": f"Hero {i}, {side}", "health": 4, "strategy": 3, "recovery": 3, "effects": list(NOTHING)}
    deck["grimm"]["effects"] = list(NOTHING)
    guest = {"health": 4, "strategy": 3, "recovery": 3, "effects": list(NOTHING), "flip": "camped"}
    deck["universal_hero"] = [{"name": f"Guest {i}", "key": f"guest_{i}", **guest} for i in range(2)]
    for name in ("boss", "bigger_boss"):
        deck[name].update(name=name, health=9, damage=2, effects=[])
    for i, card in enumerate(deck["forest"]):
        card.update(name=f"Forest {i}", **tile("minion", "minion"))
    deck["trailhead"].update(day={"nodes": {"a": "start"}, "paths": {"a": ">left >middle >right"}})
    deck["trailhead"].update(night={"nodes": {"a": "start"}, "paths": {"a": ">left >right"}})
    deck["cabin"].update(day=one_node("home", ""), night=one_node("home", ""))
    return deck


PLAIN = _plain_deck()


class Scenario(Played):
    """A game on such a table.

    ``enemies``, ``fables`` (their effects), ``wolves``, ``items``, ``forest`` and ``heroes`` say what the first cards of a kind are, ``at``
    what the first forest card's only node is: "fable/trap", or "fable/trap | minion" where it differs by night. ``ability`` and ``flip``
    are the first hero's; ``cards`` is anything else of a deck file; ``guests`` are heroes of other decks, as their files have them.
    With ``scout=False`` the scenario names the cards that are scouted too.
    Then comes what lies on the table: dice, items ``held``, fables ``beside`` the hero, stats and gold. All else are the game's options.
    """

    def __init__(
        self,
        *,
        enemies: Sequence[Mapping[str, Any]] = (),
        fables: Sequence[Effects] = (),
        wolves: Sequence[Mapping[str, Any]] = (),
        items: Sequence[Mapping[str, Any]] = (),
        forest: Sequence[Mapping[str, Any]] = (),
        heroes: Sequence[Mapping[str, Any]] = (),
        ability: Effects | None = None,
        flip: str | None = None,
        cards: Mapping[str, Any] | None = None,
        at: str | None = None,
        guests: Sequence[Mapping[str, Any]] = (),
        scout: bool = True,
        dice: Mapping[str, int] | None = None,
        exhausted: Mapping[str, int] | None = None,
        banished: Mapping[str, int] | None = None,
        held: Iterable[str] = (),
        beside: Iterable[int] = (),
        health: int | None = None,
        strategy: int | None = None,
        recovery: int | None = None,
        gold: int | None = None,
        **options: Any,
    ) -> None:
        file = copy.deepcopy(PLAIN)
        for kind, given in (("enemy", enemies), ("wolf", wolves), ("item", items), ("forest", forest), ("hero", heroes)):
            for card, changes in zip(file[kind], given, strict=False):
                merge(card, changes, ("nodes", "paths"))
        for card, effects in zip(file["enemy"], fables, strict=False):
            card["fable"]["effects"] = list(effects)
        if ability is not None:
            file["hero"][0]["front"]["effects"] = list(ability)
        if flip is not None:
            file["hero"][0]["front"]["flip"] = flip
        merge(file, cards or {}, ("nodes", "paths"))
        if at is not None:
            file["forest"][0].update(tile(*at.split(" | ")))
        tables, names = DeckFile.model_validate(file, context=WORDS).compile([guest_of(hero) for hero in guests])
        deck = LoadedDeck(tables, names, SHIPPED, "scenario")
        self.scout = scout
        super().__init__(SPEC, deck, **{"hero": names["heroes"][0], **options})
        self.lay_dice(ready=dice, exhausted=exhausted, banished=banished).set_stats(health, strategy, recovery)
        if gold is not None:
            self.p["gold"] = gold
        for i, name in enumerate(held):
            face = names["faces"].index(name)
            self.p["items"][i] = face
            self.p["item_cards"][(face - ITEM_FACE) % 15] = IN_HAND
        for i, card in enumerate(beside):
            self.p["beside"][i] = FABLE_FACE + card
            self._unscout(card)
            self.p["minions"][card] = IN_PLAY

    # What lies on the table

    def _unscout(self, card: int) -> None:
        line = [c for c in self.p["line"][: self.p["line_length"]] if c != card]
        self.p["line"][: len(line)] = line
        self.p["line_length"] = len(line)

    def scouted(self, *cards: int) -> Scenario:
        """Lays these enemy cards into the scouting line, from the left, instead of what is there."""
        self.p["minions"][self.p["minions"] == IN_LINE] = 0
        self.p["minions"][list(cards)] = IN_LINE
        self.p["line"][: len(cards)] = cards
        self.p["line_length"] = len(cards)
        return self

    def path(self, *cards: int, night: Iterable[int] = ()) -> Scenario:
        """Lays forest cards behind the Trailhead, by day but for those of ``night``."""
        for card in cards:
            self.p["path"][self.p["path_length"]] = 2 * card + (card in set(night))
            self.p["path_length"] += 1
            self.p["placed"] += card < TRAILHEAD
            if card < TRAILHEAD:
                self.p["forest"][card] = ON_PATH
        return self

    def _agenda(self, *todo: int | tuple[int, ...]) -> None:
        """Goes on with these steps, the last one first. (A Bribery phase that is just ending leads to them.)"""
        self.schedule(*todo, steps.BRIBERY).do("done")

    def next_round(self) -> Scenario:
        """A round begins, wherever the hero is."""
        self._agenda(steps.ROUND)
        return self

    def fight(self, enemies: int = 1, bribe: bool = False) -> Scenario:
        """The first enemies of the deck are activated, and an encounter with them begins."""
        self.scouted(*range(enemies))
        self._agenda(*ROUND_TAIL, (steps.ACTIVATE_ENEMIES, enemies))
        return self if bribe else self.no_bribe()

    def fight_wolf(self, wolf: int = 0) -> Scenario:
        self._agenda(*ROUND_TAIL, steps.DRAW_WOLF)
        return self.draw(f"Wolf {wolf}").no_bribe()

    def no_bribe(self) -> Scenario:
        return self.do("done") if self.phase == "Bribery" else self

    def tell(self, fable: int = 0) -> Scenario:
        """A fable is drawn."""
        self._unscout(fable)
        self.p["minions"][fable] = 0
        self._agenda(*ROUND_TAIL, steps.DRAW_FABLE)
        self.draw(self.names["faces"][FABLE_FACE + fable])
        return self

    def battle(self) -> Scenario:
        """The hero arrives at Grandma's Cabin."""
        self.p["path"][self.p["path_length"]] = 2 * (TRAILHEAD + 1)
        self.p["path_length"] += 1
        self.next_round()
        self.do("done", "travel_left")
        return self.do("travel_a")

    def arrive(self, night: bool = False) -> Scenario:
        """A round without exploring, in which the hero travels to the node of the first forest card."""
        self.path(0, night=[0] if night else [])
        return self.next_round().do("done", "travel_left", "travel_a")

    # Playing

    def settle(self) -> None:
        """Cards are scouted as they come."""
        while self.scout and self.p["node"] == 1 and self.phase == "Scout":
            self.game.apply_chance(self.position, int(np.flatnonzero(self.game.chance(self.position))[0]))

    def explore(self, *dice: str, cards: Sequence[int] = (), shop: Sequence[int] = ()) -> Scenario:
        """Explores with these dice, each colour_face, which draw these forest cards; the merchant then offers these items."""
        self.do(*(f"explore_{die.split('_')[0]}" for die in sorted(dice, key=lambda d: COLOURS.index(d.split("_")[0]))), "done")
        waiting = list(cards)
        for die in dice:
            colour, face = die.split("_")
            self.do(f"explore_roll_{colour}").roll(face)
            if self.phase == "Add a forest card to the path":
                if not waiting:
                    return self
                self.draw(self.names["forest"][waiting.pop(0)])
        return self.draw(*(self.names["faces"][ITEM_FACE + item] for item in shop))

    # Reading

    @property
    def gold(self) -> int:
        return int(self.p["gold"])

    @property
    def line(self) -> list[str]:
        return [self.names["faces"][card] for card in self.p["line"][: self.p["line_length"]]]

    @property
    def trail(self) -> list[str]:
        """The cards of the path, with their sides."""
        sides = self.p["path"][: self.p["path_length"]]
        return [f"{self.names['forest'][side // 2]}, {('day', 'night')[side % 2]}" for side in sides]

    @property
    def place(self) -> tuple[int, str]:
        """The hero's card of the path, and node on it."""
        return int(self.p["at_card"]), "abcd"[self.p["at_place"]] if self.p["at_place"] != NONE else "threshold"
