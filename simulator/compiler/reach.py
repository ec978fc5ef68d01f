"""Limit what users' compiled code may reach, by the types of its values.

Checking names would miss aliases, imports and attributes of values. So a pass of the compiler
checks a function once the type of each value is known. This module lists the functions that may be
called. Users' code may read the records, arrays and numbers that it is shown (`ShownRecord`), but
not write to them. Everything else is refused. `BoundedCompiler` runs the pass on every function
from outside the package. Functions of the package that users' code calls are compiled with checked
indices.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numba import types
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.core.errors import TypingError
from numba.core.imputils import lower_setattr_generic
from numba.core.ir_utils import mk_unique_var

from ethnos_sim.simulator.compiler.ownership import module_of

#: Packages and modules of this program whose functions users' code may call.
PUBLIC = (
    "ethnos_sim.simulator.game.cards",
    "ethnos_sim.simulator.kernel.clans",
    "ethnos_sim.strategies.defaults",
    "ethnos_sim.strategies.library.",
    "ethnos_sim.strategies.toolkit.",
)

#: Modules excluded from PUBLIC, because their functions read memory at an address argument.
_NOT_PUBLIC = ("ethnos_sim.strategies.library.learned", "ethnos_sim.strategies.library.lookahead")

#: Python's builtins that users' code may call.
_BUILTINS = (
    *(abs, bool, complex, divmod, enumerate, float, int, isinstance, iter, len, max, min, next),
    *(pow, print, range, reversed, round, set, slice, sorted, str, sum, tuple, zip),
)

#: NumPy's functions that users' code may call. None of them returns uninitialised memory, or
#: reinterprets the bytes of an array.
_NUMPY = re.findall(
    r"\w+",
    """
    abs absolute add all allclose amax amin any append arange arccos arccosh arcsin arcsinh arctan
    arctan2 arctanh argmax argmin argsort argwhere around array array_equal average bincount
    bitwise_and bitwise_count bitwise_not bitwise_or bitwise_xor cbrt ceil clip column_stack
    concatenate copysign cos cosh count_nonzero cross cumprod cumsum deg2rad diff digitize divide
    divmod dot dtype dstack equal exp exp2 expm1 eye fabs flatnonzero flip float_power floor
    floor_divide fmax fmin fmod full full_like gcd greater greater_equal heaviside histogram hstack
    hypot identity inner interp invert isclose isfinite isinf isnan kron lcm left_shift less
    less_equal linspace log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or
    logical_xor max maximum mean median min minimum mod multiply nan_to_num nanargmax nanargmin
    nanmax nanmean nanmin nansum negative nonzero not_equal ones ones_like outer percentile positive
    power prod ptp quantile rad2deg ravel reciprocal remainder repeat reshape right_shift rint roll
    round round_ searchsorted sign sin sinh sort sqrt square stack std subtract sum swapaxes take
    tan tanh transpose trace tril triu true_divide trunc union1d unique var vstack where zeros
    zeros_like
    """,
)

#: The function objects that may be called.
_CALLABLE = frozenset(
    {
        *_BUILTINS,
        *(value for name, value in vars(math).items() if callable(value) and name[0] != "_"),
        *(getattr(np, name) for name in _NUMPY if hasattr(np, name)),
    }
)

#: NumPy's functions with an optional last argument that they write to, and how many arguments come
#: before it.
_INPUTS = {np.dot: 2, np.round: 2, np.around: 2, np.clip: 3}

#: Methods of arrays that users' code may call.
_ARRAY_METHODS = frozenset(
    re.findall(
        r"\w+",
        """
        all any argmax argmin argsort astype copy cumprod cumsum dot flatten item max mean min
        nonzero prod ravel repeat reshape std sum take transpose var
        """,
    )
)

#: Methods of arrays that users' code may call on writable arrays only.
_WRITING_METHODS = frozenset({"fill", "sort"})

#: Other types that values may have. Records and arrays are checked separately.
_VALUES = (
    *(types.BaseTuple, types.Boolean, types.EnumClass, types.EnumMember, types.ExceptionClass),
    *(types.ExceptionInstance, types.IterableType, types.IteratorType, types.Module),
    *(types.NamedTupleClass, types.NoneType, types.Number, types.NumberClass, types.Omitted),
    *(types.Optional, types.Pair, types.Poison, types.SliceType, types.UnicodeType),
    *(types.CharSeq, types.DType, types.EllipsisType, types.UnicodeCharSeq, types.Undefined),
)
_NEVER = (types.ClassType, types.DictType, types.NumpyFlatType, types.NumpyNdIterType)


WRITES = "this writes to what is for reading"


class Inserted(ir.Global):
    """A function that the compiler of users' code calls, and that users' code may not name."""


class OutOfReach(Exception):
    """Users' code does something forbidden; the message begins with `FILE:LINE`."""


