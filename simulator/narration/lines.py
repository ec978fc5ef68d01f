"""The lines of a narration."""

from __future__ import annotations

import textwrap

WIDTH = 110


def wrapped(text: str, indent: int = 0) -> list[str]:
    """Wrap a text into lines of at most WIDTH characters; all but the first are indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_long_words=False)


def heading(text: str, rule: str) -> str:
    """A heading centered in a horizontal rule."""
    return f" {text} ".center(WIDTH, rule)


def plural(count: int, one: str) -> str:
    """A count with its word: "1 card", "3 cards"."""
    return f"{count} {one}" + "s" * (count != 1)
