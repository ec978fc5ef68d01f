"""Files with a strategy of one's own."""

from __future__ import annotations

from pathlib import Path

HEAD = """\
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *


@strategy()
def {name}(view):
"""

#: Draws until its hand is full.
PATIENT = ("if hand_is_full(view):", "    return play(largest_party(view))", "return draw()")


def strategy_file(folder: Path, name: str, *lines: str) -> Path:
    """A file `mine.py` with a strategy whose turn has these lines, the first one is its 7th."""
    file = folder / "mine.py"
    text = HEAD.format(name=name) + "".join(f"    {line}\n" for line in lines or PATIENT)
    file.write_text(text, encoding="utf-8")
    return file
