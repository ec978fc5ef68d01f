"""The documents on strategies and traces leave nothing out; `make docs` runs their examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ethnos_sim import main
from ethnos_sim.experiments import prepare_match
from ethnos_sim.simulator import DECISIONS, MODES, SOLO, load_rules
from ethnos_sim.simulator.user_code.showing import SHOWN_VIEW
from ethnos_sim.strategies import list_strategies, toolkit

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
STRENGTH = (ROOT / "docs" / "strategy-strength.md").read_text(encoding="utf-8")
TRACE = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


def blocks(text: str) -> list[str]:
    """The Python code of a document, block by block."""
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_guides_example_is_complete_and_short() -> None:
    example = next(block for block in blocks(GUIDE) if "@strategy(" in block)
    assert len(example.splitlines()) <= 15


def test_an_answer_to_another_question_can_be_added_to_the_example(tmp_path, capsys) -> None:
    # A second file may not declare a strategy of the same name, so it gets another one here.
    code = "\n".join(blocks(GUIDE)[:2]).replace("gambler", "cautious_gambler")
    path = tmp_path / "mine.py"
    path.write_text(code, encoding="utf-8")
    shown = ["strategies", "show", "cautious_gambler", "--strategies-from", str(path)]
    assert main.run(shown) == 0
    assert "It answers itself: turn, settle" in capsys.readouterr().out


def test_the_guide_names_every_field_of_the_view() -> None:
    left_out = [name for name in SHOWN_VIEW.fields if not re.search(rf"`{name}\b", GUIDE)]
    assert left_out == []


def test_the_guide_names_every_question_in_the_order_of_its_number() -> None:
    table = GUIDE[GUIDE.index("| question |") : GUIDE.index("## The view")]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == DECISIONS


def test_the_guide_names_every_tool() -> None:
    assert [name for name in toolkit.__all__ if not re.search(rf"`{name}\b", GUIDE)] == []


@pytest.mark.parametrize("known", list_strategies(), ids=lambda known: known.name)
def test_every_strategy_has_its_strength(known) -> None:
    assert known.summary
    if known.module.startswith("ethnos_sim."):
        assert f"| {known.name} | " in STRENGTH


@pytest.mark.parametrize("mode", MODES)
def test_the_trace_document_names_every_key_of_a_trace_and_no_other_event(mode) -> None:
    players = 1 if mode in SOLO else 4
    match = prepare_match(load_rules("second"), "random", players=players, mode=mode, seed=1)
    named = set(re.findall(r"`(\w+)`", TRACE))
    events = set(re.findall(r"^#### `(\w+)`", TRACE, re.MULTILINE))
    for traced in match.traces(6):
        trace = traced.trace
        assert set(trace) <= named
        assert {event["event"] for event in trace["events"]} <= events
        assert {key for event in trace["events"] for key in event} <= named
