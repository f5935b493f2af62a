"""Self-play: learning a multiplayer game.

One network plays every seat, since observations are relative to the mover's seat. In each game one seat, drawn uniformly, is the
learner's; each other is given to the learner too, to an earlier self or to a scripted agent. :class:`SelfPlayVecEnv` plays on until a seat
of the learner's has to decide, so Stable-Baselines3 sees only the learner's decisions, of several seats in turn.
:class:`SelfPlayBuffer` separates them again: the successor of a decision is the same seat's next one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood.core.untrusted import parse_json
from deckwood_agents.games import winner
from deckwood_agents.learning.config import SelfPlayConfig
from deckwood_agents.learning.rollouts import RolloutBuffer
from deckwood_agents.learning.sb3 import FloatArray, GamesVecEnv, require
from deckwood_agents.players.advice import AdviceInput
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.policy import MaskedPolicy, copy_policy
from deckwood_agents.players.protocol import Agent, ask
from deckwood_agents.players.uniform import RandomAgent

EMPTY, LEARNER, PAST = -1, 0, 1
"""Who plays a seat: nobody, the network that learns, a snapshot (the first of ``pool`` places), and after those the scripted agents."""

STATE = "self_play_"
"""What the names of a VecEnv's arrays begin with among those of a run."""


class RolloutTooShort(DeckwoodError, ValueError):
    """A rollout without usable decisions, because no seat decided twice in it and no game ended."""


