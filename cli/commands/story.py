"""A narrated game on standard output: colored on a terminal, plain text anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.text import Text

    from ethnos_sim.simulator.narration import Line

#: How kinds of lines and the names of colors look on a terminal.
KIND_STYLES = {
    "title": "bold",
    "heading": "bold",
    "party": "bold",
    "dragon": "bold reverse",
    "result": "bold",
}
COLOR_STYLES = {
    "white": "bright_white",
    "black": "bright_black",
    "grey": "grey62",
    "red": "red",
    "green": "green",
    "blue": "dodger_blue1",
    "yellow": "yellow",
    "orange": "dark_orange",
    "purple": "medium_purple1",
}


def print_story(lines: Iterable[Line]) -> None:
    """Print the lines of a narration; they are the same with and without colors."""
    if not sys.stdout.isatty():
        for line in lines:
            click.echo(line.text)
        return
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(styled(line))


def styled(line: Line) -> Text:
    """A line with its colors: by kind, and each card or region in its own."""
    from rich.text import Text

    text = Text(line.text, style=KIND_STYLES.get(line.kind, ""))
    for color, style in COLOR_STYLES.items():
        # The clan "red panda" is no red card.
        text.highlight_regex(rf"(?i)\b{color}\b(?! panda)", style)
    return text
