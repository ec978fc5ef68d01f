"""A clan's worth: a seat's loss if it may not lead the clan, or its gain if it always does.

Restricted play is after Jaffe et al. 2012, "Evaluating competitive game balance with restricted
play", AIIDE. Where different strategies meet, each is restricted in turn, so that the mean over
them would be exactly 1/n if the clan had no power. A seat loses wins by giving up nearly any
clan, so clans are compared with the average clan and with the null clan (`designs.null_clan`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.designs.interventions import FORCED, RESTRICTED, in_age
from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.evidence.intervention_sums import (
    BOTH,
    EVERY_SEAT,
    InterventionSums,
)
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import together, weighted_sum
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand, Source

NULL_CLAN_NAME = "null clan"


def _of_one_seat(
    effect: Callable[[FloatArray, float], FloatArray],
) -> Callable[[Estimand, InterventionSums, str], Estimates]:
    """Apply `effect` to the restricted seat's winning chance and a fair share, for every clan.

    Clans without restricted games get NaN.
    """

    def measured(estimand: Estimand, sums: InterventionSums, population: str) -> Estimates:
        chance = sums.chance_together if estimand is RESTRICTED_TOGETHER else sums.chance
        losses = chance.through(lambda share: effect(share, 1 / sums.players))
        design = EVERY_SEAT if estimand is RESTRICTED_TOGETHER else sums.design
        about = {
            "estimand": estimand.name,
            "population": population,
            "aspect": "",
            "design": design,
        }
        return losses.in_unit(estimand.unit).labelled(**about)

    return measured


_lost = _of_one_seat(lambda share, fair: fair - share)


def _null_lost(estimand: Estimand, sums: InterventionSums, population: str) -> Estimates:
    measured = _lost(estimand, sums, population)
    (place,) = np.flatnonzero(measured.games)
    return measured.at([place]).labelled(name=NULL_CLAN_NAME, aspect=NULL_CLAN_NAME)


def relative_power(restricted: Estimates) -> Estimates:
    """Each clan's restricted play less the mean over all clans with restricted games."""
    return restricted.contrasts().labelled(estimand=RELATIVE_POWER.name)


def null_power(null: Estimates, restricted: Estimates) -> Estimates:
    """The null clan's power relative to the average clan: the zero point of the clans' power.

    Raises:
        ValueError: `null` and `restricted` did not play the same deals equally often.
    """
    asked = np.isfinite(restricted.value)

    def mean(losses: FloatArray) -> FloatArray:
        return np.asarray(losses[..., asked].mean(axis=-1, keepdims=True))

    difference = weighted_sum([(1, null), (-1, restricted.reduced(mean))])
    return replace(
        difference, games=null.games, all_games=null.all_games, events=null.events
    ).labelled(estimand=RELATIVE_POWER.name)


def _where_played(kind: str, *, one: bool = False, several: bool = False) -> Source:
    """The sums of an intervention.

    Args:
        kind: the kind of intervention.
        one: whether games with one restricted seat are needed; without them the sums are None.
        several: whether games with several restricted seats are needed, in the same way.
    """

    def source(evidence: Evidence, situation: Situation) -> InterventionSums | None:
        sums = evidence.interventions.get((situation, kind))
        if sums is None or (one and not sums.one_restricted.tables):
            return None
        return None if several and not sums.several_restricted.tables else sums

    return source


def _powers(evidence: Evidence, situation: Situation) -> Estimates | None:
    """The power of every clan and of the null clan, if seats were restricted."""
    powers = []
    for restricted in restricted_play(evidence, situation):
        powers.append(relative_power(restricted))
        with suppress(ValueError):  # In a partial sweep they may have played different deals.
            for null in NULL_CLAN.found(evidence, situation):
                powers.append(null_power(null, restricted))
    return together(powers) if powers else None


def _powers_by_age(evidence: Evidence, situation: Situation) -> Estimates | None:
    """The power of every clan by age, for each age with games that restrict a seat only then."""
    ages = range(1, evidence.rules(situation.setting).ages(situation.players) + 1)
    powers = []
    for age in ages:
        sums = evidence.interventions.get((situation, in_age(RESTRICTED, age)))
        if sums is not None:
            power = relative_power(RESTRICTED_PLAY.of(sums, situation.population))
            powers.append(power.labelled(estimand=POWER_BY_AGE.name, aspect=f"age {age}"))
    return together(powers) if powers else None


def restricted_play(evidence: Evidence, situation: Situation) -> list[Estimates]:
    """The estimates of restricted play; an empty list if no such games were played.

    They come from the games in which one seat is restricted. Without such games, they come from
    the games in which several seats are restricted, by Luce's choice model.
    """
    alone = RESTRICTED_PLAY.found(evidence, situation)
    return [*alone] or [*RESTRICTED_TOGETHER.found(evidence, situation)]


def _gap(estimand: Estimand, sums: InterventionSums, population: str) -> Estimates:
    about = {"estimand": estimand.name, "population": population, "aspect": "", "design": BOTH}
    return sums.gap.through(np.negative).in_unit(estimand.unit).labelled(**about)


RESTRICTED_PLAY = Estimand(
    name="restricted_play",
    unit="share_difference",
    label="{clan}: restricted play",
    margin=margins.CLAN.size,
    family="clans",
    measured=_lost,
    source=_where_played(RESTRICTED, one=True),
)

RESTRICTED_TOGETHER = Estimand(
    name="restricted_together",
    unit="share_difference",
    label="{clan}: restricted play, every seat",
    measured=_lost,
    source=_where_played(RESTRICTED, several=True),
)
"""Restricted play as it would be if Luce's choice held among seats that all give up a clan."""

DESIGN_GAP = Estimand(
    name="design_gap",
    unit="share_difference",
    label="{clan}: restricted play of one seat less that of every seat",
    measured=_gap,
    source=_where_played(RESTRICTED, one=True, several=True),
)
"""The error of Luce's choice for a clan; 0 if it holds."""

FORCED_PLAY = Estimand(
    name="forced_play",
    unit="share_difference",
    label="{clan}: forced play",
    margin=margins.CLAN.size,
    family="clans",
    measured=_of_one_seat(lambda share, fair: share - fair),
    source=_where_played(FORCED, one=True),
)

NULL_CLAN = Estimand(
    name="null_clan",
    unit="share_difference",
    label="{clan}: restricted play",
    measured=_null_lost,
    source=lambda evidence, situation: evidence.null_clan.get(situation),
)

RELATIVE_POWER = Estimand(
    name="relative_power",
    unit="share_difference",
    label="{clan}: power",
    margin=margins.CLAN.size,
    measured=lambda estimand, power, population: power,
    source=_powers,
)

POWER_BY_AGE = Estimand(
    name="power_by_age",
    unit="share_difference",
    label="{clan}: power in one age",
    margin=margins.CLAN.size,
    measured=lambda estimand, power, population: power,
    source=_powers_by_age,
)
"""The cost of giving up a clan in one age only, less the average clan's cost in that age."""
