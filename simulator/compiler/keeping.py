"""Machine code between runs, in files that are named by the identity of all that it was made of.

Numba's own cache looks at nothing but the date of the cached function's file: an edit in a helper
module would silently keep the old code, and a damaged file would stop every command. Here a file
begins with a checksum, and is never required.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import pickle
import sys
import time
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
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

from ethnos_sim.simulator import noting
from ethnos_sim.simulator.compiler import cache, linking
from ethnos_sim.simulator.compiler.identity import Unidentified, code_of_module, identity

log = logging.getLogger("ethnos_sim")

# What keeps and finds compiled code; a numba without it keeps none.
_reduce, _rebuild = CompileResult._reduce, CompileResult._rebuild

_CHECKSUM = sha256().digest_size

#: The form of a function of which code for any machine is made.
_BITCODE = "bitcode"

#: Machine code that a distribution for one kind of processor carries (`make dist`); as a rule there
#: is none.
CARRIED = Path(__file__).with_name("machine_code")

#: What it is made for, as LLVM calls it, and what a processor has to know for that.
CARRIED_FOR = "x86-64-v3"
_KNOWS = {"avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf"}
_KNOWS |= {"sse3", "sse4.1", "sse4.2", "ssse3"}


@functools.cache
def _compiler() -> str:
    """All that turns functions into machine code: its versions, and how it is used here."""
    numpy_version, _, _ = np.__version__.rpartition(".")
    python = sys.implementation.cache_tag
    versions = (python, numba.__version__, llvmlite.__version__, numpy_version)
    modules = ("arguments", "compilation", "fast", "keeping", "linking", "loops", "passes", "plain")
    codes = (code_of_module(f"{__package__}.{module}") for module in (*modules, "reach"))
    return "\n".join([*versions, *codes])


@functools.cache
def _carried_folder() -> Path | None:
    """The folder of machine code that came with the package; None where none would run."""
    if not CARRIED.is_dir():
        return None
    knows = get_host_cpu_features()
    return CARRIED if all(knows.get(each) for each in _KNOWS) else None


class KeptCode:
    """Compiled code of one function between runs.

    A file that is damaged is discarded and made anew; where none can be written the program goes
    on without.
    """

    def __init__(self, name: str, function: Any) -> None:
        """Begin.

        Args:
            name: what the file's name begins with.
            function: what is compiled.
        """
        self._name = name
        self._function = function

    @functools.cached_property
    def _made_of(self) -> str:
        return identity(self._function, places=True)

    def _file(self, folder: Path, signature: Any, processor: tuple[str, ...]) -> Path:
        """Where the code for one signature lies in a folder, for a kind of processor.

        Raises:
            Unidentified: nothing tells whether it would be the right one.
        """
        words = (repr(signature), repr(processor), self._made_of, _compiler())
        if " at 0x" in words[0]:
            raise Unidentified("a function that is passed on")
        digest = sha256("\n".join(words).encode()).hexdigest()[:16]
        return folder / f"{self._name}-{digest}.code"

    def find(self, signature: Any, target_context: Any) -> Any:
        """The kept code for a signature (numba's CompileResult), or None."""
        # What compiled code calls is there without all that the compiler has to know.
        rtsys.initialize(target_context)
        processor = target_context.codegen().magic_tuple()
        carried_for = (processor[0], CARRIED_FOR, "")
        with contextlib.suppress(Unidentified):
            for folder, kind in (
                (_carried_folder(), carried_for),
                (cache.cache_folder(), processor),
            ):
                file = folder and self._file(folder, signature, kind)
                if file and (found := _found(file, functools.partial(_unpacked, target_context))):
                    cache.found_in.add(file)
                    return found
        return None

    def keep(self, signature: Any, compiled: Any) -> str:
        """Keep code where it can be used in another run; returns why it was compiled."""
        if compiled.lifted or compiled.library.has_dynamic_globals:
            return "its machine code is of this run alone"
        folder = cache.cache_folder()
        if folder is None:
            return "there is no folder to keep machine code in"
        try:
            processor = compiled.target_context.codegen().magic_tuple()
            file = self._file(folder, signature, processor)
            packed = dumps((_reduce(compiled), noting.known_places()))
            _write(file, sha256(packed).digest() + packed)
        except Unidentified as error:
            return f"it uses {error}"
        except OSError as error:
            return f"its machine code cannot be kept: {error}"
        return "no run has kept it"


class KeptEntry(KeptCode, NullCache):
    """Machine code that Python or the engine calls, as numba asks for it and hands it over.

    With it is kept what code for other machines is made of, and that code (`webassembly`).
    """

    def __init__(self, name: str, function: Any, on_compiling: Callable[[], None]) -> None:
        """Begin; `on_compiling` is called when there is no machine code yet, before it is made."""
        super().__init__(name, function)
        self._on_compiling = on_compiling
        self._begun = 0.0
        self.signature: Any = None
        self._bitcode: bytes | None = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kept machine code for a signature, or None; NotKept within `only_kept`."""
        self.signature = sig
        found = self.find(sig, target_context)
        if found:
            return found
        if cache.only_kept_now.get():
            raise cache.NotKept(self._name)
        self._begun = time.process_time()
        self._on_compiling()
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep machine code, and tell what it took to make it."""
        why = self.keep(sig, cres)
        seconds = time.process_time() - self._begun
        log.debug("compiled '%s' in %.1f s: %s", self._name, seconds, why)
        if not cres.library.has_dynamic_globals:
            self._bitcode = getattr(cres.library, "bitcode", None)
        if self._bitcode is not None:
            self.keep_as(_BITCODE, content=zlib.compress(self._bitcode, 1))

    def bitcode(self) -> bytes | None:
        """What was compiled last or found, before it was optimised; None where none is kept."""
        if self._bitcode is None:
            packed = self.found_as(_BITCODE)
            self._bitcode = packed and zlib.decompress(packed)
        return self._bitcode

    def found_as(self, *kind: str) -> bytes | None:
        """What is kept of the function in another form than this machine's code, or None."""
        with contextlib.suppress(Unidentified):
            for folder in (_carried_folder(), cache.cache_folder()):
                file = folder and self._file(folder, self.signature, kind)
                content: bytes | None = _found(file, _checked) if file else None
                if file and content:
                    cache.found_in.add(file)
                    return content
        return None

    def keep_as(self, *kind: str, content: bytes) -> None:
        """Keep the function in another form, where that can be."""
        folder = cache.cache_folder()
        with contextlib.suppress(Unidentified, OSError):
            if folder:
                file = self._file(folder, self.signature, kind)
                _write(file, sha256(content).digest() + content)


def _found(file: Path, read: Callable[[bytes], Any]) -> Any:
    """What a kept file holds, as read; None where it is missing or damaged."""
    try:
        return read(file.read_bytes())
    except OSError:
        return None
    except Exception:  # whatever a damaged file does to its reader
        with contextlib.suppress(OSError):
            file.unlink()
        return None


def _checked(content: bytes) -> bytes:
    """The bytes of a kept file behind its checksum; ValueError where they were damaged."""
    packed = content[_CHECKSUM:]
    if sha256(packed).digest() != content[:_CHECKSUM]:
        raise ValueError("a damaged file")
    return packed


def _unpacked(target_context: Any, content: bytes) -> Any:
    """The compiled code in a kept file (numba's CompileResult); an error where it is damaged."""
    reduced, places = pickle.loads(_checked(content))
    noting.remember_places(places)
    made, description, environment, signature, *_ = reduced
    if not linking.is_linked(made):
        return _rebuild(target_context, *reduced)
    return compile_result(
        target_context=target_context,
        library=linking.linked_again(target_context.codegen(), made),
        fndesc=description,
        environment=environment,
        signature=signature,
        objectmode=False,
    )


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    part = file.with_name(f"{file.name}.{uuid4().hex}")
    try:
        part.write_bytes(content)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
