"""Which differences are significant: against a margin, among many, and between pairs of rows.

`verdicts` decides for comparisons, the gate and the search for balance. It rests on tests against a
margin, which take arrays that broadcast together: differences, their standard errors, degrees of
freedom and margins. Where a standard error is 0 the number never varied, and the difference counts
as exact. Where a standard error is missing, nothing is significant and p is 1.

Not being significantly different is not transitive: A and C may differ where neither differs from
B. So groups of rows overlap, and each row carries the letters of all its groups.
"""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray

ALPHA = 0.05
"""The level of each one-sided test of equivalence, and of Holm's tests for a difference."""


CHANGED = "changed"
EQUIVALENT = "equivalent"
UNDECIDED = "undecided"
VERDICTS = (CHANGED, EQUIVALENT, UNDECIDED)


def verdicts(
    changes: Estimates,
    margin: npt.ArrayLike,
    *,
    limit: npt.ArrayLike = 0.0,
    alpha: float = ALPHA,
    level: float = ALPHA,
    family: int | None = None,
    tests: float = 1,
) -> tuple[npt.NDArray[np.str_], FloatArray]:
    """One of VERDICTS for each difference, and its adjusted p of "it is no larger than the limit".

    A difference may be significantly beyond its limit and significantly within its margin. It then
    counts as equivalent if the limit is 0, else as changed.

    Args:
        changes: the differences.
        margin: a difference within this margin counts as none.
        limit: a difference beyond this limit counts as a change.
        alpha: the level of equivalence.
        level: the chance that any difference within its limit is called changed (Holm).
        family: the number of differences for Holm; unless given, all that have an interval.
        tests: how often the same differences are tested (Bonferroni).
    """
    error = np.where(changes.trusted, changes.standard_error, np.nan)
    of = changes.value, error, changes.degrees
    equal = equivalence_p(*of, margin) < alpha / tests
    p_values, known = np.ones(len(changes)), np.isfinite(error)
    p_values[known] = holm(beyond_p(*of, limit)[known], family)
    adjusted = np.minimum(p_values * tests, 1.0)
    moved = adjusted < level
    equal &= ~moved | (np.asarray(limit) == 0)
    words = np.where(equal, EQUIVALENT, np.where(moved, CHANGED, UNDECIDED))
    return words, adjusted


def equivalence_p(
    value: FloatArray, error: FloatArray, degrees: FloatArray, margin: npt.ArrayLike
) -> FloatArray:
    """The larger p of two one-sided tests of "the true difference reaches the margin".

    Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15: 657-680. A small p says
    that the true difference is within the margin on both sides. The two tests need no correction,
    since both have to succeed.
    """
    return _upper_tail(np.asarray(margin, dtype=np.float64) - np.abs(value), error, degrees)


def beyond_p(
    value: FloatArray, error: FloatArray, degrees: FloatArray, limit: npt.ArrayLike = 0.0
) -> FloatArray:
    """The p of "the true difference is no larger than the limit", whatever its sign.

    The least favorable true difference lies at the limit, and both tails count: Hodges & Lehmann
    (1954), Journal of the Royal Statistical Society B 16: 261-268. With a limit of 0 it is the
    usual two-sided p.
    """
    edge = np.asarray(limit, dtype=np.float64)
    size = np.abs(value)
    both = _upper_tail(size - edge, error, degrees) + _upper_tail(size + edge, error, degrees)
    return np.where(size <= edge, 1.0, np.minimum(both, 1.0))


def _upper_tail(distance: FloatArray, error: FloatArray, degrees: FloatArray) -> FloatArray:
    """P(T > distance / error) by Student's t; 1 where there is no error to divide by."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(error > 0, distance / error, np.where(distance > 0, np.inf, -np.inf))
    tail = stdtr(degrees, -ratio)
    result: FloatArray = np.where(np.isnan(error) | np.isnan(tail), 1.0, tail)
    return result


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


SETTLED_IN = 0.8
"""The chance that the number of games from `times_to_settle` settles the open differences."""

TIMES = np.geomspace(1.05, 100, 300)
"""The multiples of the games played that `times_to_settle` tries."""


def times_to_settle(
    value: npt.ArrayLike, error: npt.ArrayLike, margin: npt.ArrayLike, alpha: float = ALPHA
) -> float:
    """The multiple of the games that settles a family of differences with the chance SETTLED_IN.

    A family is settled when one difference is changed (Bonferroni over the family) or all are
    equivalent. The uncertainty of today's differences counts: after k times the games, a difference
    is normal around today's value with variance error² (1 - 1/k), and its standard error is
    error / √k. So a difference whose true value may be nearer to 0 takes more games (predictive
    power: Spiegelhalter, Freedman & Blackburn 1986, Controlled Clinical Trials 7: 8).

    Args:
        value: the differences of the family.
        error: their standard errors, above 0.
        margin: a difference within this margin counts as none.
        alpha: the level of both tests.

    Returns:
        One of TIMES; infinite if none is enough.
    """
    from scipy.special import ndtr, ndtri

    center, now, within = (np.asarray(values, np.float64) for values in (value, error, margin))
    later = now / np.sqrt(TIMES[:, None])
    moved = now * np.sqrt(1 - 1 / TIMES[:, None])

    def below(limit: FloatArray) -> FloatArray:
        """The chance that the difference after more games is nearer to 0 than a limit."""
        chance = ndtr((limit - center) / moved) - ndtr((-limit - center) / moved)
        return np.where(limit > 0, chance, 0.0)

    equal = within - later * ndtri(1 - alpha)
    chance_equal = below(equal)
    apart = np.maximum(equal, later * ndtri(1 - alpha / 2 / center.size))
    chance_open = below(apart).prod(axis=1) - chance_equal.prod(axis=1)
    enough = np.flatnonzero(1 - chance_open >= SETTLED_IN)
    return float(TIMES[enough[0]]) if enough.size else np.inf


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
