"""Every row of the table of what a strategy may contain compiles, or is refused as it says."""

import re
from pathlib import Path

import pytest
from inside.strategies import generated_code

from ethnos_sim.strategies import StrategyError, load_strategy_file

pytestmark = pytest.mark.long

PAGE = Path(__file__).parents[2] / "docs" / "strategies.md"
ROWS = re.findall(
    r"^\| ([^|`]+) \| `([^`]+)` \| ([^|]+) \|$",
    PAGE.read_text(encoding="utf-8").partition("## Rules for the code")[2].partition("## ")[0],
    re.MULTILINE,
)

FILE = """\
import math
import time
import numpy as np
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import draw, random_below, random_chance
TABLE = {{"a": 1}}
@strategy()
def written(view, memory, rng):
    {}
    return draw()
"""

REFUSED = [row for row in ROWS if row[2] != "works"]


def compile_lines(file: Path, lines: list[str]) -> None:
    """Compile a strategy that has these lines."""
    file.write_text(FILE.format("\n    ".join(lines)), encoding="utf-8")
    (strategy,) = load_strategy_file(file)
    generated_code(strategy).compile()


def test_the_table_has_fifteen_rows() -> None:
    assert len(ROWS) > 15


def test_lines_of_which_the_table_says_that_they_work_compile(tmp_path) -> None:
    working = [code for _, code, said in ROWS if said == "works"]
    # A variable has one type in a function, so each line gets its own variable.
    compile_lines(
        tmp_path / "written.py",
        [re.sub(r"\bx\b", f"x_{number}", code) for number, code in enumerate(working)],
    )


@pytest.mark.parametrize(("what", "code", "said"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_line_of_which_the_table_says_why_it_is_refused_is_refused(what, code, said, tmp_path):
    file = tmp_path / "written.py"
    with pytest.raises(StrategyError) as caught:
        compile_lines(file, [code])
    assert f"{file}:9: " in str(caught.value)
    assert said in str(caught.value)
