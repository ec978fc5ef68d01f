"""Predict the numbers of all rule sets from evaluations of a few, by a response surface.

Every measured number is a polynomial in the factors, which are scaled to reach 1 at their far ends:
lines, squares and cubes of each factor, and products of two (Box & Wilson 1951, "On the
experimental attainment of optimum conditions", JRSS B 13: 1-45). Its weights have a normal prior
(Rasmussen & Williams 2006, Gaussian Processes for Machine Learning, chapter 2). The widths of the
prior are estimated from the evaluations by likelihood:

- one for each kind of term, so that effects add up unless the evaluations say otherwise;
- one for each factor, since most factors do little (Neal 1996, Bayesian Learning for Neural
  Networks: automatic relevance determination);
- for a clan's power, one more for the factors of this clan, since they change this clan first.

The noise of an evaluation is known from its games. Each rule set has an extra term for what the
polynomial cannot express. Evaluations of one round share deals and clan sets, so part of their
noise is common and cancels in their differences.

The power of every clan is fitted, not the spread of the powers. The spread is no polynomial in the
factors, and noise in the powers makes it too large. The powers also use more of each game: one game
says something about eleven clans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.optimize import minimize
from scipy.special import expit

from ethnos_sim.experiments.statistics.estimates import FloatArray

BoolArray = npt.NDArray[np.bool_]

POWERS = (1, 2, 3)
"""The powers of a factor in the polynomial, each with a weight."""

USUAL = np.log([0.3, 0.1, 0.05, 0.05, 10.0, 0.005, 0.02, 1.5])
"""The logarithms of the prior's usual settings. The first four are variances: of lines, squares,
cubes and products. The fifth multiplies the variances for the factors of a number's clan. Then come
the variances of the extra terms of rule sets, and of the clan sets of rounds. The last setting is
the odds that noise is common to a round. Variances are in units of the variance of the
evaluations."""

PRODUCT, NEAR, OWN, ROUND, COMMON, FACTORS = 3, 4, 5, 6, 7, 8
"""Indices of settings; from FACTORS on there is one setting for each factor."""

DOUBT, OWN_DOUBT = 1.5, 0.5
"""The standard deviations of settings around their usual values, in powers of e. A few evaluations
cannot separate the extra terms of rule sets from noise that is not common, so OWN stays near its
usual value."""

CONSTANT = 100.0
"""The prior variance of the constant, which is practically unknown."""

MOST_STEPS = 25
"""The most steps of the optimizer for the prior's widths."""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """One evaluation of a rule set.

    Attributes:
        scaled: the point of the rule set, as `Space.scaled` gives it.
        round: the number of its round; evaluations of one round share deals and clan sets.
        games: the number of games of the evaluation.
        values: the measured numbers.
        errors: their standard errors.
    """

    scaled: FloatArray
    round: int
    games: int
    values: FloatArray
    errors: FloatArray


def usual_settings(factors: int) -> FloatArray:
    """The logarithms of the prior's usual widths; all factors have the same width."""
    return np.concatenate([USUAL, np.zeros(factors)])


def features(scaled: FloatArray) -> FloatArray:
    """The terms of the polynomial at points (constant, powers, products): (points, terms)."""
    rows, columns = np.triu_indices(scaled.shape[1], 1)
    powers = [scaled**power for power in POWERS]
    return np.hstack([np.ones((len(scaled), 1)), *powers, scaled[:, rows] * scaled[:, columns]])


class _Played:
    """Evaluations as arrays, with the parts of their covariance."""

    def __init__(self, seen: Sequence[Observed], numbers: Sequence[int]) -> None:
        self.scaled = np.stack([evaluation.scaled for evaluation in seen])
        self.terms = features(self.scaled)
        values = np.stack([evaluation.values for evaluation in seen])[:, list(numbers)]
        games = np.asarray([evaluation.games for evaluation in seen], dtype=np.float64)
        # The noise of a game is the same in every evaluation, so it is pooled over evaluations.
        errors = np.stack([evaluation.errors for evaluation in seen])[:, list(numbers)]
        of_game = np.nanmean(errors**2 * games[:, None], axis=0)
        noise = (of_game / games[:, None]).mean(axis=1)
        self.center = np.average(values, axis=0, weights=games)
        spread = np.average((values - self.center) ** 2, axis=0, weights=games)
        pooled = max(float(spread.mean() - noise.mean()), float(noise.mean()) / 4, 1e-18)
        self.scale = float(np.sqrt(pooled))
        self.values = (values - self.center) / self.scale
        self.noise = noise / pooled
        self.places = {place.tobytes(): number for number, place in enumerate(self.scaled)}
        self.same = self.at_places(self.scaled)
        rounds = np.asarray([evaluation.round for evaluation in seen])
        self.together = (rounds[:, None] == rounds).astype(np.float64)
        self.shared = np.sqrt(np.outer(self.noise, self.noise)) * self.together

    def at_places(self, scaled: FloatArray) -> FloatArray:
        """1 where an evaluation was at a point of `scaled`, else 0: (points, evaluations)."""
        numbers = np.asarray([self.places[place.tobytes()] for place in self.scaled])
        asked = np.asarray([self.places.get(place.tobytes(), -1) for place in scaled])
        return np.asarray(asked[:, None] == numbers, dtype=np.float64)


