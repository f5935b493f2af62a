"""Mixed play on every game, option and deck for as long as it is given, with all invariants: ``make soak ARGS='--minutes 30 --seed 1'``.

Sessions are drawn from the seed, one game after another: options, a shipped or a random valid deck, and who plays. What was played is
written to a JSON file after each. At the first fault that file gets what is needed to see it again, and the program ends with status 1:
``--session N`` with the same seed plays that session alone.
"""

from __future__ import annotations

import argparse
import atexit
import dataclasses
import json
import pickle
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import deckwood
from deckwood.core.batch import Batch
from deckwood.core.errors import OptionError
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.program import MAX_SEED, program, whole
from deckwood.core.registry import GAMES
from deckwood.core.spec import GameSpec, LoadedDeck
from deckwood_agents.players.protocol import ask
from deckwood_agents.players.roster import make_agent, quick
from tests.referee import decks, etherfields_decks, lost_woods_decks
from tests.soak import invariants

LOG = 4096
"""Events of each game that a report can name."""
LOOK = 8
"""Every so many steps the dearer invariants are looked at: what they would find stays wrong."""
UNCOMPILED = 400
"""Events of a game that are played again by uncompiled rules."""
NUMBERS = {"turn_limit": (10, 100), "fight": (0, 4)}
"""Of options with many values, those that are drawn."""


@dataclass(frozen=True)
class Size:
    """How much of a session is played."""

    slots: int
    steps: int


RANDOM, MIXED = Size(512, 800), Size(96, 800)


@dataclass(frozen=True)
class Session:
    """What is played, as drawn."""

    number: int
    env_id: str
    options: dict[str, Any]
    deck_seed: int | None  # None: the deck that ships
    players: tuple[str, ...]  # slot i is played by the player at i modulo their number

    @property
    def size(self) -> Size:
        return RANDOM if self.players == ("random",) else MIXED


@dataclass
class Tally:
    """What was played of one game."""

    sessions: int = 0
    decisions: int = 0
    games: int = 0
    seconds: float = 0.0
    players: dict[str, int] = field(default_factory=dict)  # decisions
    endings: dict[str, int] = field(default_factory=dict)


class Fault(AssertionError):
    """An invariant does not hold: in which slot, after which step, and what."""

    def __init__(self, slot: int, step: int, what: str) -> None:
        super().__init__(f"slot {slot}, step {step}: {what}")
        self.slot, self.step, self.what = slot, step, what


def draw_session(seed: int, number: int) -> Session:
    """The session of this number; they take turns with the games."""
    rng = np.random.default_rng([seed, number])
    env_id = list(GAMES)[number % len(GAMES)]
    deck_seed = int(rng.integers(2**31)) if rng.random() < 0.4 else None
    spec, deck = deckwood.spec(env_id), deck_file(env_id, deck_seed)
    players = ("random",) if rng.random() < 0.5 else tuple(quick(spec))
    while True:
        options = draw_options(spec, spec.load_deck(deck), rng)
        try:
            Game(spec, deck=deck, **options).memory(None)
        except OptionError:  # values that do not go together, or from which no game can start
            continue
        return Session(number, env_id, options, deck_seed, players)


def draw_options(spec: GameSpec, deck: LoadedDeck, rng: np.random.Generator) -> dict[str, Any]:
    """Any value of any option."""
    found: dict[str, Any] = {}
    for option in spec.options:
        low, high = NUMBERS.get(option.name, (option.low, option.high))
        names = [name for name in option.names(deck) if name]
        if names:
            found[option.name] = names[int(rng.integers(len(names)))]
        elif isinstance(option.default, bool):
            found[option.name] = bool(rng.integers(2)) and option.name != "solve"
        else:
            found[option.name] = int(rng.integers(low, high + 1))
    return found


@cache
def deck_file(env_id: str, deck_seed: int | None) -> Path | None:
    """A random valid deck; None for the one that ships."""
    if deck_seed is None:
        return None
    spec = deckwood.spec(env_id)
    folder = Path(spec.game_file).parent
    if folder.name == "lost_woods":
        return lost_woods_decks.random_deck(_place() / f"{deck_seed}.toml", deck_seed)
    if folder.name == "etherfields":
        return etherfields_decks.write_random_deck(decks.shipped(folder / "deck.toml"), deck_seed, _place())
    _, content = decks.random_deck(spec, getattr(decks, f"{folder.name}_deck"), deck_seed)
    path = _place() / f"{folder.name}-{deck_seed}.toml"
    path.write_text("".join(f"{name} = {_toml(value)}\n" for name, value in content.items()), encoding="utf-8")
    return path


