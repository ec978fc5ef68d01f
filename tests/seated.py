"""Games of a line-up of prepared players, for tests that need no more of their table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ethnos_sim.simulator import GameTable, PlayedTable, Rules, Seat, play_table


def play_seats(
    rules: Rules,
    *,
    players: int,
    clans: Sequence[str],
    seats: Sequence[Seat],
    mode: str = "standard",
    **played: Any,
) -> PlayedTable:
    """Every rotation of the players' deals, as `play_table` plays them."""
    return play_table(GameTable.prepare(rules, players, mode, clans, seats), **played)
