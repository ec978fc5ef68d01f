"""Clan ranks on two sides: who moved up or down, and whether the clans can be told apart at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.groups import letters, told_apart
from ethnos_sim.reports.estimators.interventions import RESTRICTED_PLAY
from ethnos_sim.reports.estimators.leading import WIN_LIFT

RANKED_BY = (RESTRICTED_PLAY.name, WIN_LIFT.name)
"""What clans are ranked by: the first of these that both sides have."""


@dataclass(frozen=True, slots=True)
class RankShift:
    """A clan's place among the clans, the strongest being 1.

    Attributes:
        clan: its name on the first side.
        first: its rank there.
        second: its rank on the other side.
        first_group: letters there; clans that share one cannot be told apart.
        second_group: letters on the other side.
    """

    clan: str
    first: int
    second: int
    first_group: str
    second_group: str


def best_about_clans(first: Estimates, second: Estimates) -> tuple[Estimates, Estimates] | None:
    """The first of RANKED_BY that both sides have, with intervals where they have any with them."""
    found = [(first.where(estimand=key), second.where(estimand=key)) for key in RANKED_BY]
    both = [(ours, theirs) for ours, theirs in found if len(ours) and len(theirs)]
    sure = [pair for pair in both if all(each.trusted.any() for each in pair)]
    return next(iter(sure or both), None)


def rank_shifts(
    first: Estimates, second: Estimates, renamed: Mapping[str, str] | None = None
) -> tuple[str, tuple[RankShift, ...]]:
    """What the ranks go by, and the shift of every clan that both sides have, first's order.

    Returns:
        One of RANKED_BY and the shifts; "" and nothing where neither is on both sides.
    """
    found = best_about_clans(first, second)
    if found is None:
        return "", ()
    ours, theirs = found
    called = renamed or {}
    common = [clan for clan in ours.names if called.get(clan, clan) in theirs.names]
    one = _ranked(ours, common)
    two = _ranked(theirs, [called.get(clan, clan) for clan in common])
    shifts = [
        RankShift(clan, first_rank, second_rank, first_group, second_group)
        for clan, (first_rank, first_group), (second_rank, second_group) in zip(
            common, one, two, strict=True
        )
    ]
    return ours.only("estimand"), tuple(sorted(shifts, key=lambda shift: shift.first))


def _ranked(measured: Estimates, clans: list[str]) -> list[tuple[int, str]]:
    """The rank and the letters of each of some clans among them."""
    chosen = measured.named(clans)
    order = np.argsort(-chosen.value, kind="stable")
    ranked = chosen.at(order)
    sure = bool(ranked.trusted.all())
    groups = letters(told_apart(ranked)) if sure else ("",) * len(clans)
    ranks = {
        int(place): (rank, group)
        for rank, (place, group) in enumerate(zip(order, groups, strict=True), 1)
    }
    return [ranks[number] for number in range(len(clans))]
