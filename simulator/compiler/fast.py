"""The fast back end: helpers are linked into their callers, and entries are optimised whole.

Numba would compile a helper again for every constant and every integer width that it is called
with. Here all integers except masks of cards (uint64) are passed as int64. A helper gets no
machine code and no wrapper for calls from Python, as it is linked into its callers. Together these
measures halve the time of the first run.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any
from uuid import uuid4

import numba
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.dispatcher import Dispatcher, _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.sigutils import normalize_signature

from ethnos_sim.simulator.compiler.arguments import widened_type
from ethnos_sim.simulator.compiler.code_cache import CodeCache, EntryCache
from ethnos_sim.simulator.compiler.linking import EntryLibrary, HelperLibrary
from ethnos_sim.simulator.compiler.origin import is_from_package
from ethnos_sim.simulator.compiler.passes import HelperCompiler

#: The private parts of numba that this module, `linking` and `passes` override or call. If
#: one is missing, the import fails, as numba would ignore the override of a method that it lacks.
PRIVATE_PARTS = {
    CFunc: ("_compile_uncached",),
    Dispatcher: ("_compile_for_args", "_insert", "get_call_template", "get_overload"),
    FunctionIdentity: ("_unique_ids",),
    JITCodeLibrary: (
        *("_finalize_dynamic_globals", "_finalize_final_module", "_get_module_for_linking"),
        *("_optimize_final_module", "serialize_using_bitcode"),
    ),
    PassManager: ("_runPass",),
    _FunctionCompiler: ("_customize_flags", "compile"),
}
for _owner, _names in PRIVATE_PARTS.items():
    for _name in _names:
        getattr(_owner, _name)

# Start numba's ids at a random number, so that cached code of different processes cannot clash.
FunctionIdentity._unique_ids = itertools.count(uuid4().int >> 80)


#: The caller of the function that is compiled next.
_caller: ContextVar[Any] = ContextVar("caller", default=None)


def helper(
    function: Callable[..., Any], options: Mapping[str, Any], *, trusted: bool = False
) -> Any:
    """A compiled helper that takes all integers as 64 bits.

    Users' code and its callees call a second version with checked indices, as nothing has checked
    users' numbers. A `trusted` helper has no second version. A helper of this package that users'
    code calls is cached between runs, because the user's next edit will call it again.
    """
    options = {"pipeline_class": HelperCompiler, **options}
    dispatcher = numba.jit(**options)(function)
    if is_from_package(function):
        HelperLibrary.helper_ids.add(id(dispatcher))
    versions = _HelperVersions(dispatcher, options, trusted)
    dispatcher.get_call_template = versions.get_call_template
    dispatcher.get_overload = versions.get_overload
    dispatcher.compile = versions.compile
    dispatcher._compiler._customize_flags = _helper_flags
    dispatcher._compile_for_args = versions.compile_for_python
    return dispatcher


class _HelperVersions:
    """The compiled versions of a helper, one for each combination of argument types."""

    def __init__(self, dispatcher: Any, options: dict[str, Any], trusted: bool) -> None:
        self._dispatcher = dispatcher
        self._options = options
        self._may_be_checked = not trusted and "boundscheck" not in options
        self._template_of = dispatcher.get_call_template
        self._overload_of = dispatcher.get_overload
        self._code_cache = CodeCache(dispatcher.py_func.__name__, dispatcher)

    @functools.cached_property
    def _checked_version(self) -> Any:
        """The version with checked indices."""
        return helper(self._dispatcher.py_func, {**self._options, "boundscheck": True})

    @functools.cached_property
    def _version_for_python(self) -> Any:
        """The version that Python calls."""
        return entry(self._dispatcher.py_func, self._options, lambda: None)

    def _caller_checks_indices(self) -> bool:
        caller = _caller.get()
        return self._may_be_checked and caller is not None and caller.targetoptions["boundscheck"]

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        """Numba's template of a call with arguments of these types."""
        if self._caller_checks_indices():
            return self._checked_version.get_call_template(arguments, keywords)
        plain = {name: widened_type(kind) for name, kind in keywords.items()}
        return self._template_of(tuple(widened_type(kind) for kind in arguments), plain)

    def get_overload(self, signature: Any) -> Any:
        """The compiled code for a signature."""
        if self._caller_checks_indices():
            return self._checked_version.get_overload(signature)
        return self._overload_of(signature)

    @global_compiler_lock
    def compile(self, arguments: tuple[types.Type, ...]) -> None:
        """Compile the helper for a caller, unless it is compiled or cached for these types."""
        dispatcher, caller = self._dispatcher, _caller.get()
        if arguments in dispatcher.overloads:
            return
        by_user = (
            is_from_package(dispatcher.py_func) and caller and not is_from_package(caller.py_func)
        )
        compiled = by_user and self._code_cache.find(arguments, dispatcher.targetctx)
        if not compiled:
            compiled = self._compiled_for(arguments)
            if by_user:
                self._code_cache.store(arguments, compiled)
        key = object()  # callers look the helper up by this key
        compiled.target_context.insert_user_function(key, compiled.fndesc, [compiled.library])
        dispatcher.overloads[arguments] = compiled._replace(entry_point=key)

    def _compiled_for(self, arguments: tuple[types.Type, ...]) -> Any:
        compiling = _caller.set(self._dispatcher)
        try:
            compiled = self._dispatcher._compiler.compile(arguments, None)
        finally:
            _caller.reset(compiling)
        compiled.library.__class__ = HelperLibrary
        return compiled

    def compile_for_python(self, *arguments: Any) -> Any:
        """Compile the helper for the arguments with which Python calls it."""
        called = self._version_for_python
        entry_point = called._compile_for_args(*arguments)
        # Register the entry point, so that numba uses it for later calls with these types.
        codes = [called.typeof_pyval(argument)._code for argument in arguments]
        self._dispatcher._insert(codes, entry_point, False)
        return entry_point


