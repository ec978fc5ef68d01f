"""Memory: records and arrays copied and filled as one block, and buffers behind an address.

An assignment between records is compiled to one move a byte, which took a third of a short game's
time; this is one `memcpy`. An assignment to all of an array is a loop over its indices; this is one
`memset`. An array that is passed along would have its references counted, atomically and between
threads, at every call; an address costs nothing.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def record_at(kind: types.Record) -> Any:
    """An intrinsic that takes what lies at an address for a record of some type."""

    def at(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(types.int64), generate

    return intrinsic(at)


@intrinsic
def store_number(typing_context, address, position, value):
    """Store an int64 at a position (counted in numbers) behind an address."""
    signature = types.void(types.int64, types.int64, types.int64)

    def generate(context, builder, signature, arguments):
        numbers = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        builder.store(arguments[2], builder.gep(numbers, [arguments[1]]))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def copy_number(typing_context, target, size, source):
    """Copy a whole number of two bytes from an address to another, where it has one byte or two."""
    signature = types.void(types.int64, types.int64, types.int64)

    def generate(context, builder, signature, arguments):
        byte, short = ir.IntType(8), ir.IntType(16)
        number = builder.load(builder.inttoptr(arguments[2], short.as_pointer()))
        with builder.if_else(builder.icmp_signed("==", arguments[1], arguments[1].type(1))) as (
            narrow,
            wide,
        ):
            with narrow:
                pointer = builder.inttoptr(arguments[0], byte.as_pointer())
                builder.store(builder.trunc(number, byte), pointer)
            with wide:
                builder.store(number, builder.inttoptr(arguments[0], short.as_pointer()))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def copy_bytes(typing_context, target, source, size):
    """Copy so many bytes from one address to another; the two places must not overlap."""
    signature = types.void(types.int64, types.int64, types.int64)

    def generate(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        to, origin = (builder.inttoptr(address, pointer) for address in arguments[:2])
        cgutils.raw_memcpy(builder, to, origin, arguments[2], 1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def address_of(typing_context, record):
    """The address of a record."""
    if not isinstance(record, types.Record):
        return None

    def generate(context, builder, signature, arguments):
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return types.int64(record), generate


@intrinsic
def copy_record(typing_context, target, source):
    """Copy the whole of a record into another one of the same type."""
    if not isinstance(target, types.Record) or target != source:
        return None
    signature = types.void(target, source)

    def generate(context, builder, signature, arguments):
        size = ir.Constant(ir.IntType(64), signature.args[0].size)
        pointer = ir.IntType(8).as_pointer()
        to, origin = (builder.bitcast(argument, pointer) for argument in arguments)
        cgutils.raw_memcpy(builder, to, origin, size, 1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def fill_bytes(typing_context, array, byte):
    """Set every byte of an array in one piece: 0 for zeros, -1 for whole numbers that are -1."""
    if not isinstance(array, types.Array) or array.layout != "C":
        return None
    signature = types.void(array, types.int64)

    def generate(context, builder, signature, arguments):
        held = context.make_array(signature.args[0])(context, builder, arguments[0])
        size = builder.mul(held.nitems, held.itemsize)
        pointer = builder.bitcast(held.data, ir.IntType(8).as_pointer())
        cgutils.memset(builder, pointer, size, builder.trunc(arguments[1], ir.IntType(8)))
        return context.get_dummy_value()

    return signature, generate
