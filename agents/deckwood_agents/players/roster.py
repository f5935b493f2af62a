"""The roster: every agent by the name that a person types."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from deckwood.core.golden import stored_hash
from deckwood.core.spec import OPTIMAL_VALUE, GameSpec, LoadedDeck
from deckwood.core.untrusted import shown
from deckwood_agents.games import slug
from deckwood_agents.players import scripted
from deckwood_agents.players.advice import AdviceInput
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.prospects import PROSPECTS
from deckwood_agents.players.protocol import Agent, UnknownAgent
from deckwood_agents.players.scripted.agent import ScriptedAgent
from deckwood_agents.players.search import BUDGET, MAX_BUDGET, SearchAgent
from deckwood_agents.players.uniform import RandomAgent

SHIPPED = Path(__file__).parents[1] / "checkpoints"
"""The checkpoints that ship: ``ppo`` is ``checkpoints/<game>.zip``, ``ppo:NAME`` is ``checkpoints/NAME.zip``."""


def make_agent(text: str, spec: GameSpec, deck: LoadedDeck, *, sample: bool = False, device: str = "cpu") -> Agent:
    """The agent that ``text`` asks for: ``random``, ``greedy``, ``expert``, ``tuned``, ``solver``, ``optimum``, ``search``,
    ``search:BUDGET``, ``ppo`` (the one that ships), ``ppo:NAME`` or ``ppo:FILE``.

    UnknownAgent where the game has no such agent; CheckpointError where a file does not fit the game.
    """
    kind, _, where = text.partition(":")
    if text == "random":
        return RandomAgent()
    if text in scripted.NAMES:
        if policy := scripted.find_policy(text, spec):
            return ScriptedAgent(text, policy, deck)
        raise UnknownAgent(f"{spec.name} has no scripted agent {text!r} (it has: {', '.join(available(spec))})")
    if text == "solver" and text in available(spec):
        from deckwood_agents.players.solver import SolverAgent

        return SolverAgent(spec, deck)
    if text == "optimum" and text in available(spec):
        from deckwood_agents.players.optimum import OptimumAgent

        return OptimumAgent(spec, deck)
    if kind == "search":
        return SearchAgent(spec, deck, _budget(where) if text != kind else BUDGET)
    if kind == "ppo" or text.endswith(".zip"):
        from deckwood_agents.players.checkpoints import load_policy

        path = find_checkpoint(where if kind == "ppo" else text, spec)
        policy_, manifest = load_policy(path, spec, stored_hash(spec), device)
        advice = manifest.network.get("advice")
        advice_input = AdviceInput(advice, spec, deck) if advice else None
        return NetworkAgent(_label(path, spec), policy_, sample=sample, manifest=manifest, advice_input=advice_input)
    raise UnknownAgent(f"unknown agent {text!r} (known for {spec.name}: {', '.join([*available(spec), 'search:BUDGET', 'ppo:FILE'])})")


def _label(checkpoint: Path, spec: GameSpec) -> str:
    """``ppo`` or ``ppo:NAME`` for one that ships, else ``ppo:RUN``, with the name of a checkpoint that is not the run's newest."""
    if checkpoint.parent == SHIPPED:
        return "ppo" if checkpoint.stem == slug(spec.env_id) else f"ppo:{checkpoint.stem}"
    run = checkpoint.parent if checkpoint.parent.name != "checkpoints" else checkpoint.parent.parent
    return f"ppo:{run.name}" + ("" if checkpoint.stem == "model" else f"/{checkpoint.stem}")


def _budget(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_BUDGET:
        return int(text)
    raise UnknownAgent(f"search:{text}: the budget is how many tries a decision may have, a whole number from 1 to {MAX_BUDGET}")


def find_checkpoint(where: str, spec: GameSpec) -> Path:
    """The file meant by a path, a run's folder, the name of a checkpoint that ships, or nothing; UnknownAgent when there is none."""
    shipped = SHIPPED / f"{where or slug(spec.env_id)}.zip"
    for path in (Path(where), Path(where) / "model.zip", shipped) if where else (shipped,):
        with suppress(OSError, ValueError):  # a name too long, or with a null character
            if path.is_file():
                return path
    if not where:
        raise UnknownAgent(f"no trained agent ships for {spec.name} yet: train one and name its file, ppo:runs/NAME/model.zip")
    raise UnknownAgent(
        f"no checkpoint {shown(where)}: neither a file, a run's folder, nor one of {', '.join(shipped_names()) or 'those that ship (none)'}"
    )


def shipped_names() -> list[str]:
    return sorted(path.stem for path in SHIPPED.glob("*.zip"))


def quick(spec: GameSpec) -> list[str]:
    """Those of :func:`available` that answer thousands of positions a second."""
    return [
        "random",
        *scripted.names(spec),
        *(["ppo"] if (SHIPPED / f"{slug(spec.env_id)}.zip").is_file() else []),
    ]


def available(spec: GameSpec) -> list[str]:
    """The names that :func:`make_agent` takes for a game, without checkpoints of your own."""
    return [
        *quick(spec),
        *(["solver"] if (PROSPECTS / f"{slug(spec.env_id)}.json").is_file() else []),
        *(["optimum"] if OPTIMAL_VALUE in spec.metrics else []),
        "search",
    ]
