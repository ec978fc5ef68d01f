"""How far a sweep is: a bar on a terminal or in a notebook, a plain line a minute elsewhere.

`rich` counts games, and knows the rate of the last half minute and the time left.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from html import escape
from math import inf

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

#: Seconds between two plain lines.
SECONDS_A_LINE = 60.0

#: Seconds between two looks of a notebook's bar.
SECONDS_A_LOOK = 0.25

#: The part of what has to be played that a guess at the time left rests on; less would be absurd.
ENOUGH = 0.01

#: A terminal of fewer columns has no room for the bar and the games.
NARROW = 80


class ProgressDisplay:
    """What is told of games and looks, and shows now and then how far it is."""

    def __init__(
        self,
        total: int,
        done: int,
        *,
        progress: Progress | None = None,
        cells: int = 0,
        show: Callable[[Task], None] = lambda task: None,
        pause: float = inf,
    ) -> None:
        """Begin at `done` of `total` games; `pause` is in seconds between two calls of `show`."""
        self._progress = progress or Progress(disable=True)
        self._show = show
        self._pause = pause
        self._last = time.monotonic()
        self._one_at_a_time = threading.Lock()
        told = f"{cells:,} cells" if cells else ""
        self._progress.add_task(told, total=total, completed=done, before=done, precision="")
        (self.task,) = self._progress.tasks

    def __call__(self, games: int) -> None:
        """Count games just played; called from any thread."""
        self._progress.advance(self.task.id, games)
        with self._one_at_a_time:
            now = time.monotonic()
            if now - self._last < self._pause:
                return
            self._last = now
        self._show(self.task)

    def go_on(self, total: int, precision: str) -> None:
        """Say that a look found this precision, and that so many games are now planned."""
        self._progress.update(self.task.id, total=total, precision=precision)


def rate_and_left(task: Task) -> list[str]:
    """Games per second and the time left, as soon as enough was played to tell them."""
    played, left = task.completed - task.fields["before"], task.remaining or 0
    if not task.speed or played <= 0:
        return []
    rate = f"{task.speed:,.0f} games/s"
    if played < ENOUGH * (played + left):
        return [rate]
    return [rate, f"about {in_words(left / task.speed)} left"]


def in_words(seconds: float) -> str:
    """A length of time as one would say it: "40 s", "25 min", "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class _RateAndLeft(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Both as text; empty before the first games."""
        return Text(" ".join(rate_and_left(task)))


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
        yield ProgressDisplay(total, done)
        return
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if type(shell).__name__ == "ZMQInteractiveShell":  # A Jupyter kernel runs this program.
        show = notebook_bar(title)
        display = ProgressDisplay(total, done, show=show, pause=SECONDS_A_LOOK)
        try:
            yield display
        finally:
            show(display.task)
        return
    print(title, file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        with _bar() as progress:
            yield ProgressDisplay(total, done, progress=progress, cells=cells)
    else:
        yield ProgressDisplay(total, done, show=_print_line, pause=SECONDS_A_LINE)


def _bar() -> Progress:
    """The bar: cells, games of all, games/s, time left, precision of the last look.

    A narrow terminal shows rate and time left, which nothing else tells.
    """
    console = Console(stderr=True)
    if console.width < NARROW:
        return Progress(_RateAndLeft(), console=console, transient=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        _RateAndLeft(),
        TextColumn("{task.fields[precision]}"),
        console=console,
        transient=True,
    )


def in_line(task: Task) -> str:
    """How far it is, in a line: "1,500 of 2,000 games, 300 games/s, about 2 s left"."""
    games = f"{task.completed:,.0f} of {task.total:,.0f} games"
    precision = task.fields["precision"]
    return ", ".join([games, *rate_and_left(task)]) + (precision and f"; {precision}")


def _print_line(task: Task) -> None:
    print(in_line(task), file=sys.stderr, flush=True)


def notebook_bar(title: str) -> Callable[[Task], None]:
    """Make room for a bar under a notebook's cell, which the result shows how far it is."""
    from IPython.display import display

    def bundle(words: str, far: str = "") -> dict[str, str]:
        return {"text/plain": words, "text/html": f"<progress {far}></progress> {escape(words)}"}

    shown = display(bundle(title), raw=True, display_id=True)

    def show(task: Task) -> None:
        far = f'value="{task.completed}" max="{task.total}"'
        shown.update(bundle(f"{title}: {in_line(task)}", far), raw=True)

    return show
