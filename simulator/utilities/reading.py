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

from ethnos_sim.simulator.utilities.errors import WrongInput, text_of

#: The most bytes that a text or a plan may have, and that arrays may have once they are unpacked.
MOST_BYTES = 2**28

#: The most bytes that a TOML file may have.
MOST_TOML_BYTES = 2**24

#: The deepest nesting that a TOML file's tables may have.
MOST_DEPTH = 50

#: The most entries that a list or a table of a TOML file may have.
MOST_ENTRIES = 2000

T = TypeVar("T")


def read_file(path: Path, most: int = MOST_BYTES) -> bytes:
    """The content of a file.

    Args:
        path: a regular file, or a link to a regular file.
        most: the most bytes that the file may have.

    Raises:
        OSError: the file cannot be read, is no regular file, or is larger than `most`.
    """
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(None, "it is no regular file", str(path))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(None, f"it is larger than {most:,} bytes", str(path))
    return content


def kept_while_unchanged(read: Callable[[Path], T]) -> Callable[[Path], T]:
    """Cache a function that reads a file until the file is replaced or written to.

    The line-ups of a sweep name the same few files ten thousand times.
    """

    @functools.lru_cache(maxsize=64)
    def read_in_state(path: Path, *state: int) -> T:
        return read(path)

    @functools.wraps(read)
    def found(path: Path) -> T:
        now = path.stat()
        return read_in_state(path, now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns)

    return found


def read_toml(path: Path, word: str) -> dict[str, Any]:
    """The content of a TOML file.

    Args:
        path: the file.
        word: what errors call the file, such as "spec".

    Raises:
        WrongInput: the file cannot be read or is not TOML.
    """
    try:
        return toml_table(read_file(path, MOST_TOML_BYTES))
    except OSError as error:
        raise WrongInput(f"the {word} '{path}' cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise WrongInput(f"the {word} '{path}' cannot be read: {error}") from error


def toml_table(content: bytes) -> dict[str, Any]:
    """The content of a TOML file's bytes; ValueError if it is not TOML or nested too deeply.

    A byte order mark at the beginning, as some editors on Windows write it, is skipped.
    """
    table: dict[str, Any] = _parsed(lambda text: tomllib.loads(text.decode("utf-8-sig")), content)
    check_size(table)
    return table


def check_size(table: Mapping[str, Any]) -> None:
    """Raise ValueError for a table that is nested too deeply, or has too long a list or table."""
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


def json_value(content: str | bytes) -> Any:
    """The value in a JSON text; ValueError if it is none, or nested too deeply."""
    return _parsed(json.loads, content)


def _parsed(parse: Callable[[Any], Any], content: str | bytes) -> Any:
    """What `parse` makes of a text; a ValueError for users if it makes nothing of it."""
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


def numpy_arrays(content: bytes) -> dict[str, np.ndarray]:
    """The arrays in the bytes of an `.npz`, by name.

    Raises:
        ValueError: the bytes are no `.npz`, damaged, or unpack to more than MOST_BYTES.
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
        raise ValueError(" ".join(text_of(error).split()) or "it is damaged") from error
