"""Which of two kinds of tables is more balanced: editions, modes and rule sets.

Three numbers answer: how far the clans lie apart, the first seat's edge, and what leaders win. Each
is more balanced where it is nearer to 0 (leaders: where they win less). The three are one family by
Holm; a difference within its margin counts as none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.comparison.differences import (
    CHANGED,
    EQUIVALENT,
    RANKED_BY,
    Compared,
    balance_change,
    compare_numbers,
    in_words,
)
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.evidence.evidence import Situation
from ethnos_sim.reports.page.sheet import Sheet

MORE, LESS, MIXED, SAME, OPEN = "more", "less", "mixed", "same", "open"

CLANS, SEAT, LEADER = "clans", "seat", "leader"

MOST_TIMES = 100
"""How many times the games there are may be asked for; of more it says "far more"."""


@dataclass(frozen=True, slots=True)
class Change:
    """One of the three numbers on both sides.

    Attributes:
        about: CLANS, SEAT or LEADER.
        first: the number on the first side, as a share.
        second: on the second side.
        half: half of the 95 % interval of their difference.
        margin: within which a difference counts as none.
        word: MORE, LESS, SAME or OPEN, of the second side's balance.
    """

    about: str
    first: float
    second: float
    half: float
    margin: float
    word: str

    @property
    def times(self) -> float:
        """How many times the games would settle it, if the difference is what it seems."""
        change = abs(self.second - self.first)
        return (self.half / max(change, self.margin - change)) ** 2


@dataclass(frozen=True, slots=True)
class Balance:
    """Two kinds of tables, and what became of the balance from the first to the second.

    `by_lift` says that clans go by win lift, where nobody was kept from leading them.
    """

    changes: tuple[Change, ...]
    games: int
    by_lift: bool = False

    @property
    def word(self) -> str:
        """MORE, LESS, MIXED, SAME or OPEN, of the second side."""
        words = {change.word for change in self.changes}
        if {MORE, LESS} <= words:
            return MIXED
        for clear in (MORE, LESS):
            if clear in words:
                return clear
        return SAME if words == {SAME} else OPEN

    @property
    def needed(self) -> float:
        """How many more games would settle what is open; infinite for far more than there are."""
        times = max((c.times for c in self.changes if c.word == OPEN), default=1.0)
        return self.games * (times - 1) if times <= MOST_TIMES else np.inf


def balance(
    sheet: Sheet,
    first: Situation,
    second: Situation,
    *,
    same_deals: bool,
    renamed: Mapping[str, str],
) -> Balance | None:
    """Compare two kinds of tables; None where they share none of the three numbers.

    Args:
        sheet: the numbers.
        first: what the second is compared with.
        second: the other kind of table.
        same_deals: whether both played the same deals.
        renamed: what the second calls a clan of the first, where it differs.
    """
    ranked = (sheet.part(side, *RANKED_BY) for side in (first, second))
    clans = balance_change(*ranked, same_deals=same_deals, renamed=renamed)
    others = {
        SEAT: _row(_first_seat(sheet, first), _first_seat(sheet, second), same_deals),
        LEADER: _row(_leader(sheet, first), _leader(sheet, second), same_deals),
    }
    found = {about: each for about, each in {CLANS: clans, **others}.items() if each is not None}
    sure = {about: each for about, each in found.items() if each.difference.low is not None}
    if not sure:
        return None
    changes = tuple(map(_change, sure, in_words(tuple(sure.values()))))
    games = max(each.difference.games for each in sure.values())
    by_lift = CLANS in sure and sure[CLANS].name == WIN_LIFT.name
    return Balance(changes, games, by_lift)


def _change(about: str, found: Compared) -> Change:
    """One of the three numbers with its word."""
    difference = found.difference
    word = SAME if found.word == EQUIVALENT else OPEN
    if found.word == CHANGED:
        word = MORE if (difference.value or 0.0) < 0 else LESS
    return Change(
        about,
        found.first.value or 0.0,
        found.second.value or 0.0,
        difference.half_width or 0.0,
        found.margin,
        word,
    )


def _row(first: Estimates, second: Estimates, same_deals: bool) -> Compared | None:
    """A number of one row on both sides."""
    if not len(first) or not len(second):
        return None
    second = second.labelled(name=first.names)
    return next(iter(compare_numbers(first, second, same_deals=same_deals)), None)


def _first_seat(sheet: Sheet, situation: Situation) -> Estimates:
    """The first seat's edge, whatever its sign."""
    return _named(sheet.part(situation, SEAT_EDGE.name), ORDINALS[0]).through(np.abs)


def _leader(sheet: Sheet, situation: Situation) -> Estimates:
    """What who leads before the last age wins."""
    return _named(sheet.part(situation, GAME_SHAPE.name), leader_name(sheet, situation))


def leader_name(sheet: Sheet, situation: Situation) -> str:
    """What the wins of the leader before the last age are called among the game's numbers."""
    found = [name for name in sheet.part(situation, GAME_SHAPE.name)["name"] if "leader" in name]
    return str(max(found, default=""))


def _named(part: Estimates, name: str) -> Estimates:
    """The row of a name, or no row."""
    return part.at(np.flatnonzero(part["name"] == name))
