"""What looks at some rule sets tell of all others: a response surface with known noise.

Every measured number is a polynomial in the factors, scaled to reach 1 at their far ends: straight
lines, squares and cubes of each factor, and products of two (Box & Wilson 1951, "On the
experimental attainment of optimum conditions", JRSS B 13: 1-45). Its weights have a normal prior
whose spread, one for each kind of term, is found by maximizing the likelihood of the looks, so
that effects add up unless the looks say otherwise. A look's noise is known: it is that of its
games. What the polynomial cannot say is a term of each rule set's own, and what looks of one round
share, their clan sets, a term of the round.

The power of every clan is fitted, not their spread: a spread is no polynomial, its noise has a
bias, and each of a look's games tells of eleven clans instead of one number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from ethnos_sim.experiments.statistics.jackknife import FloatArray, IntArray

KINDS = ("constant", "straight", "square", "cube", "product")

USUAL = np.log([0.3, 0.1, 0.05, 0.05, 0.02, 0.02])
"""The prior's usual variances: of the four kinds of terms, of rule sets' own terms, of rounds;
in units of the variance of the looks."""

DOUBT = 1.5
"""How far, in powers of e, they may be from that: the standard deviation of their own prior."""

CONSTANT = 100.0
"""The prior variance of the constant: it is not known at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """What was seen of a rule set in one look.

    Attributes:
        scaled: the rule set's point as `Space.scaled` gives it.
        round: looks of one round share clan sets.
        games: played in the look.
        values: the numbers that were measured.
        errors: their standard errors.
    """

    scaled: FloatArray
    round: int
    games: int
    values: FloatArray
    errors: FloatArray


def features(scaled: FloatArray) -> tuple[FloatArray, IntArray]:
    """The terms of the polynomial at points, shape (points, terms), and the kind of each term."""
    points, count = scaled.shape
    rows, columns = np.triu_indices(count, 1)
    parts = [
        np.ones((points, 1)),
        scaled,
        scaled**2,
        scaled**3,
        scaled[:, rows] * scaled[:, columns],
    ]
    kinds = np.repeat(np.arange(len(KINDS)), [part.shape[1] for part in parts])
    return np.concatenate(parts, axis=1), kinds


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The surface of numbers that share a prior.

    Attributes:
        mean: the weights, shape (terms, numbers), in the numbers' units.
        spread: the root of the weights' covariance, shape (terms, terms), for a scale of 1.
        scale: of each number, shape (numbers,).
        settings: the logarithms of the prior's variances.
        own: what is left for each rule set that was seen, by its scaled place as bytes.
        left_over: the variance of what is left for a rule set that was not seen.
    """

    mean: FloatArray
    spread: FloatArray
    scale: FloatArray
    settings: FloatArray
    own: dict[bytes, tuple[FloatArray, float]]
    left_over: float

    def predict(self, scaled: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mean and the variance of the numbers at points, each of shape (points, numbers)."""
        terms, _ = features(scaled)
        mean = terms @ self.mean
        variance = ((terms @ self.spread) ** 2).sum(axis=1) + self.left_over
        return mean, variance[:, None] * self.scale**2

    def with_own(self, scaled: FloatArray) -> tuple[FloatArray, FloatArray]:
        """As `predict`, with what is left over for the rule sets that were seen themselves."""
        mean, variance = self.predict(scaled)
        for row, place in enumerate(scaled):
            if found := self.own.get(place.tobytes()):
                mean[row] += found[0]
                variance[row] += (found[1] - self.left_over) * self.scale**2
        return mean, variance

    def drawn(self, rng: np.random.Generator) -> FloatArray:
        """Weights drawn from what is known of them, shape (terms, numbers)."""
        luck = rng.standard_normal((self.spread.shape[1], len(self.scale)))
        return np.asarray(self.mean + (self.spread @ luck) * self.scale)


