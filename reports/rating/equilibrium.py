"""The equilibrium mixture of a duel matrix: whom nobody can beat on average.

A duel matrix is antisymmetric: D[a, b] is what a seat wins more with strategy a than a rival's seat
does with strategy b. Read as a zero-sum game it has a mixture against which no strategy does better
than even (a maximal lottery: Kreweras 1965; Fishburn 1984, Review of Economic Studies 51: 683-692;
Nash averaging: Balduzzi, Tuyls, Perolat, Graepel 2018, NeurIPS). Where there are several, that of
greatest entropy is taken. Copies of a strategy are counted as one and share its part, so a copy
moves no number of the others (Brandl, Brandt, Seedig 2016, Econometrica 84: 1839-1880).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray

#: Below this a difference of win shares is rounding.
ROUNDING = 1e-9

#: A part of a mixture that is less than this is none: what the solver leaves over.
PRESENT = 1e-5

#: Directions in which two ends of the set of mixtures are looked for.
_DIRECTIONS_SEED = 20120


def copies(duels: FloatArray) -> list[int]:
    """For each strategy the first one that it is a copy of: even with it, and alike to all others.

    Args:
        duels: shape (strategies, strategies), antisymmetric.
    """
    first: list[int] = []
    for own in range(len(duels)):
        same = (
            other
            for other in range(own)
            if first[other] == other and np.allclose(duels[own], duels[other], 0, ROUNDING)
        )
        first.append(next(same, own))
    return first


def equilibrium(duels: FloatArray) -> FloatArray:
    """The equilibrium mixture, shape (strategies,); copies of one strategy share its part evenly.

    Args:
        duels: shape (strategies, strategies), antisymmetric.
    """
    first = np.asarray(copies(duels))
    kept = np.unique(first)
    mixture = _maximal_lottery(duels[np.ix_(kept, kept)])
    found = np.zeros(len(duels))
    for number, part in zip(kept, mixture, strict=True):
        alike = first == number
        found[alike] = part / alike.sum()
    return found


def _maximal_lottery(duels: FloatArray) -> FloatArray:
    """The mixture of greatest entropy among those that no strategy beats."""
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
    """The mixture of least cost among those that no strategy beats (a linear program)."""
    from scipy.optimize import linprog

    size = len(duels)
    found = linprog(
        cost,
        A_ub=duels,
        b_ub=np.zeros(size),
        A_eq=np.ones((1, size)),
        b_eq=[1.0],
        bounds=(0, 1),
        method="highs",
    )
    mixture = np.where(found.x < PRESENT, 0.0, found.x)
    mixture /= mixture.sum()
    support = np.flatnonzero(mixture)
    # The solver is exact to seven digits; that all strategies of the support are even is the rest.
    equations = np.vstack([duels[np.ix_(support, support)], np.ones(len(support))])
    exact = np.zeros(size)
    exact[support] = np.linalg.lstsq(equations, np.eye(len(equations))[-1], rcond=None)[0]
    sound = exact.min() >= 0 and (duels @ exact).max() < ROUNDING
    return np.asarray(exact if sound else mixture)


def _most_even(duels: FloatArray, start: FloatArray) -> FloatArray:
    """The mixture of greatest entropy with the support of `start`, an inner point of the set."""
    from scipy.optimize import LinearConstraint, minimize

    support = np.flatnonzero(start > PRESENT)
    inner = duels[:, support]
    found = minimize(
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
    mixture[support] = found.x / found.x.sum()
    return mixture
