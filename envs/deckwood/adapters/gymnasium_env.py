"""One game as a Gymnasium environment."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from deckwood.adapters.one_game import (
    FOR_THE_MASKLESS,
    FRAMES_A_SECOND,
    ILLEGAL,
    OBSERVATIONS,
    RENDER_MODES,
    ROOM_FOR_EVENTS,
    OneGame,
    masked_space,
    never_empty,
    next_legal,
    observation_space,
    one_of,
    require_solo,
)
from deckwood.core.batch import Batch
from deckwood.core.campaign import Campaign
from deckwood.core.errors import CampaignError, IllegalAction, OptionError
from deckwood.core.game import Game
from deckwood.core.indices import whole
from deckwood.core.spec import GameSpec
from deckwood.core.stream import fresh_seed


class DeckwoodEnv(OneGame, gymnasium.Env[Any, Any]):
    """A solo game: ``gymnasium.make("deckwood/Tanglewoods-v1", **options)``.

    Description
        Chance events and decisions with one legal action are played inside ``reset`` and ``step``, so every step is a real decision.

    Action space
        ``Discrete(A)``: ``spec.actions``. The legal ones are int8 masks: ``info["action_mask"]`` and :meth:`action_masks`, always equal.
        Once the game is over they are all ones, so that no masked softmax becomes NaN. An illegal action raises
        :class:`~deckwood.core.errors.IllegalAction` and changes nothing.

    Observation space
        ``Box`` float32 (F,): ``spec.features``; :meth:`explain` names the numbers. With ``observation="dict"``
        ``{"observation": that, "action_mask": int8 (A,)}``.

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
        The same keys every time. ``action_mask``, and the metrics that a game reports (``spec.metrics``, such as
        ``optimal_value``); ``ended`` and ``reason``, empty until the end, and ``won`` (``spec.won``), False until then. In a game that
        remembers also ``changes``, None but at the end of a campaign's game: what the step has recorded in the campaign, in words. A
        truncated game leaves no trace there.

    Arguments
        ``deck``: a deck file instead of the one that ships. ``record=True``: keep every event for :meth:`replay`.

        ``illegal``: what an illegal action does, for checkers and learners that read no mask. ``"raise"``; ``"replace"`` plays the next
        legal action in the table instead; ``"penalty"``: nothing happens but a reward of ``-penalty``; ``"terminate"``: the same, and the
        episode ends, as ``"illegal_action"``. All but the first say in ``info["illegal_action"]`` whether it was.

        The rest are ``spec.options``; OptionError names what is allowed.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_A_SECOND}  # noqa: RUF012

    def __init__(
        self,
        game: str | GameSpec | Game,
        *,
        render_mode: str | None = None,
        deck: str | Path | None = None,
        record: bool = False,
        observation: str = "vector",
        illegal: str = "raise",
        penalty: float = 1.0,
        **options: Any,
    ) -> None:
        require_solo(game)
        self._set_render_mode(render_mode)
        self._masked = one_of("observation", observation, OBSERVATIONS) == "dict"
        self._illegal, self._penalty = one_of("illegal", illegal, ILLEGAL), float(penalty)
        self.batch = Batch(game, 1, deck=deck, autoreset=False, log=ROOM_FOR_EVENTS if record else 0, **options)
        self.observation_space = (masked_space if self._masked else observation_space)(self.game_spec)
        self.action_space = spaces.Discrete(len(self.game_spec.actions))
        self._started = False
        self._stopped = False  # by an illegal action
        self._metrics: dict[str, float] = {}
        self._campaign: Campaign | None = None  # that the game being played will be recorded in

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game; its observation and info. ``options`` holds nothing, or ``campaign``: the others are given to gymnasium.make.

        OptionError for what is no Campaign, or where no game can start from it; CampaignError for one of another game or deck. TypeError
        for a ``seed`` that is no whole number, ValueError for one below 0.
        """
        if unknown := sorted(set(options or ()) - {"campaign"}):
            raise OptionError(
                f"{self.game_spec.env_id}: reset takes no options but campaign (found {', '.join(unknown)}); pass them to gymnasium.make"
            )
        campaign = self._checked(options["campaign"]) if options else None
        seed = None if seed is None else whole(seed, "seed")
        super().reset(seed=seed)
        own = fresh_seed() if seed is None and not self._started else seed  # or copies of this environment would all play the same game
        self.batch.reset(own, remembered=campaign.remembered if campaign else None)
        self._campaign = campaign
        self._begin()
        if self.render_mode == "human":
            self.render()
        return self._seen(), self._info()

    def _begin(self) -> None:
        """After a game has been set up or loaded."""
        self._started = True
        self._stopped = False
        self._metrics = {name: float(values[0]) for name, values in self.batch.metrics().items()}

    def _seen(self) -> Any:
        seen = self.batch.obs[0].copy()
        return {"observation": seen, "action_mask": self.action_masks()} if self._masked else seen

    def action_masks(self) -> NDArray[np.int8]:
        """int8 (A,): 1 for each legal action; all ones once the game is over."""
        mask: NDArray[np.int8] = self.batch.mask[0].copy()
        return never_empty(mask[None])[0] if self._is_over() else mask

    def _info(self, *, refused: bool = False) -> dict[str, Any]:
        won = self._is_over() and bool(self.game_spec.won(self.batch.ended[0], self.batch.episode_return[0]))
        info = {"action_mask": self.action_masks(), **self._metrics, **self._how_it_ended(), "won": won}
        if self.game_spec.remembered:
            info["changes"] = None
        if self._illegal != "raise":
            info["illegal_action"] = refused
        return info

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

    def step(self, action: SupportsIndex) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play ``action``. IllegalAction, with nothing changed, where the game is over, and where the mask forbids it unless ``illegal``
        says otherwise.

        At the end of a campaign's game also what :meth:`Campaign.record` raises: CampaignError, OSError.
        """
        batch, chosen = self.batch, operator.index(action)
        if self._stopped:
            raise IllegalAction(f"{self.game_spec.env_id}: an illegal action has ended the episode; call reset()")
        refused = self._illegal != "raise" and not self._is_over() and not self._allows(chosen)
        if refused and self._illegal != "replace":
            return self._penalised()
        try:
            batch.step_one(next_legal(batch.mask[0], chosen) if refused else chosen)
        except IllegalAction as error:
            if self._is_over():
                raise
            raise IllegalAction(f"{error}; {FOR_THE_MASKLESS}") from None
        info = self._info(refused=refused)
        terminated, truncated = bool(batch.terminated[0]), bool(batch.truncated[0])
        if terminated and self._campaign is not None:
            campaign, self._campaign = self._campaign, None
            info["changes"] = campaign.record(batch.positions, options=self.game.user_options, start=batch.memory())
        if self.render_mode == "human":
            self.render()
        return self._seen(), float(batch.reward[0]), terminated, truncated, info

    def _allows(self, action: int) -> bool:
        mask = self.batch.mask[0]
        return 0 <= action < len(mask) and bool(mask[action])

    def _penalised(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What an illegal action leads to where none is played in its place."""
        self._stopped = self._illegal == "terminate"
        info = self._info(refused=True)
        if self._stopped:
            info["ended"] = "illegal_action"
        return self._seen(), -self._penalty, self._stopped, False, info

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

    def load(self, data: bytes) -> tuple[Any, dict[str, Any]]:
        """Go back to a state from :meth:`save`; its observation and info. SnapshotError, with nothing changed, for a foreign one.

        If this environment was reset from a campaign, and the campaign holds what the saved game started from, the end will be recorded
        there. To look ahead without recording, play on a :meth:`clone`.
        """
        self.batch.load(data)
        if self._campaign is not None and not self._campaign.holds(self.batch.memory()):
            self._campaign = None
        self._begin()
        return self._seen(), self._info()
