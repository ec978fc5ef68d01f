"""The lines of a narration: text with a kind, by which a page may color it."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

WIDTH = 110


class Line(NamedTuple):
    """A line of text and its kind.

    Kinds: "title", "heading" (an age begins or ends), "recruit", "party" (also a pass), "detail"
    (more about the turn above), "dragon", "table", "result" and "note".
    """

    kind: str
    text: str


def wrapped(kind: str, text: str, indent: int = 0) -> list[Line]:
    """Wrap a text into lines of at most WIDTH characters; all but the first are indented."""
    pieces = textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_long_words=False)
    return [Line(kind, piece) for piece in pieces]


def heading(text: str, rule: str) -> Line:
    """A heading centered in a horizontal rule."""
    return Line("heading", f" {text} ".center(WIDTH, rule))


def plural(count: int, one: str) -> str:
    """A count with its word: "1 card", "3 cards"."""
    return f"{count} {one}" + "s" * (count != 1)
