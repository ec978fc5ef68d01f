"""Count the elements that functions of Python and NumPy go over for users' code.

`loops` counts the rounds of the loops that users write. A call such as `min(range(10**13))` loops
too, within numba's own code. So a pass of the compiler adds the sizes of the values that users'
code gives to such functions, and of the values that they make, to the rounds of the decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba import types
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import mk_unique_var

from ethnos_sim.simulator.compiler import thread_notes
from ethnos_sim.simulator.compiler.reach import Inserted
from ethnos_sim.simulator.compiler.rounds import go_over_array, go_over_items

#: Values with a size other than arrays.
_ITEMS = (types.List, types.RangeType, types.Set, types.UnicodeType)

#: Operations that go over the values that they use, or make a value.
_OPERATIONS = frozenset({"binop", "build_list", "build_set", "call", "inplace_binop", "unary"})
_INDEXING = frozenset({"getitem", "static_getitem"})

#: Functions and methods that take no longer for a long value. An iterator (`zip`) is counted when
#: it is made.
_QUICK = frozenset({bool, isinstance, len, next, range})
_QUICK_METHODS = frozenset({"add", "append", "item"})


def _is_quick(kind: Any) -> bool:
    """Whether a call of a function or method of this type takes no longer for a long value."""
    if isinstance(kind, types.BoundFunction):
        key = kind.typing_key
        return (key[1] if isinstance(key, tuple) else key.rpartition(".")[2]) in _QUICK_METHODS
    return isinstance(kind, types.Dispatcher) or getattr(kind, "typing_key", None) in _QUICK


@register_pass(mutates_CFG=False, analysis_only=False)
class CountElements(FunctionPass):
    """Count the elements of the values that a function's operations and calls use and make."""

    _name = "ethnos_sim_count_elements"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Add the counting to a function's blocks."""
        for block in state.func_ir.blocks.values():
            block.body = [
                statement
                for original in block.body
                for statement in _counted(original, block.scope, state)
            ]
        return True


def _counted(statement: Any, scope: Any, state: Any) -> Iterator[Any]:
    """A statement, after and before the statements that count elements."""
    kinds = state.typemap
    for value in _used(statement, kinds, state.func_ir):
        yield from _count(value, statement.loc, scope, state)
    yield statement
    if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
        expression, kind = statement.value, kinds[statement.target.name]
        makes = expression.op in _OPERATIONS and not (
            expression.op == "call" and _is_quick(kinds[expression.func.name])
        )
        if makes or (expression.op in _INDEXING and _function_for(kind) is go_over_items):
            yield from _count(statement.target, statement.loc, scope, state)


def _used(statement: Any, kinds: Any, function: Any) -> list[Any]:
    """The values that a statement may go over."""
    if isinstance(statement, ir.SetItem | ir.StaticSetItem):
        index = statement.index if isinstance(statement, ir.SetItem) else statement.index_var
        kind = kinds[index.name]
        single = isinstance(types.unliteral(kind), types.Integer) or (
            isinstance(kind, types.BaseTuple) and all(isinstance(i, types.Integer) for i in kind)
        )
        return [] if single else [statement.target, index]
    expression = getattr(statement, "value", None)
    if not isinstance(expression, ir.Expr):
        return []
    if expression.op == "call":
        called = kinds[expression.func.name]
        if _is_quick(called):
            return []
        values = [*expression.args, *(value for _, value in expression.kws)]
        if isinstance(called, types.BoundFunction):
            values.append(function.get_definition(expression.func).value)
        return values
    if expression.op in _INDEXING:
        index = expression.index if expression.op == "getitem" else expression.index_var
        sized = index is not None and _function_for(kinds[index.name])
        return [index, expression.value] if sized else []
    return expression.list_vars() if expression.op in _OPERATIONS else []


def _function_for(kind: Any) -> Any:
    """The function that counts the elements of a value of this type; None if it has no size."""
    kind = types.unliteral(kind)
    kind = kind.type if isinstance(kind, types.Optional) else kind
    if isinstance(kind, types.Array):
        return None if isinstance(kind.dtype, types.Record) else go_over_array
    return go_over_items if isinstance(kind, _ITEMS) else None


def _count(value: Any, loc: Any, scope: Any, state: Any) -> Iterator[Any]:
    """The statements that count the elements of a value."""
    kind = types.unliteral(state.typemap[value.name])
    counting = _function_for(kind)
    if counting is None:
        return
    function, place, nothing = (
        scope.define(mk_unique_var(name), loc) for name in ("go_over", "place", "nothing")
    )
    called = types.Dispatcher(counting)
    state.typemap.update({function.name: called, place.name: types.int64, nothing.name: types.none})
    number = thread_notes.numbered(f"{loc.filename}:{loc.line}")
    call = ir.Expr.call(function, [value, place], (), loc)
    state.calltypes[call] = called.get_call_type(state.typingctx, (kind, types.int64), {})
    yield ir.Assign(Inserted(counting.__name__, counting, loc), function, loc)
    yield ir.Assign(ir.Const(number, loc), place, loc)
    yield ir.Assign(call, nothing, loc)
