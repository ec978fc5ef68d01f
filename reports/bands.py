"""How large an effect is, in words: the bands that a reader meets before any p value.

Power (percentage points of winning chance): below 0.5 negligible, below 1.5 minor, below 3 notable,
else strong. Win lift is counted in fair shares and a fair share of a four-player game is 25 points,
so its bands are those of power times four: 0.02, 0.06 and 0.12, for every player count.

MARGINS says, for every headline number, up to which size a difference between two rule sets or two
versions counts as none.
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


@dataclass(frozen=True, slots=True)
class Scale:
    """Words for a number that is no effect around 0: one more word than limits, both rising."""

    limits: tuple[float, ...]
    words: tuple[str, ...]

    def word(self, value: float) -> str:
        """The word of a value."""
        return self.words[sum(value >= limit for limit in self.limits)]


POWER = Bands(minor=0.005, notable=0.015, strong=0.03)
"""For differences of winning chances, as shares: seat edges, strategies against 1/n."""

WIN_LIFT = Bands(minor=0.02, notable=0.06, strong=0.12)
"""For win lift, in fair shares."""

LEADER = Scale((0.25, 0.5, 0.75), ("open", "leaning", "lopsided", "nearly decided"))
"""For P(win | leading after an age): how far it is from a fair share (0) to certainty (1)."""

COMEBACK = Scale((0.1, 0.25, 0.5), ("hardly ever", "rare", "possible", "common"))
"""For P(win | behind), in fair shares."""

LENGTH = Scale((0.25, 0.5), ("steady", "varying", "widely varying"))
"""For the length of a game: the width of the middle nine tenths of games, divided by the mean."""

SKILL = Scale((0.1, 0.3, 0.6), ("mostly luck", "skill helps", "skill matters", "skill decides"))
"""For the win share of a stronger strategy: how far it is from a fair share to certainty."""

MARGINS: dict[str, float | dict[str, float]] = {
    "seat_edge": POWER.minor,
    "restricted_play": POWER.minor,
    "forced_play": POWER.minor,
    "skill": POWER.minor,
    "usage": 0.0025,
    "win_lift": WIN_LIFT.minor,
    "strategy_share": 0.01,
    "game_shape": {
        "turns": 2.0,
        "parties": 0.1,
        "cards_in_party": 0.01,
        "lead_changes": 0.02,
        "mean_prestige": 0.5,
        "prestige_spread": 0.25,
        "margin": 0.5,
        "shared_wins": POWER.minor,
        "leader_after_age_1": 0.01,
        "leader_after_age_2": 0.01,
        "comeback": POWER.minor,
    },
    "solo_win_rate": 0.01,
    "solo_margin": 1.0,
    "solo_prestige": 0.5,
}
"""Margins of equivalence by estimand, for the shape of a game by number, in the stored unit.

Winning chances: where a difference stops being negligible. Win shares of strategies and of early
leaders differ by tens of points, so theirs are twice as wide. Usage, counts and points: less than
anybody would feel at a table, and narrow where few games are precise, so that changes show."""


def margin_of(definition: str, name: str) -> float:
    """The margin of a headline number; KeyError for a number that has none."""
    margin = MARGINS[definition]
    return margin[name] if isinstance(margin, dict) else margin
