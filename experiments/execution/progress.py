"""Progress of a sweep: a bar on a terminal, a plain line every minute elsewhere.

`rich` counts the games, and computes the rate of the last half minute and the time left.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from math import inf

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.text import Text

from ethnos_sim.simulator.utilities.text import printable

#: Seconds between two plain lines.
SECONDS_PER_LINE = 60.0


class ProgressDisplay:
    """Counts finished games, and shows the count; call it with the games just played."""

    def __init__(self, total: int, done: int, progress: Progress, pause: float = inf) -> None:
        """Begin at `done` of `total` games; print a plain line every `pause` seconds."""
        self._progress = progress
        self._pause = pause
        self._last = time.monotonic()
        self._pause_lock = threading.Lock()
        progress.add_task("", total=total, completed=done)
        (self._task,) = progress.tasks

    def __call__(self, games: int) -> None:
        """Count games just played; called from any thread."""
        self._progress.advance(self._task.id, games)
        with self._pause_lock:
            now = time.monotonic()
            if now - self._last < self._pause:
                return
            self._last = now
        print(progress_line(self._task), file=sys.stderr, flush=True)

    def set_total(self, total: int) -> None:
        """Change the number of planned games."""
        self._progress.update(self._task.id, total=total)


@contextlib.contextmanager
def show_progress(title: str, total: int, done: int, *, quiet: bool) -> Iterator[ProgressDisplay]:
    """Show the progress on standard error while the body runs.

    Args:
        title: the first line.
        total: number of games of the whole sweep.
        done: number of games that were finished before this run.
        quiet: whether to show nothing.

    Yields:
        The display; call it with the number of games just played.
    """
    if not quiet:
        print(printable(title), file=sys.stderr, flush=True)
    if quiet or not sys.stderr.isatty():
        pause = inf if quiet else SECONDS_PER_LINE
        yield ProgressDisplay(total, done, Progress(disable=True), pause)
        return
    console = Console(stderr=True)
    with Progress(BarColumn(), _ProgressLine(), console=console, transient=True) as progress:
        yield ProgressDisplay(total, done, progress)


class _ProgressLine(ProgressColumn):
    def render(self, task: Task) -> Text:
        """The progress as text, which a narrow terminal cuts off."""
        return Text(progress_line(task), no_wrap=True)


def progress_line(task: Task) -> str:
    """The progress as a line: "1,500 of 2,000 games, 300 games/s, about 2 s left"."""
    line = f"{task.completed:,.0f} of {task.total or 0:,.0f} games"
    if task.speed and task.remaining is not None:
        left = time_in_words(task.remaining / task.speed)
        line += f", {task.speed:,.0f} games/s, about {left} left"
    return line


def time_in_words(seconds: float) -> str:
    """A length of time in words: "40 s", "25 min", "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