def _helper_flags(flags: Any) -> Any:
    """The flags for helpers, which only compiled code calls."""
    flags.no_cpython_wrapper = True
    return _flags_without_code(flags)


def _flags_without_code(flags: Any) -> Any:
    """The flags for code that becomes machine code only once it is linked."""
    flags.no_compile = flags.no_cfunc_wrapper = True
    return flags


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Turn garbage collection off: the compiler creates millions of objects and drops few."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def entry(
    function: Callable[..., Any], options: Mapping[str, Any], on_compiling: Callable[[], None]
) -> Any:
    """A compiled function that Python calls, optimised together with its callees."""
    dispatcher = numba.jit(**options)(function)
    dispatcher._cache = EntryCache(function.__name__.strip("_"), function, on_compiling)
    infer = dispatcher._compiler.compile

    @_without_garbage_collection()
    def compile_whole(arguments: tuple[types.Type, ...], return_type: Any) -> Any:
        compiled = infer(arguments, return_type)
        compiled.library.__class__ = EntryLibrary
        context = compiled.target_context
        entry_point = context.get_executable(
            compiled.library, compiled.fndesc, compiled.environment
        )
        return compiled._replace(entry_point=entry_point)

    dispatcher._compiler._customize_flags = _flags_without_code
    dispatcher._compiler.compile = compile_whole
    return dispatcher


@_without_garbage_collection()
def callback(
    name: str,
    signature: Any,
    function: Callable[..., Any],
    options: dict[str, Any],
    on_compiling: Callable[[], None],
) -> Any:
    """A compiled function for calls by address, optimised together with its callees."""
    compiled: Any = _Callback(function, normalize_signature(signature), {}, options)
    compiled._cache = EntryCache(name, function, on_compiling)
    compiled.compile()
    return compiled


class _Callback(CFunc):
    """Numba's function for calls by address, with its code in an `EntryLibrary`."""

    def _compile_uncached(self) -> Any:
        compiled = super()._compile_uncached()  # type: ignore[misc]
        compiled.library.__class__ = EntryLibrary
        return compiled
