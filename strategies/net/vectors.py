"""Sums of rows of weights, written as vector instructions, and small arrays on the stack.

Left to itself, the compiler stores and reloads the sums at every row. Weights and activations are
int16. The first layer's sums saturate at the bounds of int16; the others are int32 and cannot
overflow (`quantised`). So all processors, and WebAssembly, compute the same numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ethnos_sim.strategies.weights import array_behind

LONG = types.int64
LONGS = types.Array(LONG, 1, "C")
SHORTS = types.Array(types.int16, 1, "C")
FLOATS = types.Array(types.float32, 1, "C")

#: How many numbers a vector has; each layer has a multiple of this number of units. Weights are
#: aligned in memory (`strategies.weights.aligned`), so none of their vectors spans two cache lines.
LANES = 16

#: The distance between the numbers of a column (`add_column`).
COLUMN_STEP = 16

#: How many listed rows are added at a time. They go to separate sums, so that the processor need
#: not finish an addition before it begins the next addition.
LISTED_AT_A_TIME = 2

#: Bits of an input's value in a list; the higher bits are the index of its row.
VALUE_BITS = 16

SHORT = ir.IntType(16)
WORD = ir.IntType(32)
VECTOR = ir.VectorType(SHORT, LANES)
ZEROS = ir.Constant(VECTOR, None)

#: A vector of half as many numbers, each the sum of two products.
SUMS = ir.VectorType(WORD, LANES // 2)


def constant(kind: types.Type) -> types.Type | None:
    """The type of an argument whose value must be known when the call is compiled."""
    return kind if isinstance(kind, types.IntegerLiteral) else None


def lowered(answer: types.Type, *kinds: Any) -> Any:
    """Declare an intrinsic by the function that emits the LLVM code for a call.

    The emitting function takes the LLVM builder and the arguments: a `constant` as its number, an
    array as numba's array structure (its numbers begin at `.data`), any other argument as its LLVM
    value.

    Args:
        answer: the type that a call returns.
        kinds: each argument's type, or a function that turns the type passed by a call into it
            (None refuses the call).
    """

    def declare(write: Callable[..., Any]) -> Any:
        @functools.wraps(write)
        def typed(typing_context: Any, *given: types.Type) -> Any:
            wanted = [
                kind if isinstance(kind, types.Type) else kind(argument)
                for kind, argument in zip(kinds, given, strict=True)
            ]
            if any(argument is None for argument in wanted):
                return None

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                values = [
                    _told(context, builder, *argument)
                    for argument in zip(signature.args, arguments, strict=True)
                ]
                result = write(builder, *values)
                return context.get_dummy_value() if result is None else result

            return answer(*wanted), generate

        return intrinsic(prefer_literal=True)(typed)

    return declare


def _told(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    """Convert an argument for the function that emits code."""
    if isinstance(kind, types.IntegerLiteral):
        return kind.literal_value
    is_array = isinstance(kind, types.Array)
    return context.make_array(kind)(context, builder, value) if is_array else value


def _on_stack(element: types.Type) -> Any:
    """An intrinsic that makes an uninitialised array of constant size on the stack.

    A NumPy array would cost an atomic reference count at every call that takes it.
    """

    @intrinsic(prefer_literal=True)
    def make(typing_context: Any, size: types.Type) -> Any:
        if constant(size) is None:
            return None
        length = size.literal_value
        kind = types.Array(element, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = context.get_data_type(element)
            with builder.goto_entry_block():  # `cgutils.alloca_once` would clear it at every call
                room = builder.alloca(ir.ArrayType(number, length))
            room.align = 64
            first = builder.bitcast(room, number.as_pointer())
            return array_behind(context, builder, kind, first, _long(length))

        return kind(size), generate

    return make


@lowered(types.void)
def stay_apart(builder):
    """Keep the compiler from copying the function that calls this into its callers.

    Copies of a large function drive other code out of the processor's cache of instructions.
    """
    builder.function.attributes.add("noinline")


shorts_on_stack = _on_stack(types.int16)
floats_on_stack = _on_stack(types.float32)
numbers_on_stack = _on_stack(types.int64)


def _long(number: int) -> Any:
    """A whole number as an LLVM constant."""
    return ir.IntType(64)(number)


def at(builder: Any, array: Any, place: Any) -> Any:
    """The address of a number in an array."""
    return builder.gep(array.data, [place])


def number_in_lanes(builder: Any, value: Any, lanes: int = LANES) -> Any:
    """A vector that holds a number in every lane."""
    zeros = ir.Constant(ir.VectorType(value.type, lanes), None)
    single = builder.insert_element(zeros, value, WORD(0))
    first = ir.Constant(ir.VectorType(WORD, lanes), [0] * lanes)
    return builder.shuffle_vector(single, zeros, first)


def _called(builder: Any, name: str, *vectors: Any) -> Any:
    """Call an LLVM intrinsic on vectors of whole numbers."""
    kind = vectors[0].type
    signature = ir.FunctionType(kind, [kind] * len(vectors))
    name = f"llvm.{name}.v{kind.count}i{kind.element.width}"
    return builder.call(cgutils.get_or_insert_function(builder.module, signature, name), vectors)


def _addresses(builder: Any, array: Any, place: Any, units: int) -> list[Any]:
    """The addresses of the vectors with `units` numbers of an array, starting at an index."""
    first = builder.bitcast(at(builder, array, place), SHORT.as_pointer())
    return [
        builder.bitcast(builder.gep(first, [_long(lane)]), VECTOR.as_pointer())
        for lane in range(0, units, LANES)
    ]


def _loaded(builder: Any, array: Any, place: Any, units: int) -> list[Any]:
    """Load the vectors with `units` numbers of an array, starting at an index."""
    return [builder.load(address, align=2) for address in _addresses(builder, array, place, units)]


def _row(builder: Any, weights: Any, start: Any, number: Any, units: int) -> list[Any]:
    """Load a row of `units` weights, where row 0 begins at `start`."""
    place = builder.add(start, builder.mul(number, _long(units)))
    return _loaded(builder, weights, place, units)


def _store(builder: Any, array: Any, place: Any, vectors: list[Any]) -> None:
    """Store vectors in an array, starting at an index."""
    for address, vector in zip(
        _addresses(builder, array, place, LANES * len(vectors)), vectors, strict=True
    ):
        builder.store(vector, address, align=2)


def _plus(builder: Any, totals: list[Any], more: list[Any]) -> list[Any]:
    """Add vectors to totals; if there are no totals yet, return the vectors."""
    if not totals:
        return more
    return [
        _called(builder, "sadd.sat", total, addend)
        for total, addend in zip(totals, more, strict=True)
    ]


def _times(builder: Any, number: Any, rows: list[Any], totals: list[Any]) -> list[Any]:
    """Add the products of a number and a row to totals."""
    many = number_in_lanes(builder, number)
    return _plus(builder, totals, [builder.mul(many, row) for row in rows])


def _rectified(builder: Any, vector: Any) -> Any:
    """A vector with 0 for its negative numbers."""
    return _called(builder, "smax", vector, ZEROS)


def _looped(builder: Any, count: Any, step: int, begun: list[Any], body: Any) -> list[Any]:
    """The values after a loop that keeps them in registers.

    `body(k, values)` returns the next values, for k = 0, `step`, 2 * `step` ... below `count`.
    """
    before = builder.block
    loop = builder.append_basic_block("rows")
    done = builder.append_basic_block("rows_done")
    builder.cbranch(builder.icmp_signed(">", count, _long(0)), loop, done)
    builder.position_at_end(loop)
    k = builder.phi(ir.IntType(64))
    held = [builder.phi(value.type) for value in begun]
    next_values = body(k, held)
    following = builder.add(k, _long(step))
    builder.cbranch(builder.icmp_signed("<", following, count), loop, done)
    k.add_incoming(_long(0), before)
    k.add_incoming(following, loop)
    builder.position_at_end(done)
    results = [builder.phi(value.type) for value in begun]
    for within, after, first, new in zip(held, results, begun, next_values, strict=True):
        for phi in (within, after):
            phi.add_incoming(first, before)
            phi.add_incoming(new, loop)
    return results


@lowered(
    *(types.void, types.unliteral, LONG, constant, types.unliteral, LONG),
    *(types.unliteral, LONG, LONGS, LONG),
)
def add_listed(builder, sums, first, units, begin, place, weights, start, listed, used):
    """Set `units` sums, from `first` on, to sums of `begin` plus listed rows of weights.

    The sums of `begin` are read from index `place` on. Each of the first `used` numbers of
    `listed` (`listing`) packs the index of a row, counted from `start`, and the row's factor. Some
    numbers of `listed` after these are overwritten. The arrays `sums` and `begin` may have a wider
    type; the sums are stored in their memory as int16.
    """
    for step in range(LISTED_AT_A_TIME - 1):  # rows with factor 0 fill the last step
        builder.store(_long(0), at(builder, listed, builder.add(used, _long(step))))

    def add_rows(k: Any, totals: list[Any]) -> list[Any]:
        added = []
        for step in range(LISTED_AT_A_TIME):
            packed = builder.load(at(builder, listed, builder.add(k, _long(step))))
            row = builder.add(start, builder.lshr(packed, _long(VALUE_BITS)))
            rows = _loaded(builder, weights, row, units)
            part = totals[step * len(rows) : (step + 1) * len(rows)]
            added += _times(builder, builder.trunc(packed, SHORT), rows, part)
        return added

    begun = _loaded(builder, begin, place, units)
    many = len(begun)
    begun += [ZEROS] * (many * (LISTED_AT_A_TIME - 1))
    totals = _looped(builder, used, LISTED_AT_A_TIME, begun, add_rows)
    sums_now = []
    for step in range(0, len(totals), many):
        sums_now = _plus(builder, sums_now, totals[step : step + many])
    _store(builder, sums, first, sums_now)


@lowered(LONG, types.float64, types.unliteral)
def step_of(builder, value, steps):
    """The index of the first step whose upper end is at least `value`; `steps` is a tuple."""
    lanes = LANES if len(steps.type.elements) > LANES // 2 else LANES // 2
    ends = ir.Constant(ir.VectorType(ir.DoubleType(), lanes), [float("inf")] * lanes)
    for k in range(len(steps.type.elements)):
        ends = builder.insert_element(ends, builder.extract_value(steps, k), WORD(k))
    over = builder.fcmp_ordered(">", number_in_lanes(builder, value, lanes), ends)
    return builder.zext(builder.ctpop(builder.bitcast(over, ir.IntType(lanes))), ir.IntType(64))


def listing(units: int) -> Any:
    """An intrinsic that appends an input of a layer of `units` units to a list (`add_listed`)."""

    @lowered(LONG, LONGS, LONG, LONG, LONG)
    def put(builder, listed, used, i, value):
        """Append whole-number input `i`; return the new length of the list."""
        place = builder.shl(builder.mul(i, _long(units)), _long(VALUE_BITS))
        low = builder.and_(value, _long((1 << VALUE_BITS) - 1))
        builder.store(builder.or_(place, low), at(builder, listed, used))
        return builder.add(used, _long(1))

    return put


@lowered(
    *(types.void, SHORTS, LONG, constant, types.unliteral, LONG, types.unliteral, LONG, FLOATS),
    *(LONG, constant, constant, constant),
)
def add_column(
    builder, sums, first, units, begin, place, weights, start, numbers, top, ones, row, dense
):
    """Write to `sums`, from `first` on, `units` sums of `begin` plus the weights of a column.

    The sums of `begin` are read from index `place` on. The column's whole numbers
    (`rows.put_whole`) start at `top` and are COLUMN_STEP apart. The first `ones` of them are the
    numbers of rows that are added once. The next `dense` are the factors of consecutive rows, from
    `row` on. Row 0 begins at `start`.
    """
    totals = [_loaded(builder, begin, place, units), []]
    for k in range(ones + dense):
        number = whole_number(builder, numbers, builder.add(top, _long(COLUMN_STEP * k)))
        if k < ones:
            rows = _row(builder, weights, start, builder.zext(number, ir.IntType(64)), units)
        else:
            many = number_in_lanes(builder, builder.trunc(number, SHORT))
            rows = _row(builder, weights, start, _long(row + k - ones), units)
            rows = [builder.mul(many, vector) for vector in rows]
        totals[k % 2] = _plus(builder, totals[k % 2], rows)
    _store(builder, sums, first, _plus(builder, *totals))


def whole_number(builder: Any, numbers: Any, place: Any) -> Any:
    """Load the int32 stored at an index of a float32 array."""
    address = builder.bitcast(at(builder, numbers, place), WORD.as_pointer())
    return builder.load(address, align=4)


@lowered(LONG, FLOATS, LONG)
def whole_at(builder, numbers, place):
    """The whole number stored at an index of a float32 array (`rows.put_whole`)."""
    return builder.sext(whole_number(builder, numbers, place), ir.IntType(64))


def _pairs(builder: Any, first: Any, second: Any) -> Any:
    """The products of two vectors' numbers, added in neighbouring pairs (`vpmaddwd`).

    A separate LLVM function computes them. A back end for another machine can replace this function
    by one instruction of the machine.
    """
    signature = ir.FunctionType(SUMS, [VECTOR, VECTOR])
    name = "ethnos_pairs_of_products"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, signature, name)
        function.linkage = "internal"
        function.attributes.add("alwaysinline")
        inside = ir.IRBuilder(function.append_basic_block())
        wide = ir.VectorType(WORD, LANES)
        products = inside.mul(*[inside.sext(argument, wide) for argument in function.args])
        halves = [
            inside.shuffle_vector(
                products, products, ir.Constant(ir.VectorType(WORD, LANES // 2), list(numbers))
            )
            for numbers in (range(0, LANES, 2), range(1, LANES, 2))
        ]
        inside.ret(inside.add(*halves))
    return builder.call(function, [first, second])


def _activations(builder: Any, sums: list[Any], shift: int) -> list[Any]:
    """Turn sums into activations: shift them down, clamp them between 0 and the largest int16."""
    activations = []
    for low, high in zip(sums[::2], sums[1::2], strict=True):
        every = ir.Constant(ir.VectorType(WORD, LANES), list(range(LANES)))
        both = builder.shuffle_vector(low, high, every)
        shifted = builder.ashr(both, ir.Constant(both.type, [shift] * LANES))
        largest = ir.Constant(both.type, [(1 << 15) - 1] * LANES)
        least = _called(builder, "smax", shifted, ir.Constant(both.type, None))
        activations.append(builder.trunc(_called(builder, "smin", least, largest), VECTOR))
    return activations


@lowered(
    types.void, SHORTS, constant, types.unliteral, LONG, LONG, SHORTS, constant, constant, constant
)
def add_layer(builder, to, units, weights, bias, start, values, count, one, shift):
    """Set `units` numbers to a layer's activations, from its biases and `count` rows of weights.

    Rows begin at `start`. Rows k and k + 1 are interleaved unit by unit, and multiplied by
    `values[k]` and `values[k + 1]`. Biases are multiplied by `one`. Sums are shifted down by
    `shift`.
    """
    begun = []
    for vector in _loaded(builder, weights, bias, units):
        wide = builder.sext(vector, ir.VectorType(WORD, LANES))
        scaled = builder.mul(wide, ir.Constant(wide.type, [one] * LANES))
        for half in (range(LANES // 2), range(LANES // 2, LANES)):
            lanes = ir.Constant(ir.VectorType(WORD, LANES // 2), list(half))
            begun.append(builder.shuffle_vector(scaled, scaled, lanes))

    def add_pair(k: Any, totals: list[Any]) -> list[Any]:
        address = builder.bitcast(at(builder, values, k), WORD.as_pointer())
        pair = number_in_lanes(builder, builder.load(address, align=4), LANES // 2)
        place = builder.add(start, builder.mul(k, _long(units)))
        rows = _loaded(builder, weights, place, 2 * units)
        pair = builder.bitcast(pair, VECTOR)
        return [
            builder.add(total, _pairs(builder, pair, row))
            for total, row in zip(totals, rows, strict=True)
        ]

    totals = _looped(builder, _long(count), 2, begun, add_pair)
    _store(builder, to, _long(0), _activations(builder, totals, shift))


@lowered(types.void, SHORTS, LONG, constant, SHORTS, LONG)
def rectify(builder, to, place, units, sums, first):
    """Set `units` numbers, from index `place` on, to the rectified sums from `first` on."""
    vectors = _loaded(builder, sums, first, units)
    _store(builder, to, place, [_rectified(builder, vector) for vector in vectors])


@lowered(
    *(types.void, SHORTS, LONG, constant, SHORTS, LONG, constant, types.unliteral, LONG, LONGS)
)
def rectify_groups(builder, to, place, units, sums, first, groups, weights, start, pairs):
    """Set `units` numbers, from index `place` on, to the sum of groups of rectified sums.

    The `groups` groups of `units` sums each lie one after another, from `first` on. Two rows of
    weights are added to each group before it is rectified. `pairs` holds the numbers of these rows,
    and row 0 begins at `start`.
    """
    totals = []
    for group in range(groups):
        sums_now = _loaded(builder, sums, builder.add(first, _long(group * units)), units)
        for k in (2 * group, 2 * group + 1):
            number = builder.load(at(builder, pairs, _long(k)))
            sums_now = _plus(builder, sums_now, _row(builder, weights, start, number, units))
        sums_now = [_rectified(builder, vector) for vector in sums_now]
        totals = _plus(builder, totals, sums_now)
    _store(builder, to, place, totals)


@lowered(LONG, SHORTS, constant, types.unliteral, LONG)
def product(builder, values, units, weights, start):
    """The dot product of `units` numbers and the weights from `start` on."""
    left = _loaded(builder, values, _long(0), units)
    weight_vectors = _loaded(builder, weights, start, units)
    products = [_pairs(builder, *pair) for pair in zip(left, weight_vectors, strict=True)]
    total = functools.reduce(builder.add, products)
    lanes = LANES // 2
    while lanes > 1:
        lanes //= 2
        kind = ir.VectorType(WORD, lanes)
        halves = [
            builder.shuffle_vector(total, total, ir.Constant(kind, list(half)))
            for half in (range(lanes), range(lanes, 2 * lanes))
        ]
        total = builder.add(*halves)
    return builder.sext(builder.extract_element(total, WORD(0)), ir.IntType(64))
