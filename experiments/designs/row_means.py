"""The means whose precision a sweep can aim for.

They are means of a column of `seats` over a group of rows, of one strategy or of one seat.
`docs/statistics.md` explains each mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

#: Whether each cell alone has to reach the precision, or each line-up over all its clan sets.
EACH_CELL, ALL_CELLS = "cell", "all"
SCOPES = (ALL_CELLS, EACH_CELL)

#: The standard deviation of a seat's prestige, in points, as measured; used to plan looks.
PRESTIGE_SPREAD = 20.0


@dataclass(frozen=True, slots=True)
class RowMean:
    """The mean of a column over groups of rows.

    column   the column of `seats`
    unit     the divisor of the numbers in this column
    key      the column that groups rows: `entry` (a strategy) or `seat`
    setting  the restriction that a strategy must have to count; its clan must be in play
    """

    name: str
    column: str
    unit: int
    key: str = "entry"
    setting: str | None = None

    @property
    def is_share(self) -> bool:
        """Whether the mean is a share of wins: its interval needs both wins and losses."""
        return self.column == "won"

    def spread(self, players: int) -> float:
        """The standard deviation of one row, for planning looks."""
        if not self.is_share:
            return PRESTIGE_SPREAD
        chance = 1 / max(players, 2)
        return float((chance * (1 - chance)) ** 0.5)


#: A win is stored as sixtieths.
_WIN = 60

ROW_MEANS: Mapping[str, RowMean] = {
    mean.name: mean
    for mean in (
        RowMean("win_share", "won", _WIN),
        RowMean("seat_edge", "won", _WIN, key="seat"),
        RowMean("restricted_play", "won", _WIN, setting="never_leads"),
        RowMean("forced_play", "won", _WIN, setting="prefers_leading"),
        RowMean("mean_prestige", "prestige", 1),
    )
}


@cache
def settings_in(strategy: str) -> Mapping[str, str]:
    """The settings in a strategy's name as a line-up writes it: `greedy:never_leads=bear`."""
    settings = (text.partition("=") for text in strategy.split(":")[1:])
    return {name.strip(): value.strip() for name, _, value in settings}
