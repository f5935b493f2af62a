"""A match: the compiled rules on one side of the table, a referee on the other, game after game.

A referee is the rules of a game once more, in plain Python, written from the rulebook alone. It plays a game as one generator: it
yields a :class:`Decision` or a :class:`Chance`, is sent the name of what was chosen or what happened, and returns the :class:`Result`.
Rules read straight on, with ``yield from`` for their parts::

    def take_damage(self):
        if self.shields and (yield Decision(0, ["accept", "decline"])) == "accept":
            ...
        face = yield Chance({"miss": 3, "hit": 2, "crit": 1})

:func:`match` compares both sides wherever somebody has a real choice or chance has a real say: who decides, what is legal, which
outcomes have which odds, and the facts of the position; at the end the ending and the payoff. Decisions with one legal action and
chance events with one outcome are played on each side by itself, so neither side need have them where the other does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import gcd
from typing import Any, Protocol, TypeAlias

import numpy as np

from deckwood.core.game import Game
from deckwood.core.spec import Node, Positions
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.roster import make_agent

DECISION, CHANCE, END = int(Node.DECISION), int(Node.CHANCE), int(Node.END)

REMEMBERED = 30
"""How many events before a disagreement are told."""


@dataclass(frozen=True)
class Decision:
    """``mover`` (a seat, 0 in a solo game) chooses one of ``actions``: names of the action table, in any order, none twice."""

    mover: int
    actions: Collection[str]
    phase: str | None = None  # what is being decided, as ``Game.phase`` says it; compared where it is given


@dataclass(frozen=True)
class Chance:
    """One of ``outcomes`` happens: a weight for each name that ``spec.outcome_name`` may give. Only the proportions count."""

    outcomes: Mapping[str, int]
    phase: str | None = None


@dataclass(frozen=True)
class Result:
    """How a game ended: the name of its ending (None: cut by a limit of the rules) and each seat's payoff."""

    ending: str | None
    payoff: Sequence[float]


Rules: TypeAlias = Generator[Decision | Chance, str, Any]
"""What a part of a referee's rules is."""


class Referee(Protocol):
    """A game about to be played."""

    def play(self) -> Generator[Decision | Chance, str, Result]:
        """The whole game, from setup on."""

    def facts(self) -> Mapping[str, Any]:
        """The position as it stands, in the form that the ``facts`` given to :func:`match` has."""


Fields: TypeAlias = Mapping[str, Any]
"""A position's fields by name: int, float, or a NumPy array."""


class Disagreement(AssertionError):
    """The two sides part: the message says in which game, after what, and what each side says."""


@dataclass
class Tally:
    """What a match has come across."""

    decisions: int = 0  # real ones
    chances: int = 0
    games: int = 0  # played to their end
    actions: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    endings: Counter[str | None] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.decisions + other.decisions,
            self.chances + other.chances,
            self.games + other.games,
            self.actions + other.actions,
            self.phases + other.phases,
            self.endings + other.endings,
        )


