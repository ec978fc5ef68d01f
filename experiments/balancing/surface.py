"""Predict the numbers at all points from evaluations of some points, by a quadratic surface.

A measured number is modeled as a polynomial in the scaled factors: each factor, each square, and
each product of two factors (Box & Wilson 1951, "On the experimental attainment of optimum
conditions", JRSS B 13: 1-45). Ridge regression shrinks the weights of these terms, which have
normal priors. The evaluations decide the variances of the priors, by expectation and maximization
(Dempster, Laird & Rubin 1977, JRSS B 39: 1-38). Each factor has its own variance, because most
factors do little. All squares share a variance, and so do all products.

Evaluations of a round share deals and clan sets. So each round has a term for this shared luck.

The surface fits the worth of each clan, not the spread of the worths: the spread is no polynomial
in the factors, and noise makes it too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray, IntArray

LINE_VARIANCE, SQUARE_VARIANCE, PRODUCT_VARIANCE = 0.3, 0.1, 0.05
"""The usual prior variances of weights, in units of the numbers' variance without noise."""

SHARED_NOISE = 0.8
"""The usual share of the noise that the evaluations of a round have in common."""

USUAL_VARIANCE_COUNT = 4.0
"""In an estimate of a prior variance, the usual variance counts as much as this many weights."""

CONSTANT_VARIANCE = 100.0
"""The prior variance of the constant, in the same units as LINE_VARIANCE: it hardly shrinks."""

FIT_STEPS = 20
"""The steps of expectation and maximization in a fit, which begins with the last fit's priors."""

LEAST_OWN_NOISE = 0.05
"""The least share of the noise that the evaluations of a round do not have in common."""

LEAST_VARIANCE = 1e-4
"""The least variance of noise, in units of the variance of the measured numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The numbers that were measured at a point in a round.

    Attributes:
        scaled_factors: the factors of the point (`Space.scaled_factors`).
        round_number: the index of the round; evaluations of a round share deals and clan sets.
        games: the number of games of the evaluation.
        values: the measured numbers.
        errors: their standard errors.
    """

    scaled_factors: FloatArray
    round_number: int
    games: int
    values: FloatArray
    errors: FloatArray


def polynomial_terms(factors: FloatArray) -> FloatArray:
    """The terms of the polynomial by scaled factors: constant, factors, squares, products."""
    first, second = np.triu_indices(factors.shape[1], 1)
    products = factors[:, first] * factors[:, second]
    return np.hstack([np.ones((len(factors), 1)), factors, factors**2, products])


def _term_kinds(factors: int, rounds: int) -> IntArray:
    """The kind of each term: constant, one kind for each factor, squares, products, rounds."""
    squares, products, of_round = factors + 1, factors + 2, factors + 3
    pairs = factors * (factors - 1) // 2
    lengths = [*[1] * (factors + 1), factors, pairs, rounds]
    return np.repeat([0, *range(1, factors + 1), squares, products, of_round], lengths)


@dataclass(frozen=True, slots=True, eq=False)
class Priors:
    """The priors of a fit.

    Attributes:
        variances: the prior variance of weights, for each kind of term (`_term_kinds`).
        own_noise: the share of the noise that the evaluations of a round do not have in common.
    """

    variances: FloatArray
    own_noise: float


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The posterior of the polynomial's weights; made by `fit_surface`.

    Attributes:
        mean: the means of weights, (terms, numbers).
        covariance_root: the root R, (terms, terms), of the weights' covariance R Rᵀ, which is the
            same for each number.
        priors: the priors of this fit, with which the next fit begins.
    """

    mean: FloatArray
    covariance_root: FloatArray
    priors: Priors

    def predict(self, scaled_factors: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mean and the variance of the numbers at points, both of shape (points, numbers)."""
        terms = polynomial_terms(scaled_factors)
        variance = ((terms @ self.covariance_root) ** 2).sum(axis=1, keepdims=True)
        mean = terms @ self.mean
        return mean, np.broadcast_to(variance, mean.shape)

    def draw_weights(self, rng: np.random.Generator, count: int = 1) -> FloatArray:
        """Draw weights from the posterior: (count, terms, numbers)."""
        luck = rng.standard_normal((count, *self.mean.shape))
        return np.asarray(self.mean + self.covariance_root @ luck)


