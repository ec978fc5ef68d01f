"""Rows: vectors with a number for each region, so that one instruction works on all regions.

Rows are added, subtracted, multiplied and divided lane by lane; a plain number applies to every
lane.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.net.vectors import (
    FLOATS,
    LONG,
    at,
    lowered,
    number_in_lanes,
)

#: Lanes of a row: one for each region, and some unused lanes.
LANES = 8

VECTOR = ir.VectorType(ir.FloatType(), LANES)

#: Numbers that are rounded to whole numbers must be above -LEAST.
LEAST = 1 << 10

#: The LLVM instruction of each operation.
OPERATIONS = {
    operator.add: "fadd",
    operator.sub: "fsub",
    operator.mul: "fmul",
    operator.truediv: "fdiv",
}


class Row(types.Type):
    """The type of rows.

    Its name lists the operations of rows, so that cached code depends on them.
    """

    def __init__(self) -> None:
        super().__init__(f"Row({LANES}, {', '.join(OPERATIONS.values())})")


ROW = Row()


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    """A row is an LLVM vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def _define(operation: Any, instruction: str) -> None:
    """Define an operation for two rows, and for a row and a number."""
    kinds = [(ROW, ROW), (ROW, types.float32), (types.float32, ROW)]

    @infer_global(operation)
    class Operation(ConcreteTemplate):
        cases = [signature(ROW, *pair) for pair in kinds]

    for pair in kinds:

        @lower_builtin(operation, *pair)
        def lower(context: Any, builder: Any, given: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*_as_rows(builder, arguments))


def _as_rows(builder: Any, arguments: Any) -> list[Any]:
    """Turn numbers into rows that hold them in every lane; leave rows unchanged."""
    return [
        argument if argument.type == VECTOR else number_in_lanes(builder, argument, LANES)
        for argument in arguments
    ]


for _operation, _instruction in OPERATIONS.items():
    _define(_operation, _instruction)


def _row_or_number(given: Any) -> types.Type:
    """The type of a row, or of a number that applies to every lane."""
    return ROW if given == ROW else types.float32


def _compared(sign: str) -> Any:
    """An intrinsic of three rows: the third in lanes where first `sign` second holds, else 0."""

    @lowered(ROW, _row_or_number, _row_or_number, _row_or_number)
    def compare(builder, row, other, given):
        first, second, result = _as_rows(builder, (row, other, given))
        holds = builder.fcmp_ordered(sign, first, second)
        return builder.select(holds, result, ir.Constant(VECTOR, None))

    return compare


def _chosen(sign: str) -> Any:
    """An intrinsic of two rows: per lane, the second if second `sign` first holds, else the first.

    LLVM compiles a comparison and a choice to one instruction on every machine. In WebAssembly it
    would compile `maxnum` and `minnum` to several instructions for each lane.
    """

    @lowered(ROW, _row_or_number, _row_or_number)
    def choose(builder, row, other):
        first, second = _as_rows(builder, (row, other))
        return builder.select(builder.fcmp_ordered(sign, second, first), second, first)

    return choose


larger = _chosen(">")
smaller = _chosen("<")
over = _compared(">")
equal = _compared("==")


@lowered(ROW, types.float32)
def filled(builder, number):
    """A row with a number in every lane."""
    return number_in_lanes(builder, number, LANES)


def _address(builder: Any, array: Any, place: Any) -> Any:
    """The address of the row that starts at an index of an array."""
    return builder.bitcast(at(builder, array, place), VECTOR.as_pointer())


@lowered(ROW, FLOATS, LONG)
def row_at(builder, array, place):
    """Load the row that starts at an index of a float32 array."""
    return builder.load(_address(builder, array, place), align=4)


@lowered(types.void, FLOATS, LONG, ROW)
def put_row(builder, array, place, row):
    """Store a row in a float32 array, starting at an index."""
    builder.store(row, _address(builder, array, place), align=4)


@lowered(types.void, FLOATS, LONG, ROW)
def put_whole(builder, array, place, row):
    """Round a row to whole numbers, halves upwards, and store them in a float32 array.

    They are stored as int32 (read them by `vectors.whole_at`), and must be above -LEAST.
    """
    half = builder.fadd(row, number_in_lanes(builder, ir.FloatType()(LEAST + 0.5), LANES))
    kind = ir.VectorType(ir.IntType(32), LANES)
    whole = builder.sub(builder.fptosi(half, kind), ir.Constant(kind, [LEAST] * LANES))
    builder.store(whole, builder.bitcast(at(builder, array, place), kind.as_pointer()), align=4)


@lowered(ROW, types.unliteral, LONG)
def by_region(builder, array, column):
    """Load `array[:, column]` as a row; the array has whole numbers, a line for each region."""
    width = array.data.type.pointee
    numbers = ir.Constant(ir.VectorType(width, LANES), [0] * LANES)
    step = builder.sdiv(builder.extract_value(array.strides, 0), ir.IntType(64)(width.width // 8))
    for region in range(REGIONS):
        place = builder.add(builder.mul(step, ir.IntType(64)(region)), column)
        number = builder.load(at(builder, array, place))
        numbers = builder.insert_element(numbers, number, ir.IntType(32)(region))
    return builder.sitofp(numbers, VECTOR)
