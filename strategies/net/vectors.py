"""Sums of rows of weights, written as vector instructions, and small arrays on the stack.

From loops, the compiler would make code that stores and reloads the sums at every row. Weights and
activations are int16. The first layer's sums saturate at the bounds of int16; other sums are int32
and cannot overflow (`quantisation`). So all processors, and WebAssembly, compute the same numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ethnos_sim.strategies.weights import array_at

LONG = types.int64
LONGS = types.Array(LONG, 1, "C")
SHORTS = types.Array(types.int16, 1, "C")
FLOATS = types.Array(types.float32, 1, "C")

#: How many numbers a vector has; each layer has a multiple of this number of units. Weights are
#: aligned in memory (`weights.aligned_copy`), so none of their vectors spans two cache lines.
LANES = 16

#: The distance between consecutive columns of a region's numbers (`regions`).
COLUMN_STEP = 16

#: How many listed rows are added at a time, to separate sums: so the processor need not finish an
#: addition before it begins the next one.
LISTED_AT_A_TIME = 2

#: Bits of an input's value in a list; the higher bits are the index of its row.
VALUE_BITS = 16

SHORT = ir.IntType(16)
WORD = ir.IntType(32)
VECTOR = ir.VectorType(SHORT, LANES)
ZEROS = ir.Constant(VECTOR, None)

#: The type of a vector of half as many numbers, each the sum of two products.
SUMS = ir.VectorType(WORD, LANES // 2)


def literal(kind: types.Type) -> types.Type | None:
    """The type of an argument whose value is known at compile time; None for other arguments."""
    return kind if isinstance(kind, types.IntegerLiteral) else None


def llvm_intrinsic(result_type: types.Type, *kinds: Any) -> Any:
    """Decorate a function that emits LLVM code: it becomes an intrinsic for compiled functions.

    The emitting function takes the LLVM builder and the arguments: a `literal` as its number, an
    array as numba's array structure (its numbers begin at `.data`), any other argument as its LLVM
    value.

    Args:
        result_type: the type that a call returns.
        kinds: each argument's type, or a function that turns the type passed by a call into it
            (None refuses the call).
    """

    def declare(emit: Callable[..., Any]) -> Any:
        @functools.wraps(emit)
        def typed(typing_context: Any, *given: types.Type) -> Any:
            wanted = [
                kind if isinstance(kind, types.Type) else kind(argument)
                for kind, argument in zip(kinds, given, strict=True)
            ]
            if any(argument is None for argument in wanted):
                return None

            def generate_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                values = [
                    _emitter_argument(context, builder, *argument)
                    for argument in zip(signature.args, arguments, strict=True)
                ]
                result = emit(builder, *values)
                return context.get_dummy_value() if result is None else result

            return result_type(*wanted), generate_code

        return intrinsic(prefer_literal=True)(typed)

    return declare


def _emitter_argument(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    """An argument as `llvm_intrinsic` passes it to the function that emits code."""
    if isinstance(kind, types.IntegerLiteral):
        return kind.literal_value
    is_array = isinstance(kind, types.Array)
    return context.make_array(kind)(context, builder, value) if is_array else value


def _stack_array(element: types.Type) -> Any:
    """An intrinsic that makes an uninitialised array of constant size on the stack.

    A NumPy array would cost an atomic reference count at every call that takes it.
    """

    @intrinsic(prefer_literal=True)
    def make(typing_context: Any, size: types.Type) -> Any:
        if literal(size) is None:
            return None
        length = size.literal_value
        kind = types.Array(element, 1, "C")

        def generate_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = context.get_data_type(element)
            with builder.goto_entry_block():  # `cgutils.alloca_once` would clear it at every call
                room = builder.alloca(ir.ArrayType(number, length))
            room.align = 64
            first = builder.bitcast(room, number.as_pointer())
            return array_at(context, builder, kind, first, _int64(length))

        return kind(size), generate_code

    return make


@llvm_intrinsic(types.void)
def forbid_inlining(builder):
    """Keep the compiler from copying the function that calls this into its callers.

    Copies of a large function drive other code out of the processor's cache of instructions.
    """
    builder.function.attributes.add("noinline")


shorts_on_stack = _stack_array(types.int16)
floats_on_stack = _stack_array(types.float32)
numbers_on_stack = _stack_array(types.int64)


def _int64(number: int) -> Any:
    """A whole number as an LLVM constant."""
    return ir.IntType(64)(number)


def pointer(builder: Any, array: Any, index: Any) -> Any:
    """The LLVM value of the address of the number at an index of an array."""
    return builder.gep(array.data, [index])


def broadcast(builder: Any, value: Any, lanes: int = LANES) -> Any:
    """A vector with the same number in every lane."""
    zeros = ir.Constant(ir.VectorType(value.type, lanes), None)
    single = builder.insert_element(zeros, value, WORD(0))
    first = ir.Constant(ir.VectorType(WORD, lanes), [0] * lanes)
    return builder.shuffle_vector(single, zeros, first)


def _call_intrinsic(builder: Any, name: str, *vectors: Any) -> Any:
    """Call an LLVM intrinsic on vectors of whole numbers."""
    kind = vectors[0].type
    signature = ir.FunctionType(kind, [kind] * len(vectors))
    name = f"llvm.{name}.v{kind.count}i{kind.element.width}"
    return builder.call(cgutils.get_or_insert_function(builder.module, signature, name), vectors)


def _vector_addresses(builder: Any, array: Any, index: Any, units: int) -> list[Any]:
    """The addresses of the vectors that hold `units` numbers of an array from an index on."""
    first = builder.bitcast(pointer(builder, array, index), SHORT.as_pointer())
    return [
        builder.bitcast(builder.gep(first, [_int64(lane)]), VECTOR.as_pointer())
        for lane in range(0, units, LANES)
    ]


def _load_vectors(builder: Any, array: Any, index: Any, units: int) -> list[Any]:
    """Load `units` numbers of an array, from an index on, as vectors."""
    addresses = _vector_addresses(builder, array, index, units)
    return [builder.load(address, align=2) for address in addresses]


def _load_row(builder: Any, weights: Any, start: Any, row_number: Any, units: int) -> list[Any]:
    """Load row `row_number`, which has `units` weights; row 0 begins at `start`."""
    index = builder.add(start, builder.mul(row_number, _int64(units)))
    return _load_vectors(builder, weights, index, units)


def _store_vectors(builder: Any, array: Any, index: Any, vectors: list[Any]) -> None:
    """Store vectors in an array from an index on."""
    addresses = _vector_addresses(builder, array, index, LANES * len(vectors))
    for address, vector in zip(addresses, vectors, strict=True):
        builder.store(vector, address, align=2)


def _add_vectors(builder: Any, totals: list[Any], addends: list[Any]) -> list[Any]:
    """The totals plus other vectors, saturated; the other vectors if there are no totals yet."""
    if not totals:
        return addends
    return [
        _call_intrinsic(builder, "sadd.sat", total, addend)
        for total, addend in zip(totals, addends, strict=True)
    ]


def _add_products(builder: Any, number: Any, rows: list[Any], totals: list[Any]) -> list[Any]:
    """The totals plus `number` times the vectors of a row (`rows`), saturated."""
    many = broadcast(builder, number)
    return _add_vectors(builder, totals, [builder.mul(many, row) for row in rows])


def _rectify_vector(builder: Any, vector: Any) -> Any:
    """The vector with its negative numbers replaced by 0."""
    return _call_intrinsic(builder, "smax", vector, ZEROS)


def _emit_loop(builder: Any, count: Any, step: int, initial: list[Any], body: Any) -> list[Any]:
    """Emit a loop that keeps some values in registers; return their values after the loop.

    `body(k, values)` returns the next values, for k = 0, `step`, 2 * `step` ... below `count`.
    """
    before = builder.block
    loop = builder.append_basic_block("rows")
    done = builder.append_basic_block("rows_done")
    builder.cbranch(builder.icmp_signed(">", count, _int64(0)), loop, done)
    builder.position_at_end(loop)
    k = builder.phi(ir.IntType(64))
    current = [builder.phi(value.type) for value in initial]
    next_values = body(k, current)
    following = builder.add(k, _int64(step))
    builder.cbranch(builder.icmp_signed("<", following, count), loop, done)
    k.add_incoming(_int64(0), before)
    k.add_incoming(following, loop)
    builder.position_at_end(done)
    results = [builder.phi(value.type) for value in initial]
    for within, after, first, new in zip(current, results, initial, next_values, strict=True):
        for phi in (within, after):
            phi.add_incoming(first, before)
            phi.add_incoming(new, loop)
    return results


@llvm_intrinsic(
    *(types.void, types.unliteral, LONG, literal, types.unliteral, LONG),
    *(types.unliteral, LONG, LONGS, LONG),
)
def sum_inputs(builder, sums, first, units, base, base_start, weights, start, inputs, end):
    """Set `units` sums, from `first` on, to the sums of `base` plus the rows of listed inputs.

    The sums of `base` begin at `base_start`. Each number of `inputs` (`input_appender`), up to
    index `end`, packs the index of a row of `weights`, counted from `start`, and the row's factor.
    A few numbers after `end` are overwritten. The arrays `sums` and `base` may have a wider
    type; the sums are stored in their memory as int16.
    """
    for step in range(LISTED_AT_A_TIME - 1):  # rows with factor 0 fill the last step
        builder.store(_int64(0), pointer(builder, inputs, builder.add(end, _int64(step))))

    def add_rows(k: Any, totals: list[Any]) -> list[Any]:
        added = []
        for step in range(LISTED_AT_A_TIME):
            packed = builder.load(pointer(builder, inputs, builder.add(k, _int64(step))))
            row = builder.add(start, builder.lshr(packed, _int64(VALUE_BITS)))
            rows = _load_vectors(builder, weights, row, units)
            part = totals[step * len(rows) : (step + 1) * len(rows)]
            added += _add_products(builder, builder.trunc(packed, SHORT), rows, part)
        return added

    initial = _load_vectors(builder, base, base_start, units)
    many = len(initial)
    initial += [ZEROS] * (many * (LISTED_AT_A_TIME - 1))
    totals = _emit_loop(builder, end, LISTED_AT_A_TIME, initial, add_rows)
    sums_now = []
    for step in range(0, len(totals), many):
        sums_now = _add_vectors(builder, sums_now, totals[step : step + many])
    _store_vectors(builder, sums, first, sums_now)


@llvm_intrinsic(LONG, types.float64, types.unliteral)
def step_index(builder, value, steps):
    """The index of the first step whose upper end is at least `value`; `steps` is a tuple."""
    lanes = LANES if len(steps.type.elements) > LANES // 2 else LANES // 2
    ends = ir.Constant(ir.VectorType(ir.DoubleType(), lanes), [float("inf")] * lanes)
    for k in range(len(steps.type.elements)):
        ends = builder.insert_element(ends, builder.extract_value(steps, k), WORD(k))
    over = builder.fcmp_ordered(">", broadcast(builder, value, lanes), ends)
    return builder.zext(builder.ctpop(builder.bitcast(over, ir.IntType(lanes))), ir.IntType(64))


def input_appender(units: int) -> Any:
    """An intrinsic that appends an input of a layer of `units` units to a list (`sum_inputs`)."""

    @llvm_intrinsic(LONG, LONGS, LONG, LONG, LONG)
    def put(builder, inputs, end, index, value):
        """Append an input by its index and whole-number value; return the list's new length."""
        row = builder.shl(builder.mul(index, _int64(units)), _int64(VALUE_BITS))
        low = builder.and_(value, _int64((1 << VALUE_BITS) - 1))
        builder.store(builder.or_(row, low), pointer(builder, inputs, end))
        return builder.add(end, _int64(1))

    return put


