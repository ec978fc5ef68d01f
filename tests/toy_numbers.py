"""Numbers whose pseudo-values are given, so that their intervals are those of a mean of blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from inside.experiments.statistics import of_blocks

from ethnos_sim.experiments import Estimates


def numbers_of(
    blocks: np.ndarray,
    names: Sequence[str] = (),
    *,
    estimand: str = "win_lift",
    unit: str = "fair_shares",
    games: int = 10_000,
    leverage: float | np.ndarray | None = None,
) -> Estimates:
    """Rows that are means over blocks, shape (blocks, rows); all blocks are as large by default."""
    count, rows = blocks.shape
    sizes = np.broadcast_to(count - 1.0 if leverage is None else leverage, count)
    return of_blocks(
        blocks.mean(axis=0),
        blocks,
        sizes[:, None],
        unit=unit,
        games=games,
        estimand=estimand,
        population="toy in all seats",
        aspect="",
        name=list(names) or [f"clan {number}" for number in range(rows)],
    )
