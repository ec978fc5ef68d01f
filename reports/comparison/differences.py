"""Compare two situations number by number: differences with verdicts, ranks of clans, and balance.

The change of the clans' spread says whether they are closer together on one side. The spread is
the standard deviation over the clans, without noise. It is a root, which has no slope at 0. So the
error of the spread's change s2 - s1 = (v2 - v1) / (s1 + s2) is computed from the error of the
variance's change v2 - v1. The variance is a smooth function of the sums, and its change is paired
block by block like any other difference. In simulations of twelve clans with spreads from 0 to 2 pp
on either side, 95 % intervals covered in 94 to 99.9 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import ratio, together
from ethnos_sim.experiments.statistics.significance import letters, significant_pairs
from ethnos_sim.experiments.statistics.verdict import Verdict, family_verdicts
from ethnos_sim.reports.estimators.catalog import margin_of
from ethnos_sim.reports.estimators.clan_spread import spread_of
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.rendering.numbers import difference_unit


@dataclass(frozen=True, slots=True)
class ComparedNumber:
    """One number on both sides.

    Attributes:
        difference: second less first, with its 95 % interval.
        verdict: whether it matters.
        first: the first side's estimate.
        second: the second side's estimate.
        margin: a difference up to this size does not matter.
        variance_ratio: the variance without pairing by deals, divided by the variance with it; None
            if the deals were not shared.
    """

    difference: Estimate
    verdict: Verdict
    first: Estimate
    second: Estimate
    margin: float
    variance_ratio: float | None

    @property
    def about(self) -> tuple[str, str]:
        """The estimand and the name of the number, by the first side's names."""
        return self.first.definition, self.first.name


def compare_numbers(first: Estimates, second: Estimates, *, same_deals: bool = True) -> Estimates:
    """Subtract every number that has a margin and is on both sides, in the first side's order.

    Args:
        first: the headline numbers of a situation on the first side.
        second: the headline numbers on the second side, with the names of the first side.
        same_deals: whether both used the same seed (see `Estimates.minus`).

    Returns:
        The second side less the first, with the labels that `with_verdicts` needs.
    """
    first_rows, second_rows = first.beside(second, ON)
    known = np.asarray([_has_margin(*key) for key in first_rows.keys(MARGIN_BY)], np.bool_)
    return _differences(first_rows.at(known), second_rows.at(known), same_deals)


ON = ("estimand", "name")
"""The labels by which rows of both sides are matched."""

MARGIN_BY = (*ON, "players")
"""The labels that decide a number's margin."""


def with_verdicts(changes: Sequence[Estimates]) -> list[tuple[ComparedNumber, ...]]:
    """Give each difference its verdict; all tables are one family (`family_verdicts`)."""
    all_changes = together(changes)
    margins = all_changes["margin"].astype(np.float64)
    decided = iter(family_verdicts(all_changes, margins))
    compared = []
    for change in changes:
        columns = (change[name] for name in BESIDE)
        rows = zip(change.estimates(), islice(decided, len(change)), *columns, strict=True)
        compared.append(tuple(ComparedNumber(*row) for row in rows))
    return compared


BESIDE = ("first", "second", "margin", "variance_ratio")
"""The labels of a difference that become attributes of `ComparedNumber`."""


def counted(compared: Iterable[ComparedNumber]) -> dict[str, int]:
    """The count of numbers of each verdict."""
    decided = [number.verdict for number in compared]
    return {verdict.value: decided.count(verdict) for verdict in Verdict}


def _has_margin(definition: str, name: str, players: int) -> bool:
    try:
        margin_of(definition, name, players)
    except KeyError:
        return False
    return True


def _differences(first: Estimates, second: Estimates, same_deals: bool) -> Estimates:
    """Subtract matching rows, and label the differences with both sides' estimates."""
    change = second.minus(first, ON, same_deals=same_deals)
    error = change.standard_error
    paired = same_deals & change.trusted & (change.added_error == 0) & (error > 0)
    gains = ratio(first.standard_error**2 + second.standard_error**2, error**2)
    return change.in_unit([difference_unit(unit) for unit in first.unit]).labelled(
        population=first["population"],
        first=first.estimates(),
        second=second.estimates(),
        margin=[margin_of(*key) for key in first.keys(MARGIN_BY)],
        variance_ratio=[
            gain if is_paired else None
            for gain, is_paired in zip(gains.tolist(), paired.tolist(), strict=True)
        ],
    )


