"""Scripted players, a folder per game, named as the game is typed (``tanglewoods``, ``lost_woods``).

Its module ``policy`` offers ``greedy`` and ``expert``, and may offer ``tuned``, the expert with fitted weights: rules of the form
``policy(s, deck, mask) -> action`` over one position ``s``, the deck's tables and the mask (A,) int8. They are compiled like a game's
rules, so they too allocate nothing and raise nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deckwood.core.spec import GameSpec
from deckwood_agents.games import slug

NAMES = ("greedy", "expert", "tuned")
FOLDER = Path(__file__).resolve().parent


def find_policy(name: str, spec: GameSpec) -> Callable[..., int] | None:
    """The scripted policy ``name`` of a game; None where the game has none."""
    package = f"{__name__}.{slug(spec.env_id)}"
    try:
        found: Any = importlib.import_module(f"{package}.policy")
    except ModuleNotFoundError as error:
        if error.name not in (package, f"{package}.policy"):
            raise
        return None
    policy: Callable[..., int] | None = getattr(found, name, None)
    return policy


def names(spec: GameSpec) -> list[str]:
    """The scripted players that a game has, of :data:`NAMES`."""
    return [name for name in NAMES if find_policy(name, spec)]
