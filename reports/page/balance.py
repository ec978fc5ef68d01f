"""Which of two kinds of tables is more balanced: editions, modes and rule sets.

Five measures answer: the spread of the clans, the range from the weakest to the strongest clan, how
unevenly winners lead clans, the first seat's edge, and the leader's wins. A table is more balanced
by a measure if its number is nearer to 0 (for leaders: if they win less). Holm's correction is made
over the five measures; a difference within its margin counts as no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import together
from ethnos_sim.experiments.statistics.significance import (
    ALPHA,
    CHANGED,
    EQUIVALENT,
    times_to_settle,
)
from ethnos_sim.reports.comparison.differences import (
    RANKED_BY,
    ComparedNumber,
    balance_change,
    compare_numbers,
    range_change,
    with_verdicts,
)
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.leading import WIN_LIFT, WINNERS_UNEVENNESS
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.page.number_table import NumberTable

MORE, LESS, MIXED, SAME, OPEN = "more", "less", "mixed", "same", "open"

CLANS, RANGE, WINNERS, SEAT, LEADER = "clans", "range", "winners", "seat", "leader"

OF_CLANS = {CLANS, RANGE}
"""The measures that rest on win lift if no seat was restricted."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The change in balance from one kind of table to another.

    `changes` holds the change of each measure that both tables have, with its interval. `games`
    counts the games at both kinds of tables together. `without_interval` names the measures that
    have too few games for an interval: they are OPEN.
    """

    changes: Mapping[str, ComparedNumber]
    games: int
    without_interval: tuple[str, ...] = ()

    @property
    def by_lift(self) -> bool:
        """Whether the clans are compared by win lift, because no seat was restricted."""
        return CLANS in self.changes and self.changes[CLANS].first.name == WIN_LIFT.name

    @property
    def word(self) -> str:
        """MORE, LESS, MIXED, SAME or OPEN: how balanced the second side is against the first."""
        words = set(self.words.values())
        if {MORE, LESS} <= words:
            return MIXED
        clear = words & {MORE, LESS}
        return clear.pop() if clear else SAME if words == {SAME} else OPEN

    @property
    def measured(self) -> dict[str, str]:
        """MORE, LESS, SAME or OPEN by each measure."""
        words = {about: _word(change) for about, change in self.changes.items()}
        return words | dict.fromkeys(self.without_interval, OPEN)

    @property
    def words(self) -> dict[str, str]:
        """Like `measured`, but measures by win lift are OPEN, because win lift proves nothing."""
        words = self.measured
        return words | (dict.fromkeys(OF_CLANS & words.keys(), OPEN) if self.by_lift else {})

    @property
    def close(self) -> bool:
        """Whether the half-width of every measure's interval is at most the measure's margin."""
        return not (self.by_lift or self.without_interval) and all(
            (change.difference.half_width or np.inf) <= change.margin
            for change in self.changes.values()
        )

    @property
    def needed(self) -> float:
        """The number of further games that settle the comparison with the chance SETTLED_IN.

        Infinite if far too many games are needed.
        Ordinary games and games with a restricted seat grow by the same factor.
        """
        changes = self.changes.values()
        values = [change.difference.value or 0.0 for change in changes]
        errors = [change.difference.standard_error or 0.0 for change in changes]
        if self.without_interval or not all(errors):
            return np.inf
        times = times_to_settle(values, errors, [change.margin for change in changes], ALPHA)
        return self.games * (times - 1)


def _word(change: ComparedNumber) -> str:
    """MORE, LESS, SAME or OPEN: how balanced the second side is by one number."""
    if change.verdict == CHANGED:
        return MORE if (change.difference.value or 0.0) < 0 else LESS
    return SAME if change.verdict == EQUIVALENT else OPEN


def balance(
    number_table: NumberTable,
    first: Situation,
    second: Situation,
    *,
    games: int,
    same_deals: bool,
    renamed: Mapping[str, str],
) -> Balance | None:
    """Compare two kinds of tables; None if they share no measure.

    Args:
        number_table: the numbers.
        first: the kind of table to compare with.
        second: the other kind of table.
        games: games played at both kinds together.
        same_deals: whether both played the same deals.
        renamed: the second table's name of each clan of the first, if the editions differ.
    """
    our_names = {other: name for name, other in renamed.items()}
    first_clans, second_clans = (
        together(number_table.part(side, estimand) for estimand in RANKED_BY)
        for side in (first, second)
    )
    second_clans = second_clans.renamed(our_names, "name")
    winners = (number_table.part(side, WINNERS_UNEVENNESS.name) for side in (first, second))
    changes = {
        CLANS: balance_change(first_clans, second_clans, same_deals=same_deals),
        RANGE: range_change(first_clans, second_clans, same_deals=same_deals),
        WINNERS: _row(same_deals, *winners),
        SEAT: _row(same_deals, *(_first_seat(number_table, side) for side in (first, second))),
        LEADER: _row(same_deals, *(_leader(number_table, side) for side in (first, second))),
    }
    sure = {about: change for about, change in changes.items() if change.trusted.any()}
    if not sure:
        return None
    both_rank_clans = first_clans.trusted.size and second_clans.trusted.size
    without_interval = tuple(
        about
        for about, change in changes.items()
        if about not in sure and (both_rank_clans if about in OF_CLANS else change.trusted.size)
    )
    compared = [number for (number,) in with_verdicts(tuple(sure.values()))]
    return Balance(dict(zip(sure, compared, strict=True)), games, without_interval)


def _row(same_deals: bool, first: Estimates, second: Estimates) -> Estimates:
    """The change of a single number, even if the two sides name it differently."""
    called = dict(zip(second.names, first.names, strict=False))
    return compare_numbers(first, second.renamed(called, "name"), same_deals=same_deals)


def _first_seat(number_table: NumberTable, situation: Situation) -> Estimates:
    return number_table.part(situation, SEAT_EDGE.name).where(name=ORDINALS[0]).through(np.abs)


def _leader(number_table: NumberTable, situation: Situation) -> Estimates:
    return number_table.part(situation, GAME_SHAPE.name).where(
        name=leader_name(number_table, situation)
    )


def leader_name(number_table: NumberTable, situation: Situation) -> str:
    """The name of the number for the wins of the leader before the last age."""
    names = [
        name for name in number_table.part(situation, GAME_SHAPE.name)["name"] if "leader" in name
    ]
    return str(max(names, default=""))
