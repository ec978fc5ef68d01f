"""Errors that an author gets for code that does not compile."""

from pathlib import Path

import pytest
from inside.strategies import compiled, load_strategy_file

from ethnos_sim.strategies import StrategyError

HEAD = (
    "from ethnos_sim.strategies import strategy\nfrom ethnos_sim.strategies.toolkit import draw\n"
)


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("stops", "breakpoint()", r":5: 'breakpoint\(\)' needs --uncompiled"),
        ("mixed", "found = {1: 2}; found['a'] = 3.0", ":5: a dictionary is out of reach"),
    ],
)
def test_the_line_and_what_helps_are_told(name: str, body: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(
        f"{HEAD}@strategy()\ndef {name}(view):\n    {body}\n    return draw()\n", "utf-8"
    )
    (strategy,) = load_strategy_file(file)
    with pytest.raises(StrategyError, match=rf"{name}\.py{said}"):
        compiled(strategy)
