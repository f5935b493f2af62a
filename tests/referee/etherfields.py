"""20 Strong: Etherfields once more, in plain Python: a referee for the compiled rules.

Written from the rulebook, the readings on ``docs/etherfields.md`` and the meaning of the words in ``docs/vocabulary.md``; it reads the deck
file itself and shares no code with the rules. A rule reads straight on: what waits for a choice or for chance is a generator, and its
parts are ``yield from``. There is no agenda, no step and no number for a card here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.referee.match import Chance, Decision, Result, Rules

COLOURS = ("yellow", "green", "blue", "purple", "red")
UNIT_DICE = {"yellow": 4, "green": 4, "blue": 4, "purple": 4, "red": 1}
FACES = ("miss", "hit", "crit")
DIE_SIDES = {"yellow": (4, 1, 1), "green": (3, 2, 1), "blue": (2, 3, 1), "purple": (1, 4, 1), "red": (0, 5, 1)}
STATS = ("health", "strategy", "recovery")
RESOURCES = ("awareness", "cunning", "wrath")
PAYS = {"green": "awareness", "yellow": "cunning", "red": "wrath"}
DIRECTIONS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
PARTS = {"north": ("west", "middle", "east"), "east": ("north", "middle", "south")}
PARTS |= {"south": PARTS["north"], "west": PARTS["east"]}
EDGE_CELLS = {"north": (0, 1, 2), "east": (2, 5, 8), "south": (6, 7, 8), "west": (0, 3, 6)}
ROOM = 8  # cards in the active area, and cards in hand
DECKS = ("enemy", "influence", "item", "map")

# Standing modifiers, by how those of several cards combine.
LOWEST_COUNTS = {"commit_limit", "commit_total", "fall_limit", "apply_limit_all", "apply_limit", "apply_per_roll", "damage_cap"}
SUMMED = {
    "strategy_change", "recovery_change", "hit_bonus", "crit_bonus", "enemy_health", "enemy_damage", "shield_always", "bribe_change",
    "price_change", "hit_bonus_here", "hand_change", "cost_change",
}  # fmt: skip
COLOUR_SETS = {"commit_ban", "hits_void", "apply_ban", "hits_void_here"}
FLAGS = {
    "commit_one_each", "commit_whole_colour", "no_recovery", "crits_void", "swap_hits", "keep_hits", "fix_misses", "no_bribes", "no_items",
    "apply_one_each", "apply_one_colour", "pairs_only", "protected", "crits_void_here", "crits_only", "no_crits", "no_moves", "no_cards",
}  # fmt: skip
MODIFIERS = LOWEST_COUNTS | SUMMED | COLOUR_SETS | FLAGS | {"colours_needed"}
COSTS = {"pay_stat", "pay_dice", "pay_gold"}
RECOVERS = {"recover", "recover_colour", "recover_by_roll"}
ABOUT_ITSELF = {"flip_card", "flip_and_take", "banish_card"}

Die: TypeAlias = tuple[str, str]
"""Colour and face."""


@dataclass(frozen=True)
class Effect:
    """A word of the vocabulary on a card."""

    op: str
    when: str
    what: Any = None  # its colour, set of colours, stat or face
    count: int = 1
    per: str = "once"


def effects(given: Iterable[Mapping[str, Any]], modifier: str, instruction: str) -> tuple[Effect, ...]:
    """Effects of a deck file; the moments are those meant where none is said."""
    found = []
    for one in given:
        op = one["op"]
        colours = one.get("colours")
        if colours is not None:
            colours = frozenset(COLOURS if colours == "all" else colours)
        what = next((one[name] for name in ("colour", "stat", "face", "side") if name in one), colours)
        when = one.get("when", modifier if op in MODIFIERS else instruction)
        found.append(Effect(op, when, what, one.get("count", 1), one.get("per", "once")))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Side:
    """A side of a card."""

    name: str
    type: str  # enemy, influence, item, hero, boss, action
    effects: tuple[Effect, ...]
    health: int = 0
    damage: int = 0
    lasting: bool = False  # an ongoing item or influence card
    gives: Mapping[str, int] = field(default_factory=dict)
    costs: Sequence[Mapping[str, int]] = ({},)
    timing: str = "any"
    stats: Sequence[int] = ()
    endgame: Mapping[str, Any] = field(default_factory=dict)
    requires: Sequence[str] = ()

    instructions: dict[str, tuple[Effect, ...]] = field(init=False, default_factory=dict)
    modifiers: dict[str, tuple[Effect, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for effect in self.effects:
            table, key = (self.modifiers, effect.op) if effect.op in MODIFIERS else (self.instructions, effect.when)
            table[key] = (*table.get(key, ()), effect)

    def at(self, when: str) -> tuple[Effect, ...]:
        """The instructions of a moment."""
        return self.instructions.get(when, ())


class Card:
    """A card with its sides; ``face`` is the one that faces up."""

    def __init__(self, number: int, sides: Sequence[Any]) -> None:
        self.number, self.sides = number, sides
        self.put_away(0)

    def put_away(self, up: int) -> None:
        """Back into the box, with this side up."""
        self.turn_to(up)
        self.place = "deck"
        self.used = False  # this round
        self.resolving = 0  # runs of its effects that are being carried out, or wait for that
        self.goes = "discard"  # where it goes then

    def turn_to(self, up: int) -> None:
        self.up, self.face = up, self.sides[up]

    def turn(self) -> None:
        self.turn_to(1 - self.up)

    @property
    def order(self) -> tuple[int, int]:
        """Cards in hand and inventory lie in the order of the deck file, A sides first."""
        return self.up, self.number


@dataclass(frozen=True, eq=False)
class Space:
    skulls: int = 0
    arrow: str | None = None
    awareness: int = 0
    actions: Sequence[Side] = ()


@dataclass(frozen=True, eq=False)
class MapSide:
    """A side of a map card: the spaces by letter, in the order of their numbers."""

    name: str
    cells: str
    walls: frozenset[frozenset[str]]
    closed: frozenset[str]
    entrance: str | None
    spaces: Mapping[str, Space]

    def open(self, direction: str, part: int) -> bool:
        return direction not in self.closed and f"{direction} {PARTS[direction][part]}" not in self.closed

    def beside(self, letter: str) -> set[str]:
        """The spaces of the card across a border."""
        found = set()
        for cell, other in [(i, i + 1) for i in range(9) if i % 3 < 2] + [(i, i + 3) for i in range(6)]:
            pair = {self.cells[cell], self.cells[other]}
            if letter in pair and len(pair) == 2 and frozenset(pair) not in self.walls:
                found |= pair - {letter}
        return found


@dataclass(eq=False)
class Foe:
    """An enemy or the boss in the active area."""

    card: Card
    defeated: bool = False
    cancelled: bool = False
    acted: bool = False  # its After effect, this round
    held: bool = False  # a limit on defeats has kept it on its feet
    dice: Counter[Die] = field(default_factory=Counter)
    dice_now: int = 0  # since the last roll
    wounds: int = 0
    set_health: int | None = None

    @property
    def face(self) -> Side:
        return self.card.face

    @property
    def boss(self) -> bool:
        return self.face.type == "boss"


@dataclass(eq=False)
class Run:
    """Effects of a card that are being carried out: of which card, and of which of its sides."""

    source: Card | Foe
    says: Side
    rows: Sequence[Effect]

    @property
    def card(self) -> Card:
        return self.source.card if isinstance(self.source, Foe) else self.source


class Lost(Exception):
    """The game is lost; the argument is the ending."""


class Near(float):
    """A payoff, but for the last digits."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, float) and math.isclose(self, other, abs_tol=1e-12)

    __hash__ = float.__hash__


def counts_dice(effect: Effect) -> bool:
    return effect.per in ("miss", "hit", "committed_die") or effect.op in ("banish_misses", "banish_applied")


# The deck file


def card_side(side: Mapping[str, Any], kind: str) -> Side:
    """A side of an enemy, influence or item card."""
    kind = side.get("type", kind)
    if kind == "enemy":
        rows = effects(side.get("effects", ()), "during", "") + effects(side.get("reward", ()), "", "reward")
        return Side(side["name"], kind, rows, side["health"], side["damage"])
    rows = effects(side["effects"], "always", "use")
    if kind == "item":
        return Side(side["name"], kind, rows, lasting=side["uses"] == "ongoing", gives=side.get("gives", {}))
    cost, timing = side.get("cost", {}), side.get("timing", "any")
    return Side(side["name"], kind, rows, lasting=side["action"] == "ongoing", gives=side["gives"], costs=[cost], timing=timing)


def boss_side(side: Mapping[str, Any]) -> Side:
    rows = effects(side.get("effects", ()), "during", "")
    return Side(side["name"], "boss", rows, side["health"], side["damage"], endgame=side["endgame"], requires=side.get("requires", ()))


def hero_side(side: Mapping[str, Any]) -> Side:
    rows = effects(side["effects"], "always", "use")
    if flip := side.get("flip"):
        rows += (Effect("flip_hero", flip),)
    return Side(side["name"], "hero", rows, lasting=True, stats=[side[stat] for stat in STATS])


