"""Commands that are killed or interrupted at some moment, and folders that vanish under them."""

import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

from faults.fault import Fault
from faults.ground import Ended, Ground, Running, patience

#: The time limit for a command to end.
SECONDS_TO_END = 15.0

SWEEP = ("--jobs", "2", "--quiet", "--shard-games", "20")

Reached = Callable[[Path], bool]
"""Whether a sweep has reached a point."""

CAUGHT = 1 << (signal.SIGTERM - 1)


def caught(running: Running) -> bool:
    """Whether a command already handles signals, as /proc tells."""
    status = Path(f"/proc/{running.process.pid}/status").read_text(encoding="ascii")
    (handled,) = (line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(handled, 16) & CAUGHT)


def lines(count: int) -> Reached:
    """Whether `count` shards are finished."""

    def reached(folder: Path) -> bool:
        path = folder / "manifest.jsonl"
        return path.exists() and path.read_bytes().count(b"\n") >= count

    return reached


def there(name: str) -> Reached:
    """Whether the folder holds the file `name`."""
    return lambda folder: (folder / name).exists()


def killed(reached: Reached) -> Callable[[Ground], None]:
    """Kill a sweep at some moment: its workers end, and the same command plays the other games."""

    def strike(ground: Ground) -> None:
        folder = ground.inside / "data"
        with ground.started("sweep", ground.spec, "--out", folder, *SWEEP) as sweep:
            sweep.wait_until(lambda: reached(folder))
            sweep.process.kill()
            sweep.process.wait()
            assert sweep.is_alone(), sweep.others()
        ground.holds_everything(folder)

    return strike


def stopped(running: Running, number: int) -> Ended:
    """Send a signal to a command: it ends in time, with a sentence and code 130."""
    sent = time.monotonic()
    running.process.send_signal(number)
    ended = running.ended(SECONDS_TO_END + 20)
    assert time.monotonic() - sent < patience(SECONDS_TO_END)
    assert running.is_alone(), running.others()
    assert ended.code == 130, ended
    assert "\nInterrupted" in f"\n{ended.err}", ended.err
    return ended


def interrupted(number: int, reached: Reached) -> Callable[[Ground], None]:
    """Send a signal to a sweep at some moment: what is finished is kept."""

    def strike(ground: Ground) -> None:
        folder = ground.inside / "data"
        words = ["sweep", ground.spec, "--out", folder, "--quiet", "--games", "20000"]
        with ground.started(*words) as sweep:
            sweep.wait_until(lambda: caught(sweep) and reached(folder))
            ended = stopped(sweep, number)
        if (folder / "plan.json").exists():
            assert "what is finished is kept. Run the same command to go on." in ended.err
            assert not list(folder.rglob("*.unfinished"))
            ground.holds_everything(folder)

    return strike


def interrupted_match(ground: Ground) -> None:
    """Send a signal to a match while it plays."""
    words = ["match", "--strategies", "greedy,random", "--games", "9000000"]
    with ground.started(*words) as match:
        match.wait_until(lambda: caught(match))
        time.sleep(4.0)
        stopped(match, signal.SIGTERM)


def removed(folder: Path) -> None:
    """Remove a folder while another process writes into it."""
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=True)


def taken_away(take: Callable[[Path, Ground], object]) -> Callable[[Ground], None]:
    """Take the folder away from a running sweep: it fails with a sentence."""

    def strike(ground: Ground) -> None:
        folder = ground.inside / "data"
        words = ["sweep", ground.spec, "--out", folder, *SWEEP, "--games", "60000"]
        with ground.started(*words) as sweep:
            sweep.wait_until(lambda: lines(3)(folder))
            take(folder, ground)
            ended = sweep.ended()
        assert ended.code == 1, ended
        assert "holds" not in ended.out

    return strike


SIGNALS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM}
MOMENTS = {"a sweep": lines(1), "a sweep that begins": there("sweep.lock")}

FAULTS = [
    Fault("kill", "a sweep whose first shard is finished", killed(lines(1)), short=True),
    Fault("kill", "a sweep with 5 shards", killed(lines(5))),
    Fault("kill", "a sweep after its plan", killed(there("plan.json"))),
    *(
        Fault("signal", f"{name} to {what}", interrupted(number, reached), short=what == "a sweep")
        for name, number in SIGNALS.items()
        for what, reached in MOMENTS.items()
    ),
    Fault("signal", "SIGTERM to a match", interrupted_match),
    Fault("replace", "the folder is removed", taken_away(lambda f, g: removed(f))),
    Fault(
        "replace",
        "the folder is renamed",
        taken_away(lambda f, g: f.rename(g.inside / "elsewhere")),
        short=True,
    ),
]
