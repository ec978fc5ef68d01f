"""Designs of clan sets that mathematics offers for twelve clans: hexads of six, a list of fives.

Both stand for all sets of their size where main effects and pairs of clans are wanted: the hexads
carry as much information a set as all 924, the stored fives nearly as much as all 792.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

#: Points of the projective line over the field of eleven elements; INFINITY is the twelfth.
PRIME = 11
INFINITY = PRIME
POINTS = PRIME + 1

#: The block whose images are the hexads: infinity and the squares of the field.
FIRST_HEXAD = (INFINITY, 1, 3, 4, 5, 9)

OPTIMAL_FIVES = Path(__file__).parent / "stored" / "five-of-twelve.toml"

NumberSet = tuple[int, ...]


@cache
def hexads() -> tuple[NumberSet, ...]:
    """The 132 hexads of the Steiner system S(5,6,12) as sets of the numbers 0 to 11, in order.

    They are the images of FIRST_HEXAD under PSL(2,11), which x + 1 and -1/x generate. Any five
    points lie in exactly one of them; each point is in 66 and each pair in 30. (Carmichael 1931;
    Conway and Sloane, Sphere Packings, Lattices and Groups, chapter 11.)
    """
    found = {tuple(sorted(FIRST_HEXAD))}
    waiting = list(found)
    while waiting:
        hexad = waiting.pop()
        for image in (_moved(hexad), _inverted(hexad)):
            if image not in found:
                found.add(image)
                waiting.append(image)
    return tuple(sorted(found))


def _moved(points: NumberSet) -> NumberSet:
    """The image of a set under x + 1, which leaves infinity where it is."""
    return tuple(sorted(INFINITY if x == INFINITY else (x + 1) % PRIME for x in points))


def _inverted(points: NumberSet) -> NumberSet:
    """The image of a set under -1/x, which swaps 0 and infinity."""
    swapped = {0: INFINITY, INFINITY: 0}
    return tuple(sorted(swapped[x] if x in swapped else -pow(x, -1, PRIME) % PRIME for x in points))


@cache
def optimal_fives() -> tuple[NumberSet, ...]:
    """The stored list of 198 sets of five of the numbers 0 to 11.

    `experiments/designs/stored/search.py` found it by exchanging sets until no exchange gave more.
    """
    stored = tomllib.loads(OPTIMAL_FIVES.read_text(encoding="utf-8"))
    return tuple(tuple(numbers) for numbers in stored["sets"])


def information(sets: Sequence[NumberSet]) -> np.ndarray:
    """The information a set on constant, main effects and pairs together (shape (66, 66)).

    All sets have one size, so the 66 indicators of pairs span the whole model: a clan's indicator
    is the sum of those of its pairs over size - 1.
    """
    first, second = np.triu_indices(POINTS, 1)
    present = np.zeros((len(sets), POINTS))
    for row, numbers in enumerate(sets):
        present[row, list(numbers)] = 1.0
    pairs = present[:, first] * present[:, second]
    return np.asarray(pairs.T @ pairs / len(sets))


def d_efficiency(sets: Sequence[NumberSet], reference: Sequence[NumberSet]) -> float:
    """How much information a set gives, against a reference: the 66th root of determinants' ratio.

    0 where the sets cannot tell all 66 parameters apart.
    """
    own_sign, own = np.linalg.slogdet(information(sets))
    _, theirs = np.linalg.slogdet(information(reference))
    return float(np.exp((own - theirs) / information(reference).shape[0])) if own_sign > 0 else 0.0
