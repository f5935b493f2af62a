"""One sentence on the result of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deckwood_agents.measuring.evaluation import per_cent
from deckwood_agents.measuring.statistics import Interval


def beats(result: Mapping[str, Any], agent: str, other: str) -> bool | None:
    """Whether the intervals of the mean return are apart and ``agent``'s is the higher; None if one of them did not play."""
    if agent not in result["agents"] or other not in result["agents"]:
        return None
    a, b = (result["agents"][name] for name in (agent, other))
    return Interval(*a["mean_return_ci"]).apart(Interval(*b["mean_return_ci"])) and bool(a["mean_return"] > b["mean_return"])


def verdict(result: Mapping[str, Any]) -> str:
    """One sentence on the agent and random play."""
    if (beaten := beats(result, "ppo", "random")) is None:
        return "Random play was not among the opponents."
    own, other = (result["agents"][name] for name in ("ppo", "random"))
    words = "beats random play: its interval lies above" if beaten else "does NOT beat random play: its interval does not lie above"
    (a, b), (c, d) = own["mean_return_ci"], other["mean_return_ci"]
    wins = f"wins {100 * own['win_rate']:.2f}% of the games against {100 * other['win_rate']:.2f}%"
    return f"The agent {words} random's (mean return {a:.3f} to {b:.3f} against {c:.3f} to {d:.3f}; {wins})."


def verdict_among(result: Mapping[str, Any]) -> str:
    """One sentence on the agent alone among random players, by the cross-play of a tournament's result."""
    cell = next((cell for cell in result["cross_play"] if (cell["agent"], cell["against"]) == ("ppo", "random")), None)
    if cell is None:
        return "Random play was not among the opponents."
    beaten = cell["lead_ci"][0] > 0
    words = "beats random play: its lead lies above 0" if beaten else "does NOT beat random play: its lead does not lie above 0"
    low, high = (per_cent(bound) for bound in cell["win_rate_ci"])
    return (
        f"The agent {words} (alone among random players it wins {per_cent(cell['win_rate'])}% of the games, {low} to {high}, "
        f"each of them {per_cent(cell['win_rate'] - cell['lead'])}%; a game that is cut has no winner)."
    )
