"""Files that are written whole or not at all.

What is written goes beside its place first, so that a stop at any moment, or a full disk, leaves no
half file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ethnos_sim.simulator.errors import Failed

#: How the name of a file ends that is not finished; it begins with a dot, so that none reads it.
UNFINISHED = ".unfinished"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that, whenever the machine stops, it is there whole or not at all.

    Raises:
        Failed: the file cannot be written; nothing of it is left.
    """
    write_all([(path, content)])


def write_all(files: Iterable[tuple[Path, bytes | Iterable[bytes]]]) -> None:
    """Write files that belong together: all are on the disk before the first takes its place.

    A content may come in parts. Folders are made where they are missing. A link at the place of an
    unfinished file is removed, never followed.

    Raises:
        Failed: one of them cannot be written; then none was changed, and nothing is left over.
    """
    ready: list[tuple[Path, Path]] = []
    at = Path()
    try:
        for path, content in files:
            at = path
            make_folders(path.parent)
            if path.is_dir():
                raise IsADirectoryError(None, "it is a folder")
            unfinished = path.with_name(f".{path.name}{UNFINISHED}")
            unfinished.unlink(missing_ok=True)
            with unfinished.open("xb") as file:
                ready.append((unfinished, path))
                file.writelines([content] if isinstance(content, bytes) else content)
                file.flush()
                os.fsync(file.fileno())
        for unfinished, at in ready:
            os.replace(unfinished, at)
        for folder in {path.parent for _, path in ready}:
            _force_to_disk(folder)
    except OSError as error:
        raise Failed(f"'{at}' cannot be written: {error.strerror}") from error
    finally:
        for unfinished, _ in ready:
            with contextlib.suppress(OSError):
                unfinished.unlink()


def write_output(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file that a user names: whole, and to where a link leads.

    What is there already and no regular file (a pipe, a device) is written to directly.

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
    """The path itself or the first above it that exists, as far as one can tell."""
    return next((each for each in (path, *path.absolute().parents) if os.path.lexists(each)), path)


def check_writable(path: Path, *, folder: bool) -> None:
    """Refuse a place where nothing can be written, before the work whose results go there.

    Args:
        path: where a file, or files in a folder, will be written; nothing of it need exist.
        folder: whether it is a folder.

    Raises:
        Failed: it cannot be written, with the reason.
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


def make_folders(folder: Path) -> None:
    """Make a folder and those above it where they are missing, each with its name on the disk.

    Raises:
        OSError: one of them cannot be made.
    """
    if folder.is_dir():
        return
    make_folders(folder.parent)
    folder.mkdir(exist_ok=True)
    _force_to_disk(folder.parent)


#: What systems answer that force no folder's list of files to the disk, or not for this user.
_NOT_OFFERED = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EACCES, errno.EPERM}


def _force_to_disk(folder: Path) -> None:
    """Force a folder's list of files to the disk, where the system offers that."""
    if os.name == "nt":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in _NOT_OFFERED:
            raise
