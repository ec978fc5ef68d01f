"""What every command prints is what the recorded sessions show."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_FILE = Path(__file__).parent / "transcripts" / "session.py"
_SPEC = importlib.util.spec_from_file_location("session", _FILE)
session = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(session)


@pytest.mark.parametrize("name", session.SESSIONS)
def test_a_session_prints_what_is_recorded(name) -> None:
    recorded = (session.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert session.replayed(name) == recorded
