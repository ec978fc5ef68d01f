"""Copying a record, and filling an array of one, as one block of memory.

An assignment between records is compiled to one move a byte, which took a third of a short game's
time; this is one `memcpy`. An assignment to all of an array is a loop over its indices; this is one
`memset`.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


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