class SelfPlayVecEnv(GamesVecEnv):
    """A ``deckwood.Batch`` of a multiplayer game as a Stable-Baselines3 VecEnv of the learner's decisions.

    A step plays the learner's action in every slot, then whatever others decide until it is the learner's turn in each. Observations (n, F)
    float32 are relative to the seat that decides, actions (n,) integers are its own. Rewards (n,) float32 are what that seat was
    paid within the step; they are informational, since :class:`SelfPlayBuffer` reads ``paid`` instead.

    A done slot's game has ended within the step, perhaps by another's move, and its observation belongs to the next game. ``is_success``
    and the return in ``episode`` are those of the seat that was drawn for the learner, whoever else was the learner too.
    ``TimeLimit.truncated`` is never set: where a game is cut every seat's payoff stands as it is, and nothing is bootstrapped.

    After a step, ``seat`` (n,) int64 says who decided in it, ``paid`` (n, seats) float32 by how much every payoff changed from then to the
    learner's next decision in the slot, or to the end of the game. What a seat is paid before its first decision arrives with that one.
    """

    def __init__(
        self, batch: Batch, config: SelfPlayConfig, scripted: Sequence[Agent], seed: int, advice_input: AdviceInput | None = None
    ) -> None:
        """``scripted`` are the agents that ``config.scripted`` names, in its order; ``seed`` decides the seating and what they draw."""
        super().__init__(batch, advice_input)
        n, seats = batch.num_envs, batch.spec.seats[1]
        self.players = batch.spec.players(batch.options)
        self.pool = config.pool
        self.shares = np.array([config.current, config.past, *config.scripted.values()])
        self.shares /= self.shares.sum()
        self.scripted = list(scripted)
        self.past: list[NetworkAgent] = []
        self.meeting = 0  # the place in the pool of the one that new games meet
        self.taken = 0  # snapshots so far
        self.snapshot_step = 0  # when the last was taken
        self.rng = np.random.default_rng([seed, 0x5E1F])
        for agent in self.scripted:
            self._share_generator(agent)
        self.table = np.full((n, seats), EMPTY, np.int64)  # who plays each seat
        self.own = np.zeros(n, np.int64)  # the seat drawn for the learner
        self.seat = np.zeros(n, np.int64)
        self.paid = np.zeros((n, seats), np.float32)
        self._moved = np.zeros((n, seats), np.bool_)  # which seats have decided in this game
        self._owed = np.zeros((n, seats))  # paid to seats before their first decision
        self._done = np.zeros(n, np.bool_)
        self._rows = np.arange(n)

    def _share_generator(self, agent: Agent) -> None:
        """All draws come from one generator, whose state a run can store."""
        if isinstance(agent, RandomAgent | NetworkAgent):
            agent.rng = self.rng

    # Who plays -----------------------------------------------------------------------------------------------------------------------

    def deal(self, slots: NDArray[np.int64]) -> None:
        """Draw who plays the new games of ``slots``."""
        shape = len(slots), self.players
        kind = self.rng.choice(len(self.shares), size=shape, p=self.shares)
        earlier = PAST + self.meeting if self.past else LEARNER
        who = np.where(kind == 0, LEARNER, np.where(kind == 1, earlier, kind - 2 + PAST + self.pool))
        self.own[slots] = self.rng.integers(self.players, size=len(slots))
        who[np.arange(len(slots)), self.own[slots]] = LEARNER
        self.table[slots, : self.players] = who
        self._moved[slots] = False
        self._owed[slots] = 0

    def agent(self, who: int) -> Agent:
        """The player with this number in ``table``, who is not the learner."""
        return self.past[who - PAST] if who < PAST + self.pool else self.scripted[who - PAST - self.pool]

    def snapshot(self, policy: MaskedPolicy, step: int) -> None:
        """Add ``policy``, as it is at ``step``, to the opponents; in a full pool it replaces the oldest at once."""
        copy = NetworkAgent("past", copy_policy(policy), sample=True, advice_input=self.advice_input)
        self._share_generator(copy)
        self.past[self.taken % self.pool : self.taken % self.pool + 1] = [copy]
        self.taken += 1
        self.snapshot_step = step

    def choose_past(self) -> None:
        """Draw the past snapshot to play against from now on: one at a time, since every network in play needs its own forward pass."""
        if self.past:
            self.meeting = int(self.rng.integers(len(self.past)))

    # Steps ---------------------------------------------------------------------------------------------------------------------------

    def reset(self) -> FloatArray:
        super().reset()
        self._infos = [{} for _ in range(self.num_envs)]
        self.deal(self._rows)
        self._play_others()
        return self.observations()

    def step_wait(self) -> tuple[FloatArray, FloatArray, NDArray[np.bool_], list[dict[str, Any]]]:
        rows, seat = self._rows, self.batch.actor.copy()
        self._infos = [{} for _ in range(self.num_envs)]
        self.seat, self._done = seat, np.zeros(self.num_envs, np.bool_)
        self.paid = np.zeros_like(self.paid)
        self._moved[rows, seat] = True
        self.paid[rows, seat] = self._owed[rows, seat]
        self._owed[rows, seat] = 0
        self._play(self._actions, rows)
        self._play_others()
        self._check(self.paid, np.flatnonzero(self._done))
        return self.observations(), self.paid[rows, seat], self._done.copy(), self._infos

    def _play_others(self) -> None:
        """Until in every slot it is the learner's turn."""
        batch = self.batch
        while True:
            who = self.table[self._rows, batch.actor]
            waiting = np.flatnonzero(who != LEARNER)
            if not waiting.size:
                return
            who = who[waiting]
            actions = np.empty(len(waiting), np.int64)
            for player in np.unique(who):
                slots = waiting[who == player]
                actions[who == player] = ask(self.agent(int(player)), batch, slots)
            self._play(actions, waiting)

    def _play(self, actions: NDArray[Any], slots: NDArray[np.int64]) -> None:
        """One action in each of ``slots``, and what it pays to whom."""
        batch = self.batch
        batch.step(actions, slots)
        change, moved = batch.reward[slots], self._moved[slots]
        running = ~self._done[slots, None]  # the game of this step's decision
        self.paid[slots] += np.where(moved & running, change, 0)
        self._owed[slots] += np.where(moved, 0, change)
        over = slots[(batch.terminated | batch.truncated)[slots]]
        if over.size:
            first = over[~self._done[over]]  # later games of a slot may end too, before the learner had a turn: they taught nothing
            self._note_ends(first)
            self._done[first] = True
            self.deal(over)

    def _note_ends(self, slots: NDArray[np.int64]) -> None:
        batch = self.batch
        victory = winner(batch.ended[slots], batch.episode_return[slots], self.players) == self.own[slots]
        for slot, success in zip(slots.tolist(), victory.tolist(), strict=True):
            value, length = float(batch.episode_return[slot, self.own[slot]]), int(batch.episode_length[slot])
            self._infos[slot] = {
                "terminal_observation": self.last_observation(slot),
                "TimeLimit.truncated": False,
                "is_success": success,
                "episode": {"r": value, "l": length, "t": time.monotonic() - self._start},
            }

    # Going on ------------------------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, NDArray[Any]]:
        """The seating, outstanding rewards, the generator, and the snapshots' weights (k, parameters) float32."""
        weights = [parameters_to_vector(agent.policy.parameters()).detach().cpu().numpy() for agent in self.past]
        content = {
            "table": self.table,
            "own": self.own,
            "moved": self._moved,
            "owed": self._owed,
            "taken": np.array([self.taken, self.snapshot_step, self.meeting]),
            "past": np.stack(weights) if weights else np.zeros((0, 0), np.float32),
            "generator": np.frombuffer(json.dumps(self.rng.bit_generator.state).encode(), np.uint8),
        }
        return {STATE + name: array.copy() for name, array in content.items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._check_state(state)
        for name, array in (("table", self.table), ("own", self.own), ("moved", self._moved), ("owed", self._owed)):
            array[:] = state[STATE + name]
        self.rng.bit_generator.state = parse_json(state[STATE + "generator"].tobytes())

    def _check_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """KeyError or ValueError unless :meth:`state` can have returned it."""
        for name, own in self.state().items():
            require(state, name, own.dtype, (None,) * own.ndim if name in (STATE + "past", STATE + "generator") else own.shape)
        table, past = state[STATE + "table"], len(state[STATE + "past"])
        seated, (taken, step, meeting) = table[:, : self.players], state[STATE + "taken"].tolist()
        missing = (seated >= PAST + past) & (seated < PAST + self.pool)
        if (seated < LEARNER).any() or (seated >= PAST + self.pool + len(self.scripted)).any() or missing.any():
            raise ValueError("somebody sits at the table who does not play")
        own_seat = state[STATE + "own"]
        if (own_seat < 0).any() or (own_seat >= self.players).any():
            raise ValueError("the learner sits in a seat that there is not")
        if past != min(taken, self.pool) or min(step, meeting) < 0 or meeting >= max(past, 1):
            raise ValueError("not as many earlier selves as were taken")

    def restore_snapshots(self, state: Mapping[str, NDArray[Any]], policy: MaskedPolicy) -> None:
        """Restore the snapshots of :meth:`state`, as copies of ``policy``. ValueError if they do not fit it."""
        count = sum(parameter.numel() for parameter in policy.parameters())
        if len(state[STATE + "past"]):
            require(state, STATE + "past", np.dtype(np.float32), (None, count))
        self.taken, self.past = 0, []
        for weights in state[STATE + "past"]:
            self.snapshot(policy, 0)
            vector_to_parameters(th.as_tensor(weights, device=policy.device), self.past[-1].policy.parameters())
        self.taken, self.snapshot_step, self.meeting = state[STATE + "taken"].tolist()


class SelfPlayBuffer(RolloutBuffer):
    """A rollout of decisions (steps, n) that belong to different seats, with advantages computed along each seat's own decisions.

    The reward of a decision is what its seat was paid until the seat's next decision, or the end of the game; the value that follows is
    that of the next decision, or nothing at an end, which closes the game for every seat. Discounts count the seat's own decisions.

    Where a rollout ends in the middle of a game, one seat has the next turn, and its last decision is followed by the value of that, as
    always. The last decisions of the other seats are followed by nothing that is known: the value of their position could only be asked for
    at a moment which is not their turn, such as the network has never learnt from. They are left out of the minibatches (``followed`` is
    False), and the decision before each is followed by the value of the one left out.
    """

    games: SelfPlayVecEnv

    def __init__(self, *arguments: Any, seats: int, **keywords: Any) -> None:
        self.seats = seats
        super().__init__(*arguments, **keywords)

    def watch(self, games: SelfPlayVecEnv) -> None:
        """Read from ``games`` whose decision each step was, and what it paid."""
        self.games = games

    def reset(self) -> None:
        super().reset()
        self.seat = np.zeros((self.buffer_size, self.n_envs), np.int64)
        self.paid = np.zeros((self.buffer_size, self.n_envs, self.seats), np.float32)
        self.followed = np.zeros((self.buffer_size, self.n_envs), np.bool_)

    def add(self, *arguments: Any, **keywords: Any) -> None:
        self.seat[self.pos], self.paid[self.pos] = self.games.seat, self.games.paid
        super().add(*arguments, **keywords)

    def compute_returns_and_advantage(self, last_values: th.Tensor, dones: NDArray[Any]) -> None:
        """Fill ``advantages``, ``returns`` and ``rewards`` (steps, n), backwards; RolloutTooShort where nothing is followed by anything."""
        n, rows = self.n_envs, np.arange(self.n_envs)
        next_seat = self.games.batch.actor
        # Of every seat, as seen from the step in hand: is it known what comes next, its value and advantage, and what is paid until then.
        known = np.zeros((n, self.seats), np.bool_)
        value, advantage, earned = (np.zeros((n, self.seats), np.float32) for _ in range(3))
        known[rows, next_seat] = True
        value[rows, next_seat] = last_values.detach().cpu().numpy().reshape(-1)
        ends = np.concatenate([self.episode_starts[1:], np.asarray(dones, np.float32)[None]]) != 0
        for step in reversed(range(self.buffer_size)):
            over, at = ends[step], (rows, self.seat[step])
            known[over] = True
            value[over] = advantage[over] = earned[over] = 0
            earned += self.paid[step]
            delta = earned[at] + self.gamma * value[at] - self.values[step]
            gae = np.where(known[at], delta + self.gamma * self.gae_lambda * advantage[at], 0)
            self.rewards[step], self.advantages[step], self.followed[step] = earned[at], gae, known[at]
            known[at], value[at], advantage[at], earned[at] = True, self.values[step], gae, 0
        self.returns = self.advantages + self.values
        if self.followed.sum() < 2:
            raise RolloutTooShort(
                f"no seat decided twice within ppo.n_steps={self.buffer_size} decisions, so nothing can be learnt from them: use more"
            )

    def usable(self) -> NDArray[np.int64]:
        """Those that were followed by something."""
        return np.flatnonzero(self.followed.T)
