"""Copies of records for code that may read them and not change them.

Compiled code can write wherever it can read, and no look at its source finds every way to do so. So
it is shown a copy, and a copy that comes back changed stops the game.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_WORD = ir.IntType(64)
_WORD_BYTES = 8


@intrinsic
def copied(typing_context: Any, record: Any) -> Any:
    """A copy of a record, which lasts until the function that asks for it returns."""
    if not isinstance(record, types.Record):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = signature.args[0].size
        with builder.goto_entry_block():
            space = builder.alloca(ir.ArrayType(_WORD, -(-size // _WORD_BYTES)))
        bytes_of = ir.IntType(8).as_pointer()
        source = builder.bitcast(arguments[0], bytes_of)
        cgutils.raw_memcpy(builder, builder.bitcast(space, bytes_of), source, _WORD(size), 1)
        return builder.bitcast(space, arguments[0].type)

    return record(record), generate


@intrinsic
def are_equal(typing_context: Any, first: Any, second: Any) -> Any:
    """Whether two records of a type hold the same bytes."""
    if not isinstance(first, types.Record) or first != second or first.size % _WORD_BYTES:
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = [builder.bitcast(each, _WORD.as_pointer()) for each in arguments]
        different = cgutils.alloca_once_value(builder, _WORD(0))
        with cgutils.for_range(builder, _WORD(signature.args[0].size // _WORD_BYTES)) as loop:
            one, other = (builder.load(builder.gep(word, [loop.index])) for word in words)
            found = builder.or_(builder.load(different), builder.xor(one, other))
            builder.store(found, different)
        return builder.icmp_unsigned("==", builder.load(different), _WORD(0))

    return types.boolean(first, second), generate
