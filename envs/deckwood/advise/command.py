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
    MOST_REWARD,
    REWARDS,
    STAT,
    listed,
    make_worths,
    read_dice,
    read_enemy,
    read_left,
    read_shown,
    read_worth,
    read_worths,
)
from deckwood.core.files import write_atomically
from deckwood.core.program import Unreadable, input_file, output, picture, program, whole
from deckwood.solver import Fight, FightError, Solution, solve_fight
from deckwood.solver.fights import NONE_OF_THEM, Dice, bytes_of
from deckwood.strong.terms import GOLD_MAX
from deckwood.strong.worths import own_worths

FIGHT = ("exhausted", "health", "strategy", "recovery", "gold", "shield")
"""Options that are fields of a fight, where they are given."""
ROLL = ("committed", "left", "roll")
POSITION = ("event", "slot", "deck", "limit")
MUCH = 1 << 30  # bytes of values that take more than half a minute


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        "python -m deckwood.advise",
        usage="%(prog)s --dice DICE --enemy HEALTH/DAMAGE [--enemy ...] [options], or --position FILE [options]",
        description="The best dice to commit, with exact chances. Dice are typed as counts and colours (y, g, b, p, r), as in 3y2p.",
        allow_abbrev=False,
    )  # fmt: skip
    fight = parser.add_argument_group("a fight")
    fight.add_argument("--dice", type=read_dice, help="ready when it begins, as in 3y3g3b3p")
    fight.add_argument(
        "--enemy", type=read_enemy, action="append", metavar="HEALTH/DAMAGE[:REWARD=N,...]",
        help=f"as in 5/2, or 5/2:gold=2,health=1; rewards are {listed(tuple(REWARDS))}; once for each enemy",
    )  # fmt: skip
    fight.add_argument("--exhausted", type=read_dice, metavar="DICE", help="exhausted when it begins (default: none)")
    for name in ("health", "strategy"):
        fight.add_argument(f"--{name}", type=STAT, metavar="N", help=f"the hero's {name.capitalize()} (default: {getattr(Fight, name)})")
    fight.add_argument("--recovery", type=whole(0, 6), metavar="N", help=f"the hero's Recovery (default: {Fight.recovery})")
    fight.add_argument("--gold", type=whole(0, GOLD_MAX), metavar="N", help="that is held (default: 0)")
    fight.add_argument("--shield", type=whole(0, MOST_REWARD), metavar="N", help="damage that is not suffered (default: 0)")
    fight.add_argument(
        "--commit", type=read_dice, action="append", default=[], metavar="DICE", help="show this commit too; may be repeated"
    )
    roll = parser.add_argument_group("after a roll of that fight")
    roll.add_argument(
        "--rolled", type=read_shown, metavar="COLOUR=FACES,...", help="what the dice in hand show, as in p=hcm,y=m: hit, crit, miss"
    )
    roll.add_argument(
        "--committed", type=read_dice, metavar="DICE", help="all dice committed so far, applied or not (default: those rolled)"
    )
    roll.add_argument("--left", type=read_left, metavar="N,...", help="Health left of each enemy before dice are applied (default: all)")
    roll.add_argument("--roll", type=whole(1, 99), metavar="N", help="which roll of the fight it is (default: 1)")
    fight.add_argument("--interactive", action="store_true", help="ask for each roll, to the end of the fight")
    saved = parser.add_argument_group("a saved game")
    saved.add_argument("--position", type=input_file, metavar="FILE", help="saved by env.unwrapped.save(), or a replay")
    saved.add_argument("--event", type=whole(0, 10**9), metavar="N", help="of a replay: after how many events (default: all)")
    saved.add_argument("--slot", type=whole(0, 10**9), metavar="N", help="of a saved batch: which game (default: 0)")
    saved.add_argument("--deck", type=Path, metavar="FILE", help="its deck file, if not the one that ships")
    saved.add_argument(
        "--limit", type=whole(1, 10**9), metavar="N", help="solve it with every card effect up to so many positions (default: 1000000)"
    )
    worths = parser.add_argument_group("what counts")
    worths.add_argument(
        "--worth", type=read_worth, action="append", default=[], metavar="NAME=NUMBER", help="as in health=6, ready=1,2,3,4,5 or purple=4"
    )
    worths.add_argument("--worths", type=Path, metavar="FILE", help="a JSON object of such names and numbers")
    out = parser.add_argument_group("output")
    out.add_argument("--top", type=whole(1, 10**6), default=8, metavar="N", help="choices to show (default: %(default)s)")
    out.add_argument(
        "--json", type=lambda text: text if text == "-" else output(text), metavar="FILE", help="write it as JSON; - prints that alone"
    )
    out.add_argument("--plot", type=picture, metavar="FILE", help="draw it (.png, .svg, .pdf)")
    out.add_argument("--memory", type=whole(1, 4096), default=5, metavar="GIB", help="that a fight may take (default: %(default)s)")
    return parser