def fit_surface(evaluations: Sequence[Evaluation], priors: Priors | None = None) -> Surface:
    """Fit the surface to evaluations.

    Args:
        evaluations: all evaluations so far.
        priors: the priors of an earlier fit of the same numbers; the usual priors unless given.
    """
    scaled = np.stack([evaluation.scaled_factors for evaluation in evaluations])
    values = np.stack([evaluation.values for evaluation in evaluations])
    games = np.asarray([evaluation.games for evaluation in evaluations], np.float64)
    rounds = np.asarray([evaluation.round_number for evaluation in evaluations])
    center = np.average(values, axis=0, weights=games)
    # The noise of a game is the same in every evaluation, so it is pooled over evaluations. It is
    # measured as 0 if, say, a clan wins every game of the first evaluations.
    errors = np.stack([evaluation.errors for evaluation in evaluations])
    of_game = np.nanmean(errors**2 * games[:, None])
    noise = max(of_game, LEAST_VARIANCE * games.mean() * np.var(values - center), 1e-12) / games
    own_terms = polynomial_terms(scaled)
    terms = np.hstack([own_terms, rounds[:, None] == np.unique(rounds)])
    kinds = _term_kinds(scaled.shape[1], len(np.unique(rounds)))
    usual = _usual_priors(values - center, noise, scaled.shape[1])
    priors = priors or usual
    for _ in range(FIT_STEPS):
        priors = _improved_priors(terms, values - center, noise, kinds, priors, usual)
    mean, covariance = _posterior(terms, values - center, noise, priors.variances[kinds], priors)
    own = slice(own_terms.shape[1])
    mean[0] += center
    heights, directions = np.linalg.eigh(covariance[own, own])
    return Surface(mean[own], directions * np.sqrt(np.maximum(heights, 0.0)), priors)


def _usual_priors(values: FloatArray, noise: FloatArray, factors: int) -> Priors:
    """The usual priors, in the units of the measured numbers."""
    signal = max(float((values**2).mean() - noise.mean()), float(noise.mean()) / 4, 1e-18)
    lines = [LINE_VARIANCE] * factors
    usual = signal * np.asarray([CONSTANT_VARIANCE, *lines, SQUARE_VARIANCE, PRODUCT_VARIANCE])
    return Priors(np.append(usual, SHARED_NOISE * noise.mean()), 1 - SHARED_NOISE)


def _posterior(
    terms: FloatArray, values: FloatArray, noise: FloatArray, variances: FloatArray, priors: Priors
) -> tuple[FloatArray, FloatArray]:
    """The mean and covariance of all weights, those of rounds too, given their prior variances."""
    spread = terms * variances
    explained = np.linalg.inv(spread @ terms.T + np.diag(priors.own_noise * noise))
    gain = spread.T @ explained
    return gain @ values, np.diag(variances) - gain @ spread


def _improved_priors(
    terms: FloatArray,
    values: FloatArray,
    noise: FloatArray,
    kinds: IntArray,
    priors: Priors,
    usual: Priors,
) -> Priors:
    """The priors after one step of expectation and maximization."""
    mean, covariance = _posterior(terms, values, noise, priors.variances[kinds], priors)
    numbers = values.shape[1]
    squares = (mean**2).sum(axis=1) + numbers * np.diag(covariance)
    counts = numbers * np.bincount(kinds, minlength=len(usual.variances))
    totals = np.bincount(kinds, squares, minlength=len(usual.variances))
    weights = (totals + USUAL_VARIANCE_COUNT * usual.variances) / (counts + USUAL_VARIANCE_COUNT)
    weights[0] = usual.variances[0]
    left = ((values - terms @ mean) ** 2).mean(axis=1)
    left += np.einsum("et,tu,eu->e", terms, covariance, terms, optimize=True)
    part = float(np.mean(left / noise))
    return Priors(weights, min(1.0, max(LEAST_OWN_NOISE, part)))
