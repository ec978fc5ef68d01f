"""The search for `five-of-twelve.toml`: a nearly D-optimal list of 198 sets of five of twelve.

    python experiments/designs/stored/search.py [--restarts 8] [--seed 1] > five-of-twelve.toml

Fedorov's exchange (Fedorov 1972, Theory of Optimal Experiments) starts from a random list. It makes
the exchange of one set for another that raises the determinant most, until no exchange raises it.
The best result of several random starts is kept. The list is stored, because other versions of
linear algebra libraries may break ties differently.
"""

from __future__ import annotations

import argparse
from itertools import combinations

import numpy as np

from ethnos_sim.experiments.designs.clan_sets import POINTS, NumberSet, d_efficiency

SIZE = 5
SETS = 198
LEAST_GAIN = 1e-9


def exchange(pairs: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """The indices of `count` rows of `pairs` (shape (candidates, 66)) that no exchange improves."""
    chosen = np.zeros(len(pairs), bool)
    chosen[random.permutation(len(pairs))[:count]] = True
    while True:
        inverse = np.linalg.inv(pairs[chosen].T @ pairs[chosen])
        leaving, entering = np.flatnonzero(chosen), np.flatnonzero(~chosen)
        weighted = pairs @ inverse
        leverage = np.einsum("ij,ij->i", weighted, pairs)
        shared = weighted[leaving] @ pairs[entering].T
        gain = (1 + leverage[entering])[None, :] * (1 - leverage[leaving])[:, None] + shared**2
        row, column = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[row, column] <= 1 + LEAST_GAIN:
            return leaving
        chosen[leaving[row]], chosen[entering[column]] = False, True


def main() -> None:
    """Search, and print the best list as TOML."""
    parser = argparse.ArgumentParser(description="Search a D-optimal list of sets of five.")
    parser.add_argument("--restarts", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    candidates: list[NumberSet] = list(combinations(range(POINTS), SIZE))
    first, second = np.triu_indices(POINTS, 1)
    present = np.array(
        [[float(point in candidate) for point in range(POINTS)] for candidate in candidates]
    )
    pairs = present[:, first] * present[:, second]
    random = np.random.default_rng(given.seed)
    lists = [
        [candidates[number] for number in exchange(pairs, SETS, random)]
        for _ in range(given.restarts)
    ]
    best = max(lists, key=lambda sets: d_efficiency(sets, candidates))
    print(f"# {SETS} of the {len(candidates)} sets of five of the numbers 0 to 11, by search.py")
    print(f"# ({given.restarts} beginnings, seed {given.seed}).")
    print(f"d_efficiency = {d_efficiency(best, candidates):.4f}")
    print("sets = [")
    for numbers in best:
        print(f"    [{', '.join(map(str, numbers))}],")
    print("]")


if __name__ == "__main__":
    main()
