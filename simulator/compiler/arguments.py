"""The types that compiled functions take for their arguments."""

from __future__ import annotations

from numba import types


def widened_type(argument_type: types.Type) -> types.Type:
    """An argument's type in compiled code: int64 for booleans and for all integers but uint64."""
    plain = types.unliteral(argument_type)
    narrow = isinstance(plain, types.Integer) and plain is not types.uint64
    return types.int64 if narrow or isinstance(plain, types.Boolean) else plain
