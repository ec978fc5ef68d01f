"""The types through which users' code sees records: read-only and without hidden fields.

A strategy is given the game's own record. The record's type decides which fields it shows, at no
cost while playing (`simulator.compiler.shown_records`). The toolkit converts a shown record back to
the whole record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import from_dtype, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from ethnos_sim.simulator.compiler.shown_records import ShownRecord, shown_fields
from ethnos_sim.simulator.game.records import HIDDEN, IMAGINED_DTYPE, OWN, VIEW

#: The fields of an imagined game's hidden record that users see.
IMAGINED_HANDS = ("hands_once", "hands_twice")

#: Fields that hold addresses, which differ from run to run.
_ADDRESSES = ("power_code", "rest", "log")

#: The view as strategies see it.
SHOWN_VIEW = ShownRecord(VIEW, shown_fields(VIEW, "slot", *_ADDRESSES))

#: The view as custom powers see it, under the name `game`.
SHOWN_GAME = ShownRecord(VIEW, shown_fields(VIEW, *_ADDRESSES))

#: A player's private record. None of its fields are shown; code passes it to tools.
SHOWN_OWN = ShownRecord(OWN, {})

#: The type of each record as strategies see it.
_SHOWN = {VIEW: SHOWN_VIEW, OWN: SHOWN_OWN}

_HIDDEN = ShownRecord(HIDDEN, {name: shown_fields(HIDDEN)[name] for name in IMAGINED_HANDS})

#: A game that a strategy imagines: the open information, and guesses of the hands.
SHOWN_IMAGINED = ShownRecord(from_dtype(IMAGINED_DTYPE), {"open": SHOWN_VIEW, "hidden": _HIDDEN})


def _cast_to(type_of: Callable[[types.Record], types.Record]) -> Any:
    """An intrinsic that casts a record to another type, in the same memory."""

    @intrinsic
    def cast(typing_context: Any, record: Any) -> Any:
        if not isinstance(record, types.Record):
            return None
        signature = type_of(record)(record)

        def generate_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

        return signature, generate_code

    return cast


#: Cast a record to the type that strategies see.
as_shown = _cast_to(lambda record: _SHOWN.get(record, record))

#: Cast the view to the type that custom powers see.
as_game = _cast_to(lambda record: SHOWN_GAME)

#: Cast a shown record back to the whole record; leave other records as they are.
whole_record = _cast_to(lambda record: getattr(record, "full_record", record))


@intrinsic
def shown_games(typing_context: Any, games: Any, view: Any) -> Any:
    """Cast imagined games to the type that fits the type of `view`.

    If `view` shows only some of its fields, so do the games; else the games are whole.
    """
    shown = types.Array(SHOWN_IMAGINED, 1, "C", readonly=True)
    signature = (shown if isinstance(view, ShownRecord) else games)(games, view)

    def generate_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])

    return signature, generate_code
