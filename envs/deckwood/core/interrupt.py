"""Handling Ctrl-C while a program is still importing, which takes seconds. Imports next to nothing itself."""

from __future__ import annotations

import sys
from types import TracebackType

INTERRUPTED = 130
"""The exit status, as a shell gives it: 128 + SIGINT."""


def quiet_imports() -> None:
    """Under ``python -m``, make Ctrl-C print one line instead of a traceback."""
    if sys.argv[:1] == ["-m"]:  # so it is while packages are imported on the way to the module
        sys.excepthook = _one_line


def _one_line(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    sys.__excepthook__(kind, error, traceback)
