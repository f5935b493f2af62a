"""One game as a Gymnasium environment."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from deckwood.core.batch import Batch
from deckwood.core.campaign import Campaign
from deckwood.core.errors import CampaignError, DeckwoodError, OptionError, SnapshotError
from deckwood.core.game import Game
from deckwood.core.replay import replay
from deckwood.core.spec import GameSpec

ROOM_FOR_EVENTS = 1 << 16
RENDER_MODES = ("human", "rgb_array", "ansi")


def observation_space(spec: GameSpec) -> spaces.Space[NDArray[np.float32]]:
    """float32 (F,), each entry within its declared range."""
    low = np.concatenate([np.full(feature.size, feature.low, np.float32) for feature in spec.features])
    high = np.concatenate([np.full(feature.size, feature.high, np.float32) for feature in spec.features])
    return spaces.Box(low, high, dtype=np.float32)


class DeckwoodEnv(gymnasium.Env[NDArray[np.float32], Any]):
    """A solo game: ``gymnasium.make("deckwood/Tanglewoods-v1", **options)``.

    Description
        Chance events and decisions with one legal action are played inside ``reset`` and ``step``, so every step is a real decision.

    Action space
        ``Discrete(A)``: ``spec.actions``. The legal ones are int8 masks: ``info["action_mask"]`` and :meth:`action_masks`, always equal.
        An illegal action raises :class:`~deckwood.core.errors.IllegalAction` and changes nothing.

    Observation space
        ``Box`` float32 (F,): ``spec.features``; :meth:`explain` names the numbers.

    Starting state
        ``reset(seed=s)``: the game that ``Batch(..., seed=s)`` plays in slot 0. ``reset()`` goes on to the next game of the seed.
        In a game that remembers, ``reset(options={"campaign": c})`` starts from what the :class:`~deckwood.core.campaign.Campaign`
        holds, any other reset from a fresh deck.

    Rewards
        The change of payoff; what is paid before the first decision comes with the first step, so a game's rewards sum to its payoff.

    Episode end
        ``terminated`` at the end of the game, with ``info["ended"]`` one of ``spec.endings``; ``truncated`` at ``spec.longest_game``
        decisions, with ``info["ended"] == "truncated"``.

    Information
        ``action_mask``, and the numbers that a game tells of itself (``spec.told``, such as ``optimal_value``); at the end also ``ended``
        and, where the payoff says just that, ``won``. At the end of a campaign's game also
        ``changes``, in words: the step has recorded the game in the campaign. A truncated game leaves no trace there.

    Arguments
        ``deck``: a deck file instead of the one that ships. ``record=True``: keep every event for :meth:`replay`. The rest are
        ``spec.options``; OptionError names what is allowed.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str | GameSpec | Game,
        *,
        render_mode: str | None = None,
        deck: str | Path | None = None,
        record: bool = False,
        **options: Any,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise OptionError(f"render_mode={render_mode!r}: choose one of {', '.join(RENDER_MODES)}")
        self.batch = Batch(game, 1, deck=deck, autoreset=False, log=ROOM_FOR_EVENTS if record else 0, **options)
        self.game, self.game_spec = self.batch.game, self.batch.spec
        if self.game_spec.seats[1] > 1:
            raise OptionError(f"{self.game_spec.env_id} is a game for several players: make it with deckwood.adapters.pettingzoo_env")
        self.observation_space = observation_space(self.game_spec)
        self.action_space = spaces.Discrete(len(self.game_spec.actions))
        self.render_mode = render_mode
        self._window: Any = None
        self._started = False
        self._told: dict[str, float] = {}
        self._campaign: Campaign | None = None  # that the game being played will be recorded in

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """A new game; its observation and info. ``options`` holds nothing, or ``campaign``: the others are given to gymnasium.make.

        OptionError for what is no Campaign, or where no game can start from it; CampaignError for one of another game or deck.
        """
        if unknown := sorted(set(options or ()) - {"campaign"}):
            raise OptionError(
                f"{self.game_spec.env_id}: reset takes no options but campaign (found {', '.join(unknown)}); pass them to gymnasium.make"
            )
        campaign = self._checked(options["campaign"]) if options else None
        super().reset(seed=seed)
        if seed is not None or self._started or campaign:
            self.batch.reset(seed, remembered=campaign.remembered if campaign else None)
        self._campaign = campaign
        self._begin()
        if self.render_mode == "human":
            self.render()
        return self.batch.obs[0].copy(), self._info()

    def _begin(self) -> None:
        """A game has been set up or loaded."""
        self._started = True
        self._told = {name: float(values[0]) for name, values in self.batch.told().items()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask[0].copy(), **self._told}

    def _checked(self, campaign: Any) -> Campaign:
        """``campaign``, where a game here can start from it."""
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
        """Play ``action``. IllegalAction, with nothing changed, where the mask forbids it or the game is over.

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
            info["changes"] = campaign.record(batch.positions, options=self.game.given, start=batch.memory())
        if self.render_mode == "human":
            self.render()
        return batch.obs[0].copy(), float(batch.reward[0]), terminated, truncated, info

    def _ending(self) -> dict[str, Any]:
        ended = int(self.batch.ended[0])
        info: dict[str, Any] = {"ended": self.game_spec.endings[ended - 1].name if ended else "truncated"}
        won = self.game_spec.won(float(self.batch.episode_return[0]))
        if won is not None:
            info["won"] = won
        return info

    def action_masks(self) -> NDArray[np.int8]:
        """int8 (A,): 1 for each legal action; the same as ``info["action_mask"]``."""
        mask: NDArray[np.int8] = self.batch.mask[0].copy()
        return mask

    def legal_actions(self) -> dict[int, str]:
        """The legal actions in words, by index."""
        position = self.batch.positions[0]
        return {int(a): self.game_spec.action_text(position, self.game.deck, int(a)) for a in np.flatnonzero(self.batch.mask[0])}

    def explain(self, obs: NDArray[np.float32] | None = None) -> dict[str, Any]:
        """``obs`` (the present one by default) by name: a number, a list, or a dict by label for each feature."""
        return explain(self.game_spec, self.batch.obs[0] if obs is None else obs)

    def clone(self, rng: np.random.Generator | int) -> DeckwoodEnv:
        """The same position with a future of its own: chance events come from ``rng``, so a planner cannot see what this one will draw.

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
        return {**self.__dict__, "_window": None, "_campaign": None, "game_spec": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.game, self.game_spec = self.batch.game, self.batch.spec

    def save(self) -> bytes:
        """The state as bytes, with the stream of chance: after :meth:`load` the game goes on exactly as it would have."""
        return self.batch.save()

    def load(self, data: bytes) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Go back to a state from :meth:`save`; its observation and info. SnapshotError, with nothing changed, for a foreign one.

        Where this environment was reset from a campaign, and the campaign holds what the saved game started from, the end will be recorded
        there: to look ahead without a trace, play on a :meth:`clone`.
        """
        self.batch.load(data)
        if self._campaign is not None and not self._campaign.holds(self.batch.memory()):
            self._campaign = None
        self._begin()
        return self.batch.obs[0].copy(), self._info()

    def replay(self) -> dict[str, Any]:
        """The game so far for :mod:`deckwood.core.replay`. SnapshotError unless the environment was made with ``record=True``."""
        if not self.batch.log:
            raise SnapshotError("nothing was recorded: make the environment with record=True")
        return replay(self.game, self.batch.events(), self.batch.memory())

    def render(self) -> Any:
        """ansi: text; rgb_array: uint8 (height, width, 3); human: a window."""
        position = self.batch.positions[0]
        if self.render_mode == "ansi":
            return self.game_spec.describe(position, self.game.deck)
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; pass one to gymnasium.make, such as render_mode='ansi'")
            return None
        image = self.game_spec.draw(position, self.game.deck)
        if self.render_mode == "rgb_array":
            return image
        if self._window is None:
            self._window = Window(self.game_spec.name, self.metadata["render_fps"])
        self._window.show(image)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


def explain(spec: GameSpec, obs: NDArray[np.float32]) -> dict[str, Any]:
    """An observation (F,) by name: a number, a list, or a dict by label for each feature. ValueError for another size."""
    if np.shape(obs) != (spec.observation_size,):
        raise ValueError(f"an observation of {spec.env_id} has shape ({spec.observation_size},), not {np.shape(obs)}")
    out: dict[str, Any] = {}
    for feature in spec.features:
        values = [float(value) for value in obs[spec.slices[feature.name]]]
        if feature.labels:
            out[feature.name] = dict(zip(feature.labels, values, strict=True))
        else:
            out[feature.name] = values[0] if feature.size == 1 else values
    return out


class Window:
    """A pygame window that shows images."""

    def __init__(self, title: str, fps: int) -> None:
        try:
            import pygame
        except ImportError as error:
            raise DeckwoodError('render_mode="human" needs pygame: pip install "deckwood[render]"') from error
        self._pygame, self._title, self._fps = pygame, title, fps
        self._screen: Any = None
        self._clock = pygame.time.Clock()

    def show(self, image: NDArray[np.uint8]) -> None:
        pygame = self._pygame
        if self._screen is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode((image.shape[1], image.shape[0]))
        self._screen.blit(pygame.surfarray.make_surface(image.swapaxes(0, 1)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._fps)

    def close(self) -> None:
        self._pygame.display.quit()
        self._screen = None
