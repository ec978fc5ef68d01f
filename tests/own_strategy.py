"""Files with a user's strategy."""

import textwrap
from pathlib import Path

HEAD = """\
import numpy as np
from numba import njit
from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import *
"""


def strategy_text(body: str, name: str = "") -> str:
    """The text of a file whose body begins at line 5; NAME is replaced by the strategy's name."""
    return HEAD + textwrap.dedent(body).replace("NAME", name)


#: A turn that draws until the hand is full.
PATIENT = ("if hand_is_full(view):", "    return play(largest_party(view))", "return draw()")


def strategy_file(folder: Path, name: str, *lines: str) -> Path:
    """A file `mine.py` with a strategy whose turn has these lines, beginning at line 7."""
    file = folder / "mine.py"
    turn = "".join(f"    {line}\n" for line in lines or PATIENT)
    file.write_text(strategy_text(f"@strategy()\ndef {name}(view):\n{turn}"), encoding="utf-8")
    return file
