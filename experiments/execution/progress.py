"""How far a sweep is: a bar on a terminal or in a notebook, a plain line a minute elsewhere."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from html import escape
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
)
from rich.text import Text

#: Seconds between two plain lines.
SECONDS_A_LINE = 60.0

#: Seconds between two looks of a notebook's bar.
SECONDS_A_LOOK = 0.25

#: The part of what has to be played that a guess at the time left rests on; less would be absurd.
ENOUGH = 0.01

#: A terminal of fewer columns has no room for the bar and the games.
NARROW = 80


class ProgressDisplay(Protocol):
    """What is told about a running sweep."""

    def __call__(self, games: int) -> None:
        """Count games just played; called from any thread."""

    def go_on(self, total: int, precision: str) -> None:
        """Say that a look found this precision, and that so many games are now planned."""


class _GamesPerSecond(ProgressColumn):
    """Games per second, over the last half minute."""

    def render(self, task: Task) -> Text:
        """The rate as text; empty before the first games."""
        return Text(f"{task.speed:,.0f} games/s" if task.speed else "")


class _Left(ProgressColumn):
    """The time left, as soon as enough was played to tell it."""

    def render(self, task: Task) -> Text:
        """The time as text; empty before."""
        total = task.total or 0
        played = task.completed - task.fields["before"]
        return Text(time_left(played, total - task.completed, task.elapsed or 0.0))


def time_left(played: float, left: float, seconds: float) -> str:
    """How long `left` games will take after so many took `seconds`: "about 3 min left", or ""."""
    if played <= 0 or played < ENOUGH * (played + left):
        return ""
    return f"about {in_words(seconds * left / played)} left"


def in_words(seconds: float) -> str:
    """A length of time as one would say it: "40 s", "25 min", "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


@contextlib.contextmanager
def shown_progress(
    title: str, total: int, done: int, *, quiet: bool, cells: int = 0
) -> Iterator[ProgressDisplay]:
    """Show how many games were played while the body runs, on standard error.

    Args:
        title: a line to begin with.
        total: games of the whole sweep.
        done: games that were there before.
        quiet: show nothing.
        cells: how many cells they are spread over; 0 where there are none to tell of.

    Yields:
        What to tell of games and looks.
    """
    if quiet:
        yield _Nothing()
        return
    if in_notebook():
        bar = NotebookBar(title, total, done)
        try:
            yield bar
        finally:
            bar.show()
        return
    print(title, file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        with _bar() as progress:
            yield _Bar(progress, cells, total, done)
    else:
        yield PlainLines(total, done)


def _bar() -> Progress:
    """The bar: cells, games of all, games/s, time left, precision of the last look.

    A narrow terminal shows rate and time left, which nothing else tells.
    """
    console = Console(stderr=True)
    if console.width < NARROW:
        return Progress(_GamesPerSecond(), _Left(), console=console, transient=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        _GamesPerSecond(),
        _Left(),
        TextColumn("{task.fields[precision]}"),
        console=console,
        transient=True,
    )


class _Nothing:
    """Tells nothing."""

    def __call__(self, games: int) -> None:
        """Let games pass."""

    def go_on(self, total: int, precision: str) -> None:
        """Let a look pass."""


class _Bar:
    """Moves a bar."""

    def __init__(self, progress: Progress, cells: int, total: int, done: int) -> None:
        """Begin at `done` of `total` games."""
        self._progress = progress
        told = f"{cells:,} cells" if cells else ""
        self._task = progress.add_task(told, total=total, completed=done, before=done, precision="")

    def __call__(self, games: int) -> None:
        """Move the bar on."""
        self._progress.advance(self._task, games)

    def go_on(self, total: int, precision: str) -> None:
        """Make the bar longer, and show the precision behind it."""
        self._progress.update(self._task, total=total, precision=f"({precision})")


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this program."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class NotebookBar:
    """A bar under a notebook's cell; called from any thread."""

    def __init__(self, title: str, total: int, done: int) -> None:
        """Show a bar at `done` of `total` games."""
        from IPython.display import display

        self._title = title
        self._total = total
        self._done_before = self._done = done
        self._precision = ""
        self._started = self._last_look = time.monotonic()
        self._one_at_a_time = threading.Lock()
        self._shown = display(self, display_id=True)

    def __call__(self, games: int) -> None:
        """Count games just played, and move the bar if its last move is long enough ago."""
        with self._one_at_a_time:
            self._done += games
            now = time.monotonic()
            if now - self._last_look < SECONDS_A_LOOK:
                return
            self._last_look = now
        self.show()

    def go_on(self, total: int, precision: str) -> None:
        """Make the bar longer, and show the precision behind it."""
        self._total = total
        self._precision = f"; {precision}"
        self.show()

    def show(self) -> None:
        """Show how far it is now."""
        self._shown.update(self)

    def __repr__(self) -> str:
        rate = (self._done - self._done_before) / max(time.monotonic() - self._started, 1e-9)
        far = f"{self._done:,} of {self._total:,} games, {rate:,.0f} games/s"
        return f"{self._title}: {far}{self._precision}"

    def _repr_html_(self) -> str:
        """The bar with its words."""
        bar = f'<progress value="{self._done}" max="{self._total}"></progress>'
        return f"{bar} {escape(repr(self))}"


class PlainLines:
    """Counts games and writes a line now and then; called from any thread."""

    def __init__(self, total: int, done: int, seconds_a_line: float = SECONDS_A_LINE) -> None:
        """Start counting at `done` of `total` games."""
        self._total = total
        self._done_before = done
        self._done = done
        self._pause = seconds_a_line
        self._precision = ""
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
            played, took = self._done - self._done_before, now - self._started
            left = time_left(played, self._total - self._done, took)
            print(
                f"{self._done:,} of {self._total:,} games, {played / took:,.0f} games/s"
                f"{', ' if left else ''}{left}{self._precision}",
                file=sys.stderr,
                flush=True,
            )

    def go_on(self, total: int, precision: str) -> None:
        """Add the precision to the lines from now on."""
        with self._one_at_a_time:
            self._total = total
            self._precision = f"; {precision}"
