"""Lost Woods' referee: the rulebook, with the readings that docs/lost_woods.md lists, as a program that reads from top to bottom."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from tests.referee.match import Chance, Decision, Fields, Result, Rules

TOWARDS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}
MARKERS = {"N": "north", "E": "east", "S": "south", "W": "west"}
WEAPONS = ("d4", "d6", "d8", "d12", "d20")
GOODS = (*WEAPONS, "potion", "gold")
SPELLS = ("bolt", "fire", "meteor", "tornado", "magnet", "revive", "teleport", "eighth")
ITEMS = (*GOODS, *SPELLS)
TILES = (*WEAPONS, *(f"enemy_{kind}" for kind in range(1, 13)), "potion", "gold", "plus_two", "gnome")
PIECES_IN_THE_BOX = 50
MAX_DECISIONS = 48_000  # before a turn
MAX_WEAPONS_AND_POTIONS = 3
MAX_SPELLS = 2


@dataclass(frozen=True)
class Foe:
    """An enemy, with one die, or a guardian, with three."""

    name: str  # as actions call it: "3", "guardian"
    dice: tuple[int, ...]
    gold: int


@dataclass(eq=False)
class Space:
    """A map card, or one of the three spaces of the camp."""

    name: str
    ways: tuple[str, ...]  # the directions in which one may leave it
    well: str | None = None
    summons: str | None = None  # the direction whose guardian comes with it
    card: str = ""  # what it is called
    spot: tuple[int, int] = (0, 0)  # columns east and rows north of the centre of the camp
    foes: list[Foe] = field(default_factory=list)
    lying: Counter[str] = field(default_factory=Counter)  # items, spells among them


@dataclass(eq=False)
class Adventurer:
    seat: int
    at: Space
    inventory: Counter[str]  # items, spells among them

    def held(self) -> int:
        """What counts against the limit of three."""
        return sum(self.inventory[item] for item in (*WEAPONS, "potion"))

    def spells(self) -> list[str]:
        return [spell for spell in SPELLS if self.inventory[spell]]


class GameOver(Exception):
    """The game ends at once, in the middle of whatever is being done."""


class LostWoods:
    """One game, on the content of a deck file."""

    def __init__(self, file: Mapping[str, Any], *, num_players: int = 4, turn_limit: int = 100, reward: str = "win") -> None:
        self.turn_limit, self.reward = turn_limit, reward
        self.read_cards(file)
        self.set_up(num_players)

    # Contents

    def read_cards(self, file: Mapping[str, Any]) -> None:
        self.enemies, self.bag = {}, Counter[str]()
        self.words = {weapon: f"the tile: a {weapon.upper()} weapon" for weapon in WEAPONS}
        self.words |= {
            "potion": "the tile: a potion",
            "gold": "the tile: gold",
            "plus_two": "the tile: plus two",
            "gnome": "the tile: a gnome",
        }
        for kind, enemy in enumerate(file["enemies"], 1):
            self.enemies[f"enemy_{kind}"] = Foe(str(kind), (enemy["die"],), enemy["gold"])
            self.bag[f"enemy_{kind}"] = enemy.get("tiles", 1)
            self.words[f"enemy_{kind}"] = f"the tile: an enemy: {enemy['name']} (D{enemy['die']}, {enemy['gold']} gold)"
        self.bag.update(file["weapons"])
        self.bag.update(file["tiles"])
        self.guardians = {each["deck"]: Foe("guardian", tuple(each["dice"]), each["gold"]) for each in file["guardians"]}
        self.fate: dict[str, str] = dict.fromkeys(self.guardians, "in the box")
        self.eighth = file["eighth"]["effect"]
        self.spell_dice = dict.fromkeys(("bolt", "fire", "meteor", "tornado"), 20)
        if self.eighth["type"] == "strike":
            self.spell_dice["eighth"] = self.eighth["die"]
        self.decks: dict[str, list[Space]] = {}
        for direction in TOWARDS:
            cards = [card for card in file["cards"] if card["deck"] == direction]
            cards.sort(key=lambda card: card.get("bottom", False))  # the card marked so is at the bottom
            self.decks[direction] = [
                Space(
                    f"{direction}_{number}",
                    tuple(MARKERS[letter] for letter in card["ways"]),
                    card.get("well"),
                    direction if card.get("bottom") else None,
                    card["name"],
                )
                for number, card in enumerate(cards, 1)
            ]
        self.wells = {card.well: card for deck in self.decks.values() for card in deck if card.well}
        self.camp = self.make_camp(file["camp"])
        self.centre = self.camp[1]

    def make_camp(self, markers: Mapping[str, str]) -> list[Space]:
        """A centre, the second of the three, and two spaces next to it. Between them one can always go."""
        first, last = sorted(markers.keys() - {"centre"}, key=("west", "north", "south", "east").index)
        ways = {place: tuple(MARKERS[letter] for letter in letters) for place, letters in markers.items()}
        return [
            Space("camp_1", (*ways[first], OPPOSITE[first]), spot=TOWARDS[first]),
            Space("camp_2", (*ways["centre"], first, last)),
            Space("camp_3", (*ways[last], OPPOSITE[last]), spot=TOWARDS[last]),
        ]

    # Setup

    def set_up(self, players: int) -> None:
        self.map = {space.spot: space for space in self.camp}
        self.bag["d12"] -= 6 - players
        self.bag["d6"] -= players
        self.supply = PIECES_IN_THE_BOX - players
        self.adventurers = [Adventurer(seat, self.centre, Counter(d6=1, gold=1)) for seat in range(players)]
        self.whose_turn = self.adventurers[0]
        self.turns = 0
        self.decisions = 0
        self.winner: Adventurer | None = None

    def play(self) -> Generator[Decision | Chance, str, Result]:
        """The game, its decisions counted."""
        game = self.game()
        try:
            asked = next(game)
            while True:
                answer = yield asked
                self.decisions += isinstance(asked, Decision)
                asked = game.send(answer)
        except StopIteration as end:
            result: Result = end.value
            return result

    def game(self) -> Generator[Decision | Chance, str, Result]:
        starts = yield Chance({f"player {each.seat} starts": 1 for each in self.adventurers})
        first = int(starts.split()[1])
        try:
            while self.turns < self.turn_limit * len(self.adventurers) and self.decisions < MAX_DECISIONS:
                self.whose_turn = self.left_of(first + self.turns)
                self.turns += 1
                yield from self.turn(self.whose_turn)
            return Result(None, self.payoffs())
        except GameOver as over:
            self.winner = yield from self.win()
            return Result(str(over), self.payoffs())

    def left_of(self, seat: int) -> Adventurer:
        """Whoever sits in this seat, counted on to the left, round and round."""
        return self.adventurers[seat % len(self.adventurers)]

    def chair(self, of: Adventurer, seen_from: Adventurer) -> int:
        return (of.seat - seen_from.seat) % len(self.adventurers)

    # The turn

    def turn(self, who: Adventurer) -> Rules:
        self.used: set[str] = set()  # spells, this turn
        yield from self.move(who)
        yield from self.explore(who)
        yield from self.attack(who)

    def move(self, who: Adventurer) -> Rules:
        moves, moved, teleported = 3, False, False
        visit = Visit()
        while True:
            actions = ["done", *self.exchanges(who, visit)]
            if moves:
                actions += [f"move_{direction}" for direction in who.at.ways if self.beyond(who.at, direction)]
            if who.inventory["teleport"] and not moved:
                actions.append("cast_teleport")
            if who.inventory["eighth"] and self.eighth["type"] == "stride" and not teleported:
                actions.append("cast_eighth")
            what, _, which = (yield Decision(who.seat, actions)).partition("_")
            if what == "done":
                return
            if what == "move":
                who.at = self.beyond(who.at, which)  # type: ignore[assignment]
                moves, moved, visit = moves - 1, True, Visit()
            elif what == "cast":
                self.use(who, which)
                if which == "eighth":
                    moves += self.eighth["spaces"]
                else:
                    chosen = yield Decision(who.seat, [f"space_{space.name}" for space in self.map.values() if not space.foes])
                    who.at = self.space(chosen)
                    moves, teleported, visit = 0, True, Visit()
            elif what == "drop":
                visit.drop(which)
                self.put_down(who, which, who.at)
            elif what == "take":
                visit.take(which)
                self.pick_up(who, which, who.at)
                for spell in (yield from self.at_most_two_spells(who)):
                    visit.put_back_into_its_well(spell)

    def exchanges(self, who: Adventurer, visit: Visit) -> list[str]:
        """What may be dropped and picked up: as much as one wishes, as long as one stays under the limits."""
        here = who.at
        drops = [f"drop_{item}" for item in ITEMS if who.inventory[item] and visit.may_drop(item)]
        takes = [f"take_{item}" for item in ITEMS if here.lying[item] and visit.may_take(item) and self.may_pick_up(who, item)]
        return drops + takes

    def may_pick_up(self, who: Adventurer, item: str) -> bool:
        if item == "gold":
            return not who.at.foes
        if item in SPELLS:
            return item not in self.used
        return who.held() < MAX_WEAPONS_AND_POTIONS

    def explore(self, who: Adventurer) -> Rules:
        actions = ["done"]
        if not who.at.foes:
            actions += [f"explore_{direction}" for direction in self.unexplored(who.at)]
        if who.inventory["magnet"] and self.magnetic():
            actions.append("cast_magnet")
        what, _, direction = (yield Decision(who.seat, actions)).partition("_")
        if what == "cast":
            yield from self.magnet(who)
        elif what == "explore":
            if not self.decks[direction]:
                self.end("escaped")
            room = yield from self.draw_map_card(direction)
            self.place(room, who.at, direction)
            yield from self.draw_tiles(who, room, 1)
            who.at = room
            if room.well:
                yield from self.at_the_well(who, room.well)
            self.look_whether_all_is_explored()

    def draw_map_card(self, direction: str) -> Generator[Chance, str, Space]:
        deck = self.decks[direction]
        within_reach = [card for card in deck if not card.summons] or deck  # one card is at the bottom of the deck
        drawn = yield Chance({f"the card to the {direction}: {card.card}": 1 for card in within_reach})
        card = next(card for card in deck if drawn.endswith(f": {card.card}"))
        deck.remove(card)
        return card

    def place(self, card: Space, beside: Space, direction: str) -> None:
        east, north = TOWARDS[direction]
        card.spot = beside.spot[0] + east, beside.spot[1] + north
        self.map[card.spot] = card
        if card.well:
            card.lying[card.well] += 1
        if card.summons:
            card.foes.append(self.guardians[card.summons])
            self.fate[card.summons] = card.name

    def at_the_well(self, who: Adventurer, spell: str) -> Rules:
        if (yield Decision(who.seat, ["done", f"take_{spell}"])) != "done":
            self.pick_up(who, spell, who.at)
            yield from self.at_most_two_spells(who)

    def at_most_two_spells(self, who: Adventurer) -> Generator[Decision, str, set[str]]:
        """A third spell: choose one, and put it back into its well. Which one it was."""
        if len(who.spells()) <= MAX_SPELLS:
            return set()
        spell = (yield Decision(who.seat, [f"drop_{spell}" for spell in who.spells()])).removeprefix("drop_")
        self.put_down(who, spell, self.wells[spell])
        return {spell}

    def at_most_three_items(self, who: Adventurer, room: Space) -> Rules:
        """A fourth weapon or potion: choose any one, and drop it in the room."""
        if who.held() > MAX_WEAPONS_AND_POTIONS:
            chosen = yield Decision(who.seat, [f"drop_{item}" for item in (*WEAPONS, "potion") if who.inventory[item]])
            self.put_down(who, chosen.removeprefix("drop_"), room)

    # Tiles

    def draw_tiles(self, who: Adventurer, room: Space, number: int) -> Rules:
        for _ in range(number):
            if not self.bag.total():
                return
            drawn = yield Chance({self.words[tile]: count for tile, count in self.bag.items()})
            tile = next(tile for tile, words in self.words.items() if words == drawn)
            self.bag[tile] -= 1
            if tile in WEAPONS or tile == "potion":
                who.inventory[tile] += 1
                yield from self.at_most_three_items(who, room)
            elif tile in self.enemies:
                room.foes.append(self.enemies[tile])
            elif tile == "gold":
                self.pay(who, 1)
            elif tile == "plus_two":
                yield from self.draw_tiles(who, room, 2)
            elif tile == "gnome":
                yield from self.gnome(who)

    def gnome(self, who: Adventurer) -> Rules:
        """Takes a piece from the richest and gives it to the poorest; the explorer decides ties."""
        everybody = self.adventurers
        most, least = max(map(gold, everybody)), min(map(gold, everybody))
        if most == 0:
            return
        richest = yield from self.choose_adventurer(who, [each for each in everybody if gold(each) == most])
        poorest = yield from self.choose_adventurer(who, [each for each in everybody if gold(each) == least and each is not richest])
        richest.inventory["gold"] -= 1
        poorest.inventory["gold"] += 1

    def choose_adventurer(self, who: Adventurer, among: list[Adventurer]) -> Generator[Decision, str, Adventurer]:
        chosen = yield Decision(who.seat, [f"chair_{self.chair(each, who)}" for each in among])
        return self.left_of(who.seat + int(chosen.removeprefix("chair_")))

    # Attack

    def attack(self, who: Adventurer) -> Rules:
        if not who.at.foes or not self.arms(who):
            return
        what, _, name = (yield Decision(who.seat, ["done", *{f"attack_{foe.name}" for foe in who.at.foes}])).partition("_")
        if what == "done":
            return
        foe = next(foe for foe in who.at.foes if foe.name == name)
        if (yield from self.beat_all_dice(who, foe)):
            who.at.foes.remove(foe)
            for direction, guardian in self.guardians.items():
                if guardian is foe:
                    self.fate[direction] = "defeated"
            self.pay(who, foe.gold)
            self.look_whether_all_is_explored()

    def beat_all_dice(self, who: Adventurer, foe: Foe) -> Generator[Decision | Chance, str, bool]:
        """A guardian's dice one after the other, all during one turn."""
        beaten = 0
        while beaten < len(foe.dice):
            if not self.arms(who):
                return False
            weapon = yield from self.choose_arms(who)
            own, theirs = yield from self.roll_both(who, self.die(weapon), foe.dice[beaten])
            if own > theirs:
                beaten += 1
            elif own < theirs and (yield from self.lose(who, weapon)):
                beaten = 0  # it is one enemy: all of its dice are rolled afresh
            else:
                return False
        return True

    def arms(self, who: Adventurer) -> dict[str, str]:
        """What one can fight with, by the action that chooses it."""
        return {f"fight_with_{weapon}": weapon for weapon in WEAPONS if who.inventory[weapon]} | {
            f"cast_{spell}": spell for spell in self.spell_dice if who.inventory[spell]
        }

    def choose_arms(self, who: Adventurer) -> Generator[Decision, str, str]:
        arms = self.arms(who)
        weapon = arms[(yield Decision(who.seat, list(arms)))]
        if weapon in SPELLS:
            self.use(who, weapon)
        return weapon

    def die(self, weapon: str) -> int:
        return self.spell_dice[weapon] if weapon in SPELLS else int(weapon[1:])

    def roll_both(self, who: Adventurer, own_die: int, their_die: int) -> Generator[Decision | Chance, str, tuple[int, int]]:
        """Both dice, and what potions make of them."""
        own = yield from roll("the adventurer", own_die)
        theirs = yield from roll("the enemy", their_die)
        while who.inventory["potion"]:
            chosen = yield Decision(who.seat, ["done", "reroll_chair_0", "reroll_foe"])
            if chosen == "done":
                break
            who.inventory["potion"] -= 1
            if chosen == "reroll_foe":
                theirs = yield from roll("the enemy", their_die)
            else:
                own = yield from roll("the adventurer", own_die)
        return own, theirs

    def lose(self, who: Adventurer, weapon: str) -> Generator[Decision, str, bool]:
        """Drop a gold piece or the weapon, and back to camp; or, with Revive, whether the same enemy is attacked again."""
        drops = [f"drop_{item}" for item in ("gold", weapon) if who.inventory[item] and item not in SPELLS]
        revive = ["cast_revive"] if who.inventory["revive"] else []
        what, _, which = (yield Decision(who.seat, (drops or ["done"]) + revive)).partition("_")
        if what == "cast":
            self.use(who, "revive")
            again = ["again"] if self.arms(who) else []
            return (yield Decision(who.seat, ["done", *again])) == "again"
        if what == "drop":
            self.put_down(who, which, who.at)
        who.at = self.centre
        return False

    # Magic

    def use(self, who: Adventurer, spell: str) -> None:
        """Back to its well. It is not picked up again in this turn."""
        self.put_down(who, spell, self.wells[spell])
        self.used.add(spell)

    def magnet(self, who: Adventurer) -> Rules:
        self.use(who, "magnet")
        within_reach = self.magnetic()
        item = (yield Decision(who.seat, [f"take_{item}" for item in within_reach])).removeprefix("take_")
        chosen = yield Decision(who.seat, [f"space_{space.name}" for space in within_reach[item]])
        self.pick_up(who, item, self.space(chosen))
        yield from self.at_most_three_items(who, who.at)

    def magnetic(self) -> dict[str, list[Space]]:
        """Magic, weapons and gold on the map; not the Magnet itself, nor what was used in this turn."""
        items = [item for item in ITEMS if item not in ("potion", "magnet") and item not in self.used]
        lying = {item: [space for space in self.map.values() if space.lying[item]] for item in items}
        return {item: spaces for item, spaces in lying.items() if spaces}

    # End of the game

    def end(self, how: str) -> NoReturn:
        raise GameOver(how)

    def look_whether_all_is_explored(self) -> None:
        spaces = self.map.values()
        if not any(self.unexplored(space) for space in spaces) and not any(space.foes for space in spaces):
            self.end("fully_explored")

    def win(self) -> Generator[Decision | Chance, str, Adventurer]:
        """The most gold wins; those who tie fight each other."""
        most = max(map(gold, self.adventurers))
        round_the_table = [self.left_of(self.whose_turn.seat + chair) for chair in range(len(self.adventurers))]
        tied = [each for each in round_the_table if gold(each) == most]
        if len(tied) > 1:
            able = [each for each in tied if self.arms(each)]
            if not able:
                lot = yield Chance({f"the lot falls on player {each.seat}": 1 for each in tied})
                return self.adventurers[int(lot.split()[-1])]
            tied = able
        if len(tied) > 1:
            yield from self.fight_each_other(tied)
        (winner,) = tied
        return winner

    def fight_each_other(self, tied: list[Adventurer]) -> Rules:
        """Until one is left of the tied."""
        dice = {}
        for each in tied:
            dice[each] = self.die((yield from self.choose_arms(each)))
        while len(tied) > 1:
            rolls = {}
            for each in tied:
                rolls[each] = yield from roll("one of the tied", dice[each])
            for each in tied:
                while each.inventory["potion"]:
                    chosen = yield Decision(each.seat, ["done", *(f"reroll_chair_{self.chair(other, each)}" for other in tied)])
                    if chosen == "done":
                        break
                    each.inventory["potion"] -= 1
                    other = self.left_of(each.seat + int(chosen.removeprefix("reroll_chair_")))
                    rolls[other] = yield from roll("one of the tied", dice[other])
            tied[:] = [each for each in tied if rolls[each] == max(rolls.values())]

    def payoffs(self) -> list[float]:
        """Of each seat, the empty ones too."""
        others = len(self.adventurers) - 1
        of_win = [0.0] * len(self.adventurers)
        pieces = [float(gold(each)) for each in self.adventurers]
        if self.winner:
            of_win = [1.0 if each is self.winner else -1 / others for each in self.adventurers]
            pieces[self.winner.seat] += 0.5 * (self.reward == "gold")
        of_gold = [(own - (sum(pieces) - own) / others) / 51 for own in pieces]
        halves = [(won + held) / 2 for won, held in zip(of_win, of_gold, strict=True)]
        return {"win": of_win, "gold": of_gold, "progress": halves}[self.reward] + [0.0] * (6 - len(self.adventurers))

    # The map, and things on it

    def beyond(self, space: Space, direction: str) -> Space | None:
        """The card that lies there."""
        east, north = TOWARDS[direction]
        return self.map.get((space.spot[0] + east, space.spot[1] + north))

    def unexplored(self, space: Space) -> list[str]:
        return [direction for direction in space.ways if not self.beyond(space, direction)]

    def space(self, action: str) -> Space:
        return next(space for space in self.map.values() if action == f"space_{space.name}")

    def pick_up(self, who: Adventurer, item: str, space: Space) -> None:
        space.lying[item] -= 1
        who.inventory[item] += 1

    def put_down(self, who: Adventurer, item: str, space: Space) -> None:
        who.inventory[item] -= 1
        space.lying[item] += 1

    def pay(self, who: Adventurer, pieces: int) -> None:
        """From the supply, as far as it goes."""
        pieces = min(pieces, self.supply)
        self.supply -= pieces
        who.inventory["gold"] += pieces

    def facts(self) -> dict[str, Any]:
        return {
            "turn": (self.turns, self.whose_turn.seat if self.turns else "nobody's"),
            "decisions": self.decisions,
            "at": [each.at.name for each in self.adventurers],
            "carried": [those_there(each.inventory) for each in self.adventurers],
            "map": {space.name: space.spot for space in self.map.values()},
            "lying": {space.name: lying for space in self.map.values() if (lying := those_there(space.lying))},
            "foes": {space.name: Counter(foe.name for foe in space.foes) for space in self.map.values() if space.foes},
            "guardians": self.fate,
            "cards left": {direction: len(deck) for direction, deck in self.decks.items()},
            "bag": those_there(self.bag),
            "supply": self.supply,
            "payoff": [round(payoff, 9) for payoff in self.payoffs()],
        }


