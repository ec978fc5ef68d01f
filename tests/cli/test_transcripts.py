"""Every command prints what its recorded session shows.

In a session, a line that begins with "$ " is a command. Its output follows, with "! " before lines
of standard error, and the exit code if it is not 0. The last line names the files that are left.
"…" stands for everything that depends on the clock or on the source code. After an intended change,
`PYTHONPATH=tests python tests/cli/test_transcripts.py` records all sessions again, so that the
difference can be read.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import run
from inside import module_with
from inside.strategies import is_from_outside

from ethnos_sim.strategies import list_strategies

registry = module_with("strategies", "list_strategies")
FOLDER = Path(__file__).parent / "transcripts"
SESSIONS = sorted(path.stem for path in FOLDER.glob("*.txt"))
PROMPT = "$ ethnos-sim "

#: Times, rates, file sizes, and the ids of rules and plans.
CLOCKS = re.compile(
    r"(?<=in )\d+\.\d s, [\d,]+ games/s|(?<=in )\d+ s\b|about [^,]+ with|[\d,]+ games/s(?=, up)"
    r"|(?<=games in )[\d,.]+ MB|up to [\d,]+ MB"
    r"|(?<=plan )[0-9a-f]{16}|(?<=rules )[0-9a-f]{12}|(?<=rules_id\": \")[0-9a-f]{12}"
)


def commands(session: str) -> list[str]:
    """The commands of a session, without the program's name."""
    lines = (FOLDER / f"{session}.txt").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]


def replayed(session: str) -> str:
    """Run a session in an empty folder; return its text, with the files that are left."""
    with _empty_folder():
        lines = [*map(_answered, commands(session))]
        return "\n".join([*lines, f"Files written: {', '.join(sorted(os.listdir())) or 'none'}.\n"])


@contextlib.contextmanager
def _empty_folder() -> Iterator[None]:
    """Work in an empty folder, with 80 columns and without a terminal."""
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
    ):
        patch.setenv("COLUMNS", "80")
        yield


def _answered(command: str) -> str:
    """Run a command; return its line with its output."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(*shlex.split(command))
    errors = [f"! {line}".rstrip() for line in err.getvalue().splitlines()]
    lines = [PROMPT + command, *out.getvalue().splitlines(), *errors]
    lines += [f"exit code {code}"] * bool(code)
    return CLOCKS.sub("…", "\n".join(lines)) + "\n"


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_prints_what_is_recorded(session, monkeypatch) -> None:
    """Run as in a new process, without strategies that other tests have loaded."""
    bundled = {known.name: known for known in list_strategies() if not is_from_outside(known)}
    monkeypatch.setattr(registry, "_known", bundled)
    assert replayed(session) == (FOLDER / f"{session}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or SESSIONS:
        (FOLDER / f"{name}.txt").write_text(replayed(name), encoding="utf-8")
