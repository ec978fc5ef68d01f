"""Files of a finished sweep that are damaged, missing or not what they seem."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from faults.fault import Fault
from faults.ground import Ground


def damaged(change: Callable[[Path], None]) -> Callable[[Ground], None]:
    """Change a sweep's folder; every command then ends with a sentence, and nothing is lost."""

    def strike(ground: Ground) -> None:
        folder = ground.sweep()
        change(folder)
        assert ground.run("verify", folder).code == 1
        ground.holds_everything(folder)

    return strike


def cut(name: str) -> Callable[[Path], None]:
    """Cut the last bytes off the first file that a pattern finds."""

    def change(folder: Path) -> None:
        path = min(folder.rglob(name))
        path.write_bytes(path.read_bytes()[:-9])

    return change


FAULTS = [
    Fault("damage", "a table of games is cut off", damaged(cut("games/**/*.parquet")), short=True),
    Fault("damage", "a table of seats is cut off", damaged(cut("seats/**/*.parquet"))),
]
