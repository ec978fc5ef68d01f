"""Rows: vectors with a number for each region, so that one instruction works on all regions.

Rows are added, subtracted, multiplied and divided lane by lane. A plain number that is combined
with a row counts in every lane.
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
    broadcast,
    llvm_intrinsic,
    pointer,
)

#: Lanes of a row: one for each region, and some unused lanes.
LANES = 8

VECTOR = ir.VectorType(ir.FloatType(), LANES)

#: Numbers that `store_whole` rounds must be above -LEAST.
LEAST = 1 << 10

#: The LLVM instruction of each operation.
OPERATIONS = {
    operator.add: "fadd",
    operator.sub: "fsub",
    operator.mul: "fmul",
    operator.truediv: "fdiv",
}


class Row(types.Type):
    """The type of rows. Its name lists their operations, so that cached code depends on these."""

    def __init__(self) -> None:
        super().__init__(f"Row({LANES}, {', '.join(OPERATIONS.values())})")


ROW = Row()


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    """A row is an LLVM vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def _define_operation(operation: Any, instruction: str) -> None:
    """Define an operation, such as `+`, for two rows and for a row and a number."""
    kinds = [(ROW, ROW), (ROW, types.float32), (types.float32, ROW)]

    @infer_global(operation)
    class Operation(ConcreteTemplate):
        cases = [signature(ROW, *pair) for pair in kinds]

    for pair in kinds:

        @lower_builtin(operation, *pair)
        def lower(context: Any, builder: Any, given: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*_as_rows(builder, arguments))


def _as_rows(builder: Any, arguments: Any) -> list[Any]:
    """Turn each number into a row with this number in every lane; leave rows unchanged."""
    return [
        argument if argument.type == VECTOR else broadcast(builder, argument, LANES)
        for argument in arguments
    ]


for _operation, _instruction in OPERATIONS.items():
    _define_operation(_operation, _instruction)


def _operand_type(operand: Any) -> types.Type:
    """ROW for a row; for a number, which counts in every lane, float32."""
    return ROW if operand == ROW else types.float32


def _comparison(sign: str) -> Any:
    """An intrinsic of three rows that gives the third where `first SIGN second`, else 0."""

    @llvm_intrinsic(ROW, _operand_type, _operand_type, _operand_type)
    def value_where(builder, row, other, value):
        first, second, result = _as_rows(builder, (row, other, value))
        holds = builder.fcmp_ordered(sign, first, second)
        return builder.select(holds, result, ir.Constant(VECTOR, None))

    return value_where


def _selection(sign: str) -> Any:
    """An intrinsic of two rows that gives the second where `second SIGN first`, else the first.

    LLVM compiles a comparison and a selection to one instruction on every machine. In WebAssembly
    it would compile `maxnum` and `minnum` to several instructions for each lane.
    """

    @llvm_intrinsic(ROW, _operand_type, _operand_type)
    def extreme(builder, row, other):
        first, second = _as_rows(builder, (row, other))
        return builder.select(builder.fcmp_ordered(sign, second, first), second, first)

    return extreme


maximum = _selection(">")
minimum = _selection("<")
where_larger = _comparison(">")
where_equal = _comparison("==")


@llvm_intrinsic(ROW, types.float32)
def filled_row(builder, number):
    """A row with a number in every lane."""
    return broadcast(builder, number, LANES)


def _row_address(builder: Any, array: Any, index: Any) -> Any:
    """The address of the row that starts at an index of an array."""
    return builder.bitcast(pointer(builder, array, index), VECTOR.as_pointer())


@llvm_intrinsic(ROW, FLOATS, LONG)
def load_row(builder, array, index):
    """Load the row that starts at an index of a float32 array."""
    return builder.load(_row_address(builder, array, index), align=4)


@llvm_intrinsic(types.void, FLOATS, LONG, ROW)
def store_row(builder, array, index, row):
    """Store a row in a float32 array, starting at an index."""
    builder.store(row, _row_address(builder, array, index), align=4)


@llvm_intrinsic(types.void, FLOATS, LONG, ROW)
def store_whole(builder, array, index, row):
    """Round a row to whole numbers, halves upwards, and store them in a float32 array as int32.

    Numbers must be above -LEAST. `vectors.load_whole` loads them.
    """
    half = builder.fadd(row, broadcast(builder, ir.FloatType()(LEAST + 0.5), LANES))
    kind = ir.VectorType(ir.IntType(32), LANES)
    whole = builder.sub(builder.fptosi(half, kind), ir.Constant(kind, [LEAST] * LANES))
    address = builder.bitcast(pointer(builder, array, index), kind.as_pointer())
    builder.store(whole, address, align=4)


@llvm_intrinsic(ROW, types.unliteral, LONG)
def load_by_region(builder, array, column):
    """Load `array[:, column]` as a row; the array has whole numbers, a line for each region."""
    width = array.data.type.pointee
    numbers = ir.Constant(ir.VectorType(width, LANES), [0] * LANES)
    step = builder.sdiv(builder.extract_value(array.strides, 0), ir.IntType(64)(width.width // 8))
    for region in range(REGIONS):
        index = builder.add(builder.mul(step, ir.IntType(64)(region)), column)
        number = builder.load(pointer(builder, array, index))
        numbers = builder.insert_element(numbers, number, ir.IntType(32)(region))
    return builder.sitofp(numbers, VECTOR)
