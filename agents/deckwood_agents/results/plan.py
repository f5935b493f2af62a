"""What the page of results measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MANY, FEWER, FEW = 10_000, 1_000, 400
SEED = 7
"""Of the games, in the space of evaluation (:class:`deckwood_agents.seeds.Seeds`): those of ``evaluate.py``."""


@dataclass(frozen=True)
class Deck:
    """A game as it is measured. ``agents``: how many games each plays; slow ones play the first of the same games."""

    game: str
    options: Mapping[str, Any]
    agents: Mapping[str, int]
    against: tuple[str, ...] = ()  # multiplayer games: who fills the other chairs, in turn
    curve: str = "validation/ppo_win_rate"  # what of a run's metrics its learning curve shows, and ...
    curve_label: str = "games won in validation, %"
    title: str = field(default="")
    note: str = ""  # below its table


PLAN = (
    Deck(
        "tanglewoods",
        {"difficulty": 5, "reward": "progress"},
        {"random": MANY, "greedy": MANY, "expert": MANY, "solver": MANY, "search": FEWER, "ppo": MANY},
        title="Tanglewoods, difficulty 5",
    ),
    Deck(
        "etherfields",
        {"rank": 1, "boss": "tall_stranger", "reward": "progress"},
        {"random": MANY, "greedy": MANY, "expert": MANY, "solver": MANY, "search": FEWER, "ppo": MANY},
        title="Etherfields, rank 1, the first boss",
    ),
    Deck(
        "lost_woods",
        {"num_players": 4},
        {"random": MANY, "greedy": MANY, "expert": MANY, "tuned": MANY, "search": FEW, "ppo": MANY},
        against=("random", "greedy", "expert", "tuned", "ppo"),
        curve="validation/win_share_vs_expert",
        title="Lost Woods, four players",
    ),
    Deck(
        "dice_commit",
        {"tier": "medium"},
        {"random": MANY, "greedy": MANY, "expert": MANY, "ppo": MANY, "optimum": MANY},
        curve="imitation/loss",
        curve_label="loss by exact values, a decision",
        title="DiceCommit, medium fights",
        note="`ppo` is supervised here: it was taught what each action loses by the solver's exact values,\n"
        "without a step of PPO, in these very fights. In others it is\n[no better than the expert](training.md#dicecommit).",
    ),
)
