"""Replay one trace: the game object, the ages, and the end."""

from typing import Any

from referee import custom, scoring, solo
from referee.events import Events
from referee.setup import events_of, read_setting
from referee.summary import Summary
from referee.table import Table
from referee.turn import play_turn, refill


def replay(trace: dict[str, Any]) -> Summary:
    """Replay a game (the parsed JSON object of a trace), and check every step.

    Raises:
        Fault: a step breaks a rule or the trace format; the first such step is named.
    """
    events = events_of(trace)
    try:
        table = table_of(trace, events)
        play(table)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise events.fault("values of the right types", "such values", repr(error)) from error
    return table.summary


def table_of(trace: dict[str, Any], events: Events) -> Table:
    """The table of a trace's game before the first age."""
    return Table(events, read_setting(trace, events))


def play(table: Table) -> None:
    """Play all events at a table."""
    for age in range(1, table.setting.ages + 1):
        play_age(table, age)
        if table.wild_winner is not None:
            break
        custom.called_for_all(table, "age_end")
        scoring.score_age(table, age, table.events.take("age_end"))
        custom.called_for_all(table, "age_scored")
        table.summary.after_age.append(table.totals())
    scoring.end_game(table)
    table.events.finish()


def play_age(table: Table, age: int) -> None:
    """Play an age from the deal to the last dragon (or ten wild cards); R28."""
    setting = table.setting
    free_choice = age == 1 and not setting.solo
    first = None if free_choice else scoring.next_first_player(table)
    player = table.deal_age(table.events.take("age"), age, first)
    table.last_dragon = None
    refill(table, player, 0)  # R28
    while not table.halted:
        event = play_turn(table, player)
        if setting.solo:
            solo.after_turn(table, event)
            continue
        if not table.halted:
            refill(table, player, 0)
        player = (player + 1) % setting.seats
