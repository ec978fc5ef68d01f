"""What a custom power is given: the game as it stands, for reading, and the party.

A power reads what lies open and acts through the toolkit, which changes the game. What it is shown
can be neither written to nor followed to what is hidden.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.kernel.card_moves import members_of
from ethnos_sim.simulator.kernel.memory import record_at
from ethnos_sim.simulator.records import HIDDEN, LOG, REGIONS
from ethnos_sim.simulator.user_code.showing import whole

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


@kernel
def hidden_of(game):
    """The hidden record of the game that a power is shown."""
    return _hidden_at(whole(game).rest)


@kernel
def log_of(game):
    """The trace's events of the game that a power is shown."""
    return _log_at(whole(game).log)


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
