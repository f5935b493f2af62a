"""Games that were played for the page of results, a row each, kept so that none is played twice.

Rows of an agent count while the game's golden hash, the deck and the agent itself are the same (:func:`version`); others are dropped.
Games are played in rounds: round *k* is game number *k* of every slot, the same games as ``evaluate.py`` plays, whoever plays them and
wherever a measurement was stopped.
"""

from __future__ import annotations

import ast
import csv
import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

import deckwood.solver
from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood.core.spec import GameSpec
from deckwood_agents.games import slug, winner
from deckwood_agents.measuring.evaluation import SLOTS
from deckwood_agents.measuring.play import Timed, ask_each, play_out
from deckwood_agents.measuring.tournament import alone
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.prospects import PROSPECTS
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.scripted import find_policy
from deckwood_agents.seeds import Seeds


class RawError(DeckwoodError, ValueError):
    """A file of games that cannot be read: names the file and what is wrong with it."""


class Row(NamedTuple):
    """One agent's game, as a line of the CSV."""

    golden_hash: str
    deck_digest: str
    commit: str  # of the code that played it, with a + where files had been changed
    agent: str
    version: str
    against: str  # who filled the other chairs; "" in a game for one
    against_version: str
    seed: int
    slot: int
    game: int  # number in the slot
    seat: int
    value: float  # the agent's return
    won: int
    length: int  # decisions of all seats
    ending: str
    cpu_us: float  # processor time of a decision of the agent's, microseconds, on average over the round


Key = tuple[str, str, int, int]  # agent, against, seed, round


class Player(NamedTuple):
    """An agent and what tells it from others of its name."""

    agent: Agent
    version: str


# What an agent is ------------------------------------------------------------------------------------------------------------------------


def _sources(module: str, within: str, seen: dict[str, Path]) -> dict[str, Path]:
    """The files of ``module`` and of all that it imports from the package ``within``."""
    file = getattr(import_module(module), "__file__", None)
    if module in seen or file is None:
        return seen
    seen[module] = Path(file)
    for imported in re.findall(rf"^from ({re.escape(within)}[\w.]*) import", seen[module].read_text(), re.MULTILINE):
        _sources(imported, within, seen)
    return seen


