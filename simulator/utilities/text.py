"""Make texts from users safe to show at a terminal."""

from __future__ import annotations


def visible(text: str) -> str:
    """A text without characters that control a terminal or turn its direction: they are escaped.

    Line feeds and tabs stay.
    """
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else ascii(sign)[1:-1] for sign in text
    )
