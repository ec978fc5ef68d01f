"""Files that are written whole or not at all.

A file is written under another name in its folder and then renamed, so that a stop at any moment,
or a full disk, leaves no half file.
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


def write_synced_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, even if the machine stops.

    Raises:
        Failed: the file cannot be written; nothing of it is left.
    """
    write_files([(path, content)], synced=True)


def write_files(
    files: Iterable[tuple[Path, bytes | Iterable[bytes]]], *, synced: bool = False
) -> None:
    """Write files that belong together: all are written before the first gets its name.

    The content of a file may be several pieces. Missing folders are made. If `synced`, the files
    are on the disk at the end, safe from a loss of power; other files must be easy to make again.

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
                if synced:
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


def append_line(path: Path, line: bytes) -> None:
    """Add a line to an existing file; a line that fits only in part is removed.

    Raises:
        Failed: the file cannot be written.
    """
    try:
        with open(os.open(path, os.O_WRONLY | os.O_APPEND), "ab", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            if file.write(line) != len(line):
                file.truncate(end)
                raise OSError(None, "the disk took only a part of the line")
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error


def write_output(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file that a user names, whole or not at all; links are followed.

    A pipe or a device is written to directly.

    Raises:
        Failed: the file cannot be written; nothing of it is left.
    """
    if path.is_file() or path.is_dir() or not path.exists():
        write_files([(path.resolve(), content)])
        return
    try:
        with path.open("wb") as file:
            file.writelines([content] if isinstance(content, bytes) else content)
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error


def nearest_existing_path(path: Path) -> Path:
    """`path` if it exists, else the nearest folder above it that does, else `path`."""
    return next(
        (folder for folder in (path, *path.absolute().parents) if os.path.lexists(folder)), path
    )


def check_writable(path: Path, *, is_folder: bool) -> None:
    """Check that results can be written to a path, before they are computed.

    Args:
        path: a file or a folder, which may not exist yet.
        is_folder: whether the path is that of a folder.

    Raises:
        Failed: the path cannot be written; the message gives the reason.
    """
    try:
        if not is_folder and path.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        if not is_folder and path.exists() and not path.is_file():
            return  # a pipe or a device is written to directly
        folder = path if is_folder else path.absolute().parent
        tempfile.TemporaryFile(dir=nearest_existing_path(folder)).close()
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}") from error
