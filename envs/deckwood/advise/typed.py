"""Parsing the player's input: dice, enemies, faces and values. Every error says what was found and what is allowed."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deckwood.core.program import Unreadable, whole
from deckwood.core.untrusted import parse_json, printable, read_bytes
from deckwood.solver import Enemy
from deckwood.solver.fights import Dice
from deckwood.strong.objective import Objective
from deckwood.strong.terms import COLOURS, CRIT, FACES, HIT, MISS, SIDES, STAT_MAX

LETTERS = "".join(colour[0] for colour in COLOURS)
SHOWN = {FACES[face][0]: face for face in (HIT, CRIT, MISS)}
REWARDS = {"gold": "gold", "health": "gain_health", "strategy": "gain_strategy", "recovery": "gain_recovery", "dice": "recover"}
"""What a reward is called here, and by :class:`deckwood.solver.Enemy`."""
MAX_REWARD = 20
MAX_VALUE = 1_000_000  # the values of a fight stay exact


def listed(words: Sequence[str]) -> str:
    """Words as "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def read_dice(text: str) -> Dice:
    """Dice by colour from "3y3g3b3p"; "0" and "none" are none."""
    counts = dict.fromkeys(LETTERS, 0)
    typed = text.strip().lower()
    if typed in ("0", "none"):
        typed = ""
    elif not typed:
        raise Unreadable("nothing was typed; write dice as in 3y2p, or 0 for none")
    for part in re.finditer(r"(\d*)\s*(\D?)[\s,+]*", typed):
        number, letter = part[1], part[2]
        if not part[0]:
            continue
        if not letter:
            raise Unreadable(f"{text!r}: a colour is missing after {number}; {listed(LETTERS)} are the colours, as in {number}y")
        if letter not in counts:
            raise Unreadable(f"{text!r}: {letter!r} is not a colour; {listed(LETTERS)} are, for {listed(COLOURS)}")
        if counts[letter]:
            raise Unreadable(f"{text!r}: {letter!r} is there twice; each colour is written once, as in 2y")
        counts[letter] = int(number or 1)
    return tuple(counts.values())  # type: ignore[return-value]


def read_enemy(text: str) -> Enemy:
    """An enemy from "5/2", or with rewards from "5/2:gold=2,health=1"."""
    found = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*(?::(.*))?", text)
    if not found:
        raise Unreadable(f"{text!r}: write an enemy as HEALTH/DAMAGE, as in 5/2, or with its rewards, as in 5/2:gold=2,health=1")
    rewards: dict[str, int] = {}
    for part in filter(None, (found[3] or "").split(",")):
        name, _, number = (word.strip() for word in part.partition("="))
        if name not in REWARDS:
            raise Unreadable(f"{text!r}: {name!r} is not a reward; {listed(tuple(REWARDS))} are, as in gold=2")
        if not number.isdecimal() or not 1 <= int(number) <= MAX_REWARD:
            raise Unreadable(f"{text!r}: found {name}={number}; allowed is a whole number from 1 to {MAX_REWARD}")
        rewards[REWARDS[name]] = int(number)
    return Enemy(int(found[1]), int(found[2]), **rewards)


def read_shown(text: str) -> tuple[tuple[int, int, int], ...]:
    """What dice show, (5, 3) by colour and by miss, hit and crit, from "p=hcm,y=m"."""
    shown = {letter: [0, 0, 0] for letter in LETTERS}
    for part in filter(None, re.split(r"[,\s]+", text.strip().lower())):
        letter, equals, faces = part.partition("=")
        if letter not in shown or not equals:
            raise Unreadable(
                f"{text!r}: found {part!r}; write what the dice of each colour show, as in p=hcm,y=m ({listed(LETTERS)} are the colours)"
            )
        colour = LETTERS.index(letter)
        for word in faces:
            if word not in SHOWN:
                known = listed([f"{initial} ({FACES[face]})" for initial, face in SHOWN.items()])
                raise Unreadable(f"{text!r}: {word!r} is not a face of a die; {known} are")
            if SIDES[colour][SHOWN[word]] == 0:
                raise Unreadable(f"{text!r}: a {COLOURS[colour]} die has no {FACES[SHOWN[word]]}")
            shown[letter][SHOWN[word]] += 1
    return tuple((miss, hit, crit) for miss, hit, crit in shown.values())


def read_left(text: str) -> tuple[int, ...]:
    """The Health left of each enemy, from "5,3"."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise Unreadable(f"{text!r}: write the Health left of each enemy, as in 5,3 (0 for one that has fallen)")
    return tuple(map(int, parts))


def _number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not abs(number) <= MAX_VALUE:
        raise Unreadable(f"{where!r}: {text!r} is not a number from {-MAX_VALUE:,} to {MAX_VALUE:,}")
    return number


def read_value(text: str) -> dict[str, Any]:
    """A part of an objective from "health=6", "ready=1,2,3,4,5" or "purple=4"; a colour stands for a ready die of it."""
    name, equals, value = (part.strip() for part in text.partition("="))
    names = [field.name for field in dataclasses.fields(Objective)]
    if not equals or name not in (*names, *COLOURS):
        raise Unreadable(f"{text!r}: write a value as NAME=NUMBER, as in health=6; the names are {listed([*names, *COLOURS])}")
    if name != "ready":
        return {name: _number(value, text)}
    parts = value.split(",")
    if len(parts) != len(COLOURS):
        raise Unreadable(f"{text!r}: ready takes five numbers, for {listed(COLOURS)}, as in ready=1,2,3,4,5")
    return {name: tuple(_number(part, text) for part in parts)}


def read_objective(path: Path) -> dict[str, Any]:
    """Parts of an objective from a JSON file, ``{"health": 6, "ready": [1, 2, 3, 4, 5], ...}``; what it does not name stays as it is."""
    try:
        found = parse_json(read_bytes(path))
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise Unreadable(f"{path}: found no JSON ({printable(str(error))})") from error
    if not isinstance(found, dict):
        raise Unreadable(f'{path}: found {type(found).__name__}; allowed is an object such as {{"health": 6, "gold": 1}}')
    parts: dict[str, Any] = {}
    for name, value in found.items():
        try:
            parts |= read_value(f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}")
        except Unreadable as error:
            raise Unreadable(f"{path}: {error}") from None
    return parts


def make_objective(parts: Sequence[dict[str, Any]], usual: Objective | None = None) -> Objective:
    """The ``usual`` objective (by default that of :class:`Objective`), changed part by part."""
    named = {name: value for part in parts for name, value in part.items()}
    objective = dataclasses.replace(usual or Objective(), **{name: value for name, value in named.items() if name not in COLOURS})
    ready = tuple(named.get(colour, amount) for colour, amount in zip(COLOURS, objective.ready, strict=True))
    return dataclasses.replace(objective, ready=ready)


STAT = whole(1, STAT_MAX)
