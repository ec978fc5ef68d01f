"""How large an effect is, in words: the bands that a reader meets before any p value.

Power (percentage points of winning chance): below 0.5 negligible, below 1.5 minor, below 3 notable,
else strong. Win lift is counted in fair shares and a fair share of a four-player game is 25 points,
so its bands are those of power times four: 0.02, 0.06 and 0.12, for every player count.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bands:
    """Three limits, rising, in the unit of the estimand; their words are WORDS."""

    minor: float
    notable: float
    strong: float

    def word(self, value: float) -> str:
        """The band of a value by its size, whatever its sign."""
        size = abs(value)
        limits = (self.minor, self.notable, self.strong)
        return WORDS[sum(size >= limit for limit in limits)]


WORDS = ("negligible", "minor", "notable", "strong")

POWER = Bands(minor=0.005, notable=0.015, strong=0.03)
"""For differences of winning chances, as shares: seat edges, strategies against 1/n."""

WIN_LIFT = Bands(minor=0.02, notable=0.06, strong=0.12)
"""For win lift, in fair shares."""
