"""Progress of a sweep: a bar on a terminal or in a notebook, a plain line every minute elsewhere.

`rich` counts the games and computes the rate of the last half minute and the time left.
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

from ethnos_sim.simulator.utilities.text import visible

#: Seconds between two plain lines.
SECONDS_A_LINE = 60.0

#: Seconds between two updates of a notebook's bar.
SECONDS_A_LOOK = 0.25

#: The time left is shown after this part of the games; an earlier guess would be far off.
ENOUGH = 0.01

#: A terminal of fewer columns than this has no room for the bar and the games.
NARROW = 80


class ProgressDisplay:
    """Counts games, takes the precision of looks, and shows the progress at intervals."""

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
        """Begin at `done` of `total` games; `pause` is the seconds between two calls of `show`."""
        self._progress = progress or Progress(disable=True)
        self._show = show
        self._pause = pause
        self._last = time.monotonic()
        self._one_at_a_time = threading.Lock()
        description = f"{cells:,} cells" if cells else ""
        self._progress.add_task(description, total=total, completed=done, before=done, precision="")
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
        """Show the precision of a look, and the number of games that are now planned."""
        self._progress.update(self.task.id, total=total, precision=precision)


def rate_and_left(task: Task) -> list[str]:
    """Games per second and the time left, as soon as enough games were played."""
    played, left = task.completed - task.fields["before"], task.remaining or 0
    if not task.speed or played <= 0:
        return []
    rate = f"{task.speed:,.0f} games/s"
    if played < ENOUGH * (played + left):
        return [rate]
    return [rate, f"about {in_words(left / task.speed)} left"]


def in_words(seconds: float) -> str:
    """A length of time in words: "40 s", "25 min", "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class _RateAndLeft(ProgressColumn):
    def render(self, task: Task) -> Text:
        """The rate and the time left as text; empty before the first games."""
        return Text(" ".join(rate_and_left(task)))


@contextlib.contextmanager
def shown_progress(
    title: str, total: int, done: int, *, quiet: bool, cells: int = 0
) -> Iterator[ProgressDisplay]:
    """Show the progress on standard error while the body runs.

    Args:
        title: the first line.
        total: number of games of the whole sweep.
        done: number of games that were finished before.
        quiet: show nothing.
        cells: number of cells of the sweep; 0 to show none.

    Yields:
        The display, which is to be called with numbers of games just played.
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
    print(visible(title), file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        with _bar() as progress:
            yield ProgressDisplay(total, done, progress=progress, cells=cells)
    else:
        yield ProgressDisplay(total, done, show=_print_line, pause=SECONDS_A_LINE)


def _bar() -> Progress:
    """The bar: cells, games of all games, games/s, time left, precision of the last look.

    A narrow terminal shows only the rate and the time left.
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
    """The progress in a line: "1,500 of 2,000 games, 300 games/s, about 2 s left"."""
    games = f"{task.completed:,.0f} of {task.total:,.0f} games"
    precision = task.fields["precision"]
    return ", ".join([games, *rate_and_left(task)]) + (precision and f"; {precision}")


def _print_line(task: Task) -> None:
    print(in_line(task), file=sys.stderr, flush=True)


def notebook_bar(title: str) -> Callable[[Task], None]:
    """Show a bar under a notebook's cell, and return the function that updates it."""
    from IPython.display import display

    def bundle(words: str, far: str = "") -> dict[str, str]:
        return {"text/plain": words, "text/html": f"<progress {far}></progress> {escape(words)}"}

    shown = display(bundle(title), raw=True, display_id=True)

    def show(task: Task) -> None:
        far = f'value="{task.completed}" max="{task.total}"'
        shown.update(bundle(f"{title}: {in_line(task)}", far), raw=True)

    return show
