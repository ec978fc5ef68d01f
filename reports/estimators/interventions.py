"""What a clan is worth: what a seat loses that may not lead it, or wins that always does.

Restricted play: one seat may not lead the clan, the others may, on the same deals, the seat
rotated; power = 1/n − its winning chance (after Jaffe et al. 2012, "Evaluating competitive game
balance with restricted play", AIIDE). Where different strategies meet, each of them is restricted
in turn, so that without the clan's power the mean over them is 1/n exactly.

Whoever may not lead one clan of six has fewer ways to play, so nearly every clan costs something to
lose. Which clans are strong shows against the average clan (`relative_power`), and what a clan is
worth by its power against the null clan, restricted play of a clan whose power does nothing, in
rules that leave one clan nothing (`experiments.designs.null_clan`).

In points restricted play ends at 1/n: a seat that never wins without a clan has lost its whole fair
share. Log-odds go on: from a chance of 2 % to one of 1 % they halve, as from 50 % to 33 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.designs.interventions import FORCED, RESTRICTED
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import weighted_sum
from ethnos_sim.reports.estimators.estimand import POWER, Estimand, Finder
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums

NULL_CLAN_NAME = "null clan"


def measure_restricted_play(sums: InterventionSums, population: str) -> Estimates:
    """Restricted play of every clan; not a number for clans that were not asked about."""
    return _measured(RESTRICTED_PLAY, _lost, sums, population)


def measure_forced_play(sums: InterventionSums, population: str) -> Estimates:
    """Forced play of every clan."""
    return _measured(FORCED_PLAY, lambda share, fair: share - fair, sums, population)


def measure_restricted_log_odds(sums: InterventionSums, population: str) -> Estimates:
    """The log-odds that every clan costs; not a number where a restricted seat never won."""

    def cost(share: FloatArray, fair: float) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.log(fair / (1 - fair)) - np.log(share / (1 - share))
        return np.where(np.isfinite(found), found, np.nan)

    return _measured(RESTRICTED_LOG_ODDS, cost, sums, population)


def measure_null_clan(sums: InterventionSums, population: str) -> Estimates:
    """Restricted play of the null clan."""
    measured = _measured(NULL_CLAN, _lost, sums, population)
    (place,) = np.flatnonzero(measured.games)
    return measured.at([place]).labelled(name=NULL_CLAN_NAME)


def relative_power(restricted: Estimates) -> Estimates:
    """Each clan's restricted play less the mean over the clans that were asked about."""
    return restricted.contrasts().labelled(estimand=RELATIVE_POWER.name)


def null_power(null: Estimates, restricted: Estimates) -> Estimates:
    """The null clan against the average clan: where "worth nothing" stands among the clans' power.

    Raises:
        ValueError: the two did not play the same deals equally often.
    """
    asked = np.isfinite(restricted.value)

    def mean(losses: FloatArray) -> FloatArray:
        return np.asarray(losses[..., asked].mean(axis=-1, keepdims=True))

    difference = weighted_sum([(1, null), (-1, restricted.reduced(mean))])
    return replace(difference, games=null.games, events=null.events).labelled(
        estimand=RELATIVE_POWER.name
    )


def _lost(share: FloatArray, fair: float) -> FloatArray:
    """What a winning chance is below a fair share."""
    return fair - share


def _measured(
    estimand: Estimand,
    effect: Callable[[FloatArray, float], FloatArray],
    sums: InterventionSums,
    population: str,
) -> Estimates:
    """What the one seat's winning chance says of every clan: `effect` of it and a fair share."""
    measured = sums.chance.through(lambda share: effect(share, 1 / sums.players))
    about = {"estimand": estimand.name, "population": population, "aspect": ""}
    return measured.in_unit(estimand.unit).labelled(**about)


def _where_played(kind: str, measured: Callable[[InterventionSums, str], Estimates]) -> Finder:
    """What is measured where line-ups with one seat restricted or forced were played."""

    def found(evidence: Evidence, situation: Situation) -> Iterable[Estimates]:
        sums = evidence.interventions.get((situation, kind))
        return () if sums is None else (measured(sums, situation.population),)

    return found


def _null_clan(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What the null clan costs not to lead, where it was played."""
    if situation in evidence.null_clan:
        yield measure_null_clan(evidence.null_clan[situation], situation.population)


def _relative_power(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """The power of every clan where one seat was restricted, and of the null clan."""
    sums = evidence.interventions.get((situation, RESTRICTED))
    if sums is None:
        return
    restricted = measure_restricted_play(sums, situation.population)
    yield relative_power(restricted)
    with suppress(ValueError):  # A partial sweep: the two hold different deals.
        for null in _null_clan(evidence, situation):
            yield null_power(null, restricted)


RESTRICTED_PLAY = Estimand(
    name="restricted_play",
    unit="share_difference",
    label="{clan}: restricted play",
    margin=POWER.minor,
    bands=POWER,
    family="clans",
    found=_where_played(RESTRICTED, measure_restricted_play),
)

FORCED_PLAY = Estimand(
    name="forced_play",
    unit="share_difference",
    label="{clan}: forced play",
    margin=POWER.minor,
    bands=POWER,
    family="clans",
    found=_where_played(FORCED, measure_forced_play),
)

RESTRICTED_LOG_ODDS = Estimand(
    name="restricted_log_odds",
    unit="log_odds",
    label="{clan}: restricted play, log-odds",
    found=_where_played(RESTRICTED, measure_restricted_log_odds),
)

NULL_CLAN = Estimand(
    name="null_clan",
    unit="share_difference",
    label="{clan}: restricted play",
    bands=POWER,
    found=_null_clan,
)

RELATIVE_POWER = Estimand(
    name="relative_power",
    unit="share_difference",
    label="{clan}: power",
    bands=POWER,
    found=_relative_power,
)
