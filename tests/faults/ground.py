"""Where a fault is tried: a folder to work in, a folder beside it that nothing may touch, commands.

Whatever the fault, a command leaves with a documented exit code and no traceback, within a time,
and touches nothing outside the folder that it works in.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import commands

from ethnos_sim import open_results

EXIT_CODES = {0, 1, 2, 3, 4, 130}

#: How long commands, and the processes that they started after them, may take on a quiet machine.
SECONDS = 120.0
SECONDS_TO_FOLLOW = 10.0


def patience(seconds: float) -> float:
    """As many seconds on a machine that does other things too: each process has less of it then."""
    return seconds * max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


SPEC = """
name = "Tried"
seed = 5
games = 960
editions = ["second", "first"]
modes = ["standard", "solo-hard"]
players = [1, 2, 4]
clan_sets = { sample = 2 }
line_ups = [
    { strategies = ["greedy", "random"], players = [2, 4] },
    { strategies = ["random"], players = [2, 4], one_seat = "never_leads" },
    { strategies = ["greedy"], players = [1] },
]
"""

ENTRY = f"import sys, {commands.MODULE} as main; sys.exit(main.run(sys.argv[1:]))"


@dataclass(frozen=True)
class Ended:
    """A command that has ended: its exit code and what it printed."""

    code: int
    out: str
    err: str

    def __post_init__(self) -> None:
        """What holds of every command, whatever was done to it."""
        assert self.code in EXIT_CODES, f"exit code {self.code}: {self.err[-2000:]}"
        for sign in ("Traceback (most recent call last)", "the program failed ("):
            assert sign not in self.out + self.err, self.err[-2000:]
        assert self.code == 0 or (self.out + self.err).strip(), "it ended without a sentence"


@dataclass(frozen=True)
class Running:
    """A command that runs in a process of its own."""

    process: subprocess.Popen[bytes]
    _out: IO[str]
    _err: IO[str]

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; fail where the process ends before, or it takes too long."""
        late = time.monotonic() + patience(SECONDS)
        while not holds():
            assert self.process.poll() is None, f"it ended too early: {self.ended()}"
            assert time.monotonic() < late, "it never came so far"
            time.sleep(0.01)

    def ended(self, seconds: float = SECONDS) -> Ended:
        """How it ended by itself; fail where it has not after so many seconds."""
        code = self.process.wait(patience(seconds))
        return Ended(code, *map(_whole, (self._out, self._err)))

    def others(self) -> dict[int, str]:
        """The command lines of the processes that it has started and that still run, by number."""
        found = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, _, _, session = path.read_text().rpartition(")")[2].split()[:4]
                if int(session) == self.process.pid != int(path.parent.name) and state != "Z":
                    found[int(path.parent.name)] = (path.parent / "cmdline").read_text()
        return found

    def is_alone(self) -> bool:
        """Whether what it has started ends soon after it."""
        late = time.monotonic() + patience(SECONDS_TO_FOLLOW)
        while self.others() and time.monotonic() < late:
            time.sleep(0.05)
        return not self.others()


def _whole(file: IO[str]) -> str:
    """All that was written to a file by somebody else."""
    file.seek(0)
    return file.read()


class Ground:
    """A place for one fault.

    `inside` is the folder to work in, where commands of their own process run; `sweep()` puts a
    finished sweep there. `outside` lies beside it.
    """

    def __init__(self, root: Path, reference: Path) -> None:
        """Lay the ground below an empty folder; `reference` holds a finished sweep of SPEC."""
        self._reference = reference
        self.inside = root / "inside"
        self.outside = root / "outside"
        self.inside.mkdir(parents=True)
        self.outside.mkdir()
        (self.outside / "games.parquet").write_bytes(b"somebody's own")
        (self.outside / "plan.json").write_text("{}\n", encoding="utf-8")
        self.spec = self.inside / "spec.toml"
        self.spec.write_text(SPEC, encoding="utf-8")
        self._before = _state(self.outside)

    def sweep(self, name: str = "data") -> Path:
        """A folder with a finished sweep of SPEC."""
        return Path(shutil.copytree(self._reference, self.inside / name, symlinks=True))

    def run(self, *words: object) -> Ended:
        """Run a command in this process, which is fast; it must not be stopped or killed."""
        out, err = io.StringIO(), io.StringIO()
        with _in_time(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = commands.run(*words)
        return Ended(code, out.getvalue(), err.getvalue())

    @contextlib.contextmanager
    def started(self, *words: object, entry: str = ENTRY, **options: Any) -> Iterator[Running]:
        """Start a command in a process of its own, which is killed with the body if it still runs.

        Args:
            words: the command line.
            entry: the Python text that runs it.
            options: as `subprocess.Popen` takes them, such as `env`, `stdout` or `preexec_fn`.
        """
        # What it prints goes to files, so that neither side ever waits for the other.
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            given = {"cwd": self.inside, "stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
            # As an installed command begins, without the working folder among Python's folders.
            line = [sys.executable, "-P", "-c", entry, *map(str, words)]
            process = subprocess.Popen(line, start_new_session=True, **{**given, **options})
            try:
                yield Running(process, out, err)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def played(self, *words: object, **options: Any) -> Ended:
        """Run a command in a process of its own until it ends."""
        with self.started(*words, **options) as running:
            return running.ended()

    def holds_everything(self, folder: Path) -> None:
        """Nothing is lost: the same command goes on, and every row is what it always is.

        Where the sweep was asked for more games than the reference, those of both are compared.
        """
        again = self.run("sweep", self.spec, "--out", folder, "--jobs", 2, "--quiet")
        assert again.code == 0, again.err
        assert self.run("sweep", "--verify", "--out", folder).code == 0
        assert rows(folder, self._reference) == rows(self._reference, self._reference)

    def nothing_outside_was_touched(self) -> None:
        """The folder beside is as it was."""
        assert _state(self.outside) == self._before


def rows(folder: Path, reference: Path) -> dict[str, str]:
    """The rows of the reference's games in a folder, hashed by table, however shards were cut."""
    results = open_results(folder)
    played = open_results(reference)
    return {
        f"{table} {partition.path}": str(
            results.of(partition, table)
            .join(played.of(partition, "games"), on=["cell", "game"], how="semi")
            .collect()
            .sort("cell", "game", *(["seat"] if table == "seats" else []))
            .hash_rows()
            .to_list()
        )
        for partition in results.partitions
        for table in ("games", "seats")
    }


def _state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file below a folder: size, time of change, content."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_size,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    """Fail what takes too long."""
    seconds = patience(SECONDS)

    def late(number: int, frame: object) -> None:
        raise AssertionError(f"it was not over within {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
