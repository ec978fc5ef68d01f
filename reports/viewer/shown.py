"""What the page of a game shows after each event, and by what it differs from the state before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ethnos_sim.simulator.narration import Line
from ethnos_sim.simulator.narration.board import Board, Event, Game
from ethnos_sim.simulator.narration.narrate import tellers

State = dict[str, Any]
"""A table as `State` in state.js says it."""


def told_and_shown(trace: dict[str, Any]) -> Iterator[tuple[list[Line], State]]:
    """What each event of a trace is told as, and the table after it."""
    board = Board(Game.of(trace))
    tell = tellers(board)
    for event in trace["events"]:
        yield tell[event["event"]](event), _shown(board, event)


def changes(states: Iterable[State]) -> list[Any]:
    """Each state as what changed since the one before, the first since an empty one.

    A change of a table or of a list of the same length holds what changed by its key or place; of
    anything else it is the new value.
    """
    found, before = [], State()
    for state in states:
        found.append(_change(before, state))
        before = state
    return found


def _change(before: Any, after: Any) -> Any:
    """What leads from one value to another."""
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        before, after = (dict(enumerate(values)) for values in (before, after))
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return after
    return {
        key: _change(before.get(key), value)
        for key, value in after.items()
        if key not in before or before[key] != value
    }


def _shown(board: Board, event: Event) -> State:
    """The table after an event, of values that stay as they are."""
    colors, clans = board.game.rules.colors, board.game.trace["clans"]
    holders = {
        clan: dict(zip(("player", "size"), held, strict=True))
        for clan, held in board.largest.items()
    }
    return {
        "age": board.age,
        "turn": board.turn,
        "hands": [sorted(hand.elements()) for hand in board.hands],
        "known": [sorted(cards.elements()) for cards in board.known],
        "pool": sorted(board.pool.elements()),
        "deck": board.deck,
        "dragons": board.dragons,
        "columns": sorted(board.columns.elements()),
        "faceUp": list(board.face_up),
        "markers": {color: list(row) for color, row in board.markers.items()},
        "supply": list(board.supply),
        "coins": {color: board.coins[color] for color in colors},
        "sea": {clan: list(places) for clan, places in board.sea.items()},
        "tokens": [list(held) for held in board.tokens],
        "largest": {clan: holders.get(clan) for clan in clans},
        "settled": {
            clan: [sorted(boards) for boards in board.settled[clan]] for clan in board.settled
        },
        "parties": [
            [{"cards": party["cards"], "leader": party["leader"]} for party in laid]
            for laid in board.laid
        ],
        "partyPoints": board.party_points,
        "prestige": board.prestige,
        "sources": {source: list(brought) for source, brought in board.sources.items()},
        "winners": event["winners"] if event["event"] == "game_end" else None,
    }
