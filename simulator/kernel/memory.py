"""Memory at an address: how compiled code reaches a buffer that belongs to no record.

An array that is passed along would have its references counted, atomically and between threads, at
every call; an address costs nothing.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


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
def load_number(typing_context, address, position):
    """The int64 at a position (counted in numbers) behind an address."""
    signature = types.int64(types.int64, types.int64)

    def generate(context, builder, signature, arguments):
        numbers = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(numbers, [arguments[1]]))

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
