"""How large an effect is: the bands that a reader meets before any p value.

An estimand names its bands in its own file (`ethnos_sim.reports.estimators`); here stands what
several share.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bands:
    """Three limits, rising, in the unit of the estimand: where an effect becomes more than none."""

    minor: float
    notable: float
    strong: float


POWER = Bands(minor=0.005, notable=0.015, strong=0.03)
"""For differences of winning chances, as shares: power, seat edges, strategies against 1/n."""
