"""Records as users' code is shown them: without what is hidden, and for reading.

The record that a strategy is given lies inside the game's; what is shown of it is decided by its
type, at no cost while playing (`simulator.reach`). The toolkit takes what is shown for the whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import from_dtype, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from ethnos_sim.simulator.reach import ShownRecord, shown_fields
from ethnos_sim.simulator.records import HIDDEN, IMAGINED_DTYPE, MOVE, OWN, VIEW

#: What users see of an imagined game's hidden record.
IMAGINED_HANDS = ("hands_once", "hands_twice")

#: What is shown of a record.
_SHOWN: dict[types.Record, ShownRecord] = {}


def show_as(whole: types.Record, shown: ShownRecord) -> ShownRecord:
    """Let `as_shown` take a record for what users are shown of it."""
    _SHOWN[whole] = shown
    return shown


#: The view; where the code of powers lies differs from run to run.
SHOWN_VIEW = show_as(VIEW, ShownRecord(VIEW, shown_fields(VIEW, "power_code")))

#: A player's private record, of which nothing is shown: it is handed to tools.
SHOWN_OWN = show_as(OWN, ShownRecord(OWN, {}))

SHOWN_MOVE = show_as(MOVE, ShownRecord(MOVE, shown_fields(MOVE)))

_HIDDEN = ShownRecord(HIDDEN, {name: shown_fields(HIDDEN)[name] for name in IMAGINED_HANDS})

#: A game that a strategy imagines: what would lie open, and the hands as guessed.
SHOWN_GAME = ShownRecord(from_dtype(IMAGINED_DTYPE), {"open": SHOWN_VIEW, "hidden": _HIDDEN})


def _taken_for(kind_of: Callable[[types.Record], types.Record]) -> Any:
    """An intrinsic that takes a record for one of another type that lies in the same place."""

    @intrinsic
    def take(typing_context: Any, record: Any) -> Any:
        if not isinstance(record, types.Record):
            return None
        signature = kind_of(record)(record)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

        return signature, generate

    return take


#: What users' code is shown of a record.
as_shown = _taken_for(lambda record: _SHOWN.get(record, record))

#: The whole of a record that is shown; other records as they are.
whole = _taken_for(lambda record: getattr(record, "whole", record))


@intrinsic
def as_shown_to(typing_context: Any, games: Any, view: Any) -> Any:
    """Imagined games as whoever has a view may see them: as they are, or as users' code is."""
    shown = types.Array(SHOWN_GAME, 1, "C", readonly=True)
    signature = (shown if isinstance(view, ShownRecord) else games)(games, view)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])

    return signature, generate
