"""Records as users' code is shown them: without what is hidden, and for reading.

The record that a strategy is given lies inside the game's; what is shown of it is decided by its
type, at no cost while playing (`simulator.compiler.reach`). The toolkit takes what is shown for the
whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import from_dtype, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from ethnos_sim.simulator.compiler.reach import ShownRecord, shown_fields
from ethnos_sim.simulator.records import HIDDEN, IMAGINED_DTYPE, MOVE, OWN, VIEW

#: What users see of an imagined game's hidden record.
IMAGINED_HANDS = ("hands_once", "hands_twice")

#: Where something lies, which differs from run to run.
_ADDRESSES = ("power_code", "rest", "log")

#: What strategies are shown of the view, and custom powers of the game.
SHOWN_VIEW = ShownRecord(VIEW, shown_fields(VIEW, "slot", *_ADDRESSES))
SHOWN_GAME = ShownRecord(VIEW, shown_fields(VIEW, *_ADDRESSES))

#: A player's private record, of which nothing is shown: it is handed to tools.
SHOWN_OWN = ShownRecord(OWN, {})

#: What strategies are shown of each record.
_SHOWN = {VIEW: SHOWN_VIEW, OWN: SHOWN_OWN, MOVE: ShownRecord(MOVE, shown_fields(MOVE))}

_HIDDEN = ShownRecord(HIDDEN, {name: shown_fields(HIDDEN)[name] for name in IMAGINED_HANDS})

#: A game that a strategy imagines: what would lie open, and the hands as guessed.
SHOWN_IMAGINED = ShownRecord(from_dtype(IMAGINED_DTYPE), {"open": SHOWN_VIEW, "hidden": _HIDDEN})


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


#: What strategies are shown of a record, and custom powers of the view.
as_shown = _taken_for(lambda record: _SHOWN.get(record, record))
as_game = _taken_for(lambda record: SHOWN_GAME)

#: The whole of a record that is shown; other records as they are.
whole = _taken_for(lambda record: getattr(record, "whole", record))


@intrinsic
def as_shown_to(typing_context: Any, games: Any, view: Any) -> Any:
    """Imagined games as whoever has a view may see them: as they are, or as users' code is."""
    shown = types.Array(SHOWN_IMAGINED, 1, "C", readonly=True)
    signature = (shown if isinstance(view, ShownRecord) else games)(games, view)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])

    return signature, generate