class _Sides:
    """One game on both sides."""

    def __init__(
        self, game: Game, referee: Referee, facts: Callable[[Fields], Mapping[str, Any]], number: int, seed: int, player: str, **start: Any
    ) -> None:
        self.game, self.spec, self.facts = game, game.spec, facts
        self.number, self.seed, self.player = number, seed, player
        self.rng = np.random.default_rng([seed, number])
        self.position: Positions = game.new(**start)
        self.referee = referee
        self.rules = referee.play()
        self.pending: Decision | Chance | Result | None = None
        self.events: list[str] = []
        self.phase = ""  # of the game, at its last real node
        self._referee_goes_on(None)

    # Each side plays what is forced by itself.

    def _referee_goes_on(self, chosen: str | None) -> None:
        """Tells the referee what was chosen and runs it on to its next real node."""
        try:
            self.pending = next(self.rules) if chosen is None else self.rules.send(chosen)
            while True:
                options = self.pending.actions if isinstance(self.pending, Decision) else _possible(self.pending.outcomes)
                if len(options) > 1:
                    return
                self.events.append(f"    (referee: {next(iter(options))})")
                self.pending = self.rules.send(next(iter(options)))
        except StopIteration as end:
            self.pending = end.value
        except Exception as error:
            raise self.disagreement(f"the referee failed: {type(error).__name__}: {error}") from error

    def _game_goes_on(self) -> None:
        """Runs the game through what is forced, to its next real node."""
        while True:
            self.node = int(self.position["node"][0])
            self.view = View(fields(self.position))
            self.names, self.weights = [], {}
            if self.node == DECISION:
                self.mask = self.game.legal(self.position)
                self.names = [self.spec.actions[i].name for i in np.flatnonzero(self.mask)]
                if len(self.names) != 1:
                    break
                self._apply(self.spec.action_index[self.names[0]], f"    (game: {self.names[0]})")
            elif self.node == CHANCE:
                self._read_outcomes()
                if len(self.weights) != 1:
                    break
                (name,) = self.weights
                self._happen(name, f"    (game: {name})")
            else:
                break
        self.phase = self.spec.phase_name(self.view)

    def _read_outcomes(self) -> None:
        self.outcomes: dict[str, list[tuple[int, int]]] = {}
        for outcome, weight in enumerate(self.game.chance(self.position).tolist()):
            if weight:
                name = self.spec.outcome_name(self.view, self.game.deck, outcome)
                self.weights[name] = self.weights.get(name, 0) + weight
                self.outcomes.setdefault(name, []).append((outcome, weight))

    def _apply(self, action: int, event: str) -> None:
        self.game.apply(self.position, action)
        self.events.append(event)

    def _happen(self, name: str, event: str) -> None:
        """One of the outcomes of this name happens: they are alike but for a number."""
        numbers, weights = zip(*self.outcomes[name], strict=True)
        self.game.apply_chance(self.position, drawn(self.rng, numbers, weights))
        self.events.append(event)

    # What is real is compared, and played on both sides.

    def meet(self, tally: Tally) -> bool:
        """Plays on through chance to the next real decision, comparing; False at the end of the game."""
        while True:
            self._game_goes_on()
            self._compare()
            if self.node == END:
                assert isinstance(self.pending, Result)
                tally.games += 1
                tally.endings[self.pending.ending] += 1
                return False
            if self.node == DECISION:
                tally.phases[self.phase] += 1
                return True
            tally.chances += 1
            name = drawn(self.rng, list(self.weights), list(self.weights.values()))
            self._happen(name, f"chance: {name}")
            self._referee_goes_on(name)

    def choose(self, action: int, tally: Tally, tend: Callable[[Positions, Any], None] | None) -> None:
        """Plays a legal action on both sides."""
        if tend:
            tend(self.position, self.referee)
        name = self.spec.actions[action].name
        mover = f" of seat {self.position['mover'][0]}" if self.spec.seats[1] > 1 else ""
        tally.decisions += 1
        tally.actions[name] += 1
        self._apply(action, f"{self.phase}{mover}: {name}")
        self._referee_goes_on(name)

    def _compare(self) -> None:
        theirs = self.pending
        kinds = {Decision: DECISION, Chance: CHANCE, Result: END}
        if not isinstance(theirs, tuple(kinds)):
            raise self.disagreement(f"the referee yields {theirs!r}")
        if kinds[type(theirs)] != self.node:
            ours = self.names or self.weights or self._result()
            raise self.disagreement(f"the game is at {Node(self.node).name} ({self.phase}: {ours}), the referee at {theirs}")
        if isinstance(theirs, Result):
            ending, payoff = self._result()
            if theirs.ending != ending or not np.allclose(theirs.payoff, payoff, rtol=0, atol=1e-9):
                raise self.disagreement(f"the game ends with {self._result()}, the referee says {theirs}")
            return
        if isinstance(theirs, Decision):
            if theirs.mover != self.position["mover"][0]:
                raise self.disagreement(f"seat {self.position['mover'][0]} decides, by the referee seat {theirs.mover}")
            if set(theirs.actions) != set(self.names):
                more, fewer = sorted(set(self.names) - set(theirs.actions)), sorted(set(theirs.actions) - set(self.names))
                both = sorted(set(self.names) & set(theirs.actions))
                raise self.disagreement(
                    f"legal at {self.phase} in the game alone: {more}; by the referee alone: {fewer}; by both: {both} ({theirs.phase})"
                )
        else:
            ours, own = shares(self.weights), shares(theirs.outcomes)
            if ours != own:
                names = sorted(name for name in ours.keys() | own.keys() if ours.get(name) != own.get(name))
                told = [f"{name}: {share(ours, name)} in the game, {share(own, name)} by the referee" for name in names]
                raise self.disagreement(f"odds at {self.phase}: " + "; ".join(told))
        if theirs.phase is not None and theirs.phase != self.phase:
            raise self.disagreement(f"the game is at {self.phase!r}, the referee at {theirs.phase!r}")
        self._compare_facts()

    def _compare_facts(self) -> None:
        ours = self.facts(self.view)
        theirs = self.referee.facts()
        if ours != theirs:
            parts = [name for name in {**ours, **theirs} if ours.get(name, "nothing") != theirs.get(name, "nothing")]
            told = [f"\n  {name}:\n    game    {ours.get(name, 'nothing')}\n    referee {theirs.get(name, 'nothing')}" for name in parts]
            raise self.disagreement(f"facts at {self.phase}:" + "".join(told))

    def _result(self) -> tuple[str | None, tuple[float, ...]]:
        ended = int(self.position["ended"][0])
        return self.spec.endings[ended - 1].name if ended else None, tuple(self.position["payoff"][0].tolist())

    def disagreement(self, what: str) -> Disagreement:
        where = f"{self.spec.env_id}, deck {self.game.deck.source.name} {self.game.deck.digest[:12]}, options {self.game.user_options}"
        events = "\n".join(f"  {event}" for event in self.events[-REMEMBERED:])
        facts = "\n".join(f"  {name}: {fact}" for name, fact in self.referee.facts().items())
        which = f"seed={self.seed}, only={self.number}, player {self.player!r}"
        return Disagreement(f"{what}\n{where}\n{which}; the referee's table:\n{facts}\nthe last events:\n{events}")


