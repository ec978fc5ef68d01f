"""The smallest differences that matter to people at a table, each with its reason.

The page, `compare`, `check` and `balance` use these margins. A difference does not matter if its
whole interval lies within the margin around 0. The margins of winning chances assume a group that
plays weekly, some fifty games a year: nobody notices a change that moves at most one game a year.
Margins for clans and seats are in fair shares, so they hold for any number of players.
"""

from __future__ import annotations

from typing import NamedTuple

FAIR_SHARES = "fair_shares"
"""A unit of wins: an average player, who wins 1 / players of the games, has one fair share."""


class Margin(NamedTuple):
    """The size up to which a difference does not matter.

    Attributes:
        subject: what the numbers with this margin are about.
        size: the size, in `unit`.
        unit: the key of the unit of the size.
        reason: why a smaller difference does not matter.
    """

    subject: str
    size: float
    unit: str
    reason: str

    def size_in(self, unit: str, players: int) -> float:
        """The size in another unit, with this number of players.

        A margin in fair shares is divided by `players`, unless the unit is fair shares as well.
        """
        shares = self.unit == FAIR_SHARES and unit not in (FAIR_SHARES, f"{FAIR_SHARES}_spread")
        return self.size / players if shares else self.size


CLAN = Margin(
    "What one clan is worth",
    0.12,
    FAIR_SHARES,
    "3 of 100 games with four players: less than one in a year of weekly games, half of which have "
    "the clan.",
)
SPREAD = Margin(
    "How far clans lie apart",
    0.04,
    FAIR_SHARES,
    "With four players, the gap of two clans is 1.4 of 100 games wider: less than one game a year.",
)
SEAT = Margin(
    "What a seat wins",
    0.08,
    FAIR_SHARES,
    "Whoever goes first among four players wins one game more of fifty.",
)
LEADER = Margin(
    "What a leader wins",
    0.02,
    "share_difference",
    "One game in a year of weekly games goes to somebody else.",
)
FROM_BEHIND = Margin(
    "Wins from far behind",
    0.02,
    "share_difference",
    "One more win in fifty games of a player who is far behind.",
)
SHARED_WINS = Margin(
    "Shared wins", 0.01, "share_difference", "One more in two years of weekly games."
)
STRATEGY = Margin(
    "What a strategy wins", 0.02, "share_difference", "One game in a year of weekly games."
)
LENGTH = Margin("Turns a game", 10.0, "count_difference", "Three minutes, at three turns a minute.")
PARTIES = Margin(
    "Parties a player", 0.2, "count_difference", "One more in five games: nobody counts them."
)
CARDS = Margin("Cards a party", 0.05, "count_difference", "One card more in twenty parties.")
LEAD_CHANGES = Margin("Changes of the lead", 0.05, "count_difference", "One more in twenty games.")
PRESTIGE = Margin("Points of prestige", 1.0, "prestige_difference", "One point of some ninety.")
PRESTIGE_SPREAD = Margin(
    "Spread of prestige within a game", 0.5, "prestige_difference", "Half of one point."
)
USAGE = Margin("How often a clan leads", 0.005, "share_difference", "One party in two hundred.")

MARGINS = (
    *(CLAN, SPREAD),
    *(SEAT, LEADER, FROM_BEHIND, SHARED_WINS, STRATEGY),
    *(LENGTH, PARTIES, CARDS, LEAD_CHANGES, PRESTIGE, PRESTIGE_SPREAD, USAGE),
)
"""All margins; those of the page's answers come first."""
