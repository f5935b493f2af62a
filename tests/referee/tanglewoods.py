"""Tanglewoods' referee, section by section of its rulebook; the system's rules are in :mod:`tests.referee.strong`."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.referee.match import Chance, Decision, Fields, Result, Rules
from tests.referee.strong import (
    COLOURS,
    HIGHEST_STAT,
    MAX_GOLD,
    SIDES,
    STATS,
    Active,
    Card,
    Effect,
    Lost,
    Table,
    by_colour,
    effects_of,
    move,
    strong_facts,
)

ETHERFIELDS = Path(__file__).parents[2] / "envs/deckwood/etherfields/deck.toml"
FOREST_DEALT = 10
THRESHOLDS = ("left", "middle", "right")
PLACES = ("a", "b", "c", "d")


@dataclass(frozen=True)
class Node:
    """A node of a forest card's side."""

    type: str
    outline: str = "standard"
    mobs: int = 0


@dataclass(eq=False)
class Side:
    """What a forest card shows by day or by night: its nodes by place, and where the lines from places and lower thresholds lead."""

    nodes: dict[str, Node]
    lines: dict[str, list[str]]


@dataclass(eq=False)
class ForestCard:
    """A card of the path."""

    name: str
    sides: dict[str, Side]
    side: str = "day"
    fixed: bool = False  # it cannot be flipped back to day

    @property
    def face(self) -> Side:
        return self.sides[self.side]


def forest_sides(written: Mapping[str, Any]) -> tuple[str, dict[str, Side]]:
    """A forest card's name and sides."""
    sides = {}
    for side in ("day", "night"):
        nodes = {}
        for place, text in written[side]["nodes"].items():
            kind, _, rest = text.partition("/")
            outline, _, mobs = rest.partition(":")
            nodes[place] = Node(kind, outline or "standard", int(mobs or 0))
        lines = {source: text.split() for source, text in written[side]["paths"].items()}
        sides[side] = Side(nodes, lines)
    return written["name"], sides


class Won(Exception):
    """The Big Bad Wolf is defeated."""


class Box:
    """The cards of a deck file (parsed TOML)."""

    def __init__(self, file: Mapping[str, Any]) -> None:
        self.numbers = file["numbers"]
        self.enemies = [fighter(card, "enemy", i) for i, card in enumerate(file["enemy"])]
        self.fables = [
            Card(card["fable"]["name"], "fable", effects_of(card["fable"]["effects"], "told"), id=i) for i, card in enumerate(file["enemy"])
        ]
        self.wolves = [fighter(card, "boss", i) for i, card in enumerate(file["wolf"])]
        self.power_ups = [
            Card(card["power_up"]["name"], "power_up", effects_of(card["power_up"]["effects"], ""), id=i)
            for i, card in enumerate(file["wolf"])
        ]
        self.bosses = {
            "big_bad_wolf": fighter(file["boss"], "boss", None),
            "bigger_badder_wolf": fighter(file["bigger_boss"], "boss", None),
        }
        self.items = [item_card(card, i) for i, card in enumerate(file["item"])]
        self.forest = [forest_sides(card) for card in file["forest"]]
        self.trailhead, self.cabin = forest_sides(file["trailhead"]), forest_sides(file["cabin"])
        grimm = hero_card(file["grimm"], None)
        self.heroes: dict[str, tuple[Card, Card]] = {}  # front and back, by key; the same twice where the choice is not free
        for hero in [*file["hero"], *file.get("universal_hero", []), *guests()]:
            halves = [hero[name] for name in ("front", "back", "lucid") if name in hero]
            if halves:
                front, back = (hero_card(half, None) for half in halves)
                front.back, back.back = back, front
                forced = {"front": (front, front), "back": (back, back)}
                self.heroes[hero["key"]] = forced.get(hero.get("forced_side") or "", (front, back))
            else:  # a universal hero with one side flips to the Brothers Grimm
                self.heroes[hero["key"]] = (hero_card(hero, grimm),) * 2


