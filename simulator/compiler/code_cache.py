"""Cache machine code between runs, in files named by a hash of everything that could change it.

Numba's own cache compares only the date of the cached function's file. After an edit in a helper
module it would silently use the old code, and a damaged file would stop every command. Here a
checksum at the beginning of a file shows damage, and the program runs without a damaged file.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import pickle
import platform
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from uuid import uuid4

import llvmlite
import numba
import numpy as np
from llvmlite.binding import get_host_cpu_features
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult, compile_result
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from ethnos_sim.simulator.compiler import code_folder, linking
from ethnos_sim.simulator.compiler.identity import UnidentifiedValue, code_of_module, identity

log = logging.getLogger("ethnos_sim")

# Numba's private functions that serialise compiled code and restore it.
_reduce, _rebuild = CompileResult._reduce, CompileResult._rebuild

_CHECKSUM_SIZE = sha256().digest_size

#: Modules of the compiler that do not change machine code; the hash in a file's name omits them.
#: The hash for WebAssembly includes `webassembly`.
_NOT_HASHED = {"code_folder", "identity", "relocation", "webassembly"}

#: The portable form of a function, from which code for any machine can be made.
_BITCODE = "bitcode"

#: The folder of machine code that ships in a wheel for one kind of processor (`make dist`). Most
#: installations have no such folder.
SHIPPED_CODE = Path(__file__).with_name("machine_code")


#: The kind of processor for which machine code ships in wheels, and the processor's features.
SHIPPED_PROCESSOR = "x86-64-v3"
SHIPPED_FEATURES = frozenset(
    {"avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt"}
    | {"sahf", "sse3", "sse4.1", "sse4.2", "ssse3"}
)


@functools.cache
def _compiler_text() -> str:
    """The text that identifies the compiler: library versions and the code of this package."""
    numpy_version, _, _ = np.__version__.rpartition(".")
    python = sys.implementation.cache_tag
    versions = (python, numba.__version__, llvmlite.__version__, numpy_version)
    modules = {module.name for module in iter_modules([str(Path(__file__).parent)])}
    codes = (code_of_module(f"{__package__}.{module}") for module in sorted(modules - _NOT_HASHED))
    return "\n".join([*versions, *codes])


@functools.cache
def _runs_shipped_code() -> bool:
    """Whether the package ships machine code, and this machine can run it."""
    if platform.machine() != "x86_64" or not SHIPPED_CODE.is_dir():
        return False
    features = get_host_cpu_features()
    return all(features.get(name) for name in SHIPPED_FEATURES)


class CodeCache:
    """The cached code of one function.

    A damaged file is deleted and written again. If no file can be written, the program goes on
    without a file.
    """

    def __init__(self, name: str, function: Any) -> None:
        """Create the cache of a function; `name` is the beginning of the file's name."""
        self._name = name
        self._function = function

    @functools.cached_property
    def _identity(self) -> str:
        return identity(self._function, positions=True)

    def _file_path(self, folder: Path, signature: Any, code_kind: tuple[str, ...]) -> Path:
        """The file for a signature's code in a folder; `code_kind` is a processor or another form.

        Raises:
            UnidentifiedValue: the function has no identity, so the file might be outdated.
        """
        words = (repr(signature), repr(code_kind), self._identity, _compiler_text())
        if " at 0x" in words[0]:
            raise UnidentifiedValue("a function that is an argument")
        digest = sha256("\n".join(words).encode()).hexdigest()[:16]
        return folder / f"{self._name}-{digest}.code"

    def find(self, signature: Any, target_context: Any) -> Any:
        """The cached code for a signature (numba's CompileResult), or None."""
        # Loading code needs numba's runtime, not the whole compiler.
        rtsys.initialize(target_context)
        processor = target_context.codegen().magic_tuple()
        shipped = processor[0], SHIPPED_PROCESSOR, ""
        for file in self._file_paths(signature, processor, shipped):
            if code := _read_cached(file, functools.partial(_restored_code, target_context)):
                code_folder.loaded_files.add(file)
                return code
        return None

    def _file_paths(
        self, signature: Any, cached_kind: tuple[str, ...], shipped_kind: tuple[str, ...]
    ) -> Iterator[Path]:
        """The files that may hold the code: the package's file, then the cache's file."""
        folder = code_folder.cache_folder()
        with contextlib.suppress(UnidentifiedValue):
            if _runs_shipped_code():
                yield self._file_path(SHIPPED_CODE, signature, shipped_kind)
            if folder:
                yield self._file_path(folder, signature, cached_kind)

    def store(self, signature: Any, compiled: Any) -> str:
        """Store code if another run can use it; return the reason for compiling, for the log."""
        if compiled.lifted or compiled.library.has_dynamic_globals:
            return "its machine code can only serve this run"
        folder = code_folder.cache_folder()
        if folder is None:
            return "there is no folder to keep machine code in"
        try:
            processor = compiled.target_context.codegen().magic_tuple()
            file = self._file_path(folder, signature, processor)
            packed = dumps(_reduce(compiled))
            _write_file(file, sha256(packed).digest() + packed)
        except UnidentifiedValue as error:
            return f"it uses {error}"
        except OSError as error:
            return f"its machine code cannot be kept: {error}"
        return "no earlier run has stored it"


