"""Does a game, with a given deck and options, keep the contract? For the test suite and for authors of decks and games.

``python -m deckwood.conformance ENV_ID [--deck FILE] [--games N]``
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError, IllegalAction
from deckwood.core.game import Game
from deckwood.core.loop import LEGAL, OBSERVE
from deckwood.core.program import MAX_SEED, program, whole
from deckwood.core.registry import spec as spec_of
from deckwood.core.replay import final_position, replay
from deckwood.core.spec import HEADER, GameSpec, Memory, Node, Positions
from deckwood.core.stream import below, draw, new_stream


class ConformanceError(DeckwoodError, AssertionError):
    """A broken promise of the contract; the message says which, and at which event of which seed."""


@dataclass
class Report:
    """What :func:`check_game` saw."""

    games: int
    decisions: int
    chance_events: int
    longest: int  # decisions
    endings: dict[str, int]


def check_game(game: str | GameSpec | Game, *, deck: str | Path | None = None, games: int = 20, seed: int = 0, **options: Any) -> Report:
    """Play ``games`` seeded random games and check every node. ConformanceError at the first broken promise.

    For a game that remembers, the second half is a campaign: each starts from what the one before it left behind.
    """
    _check_spec(game.spec if isinstance(game, Game) else spec_of(game) if isinstance(game, str) else game)
    checked = game if isinstance(game, Game) else Game(game, deck=deck, **options)
    report = Report(games, 0, 0, 0, {})
    global_state = repr(np.random.get_state())  # noqa: NPY002
    memory = checked.memory(None)
    for index in range(games):
        _check_nodes(checked, seed + index, report, memory)
        left = _check_driver(checked, seed + index, memory)
        if checked.spec.remembered:
            allowed = _check_memory(checked, seed + index, memory, left)
            memory = left if allowed and index + 1 >= games // 2 else checked.memory(None)
    _require(repr(np.random.get_state()) == global_state, checked, seed, "NumPy's global random state was used")  # noqa: NPY002
    return report


def _require(holds: object, game: Game, seed: int, promise: str) -> None:
    if not holds:
        raise ConformanceError(f"{game.spec.env_id} with {game.user_options}, seed {seed}: {promise}")


def _check_spec(spec: GameSpec) -> None:
    def require(holds: object, promise: str) -> None:
        if not holds:
            raise ConformanceError(f"{spec.env_id}: {promise}")

    for kind in ("actions", "features", "options", "endings"):
        names = [entry.name for entry in getattr(spec, kind)]
        require(len(set(names)) == len(names), f"two {kind} share a name")
    require(spec.actions and spec.features and spec.endings, "actions, features and endings must be declared")
    require(all(not f.labels or len(f.labels) == f.size for f in spec.features), "a feature's labels do not match its size")
    require(all(f.low < f.high for f in spec.features), "a feature has an empty range")
    require(1 <= spec.seats[0] <= spec.seats[1], "seats are out of order")
    require(spec.payoff_range[0] <= spec.payoff_range[1], "the payoff range is out of order")
    header = {"payoff", *(name for name, _ in HEADER)}
    for name in spec.remembered:
        require(name in (spec.dtype.names or ()) and name not in header, f"remembered {name!r} is not a field of the game's own")
        require(spec.dtype[name].base.kind in "iu", f"remembered {name!r} is not a field of integers")
    require(len(set(spec.remembered)) == len(spec.remembered), "two remembered fields share a name")
    require(spec.remembered or not spec.changes, "changes are for a game that remembers")
    require(spec.remembered or not spec.impossible, "impossible memories are for a game that remembers")
    require(bool(spec.metrics) == (spec.compute_metrics is not None), "metrics and compute_metrics go together")
    require(not spec.metrics or spec.seats[1] == 1, "only a solo game reports metrics")


def _check_memory(game: Game, seed: int, before: Memory, after: Memory) -> bool:
    """What a game says about the memory it left behind; whether another game can start from it."""

    def require(holds: object, promise: str) -> None:
        _require(holds, game, seed, promise)

    if game.spec.changes:
        for start, end in ((before, after), (before, before)):
            words: Any = game.spec.changes(game.deck, start, end)
            require(isinstance(words, list) and all(isinstance(word, str) and word for word in words), "changes must be a list of texts")
        require(not words, f"changes between a memory and itself: {words}")
    require(not game.spec.impossible or game.spec.impossible(game.deck, after) is None, "a game has left an impossible memory")
    reason: Any = game.spec.objection(game.options, game.deck, after) if game.spec.objection else None
    require(reason is None or (isinstance(reason, str) and reason), "objection must be None or a text")
    return reason is None


def _check_nodes(game: Game, seed: int, report: Report, memory: Memory) -> None:
    """One random game, node by node."""
    spec, position = game.spec, game.new(memory)
    dice, choices = new_stream(seed), new_stream(seed, episode=1)
    low = np.concatenate([np.full(f.size, f.low, np.float32) for f in spec.features])
    high = np.concatenate([np.full(f.size, f.high, np.float32) for f in spec.features])
    event = 0

    def require(holds: object, promise: str) -> None:
        _require(holds, game, seed, f"event {event}: {promise}")

    while position.node[0] != Node.END:
        before, node = position.tobytes(), position.node[0]
        require(isinstance(spec.phase_name(position[0]), str), "phase_name must be text")
        if node == Node.CHANCE:
            weights = game.chance(position)
            require(1 <= len(weights) <= spec.max_outcomes, f"{len(weights)} outcomes, but max_outcomes is {spec.max_outcomes}")
            require((weights >= 0).all() and 0 < weights.sum(dtype=np.int64) < 2**31, f"weights {weights.tolist()}")
            require(position.tobytes() == before, "chance() changed the position")
            outcome = int(draw(dice, weights, len(weights)))
            require(isinstance(spec.outcome_name(position[0], game.deck, outcome), str), "outcome_name must be text")
            game.apply_chance(position, outcome)
            report.chance_events += 1
        else:
            require(node == Node.DECISION, f"unknown node {node}")
            require(0 <= position.mover[0] < spec.seats[1], f"mover {position.mover[0]}")
            if position.decisions[0] >= spec.longest_game:
                break
            legal = _check_mask(game, position, require)
            for seat in range(spec.seats[1]):
                _check_observation(game, position, seat, low, high, require)
            require(position.tobytes() == before, "legal(), observe() or a description changed the position")
            action = int(legal[int(below(choices, len(legal)))])
            decisions = int(position.decisions[0])
            game.apply(position, action)
            require(position.decisions[0] == decisions + 1, "apply() must leave decisions to the driver")
            report.decisions += 1
        event += 1
    report.longest = max(report.longest, int(position.decisions[0]))
    if position.node[0] == Node.END:
        require(0 <= position.ended[0] <= len(spec.endings), f"ended is {position.ended[0]}")
        require(not game.legal(position).any(), "there are legal actions at the end")
    name = spec.endings[position.ended[0] - 1].name if position.ended[0] else "truncated"
    report.endings[name] = report.endings.get(name, 0) + 1
    payoff = position.payoff[0]
    require((payoff >= spec.payoff_range[0]).all() and (payoff <= spec.payoff_range[1]).all(), f"payoff {payoff} is out of range")
    _check_observation(game, position, 0, low, high, require)
    require(isinstance(spec.describe(position[0], game.deck), str), "describe must give text")
    image = spec.draw(position[0], game.deck)
    require(image.dtype == np.uint8 and image.ndim == 3 and image.shape[2] == 3, "draw must give uint8 (height, width, 3)")


def _check_mask(game: Game, position: Positions, require: Any) -> NDArray[np.int64]:
    before, mask = position.tobytes(), game._scratch.buffers.legal[0]
    mask[:] = 77
    count = game._call(LEGAL, position)
    require(((mask == 0) | (mask == 1)).all(), "legal() must write every entry of the mask, 0 or 1")
    require(count == mask.sum() and count >= 1, f"legal() returned {count} for a mask of {mask.sum()} actions")
    legal, illegal = np.flatnonzero(mask), np.flatnonzero(mask == 0)
    texts = [game.spec.action_text(position[0], game.deck, int(action)) for action in legal]
    require(all(texts) and len(set(texts)) == len(texts), f"two legal actions read the same: {texts}")
    if len(illegal):
        try:
            game.apply(position, int(illegal[0]))
            require(False, "an illegal action was accepted")
        except IllegalAction:
            require(position.tobytes() == before, "a refused action changed the position")
    return legal


def _check_observation(
    game: Game, position: Positions, seat: int, low: NDArray[np.float32], high: NDArray[np.float32], require: Any
) -> None:
    seen, out = position.copy(), game._scratch.buffers.obs[0]
    if seen.node[0] == Node.DECISION:
        seen.mover[0] = seat
    out[:] = np.nan
    game._call(OBSERVE, seen)
    wrong = np.flatnonzero(~((out >= low) & (out <= high)))
    if len(wrong):
        name = next(name for name, part in game.spec.slices.items() if part.start <= wrong[0] < part.stop)
        require(False, f"observation entry {wrong[0]} ({name}) is {out[wrong[0]]}, outside {low[wrong[0]]} to {high[wrong[0]]}")


def _check_driver(game: Game, seed: int, memory: Memory) -> Memory:
    """One random game through the driver: snapshots, copies and replays of it agree. What it leaves behind, ``memory`` where it was cut."""

    def require(holds: object, promise: str) -> None:
        _require(holds, game, seed, promise)

    batch = Batch(game, 1, autoreset=False, log=1 << 16)
    batch.reset(seed, remembered=memory)
    total, steps, middle = np.zeros(game.spec.seats[1]), 0, int(below(new_stream(seed, 2), 20))
    saved, twin = batch.save(), batch.copy()
    while not batch.terminated[0] and not batch.truncated[0]:
        if steps == middle:
            saved, twin = batch.save(), batch.copy()
        mask, obs = batch.mask.copy(), batch.obs.copy()
        action = batch.random_actions()
        require(np.array_equal(mask, batch.mask) and np.array_equal(obs, batch.obs), "random_actions() changed mask or observation")
        require(mask[0, action[0]], "random_actions() gave an illegal action")
        require(np.array_equal(mask[0], game.legal(batch.positions)), "the mask is not that of the position")
        require(mask.sum() >= 2 or batch.positions.decisions[0] >= game.spec.longest_game, "the driver left a forced move to the player")
        require(np.array_equal(obs[0], game.observe(batch.positions)), "the observation is not that of the position")
        batch.step(action)
        total += batch.reward.reshape(-1)
        steps += 1
    end = batch.positions.tobytes()
    require(np.allclose(total, batch.positions.payoff[0]), "the rewards do not sum to the payoff")
    played = final_position(game, replay(game, batch.events(), batch.memory()))
    require(all(np.array_equal(played[name], batch.positions[name]) for name in game.spec.dtype.names or ()), "the replay ends elsewhere")
    left = game.spec.memory(batch.positions) if batch.terminated[0] else memory
    batch.load(saved)
    for other, what in ((batch, "a loaded snapshot"), (twin, "a copied batch")):
        while not other.terminated[0] and not other.truncated[0]:
            other.step(other.random_actions())
        require(other.positions.tobytes() == end, f"{what} went on differently")
    return left


@program
def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m deckwood.conformance", description=__doc__)
    parser.add_argument("env_id")
    parser.add_argument("--deck")
    parser.add_argument("--games", type=whole(1, 10**6), default=100)
    parser.add_argument("--seed", type=whole(0, MAX_SEED), default=0)
    args = parser.parse_args(argv)
    print(check_game(args.env_id, deck=args.deck, games=args.games, seed=args.seed))
    return 0