@cache
def guests() -> tuple[Mapping[str, Any], ...]:
    """Universal heroes of the other box."""
    file = tomllib.loads(ETHERFIELDS.read_text(encoding="utf-8"))
    return (*(hero for hero in file["hero"] if hero.get("universal")), *file.get("universal_hero", []))


def fighter(card: Mapping[str, Any], kind: str, number: int | None) -> Card:
    effects = effects_of(card.get("effects", []), "", "during") + effects_of(card.get("reward", []), "reward")
    return Card(card["name"], kind, effects, card["health"], card["damage"], card.get("bribe"), id=number)


def item_card(card: Mapping[str, Any], number: int) -> Card:
    """The ordinary side of an item; its back is the upgraded one. The id is the order in which items lie."""
    upgraded = card["upgraded"]
    back = Card(upgraded["name"], "item", effects_of(upgraded["effects"], "use"), uses=upgraded["uses"], id=(1, number))
    return Card(card["name"], "item", effects_of(card["effects"], "use"), cost=card["cost"], uses=card["uses"], back=back, id=(0, number))


def hero_card(half: Mapping[str, Any], back: Card | None) -> Card:
    """A side of a hero, with the moment at which it flips."""
    effects = effects_of(half["effects"], "use")
    if half.get("flip"):
        effects.append(Effect(half["flip"], "flip_hero"))
    stats = tuple(half.get(stat, 0) for stat in STATS)
    return Card(half["name"], "hero", effects, stats=(stats[0], stats[1], stats[2]), back=back)


