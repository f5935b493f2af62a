"""The one driver: it takes positions of any game from decision to decision.

:func:`_run` is written once. Its globals name the six functions of a game's rules, and :func:`bind` makes a function object of the
same code whose globals hold a particular game's. (A closure over compiled functions would miss Numba's disk cache at every start.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from deckwood.core.errors import IllegalAction, OptionError, SnapshotError
from deckwood.core.jit import COMPILED, rule
from deckwood.core.registry import games
from deckwood.core.registry import spec as spec_of
from deckwood.core.snapshot import pack, unpack
from deckwood.core.spec import CHANCE_ACTOR, GameSpec, LoadedDeck, Memory, Node
from deckwood.core.stream import below, draw, new_stream, seed_stream, slot_keys

DECISION, CHANCE, END = int(Node.DECISION), int(Node.CHANCE), int(Node.END)
RULES = ("setup", "legal", "apply", "chance", "apply_chance", "observe")

# What a call of the kernel does to each slot.
RESET, STEP, REFRESH, SETUP, LEGAL, APPLY, WEIGHTS, OUTCOME, OBSERVE, ADVANCE = range(10)
DEAD = -2  # the kernel's answer when a game is over before its first decision; otherwise the first slot with an illegal action, or -1


Positions: TypeAlias = np.recarray[Any, np.dtype[Any]]
"""A record array of positions, dtype ``spec.dtype``; a single position has shape (1,)."""


class Buffers(NamedTuple):
    """The arrays of a batch, one row a slot; see :class:`Batch` for the public ones."""

    keys: NDArray[np.int64]  # (n, 6)
    streams: NDArray[np.int64]  # (n, 4)
    episodes: NDArray[np.int64]  # (n,) the number of the game being played
    steps: NDArray[np.int64]  # (n,) real decisions taken in it
    legal: NDArray[np.int8]  # (n, A) what the kernel checks; ``mask`` is the copy that users may write to
    paid: NDArray[np.float64]  # (n, seats) payoff that has been given out as reward
    over: NDArray[np.bool_]  # (n,) ended and not set up again
    obs: NDArray[np.float32]
    mask: NDArray[np.int8]
    reward: NDArray[np.float64]  # (n, seats)
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    actor: NDArray[np.int64]
    final_obs: NDArray[np.float32]
    final_mask: NDArray[np.int8]
    ended: NDArray[np.int64]
    episode_return: NDArray[np.float64]  # (n, seats)
    episode_length: NDArray[np.int64]
    weights: NDArray[np.int32]  # (max_outcomes,) scratch
    blank: Positions  # (n,) what setup finds: zero bytes but for the remembered fields
    log: NDArray[np.int32]  # (n, capacity, 3): actor, action, outcome
    logged: NDArray[np.int64]  # (n,) events so far; more than the capacity when some were lost


def _allocate(spec: GameSpec, n: int, log: int) -> Buffers:
    features, actions, seats = spec.observation_size, len(spec.actions), spec.seats[1]
    return Buffers(
        keys=np.zeros((n, 6), np.int64),
        streams=np.zeros((n, 4), np.int64),
        episodes=np.zeros(n, np.int64),
        steps=np.zeros(n, np.int64),
        legal=np.zeros((n, actions), np.int8),
        paid=np.zeros((n, seats), np.float64),
        over=np.ones(n, np.bool_),
        obs=np.zeros((n, features), np.float32),
        mask=np.zeros((n, actions), np.int8),
        reward=np.zeros((n, seats), np.float64),
        terminated=np.zeros(n, np.bool_),
        truncated=np.zeros(n, np.bool_),
        actor=np.zeros(n, np.int64),
        final_obs=np.zeros((n, features), np.float32),
        final_mask=np.zeros((n, actions), np.int8),
        ended=np.zeros(n, np.int64),
        episode_return=np.zeros((n, seats), np.float64),
        episode_length=np.zeros(n, np.int64),
        weights=np.zeros(spec.max_outcomes, np.int32),
        blank=np.zeros(n, spec.dtype).view(np.recarray),
        log=np.zeros((n, log, 3), np.int32),
        logged=np.zeros(n, np.int64),
    )


# Stand-ins for a game's rules; bind() replaces them.
setup: Any = None
legal: Any = None
apply: Any = None
chance: Any = None
apply_chance: Any = None
observe: Any = None


@rule
def copy_row(source: NDArray[Any], target: NDArray[Any]) -> None:
    """``target[:] = source``, which Numba compiles in a hundredth of the time."""
    for column in range(len(target)):
        target[column] = source[column]


def _run(task, positions, slots, actions, longest, autoreset, deck, options, b):  # type: ignore[no-untyped-def]
    """Do ``task`` to the positions of ``slots``. ``actions`` has one entry a position: an action, or an outcome for OUTCOME.

    Returns what LEGAL and WEIGHTS count; else DEAD, the first slot whose action was refused, or -1.
    """
    if task == STEP:
        for i in slots:
            action = actions[i]
            if b.over[i] or action < 0 or action >= b.legal.shape[1] or b.legal[i, action] == 0:
                return i

    for i in slots:
        s = positions[i]
        if task == SETUP:
            positions[i] = b.blank[i]
            setup(s, deck, options)
        elif task == LEGAL:
            return legal(s, deck, b.legal[i])
        elif task == WEIGHTS:
            return chance(s, deck, b.weights)
        elif task == OUTCOME:
            apply_chance(s, deck, actions[i])
        elif task == OBSERVE:
            observe(s, deck, b.obs[i])
        elif task == APPLY:
            apply(s, deck, actions[i])
            s.decisions += 1
        else:
            fresh = task == RESET
            action = int(actions[i]) if task == STEP else -1
            b.reward[i, :] = 0.0
            b.terminated[i] = False
            b.truncated[i] = False
            b.ended[i] = 0
            b.steps[i] += task == STEP

            while True:
                if fresh:
                    b.steps[i] = 0
                    b.paid[i, :] = 0.0
                    b.logged[i] = 0
                    seed_stream(b.streams[i], b.keys[i], b.episodes[i])
                    positions[i] = b.blank[i]
                    setup(s, deck, options)

                while s.node != END:
                    if s.node == CHANCE:
                        n = chance(s, deck, b.weights)
                        outcome = draw(b.streams[i], b.weights, n)
                        if b.logged[i] < b.log.shape[1]:
                            b.log[i, b.logged[i], 0] = CHANCE_ACTOR
                            b.log[i, b.logged[i], 1] = -1
                            b.log[i, b.logged[i], 2] = outcome
                        b.logged[i] += 1
                        apply_chance(s, deck, outcome)
                        continue
                    if action < 0:
                        n = legal(s, deck, b.legal[i])
                        if n > 1 or s.decisions >= longest:
                            break
                        action = 0
                        while b.legal[i, action] == 0:
                            action += 1
                    if b.logged[i] < b.log.shape[1]:
                        b.log[i, b.logged[i], 0] = s.mover
                        b.log[i, b.logged[i], 1] = action
                        b.log[i, b.logged[i], 2] = -1
                    b.logged[i] += 1
                    apply(s, deck, action)
                    s.decisions += 1
                    action = -1

                if task == ADVANCE:
                    break
                ended = s.node == END
                if ended:
                    b.legal[i, :] = 0
                observe(s, deck, b.obs[i])
                if fresh and ended:
                    return DEAD
                b.over[i] = ended or s.decisions >= longest
                cut = not ended or s.ended == 0
                if task == REFRESH:
                    copy_row(s.payoff, b.paid[i])
                if fresh or task == REFRESH:
                    break
                for seat in range(b.reward.shape[1]):
                    b.reward[i, seat] = s.payoff[seat] - b.paid[i, seat]
                copy_row(s.payoff, b.paid[i])
                if not b.over[i]:
                    break
                b.terminated[i] = not cut
                b.truncated[i] = cut
                b.ended[i] = s.ended
                copy_row(b.obs[i], b.final_obs[i])
                copy_row(b.legal[i], b.final_mask[i])
                copy_row(s.payoff, b.episode_return[i])
                b.episode_length[i] = b.steps[i]
                if not autoreset:
                    break
                b.episodes[i] += 1
                fresh = True

            if task != ADVANCE:
                copy_row(b.legal[i], b.mask[i])
                b.actor[i] = -1 if s.node == END else s.mover
    return -1


@rule
def _pick(legal: NDArray[np.int8], streams: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """A uniform legal action for each slot, each from its own stream; 0 where there is none."""
    for i in range(out.shape[0]):
        n = 0
        for action in range(legal.shape[1]):
            n += legal[i, action] != 0
        out[i] = 0
        if n == 0:
            continue
        rest = below(streams[i], n)
        for action in range(legal.shape[1]):
            if legal[i, action] != 0:
                if rest == 0:
                    out[i] = action
                    break
                rest -= 1


def bind(template: FunctionType, rules: ModuleType, **names: Any) -> Callable[..., Any]:
    """``template`` compiled with ``setup``, ``legal``, ``apply``, ``chance``, ``apply_chance`` and ``observe`` being those of ``rules``.

    The template is a plain module-level function that uses those names as globals; ``names`` adds or replaces further globals. Each
    (template, rules) pair compiles once and is kept on disk. Compiled searches and solvers are made with this too.
    """
    own = {**template.__globals__, **{name: getattr(rules, name) for name in RULES}, **names}
    function = FunctionType(template.__code__, own, template.__name__, template.__defaults__)
    function.__module__ = rules.__name__  # Numba imports it when it loads the function from disk
    others = "".join(f"-{value.__module__}.{value.__qualname__}" for value in names.values())
    function.__qualname__ = f"{template.__module__}.{template.__qualname__}{others}"
    return rule(function, home=Path(rules.__file__ or ""))


@cache
def _kernel(rules: ModuleType) -> Callable[..., int]:
    return bind(_run, rules)  # type: ignore[arg-type]


def entry_point(kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The machine code of ``kernel`` for the types of ``arguments``, for callers whose types never change: no dispatch at each call."""
    if not COMPILED:
        return kernel  # type: ignore[no-any-return]
    signature = tuple(map(numba.typeof, arguments))
    kernel.compile(signature)
    return kernel.overloads[signature].entry_point  # type: ignore[no-any-return]


