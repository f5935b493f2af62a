"""Agents: everything that can sit at a table, called in one way, always with the mask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood.core.golden import stored_hash
from deckwood.core.jit import rule
from deckwood.core.spec import OPTIMAL_VALUE, GameSpec, LoadedDeck
from deckwood_agents import scripted
from deckwood_agents.games import slug
from deckwood_agents.search import BUDGET, MOST, SearchAgent

SHIPPED = Path(__file__).parent / "checkpoints"
"""The checkpoints that ship: ``ppo`` is ``checkpoints/<game>.zip``, ``ppo:NAME`` is ``checkpoints/NAME.zip``."""

PROSPECTS = Path(__file__).parent / "prospects"
"""The models by which ``solver`` plays, ``prospects/<game>.json``."""

Actions = NDArray[np.int64]


class UnknownAgent(DeckwoodError, ValueError):
    """An agent that the game does not have; the message lists what can be asked for."""


class Agent(Protocol):
    """Chooses actions for n positions at once."""

    name: str

    def reset(self, seed: int) -> None:
        """Begin anew: after the same seed the same calls get the same answers."""

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> Actions:
        """Legal actions (n,) int64 for observations (n, F), masks (n, A) and position records (n,); changes none of them."""

    # Beside these, ``pure`` may be True where an action is a function of the row alone, and ``chances``, with the arguments of ``act``, may
    # give the chance of each action, float64 (n, A), where it is drawn: whoever has either can be evaluated exactly.


def ask(agent: Agent, batch: Batch, slots: NDArray[np.int64]) -> Actions:
    """What ``agent`` does in some of a batch's games, (k,) int64 for ascending ``slots`` (k,)."""
    if len(slots) == batch.num_envs:
        return agent.act(batch.obs, batch.mask, batch.positions)
    # As bytes: NumPy copies rows of a record array field by field, ten times slower.
    positions = batch.positions.view(np.ndarray).view(np.uint8).reshape(batch.num_envs, -1)[slots]
    return agent.act(batch.obs[slots], batch.mask[slots], positions.reshape(-1).view(batch.positions.dtype).view(np.recarray))


# A stand-in for a scripted policy; bind_policy() replaces it.
policy: Any = None


def _choose(positions, deck, mask, out):  # type: ignore[no-untyped-def]
    for i in range(out.shape[0]):
        out[i] = policy(positions[i], deck, mask[i])


@cache
def bind_policy(function: Callable[..., int]) -> Callable[..., None]:
    """``(positions, tables, masks, out)``, compiled: fill ``out`` (n,) with what ``function(s, deck, mask)`` chooses at each position.

    It is kept on disk under the policy's own name, and made anew when a source of the scripted agents or of the rules changes; of a policy
    from elsewhere, when one of its package does.
    """
    source: Any = getattr(function, "py_func", function)
    bound = FunctionType(_choose.__code__, {**_choose.__globals__, "policy": function}, f"choose_{source.__name__}")
    bound.__module__ = source.__module__
    bound.__qualname__ = bound.__name__
    file = Path(source.__code__.co_filename)
    return rule(bound, home=scripted.FOLDER if scripted.FOLDER in file.parents else file)


@dataclass
class RandomAgent:
    """Uniform over the legal actions, from a generator of its own. ValueError for a mask that allows nothing."""

    name: str = "random"

    def __post_init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any = None) -> Actions:
        order = np.cumsum(mask != 0, axis=1, dtype=np.int64)
        if not order[:, -1].all():
            raise ValueError(f"the mask in row {int(np.argmin(order[:, -1]))} allows no action: there is nothing to choose from")
        chosen = self.rng.integers(order[:, -1])
        actions: Actions = np.argmax(order > chosen[:, None], axis=1)
        return actions

    def chances(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any = None) -> NDArray[np.float64]:
        """Each legal action is as likely."""
        legal = (mask != 0).astype(np.float64)
        shares: NDArray[np.float64] = legal / legal.sum(axis=1, keepdims=True)
        return shares


