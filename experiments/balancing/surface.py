"""Predict the numbers of all rule sets from evaluations of a few, by a quadratic surface.

Every measured number is a polynomial in the factors, which are scaled to reach 1 at their far ends:
lines and squares of each factor, and products of two (Box & Wilson 1951, "On the experimental
attainment of optimum conditions", JRSS B 13: 1-45). Ridge regression shrinks its weights: the
weights of each kind of term have a normal prior. The variances of the priors are estimated from the
evaluations by expectation and maximization (Dempster, Laird & Rubin 1977, JRSS B 39: 1-38): one for
the lines of each factor, since most factors do little, one for all squares and one for all
products, so that effects add up unless the evaluations say otherwise.

Evaluations of one round share deals and clan sets. So each round has a term of its own for the luck
that its evaluations share.

The worth of every clan is fitted, not the spread of the worths. The spread is no polynomial in the
factors, and noise makes it too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray, IntArray

LINE, SQUARE, PRODUCT = 0.3, 0.1, 0.05
"""The usual variances of weights, in units of the variance of evaluations without their noise."""

COMMON = 0.8
"""The usual part of noise that is common to a round."""

USUAL_WEIGHTS = 4.0
"""The usual variance counts as this many weights beside those of the evaluations."""

CONSTANT = 100.0
"""The prior variance of the constant, in the same units: it is practically unknown."""

STEPS = 20
"""The steps of expectation and maximization in each fit; fits begin where the last one ended."""

LEAST_NOISE = 0.05
"""The least part of noise that is not common to a round."""

LEAST_OF_GAME = 1e-4
"""The least noise of an evaluation, in units of the variance of the evaluations."""


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


def terms_of(scaled: FloatArray) -> FloatArray:
    """The terms of the polynomial at points (constant, lines, squares, products)."""
    rows, columns = np.triu_indices(scaled.shape[1], 1)
    products = scaled[:, rows] * scaled[:, columns]
    return np.hstack([np.ones((len(scaled), 1)), scaled, scaled**2, products])


def _kinds(factors: int, rounds: int) -> IntArray:
    """The kind of each term: the constant, a line of each factor, squares, products, rounds."""
    squares, products, of_round = factors + 1, factors + 2, factors + 3
    pairs = factors * (factors - 1) // 2
    lengths = [*[1] * (factors + 1), factors, pairs, rounds]
    return np.repeat([0, *range(1, factors + 1), squares, products, of_round], lengths)


@dataclass(frozen=True, slots=True, eq=False)
class Priors:
    """The variances that shrink weights.

    Attributes:
        weights: the variance of the weights of each kind of term (`_kinds`).
        noise: the part of noise that evaluations of a round do not share.
    """

    weights: FloatArray
    noise: float


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The posterior of the polynomial's weights; made by `fit`.

    Attributes:
        mean: the means of weights, (terms, numbers).
        root: a matrix (terms, terms) whose product with its transpose is the covariance of the
            weights of each number.
        priors: the priors of this fit, with which the next one begins.
    """

    mean: FloatArray
    root: FloatArray
    priors: Priors

    def predict(self, scaled: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mean and the variance of the numbers at points, both of shape (points, numbers)."""
        terms = terms_of(scaled)
        variance = ((terms @ self.root) ** 2).sum(axis=1, keepdims=True)
        mean = terms @ self.mean
        return mean, np.broadcast_to(variance, mean.shape)

    def drawn(self, rng: np.random.Generator, count: int = 1) -> FloatArray:
        """Draws of the weights from the posterior: (count, terms, numbers)."""
        luck = rng.standard_normal((count, *self.mean.shape))
        return np.asarray(self.mean + self.root @ luck)


def fit(seen: Sequence[Observed], priors: Priors | None = None) -> Surface:
    """Fit the surface to all evaluations so far.

    Args:
        seen: the evaluations.
        priors: the priors of an earlier fit of the same numbers; the usual ones unless given.
    """
    scaled = np.stack([evaluation.scaled for evaluation in seen])
    values = np.stack([evaluation.values for evaluation in seen])
    games = np.asarray([evaluation.games for evaluation in seen], np.float64)
    rounds = np.asarray([evaluation.round for evaluation in seen])
    center = np.average(values, axis=0, weights=games)
    # The noise of a game is the same in every evaluation, so it is pooled over evaluations. It
    # seems to be 0 if, say, a clan wins every game of the first evaluations.
    errors = np.stack([evaluation.errors for evaluation in seen])
    of_game = np.nanmean(errors**2 * games[:, None])
    noise = max(of_game, LEAST_OF_GAME * games.mean() * np.var(values - center), 1e-12) / games
    own_terms = terms_of(scaled)
    terms = np.hstack([own_terms, rounds[:, None] == np.unique(rounds)])
    kinds = _kinds(scaled.shape[1], len(np.unique(rounds)))
    usual = _usual(values - center, noise, scaled.shape[1])
    priors = priors or usual
    for _ in range(STEPS):
        priors = _improved(terms, values - center, noise, kinds, priors, usual)
    mean, covariance = _posterior(terms, values - center, noise, priors.weights[kinds], priors)
    own = slice(own_terms.shape[1])
    mean[0] += center
    heights, directions = np.linalg.eigh(covariance[own, own])
    return Surface(mean[own], directions * np.sqrt(np.maximum(heights, 0.0)), priors)


def _usual(values: FloatArray, noise: FloatArray, factors: int) -> Priors:
    """The usual priors, in the units of the evaluations."""
    signal = max(float((values**2).mean() - noise.mean()), float(noise.mean()) / 4, 1e-18)
    weights = signal * np.asarray([CONSTANT, *[LINE] * factors, SQUARE, PRODUCT, 0.0])
    weights[-1] = COMMON * noise.mean()
    return Priors(weights, 1 - COMMON)


def _posterior(
    terms: FloatArray, values: FloatArray, noise: FloatArray, variances: FloatArray, priors: Priors
) -> tuple[FloatArray, FloatArray]:
    """The mean and the covariance of the weights, rounds included, given their prior variances."""
    spread = terms * variances
    explained = np.linalg.inv(spread @ terms.T + np.diag(priors.noise * noise))
    gain = spread.T @ explained
    return gain @ values, np.diag(variances) - gain @ spread


def _improved(
    terms: FloatArray,
    values: FloatArray,
    noise: FloatArray,
    kinds: IntArray,
    priors: Priors,
    usual: Priors,
) -> Priors:
    """Priors that are likelier, given the evaluations: a step of expectation and maximization."""
    mean, covariance = _posterior(terms, values, noise, priors.weights[kinds], priors)
    numbers = values.shape[1]
    squares = (mean**2).sum(axis=1) + numbers * np.diag(covariance)
    counts = numbers * np.bincount(kinds, minlength=len(usual.weights))
    totals = np.bincount(kinds, squares, minlength=len(usual.weights))
    weights = (totals + USUAL_WEIGHTS * usual.weights) / (counts + USUAL_WEIGHTS)
    weights[0] = usual.weights[0]
    left = ((values - terms @ mean) ** 2).mean(axis=1)
    left += np.einsum("et,tu,eu->e", terms, covariance, terms, optimize=True)
    part = float(np.mean(left / noise))
    return Priors(weights, min(1.0, max(LEAST_NOISE, part)))
