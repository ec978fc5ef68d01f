"""Which clans can be told apart: letters for groups within which no pair differs clearly.

Being told apart does not carry over (A from B and B from C may fail while A and C succeed), so
groups overlap and each clan carries the letters of all its groups.
"""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.estimates import Estimates


def told_apart(values: Estimates, alpha: float = 0.05) -> npt.NDArray[np.bool_]:
    """Which pairs of rows differ, by Holm over all pairs: (rows, rows)."""
    apart = np.zeros((len(values), len(values)), dtype=np.bool_)
    apart[np.triu_indices(len(values), 1)] = holm(values.pairwise().p_values()) < alpha
    return apart | apart.T


def letters(apart: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    """The compact letter display: two items share a letter exactly when they are not told apart.

    Piepho (2004), Journal of Computational and Graphical Statistics 13: 456-466, by insertion and
    absorption: start with one column that holds all; for each pair told apart split every column
    that holds both; drop columns contained in others.

    Args:
        apart: symmetric (k, k); the order of the items decides which group is "a".

    Returns:
        For each item its letters, as in ("a", "ab", "b").
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
