"""Outlier sets: which decks play otherwise than their clans, one by one, let expect.

The largest of many noisy numbers is large by luck too, so the means of sets are shrunk before they
are ranked: toward what the model of single clans makes of each set, the more the noisier the set
is against how far sets truly are from that model (empirical Bayes; Efron & Morris 1975, Journal of
the American Statistical Association 70: 311-319; Morris 1983, ibid. 78: 47-55).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import (
    CONFIDENCE,
    Estimates,
    FloatArray,
    t_quantile,
)
from ethnos_sim.experiments.statistics.jackknife import BlockSums, jackknife
from ethnos_sim.reports.estimators.estimand import BY_BLOCKS, Estimand
from ethnos_sim.reports.estimators.presence import DeckOutcome, replayed_sets
from ethnos_sim.reports.estimators.set_model import set_model
from ethnos_sim.reports.evidence.clan_sets import SetSums

OUTLIER_SET = Estimand(
    name="outlier_set",
    title="Outlier set",
    meaning=(
        "A deck that plays otherwise than its clans let expect one by one: what is expected, what "
        "was found first, the best guess from both, and what fresh deals gave."
    ),
    formula=(
        "expected = constant + sum of a; best guess = expected + (first − expected) × variance "
        "between sets / (variance between sets + variance of the first estimate)"
    ),
    interval=f"{BY_BLOCKS}; of the best guess empirical Bayes, with the variance left to the set",
)

MOST = 4
"""How many outlier sets are listed."""

CLEAR = 2.0
"""How many of its own standard deviations a shrunken departure has to be from 0 to be listed."""


@dataclass(frozen=True, slots=True)
class OutlierSet:
    """A set that plays otherwise than expected.

    Attributes:
        outcome: in what.
        clans: the set.
        estimate: the set's own mean, from its games.
        expected: what the model of single clans makes of it.
        shrunken: the best guess before it is played again, between both; its interval is that of
            an empirical Bayes estimate.
    """

    outcome: DeckOutcome
    clans: ClanSet
    estimate: Estimate
    expected: Estimate
    shrunken: Estimate

    def shows_again(self, fresh: Estimate) -> bool:
        """Whether fresh games depart, significantly, from what is expected to the same side."""
        errors = fresh.standard_error, self.expected.standard_error
        if errors[0] is None or errors[1] is None:
            return False
        reach = t_quantile(1 - (1 - CONFIDENCE) / 2, min(fresh.blocks, self.expected.blocks) - 1)
        side = np.sign(_value(self.shrunken) - _value(self.expected))
        away = side * (_value(fresh) - _value(self.expected))
        return bool(away > reach * np.hypot(errors[0], errors[1]))


@dataclass(frozen=True, slots=True, eq=False)
class Departures:
    """How far the sets are from the model of single clans, in one outcome; arrays are (sets,).

    Attributes:
        outcome: in what.
        sets: the sets.
        expected: what the model makes of each, as a jackknifed statistic.
        departures: the sets' own means less that.
        shrunken: the departures shrunk toward 0.
        uncertainty: the standard deviation that is left to each shrunken departure.
        between: the standard deviation of true departures; 0 where noise explains them all.
    """

    outcome: DeckOutcome
    sets: tuple[ClanSet, ...]
    expected: Estimates
    departures: FloatArray
    shrunken: FloatArray
    uncertainty: FloatArray
    between: float


def departures(sums: SetSums, outcome: DeckOutcome) -> Departures | None:
    """The departures of all sets in one outcome; None where the sets cannot tell clans apart.

    The noise of a departure is known from the blocks of deals; what the departures' weighted
    squares exceed it by is the variance between sets (method of moments, as in DerSimonian & Laird
    1986, Controlled Clinical Trials 7: 177-188).
    """
    kept = replayed_sets(sums)
    model = set_model(kept.sets, pairs=False)
    if model is None:
        return None

    def statistic(blocks: BlockSums) -> FloatArray:
        values = outcome.values(blocks, kept.players)
        weights = np.asarray(outcome.count(blocks, kept.players), np.float64)
        fitted = model.fitted(values[..., None, :], weights)[..., 0, :]
        return np.concatenate([fitted, values - fitted], axis=-1)

    both = jackknife(
        statistic, kept.arrays, kept.sizes, unit=outcome.unit, games=int(kept.sizes.sum())
    )
    fitted, found = both.at(slice(len(kept.sets))), both.at(slice(len(kept.sets), None))
    totals = {name: array.sum(axis=0) for name, array in kept.arrays.items()}
    weights = np.asarray(outcome.count(totals, kept.players), np.float64)
    free = 1 - model.leverages(weights)
    noise = float((weights * found.standard_error**2).sum() / free.sum())
    squares = float((weights * found.value**2).sum())
    between = max(0.0, (squares - noise * free.sum()) / float((weights * free).sum()))
    with np.errstate(divide="ignore"):
        own = np.where(weights > 0, noise / weights, np.inf)
    kept_part = between / (between + own) if between else np.zeros(len(own))
    return Departures(
        outcome,
        kept.sets,
        fitted,
        found.value,
        kept_part * found.value,
        np.sqrt(between * (1 - kept_part)),
        float(np.sqrt(between)),
    )


def outlier_sets(
    sums: SetSums, outcomes: Sequence[DeckOutcome], population: str
) -> tuple[OutlierSet, ...]:
    """The set that departs most in each outcome, the MOST largest of these, no set twice.

    Departures are shrunken ones, clear of 0, and compared in the margins below which a difference
    of the outcome counts as none.
    """
    listed: dict[ClanSet, OutlierSet] = {}
    for size, sets in sorted(_by_size(sums, outcomes), key=lambda each: -each[0].max()):
        order = np.argsort(-size, kind="stable")
        fresh = [int(i) for i in order if size[i] > 0 and sets.sets[i] not in listed]
        if fresh and len(listed) < MOST:
            i, clans = fresh[0], sets.sets[fresh[0]]
            listed[clans] = _outlier(sums, sets, i, population)
    return tuple(listed.values())


def _by_size(
    sums: SetSums, outcomes: Sequence[DeckOutcome]
) -> Iterator[tuple[FloatArray, Departures]]:
    """The size of every set's departure in each outcome in which sets depart; 0 if not clear."""
    for outcome in outcomes:
        sets = departures(sums, outcome)
        if sets is not None and sets.between:
            size = np.abs(sets.shrunken)
            clear = size >= CLEAR * sets.uncertainty
            yield np.where(clear, size, 0.0) / outcome.margin, sets


