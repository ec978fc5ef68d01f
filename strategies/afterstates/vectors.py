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

#: Numbers that one vector holds; units of a layer are a multiple. Weights begin at such a place in
#: memory (`strategies.weights.aligned`), so no vector of them lies in two lines of the cache.
LANES = 16

#: Numbers of a column stand so far apart (`add_column`).
COLUMN_STEP = 16

#: Rows of a list that are added at a time, each to sums of its own: the processor need not wait for
#: one to be done. A layer has twice as many sums, of which half are worked on at a time: registers
#: hold no more.
LISTED_AT_A_TIME = 2
LAYER_SUMS = 4


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
            with builder.goto_entry_block():  # `cgutils.alloca_once` would clear it at every call
                room = builder.alloca(ir.ArrayType(number, length))
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


def address_of(context: Any, builder: Any, kind: Any, array: Any) -> Any:
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


def number_in_lanes(builder: Any, value: Any, lanes: int = LANES) -> Any:
    """A vector that holds a number in every lane."""
    zeros = ir.Constant(ir.VectorType(value.type, lanes), None)
    single = builder.insert_element(zeros, value, ir.IntType(32)(0))
    first = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(single, zeros, first)


def _multiply_add(builder: Any) -> Any:
    """The function of vectors that multiplies two and adds a third, rounding once."""
    vector = ir.VectorType(ir.FloatType(), LANES)
    kind = ir.FunctionType(vector, [vector] * 3)
    return cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f32")


def _add_rows(
    builder: Any,
    sums: list[Any],
    begin: list[Any],
    weights: Any,
    count: Any,
    row_of: Any,
) -> None:
    """Set sums to what stands where they begin and rows 0 ... count - 1, added in registers.

    `row_of(k)` gives a row's place and value. The last step may take rows behind the last one.
    """
    at_a_time = LISTED_AT_A_TIME
    units = LANES * len(sums)
    before = builder.block
    zeros = ir.Constant(ir.VectorType(ir.FloatType(), LANES), None)
    started = [builder.load(address, align=4) for address in begin]
    started += [zeros] * (len(sums) * (at_a_time - 1))
    loop = builder.append_basic_block("rows")
    done = builder.append_basic_block("rows_done")
    builder.cbranch(builder.icmp_signed(">", count, _long(0)), loop, done)
    builder.position_at_end(loop)
    k = builder.phi(ir.IntType(64))
    held = [builder.phi(vector.type) for vector in started]
    fused = _multiply_add(builder)
    added = []
    for step in range(at_a_time):
        place, value = row_of(builder.add(k, _long(step)))
        many = number_in_lanes(builder, value)
        rows = [builder.load(a, align=4) for a in _vectors(builder, weights, place, units)]
        own = held[step * len(sums) : (step + 1) * len(sums)]
        added += [
            builder.call(fused, [many, row, total]) for row, total in zip(rows, own, strict=True)
        ]
    following = builder.add(k, _long(at_a_time))
    k.add_incoming(_long(0), before)
    k.add_incoming(following, builder.block)
    for total, start, new in zip(held, started, added, strict=True):
        total.add_incoming(start, before)
        total.add_incoming(new, builder.block)
    end = builder.block
    builder.cbranch(builder.icmp_signed("<", following, count), loop, done)
    builder.position_at_end(done)
    totals = [builder.phi(vector.type) for vector in started]
    for total, start, new in zip(totals, started, added, strict=True):
        total.add_incoming(start, before)
        total.add_incoming(new, end)
    for place, address in enumerate(sums):
        total = totals[place]
        for further in totals[place + len(sums) :: len(sums)]:
            total = builder.fadd(total, further)
        builder.store(total, address, align=4)