class _Looks:
    """Looks as arrays, with the parts of their covariance."""

    def __init__(self, seen: Sequence[Observed], numbers: Sequence[int]) -> None:
        self.scaled = np.stack([look.scaled for look in seen])
        values = np.stack([look.values for look in seen])[:, list(numbers)]
        games = np.asarray([look.games for look in seen], dtype=np.float64)
        # The noise of a game is the same in every look, so all of them tell how large it is.
        errors = np.stack([look.errors for look in seen])[:, list(numbers)]
        of_game = np.nanmean(errors**2 * games[:, None], axis=0)
        noise = (of_game / games[:, None]).mean(axis=1)
        self.center = np.average(values, axis=0, weights=games)
        spread = np.average((values - self.center) ** 2, axis=0, weights=games)
        pooled = max(float(spread.mean() - noise.mean()), float(noise.mean()) / 4, 1e-18)
        self.scale = np.full(len(numbers), np.sqrt(pooled))
        self.values = (values - self.center) / self.scale
        self.noise = noise / pooled
        self.terms, self.kinds = features(self.scaled)
        places = [place.tobytes() for place in self.scaled]
        first = {place: number for number, place in reversed(list(enumerate(places)))}
        self.place = np.asarray([first[place] for place in places])
        rounds = np.asarray([look.round for look in seen])
        self.same = (self.place[:, None] == self.place).astype(np.float64)
        self.together = (rounds[:, None] == rounds).astype(np.float64)
        self.of_kind = [
            self.terms[:, self.kinds == kind] @ self.terms[:, self.kinds == kind].T
            for kind in range(len(KINDS))
        ]

    def rest(self, settings: FloatArray) -> FloatArray:
        """The covariance of what the polynomial leaves: noise, own terms, rounds."""
        own, of_round = np.exp(settings[-2:])
        return np.asarray(np.diag(self.noise) + own * self.same + of_round * self.together)

    def unlikely(self, settings: FloatArray) -> tuple[float, FloatArray]:
        """Less the logarithm of the likelihood of looks and settings, and its slope in these."""
        parts = [*self.of_kind[1:], self.same, self.together]
        variances = np.exp(settings)
        whole = np.diag(self.noise) + CONSTANT * self.of_kind[0]
        for variance, part in zip(variances, parts, strict=True):
            whole += variance * part
        factor = cho_factor(whole, lower=True)
        explained = cho_solve(factor, self.values)
        inverse = cho_solve(factor, np.eye(len(whole)))
        count = self.values.shape[1]
        doubt = (settings - USUAL) / DOUBT
        size = 2 * np.log(np.diag(factor[0])).sum() * count
        height = 0.5 * ((self.values * explained).sum() + size + (doubt**2).sum())
        # Of each variance: the trace of inverse and part, less what the looks say of the part.
        loose = count * inverse - explained @ explained.T
        slope = [0.5 * (loose * part).sum() for part in parts] * variances + doubt / DOUBT
        return float(height), np.asarray(slope)


def fit(
    seen: Sequence[Observed],
    numbers: Sequence[int],
    settings: FloatArray = USUAL,
    *,
    anew: bool = True,
) -> Fitted:
    """The surface of some numbers.

    Args:
        seen: all looks so far.
        numbers: the columns to fit with one prior.
        settings: the logarithms of the prior's variances, of an earlier fit.
        anew: whether to find them anew, beginning there.
    """
    looks = _Looks(seen, numbers)
    chosen = settings
    if anew:
        bounds = [(low - 5, low + 5) for low in USUAL]
        found = minimize(
            looks.unlikely,
            settings,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": 15},
        )
        chosen = np.asarray(found.x)
    variances = np.asarray([CONSTANT, *np.exp(chosen[:-2])])[looks.kinds]
    rest = cho_factor(looks.rest(chosen), lower=True)
    weighed = cho_solve(rest, looks.terms)
    precision = looks.terms.T @ weighed + np.diag(1 / variances)
    # The inverse of a triangular root is a root of the covariance.
    spread = np.linalg.inv(np.linalg.cholesky(precision)).T
    mean = spread @ (spread.T @ (weighed.T @ looks.values))
    residual = looks.values - looks.terms @ mean
    own = float(np.exp(chosen[-2]))
    explained = own * looks.same @ cho_solve(rest, residual)
    known = own - own**2 * np.einsum("ij,ji->i", looks.same, cho_solve(rest, looks.same))
    scaled_mean = mean * looks.scale
    scaled_mean[0] += looks.center
    return Fitted(
        mean=scaled_mean,
        spread=spread,
        scale=looks.scale,
        settings=chosen,
        own={
            place.tobytes(): (explained[row] * looks.scale, float(max(known[row], 0.0)))
            for row, place in enumerate(looks.scaled)
        },
        left_over=own,
    )
