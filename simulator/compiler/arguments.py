"""The types that compiled functions take for their arguments."""

from __future__ import annotations

from numba import types


def widened_type(kind: types.Type) -> types.Type:
    """The type that an argument is compiled for: int64 for booleans and all integers but uint64."""
    kind = types.unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind is not types.uint64
    return types.int64 if narrow or isinstance(kind, types.Boolean) else kind
