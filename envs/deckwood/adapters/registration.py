"""Registers the games with Gymnasium. Only strings are registered: nothing is imported, let alone compiled, before an environment is made.

Gymnasium 1.x has no plugin hook, so a program imports ``deckwood`` first, or makes ``"deckwood:deckwood/Tanglewoods-v1"``.
"""

from __future__ import annotations

import gymnasium

from deckwood.core.registry import GAMES


def register() -> None:
    """Register every game; calling it again changes nothing. Making one for several players says what plays it."""
    for env_id in GAMES:
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="deckwood.adapters.gymnasium_env:DeckwoodEnv",
                vector_entry_point="deckwood.adapters.vector:DeckwoodVectorEnv",
                kwargs={"game": env_id},
            )
