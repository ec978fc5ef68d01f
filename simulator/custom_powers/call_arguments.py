"""The arguments of a custom power: the current game, read-only, and the party.

A power reads the open information, and changes the game only through the toolkit. It cannot write
to the records that it is shown, nor reach hidden information from them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.records import HIDDEN, LOG, REGIONS
from ethnos_sim.simulator.kernel.card_moves import scored_size
from ethnos_sim.simulator.kernel.memory import record_loader
from ethnos_sim.simulator.user_code.shown_types import whole_record

_hidden_at = record_loader(HIDDEN)
_log_at = record_loader(LOG)


class PlayedParty(NamedTuple):
    """A party that was played, as custom powers see it.

    `leader` is the leader's card number, `color` its color. `size` counts all cards, `members` the
    cards that are scored (wild cards are not); `once` and `twice` are bit masks of all cards.
    `region` is where the party's marker is, or -1. `usual` is the answer without this power.
    """

    player: int
    leader: int
    color: int
    size: int
    members: int
    once: int
    twice: int
    region: int
    usual: int


@kernel
def hidden_of(game):
    """The hidden record that belongs to `game`, the view that a power is shown."""
    return _hidden_at(whole_record(game).rest)


@kernel
def log_of(game):
    """The event buffer that belongs to `game`, the view that a power is shown."""
    return _log_at(whole_record(game).log)


@kernel
def party_of_call(view, call):
    """The party that a power is called with."""
    leader = np.int64(call.leader)
    return PlayedParty(
        np.int64(call.player),
        leader,
        leader % REGIONS,
        np.int64(call.size),
        scored_size(view, call.once, call.twice),
        call.once,
        call.twice,
        np.int64(call.region),
        np.int64(call.answer),
    )