class Game:
    """One game with its deck and options: functions from position to position, for searches, solvers, replays and tests.

    A position is a record array of one element (``np.recarray``, shape (1,), dtype ``spec.dtype``); ``position.copy()`` copies it.
    Nothing here holds randomness: chance nodes are played by the caller, or by :meth:`advance` from a stream.

    >>> game = Game("deckwood/Tanglewoods-v1", hero="piper")
    >>> position, stream = game.new(), new_stream(seed=1)
    >>> game.advance(position, stream)
    >>> np.flatnonzero(game.legal(position))
    """

    def __init__(self, game: str | GameSpec, *, deck: str | Path | None = None, **options: Any) -> None:
        """OptionError for an unknown option or value, DeckError for a wrong deck file."""
        self.spec = spec_of(game) if isinstance(game, str) else game
        self.deck: LoadedDeck = self.spec.load_deck(None if deck is None else Path(deck))
        self.options = self.spec.encode_options(options, self.deck)
        self.given = dict(options)
        self.kernel = _kernel(self.spec.rules)
        self._buffers = _allocate(self.spec, 1, 0)
        self._one = np.zeros(1, np.int64)
        self._argument = np.zeros(1, np.int64)
        self._rest = (self.spec.longest_game, False, self.deck.tables, self.options, self._buffers)
        self._entry: Callable[..., int] | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        registered = self.spec.env_id in games()
        deck = None if self.deck.digest == self.spec.load_deck(None).digest else self.deck.source
        return _remake, (self.spec.env_id if registered else self.spec, deck, self.deck.digest, self.given)

    def _call(self, task: int, position: Positions, argument: int = 0) -> int:
        if position.dtype != self.spec.dtype or position.shape != (1,):
            raise TypeError(
                f"a position of {self.spec.env_id} is a record array of one element, not {position.dtype} of shape {position.shape}"
            )
        if type(position) is not np.recarray or not position.flags.writeable:
            if not position.flags.writeable and task in (SETUP, APPLY, OUTCOME, ADVANCE):
                raise ValueError("the position is read-only: copy it first")
            position = (position if position.flags.writeable else position.copy()).view(np.recarray)
        self._argument[0] = argument
        arguments = (task, position, self._one, self._argument, *self._rest)
        if self._entry is None:
            self._entry = entry_point(self.kernel, arguments)
        return self._entry(*arguments)

    def memory(self, remembered: Mapping[str, Any] | None) -> Memory:
        """``remembered`` (None: a fresh deck's) as arrays. OptionError where it is none of this game's, or no game can start from it."""
        found = self.spec.encode_memory(remembered)
        if self.spec.impossible and (reason := self.spec.impossible(self.deck, found)):
            raise OptionError(f"{self.spec.env_id}: {reason}")
        if self.spec.objection and (reason := self.spec.objection(self.options, self.deck, found)):
            raise OptionError(f"{self.spec.env_id} with {self.given}: {reason}")
        return found

    def new(self, remembered: Mapping[str, Any] | None = None) -> Positions:
        """A new position at its first node, which may be a chance event; OptionError as for :meth:`memory`."""
        for name, value in self.memory(remembered).items():
            self._buffers.blank[name][0] = value
        position = np.zeros(1, self.spec.dtype).view(np.recarray)
        self._call(SETUP, position)
        return position

    def legal(self, position: Positions) -> NDArray[np.int8]:
        """int8 (A,): 1 for each legal action; all 0 where nobody decides."""
        if position["node"][0] != DECISION:
            return np.zeros(len(self.spec.actions), np.int8)
        self._call(LEGAL, position)
        mask: NDArray[np.int8] = self._buffers.legal[0].copy()
        return mask

    def apply(self, position: Positions, action: int) -> None:
        """Play ``action`` in place and run on to the next node. IllegalAction, with nothing changed, where the mask forbids it."""
        mask = self.legal(position)
        if not 0 <= action < len(mask) or not mask[action]:
            raise illegal_action(self, position, int(action), mask, "")
        self._call(APPLY, position, int(action))

    def chance(self, position: Positions) -> NDArray[np.int32]:
        """int32 (n,): the weights of the outcomes of the pending chance event. ValueError at any other node."""
        if position["node"][0] != CHANCE:
            raise ValueError(f"no chance event is pending: {self.phase(position)}")
        return self._buffers.weights[: self._call(WEIGHTS, position)].copy()

    def apply_chance(self, position: Positions, outcome: int) -> None:
        """Let ``outcome`` happen, in place, and run on to the next node. ValueError for an outcome of no weight."""
        weights = self.chance(position)
        if not 0 <= outcome < len(weights) or weights[outcome] <= 0:
            raise ValueError(f"outcome {outcome} cannot happen: {self.phase(position)}")
        self._call(OUTCOME, position, int(outcome))

    def observe(self, position: Positions, seat: int | None = None) -> NDArray[np.float32]:
        """float32 (F,): what the mover sees, or ``seat`` if it were its turn."""
        if seat is not None and seat != position["mover"][0]:
            position = position.copy()
            position["mover"][0] = seat
        self._call(OBSERVE, position)
        obs: NDArray[np.float32] = self._buffers.obs[0].copy()
        return obs

    def advance(self, position: Positions, stream: NDArray[np.int64]) -> None:
        """Run, in place, through chance events (drawn from ``stream``) and forced moves to a real decision or the end."""
        self._buffers.streams[0] = stream
        self._call(ADVANCE, position)
        stream[:] = self._buffers.streams[0]

    def phase(self, position: Positions) -> str:
        """What is being decided or drawn, in words."""
        return self.spec.phase_name(position.view(np.recarray)[0])

    def stream(self, seed: int | None = None, episode: int = 0) -> NDArray[np.int64]:
        """The stream that game ``episode`` of a single environment reset with ``seed`` is played from."""
        return new_stream(seed, episode)