@llvm_intrinsic(
    *(types.void, SHORTS, LONG, literal, types.unliteral, LONG, types.unliteral, LONG, FLOATS),
    *(LONG, literal, literal, literal),
)
def add_region_inputs(
    builder,
    sums,
    first,
    units,
    base,
    base_start,
    weights,
    start,
    numbers,
    column,
    row_count,
    first_row,
    factor_count,
):
    """Set `units` sums, from `first` on, to the sums of `base` plus the rows of a region's inputs.

    The sums of `base` begin at `base_start`, row 0 of `weights` at `start`. The region's whole
    numbers (`rows.store_whole`) start at `column` and are COLUMN_STEP apart. The first `row_count`
    name rows to add; the next `factor_count` multiply the rows from `first_row` on.
    """
    totals = [_load_vectors(builder, base, base_start, units), []]
    for k in range(row_count + factor_count):
        number = whole_value(builder, numbers, builder.add(column, _int64(COLUMN_STEP * k)))
        if k < row_count:
            rows = _load_row(builder, weights, start, builder.zext(number, ir.IntType(64)), units)
        else:
            many = broadcast(builder, builder.trunc(number, SHORT))
            rows = _load_row(builder, weights, start, _int64(first_row + k - row_count), units)
            rows = [builder.mul(many, vector) for vector in rows]
        totals[k % 2] = _add_vectors(builder, totals[k % 2], rows)
    _store_vectors(builder, sums, first, _add_vectors(builder, *totals))


