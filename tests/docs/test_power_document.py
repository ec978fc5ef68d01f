"""The guide to custom powers: its examples play, and it leaves nothing out."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ethnos_sim import main
from ethnos_sim.simulator import custom_powers
from ethnos_sim.simulator.custom_powers.declaring import MOMENTS

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "powers.md").read_text(encoding="utf-8")

#: What is for programs, not for authors.
NOT_FOR_AUTHORS = {
    *("CustomPower", "PlayedParty", "PowerError", "load_power", "load_powers", "loaded"),
    *("NOT_RUN", "reference_of"),
}


def blocks(kind: str) -> list[str]:
    """The guide's blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def test_the_guide_names_every_moment_as_it_is_written() -> None:
    for moment, (arguments, _) in MOMENTS.items():
        assert f"| `{moment}({', '.join(('game', *arguments))})` |" in GUIDE


def test_the_guide_names_every_tool() -> None:
    tools = set(custom_powers.__all__) - NOT_FOR_AUTHORS
    assert [name for name in sorted(tools) if not re.search(rf"`{name}\b|\b{name}\(", GUIDE)] == []


def test_the_examples_can_be_pasted_and_played(in_one_place, capsys) -> None:
    power, strategy = blocks("python")
    variant = in_one_place("phoenix.py", power).with_name("variant.toml")
    variant.write_text(blocks("toml")[0], encoding="utf-8")
    words = ["--variant", variant, "--strategies-from", in_one_place("mine.py", strategy)]
    words += ["--strategies", "fireproof,random", "--clans", "phoenix,bear,fox,koi,owl,tiger"]
    assert main.run(["play", *map(str, words), "--games", "3", "--json"]) == 0
    traces = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    asked = [
        action
        for trace in traces
        for event in trace["events"]
        for action in event.get("actions", ())
        if action["action"] == "choose" and trace["strategies"][action["player"]] == "fireproof"
    ]
    assert asked
    assert main.run(["play", *map(str, words), "--brief"]) == 0
    assert "phoenix: notes 1" in capsys.readouterr().out