@dataclass
class Visit:
    """Picking up and dropping in one space: drops first, then takes, each in the order of items, so that there is one way to do it.

    Once a third spell was put back, spells can be dropped after the takes, again in the order of items.
    """

    gone: set[str] = field(default_factory=set)  # dropped or put back: not taken up again
    put_back: bool = False
    last: tuple[int, int] = (0, 0)  # drops, takes or late drops; the place of the last item

    def may_drop(self, item: str) -> bool:
        place = ITEMS.index(item)
        return self.last <= (0, place) or (self.put_back and item in SPELLS and self.last <= (2, place))

    def may_take(self, item: str) -> bool:
        return self.last <= (1, ITEMS.index(item)) and item not in self.gone

    def drop(self, item: str) -> None:
        self.gone.add(item)
        self.last = (0 if self.last[0] == 0 else 2, ITEMS.index(item))

    def take(self, item: str) -> None:
        self.last = (1, ITEMS.index(item))

    def put_back_into_its_well(self, item: str) -> None:
        self.gone.add(item)
        self.put_back = True


def those_there(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


def gold(who: Adventurer) -> int:
    return who.inventory["gold"]


def roll(who: str, die: int) -> Generator[Chance, str, int]:
    return int((yield Chance({f"{who} rolls {face}": 1 for face in range(1, die + 1)})).split()[-1])


def read(path: Path) -> dict[str, Any]:
    """The content of a deck file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


# The position that the rules keep, in the same words.

SPACES = ("camp_1", "camp_2", "camp_3", *(f"{direction}_{n}" for direction in TOWARDS for n in range(1, 13)))
FOES = tuple(str(kind) for kind in range(1, 13))


def facts(s: Fields) -> dict[str, Any]:
    """A position's fields as :meth:`LostWoods.facts` has them."""
    players = s["players"]
    spots = zip(SPACES, s["placed"].tolist(), s["x"].tolist(), s["y"].tolist(), strict=True)
    carried: list[dict[str, int]] = [those_there(dict(zip(GOODS, goods, strict=True))) for goods in s["carried"][:players].tolist()]
    lying: dict[str, dict[str, int]] = {}
    for good, space in np.argwhere(s["lying"]).tolist():
        lying.setdefault(SPACES[space], {})[GOODS[good]] = int(s["lying"][good, space])
    for spell, at in zip(SPELLS, s["spell_at"].tolist(), strict=True):
        if at >= len(SPACES):
            carried[at - len(SPACES)][spell] = 1
        elif at >= 0:
            lying.setdefault(SPACES[at], {})[spell] = 1
    foes: dict[str, dict[str, int]] = {}
    for space, kind in np.argwhere(s["enemies"]).tolist():
        foes.setdefault(SPACES[space], {})[FOES[kind]] = int(s["enemies"][space, kind])
    guardians = {}
    for direction, at in zip(TOWARDS, s["guardian_at"].tolist(), strict=True):
        guardians[direction] = SPACES[at] if at >= 0 else ("defeated", "in the box")[at]
        if at >= 0:
            foes.setdefault(SPACES[at], {})["guardian"] = 1
    return {
        "turn": (s["turns"], s["turn"] if s["turns"] else "nobody's"),
        "decisions": s["decisions"],
        "at": [SPACES[space] for space in s["at"][:players].tolist()],
        "carried": carried,
        "map": {space: (x, y) for space, placed, x, y in spots if placed},
        "lying": lying,
        "foes": foes,
        "guardians": guardians,
        "cards left": dict(zip(TOWARDS, s["left"].tolist(), strict=True)),
        "bag": those_there(dict(zip(TILES, s["bag"].tolist(), strict=True))),
        "supply": s["supply"],
        "payoff": [round(payoff, 9) for payoff in s["payoff"].tolist()],
    }
