"""Which differences are significant: among many, and between pairs of rows.

Not being significantly different is not transitive: A and C may differ where neither differs from
B. So groups of rows overlap, and each row carries the letters of all its groups.
"""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray

ALPHA = 0.05
"""The level of Holm's tests for a difference."""


def holm(p_values: FloatArray, family: int | None = None) -> FloatArray:
    """Adjusted p values that control the chance of any false alarm in the family.

    Holm (1979), Scandinavian Journal of Statistics 6: 65-70: the i-th smallest of m is multiplied
    by m - i + 1, made monotone and cut at 1. Returns them in the order given. A larger `family`
    counts further tests with p = 1.
    """
    order = np.argsort(p_values, kind="stable")
    factors = (family or len(p_values)) - np.arange(len(p_values))
    adjusted = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    result = np.empty_like(adjusted)
    result[order] = adjusted
    return result


def significant_pairs(values: Estimates) -> npt.NDArray[np.bool_]:
    """Which pairs of rows differ significantly, by Holm over all pairs; shape (rows, rows)."""
    apart = np.zeros((len(values), len(values)), dtype=np.bool_)
    apart[np.triu_indices(len(values), 1)] = holm(values.pairwise().p_values()) < ALPHA
    return apart | apart.T


def letters(apart: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    """The compact letter display: two items share a letter exactly when they do not differ.

    Piepho (2004), Journal of Computational and Graphical Statistics 13: 456-466, by insertion and
    absorption: start with one column that holds all items; for each pair that differs, split every
    column that holds both; drop columns contained in others.

    Args:
        apart: which pairs differ, symmetric (k, k); the order of the items decides which group is
            "a".

    Returns:
        The letters of each item, as in ("a", "ab", "b").
    """
    count = len(apart)
    columns = [frozenset(range(count))]
    for i, j in zip(*np.nonzero(np.triu(apart, 1)), strict=True):
        split: list[frozenset[int]] = []
        for column in columns:
            both = i in column and j in column
            split += [column - {int(i)}, column - {int(j)}] if both else [column]
        unique = list(dict.fromkeys(split))
        columns = [c for c in unique if not any(c < other for other in unique)]
    columns.sort(key=sorted)
    names = [_letter(number) for number in range(len(columns))]
    return tuple(
        "".join(name for name, column in zip(names, columns, strict=True) if item in column)
        for item in range(count)
    )


def _letter(number: int) -> str:
    turn, position = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[position] + (str(turn + 1) if turn else "")
