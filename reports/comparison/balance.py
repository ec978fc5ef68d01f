"""Whether the clans are closer together on one side than on the other: the change of their spread.

The spread is the standard deviation over the clans without the noise, a root without a slope at 0.
Its change therefore takes its error from the change of the variance, which is a smooth function of
the sums and is paired block by block like any other difference: s2 - s1 = (v2 - v1) / (s1 + s2).
In simulations of twelve clans with spreads from 0 to 2 pp on either side, 95 % intervals covered in
94 to 99.9 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import CONFIDENCE, FloatArray
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.comparison.differences import noise
from ethnos_sim.reports.comparison.ranks import best_about_clans
from ethnos_sim.reports.comparison.situations import Compared
from ethnos_sim.reports.comparison.words import words_of
from ethnos_sim.reports.estimators.clan_spread import (
    CLAN_SPREAD,
    clan_variance,
    estimate_clan_spread,
)


def balance_change(
    first: Iterable[Measure],
    second: Iterable[Measure],
    *,
    same_deals: bool,
    renamed: Mapping[str, str],
) -> Compared | None:
    """The spread of clan power on both sides and its change; of win lift where power is missing.

    A clan that cannot be measured on one of the sides counts on neither.

    Args:
        first: the headline numbers of one situation.
        second: those of another.
        same_deals: whether both dealt by the same seed.
        renamed: what the second side calls a clan of the first, where it differs.

    Returns:
        The spreads under the name of what spreads; None where either side has too few games.
    """
    common = best_about_clans(first, second)
    if common is None:
        return None
    ours, theirs = common
    names = (
        _measured(ours, theirs, renamed),
        _measured(theirs, ours, {other: name for name, other in renamed.items()}),
    )
    if min(map(len, names)) < 2:
        return None
    one, two = ours.of_names(names[0]), theirs.of_names(names[1])
    before, after = estimate_clan_spread(one), estimate_clan_spread(two)
    if before is None or after is None:
        return None
    variances = clan_variance(one), clan_variance(two)
    paired = same_deals and np.array_equal(variances[0].leverage, variances[1].leverage)
    error, degrees, ratio = noise(*variances, paired=paired)
    # Where chance explains both spreads, nothing is known of how small a change could be.
    both = (before.value or 0.0) + (after.value or 0.0)
    error = error / both if both else np.full_like(error, np.nan)
    difference = _difference(before, after, error, degrees, ours.unit)
    margin = CLAN_SPREAD.margin_of(ours.definition)
    value = np.asarray([difference.value])
    (word,) = words_of(value, error[None], degrees[None], np.asarray([margin]))
    known = float(ratio) if np.isfinite(ratio) else None
    return Compared(
        CLAN_SPREAD.name, ours.definition, before, after, difference, margin, word, known
    )


def _difference(
    first: Estimate, second: Estimate, error: FloatArray, degrees: FloatArray, unit: str
) -> Estimate:
    """The change of a spread with its interval."""
    from scipy.special import stdtrit

    value = (second.value or 0.0) - (first.value or 0.0)
    reach = float(stdtrit(degrees, (1 + CONFIDENCE) / 2) * error)
    sure = bool(np.isfinite(error))
    return replace(
        second,
        value=value,
        low=value - reach if sure else None,
        high=value + reach if sure else None,
        standard_error=float(error) if sure else None,
        games=first.games + second.games,
        unit=unit,
    )


def _measured(own: Measure, other: Measure, called: Mapping[str, str]) -> list[str]:
    """The clans with an interval, but for those that the other side has without one."""
    doubtful = {name for name, sure in zip(other.names, other.trusted, strict=True) if not sure}
    return [
        name
        for name, sure in zip(own.names, own.trusted, strict=True)
        if sure and called.get(name, name) not in doubtful
    ]
