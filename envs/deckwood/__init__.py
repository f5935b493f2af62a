"""Reinforcement-learning environments for dice-and-deck games.

Importing this registers the games with Gymnasium; rules are loaded when a game is made.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from deckwood.core.interrupt import quiet_imports

quiet_imports()

from deckwood.adapters.registration import register  # noqa: E402

if TYPE_CHECKING:
    from deckwood.core.batch import Batch
    from deckwood.core.campaign import Campaign
    from deckwood.core.errors import CampaignError, DeckError, DeckwoodError, IllegalAction, OptionError, SnapshotError
    from deckwood.core.game import Game
    from deckwood.core.registry import games, spec
    from deckwood.core.spec import GameSpec

__version__ = "0.1.0"

_EXPORTS = {
    "Batch": "deckwood.core.batch",
    "Campaign": "deckwood.core.campaign",
    "CampaignError": "deckwood.core.errors",
    "Game": "deckwood.core.game",
    "GameSpec": "deckwood.core.spec",
    "DeckError": "deckwood.core.errors",
    "DeckwoodError": "deckwood.core.errors",
    "IllegalAction": "deckwood.core.errors",
    "OptionError": "deckwood.core.errors",
    "SnapshotError": "deckwood.core.errors",
    "games": "deckwood.core.registry",
    "spec": "deckwood.core.registry",
}

__all__ = [
    "Batch",
    "Campaign",
    "CampaignError",
    "DeckError",
    "DeckwoodError",
    "Game",
    "GameSpec",
    "IllegalAction",
    "OptionError",
    "SnapshotError",
    "__version__",
    "games",
    "spec",
]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'deckwood' has no attribute {name!r}")
    value = getattr(importlib.import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register()