def map_side(side: Mapping[str, Any]) -> MapSide:
    spaces = {}
    cells = "".join(side["layout"])
    for letter in dict.fromkeys(cells):
        given = side["space"].get(letter, {})
        actions = [
            Side(one["name"], "action", effects(one["effects"], "", "use"), costs=one.get("cost") or [{}])
            for one in given.get("action", ())
        ]
        arrow = given.get("explore") or {"to": None, "awareness": 0}
        spaces[letter] = Space(given.get("skulls", 0), arrow["to"], arrow["awareness"], actions)
    walls = frozenset(frozenset(wall) for wall in side.get("walls", ()))
    return MapSide(side["name"], cells, walls, frozenset(side.get("closed", ())), side.get("entrance"), spaces)


def guests_in(*files: Mapping[str, Any]) -> list[tuple[str, list[Side]]]:
    """The universal heroes of other decks' files."""
    found = []
    for file in files:
        for hero in file.get("hero", ()):
            if hero.get("universal"):
                found.append((hero["key"], [hero_side(hero[side]) for side in ("front", "back", "lucid") if side in hero]))
        found += [(hero["key"], [hero_side(hero)]) for hero in file.get("universal_hero", ())]
    return found


class Box:
    """The cards of a deck file, as they are printed, and the heroes who visit from other decks."""

    def __init__(self, file: Mapping[str, Any], guests: Sequence[tuple[str, Sequence[Side]]] = ()) -> None:
        kinds = [(kind, card) for kind in ("enemy", "influence", "item") for card in file[kind]]
        self.cards = [[card_side(card["a"], kind), card_side(card["b"], kind)] for kind, card in kinds]
        self.maps = [[map_side(card["a"]), map_side(card["b"])] for card in file["map"]]
        self.heroes = [[hero_side(card["front"]), hero_side(card["lucid"])] for card in file["hero"]]
        self.bosses = [[boss_side(card["a"]), boss_side(card["b"])] for card in file["boss"]]
        self.guests = [sides for _, sides in guests]
        self.hero_keys = [*(card["key"] for card in file["hero"]), *(key for key, _ in guests)]
        self.boss_keys = [card["key"] for card in file["boss"]]
        self.numbers = file["numbers"]


