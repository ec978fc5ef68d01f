"""Whether the clans are closer together on one side than on the other: the change of their spread.

The spread is the standard deviation over the clans without the noise, a root without a slope at 0.
Its change therefore takes its error from the change of the variance, which is a smooth function of
the sums and is paired block by block like any other difference: s2 - s1 = (v2 - v1) / (s1 + s2).
In simulations of twelve clans with spreads from 0 to 2 pp on either side, 95 % intervals covered in
94 to 99.9 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from ethnos_sim.experiments.statistics.estimates import CONFIDENCE, Estimates
from ethnos_sim.experiments.statistics.jackknife import with_bounds
from ethnos_sim.reports.comparison.ranks import best_about_clans
from ethnos_sim.reports.comparison.situations import Compared, tested
from ethnos_sim.reports.estimators.clan_spread import (
    CLAN_SPREAD,
    clan_variance,
    estimate_clan_spread,
)


def balance_change(
    first: Estimates,
    second: Estimates,
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
    one, two = ours.named(names[0]), theirs.named(names[1])
    before, after = estimate_clan_spread(one), estimate_clan_spread(two)
    if before is None or after is None:
        return None
    variances = clan_variance(one), clan_variance(two)
    change = variances[1].minus(variances[0], on=("estimand",), same_deals=same_deals)
    # Where chance explains both spreads, nothing is known of how small a change could be.
    both = (before.value or 0.0) + (after.value or 0.0)
    error = change.standard_error / both if both else np.full(1, np.nan)
    value = np.asarray([(after.value or 0.0) - (before.value or 0.0)])
    reach = stdtrit(change.degrees, (1 + CONFIDENCE) / 2) * error
    definition = ours.only("estimand")
    difference = replace(
        with_bounds(
            value, value - reach, value + reach, unit=ours.unit[0], games=before.games + after.games
        )
        .labelled(estimand=CLAN_SPREAD.name, name=definition, population=before.population)
        .estimates()[0],
        standard_error=float(error[0]) if both else None,
        blocks=before.blocks,
    )
    margin = CLAN_SPREAD.margin_of(definition)
    (p_value,), (inside,) = tested(value, error, change.degrees, np.asarray([margin]))
    apart = sum(each.standard_error[0] ** 2 for each in variances)
    paired = same_deals and change.added_error[0] == 0 and change.standard_error[0] > 0
    gain = float(apart / change.standard_error[0] ** 2) if paired else None
    return Compared(
        CLAN_SPREAD.name, definition, before, after, difference, margin, p_value, inside, gain
    )


def _measured(own: Estimates, other: Estimates, called: Mapping[str, str]) -> list[str]:
    """The clans with an interval, but for those that the other side has without one."""
    doubtful = {name for name, sure in zip(other.names, other.trusted, strict=True) if not sure}
    return [
        name
        for name, sure in zip(own.names, own.trusted, strict=True)
        if sure and called.get(name, name) not in doubtful
    ]