def whole_value(builder: Any, numbers: Any, index: Any) -> Any:
    """The LLVM value of the int32 that is stored at an index of a float32 array."""
    address = builder.bitcast(pointer(builder, numbers, index), WORD.as_pointer())
    return builder.load(address, align=4)


@llvm_intrinsic(LONG, FLOATS, LONG)
def load_whole(builder, numbers, index):
    """Load the whole number that `rows.store_whole` stored at an index of a float32 array."""
    return builder.sext(whole_value(builder, numbers, index), ir.IntType(64))


def _pair_products(builder: Any, first: Any, second: Any) -> Any:
    """Multiply two vectors of numbers and add neighbouring products in pairs (`vpmaddwd`).

    A separate LLVM function does it, which a back end for another machine can replace by one
    instruction of its own.
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
        least = _call_intrinsic(builder, "smax", shifted, ir.Constant(both.type, None))
        activations.append(builder.trunc(_call_intrinsic(builder, "smin", least, largest), VECTOR))
    return activations


@llvm_intrinsic(
    types.void, SHORTS, literal, types.unliteral, LONG, LONG, SHORTS, literal, literal, literal
)
def compute_layer(builder, target, units, weights, bias, start, values, count, bias_scale, shift):
    """Set `units` numbers of `target` to the activations of a layer with `count` inputs.

    Biases begin at `bias`, and are multiplied by `bias_scale`. Rows of weights begin at `start`.
    Rows k and k + 1 are interleaved unit by unit, and multiplied by `values[k]` and
    `values[k + 1]`. Sums are shifted down by `shift`.
    """
    initial = []
    for vector in _load_vectors(builder, weights, bias, units):
        wide = builder.sext(vector, ir.VectorType(WORD, LANES))
        scaled = builder.mul(wide, ir.Constant(wide.type, [bias_scale] * LANES))
        for half in (range(LANES // 2), range(LANES // 2, LANES)):
            lanes = ir.Constant(ir.VectorType(WORD, LANES // 2), list(half))
            initial.append(builder.shuffle_vector(scaled, scaled, lanes))

    def add_pair(k: Any, totals: list[Any]) -> list[Any]:
        address = builder.bitcast(pointer(builder, values, k), WORD.as_pointer())
        pair = broadcast(builder, builder.load(address, align=4), LANES // 2)
        index = builder.add(start, builder.mul(k, _int64(units)))
        rows = _load_vectors(builder, weights, index, 2 * units)
        pair = builder.bitcast(pair, VECTOR)
        return [
            builder.add(total, _pair_products(builder, pair, row))
            for total, row in zip(totals, rows, strict=True)
        ]

    totals = _emit_loop(builder, _int64(count), 2, initial, add_pair)
    _store_vectors(builder, target, _int64(0), _activations(builder, totals, shift))


@llvm_intrinsic(types.void, SHORTS, LONG, literal, SHORTS, LONG)
def rectify(builder, target, index, units, sums, first):
    """Set `units` numbers of `target`, from `index` on, to the rectified sums from `first` on."""
    vectors = _load_vectors(builder, sums, first, units)
    _store_vectors(builder, target, index, [_rectify_vector(builder, vector) for vector in vectors])


@llvm_intrinsic(
    *(types.void, SHORTS, LONG, literal, SHORTS, LONG, literal, types.unliteral, LONG, LONGS)
)
def rectify_groups(builder, target, index, units, sums, first, groups, weights, start, row_numbers):
    """Set `units` numbers of `target`, from `index` on, to the sum of rectified groups.

    The `groups` groups of `units` sums each lie one after another, from `first` on. Two rows of
    weights are added to each group before it is rectified. `row_numbers` has the numbers of these
    rows, and row 0 begins at `start`.
    """
    totals = []
    for group in range(groups):
        sums_now = _load_vectors(builder, sums, builder.add(first, _int64(group * units)), units)
        for k in (2 * group, 2 * group + 1):
            number = builder.load(pointer(builder, row_numbers, _int64(k)))
            row = _load_row(builder, weights, start, number, units)
            sums_now = _add_vectors(builder, sums_now, row)
        sums_now = [_rectify_vector(builder, vector) for vector in sums_now]
        totals = _add_vectors(builder, totals, sums_now)
    _store_vectors(builder, target, index, totals)


@llvm_intrinsic(LONG, SHORTS, literal, types.unliteral, LONG)
def dot_product(builder, values, units, weights, start):
    """The dot product of `units` numbers and the same number of weights from `start` on."""
    left = _load_vectors(builder, values, _int64(0), units)
    weight_vectors = _load_vectors(builder, weights, start, units)
    products = [_pair_products(builder, *pair) for pair in zip(left, weight_vectors, strict=True)]
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
