"""The lines of a narration: text with a kind, by which a terminal may color it."""

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


def wrapped(kind: str, text: str, indent: int) -> list[Line]:
    """Wrap a text into indented lines of at most WIDTH characters; a longer word is not cut."""
    blank = " " * indent
    pieces = textwrap.wrap(
        text, WIDTH, initial_indent=blank, subsequent_indent=blank, break_long_words=False
    )
    return [Line(kind, piece) for piece in pieces]


def hanging(kind: str, start: str, text: str) -> list[Line]:
    """The lines of a text after a prefix; later lines are indented by the prefix's width."""
    pieces = textwrap.wrap(text, max(WIDTH - len(start), WIDTH // 4), break_long_words=False)
    return [Line(kind, start + pieces[0])] + [
        Line(kind, " " * len(start) + piece) for piece in pieces[1:]
    ]


def details(parts: list[str], indent: int) -> list[Line]:
    """Lines of details, separated by semicolons and preferably broken between two details."""
    lines: list[Line] = []
    for part in parts:
        end = ";" if part is not parts[-1] else ""
        if lines and len(lines[-1].text) + 1 + len(part) + len(end) <= WIDTH:
            lines[-1] = Line("detail", f"{lines[-1].text} {part}{end}")
        else:
            lines += wrapped("detail", part + end, indent)
    return lines


def heading(text: str, rule: str) -> Line:
    """A heading centered in a horizontal rule."""
    return Line("heading", f" {text} ".center(WIDTH, rule))


def joined(parts: list[str]) -> str:
    """Words joined as in a sentence: "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def plural(count: int, one: str) -> str:
    """A count with its word: "1 card", "3 cards"."""
    return f"{count} {one}" + "s" * (count != 1)
