"""One game as a Gymnasium environment."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from deckwood.adapters.one_game import FRAMES_A_SECOND, RENDER_MODES, ROOM_FOR_EVENTS, OneGame, observation_space
from deckwood.core.batch import Batch
from deckwood.core.campaign import Campaign
from deckwood.core.errors import CampaignError, OptionError
from deckwood.core.game import Game
from deckwood.core.spec import GameSpec
from deckwood.core.stream import fresh_seed


class DeckwoodEnv(OneGame, gymnasium.Env[NDArray[np.float32], Any]):
    """A solo game: ``gymnasium.make("deckwood/Tanglewoods-v1", **options)``.

    Description
        Chance events and decisions with one legal action are played inside ``reset`` and ``step``, so every step is a real decision.

    Action space
        ``Discrete(A)``: ``spec.actions``. The legal ones are int8 masks: ``info["action_mask"]`` and :meth:`action_masks`, always equal.
        An illegal action raises :class:`~deckwood.core.errors.IllegalAction` and changes nothing.

    Observation space
        ``Box`` float32 (F,): ``spec.features``; :meth:`explain` names the numbers.

    Starting state
        ``reset(seed=s)``: the game that ``Batch(..., seed=s)`` plays in slot 0. ``reset()`` moves on to the next game of the seed.
        In a game that remembers, ``reset(options={"campaign": c})`` starts from what the :class:`~deckwood.core.campaign.Campaign`
        holds, any other reset from a fresh deck.

    Rewards
        The change of payoff; what is paid before the first decision comes with the first step, so a game's rewards sum to its payoff.

    Episode end
        ``terminated`` at the end of the game, with ``info["ended"]`` one of ``spec.endings``; ``truncated`` at ``spec.longest_game``
        decisions, with ``info["ended"] == "truncated"``. A custom deck whose effects do not end truncates the game too:
        ``info["reason"]`` and a RuntimeWarning name the card.

    Information
        ``action_mask``, and the metrics that a game reports (``spec.metrics``, such as ``optimal_value``); at the end also ``ended``
        and ``won`` (``spec.won``). At the end of a campaign's game also
        ``changes``, in words: the step has recorded the game in the campaign. A truncated game is not recorded.

    Arguments
        ``deck``: a deck file in place of the shipped one. ``record=True``: keep every event for :meth:`replay`. The rest are
        ``spec.options``; OptionError names what is allowed.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_A_SECOND}  # noqa: RUF012

    def __init__(
        self,
        game: str | GameSpec | Game,
        *,
        render_mode: str | None = None,
        deck: str | Path | None = None,
        record: bool = False,
        **options: Any,
    ) -> None:
        self._set_render_mode(render_mode)
        self.batch = Batch(game, 1, deck=deck, autoreset=False, log=ROOM_FOR_EVENTS if record else 0, **options)
        if self.game_spec.seats[1] > 1:
            raise OptionError(f"{self.game_spec.env_id} is a game for several players: make it with deckwood.adapters.pettingzoo_env")
        self.observation_space = observation_space(self.game_spec)
        self.action_space = spaces.Discrete(len(self.game_spec.actions))
        self._started = False
        self._metrics: dict[str, float] = {}
        self._campaign: Campaign | None = None  # that the game being played will be recorded in

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """A new game; its observation and info. ``options`` holds nothing, or ``campaign``: the others are given to gymnasium.make.

        OptionError unless it is a Campaign from which a game can start; CampaignError for one of another game or deck.
        """
        if unknown := sorted(set(options or ()) - {"campaign"}):
            raise OptionError(
                f"{self.game_spec.env_id}: reset takes no options but campaign (found {', '.join(unknown)}); pass them to gymnasium.make"
            )
        campaign = self._checked(options["campaign"]) if options else None
        super().reset(seed=seed)
        own = fresh_seed() if seed is None and not self._started else seed  # or copies of this environment would all play the same game
        self.batch.reset(own, remembered=campaign.remembered if campaign else None)
        self._campaign = campaign
        self._begin()
        if self.render_mode == "human":
            self.render()
        return self.batch.obs[0].copy(), self._info()

    def _begin(self) -> None:
        """After a game has been set up or loaded."""
        self._started = True
        self._metrics = {name: float(values[0]) for name, values in self.batch.metrics().items()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask[0].copy(), **self._metrics}

    def _checked(self, campaign: Any) -> Campaign:
        """``campaign``, if a game here can start from it."""
        if not self.game_spec.remembered:
            raise OptionError(f"{self.game_spec.env_id} remembers nothing from game to game: reset it without a campaign")
        if not isinstance(campaign, Campaign):
            raise OptionError(f"{self.game_spec.env_id}: found campaign {campaign!r}; allowed: a deckwood.Campaign")
        if (campaign.spec.env_id, campaign.deck.digest) != (self.game_spec.env_id, self.game.deck.digest):
            raise CampaignError(
                f"the campaign is of {campaign.spec.env_id} with the deck {campaign.deck.source}; "
                f"allowed: {self.game_spec.env_id} with the deck {self.game.deck.source}"
            )
        self.game.memory(campaign.remembered)
        return campaign

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play ``action``. IllegalAction, with nothing changed, if the mask forbids it or the game is over.

        At the end of a campaign's game also what :meth:`Campaign.record` raises: CampaignError, OSError.
        """
        batch = self.batch
        batch.step_one(operator.index(action))
        info = self._info()
        terminated, truncated = bool(batch.terminated[0]), bool(batch.truncated[0])
        if terminated or truncated:
            info.update(self._ending())
        if terminated and self._campaign is not None:
            campaign, self._campaign = self._campaign, None
            info["changes"] = campaign.record(batch.positions, options=self.game.user_options, start=batch.memory())
        if self.render_mode == "human":
            self.render()
        return batch.obs[0].copy(), float(batch.reward[0]), terminated, truncated, info

    def _ending(self) -> dict[str, Any]:
        won = self.game_spec.won(self.batch.ended[0], self.batch.episode_return[0])
        return {**self._how_it_ended(), "won": bool(won)}

    def clone(self, rng: np.random.Generator | int) -> DeckwoodEnv:
        """The same position with an independent future: chance events come from ``rng``, so a planner cannot see what this one will draw.

        Its end is recorded in no campaign; nor is that of a pickle or another copy.
        """
        twin = self._twin()
        seed = int(rng.integers(2**63)) if isinstance(rng, np.random.Generator) else operator.index(rng)
        twin.batch.reseed(seed)
        return twin

    def _twin(self) -> DeckwoodEnv:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.batch = self.batch.copy()
        twin._np_random = None
        twin._window = None
        twin._campaign = None
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None, "_campaign": None}

    def load(self, data: bytes) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Go back to a state from :meth:`save`; its observation and info. SnapshotError, with nothing changed, for a foreign one.

        If this environment was reset from a campaign, and the campaign holds what the saved game started from, the end will be recorded
        there. To look ahead without recording, play on a :meth:`clone`.
        """
        self.batch.load(data)
        if self._campaign is not None and not self._campaign.holds(self.batch.memory()):
            self._campaign = None
        self._begin()
        return self.batch.obs[0].copy(), self._info()
