"""Files that a command writes: refused before the work where they cannot be, and never by half."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click


def writable(name: str | Path, *, folder: bool = False) -> Path:
    """The file, or folder, that an option names for results, tried before the work begins.

    Raises:
        BadParameter: this is no name.
        Failed: nothing can be written there.
    """
    from ethnos_sim.experiments.storage.files import check_writable

    if str(name) == "" or "\0" in str(name):
        raise click.BadParameter("needs the name of a " + ("folder" if folder else "file"))
    check_writable(Path(name), folder=folder)
    return Path(name)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text file (UTF-8) whole: nothing of it is left after an error or an interruption.

    What is there already and no regular file (a pipe, a device) is written to directly.

    Raises:
        Failed: the file cannot be written.
    """
    from ethnos_sim.experiments.storage.files import write_all

    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("w", encoding="utf-8") as file:
            file.writelines(lines)
    else:
        write_all([(path, (line.encode() for line in lines))])
