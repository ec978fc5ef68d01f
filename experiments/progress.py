"""How far a sweep is: a bar on a terminal, a plain line now and then anywhere else."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

#: Seconds between two plain lines.
SECONDS_A_LINE = 30.0

OnGames = Callable[[int], None]


class _Rate(ProgressColumn):
    """Games a second, over the last half minute."""

    def render(self, task: Task) -> Text:
        """The rate as text; empty before the first games."""
        return Text(f"{task.speed:,.0f} games/s" if task.speed else "")


@contextlib.contextmanager
def shown_progress(title: str, total: int, done: int, *, quiet: bool) -> Iterator[OnGames]:
    """Show how many games were played while the body runs, on standard error.

    Args:
        title: a line to begin with.
        total: games of the whole sweep.
        done: games that were there before.
        quiet: show nothing.

    Yields:
        A function to call, from any thread, with a number of games just played.
    """
    if quiet:
        yield lambda games: None
        return
    print(title, file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        with _bar() as progress:
            task = progress.add_task("games", total=total, completed=done)
            yield lambda games: progress.advance(task, games)
    else:
        yield PlainLines(total, done)


def _bar() -> Progress:
    """The bar: games of all, games/s, time left."""
    return Progress(
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        _Rate(),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True),
        transient=True,
    )


class PlainLines:
    """Counts games and writes a line now and then; called from any thread."""

    def __init__(self, total: int, done: int, seconds_a_line: float = SECONDS_A_LINE) -> None:
        """Start counting at `done` of `total` games."""
        self._total = total
        self._done_before = done
        self._done = done
        self._pause = seconds_a_line
        self._started = self._last_line = time.monotonic()
        self._one_at_a_time = threading.Lock()

    def __call__(self, games: int) -> None:
        """Count games just played, and write a line if the last one is long enough ago."""
        with self._one_at_a_time:
            self._done += games
            now = time.monotonic()
            if now - self._last_line < self._pause:
                return
            self._last_line = now
            rate = (self._done - self._done_before) / (now - self._started)
            left = (self._total - self._done) / rate
            print(
                f"{self._done:,} of {self._total:,} games, {rate:,.0f} games/s, {left:,.0f} s left",
                file=sys.stderr,
                flush=True,
            )
