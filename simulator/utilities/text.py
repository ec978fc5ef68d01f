"""Make texts from users safe to show at a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """A text in which all characters that do not print are escaped, except line feeds and tabs.

    Such characters may control a terminal or turn the direction of writing.
    """
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else ascii(sign)[1:-1] for sign in text
    )
