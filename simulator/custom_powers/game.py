"""What a custom power is given: the game as it stands, for reading, and the party.

A power reads a copy of what lies open and acts through the toolkit, which changes the game itself
and keeps the copy up to date. What it is shown can be neither written to nor followed to the game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import from_dtype
from numba.extending import intrinsic

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.card_moves import members_of
from ethnos_sim.simulator.kernel.memory import address_of, copy_bytes, record_at
from ethnos_sim.simulator.reach import ShownRecord, shown_fields
from ethnos_sim.simulator.records import HIDDEN, LOG, REGIONS, VIEW, VIEW_DTYPE
from ethnos_sim.simulator.user_code.showing import show_as, whole

VIEW_FIELDS = VIEW_DTYPE.names or ()

#: What lies behind the view's fields: the slot of the power's clan, and where the game is.
_BEHIND = ("slot", "table", "rest", "log")
_WORD = 8
_VIEW_BYTES = VIEW_DTYPE.itemsize

_FIELDS: Any = VIEW_DTYPE.fields
_LAYOUT: Any = {
    "names": [*VIEW_FIELDS, *_BEHIND],
    "formats": [*(_FIELDS[name][0] for name in VIEW_FIELDS), *["i8"] * len(_BEHIND)],
    "offsets": [
        *(_FIELDS[name][1] for name in VIEW_FIELDS),
        *(_VIEW_BYTES + _WORD * i for i in range(len(_BEHIND))),
    ],
    "itemsize": _VIEW_BYTES + _WORD * len(_BEHIND),
}
GAME_DTYPE = np.dtype(_LAYOUT, align=True)
"""A copy of the view (VIEW_DTYPE), the slot of the power's clan, and the addresses of the game."""

GAME = from_dtype(GAME_DTYPE)

#: What a power is shown of it: not where anything lies.
SHOWN_GAME = show_as(GAME, ShownRecord(GAME, shown_fields(GAME, *_BEHIND[1:], "power_code")))

_view_at = record_at(VIEW)
_hidden_at = record_at(HIDDEN)
_log_at = record_at(LOG)


class PlayedParty(NamedTuple):
    """A party that was played, as its leader's power sees it.

    `leader` is a card's number, `color` its color; `size` counts all cards, `members` those that
    are scored (wild ones are not); `region` is where its marker went, or -1.
    """

    player: int
    leader: int
    color: int
    size: int
    members: int
    once: int
    twice: int
    region: int


@intrinsic
def new_game(typing_context):
    """Room for a game, which lasts until the function that asks for it returns."""

    def generate(context, builder, signature, arguments):
        with builder.goto_entry_block():
            space = builder.alloca(ir.ArrayType(ir.IntType(64), GAME.size // _WORD))
        return builder.bitcast(space, context.get_value_type(GAME))

    return GAME(), generate


@kernel
def view_of(game):
    """What lies open in the game that a power is shown."""
    return _view_at(whole(game).table)


@kernel
def hidden_of(game):
    """The hidden record of the game that a power is shown."""
    return _hidden_at(whole(game).rest)


@kernel
def log_of(game):
    """The trace's events of the game that a power is shown."""
    return _log_at(whole(game).log)


@kernel
def show_again(game):
    """Bring the copy that a power reads up to date."""
    copy_bytes(address_of(game), whole(game).table, _VIEW_BYTES)


@kernel
def show(game, view, hidden, log):
    """Fill a game for a power that is called."""
    game.slot = hidden.call.slot
    game.table = address_of(view)
    game.rest = address_of(hidden)
    game.log = address_of(log)
    show_again(game)


@kernel
def party_of_call(view, call):
    """The party that a power is called for."""
    leader = np.int64(call.leader)
    return PlayedParty(
        np.int64(call.player),
        leader,
        leader % REGIONS,
        np.int64(call.size),
        members_of(view, call.once, call.twice),
        call.once,
        call.twice,
        np.int64(call.region),
    )
