"""The progress bar of a run."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Bar:
    """A context manager; shown on a terminal only."""

    def __init__(self, console: Console, total: int, done: int, *, shown: bool) -> None:
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
        self.total = total
        self.progress = Progress(*columns, console=console, refresh_per_second=2, disable=not (shown and console.is_terminal))
        self.task = self.progress.add_task("training", total=total, completed=done)

    def __enter__(self) -> None:
        self.progress.start()

    def __exit__(self, *exception: object) -> None:
        self.progress.stop()

    def update(self, steps: int, text: Callable[[], str]) -> None:
        if not self.progress.disable:
            self.progress.update(self.task, completed=min(steps, self.total), description=text())
