"""Line-ups drawn from a mixture of strategies: as even as seats allow, and the same every time.

Like designs of clan sets these are pure functions: the same arguments mean the same line-ups on
every machine and Python version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from math import comb

from ethnos_sim.experiments.designs.clan_sets import drawn_bytes

Seating = tuple[int, ...]
"""A line-up by the strategies' numbers, a seat each."""

#: A tournament plays all tables of three and more different strategies up to this many.
MOST_MIXED = 400


def seats_by_weight(weights: Sequence[float], seats: int) -> list[int]:
    """How many of so many seats each strategy gets: its weight's part, by largest remainders."""
    whole = sum(weights)
    exact = [seats * weight / whole for weight in weights]
    given = [int(part) for part in exact]
    order = sorted(range(len(exact)), key=lambda number: given[number] - exact[number])
    for number in order[: seats - sum(given)]:
        given[number] += 1
    return given


def rotated(seating: Sequence[int]) -> Seating:
    """The same order of play, begun where it reads smallest: rotated line-ups are one line-up."""
    doubled = [*seating, *seating]
    size = len(seating)
    return min(tuple(doubled[start : start + size]) for start in range(size))


def draw_line_ups(
    weights: Sequence[float], players: int, count: int, seed: object
) -> dict[Seating, int]:
    """Line-ups whose seats are filled by chance from a mixture, and how often each was drawn.

    The seats of all line-ups together are dealt out by weight as evenly as whole seats allow, then
    shuffled. Line-ups that are rotations of one another count as one.

    Args:
        weights: of each strategy, 0 or more, not all 0.
        players: seats of a line-up.
        count: line-ups to draw.
        seed: any value with a stable `repr`; decides the shuffle.
    """
    given = seats_by_weight(weights, players * count)
    bag = [number for number, seats in enumerate(given) for _ in range(seats)]
    shuffled = [
        bag[place] for place in sorted(range(len(bag)), key=lambda at: drawn_bytes(seed, at))
    ]
    drawn = Counter(
        rotated(shuffled[first : first + players]) for first in range(0, len(bag), players)
    )
    return dict(sorted(drawn.items()))


def tournament_line_ups(strategies: int, players: int, seed: int) -> list[Seating]:
    """The tables of a tournament: every table of two strategies, and tables of three and more.

    Of two strategies all shares of the table are played, 1 against n - 1 to n - 1 against 1. Tables
    of three and more different strategies are all played where there are at most MOST_MIXED; else
    that many seats' worth of tables is drawn, each strategy in equally many seats (up to one).
    A table is in order of the strategies' numbers.
    """
    pairs = [
        (first,) * count + (second,) * (players - count)
        for first, second in combinations(range(strategies), 2)
        for count in range(1, players)
    ]
    tables = comb(strategies + players - 1, players)
    mixed = tables - strategies - len(pairs)
    if mixed <= MOST_MIXED:
        found = set(combinations_with_replacement(range(strategies), players))
    else:
        drawn = draw_line_ups([1.0] * strategies, players, MOST_MIXED, ("tournament", seed))
        found = {tuple(sorted(seating)) for seating in drawn}
    return pairs + sorted(seating for seating in found if len(set(seating)) > 2)
