"""Lost Woods in PettingZoo's form: ``from deckwood import lost_woods_v1; env = lost_woods_v1.env(num_players=4)``.

There is no ``parallel_env``: adventurers act one after the other, and one of them several times in a row.
"""

from __future__ import annotations

from typing import Any

from deckwood.adapters.pettingzoo_env import DeckwoodAECEnv
from deckwood.core.errors import OptionError

__all__ = ["env", "raw_env"]


class raw_env(DeckwoodAECEnv):
    """Lost Woods, for agents ``player_0`` to ``player_{num_players - 1}``; see :class:`~deckwood.adapters.pettingzoo_env.DeckwoodAECEnv`.

    OptionError for an unknown option or value and for ``max_cycles`` beside ``turn_limit``, DeckError for a wrong deck file.
    """

    def __init__(self, *, num_players: int = 4, max_cycles: int | None = None, **arguments: Any) -> None:
        """``max_cycles`` is PettingZoo's word for ``turn_limit``, turns for each adventurer: give one of them. ``arguments``:
        ``render_mode``, ``deck``, ``record``, other options."""
        if max_cycles is not None:
            if "turn_limit" in arguments:
                raise OptionError(
                    f"deckwood/LostWoods-v1: max_cycles={max_cycles!r} and turn_limit={arguments['turn_limit']!r} are the same option; "
                    "give one of them"
                )
            arguments["turn_limit"] = max_cycles
        super().__init__("deckwood/LostWoods-v1", num_players=num_players, **arguments)


def env(**arguments: Any) -> raw_env:
    """:class:`raw_env` as it is: it checks actions and the order of calls itself, and PettingZoo's wrappers would halve its speed."""
    return raw_env(**arguments)
