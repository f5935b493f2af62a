"""A multiplayer game as a PettingZoo AEC environment."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from deckwood.adapters.one_game import FRAMES_A_SECOND, RENDER_MODES, ROOM_FOR_EVENTS, OneGame, masked_space, observation_space, one_of
from deckwood.core.batch import Batch
from deckwood.core.errors import IllegalAction, OptionError
from deckwood.core.game import Game
from deckwood.core.indices import whole
from deckwood.core.spec import GameSpec
from deckwood.core.stream import fresh_seed


class DeckwoodAECEnv(OneGame, AECEnv):  # type: ignore[misc]
    """Agents are ``player_0`` ...; each observes ``{"observation": float32 (F,), "action_mask": int8 (A,)}``, or with
    ``mask_in="info"`` the vector alone, for wrappers that refuse a dict (SuperSuit's). The mask is in every info besides, with
    ``ended`` and ``reason``, which are empty until the end.

    The mask is all zero for those whose turn it is not, and everywhere once the game is over. An illegal action raises
    :class:`~deckwood.core.errors.IllegalAction` and changes nothing. ``rewards`` are the changes of every seat's payoff in the last
    step, delivered to every seat. The same seat may act several times in a row, so the game has no parallel form.
    """

    def __init__(
        self,
        game: str | GameSpec | Game,
        *,
        render_mode: str | None = None,
        deck: str | Path | None = None,
        record: bool = False,
        mask_in: str = "observation",
        **options: Any,
    ) -> None:
        super().__init__()
        self._set_render_mode(render_mode)
        self._masked = one_of("mask_in", mask_in, ("observation", "info")) == "observation"
        self.batch = Batch(game, 1, deck=deck, autoreset=False, log=ROOM_FOR_EVENTS if record else 0, **options)
        self.metadata: dict[str, Any] = {
            "name": self.game_spec.env_id.split("/")[-1],
            "render_modes": list(RENDER_MODES),
            "render_fps": FRAMES_A_SECOND,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game_spec.players(self.batch.options))]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions = len(self.game_spec.actions)
        space = masked_space if self._masked else observation_space
        self.observation_spaces = {agent: space(self.game_spec) for agent in self.possible_agents}
        self.state_space = self._state_space()
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._started = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Options are given when the environment is made; ``options`` is ignored, as PettingZoo's own tests expect.

        OptionError for a ``campaign``, which nobody would want ignored. TypeError for a ``seed`` that is no whole number, ValueError for
        one below 0.
        """
        if "campaign" in (options or {}):
            raise OptionError(
                f"{self.game_spec.env_id}: a campaign is for games of one player; use reset(remembered=...) of deckwood.Batch"
            )
        if seed is not None:
            seed = whole(seed, "seed")
            self.np_random, self.np_random_seed = seeding.np_random(seed)
        # A first game without a seed gets one of its own: copies of this environment would all play the same game.
        self.batch.reset(fresh_seed() if seed is None and not self._started else seed)
        self._started = True
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._refresh()

    def _refresh(self) -> None:
        """What follows from the position: whose turn it is, and what the infos say."""
        if not self._is_over():
            self.agent_selection = self.possible_agents[int(self.batch.actor[0])]
        ending = self._how_it_ended()
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._mask(agent), **ending} for agent in self.agents}

    def _need_game(self) -> None:
        if not self._started:
            raise ResetNeeded(f"{self.game_spec.env_id}: there is no game yet; call reset() first")

    def _moves(self, agent: str) -> bool:
        return bool(self._seats[agent] == self.batch.actor[0]) and not self._is_over()

    def _mask(self, agent: str) -> NDArray[np.int8]:
        return self.batch.mask[0].copy() if self._moves(agent) else np.zeros(len(self.game_spec.actions), np.int8)

    def observe(self, agent: str) -> Any:
        """What ``agent`` sees: everything is public, told from its seat."""
        self._need_game()
        seen = self.batch.obs[0].copy() if self._moves(agent) else self.game.observe(self.batch.positions, self._seats[agent])
        return {"observation": seen, "action_mask": self._mask(agent)} if self._masked else seen

    def _state_space(self) -> spaces.Box:
        """What each agent sees, then who decides."""
        seen, players = self.game_spec.features, len(self.possible_agents)
        low = [feature.low for feature in seen for _ in range(feature.size)] * players + [0] * players
        high = [feature.high for feature in seen for _ in range(feature.size)] * players + [1] * players
        return spaces.Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)

    def state(self) -> NDArray[np.float32]:
        """The whole table, for a critic that all agents share: float32 (n * F + n,), in ``state_space``.

        The observations of all n agents one after the other, ``player_0`` first, each within its declared ranges; then who decides,
        one-hot, all zero once the game is over. ResetNeeded before the first ``reset``.
        """
        self._need_game()
        views = [self.game.observe(self.batch.positions, seat) for seat in self._seats.values()]
        decides = np.array([self._moves(agent) for agent in self.possible_agents], np.float32)
        return np.concatenate([*views, decides])

    def step(self, action: Any) -> None:
        """Play for ``agent_selection``; None once it is done. IllegalAction, with nothing changed, if the mask forbids it.

        ResetNeeded before the first ``reset``.
        """
        self._need_game()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction(f"{self.game_spec.env_id}: {agent} has to act, but the action is None")
        self.batch.step_one(operator.index(action))
        self._cumulative_rewards[agent] = 0.0
        over, cut = bool(self.batch.terminated[0]), bool(self.batch.truncated[0])
        for name in self.agents:
            self.rewards[name] = float(self.batch.reward[0, self._seats[name]])
            self.terminations[name], self.truncations[name] = over, cut
        self._refresh()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def action_masks(self) -> NDArray[np.int8]:
        """int8 (A,): the mask of the agent whose turn it is."""
        return self._mask(self.agent_selection)

    def clone(self, rng: np.random.Generator | int) -> DeckwoodAECEnv:
        """The same position with an independent future: chance events come from ``rng``."""
        twin = object.__new__(type(self))
        twin.__dict__.update({name: value.copy() if isinstance(value, dict | list) else value for name, value in self.__dict__.items()})
        twin.infos = {agent: dict(info) for agent, info in self.infos.items()}
        twin.batch = self.batch.copy()
        twin._window = None
        twin.batch.reseed(int(rng.integers(2**63)) if isinstance(rng, np.random.Generator) else operator.index(rng))
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}

    def load(self, data: bytes) -> None:
        """Go back to a state from :meth:`save`, with cumulative rewards at zero.

        SnapshotError, with nothing changed, for bytes of another game, deck or options.
        """
        self.batch.load(data)
        over, cut = bool(self.batch.terminated[0]), bool(self.batch.truncated[0])
        self._started = True
        self.agents = list(self.possible_agents)
        self.rewards = {agent: float(self.batch.reward[0, seat]) for agent, seat in self._seats.items()}
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        self.agent_selection = self.agents[0]
        self._refresh()
