"""Wrapped lines, headings and counts of a narration."""

from __future__ import annotations

import textwrap

WIDTH = 110


def wrap(text: str, indent: int = 0) -> list[str]:
    """Wrap a text into lines of at most WIDTH characters; all but the first are indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_long_words=False)


def heading(text: str, character: str) -> str:
    """A heading in the middle of a line that a character such as "=" fills to WIDTH."""
    return f" {text} ".center(WIDTH, character)


def count_phrase(count: int, noun: str) -> str:
    """A count with its word: "1 card", "3 cards"."""
    return f"{count} {noun}" + "s" * (count != 1)
