"""How the kernel is compiled, and how compiled code is kept between runs.

Numba compiles Python functions to machine code. Its own cache looks at nothing but the date of the
cached function's file: an edit in a helper module would silently keep the old code, and a damaged
file would stop every command. Here machine code lies in a file that is named by the identity of all
it was made of, begins with a checksum, and is never required.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import logging
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import llvmlite
import numba
import numpy as np
from llvmlite.binding import Linkage, get_host_cpu_features, parse_assembly
from numba import types
from numba.core.caching import NullCache
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature

from ethnos_sim.simulator import loops, reach
from ethnos_sim.simulator.identity import Unidentified, code_of_module, identity

log = logging.getLogger("ethnos_sim")

#: The options that all code is compiled with: no interpreter lock, no exceptions for division.
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}

#: Those of code that is not this package's own besides.
CHECKED = {"boundscheck": True, "pipeline_class": loops.BoundedCompiler}

_CHECKSUM = sha256().digest_size

#: Machine code that a distribution for one kind of processor carries (`make dist`); as a rule there
#: is none.
CARRIED = Path(__file__).with_name("machine_code")

#: What it is made for, as LLVM calls it, and what a processor has to know for that.
CARRIED_FOR = "x86-64-v3"
_KNOWS = {"avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf"}
_KNOWS |= {"sse3", "sse4.1", "sse4.2", "ssse3"}


def _plain_type(kind: types.Type) -> types.Type:
    """The type under which a function is compiled: any whole number up to 64 bits is an int64."""
    kind = types.unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind is not types.uint64
    return types.int64 if narrow or isinstance(kind, types.Boolean) else kind


def is_own(function: Callable[..., Any]) -> bool:
    """Whether a function is this package's own, and not a user's."""
    return (function.__module__ or "").startswith("ethnos_sim.")


def is_bounded(dispatcher: Any) -> bool:
    """Whether a compiled function ends: its loops are bounded, or it is this package's own."""
    compiler = dispatcher._compiler.pipeline_class
    return is_own(dispatcher.py_func) or compiler is loops.BoundedCompiler


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a helper of the kernel: no interpreter lock, no exceptions for division.

    Numba would compile a helper anew for every constant and every width of number that it is
    called with; here all whole numbers but planes of cards (uint64) are passed as int64. Nor is
    machine code made of a helper, or anything for calls from Python: it is linked into what calls
    it. Both make the first run twice as fast. In code that is not this package's own, loops are
    bounded and indices checked.
    """
    return _helper(function, {**OPTIONS, **({} if is_own(function) else CHECKED)})


def tool(function: Callable[..., Any]) -> Any:
    """As `kernel`, for what users' code may call and what checks itself what it is given.

    Neither it nor what it calls is compiled once more with checked indices, as other functions of
    this package are where users' code calls them.
    """
    return reach.let_call(_helper(function, OPTIONS, trusted=True))


def uncounted(function: Callable[..., Any]) -> Any:
    """As `kernel`, for helpers that make no arrays: who refers to one passed on is not counted."""
    return _helper(function, {**OPTIONS, "_nrt": False})


def inlined(function: Callable[..., Any]) -> Any:
    """As `kernel`, for a few instructions: they are copied into whatever calls the helper.

    The compiler often calls so small a helper, which costs as much again.
    """
    return _helper(function, {**OPTIONS, "forceinline": True})


#: Whether what is being compiled is called by users' code, whose numbers nothing has checked.
_for_users: ContextVar[bool] = ContextVar("for_users", default=False)


def _helper(
    function: Callable[..., Any], options: Mapping[str, Any], *, trusted: bool = False
) -> Any:
    """A compiled helper that is called with whole numbers of 64 bits alone.

    Users' code, and what it calls, is linked with another one whose indices are checked, unless the
    helper is trusted.
    """
    dispatcher = numba.jit(**options)(function)
    template_of = dispatcher.get_call_template
    overload_of = dispatcher.get_overload
    checks = "boundscheck" in options

    @functools.cache
    def checked() -> Any:
        return _helper(function, {**options, "boundscheck": True})

    def wants_another() -> bool:
        return _for_users.get() and not checks and not trusted

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        if wants_another():
            return checked().get_call_template(arguments, keywords)
        plain = {name: _plain_type(kind) for name, kind in keywords.items()}
        return template_of(tuple(_plain_type(kind) for kind in arguments), plain)

    def get_overload(signature: Any) -> Any:
        return checked().get_overload(signature) if wants_another() else overload_of(signature)

    @global_compiler_lock
    def compile_linked(arguments: tuple[types.Type, ...]) -> None:
        if arguments in dispatcher.overloads:
            return
        compiling = _for_users.set(checks)
        try:
            compiled = dispatcher._compiler.compile(arguments, None)
        finally:
            _for_users.reset(compiling)
        compiled.library.__class__ = _Linked
        key = object()  # what callers find it by
        compiled.target_context.insert_user_function(key, compiled.fndesc, [compiled.library])
        dispatcher.overloads[arguments] = compiled._replace(entry_point=key)

    @functools.cache
    def for_python() -> Any:
        return _entry(function, options, lambda: None)

    def compile_for_python(*given: Any) -> Any:
        called = for_python()
        entry_point = called._compile_for_args(*given)
        # The next call with such arguments finds it by itself.
        codes = [called.typeof_pyval(each)._code for each in given]
        dispatcher._insert(codes, entry_point, False)
        return entry_point

    dispatcher.get_call_template = get_call_template
    dispatcher.get_overload = get_overload
    dispatcher.compile = compile_linked
    dispatcher._compiler._customize_flags = _linked_only
    dispatcher._compile_for_args = compile_for_python
    return dispatcher


def _linked_only(flags: Any) -> Any:
    """The flags for what only compiled code calls."""
    flags.no_cpython_wrapper = True
    return _without_machine_code(flags)


def _without_machine_code(flags: Any) -> Any:
    """The flags for what is linked into more before machine code is made of it."""
    flags.no_compile = flags.no_cfunc_wrapper = True
    return flags


class _Linked(JITCodeLibrary):
    """Code to link into what calls it, of which no machine code is made by itself.

    It is optimised where it is linked last: a helper of helpers would be optimised anew in each.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _Whole(JITCodeLibrary):
    """Code with all that it calls, which nobody else calls: what was linked in is its own.

    Of functions that are its own alone the optimiser proves more and leaves out more, arguments
    too. No other code may find them by name, which it would where they are `internal`: LLVM's
    linker lets a function that is compiled later call any of the same name that is there.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = Linkage.private
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """The names of its functions are all that is kept beside machine code: nothing links it."""
        names = [
            function.name
            for function in self._final_module.functions
            if not function.is_declaration and function.linkage != Linkage.private
        ]
        bodies = [f'define void @"{name}"() {{ ret void }}' for name in names]
        return parse_assembly("\n".join(bodies))


@contextlib.contextmanager
def _garbage_kept() -> Iterator[None]:
    """Let no garbage be collected: the compiler makes objects by the million and drops few."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled code, or None where none can be made.

    `ETHNOS_SIM_CACHE` overrides the place; the default is the user's cache folder.
    """
    named = os.environ.get("ETHNOS_SIM_CACHE")
    if named:
        folder = Path(named)
    else:
        import platformdirs

        folder = platformdirs.user_cache_path("ethnos-sim", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


@functools.cache
def _compiler() -> str:
    """All that turns functions into machine code: its versions, and how it is used here."""
    numpy_version, _, _ = np.__version__.rpartition(".")
    python = sys.implementation.cache_tag
    versions = (python, numba.__version__, llvmlite.__version__, numpy_version)
    modules = (__name__, loops.__name__, reach.__name__)
    return "\n".join([*versions, *map(code_of_module, modules)])


@functools.cache
def _carried_folder() -> Path | None:
    """The folder of machine code that came with the package; None where none would run."""
    if not CARRIED.is_dir():
        return None
    knows = get_host_cpu_features()
    return CARRIED if all(knows.get(each) for each in _KNOWS) else None


class Unit(NamedTuple):
    """Something that was compiled: its name, why, and the processor's seconds that it took."""

    name: str
    why: str
    seconds: float