class EntryCache(CodeCache, NullCache):
    """The cache of a function that Python or the engine calls, with the methods that numba expects.

    It also caches the function's bitcode, from which code for other machines is made, and its
    WebAssembly.
    """

    def __init__(self, name: str, function: Any, on_compiling: Callable[[], None]) -> None:
        """Create the cache; `on_compiling` is called before the function is compiled."""
        super().__init__(name, function)
        self._on_compiling = on_compiling
        self._begun = 0.0
        self.signature: Any = None
        self._bitcode: bytes | None = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The cached code, or None; within `without_compiling`, MissingCode instead of None."""
        self.signature = sig
        code = self.find(sig, target_context)
        if code:
            return code
        if code_folder.compiling_forbidden.get():
            raise code_folder.MissingCode(self._name)
        self._begun = time.process_time()
        self._on_compiling()
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Cache machine code, and log how long compiling took and why it was needed."""
        why = self.store(sig, cres)
        seconds = time.process_time() - self._begun
        log.debug("compiled '%s' in %.1f s: %s", self._name, seconds, why)
        if not cres.library.has_dynamic_globals:
            self._bitcode = getattr(cres.library, "bitcode", None)
        if self._bitcode is not None:
            self.store_form(_BITCODE, content=zlib.compress(self._bitcode, 1))

    def bitcode(self) -> bytes | None:
        """The unoptimised bitcode of the code last compiled or loaded, or None."""
        if self._bitcode is None:
            packed = self.read_form(_BITCODE)
            self._bitcode = packed and zlib.decompress(packed)
        return self._bitcode

    def read_form(self, *form: str) -> bytes | None:
        """The function's code in a form other than machine code, which `form` names, or None."""
        for file in self._file_paths(self.signature, form, form):
            content: bytes | None = _read_cached(file, _verified_content)
            if content:
                code_folder.loaded_files.add(file)
                return content
        return None

    def store_form(self, *form: str, content: bytes) -> None:
        """Cache the function's code in a form other than machine code, if possible."""
        folder = code_folder.cache_folder()
        with contextlib.suppress(UnidentifiedValue, OSError):
            if folder:
                file = self._file_path(folder, self.signature, form)
                _write_file(file, sha256(content).digest() + content)


def _read_cached(file: Path, read: Callable[[bytes], Any]) -> Any:
    """The content of a cached file, decoded by `read`; None if it is missing or damaged."""
    try:
        return read(file.read_bytes())
    except OSError:
        return None
    except Exception:  # reading a damaged file may raise anything
        with contextlib.suppress(OSError):
            file.unlink()
        return None


def _verified_content(content: bytes) -> bytes:
    """The bytes of a cached file after its checksum; ValueError if they are damaged."""
    packed = content[_CHECKSUM_SIZE:]
    if sha256(packed).digest() != content[:_CHECKSUM_SIZE]:
        raise ValueError("a damaged file")
    return packed


def _restored_code(target_context: Any, content: bytes) -> Any:
    """The compiled code in a cached file (numba's CompileResult); an error if it is damaged."""
    reduced = pickle.loads(_verified_content(content))
    serialised, description, environment, signature, *_ = reduced
    if not linking.is_helper_code(serialised):
        return _rebuild(target_context, *reduced)
    return compile_result(
        target_context=target_context,
        library=linking.restored_library(target_context.codegen(), serialised),
        fndesc=description,
        environment=environment,
        signature=signature,
        objectmode=False,
    )


def _write_file(file: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    temporary = file.with_name(f"{file.name}.{uuid4().hex}")
    try:
        temporary.write_bytes(content)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
