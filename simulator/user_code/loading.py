"""Run users' Python files as modules, with errors that name file and line."""

from __future__ import annotations

import contextlib
import hashlib
import linecache
import os
import sys
import tempfile
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType

from ethnos_sim.simulator.compiler.failures import source_line_within
from ethnos_sim.simulator.utilities.errors import WrongInput, message_of
from ethnos_sim.simulator.utilities.reading import read_file

#: The bytes last loaded from each file, by its path.
_loaded_contents: dict[str, bytes] = {}

_running_forbidden: ContextVar[bool] = ContextVar("files_not_run", default=False)


@contextlib.contextmanager
def without_running_files() -> Iterator[None]:
    """Read variants and specs without running the Python files that they name."""
    token = _running_forbidden.set(True)
    try:
        yield
    finally:
        _running_forbidden.reset(token)


def may_run_files() -> bool:
    """Whether the Python files that variants and specs name may be run."""
    return not _running_forbidden.get()


def one_line_message(error: BaseException) -> str:
    """An exception that a user's file raised, in one line."""
    if isinstance(error, SystemExit):
        return "the file ends the program when it is loaded (SystemExit)"
    return f"{type(error).__name__}: {' '.join(message_of(error).split())}".rstrip(": ")


def load_module(path: str | Path, kind: str, error_type: type[WrongInput]) -> ModuleType:
    """Run a Python file as a module; the same text is run only once.

    Args:
        path: the file.
        kind: the word for the file in messages ("strategy file").
        error_type: the exception to raise.

    Raises:
        error_type: the file cannot be read or run; the message names file and line, if known.
    """
    file = Path(os.path.realpath(path))
    if not file.is_file():
        raise error_type(f"no {kind} '{path}'")
    try:
        return _run_as_module(file)
    except OSError as error:
        raise error_type(f"{kind} '{path}' cannot be read: {error.strerror}") from error
    except SyntaxError as error:
        raise error_type(f"{file}:{error.lineno or 1}: {error.msg}") from error
    except WrongInput as error:
        raise error_type(f"{source_line_within([str(file)], error) or file}: {error}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        line = source_line_within([str(file)], error) or file
        raise error_type(f"{line}: {one_line_message(error)}") from error


def loaded_content(path: str) -> bytes:
    """The bytes last loaded from a file, which may have changed since."""
    return _loaded_contents[path]


def file_with_content(path: Path, content: bytes) -> Path:
    """A file with this content: the file at `path`, or a new copy if that file differs."""
    try:
        if read_file(path) == content:
            return path
    except OSError:
        pass
    copy = Path(tempfile.mkdtemp(prefix="ethnos-sim-")) / path.name
    copy.write_bytes(content)
    return copy


def _run_as_module(file: Path) -> ModuleType:
    """Run a Python file as a module, or return the module if the same text has run already."""
    text = read_file(file)
    # Messages and hashes must use the text that runs, even if the file changes later.
    lines = text.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache[str(file)] = (len(text), None, lines, str(file))
    digest = hashlib.sha256(str(file).encode() + text).hexdigest()[:12]
    name = f"ethnos_sim_user_file_{digest}"
    _loaded_contents[str(file)] = text
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = str(file)
    sys.modules[name] = module
    try:
        exec(compile(text, str(file), "exec", dont_inherit=True), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    return module
