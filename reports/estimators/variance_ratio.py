"""What sharing deals is worth: variances as they are against those with deals of their own."""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import ratio


def pairing_ratio(values: Estimates) -> float | None:
    """How much wider the variance of a difference between two clans would be on deals of its own.

    (variance of one + variance of the other) / variance of their difference, the median over all
    pairs of clans; above 1 the luck that both share cancels. None with fewer than two clans.
    """
    clans = np.flatnonzero(values.trusted)
    if len(clans) < 2:
        return None
    kept = values.at(clans)
    one, two = np.triu_indices(len(clans), 1)
    apart = kept.standard_error[one] ** 2 + kept.standard_error[two] ** 2
    ratios = ratio(apart, kept.pairwise().standard_error ** 2)
    known = ratios[np.isfinite(ratios)]
    return float(np.median(known)) if len(known) else None


def design_effect(shares: Estimates, fair: float) -> float | None:
    """Variance of win shares by blocks of deals against that of as many independent games.

    The mean over the places; above 1 the games of a deal are alike, below 1 they make up for each
    other, as rotated seats do. None without intervals.

    Args:
        shares: P(win) of every place less a fair share.
        fair: the fair share, 1 / players.
    """
    known = shares.trusted
    if not known.any():
        return None
    chance = np.clip(shares.value[known] + fair, 0, 1)
    independent = chance * (1 - chance) / np.asarray(shares.games)[known]
    return float(np.mean(ratio(shares.standard_error[known] ** 2, independent)))
