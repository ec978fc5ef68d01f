"""Clans whose worth among any others is known: sums of restricted play drawn from the model."""

from __future__ import annotations

import numpy as np
from inside.reports.evidence import Given

from ethnos_sim.experiments import BLOCKS, balanced_sample
from ethnos_sim.reports import InterventionSums
from ethnos_sim.simulator import load_rules

CLANS = tuple(clan for clan in load_rules("second").clans if clan != "dog")
PLAYERS = 4


class Truth:
    """Worths by clan and set; `interaction` and `leftover` are the spreads of the model."""

    def __init__(self, seed: int, interaction: float = 0.02, leftover: float = 0.005) -> None:
        """Draw what every clan is worth in every set."""
        self._rng = np.random.default_rng(seed)
        self._mean = dict(zip(CLANS, self._rng.normal(0.08, 0.05, len(CLANS)), strict=True))
        self._effects = self._rng.normal(0, interaction, (len(CLANS), len(CLANS)))
        self._leftover, self._sets = leftover, dict[tuple[tuple[str, ...], str], float]()

    def worth(self, clans: tuple[str, ...], clan: str) -> float:
        """What a clan is worth in a set of clans."""
        key = tuple(sorted(clans)), clan
        if key not in self._sets:
            row = self._effects[CLANS.index(clan)]
            others = sum(row[CLANS.index(other)] for other in clans if other != clan)
            self._sets[key] = self._mean[clan] + others + self._rng.normal(0, self._leftover)
        return self._sets[key]

    def played(self, sets: int, games: int, size: int = 6) -> InterventionSums:
        """Restricted play in so many sets, so many games of each clan."""
        chosen = [tuple(sorted(clans)) for clans in balanced_sample(CLANS, size, sets, 1)]
        into_blocks = np.random.default_rng(1)
        tables = tuple((clans, (clan,)) for clans in chosen for clan in clans)
        lost, won = (np.zeros((BLOCKS, len(tables)), np.int64) for _ in range(2))
        for place, (clans, (clan,)) in enumerate(tables):
            share = min(1.0, max(0.0, 1 / PLAYERS - self.worth(clans, clan)))
            wins = int(self._rng.binomial(games, share))
            for array, count in ((lost, games - wins), (won, wins)):
                array[:, place] = into_blocks.multinomial(count, [1 / BLOCKS] * BLOCKS)
        return one_seat_sums(CLANS, PLAYERS, lost + won, 60 * won, tables)


def one_seat_sums(
    clans: tuple[str, ...],
    players: int,
    games: np.ndarray,
    won: np.ndarray,
    tables: tuple[Given, ...] | None = None,
) -> InterventionSums:
    """Games in which one seat is told of a clan; both arrays (BLOCKS, tables), won in sixtieths.

    Without `tables` there is one for each clan.
    """
    wins = np.zeros((*won.shape, players), np.int64)
    wins[..., 0] = won
    of_clans = tuple((clans, (clan,)) for clan in clans)
    return InterventionSums(clans, players, {"games": games, "won": wins}, tables or of_clans)
