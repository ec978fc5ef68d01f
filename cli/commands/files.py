"""Files that a command writes: refused before the work where they cannot be, and never by half."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click


class OutputPath(click.ParamType[Path]):
    """An option's value that says where results go, tried before the work begins.

    Raises:
        Failed: nothing can be written there.
    """

    def __init__(self, *, folder: bool = False) -> None:
        """Take a file, or a folder."""
        self._folder = folder
        self.name = "directory" if folder else "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, where it can be written."""
        from ethnos_sim.experiments.storage.files import check_writable

        path = Path(value)
        if str(value) == "" or "\0" in str(value):
            self.fail("needs the name of a " + ("folder" if self._folder else "file"), param, ctx)
        check_writable(path, folder=self._folder)
        return path


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
