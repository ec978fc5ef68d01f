"""Identify what code does by sixteen hex digits, which change only if a game could change.

A function's identity covers its text and everything that it refers to, to any depth: other
functions, and the values of constants. Docstrings, annotations, comments and layout are left out.
Editing a sentence, or editing a function that is never called, leaves the identity as it is.
"""

from __future__ import annotations

import ast
import builtins
import dis
import functools
import inspect
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, EnumType
from hashlib import sha256
from importlib.abc import InspectLoader
from importlib.util import find_spec
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
from numba import types

#: Packages whose functions are identified by name, the standard library among them.
KNOWN_BY_NAME = frozenset({"numpy", "numba", "llvmlite"}) | sys.stdlib_module_names

#: The value of an undefined name.
UNDEFINED = object()

_PLAIN_TYPES = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))


class UnidentifiedValue(TypeError):
    """A value that cannot be compared between runs."""


class Reference(NamedTuple):
    """A name that a function takes from outside: its line, the dotted name, and its value."""

    line: int
    name: str
    value: Any


def references(function: Callable[..., Any]) -> Iterator[Reference]:
    """The names that a function takes from its module or its closure, or reads from other modules.

    A name in another module is dotted ("math.pi"). The value of an undefined name is UNDEFINED;
    builtins (`range`) are left out.
    """
    names = {**function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        names[name] = cell.cell_contents
    code = function.__code__
    for line, name, attributes, is_global in _names_outside(code, code.co_linetable):
        if not is_global and name not in names:
            continue
        value = names.get(name, UNDEFINED)
        for attribute in attributes:
            if not isinstance(value, ModuleType | EnumType):
                break
            name, value = f"{name}.{attribute}", getattr(value, attribute, UNDEFINED)
        if value is not UNDEFINED or not hasattr(builtins, name):
            yield Reference(line, name, value)


@functools.lru_cache(maxsize=4096)
def _names_outside(
    code: CodeType, lines: bytes
) -> tuple[tuple[int, str, tuple[str, ...], bool], ...]:
    """The names that a code object and the code objects within it take from outside.

    Each name comes with its line, the attributes read directly from it, and whether it is global
    (otherwise it comes from a closure). `lines` only extends the cache's key, because code
    objects at different lines count as equal.
    """
    outside: list[tuple[int, str, tuple[str, ...], bool]] = []
    is_outside = False
    for instruction in dis.get_instructions(code):
        name, operation = instruction.argval, instruction.opname
        if is_outside and operation in ("LOAD_ATTR", "LOAD_METHOD"):
            line, owner, attributes, is_global = outside[-1]
            outside[-1] = line, owner, (*attributes, name), is_global
            continue
        if isinstance(name, CodeType):
            outside += _names_outside(name, name.co_linetable)
        is_global = operation == "LOAD_GLOBAL"
        is_outside = is_global or (operation == "LOAD_DEREF" and name in code.co_freevars)
        if is_outside:
            first = instruction.positions.lineno if instruction.positions else None
            outside.append((first or 0, name, (), is_global))
    return tuple(outside)


def identity(*roots: Any, positions: bool = False) -> str:
    """Sixteen hex digits for functions, constants and everything that they refer to.

    Args:
        roots: the functions and constants to begin with.
        positions: whether the identity includes the positions of users' functions and the names of
            their variables, which cached machine code needs for its messages. Functions are then
            described by Python's bytecode, which differs between Python's versions but is ten
            times faster to read than their text.

    Raises:
        UnidentifiedValue: a function refers to a value that cannot be compared between runs.
    """
    reader = _IdentityHasher(positions)
    for root in roots:
        reader.add(root)
    return reader.digest.hexdigest()[:16]


class _IdentityHasher:
    """Turns values into text for a hash."""

    def __init__(self, positions: bool) -> None:
        self.digest = sha256()
        self._positions = positions
        self._added: dict[int, tuple[int, Any]] = {}

    def _write(self, *words: object) -> None:
        self.digest.update("\0".join(map(str, words)).encode("utf-8", "surrogatepass") + b"\n")

    def add(self, value: Any) -> None:
        """Add a value and everything that it refers to."""
        function = _function_of(value)
        if isinstance(value, _PLAIN_TYPES) and not isinstance(value, Enum):
            self._write(type(value).__name__, repr(value))
        elif function is not None:
            self._write("options", sorted(getattr(value, "targetoptions", {}).items()))
            self._add_once(function, self._add_function)
        elif isinstance(value, list | dict):
            self._add_once(value, self._add_container)
        else:
            self._add_object(value)

    def _add_once(self, value: Any, add: Callable[[Any], None]) -> None:
        """Add a value that may refer to itself, directly or through others."""
        if id(value) in self._added:
            self._write("as before", self._added[id(value)][0])
        else:
            self._added[id(value)] = len(self._added), value
            add(value)

    def _add_object(self, value: Any) -> None:
        if isinstance(value, np.ndarray | np.generic | np.dtype):
            self._add_numbers(value)
        elif isinstance(value, Enum):
            self._write("member", type(value).__qualname__, value.name)
            self.add(value.value)
        elif isinstance(value, tuple | set | frozenset):
            self._add_container(value)
        elif isinstance(value, types.Type):
            self._write("type", value)
        elif _top_package(type(value)) == "llvmlite":
            # The text of LLVM's types and constants identifies them. If the text is only an
            # address, the class has no other value.
            words = "" if " object at 0x" in str(value) else value
            self._write("llvm", type(value).__qualname__, words)
        elif isinstance(value, type):
            self._write("class", value.__module__, value.__qualname__)
            self.add(getattr(value, "_fields", None))
        elif isinstance(value, ModuleType):
            self._write("module", value.__name__)
        elif _top_package(value) in KNOWN_BY_NAME and hasattr(value, "__name__"):
            self._write("known", value.__module__, value.__name__)
        else:
            raise UnidentifiedValue(f"a value of type '{type(value).__name__}'")

    def _add_function(self, function: FunctionType) -> None:
        if _top_package(function) in KNOWN_BY_NAME:
            self._write("known", function.__module__, function.__qualname__)
            return
        self._write(
            "function", _bytecode_text(function) if self._positions else function_text(function)
        )
        if self._positions and _top_package(function) != "ethnos_sim":
            code = function.__code__
            at = code.co_filename, function.__module__, code.co_linetable.hex()
            self._write("at", *at, *code.co_varnames)
        self.add(function.__defaults__)
        self.add(function.__kwdefaults__)
        named = {reference.name: reference.value for reference in references(function)}
        for name in sorted(named):
            self._write("name", name)
            try:
                self.add(None if named[name] is UNDEFINED else named[name])
            except UnidentifiedValue as error:
                raise UnidentifiedValue(f"'{name}' in '{function.__name__}', {error}") from None

    def _add_numbers(self, value: Any) -> None:
        if isinstance(value, np.dtype):
            self._add_dtype(value)
            return
        self.add(value.dtype)
        if value.dtype.hasobject:
            raise UnidentifiedValue("an array of objects")
        content = np.ascontiguousarray(value).tobytes()
        self._write("numbers", value.shape, sha256(content).hexdigest())

    def _add_dtype(self, dtype: Any) -> None:
        if dtype.names is None:
            self._write("dtype", dtype.str, dtype.shape)
            self.add(dtype.subdtype and dtype.subdtype[0])
            return
        self._write("record", dtype.itemsize, *dtype.names)
        for name in dtype.names:
            inner, offset, *_ = dtype.fields[name]
            self._write("at", offset)
            self.add(inner)

    def _add_container(self, value: Any) -> None:
        self._write(type(value).__name__, len(value))
        self.add(getattr(value, "_fields", None))
        if isinstance(value, set | frozenset):
            value = sorted(value, key=repr)
        for item in value.items() if isinstance(value, dict) else value:
            self.add(item)


def _function_of(value: Any) -> FunctionType | None:
    """The Python function behind a function, a compiled function or an intrinsic; else None."""
    for name in ("py_func", "_defn"):
        value = vars(value).get(name, value) if hasattr(value, "__dict__") else value
    return value if isinstance(value, FunctionType) else None


def _top_package(value: Any) -> str:
    """The top-level package that a function or class comes from."""
    return (getattr(value, "__module__", None) or "").partition(".")[0]


def function_text(function: FunctionType) -> str:
    """The part of a function's text that identities cover; its bytecode if it has no text."""
    code = function.__code__
    tree = _functions_in("".join(linecache.getlines(code.co_filename, function.__globals__)))
    node = tree.get((code.co_name, code.co_firstlineno))
    return _bytecode_text(function) if node is None else _bare_text(node)


def _bytecode_text(function: FunctionType) -> str:
    """A function's bytecode and constants as text, without the docstring."""
    code, docstring = function.__code__, function.__doc__
    return _code_object_text(
        code, [None if constant is docstring else constant for constant in code.co_consts]
    )


def _code_object_text(code: CodeType, constants: Iterable[Any]) -> str:
    """The bytecode, constants and names of a code object as text, without its local variables."""
    flags = code.co_flags
    many = bool(flags & inspect.CO_VARARGS) + bool(flags & inspect.CO_VARKEYWORDS)
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + many]
    names = [code.co_names, parameters, code.co_freevars, code.co_cellvars]
    return repr((sys.version_info[:2], code.co_code, [*map(_constant_text, constants)], names))