class Etherfields:
    """A game, or a campaign of several. ``remembered`` tells the sides that face up, of cards, maps, heroes and bosses in the order of the
    file; the rest are the game's options."""

    def __init__(
        self,
        box: Box,
        *,
        hero: str = "sleepwalker",
        boss: str = "tall_stranger",
        rank: int = 1,
        games: int = 1,
        reward: str = "win",
        remembered: Sequence[int] = (),
    ) -> None:
        self.box = box
        groups = ([Card(i, sides) for i, sides in enumerate(group)] for group in (box.cards, box.maps, box.heroes, box.bosses, box.guests))
        self.cards, self.maps, self.heroes, self.bosses, self.guests = groups
        for card, up in zip([*self.cards, *self.maps, *self.heroes, *self.bosses], remembered, strict=False):
            card.turn_to(up)
        self.numbers = box.numbers
        self.asked_hero, self.asked_boss, self.rank, self.games, self.reward = hero, boss, rank, games, reward
        self.wins = 0
        self.consoled = 0.0

    # A campaign, and a game of it

    def play(self) -> Rules:
        for _ in range(self.games):
            self.clear_table()
            if not self.bosses_to_face():
                break
            try:
                yield from self.whole_game()
                ending = "won"
                self.wins += 1
            except Lost as lost:
                ending = str(lost)
                self.consoled += self.earned() if self.reward == "progress" else 0
        return Result(ending if self.games == 1 else "campaign_over", [Near((self.wins + self.consoled) / self.games)])

    def clear_table(self) -> None:
        """Everything goes back into the box but for the sides that face up."""
        for card in [*self.cards, *self.maps, *self.heroes, *self.bosses]:
            card.put_away(card.up)
        for guest in self.guests:
            guest.put_away(0)
        self.top: dict[str, Card | None] = dict.fromkeys(DECKS)
        self.hero: Card | None = None
        self.boss: Card | None = None
        self.stats = dict.fromkeys(STATS, 0)
        self.ready, self.exhausted, self.banished = Counter(UNIT_DICE), Counter[str](), Counter[str]()
        self.unrolled, self.rolled, self.kept = Counter[str](), Counter[Die](), Counter[Die]()
        self.hand: list[Card] = []
        self.items: list[Card] = []
        self.active: list[Foe | None] = [None] * ROOM  # a card keeps its place; the next one takes the first that is free
        self.at_map: dict[Card, tuple[int, int]] = {}
        self.here: tuple[Card, str] | None = None
        self.ether = self.numbers["first_ether"]
        self.facing = False
        self.beaten = self.explored = self.gold = 0
        self.part = "activation"
        self.applying = self.quiet = self.recovering = False
        self.start_round()

    def start_round(self) -> None:
        self.acted: set[Side] = set()
        self.hero_used = False
        for card in self.cards:
            card.used = False
        self.shield = self.doubled = 0
        self.passes = self.extra_passes = self.committed = self.fallen = self.applied_now = self.spaces_left = 0

    def earned(self) -> float:
        """What reward="progress" gives for a game that is lost: map cards, the boss activated, and the damage dealt to it at the end."""
        boss = next((foe for foe in self.foes if foe.boss), None)
        share = 0 if boss is None else 1 if boss.defeated else min(1, self.damage_taken(boss) / self.health_of(boss))
        return min(self.explored, 9) / 72 + (1 / 8 if self.facing else 0) + share / 4

    def whole_game(self) -> Rules:
        yield from self.set_up()
        while True:
            yield from self.round()
            if any(foe.boss and foe.defeated for foe in self.foes):
                assert self.boss is not None
                self.boss.turn()
                return

    # Setup

    def bosses_to_face(self) -> list[int]:
        """Those whose cards face up as they require."""
        names = {card.face.name for card in self.cards}
        return [i for i, boss in enumerate(self.bosses) if set(boss.face.requires) <= names]

    def set_up(self) -> Rules:
        can = self.bosses_to_face()
        asked = self.box.boss_keys.index(self.asked_boss) if self.asked_boss in self.box.boss_keys else -1
        if asked not in can:
            asked = int((yield Decision(0, [f"boss_{i + 1}" for i in can])).removeprefix("boss_")) - 1
        self.boss = self.bosses[asked]
        heroes = [*self.heroes, *self.guests]
        if self.asked_hero in self.box.hero_keys:
            self.hero = heroes[self.box.hero_keys.index(self.asked_hero)]
        else:
            name = yield Decision(0, [f"hero_{i + 1}" for i in range(len(heroes))])
            self.hero = heroes[int(name.removeprefix("hero_")) - 1]
        self.stats = dict(zip(STATS, self.hero.face.stats, strict=True))
        home = next(card for card in self.maps if card.sides[0].entrance or card.sides[1].entrance)
        if not home.face.entrance:
            home.turn()
        home.place = "play"
        self.at_map[home] = (0, 0)
        self.here = (home, home.face.entrance)
        for _ in range(self.rank - 1):
            yield from self.banish_random()
        for deck in ("map", "item", "influence", "enemy"):
            yield from self.reveal(deck)
        yield from self.happens("set_up")

    # A round

    def round(self) -> Rules:
        self.start_round()
        self.part = "activation"
        yield from self.happens("round_starts")
        yield from self.take_actions()
        yield from self.discard_influence(1, more=True)
        while len(self.hand) < self.max_in_hand() and (yield from self.draw_influence()):
            pass
        yield from self.take_actions()
        yield from self.activate(1)
        yield from self.take_actions()
        yield from self.boss_activation()
        self.part = "engagement"
        yield from self.engagement()
        yield from self.take_actions()
        yield from self.clean_up()

    def max_in_hand(self) -> int:
        return min(ROOM, max(0, self.numbers["hand_size"] + self.total("hand_change")))

    def boss_activation(self) -> Rules:
        assert self.boss is not None
        answers = self.who_answers("activation")
        foe = next((foe for foe in self.foes if foe.boss), None)
        if foe is None or not foe.cancelled:
            yield from self.follow(self.boss.face.at("activation"), foe or self.boss)
        yield from self.speak(answers)

    # What is in play

    def modifiers(self, op: str, here: Foe | None = None) -> list[Effect]:
        """The standing modifiers of a kind; with ``here`` those of one enemy alone."""
        assert self.hero is not None
        found: list[Effect] = []
        if here is None:
            for card in (self.hero, *self.items):
                if (rows := card.face.modifiers.get(op)) and card.face.lasting:
                    found += rows
        for foe in (here,) if here else self.active:
            if foe and (rows := foe.card.face.modifiers.get(op)) and not foe.cancelled:
                found += [effect for effect in rows if effect.when == "always" or not foe.defeated]
        return found

    def has(self, op: str, here: Foe | None = None) -> bool:
        return bool(self.modifiers(op, here))

    def total(self, op: str, here: Foe | None = None) -> int:
        return sum(effect.count for effect in self.modifiers(op, here))

    def least(self, op: str, here: Foe | None = None) -> float:
        return min((effect.count for effect in self.modifiers(op, here)), default=math.inf)

    def colours(self, op: str, here: Foe | None = None) -> set[str]:
        return {colour for effect in self.modifiers(op, here) for colour in effect.what}

    @property
    def strategy(self) -> int:
        return max(1, self.stats["strategy"] + self.total("strategy_change"))

    @property
    def recovery(self) -> int:
        return max(0, self.stats["recovery"] + self.total("recovery_change"))

    @property
    def foes(self) -> list[Foe]:
        """The cards of the active area, from the left."""
        return [foe for foe in self.active if foe]

    def targets(self, foes: Iterable[Foe]) -> dict[str, Foe]:
        """Cards of the active area by the action that chooses them."""
        return {f"target_{self.active.index(foe) + 1}": foe for foe in foes}

    def enter(self, card: Card) -> Foe:
        foe = Foe(card)
        self.active[self.active.index(None)] = foe
        return foe

    @property
    def standing(self) -> list[Foe]:
        return [foe for foe in self.foes if not foe.defeated]

    def shown(self, *faces: str) -> list[Die]:
        """Unapplied dice that show one of the faces: kinds, weakest first."""
        return [(c, f) for c in COLOURS for f in FACES if f in faces and self.rolled[c, f]]

    def unapplied(self, *faces: str) -> int:
        return sum(n for (_, face), n in self.rolled.items() if face in faces)

    def committed_dice(self) -> int:
        return self.unrolled.total() + self.rolled.total() + self.kept.total() + sum(foe.dice.total() for foe in self.foes)

    # Happenings

    def happens(self, when: str) -> Rules:
        """The hero answers first, then the inventory from the left."""
        yield from self.speak(self.who_answers(when))

    def who_answers(self, when: str) -> list[Run]:
        """Those who have an answer now; who turns or is discarded before it is due gives it all the same."""
        assert self.hero is not None
        cards = [card for card in (self.hero, *self.items) if card.face.lasting]
        return self.waiting(*(Run(card, card.face, card.face.at(when)) for card in cards))

    def waiting(self, *runs: Run) -> list[Run]:
        """What cards have to say, one after another; they resolve until it is said."""
        found = [run for run in runs if run.rows]
        for run in found:
            self.wait(run.card)
        return found

    def speak(self, runs: Sequence[Run]) -> Rules:
        for run in runs:
            yield from self.instructions(run.rows, run)
            yield from self.resolved(run.card)

    def wait(self, card: Card) -> None:
        """A card has something to say that is not done yet."""
        card.resolving += 1

    def put(self, card: Card, place: str) -> None:
        """A card goes to a pile; what resolves lies nowhere until that is done."""
        card.place, card.goes = ("limbo", place) if card.resolving and place in ("discard", "deck") else (place, place)

    def resolved(self, card: Card) -> Rules:
        card.resolving -= 1
        if card.place == "limbo" and not card.resolving:
            card.place = card.goes
            if card.goes == "deck":
                yield from self.reveal(card.face.type)

    def lose_health(self, count: int) -> None:
        self.stats["health"] -= count
        if self.stats["health"] < 1:
            raise Lost("died_facing_boss" if self.facing else "died")

    # Damage and defeat

    def die_damage(self, foe: Foe, die: Die) -> int:
        colour, face = die
        if face == "miss" or colour in self.colours("hits_void") or colour in self.colours("hits_void_here", foe):
            return 0
        damage = 1 + sum(effect.count for effect in self.modifiers("hit_bonus") if colour in effect.what)
        damage += self.total("hit_bonus_here", foe)
        if face == "crit":
            if self.has("crits_void") or self.has("crits_void_here", foe):
                return 0
            damage += 1 + self.total("crit_bonus")
        return max(0, damage)

    def damage_taken(self, foe: Foe, dice: Counter[Die] | None = None) -> int:
        """What its dice and wounds have dealt."""
        dice = foe.dice if dice is None else dice
        if self.has("protected", foe) and any(other is not foe for other in self.standing):
            return 0
        total = foe.wounds
        for colour in COLOURS:
            dealt = sorted((self.die_damage(foe, die) for die in dice.elements() if die[0] == colour), reverse=True)
            if self.has("pairs_only", foe):
                dealt = dealt[: len(dealt) // 2 * 2]
            total += sum(dealt)
        return int(min(total, self.least("damage_cap", foe)))

    def health_of(self, foe: Foe) -> int:
        printed = foe.face.health if foe.set_health is None else foe.set_health
        return max(1, printed + self.total("enemy_health"))

    def beaten_by(self, foe: Foe, dice: Counter[Die] | None = None) -> bool:
        """Whether its damage meets its Health, and the colours on it are enough."""
        dice = foe.dice if dice is None else dice
        needed = max((effect.count for effect in self.modifiers("colours_needed", foe)), default=0)
        return self.damage_taken(foe, dice) >= self.health_of(foe) and len({colour for colour, _ in +dice}) >= needed

    def falls(self) -> Rules:
        """Those whose damage meets their Health fall, the leftmost first; what answers a crit comes first."""
        if self.quiet:
            return
        while foe := next((foe for foe in self.standing if not foe.held and self.beaten_by(foe)), None):
            if self.applying and self.fallen >= self.least("fall_limit"):
                foe.held = True
            else:
                yield from self.fall(foe)

    def fall(self, foe: Foe) -> Rules:
        """An enemy is defeated: who falls with it first, then its own effects of that, its reward, then those who answer to it."""
        foe.defeated = True
        self.beaten += not foe.boss
        self.fallen += self.applying
        face = foe.face
        answers = (self.who_answers("boss_fell") if foe.boss else []) + self.who_answers("enemy_fell")
        own = self.waiting(Run(foe, face, () if foe.cancelled else face.at("falls")))
        yield from self.falls()  # whom it protected falls with it
        yield from self.speak(own)
        reward = face.at("reward")
        if reward and (yield Decision(0, ["accept", "decline"])) == "accept":
            times = 2 if self.doubled else 1
            self.doubled = max(0, self.doubled - 1)
            yield from self.speak(self.waiting(*(Run(foe, face, reward) for _ in range(times))))
        yield from self.speak(answers)

    # Engagement

    def engagement(self) -> Rules:
        self.passes = self.extra_passes = self.committed = self.fallen = 0
        yield from self.happens("engaged")
        while True:
            self.passes += 1
            yield from self.commit_dice()
            yield from self.roll_dice()
            if (yield from self.apply_dice()) == "resolve":
                break
        yield from self.suffer_damage()
        yield from self.after_effects()
        self.exhaust_committed()
        yield from self.recover_dice()

    def may_commit(self, colour: str) -> bool:
        return (
            self.ready[colour] > 0
            and colour not in self.colours("commit_ban")
            and self.committed_now.total() < self.least("commit_limit")
            and self.committed < self.least("commit_total")
            and not (self.has("commit_one_each") and self.committed_now[colour])
        )

    def commit_dice(self) -> Rules:
        """Any number of dice, weakest first; whole colours in any order where not all of them have room."""
        self.committed_now = Counter[str]()
        self.weakest = 0
        while True:
            room = min(self.least("commit_limit") - self.committed_now.total(), self.least("commit_total") - self.committed)
            first = 0 if self.has("commit_whole_colour") and room < self.ready.total() else self.weakest
            dice = [f"commit_{colour}" for colour in COLOURS[first:] if self.may_commit(colour)]
            name = yield Decision(0, [*dice, "roll", *self.actions()])
            if name == "roll":
                return
            if not name.startswith("commit_"):
                yield from self.act(name)
                self.weakest = 0
                continue
            colour = name.removeprefix("commit_")
            self.weakest = COLOURS.index(colour)
            self.commit(colour)
            if self.has("commit_whole_colour") and not self.has("commit_one_each"):
                for _ in range(int(min(room - 1, self.ready[colour]))):
                    self.commit(colour)

    def commit(self, colour: str) -> None:
        self.ready[colour] -= 1
        self.unrolled[colour] += 1
        self.committed_now[colour] += 1
        self.committed += 1

    def roll_dice(self) -> Rules:
        if self.has("keep_hits"):
            yield from self.set_hits_aside()
        for die in [(c, f) for c in COLOURS for f in FACES]:
            if die[1] != "miss" or not self.has("fix_misses"):
                self.unrolled[die[0]] += self.rolled.pop(die, 0)
        for colour in COLOURS:
            while self.unrolled[colour]:
                face = yield from self.roll(colour)
                self.unrolled[colour] -= 1
                self.rolled[colour, face] += 1
        self.rolled += self.kept
        self.kept.clear()
        self.applied_now = 0
        self.order_anew()
        for foe in self.foes:
            foe.dice_now = 0
        yield from self.effects_of_the_roll()
        self.applying, self.fallen = True, 0
        for foe in self.foes:
            foe.held = False
        yield from self.falls()

    def set_hits_aside(self) -> Rules:
        first = 0
        while True:
            names = [f"pick_{c}_{f}" for c, f in self.shown("hit", "crit") if self.rank_of((c, f)) >= first]
            name = yield Decision(0, [*names, "done"])
            if name == "done":
                return
            die = self.picked(name)
            first = self.rank_of(die)
            self.rolled[die] -= 1
            self.kept[die] += 1

    def roll(self, colour: str, *, box: bool = False) -> Rules:
        face = yield Chance(dict(zip(FACES, DIE_SIDES[colour], strict=True)))
        if not box and self.has("swap_hits"):
            face = "hit" if face == "miss" else "miss"
        return face

    def effects_of_the_roll(self) -> Rules:
        waiting = [(foe, foe.face) for foe in self.standing if not foe.cancelled and foe.face.at("rolled")]
        yield from self.happens("hero_rolled")
        yield from self.falls()

        def acts(foe: Foe, face: Side) -> bool:
            return foe in self.foes and foe.face is face and not foe.defeated and not foe.cancelled

        while waiting := [(foe, face) for foe, face in waiting if acts(foe, face)]:
            places = self.targets(foe for foe, _ in waiting)
            foe = places[(yield Decision(0, list(places)))]
            waiting = [(other, face) for other, face in waiting if other is not foe]
            yield from self.follow(foe.face.at("rolled"), foe)

    # Apply Dice

    @staticmethod
    def picked(name: str) -> Die:
        _, colour, face = name.split("_")
        return colour, face

    @staticmethod
    def rank_of(die: Die) -> int:
        return 3 * COLOURS.index(die[0]) + FACES.index(die[1])

    def order_anew(self) -> None:
        """Dice may be applied in any order again."""
        self.last_die = self.last_place = -1

    def may_take(self, foe: Foe, die: Die) -> bool:
        """Whether the cards allow this die on this card."""
        colour, face = die
        return (
            foe.dice.total() < self.least("apply_limit", foe)
            and foe.dice_now < self.least("apply_per_roll", foe)
            and colour not in self.colours("apply_ban", foe)
            and not (self.has("apply_one_each", foe) and any(c == colour for c, _ in +foe.dice))
            and not (self.has("apply_one_colour", foe) and any(c != colour for c, _ in +foe.dice))
            and not (self.has("crits_only", foe) and face != "crit")
            and not (self.has("no_crits", foe) and face == "crit")
        )

    def is_event(self, foe: Foe, die: Die) -> bool:
        if foe.defeated:
            return False
        if die[1] == "crit" and not foe.cancelled and foe.face.at("crit_applied"):
            return True
        return self.fallen < self.least("fall_limit") and self.beaten_by(foe, foe.dice + Counter([die]))

    def places_for(self, die: Die) -> list[int]:
        if self.applied_now >= self.least("apply_limit_all") or not self.dice_matter():
            return []
        rank = self.rank_of(die)
        return [
            place
            for place, foe in enumerate(self.active)
            if foe
            and self.may_take(foe, die)
            and (rank > self.last_die or (rank == self.last_die and place >= self.last_place) or self.is_event(foe, die))
        ]

    def may_repeat(self) -> bool:
        dice = self.unapplied("hit", "crit") or (self.unapplied("miss") and not self.has("fix_misses"))
        return self.passes < self.strategy + self.extra_passes and bool(dice or self.ready.total()) and self.dice_matter()

    def dice_matter(self) -> bool:
        """Whether an enemy stands, a card answers rolls, or an After effect counts dice."""
        assert self.hero is not None
        answers = any(card.face.lasting and card.face.at("hero_rolled") for card in (self.hero, *self.items))
        counted = (foe for foe in self.foes if not foe.cancelled and any(counts_dice(effect) for effect in foe.face.at("after")))
        return bool(self.standing) or answers or any(counted)

    def apply_dice(self) -> Rules:
        while True:
            dice = [f"pick_{c}_{f}" for c, f in self.shown("hit", "crit") if self.places_for((c, f))]
            again = ["again"] if self.may_repeat() else []
            name = yield Decision(0, [*dice, *again, "resolve", *self.actions()])
            if name in ("again", "resolve"):
                self.applying = False
                return name
            if not name.startswith("pick_"):
                yield from self.act(name)
                self.order_anew()
                continue
            die = self.picked(name)
            place = yield Decision(0, [f"target_{place + 1}" for place in self.places_for(die)])
            yield from self.apply(die, int(place.removeprefix("target_")) - 1)

    def apply(self, die: Die, place: int) -> Rules:
        foe = self.active[place]
        assert foe is not None
        event = self.is_event(foe, die)
        self.last_die, self.last_place = self.rank_of(die), place
        self.rolled[die] -= 1
        foe.dice[die] += 1
        foe.dice_now += 1
        self.applied_now += 1
        if event:
            self.order_anew()
        silent = foe.defeated or foe.cancelled or die[1] != "crit"
        if not silent and foe.face.at("crit_applied"):
            self.quiet = True
            yield from self.follow(foe.face.at("crit_applied"), foe)
            self.quiet = False
        yield from self.falls()

    # Resolve phase

    def suffer_damage(self) -> Rules:
        damage = sum(max(0, foe.face.damage + self.total("enemy_damage")) for foe in self.standing)
        damage = max(0, damage - self.shield - self.total("shield_always"))
        if damage:
            self.lose_health(damage)
            yield from self.happens("suffered")

    def after_effects(self) -> Rules:
        def waits(foe: Foe) -> bool:
            rows = foe.face.at("after") or (not foe.defeated and foe.face.at("after_standing"))
            return not foe.acted and not foe.cancelled and bool(rows)

        while places := self.targets(foe for foe in self.foes if waits(foe)):
            name = yield Decision(0, [*places, *self.actions()])
            if name not in places:
                yield from self.act(name)
                continue
            foe = places[name]
            foe.acted = True
            standing = () if foe.defeated else foe.face.at("after_standing")
            yield from self.speak(self.waiting(Run(foe, foe.face, foe.face.at("after")), Run(foe, foe.face, standing)))

    def exhaust_committed(self) -> None:
        for (colour, _), n in [*self.rolled.items(), *self.kept.items()]:
            self.exhausted[colour] += n
        self.exhausted += self.unrolled
        self.rolled.clear()
        self.kept.clear()
        self.unrolled.clear()
        for foe in self.foes:
            self.exhaust_dice_on(foe)

    def exhaust_dice_on(self, foe: Foe) -> None:
        for (colour, _), n in foe.dice.items():
            self.exhausted[colour] += n
        foe.dice.clear()

    def recover_dice(self) -> Rules:
        """What answers to the step comes first. Where no dice are recovered in it, no answer recovers any either."""
        self.recovering = True
        yield from self.happens("recovering")
        if not self.has("no_recovery"):
            yield from self.recover(self.recovery, self.ether)
        self.recovering = False

    def recover(self, count: int, also: str | None = None) -> Rules:
        """Up to so many dice, weakest first, and one more of the colour ``also``: the first one of that colour."""
        first = 0
        while True:
            found = [c for c in COLOURS[first:] if self.exhausted[c] and (count > 0 or c == also)]
            name = yield Decision(0, [*(f"recover_{colour}" for colour in found), "done"])
            if name == "done":
                return
            colour = name.removeprefix("recover_")
            first = COLOURS.index(colour)
            self.move_die(colour, self.exhausted, self.ready)
            if colour == also:
                also = None
            else:
                count -= 1
                if also and first > COLOURS.index(also):
                    also = None

    @staticmethod
    def move_die(colour: str, source: Counter[str], target: Counter[str], n: int = 1) -> None:
        source[colour] -= n
        target[colour] += n

    def clean_up(self) -> Rules:
        for foe in self.foes:
            if foe.defeated and not foe.boss:
                self.put_away(foe)
        for foe in self.foes:
            foe.wounds, foe.acted, foe.held = 0, False, False
        return
        yield

    def put_away(self, foe: Foe, place: str = "discard") -> None:
        """A card leaves the active area; its dice are exhausted."""
        self.exhaust_dice_on(foe)
        self.active[self.active.index(foe)] = None
        if not foe.boss:
            self.put(foe.card, place)

    # Decks

    def deck(self, name: str, place: str = "deck") -> list[Card]:
        """The cards that belong to a deck by the side that faces up and lie in its pile or at another place."""
        if name == "map":
            return [card for card in self.maps if card.place == place]
        return [card for card in self.cards if card.place == place and card.face.type == name]

    def reveal(self, name: str) -> Rules:
        """The next card is turned up on top of a deck."""
        self.top[name] = None
        if cards := self.deck(name):
            self.top[name] = yield from self.random_card(cards)

    def random_card(self, cards: Sequence[Card]) -> Rules:
        by_name = {card.face.name: card for card in cards}
        return by_name[(yield Chance(dict.fromkeys(by_name, 1)))]

    def draw(self, name: str) -> Rules:
        """The top card of a deck, or the bottom one by the rank; None if there is none. A deck that has run out is made anew."""
        if not self.deck(name):
            if not self.deck(name, "discard"):
                return None
            for card in self.deck(name, "discard"):
                card.place = "deck"
            if name == "influence":
                yield from self.price_of_reshuffling()
            yield from self.reveal(name)
            if not self.deck(name):
                return None
        cards = self.deck(name)
        bottom = self.rank >= {"influence": 2, "item": 3, "enemy": 4, "map": 5}[name]
        if bottom and len(cards) > 1:
            return (yield from self.random_card([card for card in cards if card is not self.top[name]]))
        card, self.top[name] = self.top[name], None
        return card

    def after_draw(self, name: str) -> Rules:
        """Once the top card has been drawn the next one is turned up."""
        if self.top[name] is None:
            yield from self.reveal(name)

    def price_of_reshuffling(self) -> Rules:
        """Health, or random cards of the new deck."""
        if (yield Decision(0, ["first", "second"])) == "first":
            self.lose_health(self.numbers["reshuffle_health"])
        else:
            for _ in range(self.numbers["reshuffle_cards"]):
                yield from self.banish_random()

    def banish_random(self) -> Rules:
        """A random card of the Influence Deck."""
        if cards := self.deck("influence"):
            card = yield from self.random_card(cards)
            card.place = "banished"

    def draw_influence(self) -> Rules:
        """A card is drawn into the hand; whether there was one, and room."""
        if len(self.hand) >= ROOM:
            return False
        card = yield from self.draw("influence")
        if card is None:
            return False
        self.take_into_hand(card)
        yield from self.after_draw("influence")
        return True

    def take_into_hand(self, card: Card) -> None:
        if len(self.hand) < ROOM:
            card.place = "hand"
            self.hand = sorted([*self.hand, card], key=lambda card: card.order)
        else:
            self.put(card, "discard")

    def take_into_inventory(self, card: Card) -> None:
        card.place, card.used = "inventory", False
        self.items = sorted([*self.items, card], key=lambda card: card.order)

    def let_go(self, card: Card) -> None:
        """A card leaves the inventory."""
        self.items.remove(card)

    def discard_influence(self, count: int, *, more: bool = False) -> Rules:
        """Cards of the hand, from the left to the right; at least so many, or exactly."""
        first = 0
        count = min(count, len(self.hand))
        while len(self.hand) > first and (count > 0 or more):
            places = [place for place in range(first, len(self.hand)) if len(self.hand) - place >= count]
            names = [f"spend_card_{place + 1}" for place in places]
            name = yield Decision(0, [*names, *(["done"] if count <= 0 else [])])
            if name == "done":
                return
            first = int(name.removeprefix("spend_card_")) - 1
            self.hand.pop(first).place = "discard"
            count -= 1

    # Enemies come, turn and go

    def activate(self, count: int) -> Rules:
        """Enemies of the deck, one at a time."""
        for _ in range(count):
            if len(self.foes) >= ROOM:
                return
            card = yield from self.draw("enemy")
            if card is None:
                return
            card.place = "play"
            foe = self.enter(card)
            yield from self.falls()
            yield from self.after_draw("enemy")
            yield from self.follow(foe.face.at("activated"), foe)

    def summon(self) -> Rules:
        """The boss enters the active area, if its condition is met."""
        assert self.boss is not None
        if not self.may_summon():
            return
        if len(self.foes) >= ROOM:
            self.put_away(self.foes[-1])
        self.facing = True
        foe = self.enter(self.boss)
        answers = self.who_answers("endgame")
        yield from self.falls()
        yield from self.follow(foe.face.at("activated"), foe)
        yield from self.follow(foe.face.at("endgame"), foe)
        yield from self.speak(answers)

    def may_summon(self) -> bool:
        """While the endgame condition is met, and the boss is not there."""
        assert self.boss is not None
        wanted = self.boss.face.endgame
        return (
            not self.facing
            and wanted.get("ether") in (None, self.ether)
            and len(self.at_map) >= (wanted.get("maps") or 0)
            and len(self.items) >= (wanted.get("items") or 0)
            and self.beaten >= (wanted.get("defeated") or 0)
        )

    def flip_foe(self, foe: Foe) -> None:
        """An undefeated enemy that is an enemy still stays, unhurt; what else it may be, it is discarded as that."""
        self.exhaust_dice_on(foe)
        foe.card.turn()
        if foe.defeated or foe.face.type != "enemy":
            self.put_away(foe)
        else:
            foe.wounds, foe.set_health, foe.cancelled, foe.held, foe.dice_now = 0, None, False, False, 0

    # The map

    @property
    def space(self) -> Space:
        assert self.here is not None
        return self.here[0].face.spaces[self.here[1]]

    def neighbour(self, direction: str) -> Card | None:
        assert self.here is not None
        (x, y), (dx, dy) = self.at_map[self.here[0]], DIRECTIONS[direction]
        return next((card for card, place in self.at_map.items() if place == (x + dx, y + dy)), None)

    def ways(self) -> dict[str, tuple[Card, str]]:
        """Where the hero may move, by the action that does."""
        assert self.here is not None
        card, letter = self.here
        side: MapSide = card.face
        found = {f"go_to_{number + 1}": (card, other) for number, other in enumerate(side.spaces) if other in side.beside(letter)}
        for direction in DIRECTIONS:
            other_card = self.neighbour(direction)
            if other_card is None:
                continue
            other_side: MapSide = other_card.face
            reached = set()
            for part in range(3):
                beyond = other_side.cells[EDGE_CELLS[OPPOSITE[direction]][part]]
                passable = side.open(direction, part) and other_side.open(OPPOSITE[direction], part)
                if side.cells[EDGE_CELLS[direction][part]] == letter and passable and beyond not in reached:
                    reached.add(beyond)
                    found[f"go_{direction}_{PARTS[direction][part]}"] = (other_card, beyond)
        return found

    def walk(self, spaces: int) -> Rules:
        """Up to so many spaces; other actions may be taken between them. Another movement action adds its spaces."""
        outer, self.spaces_left = self.spaces_left, spaces
        while self.spaces_left and (ways := self.ways()):
            name = yield Decision(0, [*ways, "done", *self.actions_on_the_way()])
            if name == "done":
                break
            if name not in ways:
                yield from self.act(name)
                continue
            self.spaces_left -= 1
            self.here = ways[name]
            yield from self.activate(self.space.skulls)
        self.spaces_left = outer

    def return_home(self) -> None:
        """To the Dream Entrance; without one the hero is lost."""
        home = next((card for card in self.at_map if card.face.entrance), None)
        if home is None:
            raise Lost("lost_in_dream")
        self.here = (home, home.face.entrance)

    def lay_map(self, direction: str) -> Rules:
        assert self.here is not None
        (x, y), (dx, dy) = self.at_map[self.here[0]], DIRECTIONS[direction]
        card = yield from self.draw("map")
        card.place = "play"
        self.at_map[card] = (x + dx, y + dy)
        self.explored += 1
        yield from self.after_draw("map")
        yield from self.happens("explored")

    def set_ether(self, colour: str) -> Rules:
        if colour != self.ether:
            self.ether = colour
            yield from self.happens("ether_changed")

    # Taking actions

    def take_actions(self) -> Rules:
        while (name := (yield Decision(0, [*self.actions(), "done"]))) != "done":
            yield from self.act(name)

    def actions(self) -> list[str]:
        """The actions that can be taken, the use of items and of the hero among them."""
        return [*self.actions_on_the_way(), *self.map_actions()]

    def actions_on_the_way(self) -> list[str]:
        """All but map actions, which are barred while the hero moves."""
        found = [f"play_card_{i + 1}" for i, card in enumerate(self.hand) if self.may_play(card)]
        if self.means()["cunning"] and not self.has("no_moves") and self.ways():
            found.append("move")
        if self.may_assault():
            found.append("assault")
        return found + self.uses()

    def map_actions(self) -> list[str]:
        found = ["explore"] if self.space.arrow and self.may_explore() else []
        for i, action in enumerate(self.space.actions):
            summons = any(effect.op == "summon" for effect in action.effects)
            can = self.payable(action) and self.affordable(action.at("use")) and (not summons or self.may_summon())
            if can and action not in self.acted:
                found.append(f"unique_{i + 1}")
        return found

    def uses(self) -> list[str]:
        """What can be done with items and the hero's ability."""
        assert self.hero is not None
        found = [f"discard_item_{i + 1}" for i in range(len(self.items))]
        if not self.has("no_items"):
            found += [f"use_item_{i + 1}" for i, card in enumerate(self.items) if not card.used and self.serves(card.face)]
        if not self.hero_used and self.serves(self.hero.face):
            found.append("use_hero")
        return found

    def serves(self, face: Side) -> bool:
        """Whether there is something to use it for, whose costs can be paid."""
        return bool(face.at("use")) and self.affordable(face.at("use"))

    def act(self, name: str) -> Rules:
        assert self.hero is not None
        number = int(name[-1]) - 1 if name[-1].isdigit() else 0
        if name.startswith("play_card"):
            yield from self.play_card(self.hand[number])
        elif name == "move":
            yield from self.move()
        elif name == "assault":
            yield from self.assault()
        elif name == "explore":
            direction = self.space.arrow
            assert direction is not None
            yield from self.pay({"awareness": self.cost(self.space.awareness)})
            yield from self.lay_map(direction)
        elif name.startswith("unique"):
            action = self.space.actions[number]
            yield from self.pay_one_of(action)
            self.acted.add(action)
            yield from self.follow(action.at("use"), None, action)
        elif name.startswith("use_item"):
            yield from self.use_item(self.items[number])
        elif name.startswith("discard_item"):
            card = self.items[number]
            self.let_go(card)
            self.put(card, "discard")
        else:
            self.hero_used = True
            yield from self.follow(self.hero.face.at("use"), self.hero)
        yield from self.falls()

    def use_item(self, card: Card) -> Rules:
        face = card.face
        if face.lasting:
            card.used = True
            yield from self.follow(face.at("use"), card)
        else:
            self.wait(card)
            self.let_go(card)
            self.put(card, "discard")
            yield from self.falls()
            yield from self.follow(face.at("use"), card)
            yield from self.resolved(card)

    # Costs

    def cost(self, amount: int) -> int:
        return max(1, amount + self.total("cost_change")) if amount else 0

    def costs_of(self, face: Side) -> list[dict[str, int]]:
        return [{name: self.cost(cost.get(name) or 0) for name in RESOURCES} for cost in face.costs]

    def means(self, *, without: Card | None = None) -> Counter[str]:
        """What hand, inventory and ready dice could give."""
        found: Counter[str] = Counter()
        for card in [*self.hand, *self.items]:
            if card is not without:
                found.update({name: n or 0 for name, n in card.face.gives.items()})
        for colour, name in PAYS.items():
            found[name] += self.ready[colour]
        return found

    def payable(self, face: Side, *, without: Card | None = None) -> bool:
        means = self.means(without=without)
        return any(all(means[name] >= n for name, n in cost.items()) for cost in self.costs_of(face))

    def pay_one_of(self, face: Side) -> Rules:
        """One of the costs that an action lists, whichever can be paid."""
        means = self.means()
        costs = self.costs_of(face)
        can = [i for i, cost in enumerate(costs) if all(means[name] >= n for name, n in cost.items())]
        name = yield Decision(0, [("first", "second")[i] for i in can])
        yield from self.pay(costs[("first", "second").index(name)])

    def places(self) -> list[tuple[str, Mapping[str, int], Any]]:
        """What can be spent, in order: hand, inventory, dice."""
        return [
            *((f"spend_card_{i + 1}", card.face.gives, card) for i, card in enumerate(self.hand)),
            *((f"discard_item_{i + 1}", card.face.gives, card) for i, card in enumerate(self.items)),
            *((f"exhaust_{c}", {PAYS[c]: self.ready[c]}, c) for c in COLOURS if c in PAYS and self.ready[c]),
        ]

    def spend(self, name: str, what: Any) -> Mapping[str, int]:
        """Spends a card or a die, and tells what it gives."""
        if isinstance(what, str):
            self.move_die(what, self.ready, self.exhausted)
            return {PAYS[what]: 1}
        if what in self.hand:
            self.hand.remove(what)
        else:
            self.let_go(what)
        self.put(what, "discard")
        gives: Mapping[str, int] = what.face.gives
        return gives

    def pay(self, due: Mapping[str, int]) -> Rules:
        """From place to place upward, each only if it gives what is due, and if what lies from there on still covers all of it."""
        owed = Counter({name: n for name, n in due.items() if n})
        passed: Any = None  # the place last spent from
        while +owed:
            places = self.places_from(passed)
            names = {}
            for i, (name, gives, what) in enumerate(places):
                rest = Counter[str]()
                for _, other, _ in places[i:]:
                    rest.update({key: n or 0 for key, n in other.items()})
                if any(gives.get(key) and n > 0 for key, n in owed.items()) and all(rest[key] >= n for key, n in owed.items()):
                    names[name] = what
            name = yield Decision(0, list(names))
            given = self.spend(name, names[name])
            passed = name
            owed = +Counter({key: n - (given.get(key) or 0) for key, n in owed.items()})
        yield from self.falls()

    def places_from(self, passed: str | None) -> list[tuple[str, Mapping[str, int], Any]]:
        """The places from the one last spent from; what lay behind a card has moved up to its place."""
        kinds = ("spend", "discard", "exhaust")

        def rank(name: str) -> tuple[int, int]:
            kind, _, last = name.partition("_")
            last = last.rpartition("_")[2]
            return kinds.index(kind), COLOURS.index(last) if kind == "exhaust" else int(last)

        return [place for place in self.places() if passed is None or rank(place[0]) >= rank(passed)]

    # Standard actions

    def move(self) -> Rules:
        """One space for each Cunning; it is paid first."""
        paid = 0
        passed: str | None = None
        while True:
            names = {name: what for name, gives, what in self.places_from(passed) if gives.get("cunning")}
            if not names and not paid:
                return
            name = yield Decision(0, [*names, *(["done"] if paid else [])])
            if name == "done":
                break
            given = self.spend(name, names[name])
            paid += given.get("cunning") or 0
            passed = name
        yield from self.falls()
        if self.spaces_left:
            self.spaces_left += paid
        else:
            yield from self.walk(paid)

    def wrath_needed(self, foe: Foe) -> int | None:
        """The Wrath that would defeat this enemy, if damage alone can."""
        if foe.boss or foe.defeated or (self.applying and self.fallen >= self.least("fall_limit")):
            return None
        left = max(1, self.health_of(foe) - self.damage_taken(foe))
        foe.wounds += left
        enough = self.beaten_by(foe)
        foe.wounds -= left
        return left if enough else None

    def targets_of_assault(self) -> dict[str, tuple[Foe, int]]:
        means = self.means()["wrath"]
        needed = {name: (foe, self.wrath_needed(foe)) for name, foe in self.targets(self.foes).items()}
        return {name: (foe, wrath) for name, (foe, wrath) in needed.items() if wrath is not None and wrath <= means}

    def may_assault(self) -> bool:
        return bool(self.targets_of_assault())

    def assault(self) -> Rules:
        targets = self.targets_of_assault()
        foe, wrath = targets[(yield Decision(0, list(targets)))]
        yield from self.pay({"wrath": wrath})
        if foe in self.standing:
            yield from self.fall(foe)

    # Influence and map actions

    def may_play(self, card: Card) -> bool:
        face = card.face
        if self.has("no_cards") or not self.payable(face, without=card):
            return False
        if face.lasting:
            return True
        in_time = {"any": True, "activation": self.part == "activation", "engagement": self.part == "engagement", "apply": self.applying}
        return in_time[face.timing] and self.serves(face)

    def play_card(self, card: Card) -> Rules:
        face = card.face
        self.wait(card)
        self.hand.remove(card)
        self.put(card, "discard")
        yield from self.pay_one_of(face)
        if face.lasting:
            if self.room():
                self.take_into_inventory(card)
            else:
                yield from self.offer_item(card)
        else:
            yield from self.follow(face.at("use"), card)
        yield from self.resolved(card)

    def may_explore(self) -> bool:
        assert self.space.arrow is not None
        cards = self.deck("map") or self.deck("map", "discard")
        free = self.neighbour(self.space.arrow) is None
        return bool(cards) and free and self.means()["awareness"] >= self.cost(self.space.awareness)

    # Items

    def room(self) -> bool:
        return len(self.items) < min(6, self.strategy)

    def offer_item(self, card: Card) -> Rules:
        """A card may be taken into the inventory, if there is room; items may be used or discarded meanwhile."""
        card.place = "limbo"
        while True:
            room = self.room()
            uses = [name for name in self.uses() if not (room and name.startswith("discard"))]
            name = yield Decision(0, [*(["accept"] if room else []), "decline", *uses])
            if name == "accept":
                self.take_into_inventory(card)
                yield from self.falls()
                return
            if name == "decline":
                self.put(card, "discard")
                return
            yield from self.act(name)

    def gain_item(self) -> Rules:
        card = yield from self.draw("item")
        if card is None:
            return
        card.place = "limbo"
        yield from self.after_draw("item")
        yield from self.offer_item(card)

    # Effects

    def follow(self, rows: Sequence[Effect], source: Card | Foe | None, says: Side | None = None) -> Rules:
        """Carries out effects of a card. ``says`` is the side of the source that has them."""
        if source is None:
            yield from self.instructions(rows, None)
        else:
            yield from self.speak(self.waiting(Run(source, says or source.face, rows)))

    def instructions(self, rows: Sequence[Effect], run: Run | None) -> Rules:
        """Carries out instructions in their order."""
        if not rows:
            return
        row, rest = rows[0], rows[1:]
        if row.op == "offer":
            names = ["accept", "decline"] if self.affordable(rest) else ["decline"]
            if (yield Decision(0, names)) == "accept":
                yield from self.instructions(rest, run)
        elif row.op == "choose":
            chosen = rest[: row.count] if (yield Decision(0, ["first", "second"])) == "first" else rest[row.count :]
            yield from self.instructions(chosen, run)
        elif row.op == "test":
            hit = (yield from self.roll(row.what, box=True)) != "miss"
            yield from self.instructions(rest[: row.count] if hit else rest[row.count :], run)
        elif row.op == "if_ether":
            yield from self.instructions(rest[: row.count] if self.ether == row.what else rest[row.count :], run)
        elif row.op not in COSTS or self.can_pay(row):
            source = run.source if run else None
            barred = self.recovering and row.op in RECOVERS and self.has("no_recovery")
            itself = row.op in ABOUT_ITSELF
            if not barred and (not itself or (run and run.source.face is run.says and self.lies(run.card))):
                yield from getattr(self, f"do_{row.op}")(row, source)
            yield from self.falls()
            yield from self.instructions(rest, run)

    def lies(self, card: Card) -> bool:
        """Whether a card is still where it can be turned: in play, held, or resolving."""
        return card.place in ("play", "inventory", "limbo")

    def times(self, row: Effect) -> int:
        number = {
            "once": lambda: 1,
            "miss": lambda: self.unapplied("miss"),
            "hit": lambda: self.unapplied("hit", "crit"),
            "standing_enemy": lambda: len(self.standing),
            "committed_die": self.committed_dice,
        }[row.per]()
        return row.count * number

    def can_pay(self, row: Effect) -> bool:
        if row.op == "pay_stat":
            return bool(self.stats[row.what] - row.count >= 1)
        return (self.gold if row.op == "pay_gold" else self.ready.total()) >= row.count

    def affordable(self, rows: Sequence[Effect], so_far: tuple[Effect, ...] = ()) -> bool:
        """Whether there is a way through these rows whose costs can be paid; what can be declined or is left to chance bars nothing."""
        for i, row in enumerate(rows):
            if row.op in ("offer", "test"):
                break
            if row.op == "choose":
                ways = rows[i + 1 : i + 1 + row.count], rows[i + 1 + row.count :]
                return any(self.affordable(way, so_far) for way in ways)
            if row.op in COSTS:
                so_far += (row,)
        dice = sum(row.count for row in so_far if row.op == "pay_dice")
        gold = sum(row.count for row in so_far if row.op == "pay_gold")
        paid = {stat: sum(row.count for row in so_far if row.op == "pay_stat" and row.what == stat) for stat in STATS}
        return dice <= self.ready.total() and gold <= self.gold and all(not n or n < self.stats[stat] for stat, n in paid.items())

    def do_pay_stat(self, row: Effect, source: Any) -> Rules:
        self.stats[row.what] -= row.count
        return
        yield

    def do_pay_dice(self, row: Effect, source: Any) -> Rules:
        yield from self.exhaust(row.count)

    def do_pay_gold(self, row: Effect, source: Any) -> Rules:
        self.gold -= row.count
        return
        yield

    def do_gain_gold(self, row: Effect, source: Any) -> Rules:
        self.gold = min(20, self.gold + self.times(row))
        return
        yield

    def do_lose_gold(self, row: Effect, source: Any) -> Rules:
        self.gold = max(0, self.gold - self.times(row))
        return
        yield

    def do_gain_stat(self, row: Effect, source: Any) -> Rules:
        self.stats[row.what] = min(6, self.stats[row.what] + self.times(row))
        return
        yield

    def do_lose_stat(self, row: Effect, source: Any) -> Rules:
        if row.what == "health":
            self.lose_health(self.times(row))
        else:
            self.stats[row.what] = max(1, self.stats[row.what] - self.times(row))
        return
        yield

    def do_gain_any_stat(self, row: Effect, source: Any) -> Rules:
        for _ in range(row.count):
            names = [f"choose_{stat}" for stat in STATS if self.stats[stat] < 6]
            if not names:
                return
            self.stats[(yield Decision(0, names)).removeprefix("choose_")] += 1

    def do_lose_any_stat(self, row: Effect, source: Any) -> Rules:
        for _ in range(row.count):
            names = [f"choose_{stat}" for stat in STATS if stat == "health" or self.stats[stat] > 1]
            stat = (yield Decision(0, names)).removeprefix("choose_")
            if stat == "health":
                self.lose_health(1)
            else:
                self.stats[stat] -= 1

    # Dice and their areas

    def do_recover(self, row: Effect, source: Any) -> Rules:
        yield from self.recover(self.times(row))

    def do_recover_colour(self, row: Effect, source: Any) -> Rules:
        self.move_die(row.what, self.exhausted, self.ready, min(row.count, self.exhausted[row.what]))
        return
        yield

    def do_recover_by_roll(self, row: Effect, source: Any) -> Rules:
        dice, self.exhausted = self.exhausted, Counter()
        for colour in COLOURS:
            for _ in range(dice[colour]):
                face = yield from self.roll(colour, box=True)
                (self.exhausted if face == "miss" else self.ready)[colour] += 1

    def exhaust(self, count: int) -> Rules:
        """So many ready dice, weakest first."""
        first = 0
        for left in range(min(count, self.ready.total()), 0, -1):
            found = [i for i in range(first, 5) if self.ready[COLOURS[i]] and sum(self.ready[c] for c in COLOURS[i:]) >= left]
            colour = (yield Decision(0, [f"exhaust_{COLOURS[i]}" for i in found])).removeprefix("exhaust_")
            first = COLOURS.index(colour)
            self.move_die(colour, self.ready, self.exhausted)

    def do_exhaust(self, row: Effect, source: Any) -> Rules:
        yield from self.exhaust(self.times(row))

    def do_exhaust_best(self, row: Effect, source: Any) -> Rules:
        self.strongest(self.times(row), self.exhausted)
        return
        yield

    def do_banish_best(self, row: Effect, source: Any) -> Rules:
        self.strongest(self.times(row), self.banished)
        return
        yield

    def strongest(self, count: int, target: Counter[str]) -> None:
        for colour in reversed(COLOURS):
            n = min(count, self.ready[colour])
            self.move_die(colour, self.ready, target, n)
            count -= n

    def do_banish(self, row: Effect, source: Any) -> Rules:
        """Dice of any area: ready, exhausted, rolled ones, then those on cards from the left; weakest first in each."""
        passed = 0
        left = self.times(row)
        while left > 0:
            areas: list[tuple[str, int, Any]] = [(f"banish_ready_{c}", self.ready[c], (self.ready, c)) for c in COLOURS]
            areas += [(f"banish_exhausted_{c}", self.exhausted[c], (self.exhausted, c)) for c in COLOURS]
            areas += [(f"pick_{c}_{f}", self.rolled[c, f], (self.rolled, (c, f))) for c in COLOURS for f in FACES]
            areas += [(f"target_{i + 1}", foe.dice.total() if foe else 0, foe) for i, foe in enumerate(self.active)]
            left = min(left, sum(n for _, n, _ in areas[passed:]))
            found = {areas[i][0]: i for i in range(passed, len(areas)) if areas[i][1] and sum(n for _, n, _ in areas[i:]) >= left}
            if not found:
                return
            passed = found[(yield Decision(0, list(found)))]
            where = areas[passed][2]
            if isinstance(where, Foe):
                die = self.picked((yield Decision(0, [f"pick_{c}_{f}" for c, f in +where.dice])))
                where.dice[die] -= 1
                self.banished[die[0]] += 1
            else:
                where[0][where[1]] -= 1
                self.banished[where[1] if isinstance(where[1], str) else where[1][0]] += 1
            left -= 1

    def do_banish_misses(self, row: Effect, source: Any) -> Rules:
        left = row.count
        for colour in COLOURS:
            n = min(left, self.rolled[colour, "miss"])
            self.rolled[colour, "miss"] -= n
            self.banished[colour] += n
            left -= n
        return
        yield

    def do_banish_applied(self, row: Effect, source: Any) -> Rules:
        if not isinstance(source, Foe):
            return
        first = 0
        for left in range(min(row.count, source.dice.total()), 0, -1):
            found = {}
            for die in sorted(+source.dice, key=self.rank_of):
                if self.rank_of(die) >= first and sum(n for d, n in source.dice.items() if self.rank_of(d) >= self.rank_of(die)) >= left:
                    found[f"pick_{die[0]}_{die[1]}"] = die
            die = found[(yield Decision(0, list(found)))]
            first = self.rank_of(die)
            source.dice[die] -= 1
            self.banished[die[0]] += 1

    def do_restore(self, row: Effect, source: Any) -> Rules:
        first = 0
        for _ in range(row.count):
            found = [f"restore_{colour}" for colour in COLOURS[first:] if self.banished[colour]]
            name = yield Decision(0, [*found, "done"])
            if name == "done":
                return
            colour = name.removeprefix("restore_")
            first = COLOURS.index(colour)
            self.move_die(colour, self.banished, self.ready)

    def do_restore_colour(self, row: Effect, source: Any) -> Rules:
        if self.banished[row.what]:
            self.move_die(row.what, self.banished, self.ready)
        return
        yield

    # Dice that have been rolled

    def turn(self, count: int, face: str, to: str) -> Rules:
        first = 0
        for _ in range(count):
            found = [f"pick_{c}_{f}" for c, f in self.shown(face) if COLOURS.index(c) >= first]
            name = yield Decision(0, [*found, "done"])
            if name == "done":
                return
            colour, _ = self.picked(name)
            first = COLOURS.index(colour)
            self.rolled[colour, face] -= 1
            self.rolled[colour, to] += 1
        self.order_anew()

    def do_turn_miss(self, row: Effect, source: Any) -> Rules:
        yield from self.turn(row.count, "miss", "hit")

    def do_turn_hit(self, row: Effect, source: Any) -> Rules:
        yield from self.turn(row.count, "hit", "crit")

    def reroll_die(self, die: Die) -> Rules:
        self.rolled[die] -= 1
        face = yield from self.roll(die[0])
        self.rolled[die[0], face] += 1
        self.order_anew()

    def do_reroll(self, row: Effect, source: Any) -> Rules:
        for _ in range(row.count):
            name = yield Decision(0, [*(f"pick_{c}_{f}" for c, f in self.shown(*FACES)), "done"])
            if name == "done":
                return
            yield from self.reroll_die(self.picked(name))

    def do_reroll_misses(self, row: Effect, source: Any) -> Rules:
        misses = {colour: self.rolled.pop((colour, "miss"), 0) for colour in COLOURS}
        for colour, n in misses.items():
            for _ in range(n):
                self.rolled[colour, (yield from self.roll(colour))] += 1
        self.order_anew()

    def do_reroll_hits(self, row: Effect, source: Any) -> Rules:
        for _ in range(self.times(row)):
            found = [f"pick_{c}_{f}" for c, f in self.shown("hit", "crit")]
            if not found:
                return
            yield from self.reroll_die(self.picked((yield Decision(0, found))))

    def do_exhaust_hits(self, row: Effect, source: Any) -> Rules:
        """So many, weakest first."""
        first = 0
        for left in range(min(self.times(row), self.unapplied("hit", "crit")), 0, -1):
            dice = [die for die in self.shown("hit", "crit") if self.rank_of(die) >= first]
            found = [(c, f) for c, f in dice if sum(self.rolled[die] for die in dice if self.rank_of(die) >= self.rank_of((c, f))) >= left]
            die = self.picked((yield Decision(0, [f"pick_{c}_{f}" for c, f in found])))
            first = self.rank_of(die)
            self.rolled[die] -= 1
            self.exhausted[die[0]] += 1

    def do_swap_dice(self, row: Effect, source: Any) -> Rules:
        def partners(colour: str) -> list[Die]:
            return [die for die in self.shown("hit", "crit") if die[0] != colour]

        misses = [f"pick_{c}_{f}" for c, f in self.shown("miss") if partners(c)]
        if not misses:
            return
        name = yield Decision(0, [*misses, "done"])
        if name == "done":
            return
        colour, _ = self.picked(name)
        other = self.picked((yield Decision(0, [f"pick_{c}_{f}" for c, f in partners(colour)])))
        self.rolled[colour, "miss"] -= 1
        self.rolled[other] -= 1
        self.rolled[colour, other[1]] += 1
        self.rolled[other[0], "miss"] += 1
        self.order_anew()

    def do_return_die(self, row: Effect, source: Any) -> Rules:
        first = 0
        for _ in range(row.count):
            found = [f"pick_{c}_{f}" for c, f in self.shown(*FACES) if self.rank_of((c, f)) >= first]
            name = yield Decision(0, [*found, "done"])
            if name == "done":
                return
            die = self.picked(name)
            first = self.rank_of(die)
            self.rolled[die] -= 1
            self.ready[die[0]] += 1

    # Items, enemies, the hero

    def do_gain_item(self, row: Effect, source: Any) -> Rules:
        for _ in range(row.count):
            yield from self.gain_item()

    def do_lose_item(self, row: Effect, source: Any) -> Rules:
        first = 0
        for left in range(min(row.count, len(self.items)), 0, -1):
            places = [place for place in range(first, len(self.items)) if len(self.items) - place >= left]
            name = yield Decision(0, [f"discard_item_{place + 1}" for place in places])
            first = int(name.removeprefix("discard_item_")) - 1
            card = self.items[first]
            self.let_go(card)
            self.put(card, "discard")
            yield from self.falls()

    def do_upgrade_item(self, row: Effect, source: Any) -> Rules:
        """The cards of this deck have no upgraded side."""
        return
        yield

    def do_activate(self, row: Effect, source: Any) -> Rules:
        yield from self.activate(self.times(row))

    def do_flee(self, row: Effect, source: Any) -> Rules:
        """It counts committed dice, applied ones too."""
        if not isinstance(source, Foe) or source not in self.standing:
            return
        faces = ("hit", "crit") if row.what == "hit" else (row.what,)
        shown = sum(n for dice in (self.rolled, *(foe.dice for foe in self.foes)) for (_, face), n in dice.items() if face in faces)
        if shown >= row.count:
            self.put_away(source)
        return
        yield

    def do_return_to_deck(self, row: Effect, source: Any) -> Rules:
        if isinstance(source, Foe) and source in self.foes:
            self.put_away(source, "deck")
            if source.card.place == "deck":
                yield from self.reveal(source.face.type)

    def choose_foe(self, foes: Sequence[Foe]) -> Rules:
        if not foes:
            return None
        places = self.targets(foes)
        return places[(yield Decision(0, list(places)))]

    def do_defeat(self, row: Effect, source: Any) -> Rules:
        foe = yield from self.choose_foe([foe for foe in self.standing if not foe.boss])
        if foe:
            yield from self.fall(foe)

    def do_wound(self, row: Effect, source: Any) -> Rules:
        count = self.times(row)
        foe = (yield from self.choose_foe(self.standing)) if count else None
        if foe:
            foe.wounds += count
            foe.held = foe.held and self.applying

    def do_set_health(self, row: Effect, source: Any) -> Rules:
        foe = yield from self.choose_foe(self.standing)
        if foe:
            foe.set_health = row.count
            foe.held = foe.held and self.applying

    def do_cancel(self, row: Effect, source: Any) -> Rules:
        foe = yield from self.choose_foe([foe for foe in self.standing if not foe.cancelled])
        if foe:
            foe.cancelled = True

    def do_flip_enemy(self, row: Effect, source: Any) -> Rules:
        foe = yield from self.choose_foe([foe for foe in self.standing if not foe.boss])
        if foe:
            self.flip_foe(foe)

    def do_double_reward(self, row: Effect, source: Any) -> Rules:
        self.doubled += row.count
        return
        yield

    def do_shield(self, row: Effect, source: Any) -> Rules:
        self.shield += self.times(row)
        return
        yield

    def do_extra_pass(self, row: Effect, source: Any) -> Rules:
        self.extra_passes += row.count
        return
        yield

    def do_flip_hero(self, row: Effect, source: Any) -> Rules:
        """Heroes of this box turn lucid for good; guests with two sides turn over and back."""
        assert self.hero is not None
        if len(self.hero.sides) == 2 and (self.hero in self.guests or not self.hero.up):
            self.hero.turn()
        return
        yield

    # Words of this deck

    def do_draw_influence(self, row: Effect, source: Any) -> Rules:
        for _ in range(self.times(row)):
            if not (yield from self.draw_influence()):
                return

    def do_discard_influence(self, row: Effect, source: Any) -> Rules:
        yield from self.discard_influence(self.times(row))

    def do_recall(self, row: Effect, source: Any) -> Rules:
        for _ in range(row.count):
            cards = self.deck("influence", "discard")
            if not cards or len(self.hand) >= ROOM:
                return
            self.take_into_hand((yield from self.random_card(cards)))

    def do_banish_influence(self, row: Effect, source: Any) -> Rules:
        for _ in range(row.count):
            yield from self.banish_random()
            top = self.top["influence"]
            if top is not None and top.place == "banished":
                yield from self.reveal("influence")

    def do_set_ether(self, row: Effect, source: Any) -> Rules:
        yield from self.set_ether(row.what)

    def do_advance_ether(self, row: Effect, source: Any) -> Rules:
        yield from self.set_ether(COLOURS[(COLOURS.index(self.ether) + 1) % 5])

    def do_flip_card(self, row: Effect, source: Any) -> Rules:
        if source in self.foes:
            self.flip_foe(source)
        else:
            card = source.card if isinstance(source, Foe) else source
            card.turn()
            if source in self.items:
                self.let_go(source)
                self.put(source, "discard")
        return
        yield

    def do_flip_and_take(self, row: Effect, source: Any) -> Rules:
        card = source.card if isinstance(source, Foe) else source
        if source in self.standing and card.sides[1 - card.up].type == "enemy":
            self.flip_foe(source)
            return
        if source in self.foes:
            self.put_away(source)
        if card in self.items:
            self.let_go(card)
        card.turn()
        if card.face.type == "influence":
            self.take_into_hand(card)
        elif card.face.type == "item":
            yield from self.offer_item(card)
        elif card.place != "limbo":  # else it goes where it was going
            self.put(card, "discard")

    def do_banish_card(self, row: Effect, source: Any) -> Rules:
        if source in self.foes:
            self.put_away(source, "banished")
        if source in self.items:
            self.let_go(source)
        (source.card if isinstance(source, Foe) else source).place = "banished"
        return
        yield

    def do_flip_map(self, row: Effect, source: Any) -> Rules:
        assert self.here is not None
        card = self.here[0]
        card.turn()
        self.return_home()
        return
        yield

    def do_discard_map(self, row: Effect, source: Any) -> Rules:
        assert self.here is not None
        card = yield from self.random_card(list(self.at_map))
        del self.at_map[card]
        card.place = "discard"
        if self.here[0] is card:
            self.return_home()

    def do_move(self, row: Effect, source: Any) -> Rules:
        yield from self.walk(row.count)

    def do_return_home(self, row: Effect, source: Any) -> Rules:
        if any(card.face.entrance for card in self.at_map):
            self.return_home()
        return
        yield

    def do_summon(self, row: Effect, source: Any) -> Rules:
        yield from self.summon()

    # The position, for comparison

    def facts(self) -> dict[str, Any]:
        return {
            "cards": {card.face.name: card.place for card in self.cards},
            "maps": {card.face.name: self.at_map.get(card, card.place) for card in self.maps},
            "stats": list(self.stats.values()),
            "ready": counts(self.ready),
            "exhausted": counts(self.exhausted),
            "banished": counts(self.banished),
            "shown": counts(self.rolled),
            "hero": self.hero.face.name if self.hero else None,
            "boss": self.boss.face.name if self.boss else None,
            "top": [card.face.name if card else None for card in self.top.values()],
            "hand": [card.face.name for card in self.hand],
            "items": [card.face.name for card in self.items],
            "active": [foe and (foe.face.name, foe.defeated, foe.cancelled, counts(foe.dice), foe.wounds) for foe in self.active],
            "at": (self.here[0].face.name, self.here[1]) if self.here else None,
            "ether": self.ether if self.hero else None,
            "facing": self.facing,
            "gold": self.gold,
        }


def counts(dice: Counter[Any]) -> dict[Any, int]:
    return {kind: n for kind, n in dice.items() if n}
