"""Files that are written whole or not at all.

A file is first written beside its place and then moved there, so that a stop at any moment, or a
full disk, leaves no half file.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ethnos_sim.simulator.utilities.errors import Failed

#: The suffix of an unfinished file, whose name also begins with a dot, so that nothing reads it.
UNFINISHED = ".unfinished"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, even if the machine stops.

    Raises:
        Failed: the file cannot be written; nothing of it is left.
    """
    write_all([(path, content)], forced=True)


def write_all(
    files: Iterable[tuple[Path, bytes | Iterable[bytes]]], *, forced: bool = False
) -> None:
    """Write files that belong together: all are written before the first is moved to its place.

    The content of a file may come in parts. Missing folders are made. Unless `forced`, the system
    chooses when it writes to the disk, which is enough for what can be made again.

    Raises:
        Failed: a file cannot be written; unfinished files are removed.
    """
    ready: list[tuple[Path, Path]] = []
    at = Path()
    try:
        for path, content in files:
            at = path
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise IsADirectoryError(None, "it is a folder")
            unfinished = path.with_name(f".{path.name}{UNFINISHED}")
            with unfinished.open("wb") as file:
                ready.append((unfinished, path))
                file.writelines([content] if isinstance(content, bytes) else content)
                if forced:
                    file.flush()
                    os.fsync(file.fileno())
        for unfinished, at in ready:
            os.replace(unfinished, at)
    except OSError as error:
        raise Failed(f"'{at}' cannot be written: {error.strerror}") from error
    finally:
        for unfinished, _ in ready:
            with contextlib.suppress(OSError):
                unfinished.unlink()


def append(path: Path, line: bytes) -> None:
    """Add a line to an existing file; a line that fails is removed again.

    Raises:
        Failed: the file cannot be written.
    """
    try:
        with open(os.open(path, os.O_WRONLY | os.O_APPEND), "ab", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            if file.write(line) != len(line):
                file.truncate(end)
                raise OSError(None, "the disk took only a part of it")
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error


def write_output(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file that a user names, whole; links are followed.

    A pipe or a device is written to directly.

    Raises:
        Failed: the file cannot be written; nothing of it is left.
    """
    if path.is_file() or path.is_dir() or not path.exists():
        write_all([(path.resolve(), content)])
        return
    try:
        with path.open("wb") as file:
            file.writelines([content] if isinstance(content, bytes) else content)
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error


def nearest_folder(path: Path) -> Path:
    """The nearest path that exists: `path` or a folder above it. If none exists, `path`."""
    return next(
        (folder for folder in (path, *path.absolute().parents) if os.path.lexists(folder)), path
    )


def check_writable(path: Path, *, folder: bool) -> None:
    """Check that results can be written to a path, before the work that makes them.

    Args:
        path: a file, or a folder for files, which may not exist yet.
        folder: whether the path is a folder.

    Raises:
        Failed: the path cannot be written; the message gives the reason.
    """
    try:
        if not folder and path.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        if not folder and path.exists() and not path.is_file():
            return  # a pipe or a device is written to directly
        with tempfile.TemporaryFile(dir=nearest_folder(path if folder else path.absolute().parent)):
            pass
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error
