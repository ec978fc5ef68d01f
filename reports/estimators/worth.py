"""A clan's worth: what those who gave the clan up win less than a fair share.

In these games every seat gives up a clan, each a different one, and may not lead with it. Somebody
always wins, so the worths of a table, weighted by the seats that gave each clan up, add up to 0.
"""

from __future__ import annotations

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import join_tables, ratio
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand, Source
from ethnos_sim.simulator.game.records import GIVES_UP, GIVES_UP_BY_AGE, SIXTIETHS


def _sums_of(kind: str) -> Source:
    """A source of the sums of games of a kind, GIVES_UP or GIVES_UP_BY_AGE; None without games."""

    def source(evidence: Evidence, situation: Situation) -> Sums | None:
        return evidence.given_up_sums.get((situation, kind))

    return source


def _worth(
    estimand: Estimand, sums: Sums, population: str, age: int = 0, aspect: str = ""
) -> Estimates:
    """The worth of each clan, from the seats that gave it up; `age` is an index of those sums."""
    of_age = {name: array[:, age] for name, array in sums.arrays.items()}
    seats = of_age["gave_up"].sum(axis=0)
    # The wins of a fair share count as events, so that rare wins still have an interval.
    return estimand.measure(
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


def _worth_by_age(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """The worth of each clan in each age in which clans were given up."""
    ages = sums.arrays["games"].sum(axis=0).nonzero()[0].tolist()
    return join_tables(_worth(estimand, sums, population, age, f"age {age + 1}") for age in ages)


WORTH = Estimand(
    name="worth",
    unit="share_difference",
    label="{clan}: worth",
    margin=margins.CLAN,
    family="clans",
    measured=_worth,
    source=_sums_of(GIVES_UP),
)

WORTH_BY_AGE = Estimand(
    name="worth_by_age",
    unit="share_difference",
    label="{clan}: worth in one age",
    margin=margins.CLAN,
    measured=_worth_by_age,
    source=_sums_of(GIVES_UP_BY_AGE),
)
"""What those who gave a clan up in one age only win less than a fair share."""