def _outlier(sums: SetSums, sets: Departures, place: int, population: str) -> OutlierSet:
    """One set with its three numbers."""
    outcome, clans = sets.outcome, sets.sets[place]
    own = set_mean(sums, outcome, clans, population)
    value = float(sets.expected.value[place])
    error = float(sets.expected.standard_error[place])
    reach = t_quantile(1 - (1 - CONFIDENCE) / 2, int(sets.expected.blocks[place]) - 1)
    games = int(sums.sizes.sum())

    def around(center: float, spread: float) -> Estimate:
        """An estimate that rests on the games of all sets."""
        known = own.low is not None
        return replace(
            own,
            value=center,
            low=center - reach * spread if known else None,
            high=center + reach * spread if known else None,
            standard_error=spread if known else None,
            games=games,
        )

    left = float(np.hypot(error, sets.uncertainty[place]))
    return OutlierSet(
        outcome, clans, own, around(value, error), around(value + float(sets.shrunken[place]), left)
    )


def _value(estimate: Estimate) -> float:
    """A value that is there."""
    assert estimate.value is not None, "a set that was played has a mean"
    return estimate.value


def set_mean(sums: SetSums, outcome: DeckOutcome, clans: ClanSet, population: str) -> Estimate:
    """The outcome of one set from its own games."""
    (estimate,) = _measure_set(sums, outcome, clans, population).estimates()
    return estimate


def _measure_set(sums: SetSums, outcome: DeckOutcome, clans: ClanSet, population: str) -> Estimates:
    """The same before it is an estimate."""
    place = sums.sets.index(clans)
    arrays = {name: array[:, place : place + 1] for name, array in sums.arrays.items()}
    return OUTLIER_SET.measure(
        lambda blocks: outcome.values(blocks, sums.players),
        arrays,
        arrays["games"][:, 0],
        unit=outcome.unit,
        names=(" + ".join(clans),),
        population=population,
        games=int(arrays["games"].sum()),
    )
