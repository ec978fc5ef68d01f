"""Numbers and sums from given block values, so that their intervals are known."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from inside.experiments import Estimate, Estimates
from inside.experiments.statistics import from_pseudo_values


def numbers_of(
    blocks: np.ndarray,
    names: Sequence[str] = (),
    *,
    estimand: str = "win_lift",
    unit: str = "fair_shares",
    games: int = 10_000,
    leverage: float | np.ndarray | None = None,
) -> Estimates:
    """Rows that are means over blocks, shape (blocks, rows); blocks have equal sizes by default."""
    count, rows = blocks.shape
    sizes = np.broadcast_to(count - 1.0 if leverage is None else leverage, count)
    return from_pseudo_values(
        blocks.mean(axis=0),
        blocks,
        sizes[:, None],
        unit=unit,
        games=games,
        estimand=estimand,
        population="toy in all seats",
        aspect="",
        players=4,
        name=list(names) or [f"clan {number}" for number in range(rows)],
    )


def estimate_of(name: str, value: float, half: float, **known: Any) -> Estimate:
    """An estimate of a clan's worth among four players, with its interval's half-width."""
    usual = {"estimand": "worth", "unit": "share_difference", "population": "learned"}
    usual |= {"labels": {"players": 4}}
    usual |= {"low": value - half, "high": value + half, "standard_error": half / 2}
    return Estimate(name=name, value=value, **{**usual, "games": 1000, "blocks": 32, **known})
