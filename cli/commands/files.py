"""Files that a command writes: refused before the work where they cannot be, and never by half."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import click

from ethnos_sim.simulator.errors import Failed


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