@intrinsic(prefer_literal=True)
def add_listed(
    typing_context, sums, first, units, begin, place, weights, start, index, values, used
):
    """Set `units` sums from `first` on to those of `begin` from `place` on and listed rows.

    The row of `index[k]` begins at `start + units * index[k]` and counts `values[k]` times, for
    k = 0 ... used - 1. The places behind the last one are written to.
    """
    if not isinstance(units, types.IntegerLiteral):
        return None
    width = units.literal_value

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        to, at, _, source, source_at, rows, row_start, listed, worth, count = arguments
        numbers = address_of(context, builder, kinds[7], listed)
        factors = address_of(context, builder, kinds[8], worth)
        addresses = _vectors(builder, address_of(context, builder, kinds[0], to), at, width)
        sources = _vectors(
            builder, address_of(context, builder, kinds[3], source), source_at, width
        )
        for step in range(LISTED_AT_A_TIME - 1):  # rows that count for nothing fill the last step
            behind = builder.add(count, _long(step))
            builder.store(_long(0), builder.gep(numbers, [behind]))
            nothing = ir.Constant(ir.FloatType(), 0.0)
            builder.store(nothing, builder.gep(factors, [behind]))

        def row_of(k: Any) -> Any:
            row = builder.load(builder.gep(numbers, [k]))
            value = builder.load(builder.gep(factors, [k]))
            return builder.add(row_start, builder.mul(row, _long(width))), value

        weights_at = address_of(context, builder, kinds[5], rows)
        _add_rows(builder, addresses, sources, weights_at, count, row_of)
        return context.get_dummy_value()

    long = types.int64
    places = types.Array(long, 1, "C")
    signature = types.void(FLOATS, long, units, begin, long, weights, long, places, FLOATS, long)
    return signature, generate


@intrinsic
def step_of(typing_context, value, steps):
    """The number of the first step whose upper end a value does not pass; the ends are a tuple."""

    def generate(context, builder, signature, arguments):
        given, ends = arguments
        count = len(signature.args[1])
        vector = ir.VectorType(ir.DoubleType(), LANES)
        passed = ir.Constant(vector, [float("inf")] * LANES)
        for k in range(count):
            passed = builder.insert_element(
                passed, builder.extract_value(ends, k), ir.IntType(32)(k)
            )
        over = builder.fcmp_ordered(">", number_in_lanes(builder, given), passed)
        bits = builder.bitcast(over, ir.IntType(LANES))
        return builder.zext(builder.ctpop(bits), ir.IntType(64))

    return types.int64(types.float64, steps), generate


@intrinsic
def put(typing_context, index, values, used, i, value):
    """Append an input to a list of which so many places are used; returns how many are then."""

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        listed, worth, count, number, given = arguments
        given = context.cast(builder, given, kinds[4], types.float32)
        builder.store(number, builder.gep(address_of(context, builder, kinds[0], listed), [count]))
        builder.store(given, builder.gep(address_of(context, builder, kinds[1], worth), [count]))
        return builder.add(count, _long(1))

    long = types.int64
    return long(types.Array(long, 1, "C"), FLOATS, long, long, value), generate


@intrinsic(prefer_literal=True)
def add_column(
    typing_context, sums, first, units, begin, place, weights, start, numbers, at, ones, row, dense
):
    """Set `units` sums from `first` on to those of `begin` from `place` on and a column's rows.

    The column's numbers stand COLUMN_STEP apart from `at` on: `ones` numbers of rows that are set,
    and how many times each of `dense` rows from `row` on counts. Row 0 begins at `start`.
    """
    literals = (units, ones, row, dense)
    if not all(isinstance(each, types.IntegerLiteral) for each in literals):
        return None
    width, set_rows, dense_from, dense_rows = (each.literal_value for each in literals)

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        to, to_at, _, source, source_at, rows, row_start, column, column_at, *_ = arguments
        weights_at = address_of(context, builder, kinds[5], rows)
        column_data = builder.gep(address_of(context, builder, kinds[7], column), [column_at])
        sources = _vectors(
            builder, address_of(context, builder, kinds[3], source), source_at, width
        )
        totals = [[builder.load(address, align=4) for address in sources], []]
        for k in range(set_rows + dense_rows):
            number = builder.load(builder.gep(column_data, [_long(COLUMN_STEP * k)]))
            if k < set_rows:
                found = builder.fptosi(number, ir.IntType(64))
                row_at = builder.add(row_start, builder.mul(found, _long(width)))
            else:
                row_at = builder.add(row_start, _long(width * (dense_from + k - set_rows)))
            loaded = [
                builder.load(address, align=4)
                for address in _vectors(builder, weights_at, row_at, width)
            ]
            if k >= set_rows:
                many = number_in_lanes(builder, number)
                loaded = [builder.fmul(many, each) for each in loaded]
            half = totals[k % 2]
            totals[k % 2] = (
                [builder.fadd(t, each) for t, each in zip(half, loaded, strict=True)]
                if half
                else loaded
            )
        addresses = _vectors(builder, address_of(context, builder, kinds[0], to), to_at, width)
        for address, total, other in zip(addresses, *totals, strict=True):
            builder.store(builder.fadd(total, other), address, align=4)
        return context.get_dummy_value()

    long = types.int64
    return types.void(
        FLOATS, long, units, begin, long, weights, long, FLOATS, long, ones, row, dense
    ), generate


