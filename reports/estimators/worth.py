"""A clan's worth: a fair share of wins, less the share of those who give the clan up.

In these games every seat gives up a different clan, and may not lead with it. Somebody always
wins, so the worths of a table, weighted by the seats that give each clan up, add up to 0.
"""

from __future__ import annotations

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import join_tables, ratio
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import DataSelector, Estimand
from ethnos_sim.simulator.game.records import GIVES_UP, GIVES_UP_BY_AGE, SIXTIETHS


def _sums_selector(kind: str) -> DataSelector:
    """A function that selects the sums of one kind of games: GIVES_UP or GIVES_UP_BY_AGE."""

    def select(evidence: Evidence, situation: Situation) -> Sums | None:
        return evidence.given_up_sums.get((situation, kind))

    return select


def _worths(
    estimand: Estimand, sums: Sums, population: str, age: int = 0, aspect: str = ""
) -> Estimates:
    """The worth of each clan, from the sums of the seats that gave it up in an age (an index)."""
    of_age = {name: array[:, age] for name, array in sums.arrays.items()}
    seats = of_age["gave_up"].sum(axis=0)
    # Events are the wins of a fair share: with observed wins, rare wins would have no interval.
    return estimand.jackknife(
        lambda blocks: (
            1 / sums.players - ratio(blocks["gave_up_won"], SIXTIETHS * blocks["gave_up"])
        ),
        of_age,
        population,
        sums.clans,
        aspect=aspect,
        games=seats,
        events=seats // sums.players,
    )


def _worths_by_age(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """The worth of each clan in each age in which clans are given up; the aspect is the age."""
    ages = sums.arrays["games"].sum(axis=0).nonzero()[0].tolist()
    return join_tables(_worths(estimand, sums, population, age, f"age {age + 1}") for age in ages)


WORTH = Estimand(
    name="worth",
    unit="share_difference",
    label="{clan}: worth",
    margin=margins.CLAN,
    family="clans",
    estimator=_worths,
    select_data=_sums_selector(GIVES_UP),
)

WORTH_BY_AGE = Estimand(
    name="worth_by_age",
    unit="share_difference",
    label="{clan}: worth in one age",
    margin=margins.CLAN,
    estimator=_worths_by_age,
    select_data=_sums_selector(GIVES_UP_BY_AGE),
)
"""Like WORTH, but for those who give the clan up in one age only."""