class ScriptedAgent:
    """A scripted policy, compiled, over the positions of a batch."""

    pure = True

    def __init__(self, name: str, policy: Callable[..., int], deck: LoadedDeck) -> None:
        self.name = name
        self._choose = bind_policy(policy)
        self._tables = deck.tables

    def reset(self, seed: int) -> None:
        """Nothing to do: a scripted policy is a function of the position."""

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> Actions:
        actions = np.empty(len(mask), np.int64)
        self._choose(positions, self._tables, mask, actions)
        return actions


class NetworkAgent:
    """A masked policy network: its likeliest legal action, or one drawn from its distribution when ``sample`` is set."""

    def __init__(self, name: str, policy: Any, *, sample: bool = False, manifest: Any = None, adviser: Any = None) -> None:
        """``adviser`` (:class:`deckwood_agents.advice.Adviser`): of a network that is shown what somebody else would do."""
        self.name = name
        self.policy = policy
        self.sample = sample
        self.manifest = manifest
        self.adviser = adviser
        self.pure = not sample
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def _logits(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> NDArray[Any]:
        import torch

        if self.adviser is not None:
            obs = self.adviser.beside(obs, mask, positions)
        with torch.no_grad():
            observations = torch.as_tensor(obs, device=self.policy.device)
            logits: NDArray[Any] = self.policy.get_distribution(observations, mask).logits.cpu().numpy()
        return logits

    def chances(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any = None) -> NDArray[np.float64]:
        """What the actions are drawn with."""
        logits = np.where(mask != 0, self._logits(obs, mask, positions), -np.inf).astype(np.float64)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return shares

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any = None) -> Actions:
        logits = self._logits(obs, mask, positions)
        if self.sample:
            logits = logits + self.rng.gumbel(size=logits.shape)
        actions: Actions = np.argmax(logits, axis=1)
        return actions


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
        from deckwood_agents.solver_agent import SolverAgent

        return SolverAgent(spec, deck)
    if text == "optimum" and text in available(spec):
        from deckwood_agents.optimum import OptimumAgent

        return OptimumAgent(spec, deck)
    if kind == "search":
        return SearchAgent(spec, deck, _budget(where) if text != kind else BUDGET)
    if kind == "ppo" or text.endswith(".zip"):
        from deckwood_agents.advice import Adviser
        from deckwood_agents.checkpoints import load_policy

        path = find_checkpoint(where if kind == "ppo" else text, spec)
        policy_, manifest = load_policy(path, spec, stored_hash(spec), device)
        advice = manifest.network.get("advice")
        adviser = Adviser(advice, spec, deck) if advice else None
        return NetworkAgent(_label(path, spec), policy_, sample=sample, manifest=manifest, adviser=adviser)
    raise UnknownAgent(f"unknown agent {text!r} (known for {spec.name}: {', '.join([*available(spec), 'search:BUDGET', 'ppo:FILE'])})")


def _label(checkpoint: Path, spec: GameSpec) -> str:
    """``ppo`` or ``ppo:NAME`` for one that ships, else ``ppo:RUN``, with the name of a checkpoint that is not the run's newest."""
    if checkpoint.parent == SHIPPED:
        return "ppo" if checkpoint.stem == slug(spec.env_id) else f"ppo:{checkpoint.stem}"
    run = checkpoint.parent if checkpoint.parent.name != "checkpoints" else checkpoint.parent.parent
    return f"ppo:{run.name}" + ("" if checkpoint.stem == "model" else f"/{checkpoint.stem}")


def _budget(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MOST:
        return int(text)
    raise UnknownAgent(f"search:{text}: the budget is how many tries a decision may have, a whole number from 1 to {MOST}")


def find_checkpoint(where: str, spec: GameSpec) -> Path:
    """The file meant by a path, a run's folder, the name of a checkpoint that ships, or nothing; UnknownAgent when there is none."""
    shipped = SHIPPED / f"{where or slug(spec.env_id)}.zip"
    for path in (Path(where), Path(where) / "model.zip", shipped) if where else (shipped,):
        if path.is_file():
            return path
    if not where:
        raise UnknownAgent(f"no trained agent ships for {spec.name} yet: train one and name its file, ppo:runs/NAME/model.zip")
    raise UnknownAgent(
        f"no checkpoint {where!r}: neither a file, a run's folder, nor one of {', '.join(shipped_names()) or 'those that ship (none)'}"
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
        *(["optimum"] if OPTIMAL_VALUE in spec.told else []),
        "search",
    ]
