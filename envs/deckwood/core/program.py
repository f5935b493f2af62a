"""What every program shares: argument types, error reports, and the handling of Ctrl-C and closed pipes."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec

from deckwood.core.errors import DeckwoodError
from deckwood.core.files import refuse_other_than_file
from deckwood.core.interrupt import INTERRUPTED
from deckwood.core.untrusted import printable, shown

P = ParamSpec("P")

CLOSED_PIPE = 141
"""The exit status, as a shell gives it: 128 + SIGPIPE."""

PICTURES = (".png", ".svg", ".pdf")
MAX_SEED = 2**64 - 1


class Unreadable(DeckwoodError, argparse.ArgumentTypeError, ValueError):
    """An argument that cannot be parsed; argparse prints the message as it is."""


# How a program ends ----------------------------------------------------------------------------------------------------------------------


def program(main: Callable[P, int]) -> Callable[P, int]:
    """``main`` as a program. It returns 2, after one message on stderr, for a DeckwoodError, an OSError or lack of memory; 130 after
    Ctrl-C; 141 after a closed pipe."""

    @wraps(main)
    def run(*args: P.args, **named: P.kwargs) -> int:
        try:
            status = main(*args, **named)
            sys.stdout.flush()
            return status
        except BrokenPipeError:
            _drop_output()
            return CLOSED_PIPE
        except KeyboardInterrupt as stopped:
            print(f"\ninterrupted{f': {stopped}' if str(stopped) else ''}", file=sys.stderr)
            return INTERRUPTED
        except DeckwoodError as error:
            _report(str(error))
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            _report(f"{where}{error.strerror or error}")
        except MemoryError as error:
            _report(f"not enough memory{f' ({error})' if str(error) else ''}")
        return 2

    return run


def _report(message: str) -> None:
    """``message`` on stderr; names in it may come from a stranger's file, so control characters are escaped."""
    print("error: " + "\n".join(map(printable, message.split("\n"))), file=sys.stderr)


def _drop_output() -> None:
    """Redirect stdout to nowhere, so that Python does not fail again when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):  # a stdout that is no file of the system
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Types of arguments ----------------------------------------------------------------------------------------------------------------------


def whole(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers from ``low`` to ``high``, also written as 10_000 or 1e4."""

    def read(text: str) -> int:
        number = _whole_number(text)
        if number is None or not low <= number <= high:
            raise Unreadable(f"found {shown(text)}; allowed is a whole number from {low:,} to {high:,}")
        return number

    return read


def _whole_number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def real(low: float, high: float) -> Callable[[str], float]:
    """A reader of numbers from ``low`` to ``high``."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not low <= number <= high:
            raise Unreadable(f"found {shown(text)}; allowed is a number from {low:,g} to {high:,g}")
        return number

    return read


def output(text: str) -> Path:
    """A file that can be written: new or a regular file, in an existing folder. Checked before any work is done."""
    path = _path(text)
    if not path.parent.is_dir():
        raise Unreadable(f"{printable(text)}: there is no folder {printable(str(path.parent))}")
    if not os.access(os.path.dirname(os.path.realpath(path)), os.W_OK | os.X_OK):
        raise Unreadable(f"{printable(text)}: files in this folder cannot be written")
    return path


def picture(text: str) -> Path:
    """An :func:`output` whose name says what kind of picture it is."""
    if Path(text).suffix not in PICTURES:
        raise Unreadable(f"{printable(text)}: the name of a picture ends in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")
    return output(text)


def input_file(text: str) -> Path:
    """An existing regular file; its content is checked by its reader."""
    path = _path(text)
    if not path.exists():
        raise Unreadable(f"{printable(text)}: no such file")
    return path


def _path(text: str) -> Path:
    """A path at which no folder or device lies."""
    try:
        refuse_other_than_file(Path(text))
    except NotADirectoryError:  # a file within a file
        pass
    except (OSError, ValueError) as error:  # a name too long, with a null character, of links in a circle
        raise Unreadable(f"{printable(text)}: {getattr(error, 'strerror', None) or error}") from None
    return Path(text)
