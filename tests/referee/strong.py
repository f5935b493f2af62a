"""The referee of the 20 Strong system: what every deck of it shares, straight from the rulebook.

A deck's referee subclasses :class:`Table`, reads its cards with :func:`effects_of` and :class:`Card`, and plays its rounds as generators
that call the parts below with ``yield from``: :meth:`Table.strategy_phase`, :meth:`Table.resolve_phase`, :meth:`Table.follow` (instructions
of a card), :meth:`Table.event` (hero, items, cards beside), :meth:`Table.settle` (who has fallen). It fills in the hooks at the end of the
class: where new enemies and items come from, where cards go, what happens when Strategy rises, its own instructions, and what may be done
besides in the Commit and Apply Dice steps. :class:`Lost` ends a game in which Health fell below 1; the deck's ``play`` catches it.

Dice are words ("yellow"), a rolled die is a pair ("yellow", "hit"), areas are Counters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.referee.match import Chance, Decision, Fields, Rules

COLOURS = ("yellow", "green", "blue", "purple", "red")
FACES = ("miss", "hit", "crit")
STATS = ("health", "strategy", "recovery")
BOX = {"yellow": 4, "green": 4, "blue": 4, "purple": 4, "red": 1}
SIDES = {
    "yellow": {"miss": 4, "hit": 1, "crit": 1},
    "green": {"miss": 3, "hit": 2, "crit": 1},
    "blue": {"miss": 2, "hit": 3, "crit": 1},
    "purple": {"miss": 1, "hit": 4, "crit": 1},
    "red": {"miss": 0, "hit": 5, "crit": 1},
}
HIGHEST_STAT, MAX_GOLD = 6, 20
ACTIVE_CARDS, CARDS_BESIDE = 8, 4
NO_LIMIT = 99

Die: TypeAlias = tuple[str, str]

# Modifiers, by how those of several cards combine. All other words are instructions.
LIMITS = ("commit_limit", "commit_total", "fall_limit", "apply_limit_all", "apply_limit", "apply_per_roll", "damage_cap")
SUMS = (
    "strategy_change", "recovery_change", "crit_bonus", "enemy_health", "enemy_damage", "shield_always", "bribe_change", "price_change",
    "hit_bonus_here",
)  # fmt: skip
COLOUR_SETS = ("commit_ban", "hits_void", "apply_ban", "hits_void_here")
FLAGS = (
    "commit_one_each", "commit_whole_colour", "no_recovery", "crits_void", "swap_hits", "keep_hits", "fix_misses", "no_bribes", "no_items",
    "apply_one_each", "apply_one_colour", "pairs_only", "protected", "crits_void_here", "crits_only", "no_crits",
)  # fmt: skip
HIGHEST = ("colours_needed",)
BY_COLOUR = ("hit_bonus",)
MODIFIERS = {*LIMITS, *SUMS, *COLOUR_SETS, *FLAGS, *HIGHEST, *BY_COLOUR}
OF_ITS_ENEMY = {
    "apply_limit", "apply_per_roll", "apply_ban", "apply_one_each", "apply_one_colour", "pairs_only", "colours_needed", "damage_cap",
    "protected", "crits_void_here", "hits_void_here", "hit_bonus_here", "crits_only", "no_crits",
}  # fmt: skip


class Lost(Exception):
    """Health fell below 1."""


@dataclass(frozen=True, eq=False)
class Effect:
    """A modifier or an instruction of a card."""

    when: str
    op: str
    count: int = 0
    what: Any = None  # a colour, a tuple of colours, a stat, a face, a side: what the op is about
    per: str = "once"


def effects_of(
    written: Iterable[Mapping[str, Any]], implied: str, standing: str = "always", modifiers: Iterable[str] = MODIFIERS
) -> list[Effect]:
    """Effects of a deck file. ``implied`` and ``standing`` are when an instruction and a modifier act that do not say."""
    found = []
    for effect in written:
        what = next((effect[name] for name in ("colour", "colours", "stat", "face", "side") if effect.get(name) is not None), None)
        if "colours" in effect and effect["colours"] is not None:
            what = COLOURS if what == "all" else tuple(c for c in COLOURS if c in what)
        when = effect.get("when") or (standing if effect["op"] in set(modifiers) else implied)
        found.append(Effect(when, effect["op"], effect.get("count") or 0, what, effect.get("per") or "once"))
    return found


@dataclass(eq=False)
class Card:
    """One side of a card."""

    name: str
    kind: str  # enemy, boss, power_up, item, hero, fable, ...
    effects: list[Effect]
    health: int = 0
    damage: int = 0
    bribe: int | None = None
    cost: int = 0
    uses: str = ""  # of an item: single or ongoing
    stats: tuple[int, int, int] = (0, 0, 0)
    back: Card | None = None  # what it turns to
    id: Any = None  # the deck's own

    def __post_init__(self) -> None:
        self.moments: dict[str, list[Effect]] = {}
        for effect in self.effects:
            self.moments.setdefault(effect.when, []).append(effect)
        self.lasting = [effect for effect in self.effects if effect.when in ("during", "always")]

    def at(self, when: str) -> list[Effect]:
        """Its instructions for a moment."""
        return self.moments.get(when, [])


@dataclass(eq=False)
class Active:
    """A card in the active area."""

    card: Card
    defeated: bool = False
    cancelled: bool = False
    unbribable: bool = False
    set_health: int | None = None
    extra_health: int = 0
    extra_damage: int = 0
    wounds: int = 0
    dice: Counter[Die] = field(default_factory=Counter)
    since_roll: int = 0  # dice applied since the last roll
    before: int = 0  # damage that counted before this round
    before_uncapped: int = 0
    held: bool = False  # its damage is enough, but the limit on falls kept it standing

    @property
    def enemy(self) -> bool:
        return self.card.kind in ("enemy", "boss")

    @property
    def standing(self) -> bool:
        return self.enemy and not self.defeated

    def standing_modifiers(self) -> list[Effect]:
        """During effects end with the enemy, Special ones with the card."""
        if self.cancelled:
            return []
        return self.card.at("always") if self.defeated else self.card.lasting


@dataclass(eq=False)
class Kept:
    """A card beside the hero."""

    card: Card
    left: int  # rounds, 0 to the end of the game


class Mods:
    """The standing modifiers of some effects, combined."""

    def __init__(self, effects: Iterable[Effect]) -> None:
        self.values: dict[str, Any] = {}
        self.hit_bonus: Counter[str] = Counter()
        for effect in effects:
            op, values = effect.op, self.values
            if op in LIMITS:
                values[op] = min(values.get(op, NO_LIMIT), effect.count)
            elif op in HIGHEST:
                values[op] = max(values.get(op, 0), effect.count)
            elif op in COLOUR_SETS:
                values[op] = {*values.get(op, ()), *effect.what}
            elif op in BY_COLOUR:
                for colour in effect.what:
                    self.hit_bonus[colour] += effect.count
            elif op in FLAGS:
                values[op] = True
            else:
                values[op] = values.get(op, 0) + effect.count

    def limit(self, op: str) -> int:
        return self.values.get(op, NO_LIMIT)

    def total(self, op: str) -> int:
        return self.values.get(op, 0)

    def has(self, op: str) -> bool:
        return bool(self.values.get(op))

    def colours(self, op: str) -> Iterable[str]:
        return self.values.get(op, ())


NOTHING = Mods(())


class Table:
    """The table of a 20 Strong game, and what happens at it."""

    windows: Sequence[str] = ()
    """Questions, by their phases, before which items and the hero's ability may be used; beside Commit Dice, Apply Dice, Take the item?"""

    def __init__(self, hero: Card) -> None:
        self.hero = hero
        self.ready: Counter[str] = Counter(BOX)
        self.exhausted: Counter[str] = Counter()
        self.banished: Counter[str] = Counter()
        self.to_roll: Counter[str] = Counter()  # committed dice that are to be rolled
        self.shown: Counter[Die] = Counter()  # committed and unapplied
        self.kept: Counter[Die] = Counter()  # hits set aside from the next roll
        self.stats = dict(zip(STATS, hero.stats, strict=True))
        self.gold = 0
        self.active: list[Active | None] = [None] * ACTIVE_CARDS
        self.items: list[Card] = []
        self.beside: list[Kept] = []
        self.used: list[Any] = []  # ongoing items, and the hero's side or "hero", used this round
        self.passes = 0  # times through the Strategy phase in this engagement
        self.extra_passes = 0
        self.committed = 0  # dice committed in this engagement
        self.weary: Counter[str] = Counter()  # by how much stats count lower here
        self.shield = 0
        self.doubled = 0
        self.endgame = False
        self.recovering = False  # while a Recover Dice step is answered
        self.applying = False  # in an Apply Dice step
        self.answering_crit = False
        self.falls = 0  # in this Apply Dice step
        self.last: tuple[int, int] = (0, 0)  # the last die applied since the last event, and its place

    # What counts now

    def modifiers(self) -> Mods:
        """Those of the whole table."""
        effects = [effect for active in self.active if active for effect in active.standing_modifiers() if effect.op not in OF_ITS_ENEMY]
        for card in self.own_cards():
            effects += card.at("always")
        return Mods(effects)

    def own_cards(self) -> list[Card]:
        """The player's lasting cards: hero, ongoing items from the left, cards beside the hero."""
        return [self.hero, *(item for item in self.items if item.uses == "ongoing"), *(kept.card for kept in self.beside)]

    @staticmethod
    def modifiers_of(active: Active) -> Mods:
        """Those that an enemy has for itself."""
        effects = active.standing_modifiers()
        return Mods([effect for effect in effects if effect.op in OF_ITS_ENEMY]) if effects else NOTHING

    def strategy(self) -> int:
        """Strategy as it counts now."""
        return max(1, self.stats["strategy"] + self.modifiers().total("strategy_change") - self.weary["strategy"])

    def recovery(self) -> int:
        return max(0, self.stats["recovery"] + self.modifiers().total("recovery_change") - self.weary["recovery"])

    def health_of(self, active: Active, table: Mods | None = None) -> int:
        table = table or self.modifiers()
        own = active.card.health + active.extra_health if active.set_health is None else active.set_health
        return max(1, own + table.total("enemy_health"))

    def damage_of(self, active: Active) -> int:
        """Damage that an enemy deals."""
        return max(0, active.card.damage + active.extra_damage + self.modifiers().total("enemy_damage"))

    def die_damage(self, die: Die, table: Mods, own: Mods) -> int:
        """What a die deals to an enemy."""
        colour, face = die
        if face == "miss" or colour in table.colours("hits_void") or colour in own.colours("hits_void_here"):
            return 0
        if face == "crit" and (table.has("crits_void") or own.has("crits_void_here")):
            return 0
        damage = (2 + table.total("crit_bonus") if face == "crit" else 1) + table.hit_bonus[colour] + own.total("hit_bonus_here")
        return max(0, damage)

    def damage_on(self, active: Active, table: Mods | None = None, *, capped: bool = True) -> int:
        """Damage that an enemy has taken, dice and wounds."""
        table, own = table or self.modifiers(), self.modifiers_of(active)
        total = active.wounds
        for colour in COLOURS if active.dice else ():
            deals = sorted(
                (self.die_damage((colour, face), table, own) for face in FACES for _ in range(active.dice[colour, face])),
                reverse=True,
            )
            if own.has("pairs_only"):
                deals = deals[: len(deals) // 2 * 2]
            total += sum(deals)
        if capped:
            total = active.before + min(total - active.before_uncapped, own.limit("damage_cap"))
        return total

    def beaten(self, active: Active, table: Mods | None = None) -> bool:
        """Whether the damage on a standing enemy is enough."""
        table, own = table or self.modifiers(), self.modifiers_of(active)
        if own.has("protected") and any(other and other is not active and other.standing for other in self.active):
            return False
        if len({colour for (colour, _), n in active.dice.items() if n}) < own.values.get("colours_needed", 0):
            return False
        return self.damage_on(active, table) >= self.health_of(active, table)

    def standing_enemies(self) -> list[int]:
        return [place for place, active in enumerate(self.active) if active and active.standing]

    def committed_dice(self) -> Counter[Die]:
        """All dice in the active area that have been rolled, applied or not."""
        dice = self.shown + self.kept
        for active in self.active:
            if active:
                dice = dice + active.dice
        return dice

    # Falls

    def settle(self) -> Rules:
        """Enemies fall whose damage is enough, the leftmost first, until nothing changes; what answers a crit comes first."""
        while not self.answering_crit:
            table = self.modifiers()
            for active in self.active:
                if active and active.standing and not active.held and self.beaten(active, table):
                    if self.applying and self.falls >= table.limit("fall_limit"):
                        active.held = True
                        continue
                    yield from self.fall(active)
                    break
            else:
                return

    def fall(self, active: Active) -> Rules:
        """An enemy is defeated."""
        active.defeated, active.held = True, False
        if self.applying:
            self.falls += 1
        self.new_order()
        witnesses = self.own_cards()
        yield from self.settle()  # whom it protected falls with it
        if not active.cancelled:
            yield from self.follow(active.card.at("falls"), active)
        yield from self.reward(active)
        if active.card.kind == "boss":
            yield from self.answer(witnesses, "boss_fell")
        yield from self.answer(witnesses, "enemy_fell")

    def reward(self, active: Active) -> Rules:
        """The Instant reward, which may be refused."""
        instructions = active.card.at("reward")
        if instructions and (yield Decision(0, ["accept", "decline"], "Take the reward?")) == "accept":
            times = 1
            if self.doubled:
                self.doubled -= 1
                times = 2
            for _ in range(times):
                yield from self.follow(instructions, active)

    # Moments

    def event(self, when: str) -> Rules:
        """The player's own cards answer: the hero first, then items from the left, then cards beside the hero."""
        yield from self.answer(self.own_cards(), when)

    def answer(self, cards: Sequence[Card], when: str) -> Rules:
        """Those answer that lay there when it happened."""
        for card in cards:
            yield from self.follow(card.at(when), card)

    def one_by_one(self, waiting: Any, when: Sequence[str], phase: str) -> Rules:
        """Cards that wait to act do so in the order that the player chooses. ``waiting`` tells the places of those that still may."""
        done: list[Active] = []
        while True:
            places = [place for place in waiting() if self.active[place] not in done]
            if not places:
                return
            chosen = places[0]
            if len(places) > 1:
                name = yield Decision(0, [f"target_{place + 1}" for place in places], phase)
                chosen = int(name.removeprefix("target_")) - 1
            active = self.active[chosen]
            assert active
            done.append(active)
            for instructions in [active.card.at(moment) for moment in when if moment != "after_standing" or not active.defeated]:
                yield from self.follow(instructions, active)

    # Instructions

    def amount(self, effect: Effect) -> int:
        """The count, times what it is meant for."""
        if effect.per == "once":
            return effect.count
        dice = self.shown + self.kept
        number = {
            "miss": sum(n for (_, face), n in dice.items() if face == "miss"),
            "hit": sum(n for (_, face), n in dice.items() if face != "miss"),
            "standing_enemy": len(self.standing_enemies()),
            "committed_die": sum(self.committed_dice().values()) + sum(self.to_roll.values()),
        }[effect.per]
        return effect.count * number

    def follow(self, instructions: Sequence[Effect], source: Any) -> Rules:
        """Carries out instructions of a card in the order written; who has fallen is asked after each."""
        for index, effect in enumerate(instructions):
            rest = instructions[index + 1 :]
            if effect.op == "offer":
                if (yield from self.question(lambda: self.answers(rest), "Accept the offer?")) == "decline":  # noqa: B023
                    return
            elif effect.op == "choose":
                first = (yield from self.question(lambda: ["first", "second"], "Choose one")) == "first"
                yield from self.follow(rest[: effect.count] if first else rest[effect.count :], source)
                return
            elif effect.op == "test":
                face = yield Chance(SIDES[effect.what], "A test")
                yield from self.follow(rest[: effect.count] if face != "miss" else rest[effect.count :], source)
                return
            elif self.branches(effect) is not None:
                yield from self.follow(rest[: effect.count] if self.branches(effect) else rest[effect.count :], source)
                return
            elif effect.op.startswith("pay_"):
                if not (yield from self.pay(effect)):
                    return
            else:
                yield from self.carry_out(effect, source)
            yield from self.settle()

    def answers(self, rest: Sequence[Effect]) -> list[str]:
        """To an offer: it can be accepted where some way through it can be paid."""
        return [*(["accept"] if self.can_pay(rest) else []), "decline"]

    def can_pay(self, instructions: Sequence[Effect]) -> bool:
        """Whether the costs of some way through these instructions can all be paid."""
        have = {"gold": self.gold, "dice": sum(self.ready.values()), **{stat: number - 1 for stat, number in self.stats.items()}}
        return any(all(number <= have[what] for what, number in way.items()) for way in ways_through(instructions))

    def question(self, answers: Callable[[], list[str]], phase: str) -> Rules:
        """An answer of the player, who may first use items where the deck allows it."""
        while True:
            name = yield Decision(0, [*answers(), *(self.uses() if phase in self.windows else [])], phase)
            if not name.startswith("use_"):
                return name
            yield from self.use(name)

    def pay(self, effect: Effect) -> Rules:
        """A cost: returns whether it was paid."""
        if not self.affords(effect):
            return False
        if effect.op == "pay_gold":
            self.gold -= effect.count
        elif effect.op == "pay_stat":
            self.stats[effect.what] -= effect.count
        else:
            yield from self.exhaust(effect.count)
        return True

    def carry_out(self, effect: Effect, source: Any) -> Rules:
        """One instruction."""
        rule = getattr(self, f"do_{effect.op}", None)
        if self.recovering and effect.op in ("recover", "recover_colour", "recover_by_roll") and self.modifiers().has("no_recovery"):
            return
        if rule is None:
            yield from self.own_instruction(effect, source)
        else:
            yield from rule(effect, source)

    # ... of stats and gold

    def do_gain_stat(self, effect: Effect, source: Any) -> Rules:
        yield from self.gain_stat(effect.what, self.amount(effect))

    def gain_stat(self, stat: str, number: int) -> Rules:
        before = self.stats[stat]
        self.stats[stat] = min(HIGHEST_STAT, before + number)
        if stat == "strategy" and self.stats[stat] > before:
            yield from self.strategy_rose()

    def do_lose_stat(self, effect: Effect, source: Any) -> Rules:
        self.lose_stat(effect.what, self.amount(effect))
        yield from ()

    def lose_stat(self, stat: str, number: int) -> None:
        self.stats[stat] -= number
        if stat == "health":
            self.alive()
        else:
            self.stats[stat] = max(1, self.stats[stat])

    def alive(self) -> None:
        if self.stats["health"] < 1:
            raise Lost

    def do_gain_any_stat(self, effect: Effect, source: Any) -> Rules:
        for _ in range(effect.count):
            name = yield Decision(0, [f"choose_{stat}" for stat in STATS if self.stats[stat] < HIGHEST_STAT] or ["done"], "Raise a stat")
            if name != "done":
                yield from self.gain_stat(name.removeprefix("choose_"), 1)

    def do_lose_any_stat(self, effect: Effect, source: Any) -> Rules:
        for _ in range(effect.count):
            stats = [stat for stat in STATS if stat == "health" or self.stats[stat] > 1]
            name = yield Decision(0, [f"choose_{stat}" for stat in stats], "Lower a stat")
            self.lose_stat(name.removeprefix("choose_"), 1)

    def do_gain_gold(self, effect: Effect, source: Any) -> Rules:
        self.gold = min(MAX_GOLD, self.gold + self.amount(effect))
        yield from ()

    def do_lose_gold(self, effect: Effect, source: Any) -> Rules:
        self.gold = max(0, self.gold - self.amount(effect))
        yield from ()

    # ... of dice in and out of the pool

    def do_recover(self, effect: Effect, source: Any) -> Rules:
        yield from self.recover(self.amount(effect))

    def recover(self, number: int, extra: str | None = None) -> Rules:
        """Up to so many exhausted dice return to the pool, and one more of the colour ``extra``; weakest first."""
        weakest = 0
        while number or extra:
            colours = [c for c in COLOURS[weakest:] if self.exhausted[c] and (number or c == extra)]
            if not colours:
                return
            name = yield Decision(0, [*(f"recover_{c}" for c in colours), "done"], "Recover dice")
            if name == "done":
                return
            colour = name.removeprefix("recover_")
            move(self.exhausted, self.ready, colour)
            weakest = COLOURS.index(colour)
            if colour == extra:
                extra = None
            else:
                number -= 1

    def do_recover_colour(self, effect: Effect, source: Any) -> Rules:
        for _ in range(min(effect.count, self.exhausted[effect.what])):
            move(self.exhausted, self.ready, effect.what)
        yield from ()

    def do_recover_by_roll(self, effect: Effect, source: Any) -> Rules:
        for colour in COLOURS:
            for _ in range(self.exhausted[colour]):
                if (yield Chance(SIDES[colour], "Roll exhausted dice")) != "miss":
                    move(self.exhausted, self.ready, colour)
        yield from ()

    def do_exhaust(self, effect: Effect, source: Any) -> Rules:
        yield from self.exhaust(self.amount(effect))

    def exhaust(self, number: int) -> Rules:
        """So many ready dice, or all there are; one spelling a set, weakest first."""
        yield from self.choose_all(number, lambda: [(f"exhaust_{c}", self.ready[c]) for c in COLOURS], self.exhaust_named, "Exhaust dice")

    def exhaust_named(self, name: str) -> None:
        move(self.ready, self.exhausted, name.removeprefix("exhaust_"))

    @staticmethod
    def choose_all(number: int, options: Callable[[], list[tuple[str, int]]], choose: Callable[[str], None], phase: str) -> Rules:
        """The player chooses so many, or all there are.

        They are chosen in the order of ``options`` (names, and how many there are of each), so that every set has one spelling.
        """
        first = 0
        for left in range(min(number, sum(n for _, n in options())), 0, -1):
            there = options()
            names = [name for i, (name, n) in enumerate(there) if i >= first and n and sum(m for _, m in there[i:]) >= left]
            name = yield Decision(0, names, phase)
            first = [name for name, _ in there].index(name)
            choose(name)

    def do_exhaust_best(self, effect: Effect, source: Any) -> Rules:
        self.strongest(self.amount(effect), self.exhausted)
        yield from ()

    def do_banish_best(self, effect: Effect, source: Any) -> Rules:
        self.strongest(self.amount(effect), self.banished)
        yield from ()

    def strongest(self, number: int, area: Counter[str]) -> None:
        for colour in reversed(COLOURS):
            for _ in range(min(number, self.ready[colour])):
                move(self.ready, area, colour)
                number -= 1

    def do_banish(self, effect: Effect, source: Any) -> Rules:
        yield from self.banish(self.amount(effect))

    def banish(self, number: int) -> Rules:
        """So many dice from any area, or all there are; one spelling a set of places."""
        first = 0
        for left in range(min(number, sum(n for _, n in self.banishable())), 0, -1):
            there = self.banishable()
            names = [name for i, (name, n) in enumerate(there) if i >= first and n and sum(m for _, m in there[i:]) >= left]
            name = yield Decision(0, names, "Banish a die")
            first = [name for name, _ in there].index(name)
            yield from self.banish_named(name)

    def banishable(self) -> list[tuple[str, int]]:
        """Ready, exhausted, unapplied and applied dice, as the actions that banish one; of applied dice the card is chosen first."""
        areas = (("ready", self.ready), ("exhausted", self.exhausted))
        pools = [(f"banish_{area}_{c}", pool[c]) for area, pool in areas for c in COLOURS]
        unapplied = [(pick((colour, face)), self.shown[colour, face]) for colour in COLOURS for face in FACES]
        cards = [(f"target_{place + 1}", sum(active.dice.values()) if active else 0) for place, active in enumerate(self.active)]
        return pools + unapplied + cards

    def banish_named(self, name: str) -> Rules:
        """Banishes the die of one of these actions."""
        if name.startswith("target_"):
            active = self.active[int(name.removeprefix("target_")) - 1]
            assert active
            yield from self.banish_applied(active, 1)
        elif name.startswith("pick_"):
            self.shown[picked(name)] -= 1
            self.banished[picked(name)[0]] += 1
        else:
            _, area, colour = name.split("_")
            move(self.ready if area == "ready" else self.exhausted, self.banished, colour)

    def do_banish_misses(self, effect: Effect, source: Any) -> Rules:
        number = effect.count
        for colour in COLOURS:
            while number and self.shown[colour, "miss"]:
                self.shown[colour, "miss"] -= 1
                self.banished[colour] += 1
                number -= 1
        yield from ()

    def do_banish_applied(self, effect: Effect, source: Active) -> Rules:
        yield from self.banish_applied(source, effect.count)

    def banish_applied(self, active: Active, number: int) -> Rules:
        def banish(name: str) -> None:
            active.dice[picked(name)] -= 1
            self.banished[picked(name)[0]] += 1

        yield from self.choose_all(number, lambda: hits_of(active.dice), banish, "Banish an applied die")

    def do_restore(self, effect: Effect, source: Any) -> Rules:
        weakest = 0
        for _ in range(effect.count):
            colours = [c for c in COLOURS[weakest:] if self.banished[c]]
            if not colours:
                return
            name = yield Decision(0, [*(f"restore_{c}" for c in colours), "done"], "Return banished dice")
            if name == "done":
                return
            colour = name.removeprefix("restore_")
            move(self.banished, self.ready, colour)
            weakest = COLOURS.index(colour)

    def do_restore_colour(self, effect: Effect, source: Any) -> Rules:
        if self.banished[effect.what]:
            move(self.banished, self.ready, effect.what)
        yield from ()

    # ... of rolled dice

    def do_turn_miss(self, effect: Effect, source: Any) -> Rules:
        yield from self.turn_dice("miss", "hit", effect.count, "Turn misses to hits")

    def do_turn_hit(self, effect: Effect, source: Any) -> Rules:
        yield from self.turn_dice("hit", "crit", effect.count, "Turn hits to crits")

    def turn_dice(self, old: str, new: str, number: int, phase: str) -> Rules:
        weakest = 0
        for _ in range(number):
            dice = [(c, old) for c in COLOURS[weakest:] if self.shown[c, old]]
            if not dice:
                return
            name = yield Decision(0, [*map(pick, dice), "done"], phase)
            if name == "done":
                return
            colour, _ = picked(name)
            self.shown[colour, old] -= 1
            self.shown[colour, new] += 1
            weakest = COLOURS.index(colour)
            self.new_order()

    def roll_die(self, colour: str, phase: str) -> Rules:
        """What a committed die shows after it has been rolled."""
        face = yield Chance(SIDES[colour], phase)
        if self.modifiers().has("swap_hits"):
            return "hit" if face == "miss" else "miss"
        return face

    def reroll(self, die: Die) -> Rules:
        self.shown[die] -= 1
        self.to_roll[die[0]] += 1
        face = yield from self.roll_die(die[0], "Roll Dice")
        self.to_roll[die[0]] -= 1
        self.shown[die[0], face] += 1
        self.new_order()

    def do_reroll(self, effect: Effect, source: Any) -> Rules:
        for _ in range(effect.count):
            dice = in_order(self.shown)
            if not dice:
                return
            name = yield Decision(0, [*map(pick, dice), "done"], "Reroll dice")
            if name == "done":
                return
            yield from self.reroll(picked(name))

    def do_reroll_misses(self, effect: Effect, source: Any) -> Rules:
        misses = Counter({c: self.shown[c, "miss"] for c in COLOURS})
        for colour, number in misses.items():
            self.shown[colour, "miss"] -= number
        self.to_roll += misses
        yield from self.roll_all(misses)

    def do_reroll_hits(self, effect: Effect, source: Any) -> Rules:
        for _ in range(self.amount(effect)):
            dice = [die for die in in_order(self.shown) if die[1] != "miss"]
            if not dice:
                return
            yield from self.reroll(picked((yield Decision(0, [*map(pick, dice)], "Reroll hits"))))

    def do_exhaust_hits(self, effect: Effect, source: Any) -> Rules:
        def exhaust(name: str) -> None:
            self.shown[picked(name)] -= 1
            self.exhausted[picked(name)[0]] += 1

        yield from self.choose_all(self.amount(effect), lambda: hits_of(self.shown), exhaust, "Exhaust hits")

    def do_swap_dice(self, effect: Effect, source: Any) -> Rules:
        """A miss of one colour and a hit of another change places; the miss is picked first."""
        dice = in_order(self.shown)
        firsts = [die for die in dice if die[1] == "miss" and any(self.can_swap(die, other) for other in dice)]
        if not firsts:
            return
        name = yield Decision(0, [*map(pick, firsts), "done"], "Swap two dice")
        if name == "done":
            return
        first = picked(name)
        second = picked((yield Decision(0, [pick(die) for die in dice if self.can_swap(first, die)], "Swap two dice")))
        self.shown -= Counter([first, second])
        self.shown += Counter([(first[0], second[1]), (second[0], first[1])])
        self.new_order()

    @staticmethod
    def can_swap(one: Die, other: Die) -> bool:
        return one[0] != other[0] and (one[1] == "miss") != (other[1] == "miss")

    def do_return_die(self, effect: Effect, source: Any) -> Rules:
        weakest = 0
        for _ in range(effect.count):
            dice = [die for die in in_order(self.shown) if ranked(die) >= weakest]
            if not dice:
                return
            name = yield Decision(0, [*map(pick, dice), "done"], "Return dice to the pool")
            if name == "done":
                return
            die = picked(name)
            weakest = ranked(die)
            self.shown[die] -= 1
            self.ready[die[0]] += 1

    # ... of enemies

    def do_activate(self, effect: Effect, source: Any) -> Rules:
        yield from self.activate_more(self.amount(effect))

    def do_flee(self, effect: Effect, source: Active) -> Rules:
        """Undefeated; a crit is a hit."""
        faces = {"miss": ("miss",), "hit": ("hit", "crit"), "crit": ("crit",)}[effect.what]
        if source.standing and sum(n for (_, face), n in self.committed_dice().items() if face in faces) >= effect.count:
            yield from self.leave(source, "fled")

    def do_return_to_deck(self, effect: Effect, source: Active) -> Rules:
        yield from self.leave(source, "shuffled_back")

    def leave(self, active: Active, how: str) -> Rules:
        """A card leaves the active area; the dice on it are exhausted."""
        if active not in self.active:
            return
        for (colour, _), number in active.dice.items():
            self.exhausted[colour] += number
        self.active[self.active.index(active)] = None
        yield from self.card_leaves(active, how)

    def aim(self, places: list[int]) -> Rules:
        """The player chooses one of some cards; None where there is none."""
        if not places:
            return None
        name = yield Decision(0, [f"target_{place + 1}" for place in places], "Choose an enemy")
        return self.active[int(name.removeprefix("target_")) - 1]

    def do_defeat(self, effect: Effect, source: Any) -> Rules:
        places = [place for place in self.standing_enemies() if self.active[place].card.kind != "boss"]  # type: ignore[union-attr]
        if active := (yield from self.aim(places)):
            yield from self.fall(active)

    def do_wound(self, effect: Effect, source: Any) -> Rules:
        number = self.amount(effect)
        if number and (active := (yield from self.aim(self.standing_enemies()))):
            active.wounds += number
            active.held &= self.applying

    def do_set_health(self, effect: Effect, source: Any) -> Rules:
        if active := (yield from self.aim(self.standing_enemies())):
            active.set_health = effect.count
            active.held &= self.applying

    def do_cancel(self, effect: Effect, source: Any) -> Rules:
        places = [place for place in self.standing_enemies() if not self.active[place].cancelled]  # type: ignore[union-attr]
        if active := (yield from self.aim(places)):
            active.cancelled = True

    # ... and the rest

    def do_double_reward(self, effect: Effect, source: Any) -> Rules:
        self.doubled += effect.count
        yield from ()

    def do_shield(self, effect: Effect, source: Any) -> Rules:
        self.shield += self.amount(effect)
        yield from ()

    def do_extra_pass(self, effect: Effect, source: Any) -> Rules:
        self.extra_passes += effect.count
        yield from ()

    def do_flip_hero(self, effect: Effect, source: Any) -> Rules:
        if self.hero.back:
            self.hero = self.hero.back
        yield from ()

    def do_gain_item(self, effect: Effect, source: Any) -> Rules:
        for _ in range(effect.count):
            yield from self.gain_random_item()

    def offer_item(self, item: Card) -> Rules:
        """An item is gained, or refused; room may be made for it first. Returns whether it was gained."""
        while True:
            names = [*(["accept"] if self.has_room() else self.discards()), "decline", *self.uses()]
            name = yield Decision(0, names, "Take the item?")
            if name == "accept":
                self.take_item(item)
                return True
            if name == "decline":
                return False
            if name.startswith("discard_item_"):
                self.discard_item(self.items[int(name[-1]) - 1])
            else:
                yield from self.use(name)

    def has_room(self) -> bool:
        """Strategy limits the items in hand."""
        return len(self.items) < min(self.strategy(), HIGHEST_STAT)

    def discards(self) -> list[str]:
        return [f"discard_item_{i + 1}" for i in range(len(self.items))]

    def take_item(self, item: Card) -> None:
        """Items lie in the order of their cards."""
        self.items.append(item)
        self.items.sort(key=self.item_order)

    def discard_item(self, item: Card) -> None:
        """Gained again, it can be used again."""
        self.items.remove(item)
        self.used = [used for used in self.used if used is not item]
        self.item_gone(item)

    def do_lose_item(self, effect: Effect, source: Any) -> Rules:
        first = 0
        for left in range(min(effect.count, len(self.items)), 0, -1):
            name = yield Decision(0, self.discards()[first : len(self.items) - left + 1], "Discard an item")
            first = int(name[-1]) - 1
            self.discard_item(self.items[first])

    def do_upgrade_item(self, effect: Effect, source: Any) -> Rules:
        """From the left; upgraded items move to the right."""
        first = 0
        for _ in range(effect.count):
            names = [f"upgrade_item_{i + 1}" for i, item in enumerate(self.items) if i >= first and item.back]
            if not names or (name := (yield Decision(0, [*names, "done"], "Upgrade an item"))) == "done":
                return
            first = int(name[-1]) - 1
            self.upgrade(first)

    def upgrade(self, place: int) -> None:
        """Turns an item to its upgraded side; used this round, it stays so."""
        item = self.items.pop(place)
        assert item.back
        self.take_item(item.back)
        if item in self.used:
            self.used[self.used.index(item)] = item.back

    def do_keep_card(self, effect: Effect, source: Card) -> Rules:
        if len(self.beside) < CARDS_BESIDE:
            self.beside.append(Kept(source, effect.count))
        yield from ()

    # Items and the hero's ability

    def uses(self) -> list[str]:
        """What of items and hero can be used now: an ongoing one once a round."""
        names = []
        if not self.modifiers().has("no_items"):
            names = [f"use_item_{i + 1}" for i, item in enumerate(self.items) if item not in self.used and self.can_use(item)]
        if "hero" not in self.used and self.can_use(self.hero):
            names.append("use_hero")
        return names

    def can_use(self, card: Card) -> bool:
        """Not in vain: what it costs can be paid, and one of its instructions would do something now."""
        instructions = card.at("use")
        return self.can_pay(instructions) and any(self.would_help(effect) for effect in instructions)

    def affords(self, effect: Effect) -> bool:
        """Whether a cost can be paid; True for what is none."""
        if effect.op == "pay_gold":
            return self.gold >= effect.count
        if effect.op == "pay_stat":
            return self.stats[effect.what] - effect.count >= 1
        if effect.op == "pay_dice":
            return sum(self.ready.values()) >= effect.count
        return True

    def would_help(self, effect: Effect) -> bool:
        """Whether an instruction would do something now that one may wish for."""
        op = effect.op
        shown = {face: sum(n for (_, f), n in self.shown.items() if f == face) for face in FACES}
        if op in ("wound", "set_health", "cancel"):
            return bool(self.standing_enemies())
        if op in ("recover", "recover_by_roll"):
            return any(self.exhausted.values())
        if op == "gain_stat":
            return self.stats[effect.what] < HIGHEST_STAT
        if op == "gain_any_stat":
            return min(self.stats.values()) < HIGHEST_STAT
        if op == "recover_colour":
            return self.exhausted[effect.what] > 0
        if op == "restore":
            return any(self.banished.values())
        if op == "restore_colour":
            return self.banished[effect.what] > 0
        if op in ("turn_miss", "reroll_misses"):
            return shown["miss"] > 0
        if op == "turn_hit":
            return shown["hit"] > 0
        if op in ("reroll", "return_die"):
            return sum(shown.values()) > 0
        if op == "swap_dice":
            dice = in_order(self.shown)
            return any(self.can_swap(one, other) for one in dice for other in dice)
        if op == "defeat":
            return any(self.active[place].card.kind != "boss" for place in self.standing_enemies())  # type: ignore[union-attr]
        if op == "extra_pass":
            return self.passes > 0
        if op == "upgrade_item":
            return any(item.back for item in self.items)
        if op == "gain_gold":
            return self.gold < MAX_GOLD
        return op not in ("exhaust", "exhaust_best", "lose_stat", "banish", "offer", "choose", "test", "pay_gold", "pay_stat", "pay_dice")

    def use(self, name: str) -> Rules:
        """The player uses an item or the hero."""
        card = self.hero if name == "use_hero" else self.items[int(name[-1]) - 1]
        if card is self.hero:
            self.used.append("hero")
        elif card.uses == "single":
            self.items.remove(card)
        else:
            self.used.append(card)
        self.new_order()
        yield from self.follow(card.at("use"), card)
        if card.uses == "single":
            self.item_gone(card)
        yield from self.settle()

    # The Strategy phase

    def strategy_phase(self) -> Rules:
        """Commit, roll and apply dice, as often as Strategy allows."""
        while True:
            self.passes += 1
            yield from self.commit_dice()
            yield from self.set_hits_aside()
            yield from self.roll_dice()
            if not (yield from self.apply_dice()):
                return

    def may_repeat(self) -> bool:
        """As often as Strategy says, with dice to roll and a reason to."""
        fixed = self.modifiers().has("fix_misses")
        dice = sum(n for (_, face), n in self.shown.items() if face != "miss" or not fixed) + sum(self.ready.values())
        return self.passes < self.strategy() + self.extra_passes and dice > 0 and self.dice_matter()

    def dice_matter(self) -> bool:
        """While an enemy stands, or a card answers rolls, or counts dice after them."""
        answers = any(card.at("hero_rolled") for card in self.own_cards())
        cards = [active.card for active in self.active if active and not active.cancelled]
        power_ups = any(card.kind == "power_up" and card.at("rolled") for card in cards)
        counting = any(
            effect.per in ("miss", "hit", "committed_die") or effect.op in ("banish_misses", "banish_applied")
            for card in cards
            for effect in card.at("after")
        )
        return bool(self.standing_enemies()) or answers or power_ups or counting

    def commit_dice(self) -> Rules:
        """Any number of ready dice, weakest first; whole colours in any order where not all of them have room."""
        now: Counter[str] = Counter()
        weakest = 0
        while True:
            yield from self.settle()
            table = self.modifiers()
            whole = table.has("commit_whole_colour")
            room = min(table.limit("commit_limit") - sum(now.values()), table.limit("commit_total") - self.committed)
            colours = [
                c
                for c in (COLOURS if whole and room < sum(self.ready.values()) else COLOURS[weakest:])
                if self.ready[c] and room > 0 and c not in table.colours("commit_ban") and not (table.has("commit_one_each") and now[c])
            ]
            name = yield Decision(0, [*(f"commit_{c}" for c in colours), "roll", *self.uses(), *self.besides()], "Commit Dice")
            if name == "roll":
                return
            if not name.startswith("commit_"):
                yield from (self.use(name) if name.startswith("use_") else self.do_besides(name))
                weakest = 0
                continue
            colour = name.removeprefix("commit_")
            number = min(room, self.ready[colour]) if whole else 1
            if table.has("commit_one_each"):
                number = 1
            for _ in range(number):
                move(self.ready, self.to_roll, colour)
            now[colour] += number
            self.committed += number
            weakest = COLOURS.index(colour)

    def set_hits_aside(self) -> Rules:
        """Where a card allows it, hits may be kept out of the roll to come."""
        if self.modifiers().has("keep_hits"):
            last = ("", "")
            while True:
                dice = [die for die in in_order(self.shown) if die[1] != "miss" and (not last[0] or ranked(die) >= ranked(last))]
                if not dice:
                    return
                name = yield Decision(0, [*map(pick, dice), "done"], "Set hits aside")
                if name == "done":
                    return
                last = picked(name)
                self.shown[last] -= 1
                self.kept[last] += 1

    def roll_dice(self) -> Rules:
        """All unapplied dice are rolled; then hero, items and enemies have their say."""
        fixed = self.modifiers().has("fix_misses")
        for die in in_order(self.shown):
            if die[1] != "miss" or not fixed:
                self.to_roll[die[0]] += self.shown[die]
                self.shown[die] = 0
        for active in self.active:
            if active:
                active.since_roll = 0
        present = [active for active in self.active if active]
        yield from self.roll_all(Counter(self.to_roll))
        self.shown += self.kept
        self.kept = Counter()
        yield from self.settle()
        yield from self.event("hero_rolled")
        yield from self.settle()

        def waiting() -> list[int]:
            return [
                place
                for place, active in enumerate(self.active)
                if active in present and not active.defeated and not active.cancelled and active.card.at("rolled")
            ]

        yield from self.one_by_one(waiting, ["rolled"], "Effects of the roll")

    def roll_all(self, dice: Counter[str]) -> Rules:
        """Rolls these of the dice that are to be rolled, weakest first."""
        for colour in COLOURS:
            for _ in range(dice[colour]):
                face = yield from self.roll_die(colour, "Roll Dice")
                self.to_roll[colour] -= 1
                self.shown[colour, face] += 1
        self.new_order()

    def new_order(self) -> None:
        """After an event the order in which dice are applied begins afresh."""
        self.last = (0, 0)

    def apply_dice(self) -> Rules:
        """Hits are applied one at a time. Returns whether the phase is repeated."""
        self.applying, self.falls = True, 0
        for active in self.active:
            if active:
                active.held = False
        while True:
            yield from self.settle()
            legal = self.applications()
            names = [*(pick(die) for die in in_order(self.shown) if legal.get(die)), *self.uses(), *self.besides()]
            name = yield Decision(0, [*names, *(["again"] if self.may_repeat() else []), "resolve"], "Apply Dice")
            if name in ("again", "resolve"):
                self.applying = False
                return name == "again"
            if name.startswith("pick_"):
                die = picked(name)
                target = yield Decision(0, [f"target_{place + 1}" for place in legal[die]], "Choose where the die goes")
                yield from self.apply(die, int(target.removeprefix("target_")) - 1)
            else:
                yield from (self.use(name) if name.startswith("use_") else self.do_besides(name))

    def apply(self, die: Die, place: int) -> Rules:
        active = self.active[place]
        assert active
        table = self.modifiers()
        stirs = die[1] == "crit" and active.standing and not active.cancelled and active.card.at("crit_applied")
        falls = self.falls_by(die, active, table)
        self.shown[die] -= 1
        active.dice[die] += 1
        active.since_roll += 1
        self.last = (ranked(die), place)
        if stirs or falls:
            self.new_order()
        if stirs:  # what answers the crit comes before the question who has fallen by it
            self.answering_crit = True
            yield from self.follow(active.card.at("crit_applied"), active)
            self.answering_crit = False
        yield from self.settle()

    def applications(self) -> dict[Die, list[int]]:
        """Where each unapplied hit may go.

        Of orders that differ in nothing only one is allowed: since the last event dice go weakest first, equal ones from left to right.
        A die that is an event may go at any time.
        """
        if not self.dice_matter():
            return {}
        table = self.modifiers()
        since_roll = sum(active.since_roll for active in self.active if active)
        if since_roll >= table.limit("apply_limit_all"):
            return {}
        found: dict[Die, list[int]] = {}
        for die in in_order(self.shown):
            if die[1] == "miss":
                continue
            for place, active in enumerate(self.active):
                if active and active.enemy and self.may_apply(die, active):
                    in_order_here = (ranked(die), place) >= self.last
                    if in_order_here or self.is_event(die, active, table):
                        found.setdefault(die, []).append(place)
        return found

    def may_apply(self, die: Die, active: Active) -> bool:
        """What the enemy's own limits say."""
        own, (colour, face) = self.modifiers_of(active), die
        colours = {c for (c, _), n in active.dice.items() if n}
        return not (
            sum(active.dice.values()) >= own.limit("apply_limit")
            or active.since_roll >= own.limit("apply_per_roll")
            or colour in own.colours("apply_ban")
            or (own.has("apply_one_each") and colour in colours)
            or (own.has("apply_one_colour") and colours - {colour})
            or (own.has("crits_only") and face != "crit")
            or (own.has("no_crits") and face == "crit")
        )

    def is_event(self, die: Die, active: Active, table: Mods) -> bool:
        stirs = die[1] == "crit" and active.standing and not active.cancelled and bool(active.card.at("crit_applied"))
        return stirs or self.falls_by(die, active, table)

    def falls_by(self, die: Die, active: Active, table: Mods) -> bool:
        """Whether a standing enemy falls by this die."""
        if not active.standing or self.falls >= table.limit("fall_limit"):
            return False
        active.dice[die] += 1
        beaten = self.beaten(active, table)
        active.dice[die] -= 1
        return beaten

    # The Resolve phase

    def resolve_phase(self) -> Rules:
        """Up to Cleanup, which is the deck's."""
        yield from self.suffer_damage()
        yield from self.after_effects()
        self.exhaust_dice()
        yield from self.settle()
        yield from self.recover_dice()
        self.passes = 0

    def damage_due(self) -> int:
        """What undefeated enemies deal, less shields."""
        total = sum(self.damage_of(active) for active in self.active if active and active.standing)
        return max(0, total - self.shield - self.modifiers().total("shield_always"))

    def suffer_damage(self) -> Rules:
        if due := self.damage_due():
            self.lose_stat("health", due)
            yield from self.event("suffered")

    def after_effects(self) -> Rules:
        """One card at a time, in the order of the player's choice, defeated or not."""

        def waiting() -> list[int]:
            return [
                place
                for place, active in enumerate(self.active)
                if active
                and not active.cancelled
                and (active.card.at("after") or (active.card.at("after_standing") and not active.defeated))
            ]

        yield from self.one_by_one(waiting, ["after", "after_standing"], "After Effects")

    def exhaust_dice(self) -> None:
        """All committed dice; in a battle of several rounds those on standing enemies stay."""
        self.exhausted += self.to_roll
        self.to_roll = Counter()
        for area in (self.shown, self.kept):
            for (colour, _), number in area.items():
                self.exhausted[colour] += number
            area.clear()
        for active in self.active:
            if active and not (self.endgame and active.standing):
                for (colour, _), number in active.dice.items():
                    self.exhausted[colour] += number
                active.dice.clear()

    def recover_dice(self) -> Rules:
        """Up to Recovery, once the answers to the step's beginning have been given. What forbids recovery forbids it to those, too."""
        self.recovering = True
        yield from self.event("recovering")
        yield from self.settle()
        self.recovering = False
        if not self.modifiers().has("no_recovery"):
            yield from self.recover(self.recovery(), self.extra_recovery())

    def begin_engagement(self) -> None:
        """Nothing has been committed yet, and damage counts anew for limits of a round."""
        self.passes = self.extra_passes = self.committed = 0
        for active in self.active:
            if active:
                active.before, active.before_uncapped = self.damage_on(active), self.damage_on(active, capped=False)

    def new_round(self) -> None:
        """What lasts for a round is over."""
        self.used, self.shield, self.doubled = [], 0, 0

    # The active area

    def place_active(self, card: Card) -> Active | None:
        """Puts a card into the first free place; None where there is none."""
        if None not in self.active:
            return None
        active = Active(card)
        self.active[self.active.index(None)] = active
        return active

    # Hooks: what the system asks of its deck

    def strategy_rose(self) -> Rules:
        """The Strategy die has gone up."""
        yield from ()

    def activate_more(self, number: int) -> Rules:
        """So many more enemies come into the active area, with their ``activated`` effects."""
        raise NotImplementedError

    def gain_random_item(self) -> Rules:
        """Draws an item and offers it with :meth:`offer_item`."""
        raise NotImplementedError

    def card_leaves(self, active: Active, how: str) -> Rules:
        """A card has left the active area, ``fled`` or ``shuffled_back``."""
        raise NotImplementedError

    def item_gone(self, item: Card) -> None:
        """An item has left the player's hand."""
        raise NotImplementedError

    def item_order(self, item: Card) -> Any:
        """By what items lie in hand."""
        return item.id

    def own_instruction(self, effect: Effect, source: Any) -> Rules:
        """An op of the deck's own."""
        raise NotImplementedError(effect.op)

    def branches(self, effect: Effect) -> bool | None:
        """For an op of the deck that decides between the next ``count`` instructions and those after them: whether it is the next ones."""
        return None

    def besides(self) -> list[str]:
        """What else may be done in the Commit and Apply Dice steps."""
        return []

    def do_besides(self, name: str) -> Rules:
        raise NotImplementedError(name)

    def extra_recovery(self) -> str | None:
        """A colour of which one more die may be recovered in the Recover Dice step."""
        return None

    # What is compared

    def strong_facts(self) -> dict[str, Any]:
        """The system's part of the position, as :func:`strong_facts` reads it from the game."""
        return {
            "stats": [self.stats[stat] for stat in STATS],
            "gold": self.gold,
            "ready": by_colour(self.ready),
            "exhausted": by_colour(self.exhausted),
            "banished": by_colour(self.banished),
            "to_roll": by_colour(self.to_roll),
            "shown": by_die(self.shown),
            "kept": by_die(self.kept),
            "hero": self.hero.name,
            "items": [item.name for item in self.items],
            "beside": [(kept.card.name, kept.left) for kept in self.beside],
            "shield": self.shield,
            "doubled": self.doubled,
            "weary": self.weary["strategy"],
            "endgame": self.endgame,
            "active": {
                place: {
                    "card": active.card.name,
                    "defeated": active.defeated,
                    "cancelled": active.cancelled,
                    "unbribable": active.unbribable,
                    "set_health": active.set_health,
                    "extra": (active.extra_health, active.extra_damage),
                    "wounds": active.wounds,
                    "dice": by_die(active.dice),
                }
                for place, active in enumerate(self.active)
                if active
            },
        }


def strong_facts(s: Fields, faces: Sequence[str]) -> dict[str, Any]:
    """The same of a position of the game; ``faces`` are the names of its deck."""
    marks = s["marks"].tolist()
    return {
        "stats": s["stats"].tolist(),
        "gold": s["gold"],
        "ready": s["ready"].tolist(),
        "exhausted": (s["exhausted"] + s["to_recover"]).tolist() if s["to_recover"].any() else s["exhausted"].tolist(),
        "banished": s["banished"].tolist(),
        "to_roll": s["unrolled"].tolist(),
        "shown": s["rolled"].reshape(-1).tolist(),
        "kept": s["kept"].reshape(-1).tolist(),
        "hero": faces[s["hero"]],
        "items": [faces[face] for face in s["items"].tolist() if face >= 0],
        "beside": [(faces[face], left) for face, left in zip(s["beside"].tolist(), s["beside_left"].tolist(), strict=True) if face >= 0],
        "shield": s["shield"],
        "doubled": s["doubled"],
        "weary": s["weary"],
        "endgame": bool(s["endgame"]),
        "active": {
            place: {
                "card": faces[face],
                "defeated": bool(marks[place] & 1),
                "cancelled": bool(marks[place] & 2),
                "unbribable": bool(marks[place] & 4),
                "set_health": int(s["set_health"][place]) if marks[place] & 16 else None,
                "extra": (int(s["extra_health"][place]), int(s["extra_damage"][place])),
                "wounds": int(s["wounds"][place]),
                "dice": s["applied"][place].reshape(-1).tolist(),
            }
            for place, face in enumerate(s["slot"].tolist())
            if face >= 0
        },
    }


def ways_through(instructions: Sequence[Effect]) -> list[Counter[str]]:
    """What the ways through these instructions cost. An offer can be declined and a test may spare what comes after it."""
    costs: Counter[str] = Counter()
    for index, effect in enumerate(instructions):
        if effect.op in ("offer", "test"):
            break
        if effect.op == "choose":
            rest = instructions[index + 1 :]
            return [costs + way for branch in (rest[: effect.count], rest[effect.count :]) for way in ways_through(branch)]
        if effect.op.startswith("pay_"):
            costs[effect.what if effect.op == "pay_stat" else effect.op.removeprefix("pay_")] += effect.count
    return [costs]


def move(source: Counter[str], target: Counter[str], colour: str) -> None:
    source[colour] -= 1
    target[colour] += 1


def ranked(die: Die) -> int:
    """Colours weakest first, hits before crits; never 0."""
    return 3 * COLOURS.index(die[0]) + FACES.index(die[1])


def in_order(dice: Counter[Die]) -> list[Die]:
    """The kinds of dice that there are, weakest first."""
    return [(colour, face) for colour in COLOURS for face in FACES if dice[colour, face]]


def hits_of(dice: Counter[Die]) -> list[tuple[str, int]]:
    """Hits as choices, weakest first, with how many there are of each."""
    return [(pick((colour, face)), dice[colour, face]) for colour in COLOURS for face in ("hit", "crit")]


def pick(die: Die) -> str:
    return f"pick_{die[0]}_{die[1]}"


def picked(name: str) -> Die:
    _, colour, face = name.split("_")
    return colour, face


def by_colour(dice: Counter[str]) -> list[int]:
    return [dice[colour] for colour in COLOURS]


def by_die(dice: Counter[Die]) -> list[int]:
    return [dice[colour, face] for colour in COLOURS for face in FACES]
