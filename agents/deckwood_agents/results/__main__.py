"""``python -m deckwood_agents.results``: play what is missing, and write docs/results.md anew."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood.core.program import program, whole
from deckwood_agents.games import find_game
from deckwood_agents.learning.provenance import provenance
from deckwood_agents.measuring.evaluation import make_console
from deckwood_agents.measuring.regret import are_small, exact_values, starts_of
from deckwood_agents.measuring.regret import summary as exact_summary
from deckwood_agents.players.protocol import UnknownAgent
from deckwood_agents.players.roster import available, make_agent
from deckwood_agents.results import runs as training_runs
from deckwood_agents.results.page import Section, page
from deckwood_agents.results.plan import PLAN, SEED, Deck
from deckwood_agents.results.raw import Player, Raw, Row, measure, version

EXACT = "exact.json"


def commit() -> str:
    """The commit that is checked out, with a + where files differ from it."""
    found = provenance()
    return (found["commit"][:12] or "unknown") + "+" * bool(found["changed_files"])


def players(deck: Deck, game: Game, names: Sequence[str]) -> dict[str, Player]:
    """Those of ``names`` that the game has."""
    known = available(game.spec)
    made = {name: make_agent(name, game.spec, game.deck) for name in names if name in known}
    return {name: Player(agent, version(agent, game.spec)) for name, agent in made.items()}


def is_current(game: Game, versions: Mapping[str, str]) -> Callable[[Row], bool]:
    """Whether a row is of the game, the deck and the agents as they are now."""
    golden_hash, digest = stored_hash(game.spec), game.deck.digest

    def current(row: Row) -> bool:
        same = (row.golden_hash, row.deck_digest) == (golden_hash, digest)
        others = not row.against or versions.get(row.against) == row.against_version
        return same and versions.get(row.agent) == row.version and others

    return current


def exact_regrets(folder: Path, game: Game, measured: Mapping[str, Player], versions: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """By agent, in a game that tells its optimum: kept in a file, and worked out for those of ``measured`` that are not in it."""
    file = folder / EXACT
    kept: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file.exists() else {}
    keys = {name: f"{stored_hash(game.spec)} {game.deck.digest[:16]} {name} {own}" for name, own in versions.items()}
    if missing := [name for name in measured if keys[name] not in kept]:
        starts = starts_of(game)
        small = bool(starts) and are_small(game, starts)
        for name in missing:
            if small and (found := exact_values(game, measured[name].agent, starts)):
                kept[keys[name]] = exact_summary(starts, found)
                write_atomically(file, json.dumps({key: kept[key] for key in sorted(kept)}, indent=1) + "\n")
    return {name: kept[key] for name, key in keys.items() if key in kept}


def of_deck(deck: Deck, folder: Path, args: argparse.Namespace, runs: Sequence[Path], report: Callable[[str], None]) -> Section:
    """Play what is missing of a deck, unless another one was asked for, and gather what there is."""
    game = Game(find_game(deck.game), **deck.options)
    raw = Raw(folder / f"{deck.game}.csv.gz") if not args.fresh or not wanted(deck, args) else Raw(folder / "none.csv.gz")
    raw.path = folder / f"{deck.game}.csv.gz"
    seated = players(deck, game, [*deck.agents, *deck.against])
    taken = dict(training_runs.take_in(folder, run, deck, game) for run in runs)
    fits = [run for run in training_runs.read(folder) if (run.game, run.golden_hash) == (deck.game, stored_hash(game.spec))]
    versions = {name: player.version for name, player in seated.items()} | {run.agent: run.version for run in fits}
    if stale := raw.keep(is_current(game, versions)):
        print(f"{deck.game}: dropped the games of {', '.join(stale)}, which have changed or are gone", file=sys.stderr)
    chosen = {name: player for name, player in seated.items() if name in deck.agents and (not args.agents or name in args.agents)}
    chosen |= {run.agent: player for run, player in taken.items()}
    exact: dict[str, dict[str, Any]] = {}
    if wanted(deck, args):
        for name, player in chosen.items():
            most = deck.agents.get(name, max(deck.agents.values()))
            episodes = min(most, args.episodes or most)
            for other in [seated[name] for name in deck.against if name in seated] if deck.against else [None]:
                if other is None or other.agent.name != name:
                    measure(raw, game, player, other, episodes=episodes, seed=SEED, commit=commit(), report=report)
    if game.spec.metrics:
        report(f"{deck.game}: exact regret")
        exact = exact_regrets(folder, game, chosen if wanted(deck, args) else {}, versions)
    return Section(deck, game, raw, fits, folder, exact)


def wanted(deck: Deck, args: argparse.Namespace) -> bool:
    return not args.only or deck.game in args.only


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m deckwood_agents.results", description="Play what is missing and write docs/results.md anew."
    )
    games = [deck.game for deck in PLAN]
    parser.add_argument("--only", nargs="+", choices=games, metavar="GAME", help=f"play only these games ({', '.join(games)})")
    parser.add_argument("--agents", nargs="+", metavar="AGENT", help="play only these agents, such as random greedy expert")
    parser.add_argument("--episodes", type=whole(2, 10**8), metavar="N", help="at most N games for each agent (default: those of the plan)")
    parser.add_argument("--runs", nargs="+", type=Path, default=[], metavar="RUN", help="finished runs to report as training seeds")
    parser.add_argument("--fresh", action="store_true", help="replay games that are already stored")
    parser.add_argument(
        "--docs", type=Path, default=Path("docs"), metavar="FOLDER", help="folder of results.md and results/ (default docs)"
    )
    return parser.parse_args(argv)


@program
def main(argv: Sequence[str] | None = None) -> int:
    """0, or 2 for a request that cannot be fulfilled."""
    args = arguments(argv)
    folder = args.docs / "results"
    console = make_console()
    every = {name for deck in PLAN for name in deck.agents}
    if unknown := sorted(set(args.agents or ()) - every):
        raise UnknownAgent(f"--agents: the plan has no {unknown[0]!r} (it has: {', '.join(sorted(every))}); runs are given as --runs")
    games = training_runs.check(args.runs, [deck.game for deck in PLAN])
    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    try:
        with console.status("") as status:
            for deck in PLAN:
                own = [run for run, game in games.items() if game == deck.game]
                sections.append(of_deck(deck, folder, args, own, status.update))
    except KeyboardInterrupt:
        raise KeyboardInterrupt("finished games are kept; the same command resumes") from None
    write_atomically(args.docs / "results.md", page(sections, folder))
    console.print(f"written: {args.docs / 'results.md'}", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
