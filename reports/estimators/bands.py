"""How large an effect is, in words: the bands that a reader meets before any p value.

An estimand names its bands or scales in its own file (`ethnos_sim.reports.estimators`); here stands
what several share.
"""

from __future__ import annotations

from dataclasses import dataclass

WORDS = ("negligible", "minor", "notable", "strong")


@dataclass(frozen=True, slots=True)
class Bands:
    """Three limits, rising, in the unit of the estimand; their words are WORDS.

    `about` says what they are the bands of.
    """

    minor: float
    notable: float
    strong: float
    about: str

    @property
    def limits(self) -> tuple[float, float, float]:
        """The limits, rising."""
        return self.minor, self.notable, self.strong

    def size(self, value: float) -> int:
        """The band of a value by its size, whatever its sign: 0 to 3."""
        return sum(abs(value) >= limit for limit in self.limits)

    def word(self, value: float) -> str:
        """The same as a word."""
        return WORDS[self.size(value)]


@dataclass(frozen=True, slots=True)
class Scale:
    """Words for a number that is no effect around 0: one more word than limits, both rising.

    `about` says what they are the words of.
    """

    about: str
    limits: tuple[float, ...]
    words: tuple[str, ...]

    def word(self, value: float) -> str:
        """The word of a value."""
        return self.words[sum(value >= limit for limit in self.limits)]


POWER = Bands(minor=0.005, notable=0.015, strong=0.03, about="power, seat edges and win shares")
"""For differences of winning chances, as shares: power, seat edges, strategies against 1/n."""