def _constant_text(value: Any) -> str:
    """The text of a code object or its constant, the same in every run."""
    if isinstance(value, CodeType):
        return _code_object_text(value, value.co_consts)
    return repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)


def code_of_module(name: str) -> str:
    """The bytecode and constants of a module of this package as text.

    Docstrings and assertions are left out, so changing them recompiles nothing.
    """
    spec = find_spec(name)
    loader = spec and spec.loader
    assert isinstance(loader, InspectLoader), "this package's modules are files"
    return _constant_text(compile(loader.get_source(name) or "", name, "exec", optimize=2))


@functools.lru_cache(maxsize=64)
def _functions_in(text: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """Every function in a file's text without its decorators, by name and first line."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    functions = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            node.decorator_list = []
            functions[node.name, first] = node
    return functions


@functools.lru_cache(maxsize=4096)
def _bare_text(node: ast.AST) -> str:
    """The text of a function without docstrings and annotations."""
    return ast.unparse(_AnnotationRemover().visit(node))


class _AnnotationRemover(ast.NodeTransformer):
    """Removes docstrings and annotations from a tree."""

    def visit(self, node: ast.AST) -> Any:
        """A node without docstrings and annotations."""
        node = super().generic_visit(node)
        match getattr(node, "body", None):
            case [ast.Expr(ast.Constant(str())), *rest]:
                node.body = rest or [ast.Pass()]  # type: ignore[attr-defined]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            if node.value is None:
                return ast.Pass()
            return ast.Assign([node.target], node.value, lineno=node.lineno)
        return node