@intrinsic(prefer_literal=True)
def add_layer(typing_context, sums, units, weights, bias, start, values, count):
    """Set `units` sums to the biases of a layer and all its rows, from `start` on.

    Row k counts `values[k]` times, for k = 0 ... count - 1.
    """
    if not all(isinstance(each, types.IntegerLiteral) for each in (units, count)):
        return None
    width, rows_of_layer = units.literal_value, count.literal_value

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        to, _, rows, bias_at, row_start, worth, _ = arguments
        weights_at = address_of(context, builder, kinds[2], rows)
        factors = address_of(context, builder, kinds[5], worth)
        biases = _vectors(builder, weights_at, bias_at, width)
        started = [builder.load(address, align=4) for address in biases]
        zeros = [ir.Constant(each.type, None) for each in started]
        totals = [started, *[zeros] * (LAYER_SUMS - 1)]
        fused = _multiply_add(builder)
        for k in sorted(range(rows_of_layer), key=lambda k: 2 * (k % LAYER_SUMS) // LAYER_SUMS):
            many = number_in_lanes(builder, builder.load(builder.gep(factors, [_long(k)])))
            addresses = _vectors(
                builder, weights_at, builder.add(row_start, _long(width * k)), width
            )
            totals[k % LAYER_SUMS] = [
                builder.call(fused, [many, builder.load(address, align=4), total])
                for address, total in zip(addresses, totals[k % LAYER_SUMS], strict=True)
            ]
        addresses = _vectors(builder, address_of(context, builder, kinds[0], to), _long(0), width)
        for address, first, *further in zip(addresses, *totals, strict=True):
            total = first
            for each in further:
                total = builder.fadd(total, each)
            builder.store(total, address, align=4)
        return context.get_dummy_value()

    long = types.int64
    return types.void(FLOATS, units, weights, long, long, FLOATS, count), generate


@intrinsic(prefer_literal=True)
def rectify(typing_context, to, place, units, sums, first):
    """Set `units` numbers from `place` on to sums from `first` on, 0 for negative ones."""
    if not isinstance(units, types.IntegerLiteral):
        return None
    width = units.literal_value

    def generate(context, builder, signature, arguments):
        target, place_at, _, source, begin = arguments
        read = address_of(context, builder, signature.args[3], source)
        written = _vectors(
            builder, address_of(context, builder, signature.args[0], target), place_at, width
        )
        for address, other in zip(_vectors(builder, read, begin, width), written, strict=True):
            builder.store(_rectified(builder, builder.load(address, align=4)), other, align=4)
        return context.get_dummy_value()

    long = types.int64
    return types.void(FLOATS, long, units, FLOATS, long), generate


@intrinsic(prefer_literal=True)
def rectify_groups(typing_context, to, place, units, sums, first, groups, weights, start, pairs):
    """Set `units` numbers from `place` on to the sum of rectified groups of so many sums in a row.

    Each of `groups` groups gets two rows before, whose numbers `pairs` holds; row 0 begins at
    `start`.
    """
    if not isinstance(units, types.IntegerLiteral) or not isinstance(groups, types.IntegerLiteral):
        return None
    width = units.literal_value

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        target, place_at, _, source, begin, _, rows, row_start, listed = arguments
        read = address_of(context, builder, kinds[3], source)
        weights_at = address_of(context, builder, kinds[6], rows)
        numbers = address_of(context, builder, kinds[8], listed)
        totals: list[Any] = []
        for group in range(groups.literal_value):
            from_ = builder.add(begin, _long(group * width))
            found = [builder.load(a, align=4) for a in _vectors(builder, read, from_, width)]
            for k in range(2):
                number = builder.load(builder.gep(numbers, [_long(2 * group + k)]))
                row_at = builder.add(row_start, builder.mul(number, _long(width)))
                for i, address in enumerate(_vectors(builder, weights_at, row_at, width)):
                    found[i] = builder.fadd(found[i], builder.load(address, align=4))
            found = [_rectified(builder, each) for each in found]
            if totals:
                found = [builder.fadd(t, f) for t, f in zip(totals, found, strict=True)]
            totals = found
        written = _vectors(builder, address_of(context, builder, kinds[0], target), place_at, width)
        for total, address in zip(totals, written, strict=True):
            builder.store(total, address, align=4)
        return context.get_dummy_value()

    long = types.int64
    places = types.Array(long, 1, "C")
    return types.void(FLOATS, long, units, FLOATS, long, groups, weights, long, places), generate


def _rectified(builder: Any, given: Any) -> Any:
    """A vector, 0 for negative numbers."""
    zeros = ir.Constant(given.type, None)
    return builder.select(builder.fcmp_ordered(">", given, zeros), given, zeros)


@intrinsic(prefer_literal=True)
def rectified_product(typing_context, values, units, weights, start):
    """The sum of `units` numbers, 0 for negative ones, times as many weights from `start` on."""
    if not isinstance(units, types.IntegerLiteral):
        return None
    width = units.literal_value

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        given, _, rows, begin = arguments
        own = _vectors(builder, address_of(context, builder, kinds[0], given), _long(0), width)
        others = _vectors(builder, address_of(context, builder, kinds[2], rows), begin, width)
        total = None
        for address, other in zip(own, others, strict=True):
            own_part = _rectified(builder, builder.load(address, align=4))
            product = builder.fmul(own_part, builder.load(other, align=4))
            total = product if total is None else builder.fadd(total, product)
        lanes = LANES
        while lanes > 1:  # halves are added, so the order is the same on every machine
            lanes //= 2
            halves = [
                builder.shuffle_vector(
                    total, total, ir.Constant(ir.VectorType(ir.IntType(32), lanes), list(half))
                )
                for half in (range(lanes), range(lanes, 2 * lanes))
            ]
            total = builder.fadd(*halves)
        return builder.extract_element(total, ir.IntType(32)(0))

    return types.float32(FLOATS, units, weights, types.int64), generate


def _listed_in_python(
    sums, first, units, begin, place, weights, start, index, values, used
) -> None:
    """`add_listed` where Python runs a strategy."""
    total = np.array(begin[place : place + units])
    for k in range(used):
        row = start + units * index[k]
        total += np.float32(values[k]) * np.asarray(weights)[row : row + units]
    np.asarray(sums)[first : first + units] = total


def _put_in_python(index, values, used, i, value) -> Any:
    """`put` where Python runs a strategy."""
    index[used] = i
    values[used] = value
    return used + 1


def _column_in_python(
    sums, first, units, begin, place, weights, start, numbers, at, ones, row, dense
) -> None:
    """`add_column` where Python runs a strategy."""
    column = [numbers[at + COLUMN_STEP * k] for k in range(ones + dense)]
    index = [*(int(number) for number in column[:ones]), *range(row, row + dense)]
    values = [1] * ones + column[ones:]
    _listed_in_python(sums, first, units, begin, place, weights, start, index, values, ones + dense)


def _layer_in_python(sums, units, weights, bias, start, values, count) -> None:
    """`add_layer` where Python runs a strategy."""
    given = np.asarray(weights)
    rows = given[start : start + units * count].reshape(count, units)
    np.asarray(sums)[:units] = given[bias : bias + units] + np.asarray(values)[:count] @ rows


def _rectify_in_python(to, place, units, sums, first) -> None:
    """`rectify` where Python runs a strategy."""
    np.asarray(to)[place : place + units] = np.maximum(np.asarray(sums)[first : first + units], 0)


def _groups_in_python(to, place, units, sums, first, groups, weights, start, pairs) -> None:
    """`rectify_groups` where Python runs a strategy."""
    found = np.array(sums[first : first + units * groups]).reshape(groups, units)
    for k in range(2 * groups):
        row = start + units * pairs[k]
        found[k // 2] += np.asarray(weights)[row : row + units]
    np.asarray(to)[place : place + units] = np.maximum(found, 0).sum(axis=0)


def _product_in_python(values, units, weights, start) -> np.float32:
    """`rectified_product` where Python runs a strategy."""
    found: np.float32 = (
        np.maximum(np.asarray(values)[:units], 0) @ np.asarray(weights)[start : start + units]
    )
    return found


#: What stands for these intrinsics where Python runs a strategy.
IN_PYTHON = {
    floats_on_stack: lambda size: np.zeros(size, np.float32),
    numbers_on_stack: lambda size: np.zeros(size, np.int64),
    add_listed: _listed_in_python,
    put: _put_in_python,
    step_of: lambda value, steps: sum(value > end for end in steps),
    add_column: _column_in_python,
    add_layer: _layer_in_python,
    rectify: _rectify_in_python,
    rectify_groups: _groups_in_python,
    rectified_product: _product_in_python,
}