class Tanglewoods(Table):
    """A game with the cards of a box and these options."""

    windows = ("Accept the offer?", "Choose one", "Toll", "Campfire", "Travel")

    def __init__(
        self,
        box: Box,
        *,
        hero: str = "piper",
        side: str = "printed",
        difficulty: int = 5,
        boss: str = "big_bad_wolf",
        undefeated_wolves: str = "discard",
        reward: str = "win",
    ) -> None:
        self.numbers, self.enemies, self.fables, self.items_of_box = box.numbers, box.enemies, box.fables, box.items
        self.wolves, self.power_ups, self.boss = box.wolves, box.power_ups, box.bosses[boss]
        self.difficulty, self.undefeated_wolves, self.progress = difficulty, undefeated_wolves, reward == "progress"
        front, back = box.heroes[hero]
        super().__init__(back if side == "back" else front)
        self.gold = max(0, self.numbers["gold_less_stats"] - sum(self.stats.values()))
        self.minion_deck, self.minion_discard = set(range(40)), set[int]()
        self.line: list[int] = []  # scouted, from the left; the last one is the top of the deck
        self.wolf_deck, self.wolf_discard = set(range(5)), set[int]()
        self.item_deck, self.item_discard = set(range(15)), set[int]()
        self.shop: list[Card] = []
        self.trailhead, self.cabin = ForestCard(*box.trailhead), ForestCard(*box.cabin)
        self.path: list[ForestCard] = [self.trailhead]
        self.undealt = [ForestCard(*card) for card in box.forest]
        self.dealt = 0
        self.cabin_placed = False
        self.at_card = 0
        self.at = next(place for place, node in self.trailhead.face.nodes.items() if node.type == "start")
        self.blighted = False
        self.next_mobs = 0
        self.exploring: Counter[str] = Counter()
        self.explored = 0
        self.payoff = 0.0

    # The game

    def play(self) -> Generator[Decision | Chance, str, Result]:
        try:
            yield from self.set_up()
            while True:
                yield from self.round()
        except Lost:
            if self.endgame and self.progress:
                self.payoff += self.share_of_boss() / 4
            return Result("died_at_cabin" if self.endgame else "died_in_forest", (self.payoff,))
        except Won:
            return Result("won", (1.0,))

    # Setup

    def set_up(self) -> Rules:
        for colour in COLOURS:
            move(self.ready, self.banished, colour)
        self.adjust(self.difficulty)
        yield from self.scout()
        yield from self.scale_difficulty(self.difficulty)
        yield from self.answer([self.hero], "set_up")  # not an item that a level has only just given
        yield from self.settle()

    def scale_difficulty(self, level: int) -> Rules:
        """One level's line is the whole adjustment."""
        if level in (0, 1):
            yield from self.raise_two()
        if level == 0:
            name = yield Chance({self.wolves[i].name: 1 for i in self.wolf_deck}, "Setup: remove a wolf")
            self.wolf_deck.remove(self.number(self.wolves, name))
        if level == 2:
            name = yield Decision(0, [f"choose_{stat}" for stat in STATS if self.stats[stat] < HIGHEST_STAT], "Setup: raise a stat")
            yield from self.gain_stat(name.removeprefix("choose_"), 1)
        if level in (3, 4):
            yield from self.gain_random_item()
        if level == 5:
            yield from self.swap_scouted()
        if level == 6:
            yield from self.night_or_dice()
        if level == 7:
            yield from self.place("night")
        if level in (8, 9):
            stats = [stat for stat in STATS if stat == "health" or self.stats[stat] > 1]
            self.lose_stat((yield Decision(0, [f"choose_{stat}" for stat in stats], "Lower a stat")).removeprefix("choose_"), 1)
        if level == 9:
            name = yield Decision(0, ["modifier_6", "modifier_7", "modifier_8"], "Setup: choose a difficulty modifier")
            self.adjust(int(name[-1]))
            yield from self.scale_difficulty(int(name[-1]))

    def adjust(self, level: int) -> None:
        """What a level changes without a choice or chance; when in setup makes no difference."""
        if level == 3:
            for colour in self.numbers["level_3_colours"]:
                move(self.banished, self.ready, colour)
        if level in (2, 4):
            self.gold = self.numbers["rich_start"]
        if level == 7:
            self.gold = min(self.gold, self.numbers["poor_start"])
        if level == 10:
            for card in (self.trailhead, self.cabin):
                card.side, card.fixed = "night", True

    def raise_two(self) -> Rules:
        """+1 to two different stats."""
        left = list(STATS)
        for remaining in (1, 0):
            stats = [stat for stat in left if self.stats[stat] < HIGHEST_STAT]
            stats = stats[: len(stats) - remaining]
            if not stats:
                return
            stat = (yield Decision(0, [f"choose_{stat}" for stat in stats], "Setup: raise a stat")).removeprefix("choose_")
            left = left[left.index(stat) + 1 :]
            yield from self.gain_stat(stat, 1)

    def swap_scouted(self) -> Rules:
        name = yield Decision(0, [*(f"scouted_{i + 1}" for i in range(len(self.line))), "done"], "Setup: shuffle a scouted enemy back?")
        if name != "done":
            place = int(name[-1]) - 1
            self.minion_deck.add(self.line.pop(place))
            if place < len(self.line):
                self.minion_deck.add(self.line.pop())
            name = yield Chance({self.enemies[i].name: 1 for i in self.minion_deck}, "Setup: replace the scouted enemy")
            self.line.insert(place, self.number(self.enemies, name))
            self.minion_deck.remove(self.line[place])
            yield from self.scout()

    def night_or_dice(self) -> Rules:
        if (yield Decision(0, ["first", "second"], "Setup: a night card or two dice")) == "first":
            yield from self.place("night")
        else:
            yield from self.banish(2)

    # The Scouting Line

    def scout(self) -> Rules:
        """As many cards are visible as the Strategy die says, the top of the deck among them."""
        while len(self.line) < self.stats["strategy"] and self.refill_minions():
            name = yield Chance({self.enemies[i].name: 1 for i in self.minion_deck}, "Scout")
            self.line.append(self.number(self.enemies, name))
            self.minion_deck.remove(self.line[-1])

    def refill_minions(self) -> bool:
        """An empty deck is made of the discard; False where there are no cards at all."""
        if not self.minion_deck:
            self.minion_deck, self.minion_discard = self.minion_discard, set()
        return bool(self.minion_deck)

    def strategy_rose(self) -> Rules:
        yield from self.scout()

    @staticmethod
    def number(cards: Sequence[Card], name: str) -> int:
        return next(i for i, card in enumerate(cards) if card.name == name)

    # Round structure

    def round(self) -> Rules:
        self.new_round()
        yield from self.event("round_starts")
        yield from self.settle()
        yield from self.explore()
        yield from self.travel()
        yield from self.encounter()
        yield from self.end_round()

    def end_round(self) -> Rules:
        """Cards beside the hero whose rounds are over go."""
        for kept in list(self.beside):
            if kept.left:
                kept.left -= 1
                if not kept.left:
                    self.beside.remove(kept)
                    self.minion_discard.add(kept.card.id)
        yield from ()

    # Exploration Phase

    def explore(self) -> Rules:
        self.explored = 0
        weakest = 0
        while True:
            more = sum(self.exploring.values()) < self.numbers["explore_dice"]
            colours = [c for c in COLOURS[weakest:] if more and self.ready[c] and c in self.numbers["explore_colours"]]
            name = yield Decision(0, [*(f"explore_{c}" for c in colours), "done", *self.uses()], "Explore: choose dice")
            if name == "done":
                break
            if name.startswith("use_"):
                yield from self.use(name)
                weakest = 0
                continue
            colour = name.removeprefix("explore_")
            move(self.ready, self.exploring, colour)
            weakest = COLOURS.index(colour)
        while +self.exploring:
            colours = [c for c in COLOURS if self.exploring[c]]
            name = yield Decision(0, [f"explore_roll_{c}" for c in colours], "Explore: choose the next die")
            yield from self.explore_with(name.removeprefix("explore_roll_"))
        if self.explored:
            yield from self.merchant(self.explored)

    def explore_with(self, colour: str) -> Rules:
        face = yield Chance(SIDES[colour], "Explore: roll")
        self.explored += 1
        move(self.exploring, self.exhausted, colour)
        if face == "crit":  # the gold may as well come first: nobody decides anything before the card lies
            self.gold = min(MAX_GOLD, self.gold + self.numbers["explore_gold"])
        yield from self.place("night" if face == "miss" else "day")
        if face == "crit":
            yield from self.event("explored_crit")
            yield from self.settle()

    def place(self, side: str) -> Rules:
        """Adds a forest card to the end of the path; once ten have been dealt, Grandma's Cabin as it lies."""
        if self.cabin_placed:
            return
        if self.dealt == FOREST_DEALT:
            self.cabin_placed = True
            self.path.append(self.cabin)
            return
        name = yield Chance({card.name: 1 for card in self.undealt}, "Add a forest card to the path")
        card = next(card for card in self.undealt if card.name == name)
        self.undealt.remove(card)
        self.dealt += 1
        card.side = side
        self.path.append(card)

    # Visiting the Merchant

    def merchant(self, offered: int) -> Rules:
        """Stock the shop, pay gold, tidy up. A visit within a visit adds to the same shop what is missing of its number."""
        while len(self.shop) < offered and (number := (yield from self.draw_item("Stock the shop"))) is not None:
            self.shop = sorted([*self.shop, self.items_of_box[number]], key=self.item_order)
        weakest = 0
        while True:
            price = self.modifiers().total("price_change")
            names = ["done", *self.uses()]
            if wares := [f"buy_{i + 1}" for i, item in enumerate(self.shop) if self.gold >= max(0, item.cost + price)]:
                names += wares if self.has_room() else self.discards()
            if self.gold >= max(0, self.numbers["upgrade_cost"] + price):
                names += [f"upgrade_item_{i + 1}" for i, item in enumerate(self.items) if item.back]
            if self.gold >= max(0, self.numbers["recover_cost"] + price):
                names += [f"recover_{c}" for c in COLOURS[weakest:] if self.exhausted[c]]
            if self.gold >= max(0, self.numbers["stat_cost"] + price):
                names += [f"choose_{stat}" for stat in STATS if self.stats[stat] < HIGHEST_STAT]
            name = yield Decision(0, names, "Visit the merchant")
            if name == "done":
                break
            weakest = 0
            if name.startswith("use_"):
                yield from self.use(name)
            elif name.startswith("buy_"):
                yield from self.buy(int(name[-1]) - 1, price)
            elif name.startswith("discard_"):
                self.discard_item(self.items[int(name[-1]) - 1])
            elif name.startswith("upgrade_"):
                self.gold -= max(0, self.numbers["upgrade_cost"] + price)
                self.upgrade(int(name[-1]) - 1)
            elif name.startswith("recover_"):
                self.gold -= max(0, self.numbers["recover_cost"] + price)
                move(self.exhausted, self.ready, name.removeprefix("recover_"))
                weakest = COLOURS.index(name.removeprefix("recover_"))
            else:
                self.gold -= max(0, self.numbers["stat_cost"] + price)
                yield from self.gain_stat(name.removeprefix("choose_"), 1)
            yield from self.settle()
        for item in self.shop:
            self.item_discard.add(item.id[1])
        self.shop = []

    def buy(self, place: int, price: int) -> Rules:
        item = self.shop.pop(place)
        self.gold -= max(0, item.cost + price)
        self.take_item(item)
        yield from self.event("bought")

    def draw_item(self, phase: str) -> Rules:
        """The number of a random item; None where there is none left."""
        if not self.item_deck:
            self.item_deck, self.item_discard = self.item_discard, set()
        if not self.item_deck:
            return None
        name = yield Chance({self.items_of_box[i].name: 1 for i in self.item_deck}, phase)
        number = self.number(self.items_of_box, name)
        self.item_deck.remove(number)
        return number

    def gain_random_item(self) -> Rules:
        number = yield from self.draw_item("Draw an item")
        if number is not None:
            item = self.items_of_box[number]
            if not (yield from self.offer_item(item)):
                self.item_gone(item)

    def item_gone(self, item: Card) -> None:
        self.item_discard.add(item.id[1])

    # Travel Phase

    @property
    def card(self) -> ForestCard:
        """The card that the hero is on."""
        return self.path[self.at_card]

    @property
    def node(self) -> Node | None:
        return self.card.face.nodes.get(self.at)

    def travel(self) -> Rules:
        """Along a line to the next node."""
        while True:
            name = yield from self.question(self.ways, "Travel")
            self.at = name.removeprefix("travel_")
            if self.at in THRESHOLDS:
                if self.at_card + 1 == len(self.path):
                    yield from self.place("night")
                self.at_card += 1
                self.enter_card()
            else:
                break
        yield from self.arrive()

    def ways(self) -> list[str]:
        """Where the lines from here lead."""
        return [f"travel_{line.removeprefix('>')}" for line in self.card.face.lines[self.at]]

    def enter_card(self) -> None:
        if self.progress:
            self.payoff += 1 / 44

    def arrive(self) -> Rules:
        """What happens on arriving at a node, its outline first; also at the one that appears when the card turns over."""
        node = self.node
        assert node
        skipped = self.no_wolves_at(node)
        outline = "standard" if skipped else node.outline
        self.weary = Counter({self.numbers["weary_stat"]: self.numbers["weary_less"]} if outline == "weary" else {})
        self.blighted = outline == "blighted"
        if skipped:
            yield from self.travel()
            return
        if self.card.side == "night":
            yield from self.event("night_entered")
            yield from self.settle()
        if outline == "toll":
            yield from self.toll()
        elif outline == "trap" and (yield from self.trap()):
            yield from self.arrive()
            return
        nodes: dict[str, Callable[[], Rules]] = {
            "minion": self.minion_node,
            "wolf": self.wolf_node,
            "fable": self.fable_node,
            "campfire": self.campfire,
            "home": self.battle,
        }
        if node.type in nodes:
            yield from nodes[node.type]()

    def no_wolves_at(self, node: Node) -> bool:
        """A wolf node with no wolves left is skipped."""
        return node.type == "wolf" and not self.wolf_deck

    def toll(self) -> Rules:
        """Banish any die or pay gold."""

        def answers() -> list[str]:
            dice = [name for name, n in self.banishable() if n]
            return [*dice, *(["pay_toll"] if self.gold >= self.numbers["toll_gold"] else [])]

        if answers():
            name = yield from self.question(answers, "Toll")
            if name == "pay_toll":
                self.gold -= self.numbers["toll_gold"]
            else:
                yield from self.banish_named(name)

    def trap(self) -> Rules:
        """Returns whether the card has turned to its nighttime side."""
        face = yield Chance(SIDES[self.numbers["trap_die"]], "Trap")
        if face != "miss":
            yield from self.recover(self.numbers["trap_recovers"])
            return False
        turned = self.turn(self.card, "night")
        yield from self.event("trap_sprung")
        yield from self.settle()
        return turned

    @staticmethod
    def turn(card: ForestCard, side: str) -> bool:
        """Turns a forest card to a side; False where it shows it already or cannot be flipped back."""
        if card.side == side or card.fixed:
            return False
        card.side = side
        return True

    # Nodes

    def mobs(self) -> int:
        assert self.node
        number, self.next_mobs = self.node.mobs + self.next_mobs, 0
        return number

    def minion_node(self) -> Rules:
        yield from self.activate_more(1 + self.mobs())

    def wolf_node(self) -> Rules:
        if not self.wolf_deck:  # an item has brought the last one
            yield from self.travel()
            return
        mobs = self.mobs()
        wolf = yield from self.draw_wolf()
        yield from self.activate_more(mobs, wolf)

    def activate_more(self, number: int, first: Active | None = None) -> Rules:
        """From the left end of the scouting line, then from the deck; the line is refilled when all have been drawn.

        Then what happens on activation happens, of the wolf that came ``first`` too.
        """
        placed = [first] if first else []
        for _ in range(number):
            if self.line:
                card = self.line.pop(0)
            elif self.refill_minions():
                card = self.number(self.enemies, (yield Chance({self.enemies[i].name: 1 for i in self.minion_deck}, "Activate an enemy")))
                self.minion_deck.remove(card)
            else:
                break
            if active := self.enter(self.enemies[card]):
                placed.append(active)
            else:
                self.minion_discard.add(card)
        yield from self.scout()
        for active in placed:
            yield from self.activated(active)

    def activate_wolf(self) -> Rules:
        if wolf := (yield from self.draw_wolf()):
            yield from self.activated(wolf)

    def draw_wolf(self) -> Rules:
        """A wolf from the bottom of its deck, if there is any; it goes back where there is no room."""
        return (yield from self.wolf_from(self.wolf_deck, "Activate a wolf"))

    def wolf_from(self, pile: set[int], phase: str) -> Rules:
        if not pile:
            return None
        number = self.number(self.wolves, (yield Chance({self.wolves[i].name: 1 for i in pile}, phase)))
        if wolf := self.enter(self.wolves[number]):
            pile.remove(number)
        return wolf

    def enter(self, card: Card) -> Active | None:
        """A card enters the active area, worse at a blighted node."""
        active = self.place_active(card)
        if active and self.blighted:
            active.extra_health, active.extra_damage = self.numbers["blight_health"], self.numbers["blight_damage"]
            active.unbribable = True
        return active

    def activated(self, active: Active) -> Rules:
        if active in self.active:
            yield from self.follow(active.card.at("activated"), active)
            yield from self.settle()

    def fable_node(self) -> Rules:
        """The bottom card of the Minion Deck; its only card is the visible one."""
        if self.minion_deck or not self.line:
            if not self.refill_minions():
                return
            number = self.number(self.fables, (yield Chance({self.fables[i].name: 1 for i in self.minion_deck}, "Draw a fable")))
            self.minion_deck.remove(number)
        else:
            number = self.line.pop()
        yield from self.scout()
        fable = self.fables[number]
        yield from self.follow(fable.at("told"), fable)
        if not any(kept.card is fable for kept in self.beside):
            self.minion_discard.add(number)

    def campfire(self) -> Rules:
        yield from self.event("camped")
        stat = (yield from self.question(lambda: [f"choose_{stat}" for stat in STATS], "Campfire")).removeprefix("choose_")
        yield from self.gain_stat(stat, self.numbers[f"camp_{stat}"])

    # Bribery and Engagement

    def encounter(self) -> Rules:
        """With enemies in the active area comes the Bribery phase, and with any left the Engagement; neither in a turn at a campfire."""
        if self.standing_enemies() and not (self.node and self.node.type == "campfire"):
            yield from self.bribery()
            if self.standing_enemies():
                yield from self.engagement()
        yield from self.cleanup()

    def bribery(self) -> Rules:
        """Enemies are bribed one by one. (Simplified: the phase is over where no enemy takes bribes.)"""
        while any(active and self.takes_bribes(active) for active in self.active):
            name = yield Decision(0, [*(f"target_{place + 1}" for place in self.bribes()), "done", *self.uses()], "Bribery")
            if name == "done":
                return
            if name.startswith("use_"):
                yield from self.use(name)
                continue
            place = int(name[-1]) - 1
            self.gold -= self.bribes()[place]
            bribed = self.active[place]
            assert bribed
            yield from self.leave(bribed, "bribed")
            yield from self.event("bribed")
            yield from self.settle()

    @staticmethod
    def takes_bribes(active: Active) -> bool:
        """Every non-boss enemy does, but at a blighted node."""
        return active.standing and active.card.bribe is not None and not active.unbribable

    def bribes(self) -> dict[int, int]:
        """Whom the gold is enough for, with the price."""
        table = self.modifiers()
        if table.has("no_bribes"):
            return {}
        prices = {
            place: max(0, active.card.bribe + table.total("bribe_change"))
            for place, active in enumerate(self.active)
            if active and self.takes_bribes(active) and active.card.bribe is not None
        }
        return {place: price for place, price in prices.items() if price <= self.gold}

    def engagement(self) -> Rules:
        self.begin_engagement()
        yield from self.event("engaged")
        yield from self.settle()
        yield from self.strategy_phase()
        yield from self.resolve_phase()

    def cleanup(self) -> Rules:
        """Defeated and undefeated cards go to their discard piles, wolves as the option says."""
        for active in list(self.active):
            if active:
                yield from self.leave(active, "cleaned up")

    def card_leaves(self, active: Active, how: str) -> Rules:
        card = active.card
        if card.kind == "enemy" and how == "shuffled_back":  # with the deck's top card, which was visible
            self.minion_deck.add(card.id)
            if self.line:
                self.minion_deck.add(self.line.pop())
            yield from self.scout()
        elif card.kind == "enemy":
            self.minion_discard.add(card.id)
        elif card.kind == "boss" and card.id is not None:
            back = how == "shuffled_back" or (not active.defeated and self.undefeated_wolves == "deck")
            (self.wolf_deck if back else self.wolf_discard).add(card.id)
        yield from ()

    # Endgame

    def battle(self) -> Rules:
        """The endgame at Grandma's Cabin."""
        self.endgame = True
        if self.active[-1] and None not in self.active:
            yield from self.leave(self.active[-1], "fled")
        self.enter(self.boss)
        for number in sorted(self.wolf_deck):
            if self.place_active(self.power_ups[number]):
                self.wolf_deck.remove(number)
        witnesses = self.own_cards()
        for active in [active for active in self.active if active]:
            yield from self.follow(active.card.at("endgame"), active)
        yield from self.answer(witnesses, "endgame")
        yield from self.settle()
        yield from self.bribery()  # of enemies that were met on the way
        while True:
            if self.standing_enemies():
                yield from self.engagement()
            if not self.standing_enemies():
                raise Won
            for active in list(self.active):
                if active and active.defeated:
                    yield from self.leave(active, "cleaned up")
            yield from self.end_round()
            self.new_round()
            yield from self.event("round_starts")
            yield from self.settle()

    def share_of_boss(self) -> float:
        """How much of the boss's Health is gone."""
        for active in self.active:
            if active and active.card is self.boss and active.standing:
                return min(1.0, self.damage_on(active) / self.health_of(active))
        return 1.0

    # Tanglewoods' own instructions

    def own_instruction(self, effect: Effect, source: Any) -> Rules:
        rules: dict[str, Callable[[], Rules]] = {
            "activate_wolf": self.activate_wolf,
            "activate_next": lambda: self.activate_next(effect.count),
            "discard_scouted": lambda: self.discard_scouted(effect.count),
            "place_forest": lambda: self.place(effect.what),
            "flip_forest": lambda: self.flip_forest(effect.what),
            "turn_next": lambda: self.turn_next(effect.what),
            "merchant": lambda: self.merchant(effect.count),
            "wolf_returns": self.wolf_returns,
        }
        yield from rules[effect.op]()

    def activate_next(self, number: int) -> Rules:
        self.next_mobs += number
        yield from ()

    def discard_scouted(self, number: int) -> Rules:
        """From the left to the right; then the line is refilled."""
        first = 0
        for _ in range(number):
            names = [f"scouted_{i + 1}" for i in range(first, len(self.line))]
            if not names or (name := (yield Decision(0, [*names, "done"], "Discard a scouted card"))) == "done":
                break
            first = int(name[-1]) - 1
            self.minion_discard.add(self.line.pop(first))
        yield from self.scout()

    def flip_forest(self, side: str) -> Rules:
        """Not at the Cabin once the battle has begun."""
        if not self.endgame and self.turn(self.card, side) and self.node:
            yield from self.arrive()

    def turn_next(self, side: str) -> Rules:
        if self.at_card + 1 < len(self.path):
            self.turn(self.path[self.at_card + 1], side)
        yield from ()

    def wolf_returns(self) -> Rules:
        if wolf := (yield from self.wolf_from(self.wolf_discard, "A wolf returns")):
            yield from self.activated(wolf)

    # What is compared

    def facts(self) -> dict[str, Any]:
        return {
            **self.strong_facts(),
            "tired": self.weary["recovery"],
            "line": [self.enemies[i].name for i in self.line],
            "minion_deck": sorted(self.minion_deck),
            "minion_discard": sorted(self.minion_discard),
            "wolf_deck": sorted(self.wolf_deck),
            "wolf_discard": sorted(self.wolf_discard),
            "item_deck": sorted(self.item_deck),
            "item_discard": sorted(self.item_discard),
            "shop": [item.name for item in self.shop],
            "path": [f"{card.name}, {card.side}" for card in self.path],
            "at": (self.at_card, self.at),
            "blighted": self.blighted,
            "next_mobs": self.next_mobs,
            "exploring": by_colour(self.exploring),
        }


