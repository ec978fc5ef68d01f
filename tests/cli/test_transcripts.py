"""What every command prints is what the recorded sessions show."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from inside import module_with
from inside.strategies import is_from_outside

from ethnos_sim.strategies import list_strategies

registry = module_with("strategies", "list_strategies")

_FILE = Path(__file__).parent / "transcripts" / "session.py"
_SPEC = importlib.util.spec_from_file_location("session", _FILE)
session = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(session)


@pytest.mark.parametrize("name", session.SESSIONS)
def test_a_session_prints_what_is_recorded(name, monkeypatch) -> None:
    """As in a process of its own: without the strategies that other tests have loaded."""
    own = {each.name: each for each in list_strategies() if not is_from_outside(each)}
    monkeypatch.setattr(registry, "_known", own)
    recorded = (session.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert session.replayed(name) == recorded
