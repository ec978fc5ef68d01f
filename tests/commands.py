"""Commands of the program, run in this process, and programs in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ethnos_sim import main

#: The module that a process of its own runs commands by, as `import` takes it.
MODULE = main.__name__

COMMANDS, command_line = main.COMMANDS, main.command_line


def run(*words: object) -> int:
    """The exit code of a command, given by its words after the program's name."""
    return main.run([str(word) for word in words])


def python(
    *words: str | Path, code: int | None = 0, folder: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """How Python ended with such words in a folder, with an exit code unless it may be any."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert code in (None, done.returncode), done.stderr
    return done
