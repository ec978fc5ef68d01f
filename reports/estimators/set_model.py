"""Least squares on clan sets: what single clans and pairs of clans add to an outcome of a set.

The outcome of a set S is modeled as

    constant + sum of a(X) over the clans X in S + sum of b(X, Y) over the pairs in S,

with sum-to-zero contrasts: the a(X) of all clans add up to 0, and so do the b(X, Y) of each clan X
over all Y. So a(X) is what a set gains with X in place of the average clan, and b(X, Y) what both
do together beyond what each does apart. For sets of k of m clans that are 1 + (m − 1) + m (m − 3)/2
parameters, 66 for twelve clans; in a design such as the hexads the three parts are orthogonal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.statistics.estimates import FloatArray

SETS_A_PARAMETER = 1.5
"""How many sets a model asks for: with fewer, effects hang on single sets."""

ClanPair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class SetModel:
    """What is estimated from a list of clan sets, which has the information for it.

    Attributes:
        sets: the clan sets; the rows of `matrix`.
        clans: the clans that are in some of the sets and missing in others, sorted.
        pairs: the pairs of these clans; none in a model of single clans.
        matrix: shape (sets, parameters).
        to_effects: maps parameters to the constant, clans and pairs:
            shape (parameters, 1 + clans + pairs).
    """

    sets: tuple[ClanSet, ...]
    clans: tuple[str, ...]
    pairs: tuple[ClanPair, ...]
    matrix: FloatArray
    to_effects: FloatArray

    @cached_property
    def _products(self) -> FloatArray:
        """The products of every two columns of the matrix: (sets, parameters (parameters + 1) / 2).

        With them the information of all leave-one-out fits is one product of large matrices, which
        is many times faster than a product of small ones for each.
        """
        one, two = np.tril_indices(self.matrix.shape[1])
        return np.asarray(self.matrix[:, one] * self.matrix[:, two])

    def _information(self, weights: FloatArray) -> FloatArray:
        """The matrix of the normal equations, shape (..., parameters, parameters)."""
        size = self.matrix.shape[1]
        places = np.zeros((size, size), np.intp)
        places[np.tril_indices(size)] = np.arange(size * (size + 1) // 2)
        places = np.maximum(places, places.T)
        return np.asarray((weights @ self._products)[..., places])

    def effects(self, values: FloatArray, weights: FloatArray) -> FloatArray:
        """The constant, the a of every clan and the b of every pair, by weighted least squares.

        Args:
            values: outcomes of each set, shape (..., outcomes, sets).
            weights: what each set weighs in all of them, not negative, shape (..., sets).

        Returns:
            Shape (..., outcomes, 1 + clans + pairs).
        """
        moments = (weights[..., None, :] * values) @ self.matrix
        solved = np.linalg.solve(self._information(weights), np.swapaxes(moments, -1, -2))
        return np.asarray(np.swapaxes(solved, -1, -2) @ self.to_effects)


@lru_cache(maxsize=8)
def set_model(sets: tuple[ClanSet, ...], *, pairs: bool) -> SetModel | None:
    """The model of single clans, or with pairs; None where the sets cannot tell its effects apart.

    That takes SETS_A_PARAMETER sets for each parameter, and a matrix of full rank.
    """
    clans = _varying(sets)
    if len(clans) < 2:
        return None
    present = np.asarray([[clan in clans_of for clan in clans] for clans_of in sets], np.float64)
    of_clans = _sum_to_zero(np.ones((1, len(clans))))
    columns = [np.ones((len(sets), 1)), present @ of_clans]
    parts = [np.ones((1, 1)), of_clans.T]
    both = tuple(combinations(range(len(clans)), 2)) if pairs else ()
    if both:
        meets = np.zeros((len(clans), len(both)))
        for number, pair in enumerate(both):
            meets[list(pair), number] = 1
        of_pairs = _sum_to_zero(meets)
        together = np.stack([present[:, i] * present[:, j] for i, j in both], axis=1)
        columns.append(together @ of_pairs)
        parts.append(of_pairs.T)
    matrix = np.concatenate(columns, axis=1)
    enough = len(sets) >= SETS_A_PARAMETER * matrix.shape[1]
    if not enough or np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        return None
    names = tuple((clans[i], clans[j]) for i, j in both)
    return SetModel(sets, clans, names, matrix, _diagonal(parts))


def _varying(sets: Sequence[ClanSet]) -> tuple[str, ...]:
    """The clans that are in some sets and missing in others."""
    found = sorted({clan for clans in sets for clan in clans})
    return tuple(clan for clan in found if not all(clan in clans for clans in sets))


def _sum_to_zero(constraints: FloatArray) -> FloatArray:
    """An orthonormal basis of what fulfills constraints @ x = 0: shape (unknowns, free ones)."""
    _, sizes, rows = np.linalg.svd(constraints)
    rank = int((sizes > 1e-9).sum())
    return np.asarray(rows[rank:].T)


def _diagonal(parts: Sequence[FloatArray]) -> FloatArray:
    """Matrices along the diagonal of one."""
    ends = np.cumsum([part.shape for part in parts], axis=0)
    found = np.zeros(ends[-1])
    for part, end in zip(parts, ends, strict=True):
        first = end - part.shape
        found[first[0] : end[0], first[1] : end[1]] = part
    return found
