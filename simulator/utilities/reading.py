"""Read files that users name, safely: pipes, devices and huge packed files are refused.

All users' files are read here, so that these cases are handled in one place.
"""

from __future__ import annotations

import functools
import io
import json
import os
import stat
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ethnos_sim.simulator.utilities.errors import WrongInput, message_of

#: The most bytes that a file may have, and that its arrays may have once they are unpacked.
MOST_BYTES = 2**28

#: The most bytes that a TOML file may have.
MOST_TOML_BYTES = 2**24

#: The deepest nesting that a TOML file's tables may have.
MOST_DEPTH = 50

#: The most entries that a list or a table of a TOML file may have.
MOST_ENTRIES = 2000

T = TypeVar("T")


def read_file(path: Path, limit: int = MOST_BYTES) -> bytes:
    """The content of a file.

    Args:
        path: a regular file, or a link to a regular file.
        limit: the most bytes that the file may have.

    Raises:
        OSError: the file cannot be read, is no regular file, or is larger than `limit`.
    """
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(None, "it is no regular file", str(path))
        content = file.read(limit + 1)
    if len(content) > limit:
        raise OSError(None, f"it is larger than {limit:,} bytes", str(path))
    return content


def cached_until_changed(read: Callable[[Path], T]) -> Callable[[Path], T]:
    """Cache the results of a function that reads a file; read a file again if it has changed.

    The line-ups of a sweep name the same few files ten thousand times.
    """

    @functools.lru_cache(maxsize=64)
    def read_version(path: Path, *version: int) -> T:
        return read(path)

    @functools.wraps(read)
    def read_unless_cached(path: Path) -> T:
        now = path.stat()
        return read_version(path, now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns)

    return read_unless_cached


def read_toml(path: Path, kind: str) -> dict[str, Any]:
    """The content of a TOML file.

    Args:
        path: the file.
        kind: what errors call the file, such as "spec".

    Raises:
        WrongInput: the file cannot be read or is not TOML.
    """
    try:
        return parse_toml(read_file(path, MOST_TOML_BYTES))
    except OSError as error:
        raise WrongInput(f"the {kind} '{path}' cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise WrongInput(f"the {kind} '{path}' cannot be read: {error}") from error


def parse_toml(content: bytes) -> dict[str, Any]:
    """The content of a TOML file's bytes; ValueError if it is not TOML or nested too deeply.

    A byte order mark at the beginning, as some editors on Windows write it, is skipped.
    """
    table: dict[str, Any] = _parse(lambda text: tomllib.loads(text.decode("utf-8-sig")), content)
    check_table_size(table)
    return table


def check_table_size(table: Mapping[str, Any]) -> None:
    """Raise ValueError if a table is nested too deeply, or holds too long a list or table."""
    level: list[tuple[str, Any]] = [("it", table)]
    for _ in range(MOST_DEPTH):
        inner: list[tuple[str, Any]] = []
        for name, value in level:
            if isinstance(value, Mapping | list) and len(value) > MOST_ENTRIES:
                raise ValueError(f"{name} has {len(value):,} entries; at most {MOST_ENTRIES:,} fit")
            if isinstance(value, Mapping):
                inner += [(f"'{key}'", entry) for key, entry in value.items()]
            elif isinstance(value, list):
                inner += [(name, entry) for entry in value]
        if not inner:
            return
        level = inner
    raise ValueError("it is nested too deeply")


def parse_json(content: str | bytes) -> Any:
    """The value of a JSON text; ValueError if the text is not JSON or is nested too deeply."""
    return _parse(json.loads, content)


def _parse(parse: Callable[[Any], Any], content: str | bytes) -> Any:
    """What `parse` returns for a text; ValueError with a message for users if `parse` fails."""
    try:
        return parse(content)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError):
        raise
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise ValueError("it is no text in UTF-8") from error
    except ValueError as error:
        raise ValueError("a number in it has too many digits") from error


def arrays_of_npz(content: bytes) -> dict[str, np.ndarray]:
    """The arrays in the bytes of an `.npz`, by name.

    Raises:
        ValueError: the bytes are no `.npz`, are damaged, or unpack to more than MOST_BYTES.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            if sum(member.file_size for member in file.infolist()) > MOST_BYTES:
                raise ValueError(f"unpacked it takes more than {MOST_BYTES:,} bytes")
            arrays = {name: io.BytesIO(file.read(name)) for name in file.namelist()}
            return {
                name.removesuffix(".npy"): np.lib.format.read_array(array, allow_pickle=False)
                for name, array in arrays.items()
            }
    except Exception as error:  # reading damaged bytes may raise anything
        raise ValueError(" ".join(message_of(error).split()) or "it is damaged") from error