class ShownArray(types.NestedArray):
    """An array of a shown record, which cannot be written to."""

    def __init__(self, dtype: types.Type, shape: tuple[int, ...]) -> None:
        super().__init__(dtype, shape)
        self.name: str = f"shown {self.name}"
        self.mutable = False


class ShownRecord(types.Record):
    """The type of a record as users' code sees it: some of its fields, read-only."""

    def __init__(self, whole: types.Record, shown: Mapping[str, types.Type]) -> None:
        """Make a type of the size of `whole`; `shown` holds the names and types of its fields."""
        self.whole = whole
        fields = [
            (name, {"type": kind, "offset": whole.offset(name)}) for name, kind in shown.items()
        ]
        super().__init__(fields, whole.size, whole.aligned)
        self.name: str = f"shown {self.name}"

    def typeof(self, key: str) -> types.Type:
        """The type of a field. Raise TypingError if it is not shown; numba adds the line."""
        if key not in self.fields:
            raise TypingError(f"Unknown attribute '{key}' of what is shown")
        return super().typeof(key)


def shown_fields(whole: types.Record, *but: str) -> dict[str, types.Type]:
    """The fields of a record except `but`, with the types under which they are shown."""
    kinds = {name: field.type for name, field in whole.fields.items() if name not in but}
    return {name: _shown_type(kind) for name, kind in kinds.items()}


def _shown_type(kind: types.Type) -> types.Type:
    if isinstance(kind, types.NestedArray):
        return ShownArray(kind.dtype, kind.shape)
    return ShownRecord(kind, shown_fields(kind)) if isinstance(kind, types.Record) else kind


register_default(ShownArray)(models.NestedArrayModel)
register_default(ShownRecord)(models.RecordModel)


@lower_setattr_generic(ShownRecord)
def _refuse_to_set(context: Any, builder: Any, signature: Any, arguments: Any, field: str) -> None:
    """Raise TypingError, because no function may set a field of a shown record."""
    raise TypingError(f"Cannot modify the {field} of what is shown")


#: Functions of this package that users' code may call besides the functions of PUBLIC.
_tools: set[Any] = set()


#: The compilers of users' code (`loops.BoundedCompiler`), which bound loops and run `Reach`.
bounded: set[type] = set()


def let_call(dispatcher: Any) -> Any:
    """Let users' code call a compiled function of this package."""
    _tools.add(dispatcher)
    return dispatcher


def bounds_loops(compiler: type) -> type:
    """Register a compiler of users' code."""
    bounded.add(compiler)
    return compiler


def is_bounded(dispatcher: Any) -> bool:
    """Whether the loops of a compiled function are bounded (`loops.BoundedCompiler`)."""
    return dispatcher._compiler.pipeline_class in bounded


def is_public(dispatcher: Any) -> bool:
    """Whether users' code may call a compiled function."""
    module = module_of(dispatcher.py_func)
    if module is None:
        return is_bounded(dispatcher)
    public = f"{module}.".startswith(PUBLIC) and not f"{module}.".startswith(_NOT_PUBLIC)
    return public or dispatcher in _tools


def _may_be_called(kind: Any) -> bool:
    if isinstance(kind, types.Dispatcher):
        return type(kind) is types.Dispatcher and is_public(kind.dispatcher)
    if isinstance(kind, types.BoundFunction):
        return _may_call_method(kind)
    return isinstance(kind, types.Function) and kind.typing_key in _CALLABLE


def _may_call_method(kind: types.BoundFunction) -> bool:
    if not isinstance(kind.this, types.Array):
        return isinstance(kind.this, types.List | types.Set)
    key = kind.typing_key
    name = key[1] if isinstance(key, tuple) else key.rpartition(".")[2]
    return name in _ARRAY_METHODS or (name in _WRITING_METHODS and kind.this.mutable)


