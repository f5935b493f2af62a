"""``python -m deckwood.advise``: what to commit, and what to apply after a roll.

python -m deckwood.advise --dice 3y3g3b3p --enemy 5/2 --enemy 3/1 --strategy 3 --recovery 4
python -m deckwood.advise --dice 3y3g3b3p --enemy 5/2 --rolled p=hcm
python -m deckwood.advise --position game.bin
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

from deckwood.advise.fight import after_roll, by_colour, first_commits, in_letters, less, more
from deckwood.advise.text import dice_phrase, in_words
from deckwood.advise.typed import (
    MAX_REWARD,
    REWARDS,
    STAT,
    listed,
    make_objective,
    read_dice,
    read_enemy,
    read_left,
    read_objective,
    read_shown,
    read_value,
)
from deckwood.core.files import write_atomically
from deckwood.core.program import Unreadable, input_file, output, picture, program, whole
from deckwood.solver import Fight, FightError, Solution, solve_fight
from deckwood.solver.fights import NONE_OF_THEM, Dice, bytes_of
from deckwood.strong.objective import own_objective
from deckwood.strong.terms import GOLD_MAX

FIGHT = ("exhausted", "health", "strategy", "recovery", "gold", "shield")
"""Options that are fields of a fight, where they are given."""
ROLL = ("committed", "left", "roll")
POSITION = ("event", "slot", "deck", "limit")
LARGE = 1 << 30  # bytes of values that take more than half a minute


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        "python -m deckwood.advise",
        usage="%(prog)s --dice DICE --enemy HEALTH/DAMAGE [--enemy ...] [options], or --position FILE [options]",
        description="The best dice to commit, with exact chances. Dice are typed as counts and colours (y, g, b, p, r), as in 3y2p.",
        allow_abbrev=False,
    )  # fmt: skip
    fight = parser.add_argument_group("a fight")
    fight.add_argument("--dice", type=read_dice, help="dice ready at the start of the fight, as in 3y3g3b3p")
    fight.add_argument(
        "--enemy", type=read_enemy, action="append", metavar="HEALTH/DAMAGE[:REWARD=N,...]",
        help=f"as in 5/2, or 5/2:gold=2,health=1; rewards are {listed(tuple(REWARDS))}; once for each enemy",
    )  # fmt: skip
    fight.add_argument("--exhausted", type=read_dice, metavar="DICE", help="dice exhausted at the start of the fight (default: none)")
    for name in ("health", "strategy"):
        fight.add_argument(f"--{name}", type=STAT, metavar="N", help=f"the hero's {name.capitalize()} (default: {getattr(Fight, name)})")
    fight.add_argument("--recovery", type=whole(0, 6), metavar="N", help=f"the hero's Recovery (default: {Fight.recovery})")
    fight.add_argument("--gold", type=whole(0, GOLD_MAX), metavar="N", help="gold held (default: 0)")
    fight.add_argument("--shield", type=whole(0, MAX_REWARD), metavar="N", help="damage prevented (default: 0)")
    fight.add_argument(
        "--commit", type=read_dice, action="append", default=[], metavar="DICE", help="also show this commit; may be repeated"
    )
    roll = parser.add_argument_group("after a roll of that fight")
    roll.add_argument(
        "--rolled", type=read_shown, metavar="COLOUR=FACES,...", help="what the dice in hand show, as in p=hcm,y=m: hit, crit, miss"
    )
    roll.add_argument(
        "--committed", type=read_dice, metavar="DICE", help="all dice committed so far, applied or not (default: those rolled)"
    )
    roll.add_argument("--left", type=read_left, metavar="N,...", help="Health left of each enemy before dice are applied (default: all)")
    roll.add_argument("--roll", type=whole(1, 99), metavar="N", help="number of this roll in the fight (default: 1)")
    fight.add_argument("--interactive", action="store_true", help="prompt for each roll until the end of the fight")
    saved = parser.add_argument_group("a saved game")
    saved.add_argument("--position", type=input_file, metavar="FILE", help="a file saved by env.unwrapped.save(), or a replay")
    saved.add_argument("--event", type=whole(0, 10**9), metavar="N", help="for a replay: after N events (default: all)")
    saved.add_argument("--slot", type=whole(0, 10**9), metavar="N", help="for a saved batch: the game's slot (default: 0)")
    saved.add_argument("--deck", type=Path, metavar="FILE", help="its deck file (default: the shipped deck)")
    saved.add_argument(
        "--limit", type=whole(1, 10**9), metavar="N", help="solve it with every card effect, up to N positions (default: 1000000)"
    )
    objective = parser.add_argument_group("what counts")
    objective.add_argument(
        "--value", type=read_value, action="append", default=[], metavar="NAME=NUMBER", help="as in health=6, ready=1,2,3,4,5 or purple=4"
    )
    objective.add_argument("--objective", type=Path, metavar="FILE", help="a JSON object of such names and numbers")
    out = parser.add_argument_group("output")
    out.add_argument("--top", type=whole(1, 10**6), default=8, metavar="N", help="choices to show (default: %(default)s)")
    out.add_argument(
        "--json", type=lambda text: text if text == "-" else output(text), metavar="FILE", help="write it as JSON; - prints that alone"
    )
    out.add_argument("--plot", type=picture, metavar="FILE", help="draw it (.png, .svg, .pdf)")
    out.add_argument("--memory", type=whole(1, 4096), default=5, metavar="GIB", help="that a fight may take (default: %(default)s)")
    return parser


def check(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Refuses incompatible options before any work is done."""

    def present(names: Sequence[str]) -> list[str]:
        return [f"--{name}" for name in names if getattr(args, name) not in (None, [], False)]

    if args.position:
        if wrong := present(("dice", "enemy", *FIGHT, "rolled", *ROLL, "commit", "interactive")):
            parser.error(f"{wrong[0]} belongs to a fight that is typed in; --position FILE says all of that itself")
    else:
        if args.dice is None or not args.enemy:
            parser.error("--dice and --enemy are needed, as in --dice 3y3g3b3p --enemy 5/2 (or --position FILE)")
        if wrong := present(POSITION):
            parser.error(f"{wrong[0]} belongs to --position FILE")
        if args.rolled is None and (wrong := present(ROLL)):
            parser.error(f"{wrong[0]} belongs to --rolled, as in --rolled p=hcm")
        if args.interactive and (wrong := present(("rolled", "json", "plot"))):
            parser.error(f"{wrong[0]} and --interactive do not go together")


