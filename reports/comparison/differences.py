"""The difference of two measures of the same names: paired where both played the same deals.

Two sides that share the luck of their deals share the blocks of deals too, so the pseudo-values of
both are subtracted block by block and what luck they share cancels. Without that the variances add.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.jackknife import CONFIDENCE, FloatArray, Jackknife
from ethnos_sim.experiments.statistics.measure import Measure


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """The second side less the first, for a row of names.

    Attributes:
        definition: key of the estimand.
        unit: key of the unit of both sides.
        names: what each entry is about, as the first side calls it.
        population: the strategies that played.
        first: the first side's values.
        second: the second side's values.
        value: second less first.
        standard_error: of `value`; not a number where either side has too few blocks or events.
        degrees: degrees of freedom of `standard_error`.
        variance_ratio: what the variance of the difference would be with deals of their own,
            divided by what it is; not a number where the deals were not shared.
        games: games of both sides behind each entry, shape (2, names).
        paired: whether the deals were shared.
    """

    definition: str
    unit: str
    names: tuple[str, ...]
    population: str
    first: FloatArray
    second: FloatArray
    value: FloatArray
    standard_error: FloatArray
    degrees: FloatArray
    variance_ratio: FloatArray
    games: np.ndarray
    paired: bool

    @property
    def trusted(self) -> np.ndarray:
        """Which entries have an interval."""
        return np.isfinite(self.standard_error)

    def interval(self) -> tuple[FloatArray, FloatArray]:
        """Both ends of the 95 % interval by Student's t; not a number where there is none."""
        from scipy.special import stdtrit

        reach = stdtrit(self.degrees, 1 - (1 - CONFIDENCE) / 2) * self.standard_error
        return self.value - reach, self.value + reach


def differences(
    first: Measure,
    second: Measure,
    *,
    same_deals: bool,
    renamed: Mapping[str, str] | None = None,
) -> Differences:
    """The second measure less the first, over the names that both have.

    Args:
        first: one side.
        second: the other, of the same definition and unit.
        same_deals: whether both sides dealt by the same seed; they are paired where their blocks
            hold equally many games too.
        renamed: what the second side calls a name of the first, where it differs (a clan with the
            same power in another edition).

    Raises:
        ValueError: the two do not measure the same.
    """
    if (first.definition, first.unit) != (second.definition, second.unit):
        raise ValueError(f"{first.definition} cannot be compared with {second.definition}")
    called = renamed or {}
    place = {name: index for index, name in enumerate(second.names)}
    pairs = [
        (index, place[other])
        for index, name in enumerate(first.names)
        if (other := called.get(name, name)) in place
    ]
    ours = np.asarray([index for index, _ in pairs], dtype=np.intp)
    theirs = np.asarray([index for _, index in pairs], dtype=np.intp)
    one, two = first.jackknife.of(ours), second.jackknife.of(theirs)
    paired = same_deals and np.array_equal(one.leverage, two.leverage)
    error, degrees, ratio = noise(one, two, paired=paired)
    trusted = first.trusted[ours] & second.trusted[theirs]
    return Differences(
        definition=first.definition,
        unit=first.unit,
        names=tuple(first.names[index] for index in ours),
        population=first.population,
        first=one.value,
        second=two.value,
        value=two.value - one.value,
        standard_error=np.where(trusted, error, np.nan),
        degrees=degrees,
        variance_ratio=np.where(trusted, ratio, np.nan),
        games=np.stack([np.asarray(first.games)[ours], np.asarray(second.games)[theirs]]),
        paired=paired,
    )


def noise(
    first: Jackknife, second: Jackknife, *, paired: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What is behind the second statistic less the first, in the shape of their values.

    Returns:
        The standard error, its degrees of freedom, and what the variance would be with deals of
        their own, divided by what it is: not a number where deals are not paired or nothing varied.
    """
    errors = first.standard_error, second.standard_error
    apart = errors[0] ** 2 + errors[1] ** 2
    if not paired:
        degrees = welch_degrees(*errors, first.blocks - 1, second.blocks - 1)
        return np.sqrt(apart), degrees, np.full_like(first.value, np.nan)
    error = Jackknife(
        second.value - first.value, second.pseudo - first.pseudo, first.leverage
    ).standard_error
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(error > 0, apart / error**2, np.nan)
    return error, np.full_like(first.value, first.blocks - 1.0), ratio


def welch_degrees(
    first: FloatArray,
    second: FloatArray,
    first_degrees: FloatArray | float,
    second_degrees: FloatArray | float,
) -> FloatArray:
    """Degrees of freedom for the difference of two independent numbers, from standard errors.

    Satterthwaite (1946), Biometrics Bulletin 2: 110-114; Welch (1947), Biometrika 34: 28-35. Where
    neither varied, the sum of both degrees stands.
    """
    below = first**4 / first_degrees + second**4 / second_degrees
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(
            below > 0,
            (first**2 + second**2) ** 2 / below,
            np.asarray(first_degrees, dtype=np.float64) + second_degrees,
        )