def _may_be(kind: Any) -> bool:
    """Whether users' code may have a value of a type."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Record):
        return isinstance(kind, ShownRecord)
    if isinstance(kind, types.DType):
        return not isinstance(kind.dtype, types.Record)
    if isinstance(kind, types.Array):
        return _may_be(kind.dtype)
    if isinstance(kind, types.List):
        return not _holds_record(kind.dtype) and _may_be(kind.dtype)
    if isinstance(kind, types.Set):  # the order of strings in a set differs from run to run
        return isinstance(kind.dtype, types.Number)
    if isinstance(kind, _NEVER):
        return False
    return isinstance(kind, _VALUES) or _may_be_called(kind)


def _name_in_message(statement: Any) -> str:
    """The name by which messages call the value that a statement assigns."""
    value = statement.value
    if isinstance(value, ir.Global | ir.FreeVar):
        return str(value.name)
    if isinstance(value, ir.Expr) and value.op in ("getattr", "static_getattr"):
        return str(value.attr)
    if isinstance(value, ir.Expr) and value.op == "call":
        return "what this call returns"
    return str(statement.target.name)


def _complaints(blocks: Any, kinds: Any) -> Iterator[tuple[Any, str]]:
    """Pairs of a place in a function's file and a complaint about a forbidden thing there."""
    loops = compute_cfg_from_blocks(blocks).loops().values()
    within_loops = {label for loop in loops for label in loop.body}
    for label, block in blocks.items():
        for statement in block.body:
            if isinstance(statement, ir.Assign):
                kind = kinds[statement.target.name]
                if not _may_be(kind) and not isinstance(statement.value, Inserted):
                    yield statement.loc, f"'{_name_in_message(statement)}' is out of reach"
                elif isinstance(statement.value, ir.Expr):
                    yield from _wrong_expression(statement.value, kinds)
                if label in within_loops and _are_games(kind) and _is_call(statement):
                    yield statement.loc, "games are imagined once a decision, before its loops"
            elif isinstance(statement, ir.SetAttr):
                yield statement.loc, WRITES
            elif isinstance(statement, ir.SetItem | ir.StaticSetItem | ir.DelItem):
                kind = kinds[statement.target.name]
                if isinstance(kind, types.Record) or not getattr(kind, "mutable", True):
                    yield statement.loc, WRITES
            elif isinstance(statement, ir.Return) and _holds_record(kinds[statement.value.name]):
                yield statement.loc, "a record that is shown cannot be returned"


def _are_games(kind: Any) -> bool:
    """Whether a type is an array of imagined games."""
    return isinstance(kind, types.Array) and isinstance(kind.dtype, types.Record)


def _is_call(statement: Any) -> bool:
    return isinstance(statement.value, ir.Expr) and statement.value.op == "call"


def _holds_record(kind: Any) -> bool:
    """Whether a type is a record or contains one. Its memory may be freed when a call returns."""
    inner = kind.types if isinstance(kind, types.BaseTuple) else (getattr(kind, "type", None),)
    return isinstance(kind, types.Record) or any(_holds_record(part) for part in inner if part)


def _wrong_expression(value: Any, kinds: Any) -> Iterator[tuple[Any, str]]:
    """Pairs of an expression's place and a complaint about a forbidden thing that it does."""
    if value.op in ("getitem", "static_getitem"):
        if isinstance(kinds[value.value.name], types.Record):
            yield value.loc, "a field of a record is written record.field"
    elif value.op == "inplace_binop":
        kind = kinds[value.lhs.name]
        if isinstance(kind, types.Array) and not kind.mutable:
            yield value.loc, WRITES
    elif value.op == "call":
        called = getattr(kinds[value.func.name], "typing_key", None)
        inputs = _INPUTS.get(called) if called in _INPUTS else getattr(called, "nin", None)
        if inputs is not None and (len(value.args) > inputs or "out" in dict(value.kws)):
            name = getattr(called, "__name__", "it")
            yield value.loc, f"'{name}' writes to an argument; assign what it returns"


def _keep_games(blocks: Any, kinds: Any) -> None:
    """Keep imagined games in memory until the function returns.

    Numba would free an array after its last use by name, although records in it may still be read.
    """
    all_games = [
        statement.target
        for block in blocks.values()
        for statement in block.body
        if isinstance(statement, ir.Assign)
        and _is_call(statement)
        and _are_games(kinds[statement.target.name])
    ]
    for block in blocks.values():
        if all_games and isinstance(block.body[-1], ir.Return):
            for games in all_games:
                kept = block.scope.define(mk_unique_var("kept"), block.loc)
                kinds[kept.name] = kinds[games.name]
                block.body.insert(-1, ir.Assign(games, kept, block.loc))


@register_pass(mutates_CFG=False, analysis_only=False)
class Reach(FunctionPass):
    """Refuse a function with a value that is out of reach, and keep imagined games alive."""

    _name = "ethnos_sim_reach"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Raise OutOfReach for the first line where users' code does something forbidden."""
        refusals = sorted(
            (place.line, place.filename, complaint)
            for place, complaint in _complaints(state.func_ir.blocks, state.typemap)
        )
        for line, file, complaint in refusals:
            raise OutOfReach(f"{file}:{line}: {complaint}")
        _keep_games(state.func_ir.blocks, state.typemap)
        return True
