"""Advice of compiled strategies in games that are stepped from outside.

For each open question an advisor gives the action that the strategy of that seat would take. Games
stepped by its advice equal the line-up's games in a batch. A learner can imitate the advice.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ethnos_sim.simulator.compiler import compile_entry, failures
from ethnos_sim.simulator.game.records import (
    DECISIONS,
    MAX_PLAYERS,
    MOVE_DTYPE,
    OWN_DTYPE,
    UNANSWERED,
)
from ethnos_sim.simulator.kernel.asking import consult
from ethnos_sim.simulator.kernel.engine import seat_entry
from ethnos_sim.simulator.stepping.actions import spell
from ethnos_sim.simulator.stepping.stepper import Stepper
from ethnos_sim.simulator.tables.table import Seat, entry_records
from ethnos_sim.simulator.utilities.errors import Failed, InvalidGame

#: The most actions that spell one answer: a leader, all cards of a large hand, and the end.
LONGEST = 32

SPELLED_DTYPE = np.dtype(
    [("game", "i8"), ("next", "i8"), ("total", "i8"), ("actions", "i8", (LONGEST,))], align=True
)
"""The actions of a slot's answer; the first `next` have been given."""


def _advise(slots, entries, owns, spelled, moves, actions):
    """Write the next action of every slot; return the first slot without an answer, or -1."""
    for i in range(slots.size):
        slot = slots[i]
        pending = spelled[i]
        view = slot.public
        if pending.game != slot.game:
            pending.game = slot.game
            pending.next = 0
            pending.total = 0
            for player in range(view.hands):
                entry = np.int64(slot.hidden.seats[player].entry)
                seat_entry(view, owns[i, player], entries[entry])
                # A seat that is played from outside never uses its stream.
                owns[i, player].random_state = slot.hidden.own[player].random_state
        if pending.next == pending.total:
            move = moves[0]
            consult(view, move, owns[i, np.int64(view.player)])
            if move.kind == UNANSWERED:
                return np.int64(i)
            pending.next = 0
            pending.total = spell(view, move, pending.actions)
        actions[i] = pending.actions[pending.next]
        pending.next += 1
    return np.int64(-1)


advise = compile_entry(_advise, "compiling the advice of strategies")


class Advisor:
    """A line-up that gives advice in the games of a stepper."""

    def __init__(self, stepper: Stepper, seats: Sequence[Seat]) -> None:
        """Seat the line-up: one entry for each player of the stepper's table.

        Raises:
            InvalidGame: the line-up's number of entries is not the table's number of players.
        """
        table = stepper.table
        if len(seats) != len(table.seats):
            raise InvalidGame(f"{len(table.seats)} seats need as many advisors, not {len(seats)}")
        self._entries = entry_records(seats, table.rules.clans)
        games = stepper.players.size
        self._stepper = stepper
        self._owns = np.zeros((games, MAX_PLAYERS), OWN_DTYPE)
        self._spelled = np.zeros(games, SPELLED_DTYPE)
        self._spelled["game"] = -1
        self._move = np.zeros(1, MOVE_DTYPE)

    def actions(self) -> np.ndarray:
        """The action of every slot for its open question: int64, shape (games,).

        Call this once for each step, and carry out the advice. The advisor remembers the rest of an
        answer of several actions.

        Raises:
            Failed: a strategy gave no answer.
        """
        chosen = np.zeros(self._owns.shape[0], np.int64)
        failures.begin()
        slots = self._stepper.slots
        stuck = advise(
            slots,
            self._entries,
            self._owns,
            self._spelled,
            self._move,
            chosen,
        )
        failure = failures.end()
        if stuck >= 0:
            reason = "it gave no answer" if failure is None else str(failure.error)
            question = DECISIONS[slots[stuck]["public"]["decision"]]
            raise Failed(f"a strategy was asked '{question}' in game slot {stuck}: {reason}")
        return chosen
