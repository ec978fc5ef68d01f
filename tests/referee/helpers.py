"""Helpers for tests that ask the referee for more than whether a game is legal."""

from typing import Any

from referee.events import Fault
from referee.replay import play, replay, table_of
from referee.table import Table


def fault_of(trace: dict[str, Any]) -> Fault:
    """The fault of an illegal trace."""
    try:
        replay(trace)
    except Fault as fault:
        return fault
    raise AssertionError("an illegal trace replayed without a fault")


def table_after(trace: dict[str, Any], events: list[dict[str, Any]]) -> Table:
    """The table after the first events of a game, which the referee checks."""
    table = table_of(trace | {"events": events})
    try:
        play(table)
    except Fault as fault:
        if "the end of the trace" not in str(fault):
            raise
    return table