class _Kind(NamedTuple):
    """Numbers that have the same near factors.

    Attributes:
        added: which settings add up to the logarithm of each term's variance, (terms, settings).
        columns: the indices of these numbers among all fitted numbers.
    """

    added: FloatArray
    columns: list[int]

    def variances(self, settings: FloatArray) -> FloatArray:
        """The prior variance of each term's weight under these settings."""
        variances = np.exp(self.added @ settings)
        variances[0] = CONSTANT
        return np.asarray(variances)


def _kinds(near: BoolArray) -> list[_Kind]:
    kinds: dict[bytes, _Kind] = {}
    for column, included in enumerate(near.T):
        kinds.setdefault(included.tobytes(), _Kind(_added(included), [])).columns.append(column)
    return list(kinds.values())


def _added(near: BoolArray) -> FloatArray:
    """Which settings add up to each term's variance (`_Kind.added`), for these near factors."""
    single = np.eye(len(near))
    one, other = np.triu_indices(len(near), 1)
    factors = np.vstack([np.zeros(len(near)), *[single] * len(POWERS), single[one] + single[other]])
    added = np.zeros((len(factors), FACTORS + len(near)))
    terms = [len(near)] * len(POWERS) + [len(one)]
    added[1:, : PRODUCT + 1] = np.repeat(np.eye(PRODUCT + 1), terms, axis=0)
    added[:, NEAR] = factors @ near
    added[:, FACTORS:] = factors
    return added


def _between(some: FloatArray, variances: FloatArray, others: FloatArray) -> FloatArray:
    """The prior covariance of the polynomial at two sets of points, `some` and `others`."""
    return np.asarray((some * variances) @ others.T)


def _rest(played: _Played, settings: FloatArray) -> FloatArray:
    """The covariance that the polynomial lacks: noise, extra terms of rule sets, and rounds."""
    common = expit(settings[COMMON])
    rest = (1 - common) * np.diag(played.noise) + common * played.shared
    rest += np.exp(settings[OWN]) * played.same + np.exp(settings[ROUND]) * played.together
    return np.asarray(rest)


def _unlikely(
    settings: FloatArray, played: _Played, kinds: Sequence[_Kind]
) -> tuple[float, FloatArray]:
    """The negative log likelihood of the evaluations and settings; its gradient by setting."""
    off = settings - usual_settings(len(settings) - FACTORS)
    doubt = np.full(len(settings), DOUBT)
    doubt[OWN] = OWN_DOUBT
    height = 0.5 * float(((off / doubt) ** 2).sum())
    slope = off / doubt**2
    common = expit(settings[COMMON])
    rest = _rest(played, settings)
    for kind in kinds:
        variances = kind.variances(settings)
        covariance = _between(played.terms, variances, played.terms) + rest
        factor = cho_factor(covariance, lower=True)
        values = played.values[:, kind.columns]
        explained = cho_solve(factor, values)
        size = 2 * np.log(np.diag(factor[0])).sum() * len(kind.columns)
        height += 0.5 * (float((values * explained).sum()) + size)
        # `loose` is the derivative of `height` with respect to each entry of the covariance. From
        # it the chain rule gives the derivatives with respect to the settings.
        inverse = cho_solve(factor, np.eye(len(values)))
        loose = 0.5 * (len(kind.columns) * inverse - explained @ explained.T)
        slope += (variances * ((loose @ played.terms) * played.terms).sum(axis=0)) @ kind.added
        slope[OWN] += np.exp(settings[OWN]) * (loose * played.same).sum()
        slope[ROUND] += np.exp(settings[ROUND]) * (loose * played.together).sum()
        apart = (loose * played.shared).sum() - np.diag(loose) @ played.noise
        slope[COMMON] += common * (1 - common) * apart
    return height, slope


