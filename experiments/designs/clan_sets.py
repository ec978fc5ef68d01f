"""Which clan sets a sweep plays: pure functions from an edition's clans to a list of sets.

A set is a tuple of clan names in the order of the clans given. A design depends on nothing but its
arguments, so the same spec always means the same sets, on every machine and Python version.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np

from ethnos_sim.simulator.errors import WrongInput, nearest
from ethnos_sim.simulator.modes import SOLO, SOLO_CLANS
from ethnos_sim.simulator.rules import Rules, clan_key

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


ClanSet = tuple[str, ...]

#: How many candidates the balanced sample looks at before it takes the best for each place.
CANDIDATES = 24


def all_sets(clans: Sequence[str], size: int) -> list[ClanSet]:
    """Every set of `size` clans: 792 sets of five of twelve, 924 of six."""
    return list(combinations(clans, size))


def sets_with(clans: Sequence[str], size: int, clan: str) -> list[ClanSet]:
    """Every set of `size` clans that has `clan` in it: 330 sets of five of twelve, 462 of six.

    Raises:
        WrongInput: `clan` is not one of `clans`.
    """
    if clan not in clans:
        raise WrongInput(f"there is no clan '{clan}'{nearest(clan, clans)}")
    return [clan_set for clan_set in combinations(clans, size) if clan in clan_set]


def steiner_sets(clans: Sequence[str]) -> list[ClanSet]:
    """The 132 hexads of twelve clans: each clan in 66, each pair of clans in 30.

    Of another number of clans a balanced sample of as many sets stands for them.
    """
    return _named(clans, hexads())


def optimal_sets(clans: Sequence[str]) -> list[ClanSet]:
    """The stored D-optimal list of 198 sets of five of twelve clans.

    Of another number of clans a balanced sample of as many sets stands for it.
    """
    return _named(clans, optimal_fives())


def _named(clans: Sequence[str], sets: Sequence[NumberSet]) -> list[ClanSet]:
    """Sets of numbers as sets of twelve clans; of fewer or more clans a sample of as many sets."""
    size = len(sets[0])
    if len(clans) != POINTS:
        return balanced_sample(clans, size, min(len(sets), comb(len(clans), size)), seed=1)
    return [tuple(clans[number] for number in numbers) for numbers in sets]


def sets_in_turn(
    rules: Rules, players: int, mode: str, clans: Sequence[str] | None, *, count: int, seed: int
) -> list[ClanSet]:
    """The clan sets that take turns from deal to deal.

    That is the set of the clans given, solo's own, or else a balanced sample of `count` sets, of
    all where there are fewer. The order in which somebody names the clans decides nothing.
    """
    if clans is not None:
        return [tuple(sorted(map(clan_key, clans)))]
    if mode in SOLO:
        return [SOLO_CLANS]
    size = rules.clans_in_play(players)
    return balanced_sample(rules.clans, size, min(count, comb(len(rules.clans), size)), seed)


def balanced_sample(clans: Sequence[str], size: int, count: int, seed: int) -> list[ClanSet]:
    """A seeded sample of `count` different sets in which all clans appear nearly equally often.

    Each next set takes the clans that appeared least so far; among several such sets the one whose
    pairs of clans met least. When more than half of all sets are asked for, the sets to leave out
    are sampled instead. Clans appear equally often up to one, except where so many sets are taken
    that only a set used before would keep that; then up to two.

    Raises:
        WrongInput: there are fewer than `count` different sets.
    """
    total = comb(len(clans), size)
    if not 1 <= count <= total:
        raise WrongInput(f"a sample of {count} was asked for; there are {total} sets of {size}")
    numbers = range(len(clans))
    if 2 * count > total:
        left_out = set(_balanced(len(clans), size, total - count, seed))
        chosen = [taken for taken in combinations(numbers, size) if taken not in left_out]
    else:
        chosen = _balanced(len(clans), size, count, seed)
    return [tuple(clans[number] for number in numbers_of_set) for numbers_of_set in chosen]


@functools.cache
def _balanced(clans: int, size: int, count: int, seed: int) -> list[tuple[int, ...]]:
    """`count` different sets of clan numbers with even counts of clans, then of pairs."""
    appeared = [0] * clans
    met = [[0] * clans for _ in range(clans)]
    chosen: list[tuple[int, ...]] = []
    used: set[tuple[int, ...]] = set()
    while len(chosen) < count:
        candidates = [
            _candidate(appeared, size, (seed, size, len(chosen), attempt))
            for attempt in range(CANDIDATES)
        ]
        fresh = [candidate for candidate in candidates if candidate not in used]
        if not fresh:
            unused = (each for each in combinations(range(clans), size) if each not in used)
            fresh = [min(unused, key=lambda each: sum(appeared[clan] for clan in each))]
        best = min(fresh, key=lambda each: sum(met[a][b] ** 2 for a, b in combinations(each, 2)))
        chosen.append(best)
        used.add(best)
        for clan in best:
            appeared[clan] += 1
        for first, second in combinations(best, 2):
            met[first][second] += 1
    return chosen


def _candidate(
    appeared: Sequence[int], size: int, key: tuple[int, int, int, int]
) -> tuple[int, ...]:
    order = sorted(range(len(appeared)), key=lambda clan: (appeared[clan], drawn_bytes(*key, clan)))
    return tuple(sorted(order[:size]))


def drawn_bytes(*parts: object) -> bytes:
    """Sixteen bytes that depend on the parts alone: randomness without a state."""
    return blake2b(repr(parts).encode(), digest_size=16).digest()
