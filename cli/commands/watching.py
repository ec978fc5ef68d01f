"""A game as a page to watch, for the commands that play one: `play`, `replay`, `trace`."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands.files import OutputPath
from ethnos_sim.commands.game_options import jobs_option, take_options

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.match import Match


LEAST_GUESSES = 4
"""Half of the guesses choose a move and half tell its cost; an error takes two of each."""


@dataclass(frozen=True, kw_only=True)
class Watching:
    """Where the page of a game goes, and what it holds."""

    page: Path | None
    browser: bool
    guesses: int
    jobs: int | None

    @property
    def wanted(self) -> bool:
        """Whether there is to be a page at all."""
        return self.page is not None or self.browser

    def write(self, match: Match, game: int, trace: dict[str, Any]) -> None:
        """Judge a game's turns, write its page, say where, and open it if asked to.

        Args:
            match: whose game it is.
            game: the game's number.
            trace: its trace object.
        """
        import os
        import tempfile

        from ethnos_sim.experiments.matches.turn_chances import chances_of_turns
        from ethnos_sim.experiments.storage.files import write_whole
        from ethnos_sim.reports.viewer.page import game_page

        chances = []
        if self.guesses:
            jobs = self.jobs or os.cpu_count() or 1
            chances = chances_of_turns(match, game, guesses=self.guesses, jobs=jobs)
        page = self.page or Path(tempfile.mkdtemp(prefix="ethnos-sim-")) / f"game-{game}.html"
        write_whole(page, game_page(trace, chances, self.guesses).encode())
        click.echo(page)
        if self.browser:
            webbrowser.open(page.resolve().as_uri())


def _enough(context: click.Context, option: click.Parameter, guesses: int) -> int:
    """No guesses, or as many as tell how sure a chance is."""
    if 0 < guesses < LEAST_GUESSES:
        raise click.BadParameter(f"takes 0, or {LEAST_GUESSES} and more", context, option)
    return guesses


def watching_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of `Watching`, as its first argument."""
    own = (
        click.option(
            "--html",
            "page",
            metavar="FILE.html",
            type=OutputPath(),
            help="Write the game as a page to watch in a browser, in place of text.",
        ),
        click.option("--browser", is_flag=True, help="Open the page of the game in a browser."),
        click.option(
            "--guesses",
            type=click.IntRange(min=0),
            default=100,
            show_default=True,
            callback=_enough,
            help="Guesses at hidden cards for the page's chances to win, 4 or more; 0 leaves them "
            "out.",
        ),
        jobs_option,
    )
    return take_options(function, Watching, own)
