"""Named populations: mixtures of strategies that line-ups are drawn from, kept as data.

A balance number depends on who plays. Specs name a population instead of listing line-ups, and
`ethnos-sim strategies rate` makes the three that reports compare: `uniform` (every rated strategy
equally), `equilibrium` (the equilibrium mixture) and `strongest` (the best rating alone). Each
keeps the command that made it. Those of the package stand beside this file, in `populations.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.designs.draws import Seating, draw_line_ups
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.simulator.errors import WrongInput, nearest
from ethnos_sim.simulator.reading import read_toml

BUNDLED = Path(__file__).resolve().parent / "populations.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """A mixture of strategies for an edition and a number of players, and where it comes from.

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
        """What tells populations of a file apart."""
        return self.edition, self.players, self.name

    def line_ups(self, players: int, count: int, seed: object) -> dict[tuple[str, ...], int]:
        """Line-ups drawn from the mixture, and how often each was drawn (`draw_line_ups`)."""
        names = list(self.weights)
        drawn = draw_line_ups(list(self.weights.values()), players, count, seed)

        def named(seating: Seating) -> tuple[str, ...]:
            return tuple(names[number] for number in seating)

        return {named(seating): times for seating, times in drawn.items()}


def even_population(strategies: Iterable[str], edition: str, players: int, mode: str) -> Population:
    """A population of the strategies given, each as often as it is named."""
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
        WrongInput: the file cannot be read, or is not such a file.
    """
    content = read_toml(path, "file of populations")
    try:
        return tuple(_population(dict(table)) for table in content["populations"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WrongInput(f"'{path}' holds no populations ({error})") from error


def _population(table: dict[str, Any]) -> Population:
    """A population as it stands in the file."""
    weights = {name: float(weight) for name, weight in table.pop("weights").items()}
    if not weights or min(weights.values()) < 0 or max(weights.values()) <= 0:
        raise ValueError(f"the weights of '{table['name']}' make no mixture")
    if not str(table["name"]).isprintable():
        raise ValueError(f"the name {table['name']!a} cannot be printed")
    return Population(weights=weights, **table)


def written(populations: Iterable[Population]) -> str:
    """The text of a file with these populations, by edition, number of players and name."""
    in_order = sorted(populations, key=lambda each: each.key)
    return toml_text({"populations": [asdict(each) for each in in_order]})


def with_populations(path: Path, fresh: Iterable[Population]) -> str:
    """The text of a file (which may be missing) with fresh populations in place of older ones."""
    kept = {each.key: each for each in read_populations(path)} if path.exists() else {}
    kept.update({each.key: each for each in fresh})
    return written(kept.values())


def find_population(name: str, edition: str, players: int, path: Path = BUNDLED) -> Population:
    """The population of this name for an edition, with the nearest number of players.

    Of two numbers of players as near the smaller counts.

    Raises:
        WrongInput: there is none of this name, or none for this edition.
    """
    known = read_populations(path)
    names = sorted({each.name for each in known})
    if name not in names:
        raise WrongInput(f"there is no population '{name}'{nearest(name, names)}")
    fitting = [each for each in known if each.name == name and each.edition == edition]
    if not fitting:
        raise WrongInput(f"the population '{name}' was made for no player count of '{edition}'")
    return min(fitting, key=lambda each: (abs(each.players - players), each.players))
