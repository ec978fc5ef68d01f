"""The delete-one-block jackknife: the interval of any smooth function of sums over blocks of deals.

The unit of replication is the deal. The games of one deal share its luck (the deck order, the first
player), whether its seats were rotated or another clan set was dealt by the same random choices, so
deals are dealt into blocks by their number and the spread between blocks is what intervals are made
of. A block holds integer sums; every division happens here and in the estimators, once, at the end.
Coverage and why so: docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BlockSums = Mapping[str, IntArray]
"""Named integer sums; the first axis of every array is the block of deals."""

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Jackknife:
    """A statistic with its jackknife pseudo-values.

    Attributes:
        value: the statistic of all blocks together, any shape.
        pseudo: one pseudo-value a block, shape (blocks, *value.shape).
        leverage: h_j - 1 for each block, h_j = all games / games of block j, shape (blocks,).
    """

    value: FloatArray
    pseudo: FloatArray
    leverage: FloatArray

    @property
    def blocks(self) -> int:
        """The number of blocks; the t distribution has one degree of freedom less."""
        return len(self.leverage)

    @property
    def standard_error(self) -> FloatArray:
        """The delete-m_j jackknife standard error, the shape of `value`.

        Busing, Meijer & van der Leeden (1999), "Delete-m jackknife for unequal m", Statistics and
        Computing 9: 3-8, equation for the variance; with equal blocks it is the delete-one-group
        jackknife of Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 11.5.
        """
        if self.blocks < 2:
            return np.full_like(self.value, np.nan)
        leverage = self.leverage.reshape(-1, *[1] * self.value.ndim)
        center = (self.pseudo / (leverage + 1)).sum(axis=0)
        variance = ((self.pseudo - center) ** 2 / leverage).mean(axis=0)
        result: FloatArray = np.sqrt(variance)
        return result

    def interval(self, comparisons: int = 1) -> tuple[FloatArray, FloatArray]:
        """Both ends of the 95 % interval with the t distribution of blocks - 1 degrees.

        With `comparisons` > 1 all that many intervals cover together (Bonferroni: Dunn 1961,
        JASA 56: 52-64), whatever their dependence.
        """
        reach = t_quantile(1 - (1 - CONFIDENCE) / 2 / comparisons, self.blocks - 1)
        error = self.standard_error
        return self.value - reach * error, self.value + reach * error

    def p_values(self) -> FloatArray:
        """Two-sided p of "the true value is 0", by t with blocks - 1 degrees of freedom.

        A value that never varied has p = 1 where it is 0 and p = 0 otherwise.
        """
        from scipy.special import stdtr

        error = self.standard_error
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(self.value == 0, 0.0, np.abs(self.value) / error)
        result: FloatArray = 2 * stdtr(self.blocks - 1, -t)
        return result

    def minus(self, null: FloatArray | float) -> Jackknife:
        """The same statistic less a known number, for a test against that number."""
        return Jackknife(self.value - null, self.pseudo - null, self.leverage)

    def of(self, places: npt.ArrayLike | slice) -> Jackknife:
        """Some entries of a one-dimensional statistic, by their places or a mask."""
        chosen = places if isinstance(places, slice) else np.asarray(places)
        return Jackknife(self.value[chosen], self.pseudo[:, chosen], self.leverage)

    def contrasts(self) -> Jackknife:
        """Each entry of a one-dimensional statistic less the mean of all."""
        return Jackknife(
            self.value - self.value.mean(),
            self.pseudo - self.pseudo.mean(axis=1, keepdims=True),
            self.leverage,
        )

    def through(self, function: Callable[[FloatArray], FloatArray]) -> Jackknife:
        """A smooth function of the statistic, jackknifed like the sums behind it.

        Args:
            function: must accept one more leading axis and treat its entries apart.
        """
        leverage = self.leverage.reshape(-1, *[1] * self.value.ndim)
        value = np.asarray(function(self.value), dtype=np.float64)
        without = np.asarray(function(self.value - (self.pseudo - self.value) / leverage))
        others = self.leverage.reshape(-1, *[1] * value.ndim)
        return Jackknife(value, value + others * (value - without), self.leverage)

    def differences(self) -> Jackknife:
        """All pairwise differences of a one-dimensional statistic: [i, j] is value i - value j."""
        return Jackknife(
            self.value[:, None] - self.value[None, :],
            self.pseudo[:, :, None] - self.pseudo[:, None, :],
            self.leverage,
        )


def combined(parts: Iterable[tuple[float, Jackknife]]) -> Jackknife:
    """A weighted sum of statistics of the same shape over the same blocks of deals.

    The luck that blocks share, of games that played the same deals, is accounted for.

    Raises:
        ValueError: the blocks do not hold games in the same proportions.
    """
    weighed = list(parts)
    leverage = weighed[0][1].leverage
    if not all(np.array_equal(leverage, part.leverage) for _, part in weighed):
        raise ValueError("statistics over different blocks cannot be combined")
    return Jackknife(
        np.asarray(sum(weight * part.value for weight, part in weighed)),
        np.asarray(sum(weight * part.pseudo for weight, part in weighed)),
        leverage,
    )


def jackknife(
    statistic: Callable[[BlockSums], FloatArray], sums: BlockSums, sizes: IntArray
) -> Jackknife:
    """Jackknife a ratio, a difference of ratios or any smooth function of sums over blocks.

    Each block in turn is taken out of the totals, in integers, and the statistic is computed anew;
    the pseudo-value of block j is h_j * all - (h_j - 1) * without j (Busing et al. 1999).

    Args:
        statistic: maps sums without their block axis to an array; it must also accept one more
            leading axis and treat its entries apart (it is called with all leave-one-out sums).
        sums: named integer sums, first axis = block.
        sizes: games in each block; blocks without games do not count as blocks.

    Returns:
        The jackknife. With fewer than two filled blocks its value stands and its standard error is
        not a number; how many blocks are enough is for the caller to say.
    """
    filled = np.flatnonzero(sizes)
    kept = {name: array[filled] for name, array in sums.items()}
    totals = {name: array.sum(axis=0) for name, array in kept.items()}
    without = {name: totals[name] - array for name, array in kept.items()}
    value = np.asarray(statistic(totals), dtype=np.float64)
    replicates = np.asarray(statistic(without), dtype=np.float64)
    leverage = sizes.sum() / sizes[filled] - 1
    others = leverage.reshape(-1, *[1] * value.ndim)
    return Jackknife(value, value + others * (value - replicates), leverage)


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> FloatArray:
    """The quotient of integer sums; not a number where there is nothing to divide by."""
    below = np.asarray(denominator, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below == 0, np.nan, np.asarray(numerator, dtype=np.float64) / below)


def t_quantile(probability: float, degrees: int) -> float:
    """The quantile of Student's t distribution (scipy.special.stdtrit)."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))
