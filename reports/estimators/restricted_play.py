"""Restricted play: what a seat loses that may not lead a clan, everything else equal.

One seat may not lead the clan, the others may, on the same deals, the seat rotated; power = 1/n −
its winning chance (after Jaffe et al. 2012, "Evaluating competitive game balance with restricted
play", AIIDE). Where different strategies meet, each of them is restricted in turn, so that without
the clan's power the mean over them is 1/n exactly.

A seat that may not lead one clan of six loses something whichever clan it is, so every clan has
power; which clans are strong shows against the average clan: `relative_power`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand, Finder
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums


def measure_restricted_play(sums: InterventionSums, population: str) -> Estimates:
    """Restricted play of every clan; not a number for clans that were not asked about."""
    return measure_intervention(RESTRICTED_PLAY, lost, sums, population)


def lost(share: FloatArray, fair: float) -> FloatArray:
    """What a winning chance is below a fair share."""
    return fair - share


def measure_intervention(
    estimand: Estimand,
    effect: Callable[[FloatArray, float], FloatArray],
    sums: InterventionSums,
    population: str,
) -> Estimates:
    """What the one seat's winning chance says of every clan.

    Args:
        estimand: what is measured.
        effect: of the seat's winning chances and a fair share.
        sums: what was played.
        population: what a reader may call those who played.
    """
    measured = sums.chance.through(lambda share: effect(share, 1 / sums.players))
    about = {"estimand": estimand.name, "population": population, "aspect": ""}
    return measured.in_unit(estimand.unit).labelled(**about)


def of_intervention(kind: str, measured: Callable[[InterventionSums, str], Estimates]) -> Finder:
    """What is measured where line-ups with one seat restricted or forced were played."""

    def found(evidence: Evidence, situation: Situation) -> Iterable[Estimates]:
        sums = evidence.interventions.get((situation, kind))
        return () if sums is None else (measured(sums, situation.population),)

    return found


RESTRICTED_PLAY = Estimand(
    name="restricted_play",
    title="Restricted play",
    meaning="What a player loses who may not lead the clan while all others may: a fair share less "
    "that seat's winning chance. The restricted seat is rotated, and each strategy of the line-up "
    "is restricted in turn.",
    formula="1/n − sum of w of the restricted seat / games with the clan in play",
    unit="share_difference",
    label="{clan}: restricted play",
    margin=POWER.minor,
    bands=POWER,
    family="clans",
    found=of_intervention(RESTRICTED, measure_restricted_play),
)
