"""Run commands of the program in this process, and programs in a process of their own."""

import os
import subprocess
import sys
from pathlib import Path

from ethnos_sim import main

#: The importable name of the module that runs commands.
MODULE = main.__name__

COMMANDS, command_line = main.COMMANDS, main.command_line


def run(*words: object) -> int:
    """Run a command, given by its words after the program's name; return its exit code."""
    return main.run([str(word) for word in words])


def python(
    *words: str | Path, code: int | None = 0, folder: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with `words` in `folder`, and check the exit code unless `code` is None."""
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
