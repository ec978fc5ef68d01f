"""Writing down positions: every question as it is put, everybody's hand, and the answer.

For somebody who wants to learn from games. A buffer is a record behind an address, as weights are,
so that the same compiled game runs with and without it; imagined games have none.
"""

from __future__ import annotations

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.memory import copy_record, record_at
from ethnos_sim.simulator.records import MAX_PLAYERS, POSITION, POSITION_DTYPE, POSITION_LOG

POSITION_SIZE = POSITION_DTYPE.itemsize


_log_at = record_at(POSITION_LOG)
_position_at = record_at(POSITION)


@kernel
def note_position(view, hidden):
    """Write down the question in the view, all hands and the answer in `hidden.move`."""
    log = _log_at(hidden.positions)
    log.asked += 1
    if log.asked % log.every != 0 or log.used >= log.room:
        return
    position = _position_at(log.address + log.used * POSITION_SIZE)
    log.used += 1
    position.game = hidden.result.game
    copy_record(position.open, view)
    copy_record(position.move, hidden.move)
    for player in range(MAX_PLAYERS):
        position.hands_once[player] = hidden.hands_once[player]
        position.hands_twice[player] = hidden.hands_twice[player]
