"""The equilibrium mixture of a duel matrix: the mixture that no strategy beats on average.

A duel matrix is antisymmetric: D[a, b] is the win share of a seat with strategy a minus the win
share of a rival's seat with strategy b. As a zero-sum game it has a mixture against which no
strategy does better than even (a maximal lottery: Kreweras 1965; Fishburn 1984, Review of Economic
Studies 51: 683-692; Nash averaging: Balduzzi, Tuyls, Perolat, Graepel 2018, NeurIPS). If there are
several mixtures, the one with the greatest entropy is used. Copies of a strategy count as one
strategy and share its part, so a copy changes no number of the others (Brandl, Brandt, Seedig 2016,
Econometrica 84: 1839-1880).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray

#: Smaller differences of win shares are rounding errors.
ROUNDING = 1e-9

#: Smaller parts of a mixture are errors of the solver and count as 0.
PRESENT = 1e-5

#: The seed of the random directions in which the search looks for two ends of the set of mixtures.
_DIRECTIONS_SEED = 20120


def copies(duels: FloatArray) -> list[int]:
    """For each strategy, the first strategy with the same duels, of which it is a copy.

    Args:
        duels: shape (strategies, strategies), antisymmetric.
    """
    first: list[int] = []
    for strategy in range(len(duels)):
        same = (
            other
            for other in range(strategy)
            if first[other] == other and np.allclose(duels[strategy], duels[other], 0, ROUNDING)
        )
        first.append(next(same, strategy))
    return first


def equilibrium(duels: FloatArray) -> FloatArray:
    """The equilibrium mixture, shape (strategies,); copies share their part evenly.

    Args:
        duels: shape (strategies, strategies), antisymmetric.
    """
    first = np.asarray(copies(duels))
    originals = np.unique(first)
    mixture = _maximal_lottery(duels[np.ix_(originals, originals)])
    shares = np.zeros(len(duels))
    for number, part in zip(originals, mixture, strict=True):
        alike = first == number
        shares[alike] = part / alike.sum()
    return shares


def _maximal_lottery(duels: FloatArray) -> FloatArray:
    """The mixture with the greatest entropy among the mixtures that no strategy beats."""
    size = len(duels)
    winner = np.flatnonzero((duels > 0).sum(axis=1) == size - 1)
    if winner.size:
        return np.asarray(np.eye(size)[winner[0]])
    direction = np.random.default_rng(_DIRECTIONS_SEED).standard_normal(size)
    ends = [_end(duels, direction), _end(duels, -direction)]
    if np.allclose(ends[0], ends[1], 0, 1e-7):
        return ends[0]
    ends += [_end(duels, -side) for side in np.eye(size)]
    return _most_even(duels, np.mean(ends, axis=0))


def _end(duels: FloatArray, cost: FloatArray) -> FloatArray:
    """An end of the set of mixtures that no strategy beats: one with the least mean `cost`.

    `cost` has a number for each strategy; a linear program finds the end.
    """
    from scipy.optimize import linprog

    size = len(duels)
    solution = linprog(
        cost,
        A_ub=duels,
        b_ub=np.zeros(size),
        A_eq=np.ones((1, size)),
        b_eq=[1.0],
        bounds=(0, 1),
        method="highs",
    )
    mixture = np.where(solution.x < PRESENT, 0.0, solution.x)
    mixture /= mixture.sum()
    support = np.flatnonzero(mixture)
    # The solver is exact to seven digits. Strategies of the support must be even: solve for that.
    equations = np.vstack([duels[np.ix_(support, support)], np.ones(len(support))])
    exact = np.zeros(size)
    exact[support] = np.linalg.lstsq(equations, np.eye(len(equations))[-1], rcond=None)[0]
    sound = exact.min() >= 0 and (duels @ exact).max() < ROUNDING
    return np.asarray(exact if sound else mixture)


def _most_even(duels: FloatArray, start: FloatArray) -> FloatArray:
    """Of the mixtures that no strategy beats, find the mixture with the greatest entropy.

    `start` is a mixture inside this set; the result has the same support.
    """
    from scipy.optimize import LinearConstraint, minimize

    support = np.flatnonzero(start > PRESENT)
    inner = duels[:, support]
    solution = minimize(
        lambda p: float((p * np.log(p)).sum()),
        start[support],
        jac=lambda p: np.log(p) + 1,
        bounds=[(1e-12, 1.0)] * len(support),
        constraints=[
            LinearConstraint(inner, -np.inf, ROUNDING),
            LinearConstraint(np.ones((1, len(support))), 1.0, 1.0),
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    mixture = np.zeros(len(duels))
    mixture[support] = solution.x / solution.x.sum()
    return mixture
