"""Named populations: mixtures of strategies that line-ups are drawn from, kept as data.

A balance number depends on the strategies that play. Specs can name a population instead of listing
line-ups. `ethnos-sim strategies rate` makes the three populations that reports compare: `uniform`
(every rated strategy equally), `equilibrium` (the equilibrium mixture) and `strongest` (only the
strategy with the best rating). Each population stores the command that made it. The package's
populations are in `populations.toml` beside this file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, combinations_with_replacement
from math import comb
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.designs.clan_sets import drawn_bytes
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.simulator.utilities.errors import WrongInput, nearest
from ethnos_sim.simulator.utilities.reading import read_toml

Seating = tuple[int, ...]
"""A line-up as the numbers of its strategies, seat by seat."""

#: A tournament plays at most this many tables of three or more different strategies.
MOST_MIXED = 400


def seats_by_weight(weights: Sequence[float], seats: int) -> list[int]:
    """Share seats between strategies in proportion to weights, by largest remainders."""
    whole = sum(weights)
    exact = [seats * weight / whole for weight in weights]
    shares = [int(part) for part in exact]
    order = sorted(range(len(exact)), key=lambda number: shares[number] - exact[number])
    for number in order[: seats - sum(shares)]:
        shares[number] += 1
    return shares


def rotated(seating: Sequence[int]) -> Seating:
    """The smallest of a seating's rotations, which count as the same line-up."""
    doubled = [*seating, *seating]
    size = len(seating)
    return min(tuple(doubled[start : start + size]) for start in range(size))


def draw_line_ups(
    weights: Sequence[float], players: int, count: int, seed: object
) -> dict[Seating, int]:
    """Draw line-ups at random from a mixture, and count how often each was drawn.

    The seats of all line-ups together are shared by weight as evenly as whole seats allow, then
    shuffled. Line-ups that are rotations of one another count as one.

    Args:
        weights: the weight of each strategy, 0 or more, not all 0.
        players: the number of seats of a line-up.
        count: the number of line-ups to draw.
        seed: any value with a stable `repr`; decides the shuffle.
    """
    seat_counts = seats_by_weight(weights, players * count)
    bag = [number for number, seats in enumerate(seat_counts) for _ in range(seats)]
    shuffled = [
        bag[place] for place in sorted(range(len(bag)), key=lambda at: drawn_bytes(seed, at))
    ]
    drawn = Counter(
        rotated(shuffled[first : first + players]) for first in range(0, len(bag), players)
    )
    return dict(sorted(drawn.items()))


def tournament_line_ups(strategies: int, players: int, seed: int) -> list[Seating]:
    """The tables of a tournament: every table of two strategies, and tables of three or more.

    Two strategies meet in all proportions, from 1 against n - 1 to n - 1 against 1. Tables of three
    or more different strategies are all played where there are at most MOST_MIXED. Else MOST_MIXED
    tables are drawn, with each strategy in equally many seats (up to one). The strategies of a
    table are in the order of their numbers.
    """
    pairs = [
        (first,) * count + (second,) * (players - count)
        for first, second in combinations(range(strategies), 2)
        for count in range(1, players)
    ]
    tables = comb(strategies + players - 1, players)
    mixed = tables - strategies - len(pairs)
    if mixed <= MOST_MIXED:
        seatings = set(combinations_with_replacement(range(strategies), players))
    else:
        drawn = draw_line_ups([1.0] * strategies, players, MOST_MIXED, ("tournament", seed))
        seatings = {tuple(sorted(seating)) for seating in drawn}
    return pairs + sorted(seating for seating in seatings if len(set(seating)) > 2)


BUNDLED = Path(__file__).resolve().parent / "populations.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """A mixture of strategies for an edition and a number of players, and its source.

    weights    each strategy's part of the seats, by its name with its settings; in any unit
    mode       the mode in which the strategies were rated
    command    the command that made the population; seed: its seed
    """

    name: str
    edition: str
    players: int
    mode: str
    weights: Mapping[str, float]
    command: str
    seed: int

    @property
    def key(self) -> tuple[str, int, str]:
        """The key of a population in a file."""
        return self.edition, self.players, self.name

    def line_ups(self, players: int, count: int, seed: object) -> dict[tuple[str, ...], int]:
        """Line-ups drawn from the mixture, and how often each was drawn (`draw_line_ups`)."""
        names = list(self.weights)
        drawn = draw_line_ups(list(self.weights.values()), players, count, seed)

        def named(seating: Seating) -> tuple[str, ...]:
            return tuple(names[number] for number in seating)

        return {named(seating): times for seating, times in drawn.items()}


def even_population(strategies: Iterable[str], edition: str, players: int, mode: str) -> Population:
    """A population of the given strategies, weighted by how often each is named."""
    names = [name.strip() for name in strategies]
    weights = {name: float(names.count(name)) for name in names}
    return Population(
        name=",".join(names),
        edition=edition,
        players=players,
        mode=mode,
        weights=weights,
        command="",
        seed=0,
    )


def read_populations(path: Path = BUNDLED) -> tuple[Population, ...]:
    """The populations of a file.

    Raises:
        WrongInput: the file cannot be read, or is not a file of populations.
    """
    content = read_toml(path, "file of populations")
    try:
        return tuple(_population(dict(table)) for table in content["populations"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WrongInput(f"'{path}' holds no populations ({error})") from error


def _population(table: dict[str, Any]) -> Population:
    weights = {name: float(weight) for name, weight in table.pop("weights").items()}
    if not weights or min(weights.values()) < 0 or max(weights.values()) <= 0:
        raise ValueError(f"the weights of '{table['name']}' are not those of a mixture")
    if not str(table["name"]).isprintable():
        raise ValueError(f"the name {table['name']!a} cannot be printed")
    return Population(weights=weights, **table)


def written(populations: Iterable[Population]) -> str:
    """The text of a file with these populations, sorted by edition, number of players and name."""
    in_order = sorted(populations, key=lambda population: population.key)
    return toml_text({"populations": [asdict(population) for population in in_order]})


def with_populations(path: Path, fresh: Iterable[Population]) -> str:
    """The text of a file, which may not exist yet, with fresh populations replacing older ones."""
    before = read_populations(path) if path.exists() else ()
    kept = {population.key: population for population in (*before, *fresh)}
    return written(kept.values())


def find_population(name: str, edition: str, players: int, path: Path = BUNDLED) -> Population:
    """The population of this name for an edition, with the nearest number of players.

    Of two equally near numbers of players, the smaller one is taken.

    Raises:
        WrongInput: there is no population of this name, or none for this edition.
    """
    known = read_populations(path)
    names = sorted({population.name for population in known})
    if name not in names:
        raise WrongInput(f"there is no population '{name}'{nearest(name, names)}")
    fitting = [
        population
        for population in known
        if population.name == name and population.edition == edition
    ]
    if not fitting:
        raise WrongInput(f"the population '{name}' was made for no player count of '{edition}'")
    return min(
        fitting, key=lambda population: (abs(population.players - players), population.players)
    )
