"""Files that a command writes: there whole, or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from ethnos_sim.simulator.errors import Failed


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that takes its place only when the body has ended well.

    It is written beside its place and moved there in one step; after an error or an interruption
    nothing of it is left, and an older file at the place is untouched. What is there already and no
    regular file (a pipe, a device) is written to directly.

    Raises:
        Failed: the file cannot be written.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            with path.open("w", encoding="utf-8") as file:
                yield file
            return
        if path.is_dir():
            raise Failed(f"'{path}' cannot be written: it is a folder")
        unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
        try:
            with unfinished.open("x", encoding="utf-8", newline="\n") as file:
                yield file
            os.replace(unfinished, path)
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error