@cache
def _place() -> Path:
    folder = tempfile.mkdtemp(prefix="deckwood-soak-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _toml(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, dict):
        parts = (f"{json.dumps(name)} = {_toml(part)}" for name, part in value.items() if part is not None)
        return f"{{ {', '.join(parts)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def play(session: Session, seed: int, tally: Tally) -> None:
    """Play a session; Fault at the first invariant that does not hold."""
    _Table(session, seed, tally).play()


class _Table:
    """One session being played."""

    def __init__(self, session: Session, seed: int, tally: Tally) -> None:
        self.session, self.tally = session, tally
        self.deck = deck_file(session.env_id, session.deck_seed)
        self.game = Game(session.env_id, deck=self.deck, **session.options)
        spec = self.game.spec
        self.spec, self.folder = spec, Path(spec.game_file).parent.name
        self.low, self.high = invariants.ranges(spec)
        self.seats = spec.players(self.game.options)
        size = session.size
        self.batch = Batch(self.game, size.slots, seed=int(np.random.SeedSequence([seed, session.number]).generate_state(1)[0]), log=LOG)
        self.total = np.zeros((size.slots, spec.seats[1]))
        self.step = 0
        self.agents = [None if name == "random" else make_agent(name, spec, self.game.deck) for name in session.players]
        self.rows = [np.arange(i, size.slots, len(self.agents)) for i in range(len(self.agents))]
        for agent in self.agents:
            if agent is not None:
                agent.reset(session.number)

    def require(self, holds: Any, what: str) -> None:
        """``holds``: one truth for each slot."""
        wrong = np.flatnonzero(~np.asarray(holds))
        if len(wrong):
            raise Fault(int(wrong[0]), self.step, what)

    def play(self) -> None:
        batch, size = self.batch, self.session.size
        dice = invariants.dice(batch.positions)
        self.look(np.zeros(size.slots, np.bool_), None)
        for self.step in range(1, size.steps + 1):
            batch.step(self.actions(batch))
            over = batch.terminated | batch.truncated
            if self.step % LOOK == 0 or self.step == size.steps:
                # Games that have ended since the last look began with dice of their own.
                now = invariants.dice(batch.positions)
                same = None if dice is None or now is None else (dice == now).all(axis=1) | (batch._b.steps < LOOK)
                dice = now
                self.look(over, same)
                self.look_closely((self.step // LOOK) % size.slots)
            else:
                self.look(over, None)
            self.count(over)
        self.part_and_meet()
        self.tally.sessions += 1

    def actions(self, batch: Batch) -> Any:
        """What the players do."""
        chosen = batch.random_actions()
        for agent, rows in zip(self.agents, self.rows, strict=True):
            if agent is not None:
                chosen[rows] = ask(agent, batch, rows)
        return chosen

    def count(self, over: Any) -> None:
        tally = self.tally
        tally.decisions += len(over)
        for name, rows in zip(self.session.players, self.rows, strict=True):
            tally.players[name] = tally.players.get(name, 0) + len(rows)
        for ended in self.batch.ended[over]:
            name = self.spec.endings[ended - 1].name if ended else "cut"
            tally.endings[name] = tally.endings.get(name, 0) + 1
        tally.games += int(over.sum())

    def look(self, over: Any, dice_same: Any) -> None:
        """What is cheap enough to be seen at every step."""
        batch, spec = self.batch, self.spec
        fault = int(invariants.first_fault(batch.obs, self.low, self.high, batch.mask, batch.actor, self.seats))
        if fault >= 0:
            raise Fault(fault // 4, self.step, invariants.WHAT[fault % 4])
        if self.step:
            self.total += batch.reward.reshape(self.total.shape)
            paid = np.where(over[:, None], batch.episode_return.reshape(self.total.shape), batch.positions["payoff"])
            self.require(np.abs(self.total - paid).max(axis=1) < 1e-6, "the rewards do not sum to the payoff")
            self.total[over] = 0
        if over.any():
            low, high = spec.payoff_range
            self.require(((paid >= low) & (paid <= high)).all(axis=1) | ~over, "a payoff is outside its declared range")
            self.require((batch.ended >= 0) & (batch.ended <= len(spec.endings)), "an ending that is not declared")
            self.require(batch.truncated == (over & (batch.ended == 0)), "truncated, and yet an ending; or ended without one")
            self.require((batch.episode_length <= spec.longest_game) | ~over, "a game is longer than the longest")
        if dice_same is not None:
            self.require(dice_same, "dice were lost or made")

    def look_closely(self, slot: int) -> None:
        """What is worth a look at one slot now and then."""
        batch, game = self.batch, self.game
        position = batch.positions[slot : slot + 1].copy().view(np.recarray)
        if not np.array_equal(game.legal(position), batch.mask[slot]):
            raise Fault(slot, self.step, "the mask is not that of the position")
        if not np.array_equal(game.observe(position), batch.obs[slot]):
            raise Fault(slot, self.step, "the observation is not that of the position")
        if check := invariants.OF_GAME.get(self.folder):
            try:
                check(position[0], game.deck)
            except AssertionError as error:
                line = traceback.extract_tb(error.__traceback__)[-1]
                raise Fault(slot, self.step, f"an invariant of the game: {line.line} {error}") from error

    def part_and_meet(self) -> None:
        """What is saved, pickled or copied goes on alike; uncompiled rules come to the same position."""
        batch = self.batch
        loaded = Batch(self.game, batch.num_envs)
        loaded.load(batch.save())
        others = {"a copied batch": batch.copy(), "a pickled batch": pickle.loads(pickle.dumps(batch)), "a loaded batch": loaded}
        for _ in range(3):
            actions = batch.random_actions()
            for name, other in others.items():
                self.require(other.random_actions() == actions, f"{name} draws other actions")
            for one in (batch, *others.values()):
                one.step(actions)
            for name, other in others.items():
                for array in ("obs", "mask", "actor", "terminated", "truncated"):
                    same = getattr(other, array) == getattr(batch, array)
                    self.require(same.reshape(batch.num_envs, -1).all(axis=1), f"{name} goes on with other {array}")
        slot = int(np.argmin(np.abs(batch._b.logged - UNCOMPILED)))
        if batch._b.logged[slot] <= 2 * UNCOMPILED:
            try:
                s = invariants.play_uncompiled(self.game, batch.memory(slot), batch.events(slot))
            except AssertionError as error:
                raise Fault(slot, self.step, str(error)) from error
            for name in self.spec.dtype.names or ():
                if not np.array_equal(s[name], batch.positions[name][slot]):
                    raise Fault(slot, self.step, f"uncompiled rules come to another {name}: {s[name]}, not {batch.positions[name][slot]}")

    def report(self, slot: int) -> dict[str, Any]:
        """What a reader needs to see the fault again."""
        events = self.batch.events(slot).tolist() if self.batch._b.logged[slot] <= LOG else None
        remembered = {name: array.tolist() for name, array in self.batch.memory(slot).items()}
        text = self.deck.read_text(encoding="utf-8") if self.deck else None
        return {"slot": slot, "step": self.step, "events": events, "remembered": remembered, "deck": text}


def soak(seed: int, minutes: float, only: int | None, out: Path) -> dict[str, Any]:
    """Play sessions until the time is over, and at least one; what :func:`main` writes."""
    start, tallies = time.monotonic(), {env_id: Tally() for env_id in GAMES}
    content: dict[str, Any] = {"seed": seed, "decisions": 0, "games": {}, "fault": None}
    number = only or 0
    while True:
        session = draw_session(seed, number)
        tally = tallies[session.env_id]
        content["playing"] = dataclasses.asdict(session)  # a crash leaves this
        write_atomically(out, json.dumps(content, indent=1))
        began, table = time.monotonic(), None
        try:
            table = _Table(session, seed, tally)
            table.play()
        except Exception as error:
            slot = error.slot if isinstance(error, Fault) else 0
            told = {"what": str(error) or repr(error), "traceback": traceback.format_exc()}
            content["fault"] = {"session": content["playing"], **told, **(table.report(slot) if table else {})}
        tally.seconds += time.monotonic() - began
        content["decisions"] = sum(one.decisions for one in tallies.values())
        content["seconds"] = round(time.monotonic() - start, 1)
        content["games"] = {env_id: dataclasses.asdict(one) for env_id, one in tallies.items()}
        number += 1
        if content["fault"] or only is not None or time.monotonic() - start > 60 * minutes:
            del content["playing"]
            write_atomically(out, json.dumps(content, indent=1))
            return content


@program
def main(args: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2.0, help="how long to play")
    parser.add_argument("--seed", type=whole(0, MAX_SEED), default=0)
    parser.add_argument("--session", type=whole(0, 10**9), help="play this session alone")
    parser.add_argument("--json", type=Path, default=Path("soak.json"), help="where to write what was played")
    chosen = parser.parse_args(args)
    content = soak(chosen.seed, chosen.minutes, chosen.session, chosen.json)
    for env_id, tally in content["games"].items():
        if tally["sessions"]:
            rate = tally["decisions"] / tally["seconds"]
            print(
                f"{env_id}: {tally['decisions']:,} decisions, {tally['games']:,} games, {tally['sessions']} sessions, {rate:,.0f} a second"
            )
            print(f"  endings: {', '.join(f'{name} {count:,}' for name, count in sorted(tally['endings'].items()))}")
    if fault := content["fault"]:
        print(f"\nfault: {fault['what']}", file=sys.stderr)
        print(f"again: make soak ARGS='--seed {chosen.seed} --session {fault['session']['number']}'; see {chosen.json}", file=sys.stderr)
        return 1
    print(f"{content['decisions']:,} decisions in {content['seconds']:.0f} s, no fault")
    return 0


if __name__ == "__main__":
    sys.exit(main())