@program
def main(argv: Sequence[str] | None = None, ask: Callable[[str], str] = input) -> int:
    """The command; exit status 2 on failure. ``ask`` prompts the player in ``--interactive`` mode."""
    parser = arguments()
    args = parser.parse_args(argv)
    check(parser, args)
    changed = [*([read_objective(args.objective)] if args.objective else []), *args.value]
    if args.position:
        report = saved_game(args, changed)
    else:
        solution = solved(args, make_objective(changed))
        if args.interactive:
            return play_along(solution, args.top, ask)
        report = typed_fight(args, solution)
    if args.plot:
        from deckwood.advise.plot import draw

        draw(report, args.plot)
    if args.json == "-":
        print(json.dumps(report, indent=1))
        return 0
    if args.json:
        write_atomically(args.json, json.dumps(report, indent=1) + "\n")
    print(in_words(report))
    return 0


def solved(args: argparse.Namespace, objective: Any) -> Solution:
    """The fight that was typed in, solved."""
    named = {name: getattr(args, name) for name in FIGHT if getattr(args, name) is not None}
    fight = Fight(args.dice, tuple(args.enemy), **named)
    most = args.memory << 30
    needed = bytes_of(fight.ready, prod(enemy.health + 1 for enemy in fight.enemies), fight.strategy)
    if LARGE < needed <= most:
        print(f"this fight takes {needed >> 20:,} MiB and a while", file=sys.stderr)
    return solve_fight(fight, objective, max_bytes=most)


def typed_fight(args: argparse.Namespace, solution: Solution) -> dict[str, Any]:
    """Advice on it, before or after a roll."""
    if args.rolled is None:
        return first_commits(solution, args.top, args.commit)
    rolled: Dice = tuple(map(sum, args.rolled))  # type: ignore[assignment]
    committed = args.committed or rolled
    for dice, others, text in ((args.dice, committed, "committed"), (committed, rolled, "rolled")):
        if min(less(dice, others)) < 0:
            raise FightError(f"{in_letters(others)} {text}, of {in_letters(dice)}: there are not that many")
    return after_roll(solution, less(args.dice, committed), args.rolled, args.left, args.roll or 1, args.top, args.commit)


def saved_game(args: argparse.Namespace, changed: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Advice on a saved game, by its own objective if it has one, with the values that are ``changed``."""
    from deckwood.advise.saved import advise_position, read_position

    game, position = read_position(args.position, deck=args.deck, slot=args.slot or 0, event=args.event)
    objective = make_objective(changed, own_objective(game.deck.tables))
    return advise_position(game, position, objective, limit=args.limit or 1_000_000, top=args.top, max_bytes=args.memory << 30)


def play_along(solution: Solution, top: int, ask: Callable[[str], str]) -> int:
    """Guides the player through a fight: the player enters what was committed (Enter: the recommendation) and rolled, and applies the
    recommended dice."""
    report = first_commits(solution, top)
    print(in_words(report))
    ready, hand = solution.fight.ready, NONE_OF_THEM
    left = tuple(enemy.health for enemy in solution.fight.enemies)
    roll = 0
    while not report["choices"][0]["resolve"]:
        roll += 1
        recommended = tuple(report["choices"][0]["commit"].values())
        try:
            dice = _answer(ask, "\nCommitted (Enter: as advised)? ", partial(_committed, ready=ready, recommended=recommended))
            ready, hand = less(ready, dice), more(hand, dice)
            shown = _answer(ask, f"Roll {roll}, {dice_phrase(by_colour(hand))}, shows? ", partial(_rolled, hand=hand))
        except EOFError:
            return 0
        report = after_roll(solution, ready, shown, left, roll, top)
        print("\n" + in_words(report))
        hand, left = tuple(report["in_hand"].values()), tuple(report["left_then"])
    return 0


def _answer(ask: Callable[[str], str], question: str, read: Callable[[str], Any]) -> Any:
    """The player's input, requested again until it can be parsed."""
    while True:
        try:
            return read(ask(question))
        except Unreadable as error:
            print(error)


def _committed(text: str, ready: Dice, recommended: Dice) -> Dice:
    dice = read_dice(text) if text.strip() else recommended
    if min(less(ready, dice)) < 0:
        raise Unreadable(f"{text!r}: only {in_letters(ready)} are ready")
    return dice


def _rolled(text: str, hand: Dice) -> tuple[tuple[int, int, int], ...]:
    shown = read_shown(text)
    if (found := tuple(map(sum, shown))) != hand:
        raise Unreadable(f"{text!r}: that is {in_letters(found)}, but {in_letters(hand)} were rolled")
    return shown
