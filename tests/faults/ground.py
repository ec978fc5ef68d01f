"""The ground on which a fault is tried: a working folder, a folder outside it, and commands.

After any fault, a command ends in time with a documented exit code and without a traceback, and
touches nothing outside its working folder.
"""

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
from polars.testing import assert_frame_equal
from sweeps import rows_of

EXIT_CODES = {0, 1, 2, 3, 4, 130}

#: The time limit for a command, on a quiet machine.
SECONDS = 120.0
#: The time limit for processes that outlive a command, on a quiet machine.
SECONDS_TO_FOLLOW = 10.0


def patience(seconds: float) -> float:
    """A time limit that allows for the load of the machine."""
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
    { strategies = ["random"], players = [2, 4], gives_up = true },
    { strategies = ["greedy"], players = [1] },
]
"""

ENTRY = f"import sys, {commands.MODULE} as main; sys.exit(main.run(sys.argv[1:]))"


@dataclass(frozen=True)
class Ended:
    """A finished command: its exit code and its output."""

    code: int
    out: str
    err: str

    def __post_init__(self) -> None:
        """Assert what holds of every command, whatever the fault."""
        assert self.code in EXIT_CODES, f"exit code {self.code}: {self.err[-2000:]}"
        for sign in ("Traceback (most recent call last)", "the program failed ("):
            assert sign not in self.out + self.err, self.err[-2000:]
        assert self.code == 0 or (self.out + self.err).strip(), "it ended without a sentence"


@dataclass(frozen=True)
class Running:
    """A command in its own process."""

    process: subprocess.Popen[bytes]
    _out: IO[str]
    _err: IO[str]

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition holds; fail if the process ends first, or if it takes too long."""
        late = time.monotonic() + patience(SECONDS)
        while not holds():
            assert self.process.poll() is None, f"it ended too early: {self.ended()}"
            assert time.monotonic() < late, "it never came so far"
            time.sleep(0.01)

    def ended(self, seconds: float = SECONDS) -> Ended:
        """The exit code and output of a command that ends by itself; fail if it takes too long."""
        code = self.process.wait(patience(seconds))
        return Ended(code, *map(_whole, (self._out, self._err)))

    def others(self) -> dict[int, str]:
        """The command lines of processes that the command started and that still run, by id."""
        commands = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, _, _, session = path.read_text().rpartition(")")[2].split()[:4]
                if int(session) == self.process.pid != int(path.parent.name) and state != "Z":
                    commands[int(path.parent.name)] = (path.parent / "cmdline").read_text()
        return commands

    def is_alone(self) -> bool:
        """Whether the processes that the command started end soon after it."""
        late = time.monotonic() + patience(SECONDS_TO_FOLLOW)
        while self.others() and time.monotonic() < late:
            time.sleep(0.05)
        return not self.others()


def _whole(file: IO[str]) -> str:
    """The whole content of a file that another process wrote."""
    file.seek(0)
    return file.read()


class Ground:
    """A place for one fault.

    `inside` is the working folder of commands that run in their own process; `sweep()` puts a
    finished sweep into it. `outside` is a folder beside it.
    """

    def __init__(self, root: Path, reference: Path) -> None:
        """Make the ground in an empty folder; `reference` holds a finished sweep of SPEC."""
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

    def sweep(self) -> Path:
        """A folder with a finished sweep of SPEC."""
        return Path(shutil.copytree(self._reference, self.inside / "data", symlinks=True))

    def run(self, *words: object) -> Ended:
        """Run a command in this process, which is fast; it must not be stopped or killed."""
        out, err = io.StringIO(), io.StringIO()
        with _in_time(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = commands.run(*words)
        return Ended(code, out.getvalue(), err.getvalue())

    @contextlib.contextmanager
    def started(self, *words: object, **options: Any) -> Iterator[Running]:
        """Start a command in its own process, which is killed at the end if it still runs.

        Args:
            words: the command line.
            options: further arguments of `subprocess.Popen`, such as `env`, `stdout` or
            `preexec_fn`.
        """
        # Output goes to files, so that neither process waits for the other.
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            given = {"cwd": self.inside, "stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
            # Like an installed command, without the working folder in Python's path.
            line = [sys.executable, "-P", "-c", ENTRY, *map(str, words)]
            process = subprocess.Popen(line, start_new_session=True, **{**given, **options})
            try:
                yield Running(process, out, err)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def played(self, *words: object, **options: Any) -> Ended:
        """Run a command in its own process until it ends."""
        with self.started(*words, **options) as running:
            return running.ended()

    def holds_everything(self, folder: Path) -> None:
        """Assert that nothing is lost: the same command continues, and all rows are as always."""
        again = self.run("sweep", self.spec, "--out", folder, "--jobs", 2, "--quiet")
        assert again.code == 0, again.err
        assert self.run("sweep", "--verify", "--out", folder).code == 0
        held, expected = rows_of(folder), rows_of(self._reference)
        for name, rows in expected.items():
            again_played = held[name].join(expected["games"], on=["cell", "game"], how="semi")
            assert_frame_equal(again_played, rows, check_row_order=False, check_column_order=False)

    def nothing_outside_was_touched(self) -> None:
        """Assert that the folder outside did not change."""
        assert _state(self.outside) == self._before


def _state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """The size, time of change and content of every file in a folder."""
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
    """Fail if the body takes too long."""
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