def facts(names: Mapping[str, Sequence[str]]) -> Callable[[Fields], dict[str, Any]]:
    """The facts of a position of Tanglewoods, for the names of its deck."""
    faces, forest = names["faces"], names["forest"]
    in_deck, in_discard = 0, 3

    def read(s: Fields) -> dict[str, Any]:
        def zone(field: str, where: int) -> list[int]:
            return [i for i, zone in enumerate(s[field].tolist()) if zone == where]

        at_place = s["at_place"]
        return {
            **strong_facts(s, faces),
            "tired": s["tired"],
            "line": [faces[card] for card in s["line"][: s["line_length"]].tolist()],
            "minion_deck": zone("minions", in_deck),
            "minion_discard": zone("minions", in_discard),
            "wolf_deck": zone("wolves", in_deck),
            "wolf_discard": zone("wolves", in_discard),
            "item_deck": zone("item_cards", in_deck),
            "item_discard": zone("item_cards", in_discard),
            "shop": [faces[face] for face in s["shop"].tolist() if face >= 0],
            "path": [f"{forest[side // 2]}, {('day', 'night')[side % 2]}" for side in s["path"][: s["path_length"]].tolist()],
            "at": (s["at_card"], PLACES[at_place] if at_place >= 0 else THRESHOLDS[s["at_threshold"]]),
            "blighted": bool(s["blighted"]),
            "next_mobs": s["next_mobs"],
            "exploring": s["explore"].tolist(),
        }

    return read
