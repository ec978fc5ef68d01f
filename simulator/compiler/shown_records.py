"""Records as users' code sees them: some of their fields, read-only.

Hidden cards are not in the type of a record that a strategy gets. Types matter only while code is
compiled, so this costs nothing while playing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numba import types
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.core.errors import TypingError
from numba.core.imputils import lower_setattr_generic
from numba.core.ir_utils import mk_unique_var


class ShownArray(types.NestedArray):
    """An array of a shown record, which cannot be written to."""

    def __init__(self, dtype: types.Type, shape: tuple[int, ...]) -> None:
        super().__init__(dtype, shape)
        self.name: str = f"shown {self.name}"
        self.mutable = False


class ShownRecord(types.Record):
    """The type of a record as users' code sees it: some of its fields, read-only."""

    def __init__(self, record: types.Record, shown: Mapping[str, types.Type]) -> None:
        """Make a type for the memory of `record`; `shown` has its visible fields' types by name."""
        self.full_record = record
        fields = [
            (name, {"type": kind, "offset": record.offset(name)}) for name, kind in shown.items()
        ]
        super().__init__(fields, record.size, record.aligned)
        self.name: str = f"shown {self.name}"

    def typeof(self, key: str) -> types.Type:
        """The type of a field. Raise TypingError if it is not shown; numba adds the line."""
        if key not in self.fields:
            raise TypingError(f"Unknown attribute '{key}' of what is shown")
        return super().typeof(key)


def shown_fields(record: types.Record, *hidden: str) -> dict[str, types.Type]:
    """The fields of a record except `hidden`, with the types under which they are shown."""
    kinds = {name: field.type for name, field in record.fields.items() if name not in hidden}
    return {name: _shown_type(kind) for name, kind in kinds.items()}


def _shown_type(kind: types.Type) -> types.Type:
    if isinstance(kind, types.NestedArray):
        return ShownArray(kind.dtype, kind.shape)
    return ShownRecord(kind, shown_fields(kind)) if isinstance(kind, types.Record) else kind


register_default(ShownArray)(models.NestedArrayModel)
register_default(ShownRecord)(models.RecordModel)


@lower_setattr_generic(ShownRecord)
def _refuse_to_set(context: Any, builder: Any, signature: Any, arguments: Any, field: str) -> None:
    """Raise TypingError, because no function may set a field of a shown record."""
    raise TypingError(f"Cannot modify the {field} of what is shown")


#: Messages about what users' code may not do.
WRITES = "this writes to read-only data"
PRINTS = "print takes numbers and texts; print arrays and tuples one number at a time"
IN_A_LOOP = "imagine games only once in a decision, before its loops"


@register_pass(mutates_CFG=False, analysis_only=False)
class ShownRecordPass(FunctionPass):
    """Refuse writes to shown records, and keep imagined games until their function returns.

    Numba would free an array of games after its last use by name, although records in it may still
    be read.
    """

    _name = "ethnos_sim_shown"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Raise TypingError for a forbidden line; use all imagined games again before returns."""
        blocks, kinds = state.func_ir.blocks, state.typemap
        in_loops = {
            label
            for loop in compute_cfg_from_blocks(blocks).loops().values()
            for label in loop.body
        }
        all_games = []
        for label, block in blocks.items():
            for statement in block.body:
                if isinstance(statement, ir.Print) and not _is_printable(statement, kinds):
                    raise TypingError(PRINTS, loc=statement.loc)
                if _writes_read_only(statement, kinds):
                    raise TypingError(WRITES, loc=statement.loc)
                if _imagines_games(statement, kinds):
                    all_games.append(statement.target)
                    if label in in_loops:
                        raise TypingError(IN_A_LOOP, loc=statement.loc)
        for block in blocks.values():
            if isinstance(block.body[-1], ir.Return):
                for games in all_games:
                    kept = block.scope.define(mk_unique_var("kept"), block.loc)
                    kinds[kept.name] = kinds[games.name]
                    block.body.insert(-1, ir.Assign(games, kept, block.loc))
        return bool(all_games)


def _is_printable(statement: Any, variable_types: Any) -> bool:
    """Whether a print statement prints only numbers and texts."""
    printed = (types.unliteral(variable_types[argument.name]) for argument in statement.args)
    return all(
        isinstance(kind, types.Number | types.Boolean | types.UnicodeType) for kind in printed
    )


def _writes_read_only(statement: Any, variable_types: Any) -> bool:
    """Whether a statement writes to a read-only record or array."""
    if isinstance(statement, ir.SetAttr | ir.SetItem | ir.StaticSetItem | ir.DelItem):
        written = variable_types[statement.target.name]
    elif getattr(getattr(statement, "value", None), "op", None) == "inplace_binop":
        written = variable_types[statement.value.lhs.name]
    else:
        return False
    is_array = isinstance(written, types.Array)
    return isinstance(written, ShownRecord) or (is_array and not written.mutable)


def _imagines_games(statement: Any, variable_types: Any) -> bool:
    """Whether a statement calls a function that returns imagined games."""
    if not isinstance(statement, ir.Assign) or not isinstance(statement.value, ir.Expr):
        return False
    kind = variable_types[statement.target.name]
    is_call = statement.value.op == "call"
    return is_call and isinstance(kind, types.Array) and isinstance(kind.dtype, types.Record)
