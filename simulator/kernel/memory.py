"""Memory at an address: how compiled code reaches a buffer that belongs to no record.

An array that is passed along would have its references counted, atomically and between threads, at
every call; an address costs nothing.
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