def _essence(file: Path) -> bytes:
    """A source by what it does: its text without docstrings, and the names that it imports, wherever they lie."""
    text = file.read_text()
    imported, rest = [], text.splitlines()
    for node in ast.walk(ast.parse(text)):
        said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if isinstance(node, ast.Import | ast.ImportFrom):
            imported += [f"{name.name.rpartition('.')[2]} as {name.asname}" for name in node.names]
        elif not said:
            continue
        assert isinstance(node, ast.stmt)
        assert node.end_lineno is not None
        rest[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join([*sorted(imported), *filter(None, rest)]).encode()


def _digest(contents: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for content in contents:
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()[:16]


def version(agent: Agent, spec: GameSpec) -> str:
    """A digest of what the agent's choices come from: a network's weights and adviser, or the sources of the agent itself.

    Of the game's rules, which they use too, the golden hash tells.
    """
    if isinstance(agent, NetworkAgent):
        weights = agent.policy.state_dict()
        how = b"sampled" if agent.sample else b"likeliest"
        advised = [version(agent.advice_input.agent, spec).encode()] if agent.advice_input else []
        return _digest([how, *advised, *(name.encode() + weights[name].cpu().numpy().tobytes() for name in sorted(weights))])
    kind = agent.name.partition(":")[0]
    if kind == "random":
        return "uniform"
    files: dict[str, Path] = {}
    if find_policy("expert", spec):
        _sources(f"deckwood_agents.players.scripted.{slug(spec.env_id)}.policy", "deckwood_agents.players.scripted", files)
    if kind in ("search", "solver"):
        _sources(type(agent).__module__, "deckwood_agents.players.prospects", files)
    sources = set(files.values())
    if kind in ("solver", "optimum"):
        sources |= set(Path(deckwood.solver.__file__).parent.glob("*.py"))
    if kind == "solver":
        sources |= set(PROSPECTS.glob(f"{slug(spec.env_id)}.py"))
    fitted = [path.read_bytes() for path in PROSPECTS.glob(f"{slug(spec.env_id)}.json") if kind == "solver"]
    return _digest([agent.name.encode(), *sorted(map(_essence, sources)), *fitted])


# Playing ---------------------------------------------------------------------------------------------------------------------------------


class Round(NamedTuple):
    """n games: the agent's ``returns`` and ``won`` (n,), ``lengths`` (n,), ``ended`` (n,), its chairs (n,), and microseconds a decision."""

    returns: NDArray[np.float64]
    won: NDArray[np.bool_]
    lengths: NDArray[np.int64]
    ended: NDArray[np.int64]
    seats: NDArray[np.int64]
    cpu_us: float


def play_round(game: Game, agent: Agent, other: Agent | None, *, number: int, games: int, seed: int, slots: int = SLOTS) -> Round:
    """Game ``number`` of each of the first ``games`` slots from the batch seed ``seed``. In a multiplayer game ``agent`` sits alone
    among copies of ``other``, in the next chair in each game. Agents that draw do so from the seed and the round."""
    batch = Batch(game, games, seed=seed)
    for _ in range(number):
        batch.reset(None)
    players = 1 if other is None else game.spec.players(game.options)
    turn = number * slots
    seating = alone(0, 1, turn + games, players)[turn:]
    seated = [Timed(each, process_time) for each in ([agent] if other is None else [agent, other])]
    for each in seated:
        each.reset(seed + (number << 80))
    returns, lengths, ended = np.zeros((games, players)), np.zeros(games, np.int64), np.zeros(games, np.int64)
    one_each = np.ones(games, np.int64)
    for over in play_out(batch, one_each, lambda slots: ask_each(seated, seating[slots, batch.actor[slots]], batch, slots)):
        returns[over] = batch.episode_return.reshape(games, -1)[over, :players]
        lengths[over], ended[over] = batch.episode_length[over], batch.ended[over]
    seats = seating.argmin(axis=1)
    own = returns[np.arange(games), seats]
    victory = game.spec.won(ended, own) if players == 1 else winner(ended, returns, players) == seats
    return Round(own, victory, lengths, ended, seats, 1e6 * seated[0].seconds / max(1, seated[0].decisions))


# Keeping ---------------------------------------------------------------------------------------------------------------------------------


class Raw:
    """The games of one deck, in ``<game>.csv.gz``."""

    def __init__(self, path: Path) -> None:
        """RawError where the file is not one of these."""
        self.path = path
        self.rounds: dict[Key, list[Row]] = {}
        if path.exists():
            for row in _read(path):
                self.rounds.setdefault((row.agent, row.against, row.seed, row.game), []).append(row)

    def keep(self, current: Callable[[Row], bool]) -> list[str]:
        """Drop rounds whose rows are not ``current``; returns whose they were."""
        stale = [key for key, rows in self.rounds.items() if not current(rows[0])]
        for key in stale:
            del self.rounds[key]
        return sorted({agent + (f" among {against}" if against else "") for agent, against, _, _ in stale})

    def played(self, agent: str, against: str, seed: int) -> list[Row]:
        """The rows of an agent in the order of the games."""
        rounds = sorted(key for key in self.rounds if key[:3] == (agent, against, seed))
        return [row for key in rounds for row in self.rounds[key]]

    def save(self) -> None:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(Row._fields)
        for key in sorted(self.rounds):
            writer.writerows(self.rounds[key])
        write_atomically(self.path, gzip.compress(out.getvalue().encode(), mtime=0))


def _read(path: Path) -> list[Row]:
    try:
        lines = list(csv.reader(io.StringIO(gzip.decompress(path.read_bytes()).decode())))
    except (OSError, EOFError, UnicodeDecodeError, zlib.error, csv.Error) as error:
        raise RawError(f"{path}: cannot be read ({error})") from None
    if not lines or tuple(lines[0]) != Row._fields:
        raise RawError(f"{path}: its columns are not {', '.join(Row._fields)}; remove it, or use --fresh")
    convert = list(get_type_hints(Row).values())
    try:
        return [Row(*(make(text) for make, text in zip(convert, line, strict=True))) for line in lines[1:]]
    except ValueError as error:
        raise RawError(f"{path}: holds a row that cannot be one ({error}); remove it, or use --fresh") from None


def measure(
    raw: Raw,
    game: Game,
    player: Player,
    other: Player | None,
    *,
    episodes: int,
    seed: int,
    commit: str,
    slots: int = SLOTS,
    report: Callable[[str], None] = lambda text: None,
) -> None:
    """Play what is missing of the first ``episodes`` games, round by round, and save after each."""
    agent = player.agent
    against = "" if other is None else other.agent.name
    spec, names = game.spec, ["truncated", *(ending.name for ending in game.spec.endings)]
    for number in range(-(-episodes // slots)):
        games = min(slots, episodes - number * slots)
        key = (agent.name, against, seed, number)
        if len(raw.rounds.get(key, ())) >= games:
            continue
        who = agent.name + (f" among {against}" if against else "")
        report(f"{slug(spec.env_id)}: {who}, games {number * slots:,} to {number * slots + games:,}")
        found = play_round(
            game, agent, None if other is None else other.agent, number=number, games=games, seed=Seeds.EVALUATION(seed), slots=slots
        )
        fixed = (stored_hash(spec), game.deck.digest, commit, agent.name, player.version, against, "" if other is None else other.version)
        columns: Sequence[list[Any]] = [
            found.seats.tolist(),
            found.returns.tolist(),
            found.won.astype(int).tolist(),
            found.lengths.tolist(),
            [names[ended] for ended in found.ended],
        ]
        raw.rounds[key] = [
            Row._make((*fixed, seed, slot, number, *values, round(found.cpu_us, 3)))
            for slot, values in enumerate(zip(*columns, strict=True))
        ]
        raw.save()