#: What this process has compiled, in order.
compiled_units: list[Unit] = []


class NotKept(Exception):
    """No run has kept machine code of a function, and none is to be made now."""


_only_kept: ContextVar[bool] = ContextVar("only_kept", default=False)


@contextlib.contextmanager
def only_kept() -> Iterator[None]:
    """Let what no run has kept raise NotKept instead of being compiled."""
    token = _only_kept.set(True)
    try:
        yield
    finally:
        _only_kept.reset(token)


class KeptCode(NullCache):
    """Machine code of one function between runs, as numba asks for it and hands it over.

    A file that is damaged is discarded and made anew; where none can be written the program goes
    on without.
    """

    def __init__(
        self, name: str, function: Callable[..., Any], on_compiling: Callable[[], None]
    ) -> None:
        """Begin.

        Args:
            name: what the file's name begins with.
            function: what is compiled.
            on_compiling: called when there is no machine code yet, before it is made.
        """
        self._name = name
        self._function = function
        self._on_compiling = on_compiling
        self._begun = 0.0

    @functools.cached_property
    def _made_of(self) -> str:
        return identity(self._function, places=True)

    def _file(self, folder: Path, signature: Any, processor: tuple[str, ...]) -> Path:
        """Where the machine code for one signature lies in a folder, for a kind of processor.

        Raises:
            Unidentified: nothing tells whether it would be the right one.
        """
        words = (repr(signature), repr(processor), self._made_of, _compiler())
        digest = sha256("\n".join(words).encode()).hexdigest()[:16]
        return folder / f"{self._name}-{digest}.code"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kept machine code for a signature, or None; NotKept within `only_kept`."""
        # What machine code calls is there without all that the compiler has to know.
        rtsys.initialize(target_context)
        processor = target_context.codegen().magic_tuple()
        carried_for = (processor[0], CARRIED_FOR, "")
        with contextlib.suppress(Unidentified):
            for folder, kind in ((_carried_folder(), carried_for), (cache_folder(), processor)):
                found = folder and _found(self._file(folder, sig, kind), target_context)
                if found:
                    return found
        if _only_kept.get():
            raise NotKept(self._name)
        self._begun = time.process_time()
        self._on_compiling()
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep machine code, unless it cannot be used in another run."""
        seconds = time.process_time() - self._begun
        why = self._keep(sig, cres)
        compiled_units.append(Unit(self._name, why, seconds))
        log.debug("compiled '%s' in %.1f s: %s", self._name, seconds, why)

    def _keep(self, sig: Any, cres: Any) -> str:
        """Keep machine code where it can be; returns why it was compiled."""
        if cres.lifted or cres.library.has_dynamic_globals:
            return "its machine code is of this run alone"
        folder = cache_folder()
        if folder is None:
            return "there is no folder to keep machine code in"
        try:
            file = self._file(folder, sig, cres.target_context.codegen().magic_tuple())
            packed = dumps((cres._reduce(), loops.known_places()))
            _write(file, sha256(packed).digest() + packed)
        except Unidentified as error:
            return f"it uses {error}"
        except OSError as error:
            return f"its machine code cannot be kept: {error}"
        return "no run has kept it"


