"""Every row of the table of what a strategy may contain compiles, or is refused as it says."""

import re
from pathlib import Path

import pytest
from inside.strategies import generated

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


def test_the_table_has_thirty_rows() -> None:
    assert len(ROWS) > 30


@pytest.mark.parametrize(("what", "code", "said"), ROWS, ids=[what for what, _, _ in ROWS])
def test_what_the_table_says_of_a_line_of_code_is_true(what, code, said, tmp_path):
    file = tmp_path / "written.py"
    file.write_text(FILE.format(code), encoding="utf-8")
    (strategy,) = load_strategy_file(file)
    if said == "works":
        generated(strategy).compile()
        return
    with pytest.raises(StrategyError) as caught:
        generated(strategy).compile()
    assert f"{file}:9: " in str(caught.value)
    assert said in str(caught.value)
