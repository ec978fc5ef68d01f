"""Full disks."""

import resource
from collections.abc import Callable
from pathlib import Path

from faults.fault import Fault
from faults.ground import Ground


def limited(size: int) -> Callable[[], None]:
    """Return a function that limits the size of files in a new process, as a full disk does.

    The output of the process goes to files too, so the limit must leave room for a sentence.
    """
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def full_sweep(size: int) -> Callable[[Ground], None]:
    """A sweep onto a full disk fails with a sentence, and continues once there is room again."""

    def strike(ground: Ground) -> None:
        folder = ground.inside / "data"
        words = ["sweep", ground.spec, "--out", folder, "--jobs", "1", "--quiet"]
        ended = ground.played(*words, "--shard-games", "100", preexec_fn=limited(size))
        assert ended.code == 1, ended
        assert "cannot be written" in ended.err, ended.err
        assert not list(folder.rglob("*.unfinished"))
        ground.holds_everything(folder)

    return strike


def full_report(size: int) -> Callable[[Ground], None]:
    """A report onto a full disk leaves either all files of the earlier report or all new ones."""

    def strike(ground: Ground) -> None:
        folder, page = ground.sweep(), ground.inside / "page.html"
        assert ground.run("report", folder, "--out", page).code == 0
        before = _report_files(page)
        for path in before:
            (ground.inside / path).write_bytes(b"of the report before")
        ended = ground.played("report", folder, "--out", page, preexec_fn=limited(size))
        assert ended.code == 1, ended
        assert "cannot be written" in ended.err, ended.err
        after = _report_files(page)
        assert set(after) == set(before)
        assert set(after.values()) == {b"of the report before"}

    return strike


def _report_files(page: Path) -> dict[str, bytes]:
    """The files of a report."""
    files = [page, page.with_suffix(".csv")]
    return {str(path.relative_to(page.parent)): path.read_bytes() for path in files}


FAULTS = [
    *(
        Fault("fill", f"a sweep, {n:,} bytes", full_sweep(n), short=n == 4000)
        for n in (1000, 4000, 9000)
    ),
    Fault("fill", "a report, 20,000 bytes", full_report(20_000)),
]
