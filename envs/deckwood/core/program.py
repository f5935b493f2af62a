"""What every program shares: the types of its arguments, how it reports what it cannot do, and how it ends on Ctrl-C or a closed pipe."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any

from deckwood.core.errors import DeckwoodError
from deckwood.core.files import refuse_other_than_file

INTERRUPTED = 130
CLOSED_PIPE = 141
"""Exit statuses as a shell gives them: 128 + SIGINT, 128 + SIGPIPE."""

PICTURES = (".png", ".svg", ".pdf")
MAX_SEED = 2**64 - 1


class Unreadable(DeckwoodError, argparse.ArgumentTypeError, ValueError):
    """What was typed cannot be read; argparse prints the message as it is."""


# How a program ends ----------------------------------------------------------------------------------------------------------------------


def program(main: Callable[..., int]) -> Callable[..., int]:
    """``main(args=None, ...)`` as a program. It returns 2, after one message on stderr, where the user or the system stands in the way:
    a DeckwoodError, an OSError, no memory. 130 after Ctrl-C, 141 where whoever read the output has gone."""

    @wraps(main)
    def run(args: Sequence[str] | None = None, **others: Any) -> int:
        try:
            status = main(args, **others)
            sys.stdout.flush()
            return status
        except BrokenPipeError:
            _drop_output()
            return CLOSED_PIPE
        except KeyboardInterrupt as stopped:
            print(f"\ninterrupted{f': {stopped}' if str(stopped) else ''}", file=sys.stderr)
            return INTERRUPTED
        except DeckwoodError as error:
            print(f"error: {printable(str(error))}", file=sys.stderr)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            print(f"error: {printable(f'{where}{error.strerror or error}')}", file=sys.stderr)
        except MemoryError as error:
            print(f"error: not enough memory{f' ({error})' if str(error) else ''}", file=sys.stderr)
        return 2

    return run


def _drop_output() -> None:
    """Lead stdout nowhere, so that Python does not fail once more when it flushes it at exit."""
    with contextlib.suppress(OSError, ValueError):  # a stdout that is no file of the system
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """``text`` with control characters, such as a terminal's escapes out of a stranger's file, written out."""
    return "".join(letter if letter.isprintable() or letter == "\n" else repr(letter)[1:-1] for letter in text)


def end_imports_quietly() -> None:
    """Until a program runs, let Ctrl-C end Python by one line: what it imports takes seconds."""

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            print("\ninterrupted", file=sys.stderr)
            sys.exit(INTERRUPTED)
        sys.__excepthook__(kind, error, traceback)

    sys.excepthook = hook


# Types of arguments ----------------------------------------------------------------------------------------------------------------------


def whole(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers from ``low`` to ``high``, also written as 10_000 or 1e4."""

    def read(text: str) -> int:
        number = _whole_number(text)
        if number is None or not low <= number <= high:
            raise Unreadable(f"found {text!r}; allowed is a whole number from {low:,} to {high:,}")
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
            raise Unreadable(f"found {text!r}; allowed is a number from {low:,g} to {high:,g}")
        return number

    return read


def output(text: str) -> Path:
    """A file that can be written: nothing yet or a regular file, in a folder that is there. Asked before anything is worked out."""
    path = Path(text)
    try:
        refuse_other_than_file(path)
        folder = path.resolve().parent
        if not folder.is_dir():
            raise Unreadable(f"{path}: there is no folder {path.parent}")
        if not text or not os.access(folder, os.W_OK | os.X_OK):
            raise Unreadable(f"{path}: files in {folder} cannot be written")
    except (OSError, ValueError, RuntimeError) as error:  # also a name too long, with a null character, or of links in a circle
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"{printable(text)[:200]}: {getattr(error, 'strerror', None) or error}") from None
    return path


def picture(text: str) -> Path:
    """An :func:`output` whose name says what kind of picture it is."""
    if Path(text).suffix not in PICTURES:
        raise Unreadable(f"{text}: the name of a picture ends in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")
    return output(text)


def input_file(text: str) -> Path:
    """A regular file that is there; what it holds is checked by whoever reads it."""
    path = Path(text)
    try:
        refuse_other_than_file(path)
        path.stat()
    except (OSError, ValueError) as error:
        raise Unreadable(f"{printable(text)[:200]}: {getattr(error, 'strerror', None) or error}") from None
    return path