class _Part(NamedTuple):
    """The fit of the numbers that have the same near factors.

    columns    the indices of the numbers
    variances  the prior variances of the weights of terms
    root       the Cholesky factor of the covariance of the evaluations
    explained  the inverse of this covariance times the evaluations
    """

    columns: list[int]
    variances: FloatArray
    root: FloatArray
    explained: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The surface of numbers that share a prior; made by `fit`.

    Attributes:
        settings: the logarithms of the prior's widths.
    """

    settings: FloatArray
    _played: _Played
    _parts: tuple[_Part, ...]

    def predict(self, scaled: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mean and the variance of the numbers at points, both of shape (points, numbers).

        Where a rule set was evaluated, its extra term is part of the mean and of the variance.
        Elsewhere it is part of the variance only.
        """
        played = self._played
        at_place = float(np.exp(self.settings[OWN]))
        same, terms = at_place * played.at_places(scaled), features(scaled)
        mean, variance = np.zeros((2, len(scaled), played.values.shape[1]))
        for columns, variances, root, explained in self._parts:
            between = _between(terms, variances, played.terms) + same
            mean[:, columns] = between @ explained
            explained_variance = (solve_triangular(root, between.T, lower=True) ** 2).sum(axis=0)
            remaining = terms**2 @ variances + at_place - explained_variance
            variance[:, columns] = np.maximum(remaining, 0.0)[:, None]
        return mean * played.scale + played.center, variance * played.scale**2

    def sampled(self, scaled: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
        """Joint posterior draws of the numbers at a few points: (count, points, numbers)."""
        played = self._played
        at_place, terms = float(np.exp(self.settings[OWN])), features(scaled)
        mean, _ = self.predict(scaled)
        samples = np.repeat(mean[None], count, axis=0)
        for columns, variances, root, _ in self._parts:
            between = _between(terms, variances, played.terms) + at_place * played.at_places(scaled)
            half = solve_triangular(root, between.T, lower=True)
            covariance = _between(terms, variances, terms) + at_place * np.eye(len(scaled))
            covariance = covariance - half.T @ half
            height, directions = np.linalg.eigh(covariance)
            spread = directions * np.sqrt(np.maximum(height, 0.0)) * played.scale
            luck = rng.standard_normal((count, len(scaled), len(columns)))
            samples[:, :, columns] += spread @ luck
        return samples

    def drawn(self, rng: np.random.Generator) -> FloatArray:
        """A posterior draw of the weights of the polynomial, shape (terms, numbers).

        Matheron's rule (Wilson and others 2020, "Efficiently sampling functions from Gaussian
        process posteriors") makes it: a draw of the prior is corrected by its difference from the
        evaluations.
        """
        played = self._played
        terms = played.terms
        coefficients = np.zeros((terms.shape[1], played.values.shape[1]))
        rest = np.linalg.cholesky(_rest(played, self.settings))
        for columns, variances, root, _ in self._parts:
            shape = (len(variances), len(columns))
            weights = np.sqrt(variances)[:, None] * rng.standard_normal(shape)
            luck = rest @ rng.standard_normal((len(terms), len(columns)))
            missed = played.values[:, columns] - terms @ weights - luck
            weights += variances[:, None] * (terms.T @ cho_solve((root, True), missed))
            coefficients[:, columns] = weights
        coefficients *= played.scale
        coefficients[0] += played.center
        return coefficients


def fit(
    seen: Sequence[Observed],
    numbers: Sequence[int],
    near: BoolArray,
    settings: FloatArray | None = None,
    *,
    anew: bool = True,
) -> Fitted:
    """Fit the surface of the numbers in some columns.

    Args:
        seen: all evaluations so far.
        numbers: the columns to fit with one prior.
        near: which factors belong to each number's clan, shape (factors, numbers).
        settings: the logarithms of the prior's widths from an earlier fit; None for the usual
            widths.
        anew: whether to estimate the widths again, starting from `settings`.
    """
    played = _Played(seen, numbers)
    kinds = _kinds(near)
    usual = usual_settings(len(near))
    chosen = usual if settings is None else settings
    if anew:
        fitted = minimize(
            _unlikely,
            chosen,
            args=(played, kinds),
            jac=True,
            method="L-BFGS-B",
            bounds=[(low - 5, low + 5) for low in usual],
            options={"maxiter": MOST_STEPS},
        )
        chosen = np.asarray(fitted.x)
    parts = []
    for kind in kinds:
        variances = kind.variances(chosen)
        covariance = _between(played.terms, variances, played.terms) + _rest(played, chosen)
        root = np.asarray(np.linalg.cholesky(covariance))
        explained = cho_solve((root, True), played.values[:, kind.columns])
        parts.append(_Part(kind.columns, variances, root, explained))
    return Fitted(chosen, played, tuple(parts))