def check(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> None:
    """Refuses options that do not go together, before anything is worked out."""

    def given(names: Sequence[str]) -> list[str]:
        return [f"--{name}" for name in names if getattr(asked, name) not in (None, [], False)]

    if asked.position:
        if wrong := given(("dice", "enemy", *FIGHT, "rolled", *ROLL, "commit", "interactive")):
            parser.error(f"{wrong[0]} belongs to a fight that is typed in; --position FILE says all of that itself")
    else:
        if asked.dice is None or not asked.enemy:
            parser.error("--dice and --enemy are needed, as in --dice 3y3g3b3p --enemy 5/2 (or --position FILE)")
        if wrong := given(POSITION):
            parser.error(f"{wrong[0]} belongs to --position FILE")
        if asked.rolled is None and (wrong := given(ROLL)):
            parser.error(f"{wrong[0]} belongs to --rolled, as in --rolled p=hcm")
        if asked.interactive and (wrong := given(("rolled", "json", "plot"))):
            parser.error(f"{wrong[0]} and --interactive do not go together")


@program
def main(given: Sequence[str] | None = None, ask: Callable[[str], str] = input) -> int:
    """The command; exit status 2 where it cannot. ``ask`` is how ``--interactive`` asks."""
    parser = arguments()
    asked = parser.parse_args(given)
    check(parser, asked)
    changed = [*([read_worths(asked.worths)] if asked.worths else []), *asked.worth]
    if asked.position:
        report = saved_game(asked, changed)
    else:
        solution = solved(asked, make_worths(changed))
        if asked.interactive:
            return play_along(solution, asked.top, ask)
        report = typed_fight(asked, solution)
    if asked.plot:
        from deckwood.advise.plot import draw

        draw(report, asked.plot)
    if asked.json == "-":
        print(json.dumps(report, indent=1))
        return 0
    if asked.json:
        write_atomically(asked.json, json.dumps(report, indent=1) + "\n")
    print(in_words(report))
    return 0


def solved(asked: argparse.Namespace, worths: Any) -> Solution:
    """The fight that was typed in, solved."""
    named = {name: getattr(asked, name) for name in FIGHT if getattr(asked, name) is not None}
    fight = Fight(asked.dice, tuple(asked.enemy), **named)
    most = asked.memory << 30
    needed = bytes_of(fight.ready, prod(enemy.health + 1 for enemy in fight.enemies), fight.strategy)
    if MUCH < needed <= most:
        print(f"this fight takes {needed >> 20:,} MiB and a while", file=sys.stderr)
    return solve_fight(fight, worths, most_bytes=most)


def typed_fight(asked: argparse.Namespace, solution: Solution) -> dict[str, Any]:
    """Advice on it, before or after a roll."""
    if asked.rolled is None:
        return first_commits(solution, asked.top, asked.commit)
    rolled: Dice = tuple(map(sum, asked.rolled))  # type: ignore[assignment]
    committed = asked.committed or rolled
    for dice, others, text in ((asked.dice, committed, "committed"), (committed, rolled, "rolled")):
        if min(less(dice, others)) < 0:
            raise FightError(f"{in_letters(others)} {text}, of {in_letters(dice)}: there are not so many")
    return after_roll(solution, less(asked.dice, committed), asked.rolled, asked.left, asked.roll or 1, asked.top, asked.commit)


def saved_game(asked: argparse.Namespace, changed: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Advice on a saved game, by its own objective if it has one, with the worths that are ``changed``."""
    from deckwood.advise.saved import advise_position, read_position

    game, position = read_position(asked.position, deck=asked.deck, slot=asked.slot or 0, event=asked.event)
    worths = make_worths(changed, own_worths(game.deck.tables))
    return advise_position(game, position, worths, limit=asked.limit or 1_000_000, top=asked.top, most_bytes=asked.memory << 30)


def play_along(solution: Solution, top: int, ask: Callable[[str], str]) -> int:
    """Goes through a fight: the player says what was committed (Enter: what was advised) and rolled, and applies what is advised."""
    report = first_commits(solution, top)
    print(in_words(report))
    ready, hand = solution.fight.ready, NONE_OF_THEM
    left = tuple(enemy.health for enemy in solution.fight.enemies)
    roll = 0
    while not report["choices"][0]["resolve"]:
        roll += 1
        advised = tuple(report["choices"][0]["commit"].values())
        try:
            dice = _answer(ask, "\nCommitted (Enter: as advised)? ", partial(_committed, ready=ready, advised=advised))
            ready, hand = less(ready, dice), more(hand, dice)
            shown = _answer(ask, f"Roll {roll}, {dice_phrase(by_colour(hand))}, shows? ", partial(_rolled, hand=hand))
        except EOFError:
            return 0
        report = after_roll(solution, ready, shown, left, roll, top)
        print("\n" + in_words(report))
        hand, left = tuple(report["in_hand"].values()), tuple(report["left_then"])
    return 0


def _answer(ask: Callable[[str], str], question: str, read: Callable[[str], Any]) -> Any:
    """What the player types, asked for again until it can be read."""
    while True:
        try:
            return read(ask(question))
        except Unreadable as error:
            print(error)


def _committed(text: str, ready: Dice, advised: Dice) -> Dice:
    dice = read_dice(text) if text.strip() else advised
    if min(less(ready, dice)) < 0:
        raise Unreadable(f"{text!r}: only {in_letters(ready)} are ready")
    return dice


def _rolled(text: str, hand: Dice) -> tuple[tuple[int, int, int], ...]:
    shown = read_shown(text)
    if (found := tuple(map(sum, shown))) != hand:
        raise Unreadable(f"{text!r}: that is {in_letters(found)}, but {in_letters(hand)} were rolled")
    return shown
