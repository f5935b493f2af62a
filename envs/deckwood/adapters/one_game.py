"""What single and multiplayer environments share."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError, OptionError, SnapshotError
from deckwood.core.game import Game
from deckwood.core.registry import spec as registered
from deckwood.core.replay import replay
from deckwood.core.spec import GameSpec

ROOM_FOR_EVENTS = 1 << 16
RENDER_MODES = ("human", "rgb_array", "ansi")
FRAMES_A_SECOND = 4
OBSERVATIONS = ("vector", "dict")
ILLEGAL = ("raise", "replace", "penalty", "terminate")
FOR_THE_MASKLESS = "for learners that read no mask, make the environment with illegal='replace', 'penalty' or 'terminate'"


def observation_space(spec: GameSpec) -> spaces.Space[NDArray[np.float32]]:
    """float32 (F,), each entry within its declared range."""
    low = np.concatenate([np.full(feature.size, feature.low, np.float32) for feature in spec.features])
    high = np.concatenate([np.full(feature.size, feature.high, np.float32) for feature in spec.features])
    return spaces.Box(low, high, dtype=np.float32)


def masked_space(spec: GameSpec) -> spaces.Dict:
    """``{"observation": float32 (F,), "action_mask": int8 (A,)}``."""
    return spaces.Dict({"observation": observation_space(spec), "action_mask": spaces.Box(0, 1, (len(spec.actions),), np.int8)})


def one_of(name: str, given: Any, allowed: Collection[str]) -> str:
    """``given``; OptionError unless it is one of ``allowed``."""
    if not isinstance(given, str) or given not in allowed:
        raise OptionError(f"{name}={given!r}: choose one of {', '.join(allowed)}")
    return given


def require_solo(game: str | GameSpec | Game) -> None:
    """OptionError for a game for several players, which says what plays it."""
    spec = registered(game) if isinstance(game, str) else game.spec if isinstance(game, Game) else game
    if spec.seats[1] > 1:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", spec.env_id.split("/")[-1]).lower().replace("-", "_")
        raise OptionError(
            f"{spec.env_id} is a game for several players: PettingZoo's is deckwood.{name}.env(), many at once are a deckwood.Batch"
        )


def never_empty(masks: NDArray[np.int8]) -> NDArray[np.int8]:
    """``masks`` (n, A), in place: all ones in rows without a legal action, or a softmax over them would be NaN."""
    masks[~masks.any(axis=1)] = 1
    return masks


def next_legal(mask: NDArray[np.int8], action: int) -> int:
    """The first legal action after ``action``, from the beginning again where there is none."""
    legal = np.flatnonzero(mask)
    return int(legal[np.searchsorted(legal, action) % len(legal)])


class OneGame:
    """A batch of one, with rendering and recording."""

    batch: Batch
    render_mode: str | None
    _window: Any = None

    @property
    def game(self) -> Game:
        """The game with its deck and options."""
        return self.batch.game

    @property
    def game_spec(self) -> GameSpec:
        """What the game declares."""
        return self.batch.spec

    def _set_render_mode(self, render_mode: str | None) -> None:
        self.render_mode = None if render_mode is None else one_of("render_mode", render_mode, RENDER_MODES)

    def _how_it_ended(self) -> dict[str, str]:
        """``ended``, and, with a warning, the ``reason`` for which rules cut a game; both are empty while it is played."""
        if not self._is_over():
            return {"ended": "", "reason": ""}
        ended = int(self.batch.ended[0])
        reason = "" if ended else self.game_spec.why_cut(self.batch.positions[0], self.game.deck)
        if reason:
            warnings.warn(f"{self.game_spec.env_id} was cut: {reason}", RuntimeWarning, stacklevel=4)
        name = self.game_spec.endings[ended - 1].name if ended else "truncated"
        return {"ended": name, "reason": reason}

    def _is_over(self) -> bool:
        return bool(self.batch.terminated[0] or self.batch.truncated[0])

    def action_masks(self) -> NDArray[np.int8]:
        """int8 (A,): 1 for each legal action of whoever decides."""
        mask: NDArray[np.int8] = self.batch.mask[0].copy()
        return mask

    def legal_actions(self) -> dict[int, str]:
        """The legal actions in words, by index."""
        position = self.batch.positions[0]
        return {int(a): self.game_spec.action_text(position, self.game.deck, int(a)) for a in np.flatnonzero(self.batch.mask[0])}

    def explain(self, obs: NDArray[np.float32] | None = None) -> dict[str, Any]:
        """``obs`` (what the mover sees now by default) by name: a number, a list, or a dict by label for each feature."""
        return explain(self.game_spec, self.batch.obs[0] if obs is None else obs)

    def save(self) -> bytes:
        """The state as bytes, with the stream of chance: after ``load`` the game continues exactly as it would have."""
        return self.batch.save()

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
            self._window = Window(self.game_spec.name, FRAMES_A_SECOND)
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
