"""Finding a game by the name a person types, how many play it, and who has won."""

from __future__ import annotations

import difflib
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core import registry
from deckwood.core.errors import DeckwoodError
from deckwood.core.program import Unreadable
from deckwood.core.spec import PLAYERS_OPTION, GameSpec
from deckwood.core.untrusted import shown


class NotSolo(DeckwoodError, ValueError):
    """A game with several players where the players of the other seats would have to be chosen."""


class WrongPlayers(DeckwoodError, ValueError):
    """A number of players that a game cannot be played by."""


class UnknownGame(Unreadable):
    """A game that is not registered; the message lists those that are."""


def slug(env_id: str) -> str:
    """A game's name as it is typed: ``lost_woods`` for ``deckwood/LostWoods-v1``."""
    name = env_id.rpartition("/")[2].partition("-v")[0]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def find_game(name: str) -> GameSpec:
    """The spec of the game with this name or environment id; UnknownGame otherwise."""
    names = {slug(env_id): env_id for env_id in registry.games()}
    wanted = re.sub(r"[\s-]+", "_", name.strip().lower())
    if name in registry.games():
        return registry.spec(name)
    if wanted in names:
        return registry.spec(names[wanted])
    near = difflib.get_close_matches(slug(name) if "/" in name else wanted, names, n=1)
    raise UnknownGame(f"unknown game {shown(name)}" + (f"; did you mean {near[0]!r}?" if near else "") + f" (known: {', '.join(names)})")


NOBODY = -1


def winner(ended: NDArray[Any], returns: NDArray[np.float64], players: int) -> NDArray[np.int64]:
    """The seat that won each finished multiplayer game, (n,) int64, by ``ended`` (n,) and ``episode_return`` (n, seats) of a batch.

    It is the one of the ``players`` seats in play that was paid most. :data:`NOBODY` won a truncated game, or one where several were
    paid most.
    """
    paid = returns[:, :players]
    most = paid == paid.max(axis=1, keepdims=True)
    decided = (ended != 0) & (most.sum(axis=1) == 1)
    return np.where(decided, most.argmax(axis=1), NOBODY)


def players_option(spec: GameSpec, players: int) -> dict[str, int]:
    """The option that seats ``players`` at the game; WrongPlayers where it cannot be played so."""
    low, high = spec.seats
    if high == 1:
        raise WrongPlayers(f"{spec.name} is played alone: a number of players is for multiplayer games")
    if not low <= players <= high:
        raise WrongPlayers(f"{spec.name} has {low} to {high} seats: it cannot be played by {players}")
    return {PLAYERS_OPTION: players} if any(option.name == PLAYERS_OPTION for option in spec.options) else {}
