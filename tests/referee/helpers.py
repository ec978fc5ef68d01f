"""Helpers for the referee's own tests."""

from typing import Any

from referee.events import Fault
from referee.replay import replay
from referee.setup import read_game
from referee.summary import Summary
from referee.table import Table


def table_of(trace: dict[str, Any]) -> Table:
    """The table of a trace's game before the first age."""
    events, setting = read_game(trace)
    return Table(events, setting, Summary(game=trace["game"], players=trace["players"]))


def fault_of(trace: dict[str, Any]) -> Fault:
    """The fault of an illegal trace."""
    try:
        replay(trace)
    except Fault as fault:
        return fault
    raise AssertionError("an illegal trace replayed without a fault")
