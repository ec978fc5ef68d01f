"""Writing into a sweep's folder: nothing goes through a link, and no half line remains."""

from __future__ import annotations

import os
from pathlib import Path

from ethnos_sim.experiments.storage.files import make_folders, write_whole
from ethnos_sim.simulator.utilities.errors import Failed
from ethnos_sim.simulator.utilities.reading import read_file

#: Without O_NONBLOCK, opening a pipe would wait for a reader.
_THROUGH_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def check_no_link(root: Path, below: Path) -> None:
    """Raise Failed if a folder on the way from `root` down to the folder `below` is a link."""
    for at in (*reversed((root / below).parents), root / below):
        if at.is_relative_to(root) and at != root and at.is_symlink():
            raise Failed(f"the folder '{at}' is a link; a sweep writes to its own folder alone")


def make_folder(root: Path, below: Path) -> None:
    """Make a folder below another one; Failed for a link on the way, or if it cannot be made."""
    check_no_link(root, below)
    try:
        make_folders(root / below)
    except OSError as error:
        raise Failed(f"the folder '{root / below}' cannot be made: {error.strerror}") from error


def append(path: Path, line: bytes) -> None:
    """Add a line to an existing file and force it to the disk; a line that fails is removed again.

    Other hard links to the file, as in a copy of the folder, keep the old content.
    """
    try:
        if path.stat().st_nlink > 1:
            write_whole(path, read_file(path))
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | _THROUGH_NO_LINK)
        with open(descriptor, "ab", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            try:
                if file.write(line) != len(line):
                    raise OSError(None, "the disk took only a part of it")
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error