class View(dict[str, Any]):
    """A position's fields, by item or by attribute: what the names of phases and outcomes are made from, quicker than a record."""

    __getattr__ = dict.__getitem__


def shares(weights: Mapping[str, int]) -> dict[str, int]:
    """Weights without a common divisor, and without those that are 0."""
    divisor = gcd(*weights.values())
    return {name: weight // divisor for name, weight in weights.items() if weight}


def share(weights: Mapping[str, int], name: str) -> str:
    return f"{weights.get(name, 0)}/{sum(weights.values())}"


def drawn(rng: np.random.Generator, values: Sequence[Any], weights: Sequence[int]) -> Any:
    """One of some values, by its weight."""
    rest = int(rng.integers(sum(weights))) if len(values) > 1 else 0
    for value, weight in zip(values, weights, strict=True):
        rest -= weight
        if rest < 0:
            return value
    return values[0]


def _possible(outcomes: Mapping[str, int]) -> dict[str, int]:
    return {name: weight for name, weight in outcomes.items() if weight}


def fields(position: Positions) -> dict[str, Any]:
    """A position's fields by name: Python numbers, and NumPy arrays (views: copy what you keep)."""
    return dict(zip(position.dtype.names or (), position[0].item(), strict=True))


def match(
    game: Game,
    referee: Callable[[], Referee],
    facts: Callable[[Fields], Mapping[str, Any]],
    *,
    seed: int,
    decisions: int,
    players: Sequence[str] = ("random", "expert"),
    own: Mapping[str, Agent] | None = None,
    slips: float = 0.2,
    abreast: int = 16,
    only: int | None = None,
    tend: Callable[[Positions, Any], None] | None = None,
    **start: Any,
) -> Tally:
    """Play at least so many real ``decisions``, in as many games as it takes; :class:`Disagreement` where the sides part.

    ``referee`` sets one up for a fresh game. Game *i* is played by ``players[i % len(players)]``, names for :func:`make_agent` or of
    players in ``own``, who lets chance choose in a share ``slips`` of the decisions; ``abreast`` games are played side by side, so that
    players are asked for many at once. All depends on ``seed`` and the game's number only: ``only=i`` plays game *i* again by itself.
    ``tend`` may change position and referee alike before each choice (heal the hero, so that a game goes on); ``start`` goes to
    :meth:`Game.new`.
    """
    agents = dict(own or {})
    agents |= {name: make_agent(name, game.spec, game.deck) for name in set(players) - {"random"} - agents.keys()}
    tally, numbers = Tally(), count() if only is None else iter([only])

    def sit_down() -> _Sides | None:
        """A new game, at its first real decision."""
        for number in numbers:
            sides = _Sides(game, referee(), facts, number, seed, players[number % len(players)], **start)
            if sides.meet(tally):
                return sides
        return None

    table = [sides for _ in range(abreast if only is None else 1) if (sides := sit_down())]
    while table and (tally.decisions < decisions or only is not None):
        chosen = {id(sides): _random_action(sides) for sides in table if sides.player == "random" or sides.rng.random() < slips}
        for name, agent in agents.items():
            asked = [sides for sides in table if sides.player == name and id(sides) not in chosen]
            if asked:
                positions = np.concatenate([sides.position for sides in asked]).view(np.recarray)
                masks = np.stack([sides.mask for sides in asked])
                seen = np.stack([game.observe(sides.position) for sides in asked]) if isinstance(agent, NetworkAgent) else masks
                chosen |= {id(sides): int(action) for sides, action in zip(asked, agent.act(seen, masks, positions), strict=True)}
        for place, sides in enumerate(table):
            sides.choose(chosen[id(sides)], tally, tend)
            if not sides.meet(tally):
                table[place] = sit_down()  # type: ignore[call-overload]
        table = [sides for sides in table if sides]
    return tally


def _random_action(sides: _Sides) -> int:
    legal = np.flatnonzero(sides.mask)
    return int(legal[sides.rng.integers(len(legal))])
