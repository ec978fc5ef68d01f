"""A check whose true answer is known: a report whose games fail it cannot be trusted.

If all seats play one strategy, every place in the line-up wins equally often.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ethnos_sim.experiments.evidence.evidence import is_one_strategy
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.significance import holm
from ethnos_sim.reports.estimators.estimand import Estimand, games_of
from ethnos_sim.reports.estimators.win_shares import shares_of_wins

FALSE_ALARMS = 0.001
"""The probability that a sound report fails its check anywhere (Holm over all places)."""

SAME_STRATEGY_NULL = Estimand(
    name="same_strategy_null",
    unit="share_difference",
    measured=shares_of_wins("entry_won", lambda count: [f"place {k + 1}" for k in range(count)]),
    source=games_of(is_one_strategy),
)
"""Share of wins by place in a line-up of one strategy, less 1 / players; it should be 0."""


def adjusted_p(nulls: Sequence[Estimates]) -> FloatArray:
    """Two-sided p-values of numbers that ought to be 0, adjusted by Holm over all of them.

    NaN where too few games were played.
    """
    adjusted = holm(np.concatenate([null.p_values() for null in nulls]))
    return np.where(np.concatenate([null.trusted for null in nulls]), adjusted, np.nan)
