"""Sums of rows of weights, written as vector instructions, and small arrays on the stack.

The compiler would store and load the sums again at every row. Products are fused and added in a
fixed order, so every machine finds the same values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

FLOATS = types.Array(types.float32, 1, "C")

#: Numbers that one vector holds; units of a layer are a multiple.
LANES = 8


def _on_stack(element: Any) -> Any:
    """An intrinsic that makes an array of a constant size on the stack, not cleared.

    An array of NumPy's would be counted, atomically, at every call it is passed to.
    """

    @intrinsic(prefer_literal=True)
    def make(typing_context, size):
        if not isinstance(size, types.IntegerLiteral):
            return None
        length = size.literal_value
        array_type = types.Array(element, 1, "C")

        def generate(context, builder, signature, arguments):
            number = context.get_data_type(element)
            room = cgutils.alloca_once(builder, ir.ArrayType(number, length))
            room.align = 64
            width = context.get_constant(types.intp, element.bitwidth // 8)
            array = context.make_array(array_type)(context, builder)
            populate_array(
                array,
                data=builder.bitcast(room, number.as_pointer()),
                shape=cgutils.pack_array(builder, [context.get_constant(types.intp, length)]),
                strides=cgutils.pack_array(builder, [width]),
                itemsize=width,
                meminfo=None,
            )
            return array._getvalue()

        return array_type(size), generate

    return make


floats_on_stack = _on_stack(types.float32)
numbers_on_stack = _on_stack(types.int64)


def _long(number: int) -> Any:
    """A whole number as the compiler's constant."""
    return ir.IntType(64)(number)


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The address of an array's numbers."""
    return context.make_array(kind)(context, builder, array).data


def _vectors(builder: Any, address: Any, place: Any, units: int) -> list[Any]:
    """The addresses of the vectors that hold `units` numbers from a place on."""
    pointer = ir.VectorType(ir.FloatType(), LANES).as_pointer()
    first = builder.gep(address, [place])
    return [
        builder.bitcast(builder.gep(first, [_long(lane)]), pointer)
        for lane in range(0, units, LANES)
    ]


def _splat(builder: Any, value: Any) -> Any:
    """A vector that holds a number in every lane."""
    zeros = ir.Constant(ir.VectorType(ir.FloatType(), LANES), None)
    single = builder.insert_element(zeros, value, ir.IntType(32)(0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(single, zeros, lanes)


def _add_rows(builder: Any, sums: list[Any], weights: Any, count: Any, row_of: Any) -> None:
    """Add rows 0 ... count - 1 to sums in registers; `row_of(k)` gives a row's place and value."""
    units = LANES * len(sums)
    before = builder.block
    started = [builder.load(address, align=4) for address in sums]
    loop = builder.append_basic_block("rows")
    done = builder.append_basic_block("rows_done")
    builder.cbranch(builder.icmp_signed(">", count, _long(0)), loop, done)
    builder.position_at_end(loop)
    k = builder.phi(ir.IntType(64))
    held = [builder.phi(vector.type) for vector in started]
    place, value = row_of(k)
    many = _splat(builder, value)
    rows = [builder.load(a, align=4) for a in _vectors(builder, weights, place, units)]
    vector = many.type
    fused = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fma.v{LANES}f32"
    )
    added = [builder.call(fused, [many, row, total]) for row, total in zip(rows, held, strict=True)]
    following = builder.add(k, _long(1))
    k.add_incoming(_long(0), before)
    k.add_incoming(following, builder.block)
    for total, start, new in zip(held, started, added, strict=True):
        total.add_incoming(start, before)
        total.add_incoming(new, builder.block)
    end = builder.block
    builder.cbranch(builder.icmp_signed("<", following, count), loop, done)
    builder.position_at_end(done)
    totals = [builder.phi(vector) for _ in sums]
    for address, total, start, new in zip(sums, totals, started, added, strict=True):
        total.add_incoming(start, before)
        total.add_incoming(new, end)
        builder.store(total, address, align=4)


@intrinsic(prefer_literal=True)
def add_listed(typing_context, sums, first, units, weights, start, index, values):
    """Add listed rows of weights to `units` sums from `first` on.

    The row of `index[k]` begins at `start + units * index[k]` and counts `values[k]` times, for
    k = 1 ... index[0].
    """
    if not isinstance(units, types.IntegerLiteral):
        return None
    width = units.literal_value

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        to, _, _, rows, begin, listed, worth = arguments
        numbers = _data(context, builder, kinds[5], listed)
        factors = _data(context, builder, kinds[6], worth)
        addresses = _vectors(builder, _data(context, builder, kinds[0], to), arguments[1], width)

        def row_of(k: Any) -> Any:
            place = builder.add(k, _long(1))
            row = builder.load(builder.gep(numbers, [place]))
            value = builder.load(builder.gep(factors, [place]))
            return builder.add(begin, builder.mul(row, _long(width))), value

        weights_at = _data(context, builder, kinds[3], rows)
        _add_rows(builder, addresses, weights_at, builder.load(numbers), row_of)
        return context.get_dummy_value()

    places = types.Array(types.int64, 1, "C")
    signature = types.void(FLOATS, types.int64, units, weights, types.int64, places, FLOATS)
    return signature, generate


@intrinsic(prefer_literal=True)
def add_layer(typing_context, sums, units, weights, start, values, count):
    """Add all rows of a layer, from `start` on, to `units` sums: row k counts `values[k]` times."""
    if not isinstance(units, types.IntegerLiteral):
        return None
    width = units.literal_value

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        to, _, rows, begin, worth, number = arguments
        factors = _data(context, builder, kinds[4], worth)
        addresses = _vectors(builder, _data(context, builder, kinds[0], to), _long(0), width)

        def row_of(k: Any) -> Any:
            value = builder.load(builder.gep(factors, [k]))
            return builder.add(begin, builder.mul(k, _long(width))), value

        _add_rows(builder, addresses, _data(context, builder, kinds[2], rows), number, row_of)
        return context.get_dummy_value()

    signature = types.void(FLOATS, units, weights, types.int64, FLOATS, types.int64)
    return signature, generate


def _listed_in_python(sums, first, units, weights, start, index, values) -> None:
    """`add_listed` where Python runs a strategy."""
    for k in range(1, index[0] + 1):
        place = start + units * index[k]
        row = np.asarray(weights)[place : place + units]
        np.asarray(sums)[first : first + units] += np.float32(values[k]) * row


def _layer_in_python(sums, units, weights, start, values, count) -> None:
    """`add_layer` where Python runs a strategy."""
    rows = np.asarray(weights)[start : start + units * count].reshape(count, units)
    np.asarray(sums)[:units] += np.asarray(values)[:count] @ rows


#: What stands for these intrinsics where Python runs a strategy.
IN_PYTHON = {
    floats_on_stack: lambda size: np.zeros(size, np.float32),
    numbers_on_stack: lambda size: np.zeros(size, np.int64),
    add_listed: _listed_in_python,
    add_layer: _layer_in_python,
}