RANKED_BY = (WORTH.name, WIN_LIFT.name)
"""Clans are ranked by the first of these estimands that both sides have."""


@dataclass(frozen=True, slots=True)
class RankShift:
    """A clan's place among the clans, the strongest being 1.

    Attributes:
        clan: its name on the first side.
        first: its rank on the first side.
        second: its rank on the second side.
        first_group: letters on the first side; clans that share a letter cannot be told apart.
        second_group: letters on the second side.
    """

    clan: str
    first: int
    second: int
    first_group: str
    second_group: str


def best_about_clans(first: Estimates, second: Estimates) -> tuple[Estimates, Estimates] | None:
    """The clans on both sides, by the first estimand of RANKED_BY that both sides have.

    An estimand with intervals is preferred; None if the sides have no such estimand in common.
    """
    pairs = [(first.where(estimand=key), second.where(estimand=key)) for key in RANKED_BY]
    both = [(one, two) for one, two in pairs if len(one) and len(two)]
    sure = [pair for pair in both if all(side.trusted.any() for side in pair)]
    return next(iter(sure or both), None)


def rank_shifts(first: Estimates, second: Estimates) -> tuple[str, tuple[RankShift, ...]]:
    """Rank the clans that both sides have, in the first side's order.

    Returns:
        The estimand of RANKED_BY and each clan's shift; "" and () if no estimand is on both sides.
    """
    best = best_about_clans(first, second)
    if best is None:
        return "", ()
    common = [clan for clan in best[0].names if clan in best[1].names]
    first_ranks, second_ranks = (_ranked(side, common) for side in best)
    shifts = []
    for clan, (first_rank, first_group) in first_ranks.items():
        second_rank, second_group = second_ranks[clan]
        shifts.append(RankShift(clan, first_rank, second_rank, first_group, second_group))
    return best[0].only("estimand"), tuple(shifts)


def _ranked(measured: Estimates, clans: list[str]) -> dict[str, tuple[int, str]]:
    """Rank `clans` among themselves, the strongest first; return the rank and letters of each."""
    chosen = measured.named(clans)
    ranked = chosen.at(np.argsort(-chosen.value, kind="stable"))
    groups = letters(significant_pairs(ranked)) if ranked.trusted.all() else ("",) * len(clans)
    both = enumerate(zip(ranked.names, groups, strict=True), 1)
    return {name: (rank, group) for rank, (name, group) in both}


def balance_change(first: Estimates, second: Estimates, *, same_deals: bool) -> Estimates:
    """The change between the sides of the spread of clan power, or of win lift without power.

    A clan that cannot be measured on one side is ignored on both. Arguments and labels are the
    same as in `compare_numbers`.

    Returns:
        One row, named after the estimand that spreads; no row if either side has too few games.
    """
    spreads = _for_both(first, second, spread_of)
    if not spreads:
        return _differences(first.at([]), second.at([]), same_deals)
    # If both spreads are 0, chance explains them, and the change has no interval.
    total = sum(float(spread.value[0]) for spread in spreads)
    scale = 1 / total if total else np.nan
    before, after = (
        replace(spread, pseudo=spread.value + (spread.pseudo - spread.center) * scale)
        for spread in spreads
    )
    return _differences(before, after, same_deals)


def _for_both(
    first: Estimates, second: Estimates, measure: Callable[[Estimates], Iterator[Estimates]]
) -> list[Estimates]:
    """Apply `measure` to the clans of both sides; empty if either side has too few games."""
    common = best_about_clans(first, second) or (first.at([]), second.at([]))
    sides = [_measured(*common), _measured(*common[::-1])]
    rows = [measured for clans in sides for measured in measure(clans)]
    return rows if len(rows) == len(sides) else []


def _measured(clans: Estimates, other: Estimates) -> Estimates:
    """The rows of `clans` that have an interval on both sides."""
    doubtful = other.at(~other.trusted).names
    return clans.at(clans.trusted).where(name=set(clans.names).difference(doubtful))
