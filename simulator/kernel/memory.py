"""Copy and fill records and arrays as one block, and reach records and numbers by address.

Numba compiles an assignment between records to a move for each byte, which took a third of a short
game's time; `copy_record` is one `memcpy`. Filling a whole array by an assignment would be a loop;
`fill_array` and `fill_block` are one `memset`. Passing an array changes its reference count at
every call, atomically for all threads; passing an address costs nothing.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def record_loader(record_type: types.Record) -> Any:
    """Make a function for compiled code that returns the record of this type at an address."""

    def load_record(typing_context: Any, address: Any) -> Any:
        def generate_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(record_type))

        return record_type(types.int64), generate_code

    return intrinsic(load_record)


@intrinsic
def store_number(typing_context, address, index, number):
    """Store an int64 at an index of the int64 array that begins at an address."""
    signature = types.void(types.int64, types.int64, types.int64)

    def generate_code(context, builder, signature, arguments):
        numbers = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        builder.store(arguments[2], builder.gep(numbers, [arguments[1]]))
        return context.get_dummy_value()

    return signature, generate_code


@intrinsic
def copy_number(typing_context, target, size, source):
    """Copy an int16 from one address to another, as a number of `size` bytes (1 or 2)."""
    signature = types.void(types.int64, types.int64, types.int64)

    def generate_code(context, builder, signature, arguments):
        byte, short = ir.IntType(8), ir.IntType(16)
        number = builder.load(builder.inttoptr(arguments[2], short.as_pointer()))
        is_byte = builder.icmp_signed("==", arguments[1], arguments[1].type(1))
        with builder.if_else(is_byte) as (narrow, wide):
            with narrow:
                pointer = builder.inttoptr(arguments[0], byte.as_pointer())
                builder.store(builder.trunc(number, byte), pointer)
            with wide:
                builder.store(number, builder.inttoptr(arguments[0], short.as_pointer()))
        return context.get_dummy_value()

    return signature, generate_code


@intrinsic
def copy_bytes(typing_context, target, source, size):
    """Copy `size` bytes from one address to another; the blocks must not overlap."""
    signature = types.void(types.int64, types.int64, types.int64)

    def generate_code(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        to, origin = (builder.inttoptr(address, pointer) for address in arguments[:2])
        cgutils.raw_memcpy(builder, to, origin, arguments[2], 1)
        return context.get_dummy_value()

    return signature, generate_code


@intrinsic
def address_of(typing_context, record):
    """The address of a record."""
    if not isinstance(record, types.Record):
        return None

    def generate_code(context, builder, signature, arguments):
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return types.int64(record), generate_code


@intrinsic
def copy_record(typing_context, target, source):
    """Copy a whole record into another record of the same type."""
    if not isinstance(target, types.Record) or target != source:
        return None
    signature = types.void(target, source)

    def generate_code(context, builder, signature, arguments):
        size = ir.Constant(ir.IntType(64), signature.args[0].size)
        pointer = ir.IntType(8).as_pointer()
        to, origin = (builder.bitcast(argument, pointer) for argument in arguments)
        cgutils.raw_memcpy(builder, to, origin, size, 1)
        return context.get_dummy_value()

    return signature, generate_code


@intrinsic
def fill_block(typing_context, address, size, byte):
    """Set `size` bytes from an address on. The byte 0 makes all numbers 0, -1 all integers -1."""
    signature = types.void(types.int64, types.int64, types.int64)

    def generate_code(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
        cgutils.memset(builder, pointer, arguments[1], builder.trunc(arguments[2], ir.IntType(8)))
        return context.get_dummy_value()

    return signature, generate_code


@intrinsic
def fill_array(typing_context, array, byte):
    """Set every byte of an array. The byte 0 makes all numbers 0, -1 all integers -1."""
    if not isinstance(array, types.Array) or array.layout != "C":
        return None
    signature = types.void(array, types.int64)

    def generate_code(context, builder, signature, arguments):
        held = context.make_array(signature.args[0])(context, builder, arguments[0])
        size = builder.mul(held.nitems, held.itemsize)
        pointer = builder.bitcast(held.data, ir.IntType(8).as_pointer())
        cgutils.memset(builder, pointer, size, builder.trunc(arguments[1], ir.IntType(8)))
        return context.get_dummy_value()

    return signature, generate_code
