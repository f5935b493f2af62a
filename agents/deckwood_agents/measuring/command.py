"""``evaluate.py``: compares agents over the same games, solo or multiplayer."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.program import MAX_SEED, Unreadable, output, picture, program, whole
from deckwood.core.spec import GameSpec
from deckwood_agents.games import WrongPlayers, find_game, players_option
from deckwood_agents.measuring import tournament
from deckwood_agents.measuring.evaluation import all_options, evaluate, make_console, plot, print_tables
from deckwood_agents.plain_yaml import scalar
from deckwood_agents.players.devices import device
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.roster import make_agent, quick


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}: write it NAME=VALUE, as in difficulty=5")
    try:
        return name.strip(), scalar(value)
    except Unreadable as error:
        raise Unreadable(f"{name.strip()}: {error}") from None


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line of ``evaluate.py``."""
    parser = argparse.ArgumentParser("evaluate.py", description="Compare agents over the same games.", allow_abbrev=False)
    parser.add_argument("game", help="a game's name or environment id, such as tanglewoods")
    parser.add_argument(
        "--agents",
        nargs="+",
        metavar="AGENT",
        help="random, greedy, expert, tuned, solver, optimum, search, search:BUDGET, ppo, ppo:FILE (default: the quick ones)",
    )
    parser.add_argument(
        "--episodes",
        type=whole(2, 10**8),
        default=10_000,
        help="games for each agent; multiplayer: all together, and again each alone among others (default %(default)s)",
    )
    parser.add_argument(
        "--seed", type=whole(0, MAX_SEED), default=7, help="seed of the games; disjoint from all training seeds (default %(default)s)"
    )
    parser.add_argument("--players", type=whole(1, 99), metavar="N", help="number of players in multiplayer games (default: the game's)")
    parser.add_argument(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, also as --NAME VALUE; may be repeated",
    )
    parser.add_argument("--deck", type=Path, help="a deck file (default: the shipped deck)")
    parser.add_argument(
        "--sample", action="store_true", help="networks sample from their distribution instead of playing the likeliest action"
    )
    parser.add_argument("--device", type=device, default="cpu", help="device of the networks (default %(default)s)")
    parser.add_argument("--json", type=output, metavar="FILE", help="write the result")
    parser.add_argument("--csv", type=output, metavar="FILE", help="write a line per game")
    parser.add_argument("--plot", type=picture, metavar="FILE", help="draw the result (.png, .svg, .pdf)")
    args, own = parser.parse_known_args(argv)
    args.own = own
    return args


def own_options(spec: GameSpec, argv: Sequence[str]) -> dict[str, Any]:
    """The game's own options, given as ``--NAME VALUE``, or ``--NAME`` and ``--no-NAME`` where they are yes or no."""
    parser = argparse.ArgumentParser("evaluate.py", add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)
    for option in spec.options:
        names = dict.fromkeys(f"--{name}" for name in (option.name, option.name.replace("_", "-")))
        if isinstance(option.default, bool):
            parser.add_argument(*names, action=argparse.BooleanOptionalAction)
        else:
            parser.add_argument(*names, type=scalar, dest=option.name)
    return vars(parser.parse_args(argv))


def _distinct(agents: Sequence[Agent]) -> None:
    """Two checkpoints may have the same label; then they are numbered."""
    seen: dict[str, int] = {}
    for agent in agents:
        seen[agent.name] = seen.get(agent.name, 0) + 1
        if seen[agent.name] > 1:
            agent.name = f"{agent.name}#{seen[agent.name]}"


@program
def main(argv: Sequence[str] | None = None) -> int:
    """``evaluate.py``; 0, or 2 for a request that cannot be fulfilled."""
    args = arguments(argv)
    console = make_console()
    spec: GameSpec = find_game(args.game)
    game = Game(spec, deck=args.deck, **_options(spec, args))
    agents = [make_agent(text, spec, game.deck, sample=args.sample, device=args.device) for text in args.agents or quick(spec)]
    _distinct(agents)
    for agent in agents:
        note_differences(agent, game, console)
    measure, show, draw = _measures(spec)
    with console.status("") as status:
        result = measure(game, agents, episodes=args.episodes, seed=args.seed, report=status.update)
        content = result.to_json()
    show(content, console)
    if args.json:
        write_atomically(args.json, json.dumps(content, indent=1) + "\n")
    if args.csv:
        write_atomically(args.csv, result.to_csv())
    if args.plot:
        draw(content, args.plot)
    return 0


def _options(spec: GameSpec, args: argparse.Namespace) -> dict[str, Any]:
    options = dict(args.option) | own_options(spec, args.own)
    if args.players is None:
        return options
    seated = players_option(spec, args.players)
    if both := seated.keys() & options.keys():
        raise WrongPlayers(f"--players and --option {min(both)} say the same: give one of them")
    return options | seated


def _measures(spec: GameSpec) -> tuple[Callable[..., Any], Callable[..., None], Callable[..., None]]:
    """The functions that evaluate, print and draw agents in this game: solo or multiplayer."""
    if spec.seats[1] == 1:
        return partial(evaluate, exact=True), print_tables, plot
    return tournament.tournament, tournament.print_tables, tournament.plot


def note_differences(agent: Agent, game: Game, console: Console) -> None:
    """Print a note if a checkpoint plays another variant than it was trained on."""
    manifest = getattr(agent, "manifest", None)
    if manifest is None:
        return
    for name, value in all_options(game).items():
        if name in manifest.options and manifest.options[name] != value:
            console.print(f"note: {agent.name} was trained with {name}={manifest.options[name]}; these games have {name}={value}")
    if manifest.deck_digest != game.deck.digest:
        console.print(f"note: {agent.name} was trained on another deck file")
