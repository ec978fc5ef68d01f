"""Numbers and sums from given block values, so that their intervals are known."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from inside.experiments.evidence import Given
from inside.experiments.statistics import of_blocks

from ethnos_sim.experiments import Estimate, Estimates
from ethnos_sim.reports import InterventionSums


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


def estimate_of(name: str, value: float, half: float, **known: Any) -> Estimate:
    """An estimate of a clan's power with the half-width of its interval."""
    usual = {"definition": "relative_power", "unit": "share_difference", "population": "learned"}
    usual |= {"low": value - half, "high": value + half, "standard_error": half / 2}
    return Estimate(name=name, value=value, **{**usual, "games": 1000, "blocks": 32, **known})


def one_seat_sums(
    clans: tuple[str, ...],
    players: int,
    games: np.ndarray,
    won: np.ndarray,
    tables: tuple[Given, ...] | None = None,
) -> InterventionSums:
    """Sums of games with one restricted seat; both arrays have the shape (BLOCKS, tables).

    `won` is in sixtieths. Without `tables` there is one table for each clan.
    """
    wins = np.zeros((*won.shape, players), np.int64)
    wins[..., 0] = won
    of_clans = tuple((clans, (clan,)) for clan in clans)
    return InterventionSums(clans, players, {"games": games, "won": wins}, tables or of_clans)