def _remake(game: str | GameSpec, deck: Path | None, digest: str, options: dict[str, Any]) -> Game:
    made = Game(game, deck=deck, **options)
    if made.deck.digest != digest:
        raise SnapshotError(f"{made.spec.env_id}: the deck file {made.deck.source} has changed since this was pickled")
    return made


def illegal_action(game: Game, position: Positions, action: int, mask: NDArray[np.int8], where: str) -> IllegalAction:
    """The error for ``action`` at ``position``: what is being decided and which actions are legal, by name."""
    names = [entry.name for entry in game.spec.actions]
    found = f"{game.spec.env_id}{where}: action {action} ({names[action] if 0 <= action < len(names) else 'no such action'})"
    if not mask.any():
        return IllegalAction(f"{found}, but there is nothing to decide: {game.phase(position)}")
    choices = ", ".join(f"{index} {names[index]}" for index in np.flatnonzero(mask))
    return IllegalAction(f"{found} is illegal at {game.phase(position)}; legal: {choices}")


class Batch:
    """``num_envs`` games side by side, stepped by one compiled call.

    Arrays, one row a slot. All are preallocated and rewritten by every ``reset`` and ``step``: copy what you keep.

    ====================  ======================  ===============================================================================
    ``obs``               float32 (n, F)          the mover's observation, of the new game where one has ended
    ``mask``              int8 (n, A)             1 for each legal action
    ``reward``            float64 (n,)            change of payoff, in the first step since setup; (n, seats) in a game for several
    ``terminated``        bool (n,)               the game has ended in this step
    ``truncated``         bool (n,)               ... or was cut: by its rules' own limit, or at ``spec.longest_game`` decisions
    ``actor``             int64 (n,)              the seat that decides; -1 when the game is over
    ``final_obs``         float32 (n, F)          where a game is over: its last observation
    ``final_mask``        int8 (n, A)             ... its last mask (all zero at an end, the true one where cut at ``longest_game``)
    ``ended``             int64 (n,)              ... 1 + index into ``spec.endings``; 0 if truncated, or not over
    ``episode_return``    float64 like reward     ... its total payoff
    ``episode_length``    int64 (n,)              ... how many steps were taken in it
    ``positions``         recarray (n,)           the games themselves
    ====================  ======================  ===============================================================================

    A finished game is followed by the slot's next one within the same step (``autoreset=True``) or stands until ``reset``. In a game
    that remembers, the next one starts from the same memory as the last: what a game leaves behind is its player's to pass on.
    Chance events and decisions with a single legal action are played by the driver.
    """

    def __init__(
        self,
        game: str | GameSpec | Game,
        num_envs: int,
        *,
        seed: int | Sequence[int] | None = None,
        deck: str | Path | None = None,
        autoreset: bool = True,
        log: int = 0,
        remembered: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """``log`` keeps that many events of each slot's current game (see :meth:`events`); ``seed`` and ``remembered`` are those of
        :meth:`reset`. OptionError, DeckError as for :class:`Game` and where no game can start from what is remembered."""
        if isinstance(game, Game) and (deck is not None or options):
            raise OptionError("a Game already has its deck and options")
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: must be at least 1")
        self._allocate(game if isinstance(game, Game) else Game(game, deck=deck, **options), num_envs, autoreset, log)
        self.reset(seed, remembered=remembered)

    def _allocate(self, game: Game, num_envs: int, autoreset: bool, log: int) -> None:
        self.game, self.num_envs, self.autoreset, self.log = game, num_envs, autoreset, log
        self.spec, self.deck, self.options = game.spec, game.deck, game.options
        self.positions = np.zeros(num_envs, self.spec.dtype).view(np.recarray)
        self._b = b = _allocate(self.spec, num_envs, log)
        self._pickers = np.zeros((num_envs, 4), np.int64)
        self._slots = np.arange(num_envs)
        self._actions = np.zeros(num_envs, np.int64)
        self._rest = (self.spec.longest_game, autoreset, self.deck.tables, self.options, b)
        solo = self.spec.seats[1] == 1
        self.obs, self.mask, self.terminated, self.truncated, self.actor = b.obs, b.mask, b.terminated, b.truncated, b.actor
        self.reward = b.reward.reshape(-1) if solo else b.reward
        self.final_obs, self.final_mask, self.ended = b.final_obs, b.final_mask, b.ended
        self.episode_return = b.episode_return.reshape(-1) if solo else b.episode_return
        self.episode_length = b.episode_length
        self._kernel: Callable[..., int] | None = None

    def __getstate__(self) -> dict[str, Any]:
        made = (self.game, self.num_envs, self.autoreset, self.log)
        return {"made": made, "positions": self.positions, "pickers": self._pickers, **self._state()}

    def _state(self) -> dict[str, NDArray[Any]]:
        """The buffers that decide how the games go on, one row a slot."""
        scratch = ("weights",) if self.spec.remembered else ("weights", "blank")
        return {name: array for name, array in self._b._asdict().items() if name not in scratch}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._allocate(*state["made"])
        self.restore(state)

    def restore(self, state: dict[str, Any]) -> None:
        """Put the arrays of another batch's state into this one's."""
        self.positions[:] = state["positions"]
        self._pickers[:] = state["pickers"]
        for name, array in self._state().items():
            if name in state:
                array[:] = state[name]

    def save(self) -> bytes:
        """The whole state, streams included, as bytes."""
        return pack(self)

    def load(self, data: bytes) -> None:
        """Go back to a state from :meth:`save`. SnapshotError, with nothing changed, for one of another game, deck, options or size."""
        unpack(self, data)

    def copy(self) -> Batch:
        """An independent batch in the same state, streams included: it goes on exactly as this one would."""
        twin = object.__new__(Batch)
        twin.__setstate__(self.__getstate__())
        return twin

    def __repr__(self) -> str:
        return f"Batch({self.spec.env_id!r}, {self.num_envs}, deck={str(self.deck.source)!r}, {self.game.given})"

    def _call(self, task: int, slots: NDArray[np.int64]) -> int:
        arguments = (task, self.positions, slots, self._actions, *self._rest)
        if self._kernel is None:
            self._kernel = entry_point(self.game.kernel, arguments)
        result = self._kernel(*arguments)
        if result == DEAD:
            raise RuntimeError(f"{self.spec.env_id} with {self.game.given}: the game was over before its first decision")
        return result

    def _indices(self, slots: ArrayLike | None) -> NDArray[np.int64]:
        if slots is None:
            return self._slots
        chosen = np.asarray(slots)
        return np.ascontiguousarray(np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.reshape(-1), np.int64)

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        slots: ArrayLike | None = None,
        remembered: Mapping[str, Any] | None = None,
    ) -> NDArray[np.float32]:
        """Set up a new game in every slot (or in ``slots``: indices or a bool mask); returns ``obs``.

        With a seed every slot gets a new key and begins at its game 0: slot *i* from (seed, i), or from ``seed[i]`` alone where a
        sequence is given, one entry a slot. Without one each slot goes on to its next game; the first time, keys come from the
        operating system's entropy.

        The games, and those that follow them by autoreset, start from what a deck ``remembered``, or from a fresh deck. OptionError,
        with nothing changed, as for :meth:`Game.memory`.
        """
        chosen, b, memory = self._indices(slots), self._b, self.game.memory(remembered)
        if seed is not None or not b.keys.any():
            fresh = chosen if seed is not None else self._slots
            b.keys[fresh] = slot_keys(seed, self.num_envs)[fresh]
            b.episodes[fresh] = 0
            for slot in fresh:
                seed_stream(self._pickers[slot], b.keys[slot, 3:], 0)
        else:
            b.episodes[chosen] += 1
        for name, value in memory.items():
            b.blank[name][chosen] = value
        self._call(RESET, chosen)
        return self.obs

    def step(self, actions: ArrayLike, slots: ArrayLike | None = None) -> NDArray[np.float32]:
        """Play one action in each slot (n,), any integer dtype; returns ``obs``, with the other arrays filled too.

        With ``slots`` (indices or a bool mask) only those games are stepped, by one action each; the rows of the others stay as they are.

        All actions are checked first: IllegalAction, with nothing changed, names the slot, the action, the decision and the legal ones.
        """
        given, chosen = np.asarray(actions), self._indices(slots)
        if given.shape != chosen.shape or given.dtype.kind not in "iu":
            raise ValueError(f"actions must be {len(chosen)} integers, not {given.dtype} of shape {given.shape}")
        self._actions[chosen] = given
        refused = self._call(STEP, chosen)
        if refused >= 0:
            self._refuse(refused)
        return self.obs

    def step_one(self, action: int) -> None:
        """:meth:`step` for a batch of one, without the array."""
        self._actions[0] = action
        if self._call(STEP, self._slots) >= 0:
            self._refuse(0)

    def reseed(self, seed: int | Sequence[int]) -> None:
        """Give each slot a new key, as ``reset(seed)`` would, but go on with the games as they stand: only the future changes."""
        self._b.keys[:] = slot_keys(seed, self.num_envs)
        self._b.episodes[:] = 0
        for slot in range(self.num_envs):
            seed_stream(self._b.streams[slot], self._b.keys[slot, :3], 0)
            seed_stream(self._pickers[slot], self._b.keys[slot, 3:], 0)

    def _refuse(self, slot: int) -> None:
        where = f" (slot {slot})" if self.num_envs > 1 else ""
        if self._b.over[slot]:
            raise IllegalAction(f"{self.spec.env_id}{where}: action {self._actions[slot]}, but the game is over; call reset()")
        raise illegal_action(
            self.game, self.positions[slot : slot + 1].view(np.recarray), int(self._actions[slot]), self._b.legal[slot], where
        )

    def random_actions(self) -> NDArray[np.int64]:
        """int64 (n,): a uniformly drawn legal action for each slot, from a stream that the games do not use."""
        out = np.empty(self.num_envs, np.int64)
        _pick(self._b.legal, self._pickers, out)
        return out

    def set_positions(self, positions: Positions, slots: ArrayLike | None = None) -> None:
        """Put ``positions`` (k,) into all slots or the given k; each runs on to its next real decision from the slot's own stream.

        ``batch.positions[slots].copy()`` is the matching way out. Rewards are zero; ``obs``, ``mask`` and ``actor`` are brought up to date.
        """
        chosen = self._indices(slots)
        if positions.dtype != self.spec.dtype or len(positions) != len(chosen):
            raise ValueError(f"positions must be {len(chosen)} records of {self.spec.env_id}")
        self.positions[chosen] = positions
        self._b.logged[chosen] = 0
        self._call(REFRESH, chosen)

    def copy_slots(self, source: ArrayLike, target: ArrayLike) -> None:
        """Make each ``target`` slot an exact continuation of ``source``: game, stream, key and all arrays."""
        a, z = self._indices(source), self._indices(target)
        self.positions[z] = self.positions[a]
        self._pickers[z] = self._pickers[a]
        for array in self._state().values():
            array[z] = array[a]

    def memory(self, slot: int = 0) -> Memory:
        """What the slot's current game started from; ``spec.memory(batch.positions[slot])`` is what it has come to."""
        return self.spec.memory(self._b.blank[slot])

    def told(self, slots: ArrayLike | None = None) -> dict[str, NDArray[np.float64]]:
        """What the current games tell of themselves: float64 (n,), or (k,) for k ``slots``, for each name of ``spec.told``."""
        if self.spec.tell is None:
            return {}
        positions = self.positions if slots is None else self.positions[self._indices(slots)].view(np.recarray)
        return dict(self.spec.tell(self.game, positions))

    def events(self, slot: int = 0) -> NDArray[np.int32]:
        """int32 (k, 3): every event of the slot's current game as (actor, action, outcome), forced moves included; needs ``log``.

        A decision is (seat, action, -1), a chance event (-1, -1, outcome). RuntimeError when there were more than ``log``.
        """
        count = int(self._b.logged[slot])
        if count > self._b.log.shape[1]:
            raise RuntimeError(f"{count} events, but room was made for {self._b.log.shape[1]}: pass a larger log= to Batch")
        return self._b.log[slot, :count].copy()
