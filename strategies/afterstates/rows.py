"""Rows: a number for each region as one value, on which one vector instruction works.

Rows are added, subtracted, multiplied and divided lane by lane; a number beside one counts in every
lane. Where Python runs a strategy a row is an array of NumPy's.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from ethnos_sim.simulator.records import REGIONS
from ethnos_sim.strategies.afterstates.vectors import FLOATS, address_of, number_in_lanes

#: Lanes of a row: one a region, and some that mean nothing.
LANES = 8

VECTOR = ir.VectorType(ir.FloatType(), LANES)

#: What each operation is to the compiler.
OPERATIONS = {
    operator.add: "fadd",
    operator.sub: "fsub",
    operator.mul: "fmul",
    operator.truediv: "fdiv",
}


class Row(types.Type):
    """The type of rows; its name says how they are worked with, so that kept code knows it."""

    def __init__(self) -> None:
        super().__init__(f"Row({LANES}, {', '.join(OPERATIONS.values())})")


ROW = Row()


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    """A row is a vector of the processor's."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def _define(operation: Any, instruction: str) -> None:
    """Let an operation work on rows, and on a row and a number."""
    kinds = [(ROW, ROW), (ROW, types.float32), (types.float32, ROW)]

    @infer_global(operation)
    class Operation(ConcreteTemplate):
        cases = [signature(ROW, *pair) for pair in kinds]

    for pair in kinds:

        @lower_builtin(operation, *pair)
        def lower(context: Any, builder: Any, given: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*_as_rows(builder, arguments))


def _as_rows(builder: Any, arguments: Any) -> list[Any]:
    """Numbers as rows that hold them in every lane; rows as they are."""
    return [
        each if each.type == VECTOR else number_in_lanes(builder, each, LANES) for each in arguments
    ]


for _operation, _instruction in OPERATIONS.items():
    _define(_operation, _instruction)


def _compared(sign: str, *, ones: bool) -> Any:
    """An intrinsic that chooses the first of two rows where `sign` holds, else the second.

    With `ones` it gives 1 where it holds, else 0.
    """

    @intrinsic
    def compare(typing_context, row, other):
        def generate(context, builder, signature, arguments):
            first, second = _as_rows(builder, arguments)
            holds = builder.fcmp_ordered(sign, first, second)
            if ones:
                first, second = (ir.Constant(VECTOR, [float(each)] * LANES) for each in (1, 0))
            return builder.select(holds, first, second)

        kinds = [ROW if each == ROW else types.float32 for each in (row, other)]
        return ROW(*kinds), generate

    return compare


larger = _compared(">", ones=False)
smaller = _compared("<", ones=False)
over = _compared(">", ones=True)
equal = _compared("==", ones=True)


@intrinsic
def filled(typing_context, number):
    """A row with a number in every lane."""

    def generate(context, builder, signature, arguments):
        return _as_rows(builder, arguments)[0]

    return ROW(types.float32), generate


@intrinsic
def row_at(typing_context, array, place):
    """The row that stands in an array of float32 from a place on."""

    def generate(context, builder, signature, arguments):
        begin = builder.gep(address_of(context, builder, FLOATS, arguments[0]), [arguments[1]])
        return builder.load(builder.bitcast(begin, VECTOR.as_pointer()), align=4)

    return ROW(FLOATS, types.int64), generate


@intrinsic
def put_row(typing_context, array, place, row):
    """Write a row to an array of float32 from a place on."""

    def generate(context, builder, signature, arguments):
        begin = builder.gep(address_of(context, builder, FLOATS, arguments[0]), [arguments[1]])
        builder.store(arguments[2], builder.bitcast(begin, VECTOR.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(FLOATS, types.int64, ROW), generate


@intrinsic
def by_region(typing_context, array, column):
    """A column of an array of whole numbers, whose first dimension is the regions, as a row."""

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        values = context.make_array(kind)(context, builder, arguments[0])
        width = values.data.type.pointee
        found = ir.Constant(ir.VectorType(width, LANES), [0] * LANES)
        columns = kind.dtype.bitwidth // 8
        step = builder.sdiv(builder.extract_value(values.strides, 0), ir.IntType(64)(columns))
        for region in range(REGIONS):
            place = builder.add(builder.mul(step, ir.IntType(64)(region)), arguments[1])
            number = builder.load(builder.gep(values.data, [place]))
            found = builder.insert_element(found, number, ir.IntType(32)(region))
        return builder.sitofp(found, VECTOR)

    return ROW(array, types.int64), generate


def _column_in_python(array, column) -> Any:
    """`by_region` where Python runs a strategy."""
    found = np.zeros(LANES, np.float32)
    found[:REGIONS] = np.reshape(array, (REGIONS, -1))[:, column]
    return found


def _put_in_python(array, place, row) -> None:
    """`put_row` where Python runs a strategy."""
    np.asarray(array)[place : place + LANES] = row


#: What stands for these intrinsics where Python runs a strategy.
IN_PYTHON = {
    larger: np.maximum,
    smaller: np.minimum,
    over: lambda row, other: np.greater(row, other).astype(np.float32),
    equal: lambda row, other: np.equal(row, other).astype(np.float32),
    filled: lambda number: np.full(LANES, number, np.float32),
    row_at: lambda array, place: np.array(array[place : place + LANES]),
    put_row: _put_in_python,
    by_region: _column_in_python,
}
