"""Which of two kinds of tables is more balanced: editions, modes and rule sets.

The answer rests on one measure: how far the clans lie apart. Three more stand in the table behind
it: how unevenly winners lead clans, the first seat's edge, and the leader's distance from what a
lottery would give. Of each, less is more balanced. Their verdicts are one family.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import together
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.differences import (
    ABOUT_CLANS,
    ComparedNumber,
    balance_change,
    compare_numbers,
    with_verdicts,
)
from ethnos_sim.reports.estimators.game_shape import LEADER_ADVANTAGE
from ethnos_sim.reports.estimators.leading import WIN_LIFT, WINNERS_UNEVENNESS
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.page.number_table import NumberTable

CLANS, WINNERS, SEAT, LEADER = "clans", "winners", "seat", "leader"


@dataclass(frozen=True, slots=True)
class Balance:
    """The change in balance from one kind of table to another.

    `changes` holds the change of each measure that both tables have, with its interval.
    `without_interval` names the measures that have too few games for an interval.
    """

    changes: Mapping[str, ComparedNumber]
    without_interval: tuple[str, ...] = ()

    @property
    def by_lift(self) -> bool:
        """Whether the clans are compared by win lift, because nobody gave up a clan."""
        return CLANS in self.changes and self.changes[CLANS].first.name == WIN_LIFT.name

    def verdict(self, about: str = CLANS) -> Verdict:
        """The verdict on a measure; OPEN without an interval, and for win lift, a mere hint."""
        if about not in self.changes or (self.by_lift and about == CLANS):
            return Verdict.OPEN
        return self.changes[about].verdict

    def better(self, about: str = CLANS) -> int:
        """The side that is more balanced by a measure: 0 the first, 1 the second."""
        return int((self.changes[about].difference.value or 0.0) < 0)

    @property
    def disagreeing(self) -> tuple[str, ...]:
        """The measures that matter and do not favor the side that the clans' spread favors."""
        moved = [about for about in self.changes if self.verdict(about) is Verdict.MATTERS]
        if CLANS in moved:
            moved = [about for about in moved if self.better(about) != self.better()]
        return tuple(moved)


def balance(
    number_table: NumberTable,
    first: Situation,
    second: Situation,
    *,
    same_deals: bool,
    renamed: Mapping[str, str],
) -> Balance | None:
    """Compare two kinds of tables; None if they share no measure.

    Args:
        number_table: the numbers.
        first: the kind of table to compare with.
        second: the other kind of table.
        same_deals: whether both played the same deals.
        renamed: the second table's name of each clan of the first, if the editions differ.
    """
    our_names = {other: name for name, other in renamed.items()}
    first_clans, second_clans = (
        together(number_table.part(side, estimand) for estimand in ABOUT_CLANS)
        for side in (first, second)
    )
    second_clans = second_clans.renamed(our_names, "name")

    def change(estimand: str, name: str | None = None) -> Estimates:
        """The change of a number; of one with a side, the change of its distance from 0."""
        sides = (number_table.part(side, estimand) for side in (first, second))
        if name is None:
            return compare_numbers(*sides, same_deals=same_deals)
        sizes = (side.where(name=name).through(np.abs) for side in sides)
        return compare_numbers(*sizes, same_deals=same_deals)

    changes = {
        CLANS: balance_change(first_clans, second_clans, same_deals=same_deals),
        WINNERS: change(WINNERS_UNEVENNESS.name),
        SEAT: change(SEAT_EDGE.name, ORDINALS[0]),
        LEADER: change(LEADER_ADVANTAGE.name, LEADER_ADVANTAGE.name),
    }
    sure = {about: change for about, change in changes.items() if change.trusted.any()}
    if not sure:
        return None
    both_rank_clans = first_clans.trusted.size and second_clans.trusted.size
    without_interval = tuple(
        about
        for about, change in changes.items()
        if about not in sure and (both_rank_clans if about == CLANS else change.trusted.size)
    )
    compared = [number for (number,) in with_verdicts(tuple(sure.values()))]
    return Balance(dict(zip(sure, compared, strict=True)), without_interval)
