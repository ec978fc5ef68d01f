"""What the tests of commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethnos_sim import main


@pytest.fixture
def printed(capsys):
    """Return a function that runs words, which must go well, and returns what was printed."""

    def run(*words: str | Path) -> str:
        code = main.run([str(word) for word in words])
        said = capsys.readouterr()
        assert code == 0, said.err
        return said.out

    return run


@pytest.fixture
def refusal(capsys):
    """Return a function that runs words, checks the form of the refusal and returns it."""

    def refuse(*words: str | Path, code: int = 2) -> str:
        assert main.run([str(word) for word in words]) == code
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("Error: ")
        assert said.err.count("\n") == 1
        assert "the program failed" not in said.err
        return said.err

    return refuse