def _found(file: Path, target_context: Any) -> Any:
    """What a kept file holds (numba's CompileResult); None where it is missing or damaged."""
    try:
        return _unpacked(file.read_bytes(), target_context)
    except OSError:
        return None
    except Exception:  # whatever a damaged file does to its reader
        with contextlib.suppress(OSError):
            file.unlink()
        return None


def _unpacked(content: bytes, target_context: Any) -> Any:
    """What the bytes of a kept file hold; ValueError where they were damaged."""
    packed = content[_CHECKSUM:]
    if sha256(packed).digest() != content[:_CHECKSUM]:
        raise ValueError("a damaged file")
    reduced, places = pickle.loads(packed)
    loops.remember_places(places)
    return CompileResult._rebuild(target_context, *reduced)


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    part = file.with_name(f"{file.name}.{uuid4().hex}")
    try:
        part.write_bytes(content)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def compile_entry(function: Callable[..., Any], about: str) -> Any:
    """Compile a function that is called from Python; its machine code is kept between runs.

    The user is told `about` when there is none yet.
    """
    return _entry(function, OPTIONS, lambda: log.info(about))


def _entry(
    function: Callable[..., Any], options: Mapping[str, Any], on_compiling: Callable[[], None]
) -> Any:
    """A function that is called from Python, compiled with all that it calls."""
    dispatcher = numba.jit(**options)(function)
    dispatcher._cache = KeptCode(function.__name__.strip("_"), function, on_compiling)
    infer = dispatcher._compiler.compile

    @_garbage_kept()
    def compile_whole(arguments: tuple[types.Type, ...], answer: Any) -> Any:
        compiled = infer(arguments, answer)
        compiled.library.__class__ = _Whole
        context = compiled.target_context
        entry_point = context.get_executable(
            compiled.library, compiled.fndesc, compiled.environment
        )
        return compiled._replace(entry_point=entry_point)

    dispatcher._compiler._customize_flags = _without_machine_code
    dispatcher._compiler.compile = compile_whole
    return dispatcher


@_garbage_kept()
def compile_callback(
    name: str,
    signature: Any,
    function: Callable[..., Any],
    on_compiling: Callable[[], None] = lambda: None,
) -> Any:
    """Compile a function for calls by address (numba's `cfunc`); its machine code is kept.

    Args:
        name: what the kept file's name begins with.
        signature: the types of its arguments.
        function: what to compile.
        on_compiling: called first where no machine code is kept.
    """
    callback: Any = _Callback(signature, function)
    callback._cache = KeptCode(name, function, on_compiling)
    callback.compile()
    return callback


class _Callback(CFunc):
    """A function for calls by address, which is optimised with all that it calls."""

    def __init__(self, signature: Any, function: Callable[..., Any]) -> None:
        options = {key: value for key, value in OPTIONS.items() if key != "nogil"}
        super().__init__(function, normalize_signature(signature), {}, options)

    def _compile_uncached(self) -> Any:
        compiled = super()._compile_uncached()  # type: ignore[misc]
        compiled.library.__class__ = _Whole
        return compiled
