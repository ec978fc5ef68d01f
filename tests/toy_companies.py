"""Clans whose worth in every company is known: sums of restricted play drawn from the model."""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.designs.clan_sets import balanced_sample
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums
from ethnos_sim.simulator.rules import load_rules

CLANS = tuple(clan for clan in load_rules("second").clans if clan != "dog")
PLAYERS = 4


class Truth:
    """Worths by clan and company; `company` and `leftover` are the spreads of the model."""

    def __init__(self, seed: int, company: float = 0.02, leftover: float = 0.005) -> None:
        """Draw what every clan is worth in every company."""
        self._rng = np.random.default_rng(seed)
        self._mean = dict(zip(CLANS, self._rng.normal(0.08, 0.05, len(CLANS)), strict=True))
        self._effects = self._rng.normal(0, company, (len(CLANS), len(CLANS)))
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
        by_set = {}
        of_blocks = np.zeros((2, BLOCKS, len(CLANS)), np.int64)
        into_blocks = np.random.default_rng(1)
        for clans in balanced_sample(CLANS, size, sets, 1):
            chosen = tuple(sorted(clans))
            wins = np.zeros(size, np.int64)
            for place, clan in enumerate(chosen):
                share = min(1.0, max(0.0, 1 / PLAYERS - self.worth(chosen, clan)))
                wins[place] = self._rng.binomial(games, share)
                for row, count in enumerate((games - wins[place], wins[place])):
                    of_blocks[row, :, CLANS.index(clan)] += into_blocks.multinomial(
                        count, [1 / BLOCKS] * BLOCKS
                    )
            by_set[chosen] = one_seat_arrays(np.full(size, games), 60 * wins)
        lost, won = of_blocks
        return InterventionSums(CLANS, PLAYERS, one_seat_arrays(lost + won, 60 * won), by_set)


def one_seat_arrays(games: np.ndarray, won: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays of games in which one seat is restricted, both (..., clans), won in sixtieths."""
    together = games[..., None] * np.eye(games.shape[-1], dtype=np.int64)
    return {"played": games.sum(axis=-1), "won": won, "together": together}
