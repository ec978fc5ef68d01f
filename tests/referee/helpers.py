"""Helpers for tests that ask the referee for more than whether a game is legal."""

from typing import Any

from referee.events import Fault
from referee.replay import play, replay, table_of
from referee.setup import events_of
from referee.table import Table


def fault_of(trace: dict[str, Any]) -> Fault | None:
    """The fault of an illegal trace; None for a legal one."""
    try:
        replay(trace)
    except Fault as fault:
        return fault
    return None


def table_after(trace: dict[str, Any], events: list[dict[str, Any]]) -> Table:
    """The table after the first events of a game, which the referee checks."""
    table = table_of(trace, events_of(trace | {"events": events}))
    try:
        play(table)
    except Fault as fault:
        if "the end of the trace" not in str(fault):
            raise
    return table
