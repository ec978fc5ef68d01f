"""The guide to custom powers leaves nothing out."""

from __future__ import annotations

import re
from pathlib import Path

from ethnos_sim.simulator import custom_powers
from ethnos_sim.simulator.custom_powers.declaring import MOMENTS

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "powers.md").read_text(encoding="utf-8")

#: What is for programs, not for authors.
NOT_FOR_AUTHORS = {
    *("CustomPower", "PlayedParty", "PowerError", "load_power", "load_powers", "loaded"),
    *("NOT_RUN", "reference_of"),
}


def test_the_guide_names_every_moment_as_it_is_written() -> None:
    for moment, (arguments, _) in MOMENTS.items():
        assert f"| `{moment}({', '.join(('game', *arguments))})` |" in GUIDE


def test_the_guide_names_every_tool() -> None:
    tools = set(custom_powers.__all__) - NOT_FOR_AUTHORS
    assert [name for name in sorted(tools) if not re.search(rf"`{name}\b|\b{name}\(", GUIDE)] == []
