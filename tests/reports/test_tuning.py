"""What tuned parameters are worth: shares and a gain from the same deals."""

from __future__ import annotations

import numpy as np
import pytest

from ethnos_sim.reports.rating.shares import tuning_result


def test_a_gain_is_measured_deal_by_deal() -> None:
    rng = np.random.default_rng(1)
    luck = rng.random(500)
    first = (luck < 0.25).astype(float)
    tuned = (luck < 0.30).astype(float)
    result = tuning_result(tuned, first, players=4)
    assert result.games == 2000
    assert result.gain.value == pytest.approx(result.tuned.value - result.first.value)
    assert result.gain.low > 0
    width = result.gain.high - result.gain.low
    assert width < 0.6 * (result.tuned.high - result.tuned.low), "the deals' luck cancels"


def test_the_same_parameters_gain_exactly_nothing() -> None:
    shares = np.random.default_rng(2).random(50)
    gain = tuning_result(shares, shares, players=4).gain
    assert (gain.value, gain.low, gain.high) == (0, 0, 0)
