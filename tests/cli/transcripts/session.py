"""Sessions at the command line as text files: what is typed, what it prints, its exit code.

A line that begins with "$ " is typed; what follows is what it prints, standard error with "! " in
front, and the exit code where it is not 0. The last line names the files that are left. What a
clock or the source decides stands as "…". After a change that is meant,
`PYTHONPATH=tests python tests/cli/transcripts/session.py` records all sessions anew, for reading
the difference.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from commands import run

FOLDER = Path(__file__).parent
SESSIONS = sorted(path.stem for path in FOLDER.glob("*.txt"))
PROMPT = "$ ethnos-sim "

#: Times, rates, sizes on disk, and the identities of rules and plans.
CLOCKS = re.compile(
    r"(?<=in )\d+\.\d s, [\d,]+ games/s|(?<=in )\d+ s\b|about [^,]+ with|[\d,]+ games/s(?=, up)"
    r"|(?<=games in )[\d,.]+ MB|up to [\d,]+ MB"
    r"|(?<=plan )[0-9a-f]{16}|(?<=rules )[0-9a-f]{12}|(?<=rules_id\": \")[0-9a-f]{12}"
)


def commands(session: str) -> list[str]:
    """What a session types, without the program's name."""
    lines = (FOLDER / f"{session}.txt").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]


def replayed(session: str) -> str:
    """A session as it runs now, in an empty folder, and what it leaves there."""
    with _empty_folder():
        told = [*map(_answered, commands(session))]
        return "\n".join([*told, f"Left are: {', '.join(sorted(os.listdir())) or 'no files'}.\n"])


@contextlib.contextmanager
def _empty_folder() -> Iterator[None]:
    """Work in an empty folder, at a terminal of 80 columns that nobody looks at."""
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            yield
    finally:
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns


def _answered(command: str) -> str:
    """A command with what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(*shlex.split(command))
    told = [f"! {line}".rstrip() for line in err.getvalue().splitlines()]
    lines = [PROMPT + command, *out.getvalue().splitlines(), *told]
    lines += [f"exit code {code}"] * bool(code)
    return CLOCKS.sub("…", "\n".join(lines)) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:] or SESSIONS:
        told = replayed(name)
        (FOLDER / f"{name}.txt").write_text(told, encoding="utf-8")
