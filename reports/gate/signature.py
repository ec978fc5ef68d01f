"""Signatures: hashes of the whole-number tables of a small run with a fixed seed.

Every edition, mode and player count has a signature over all strategies of the library. It changes
with a rule, a strategy or the use of random numbers, but not if code is renamed or reordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.designs.clan_sets import balanced_sample
from ethnos_sim.experiments.plans.cells import Partition
from ethnos_sim.experiments.specs.checks import is_playable
from ethnos_sim.experiments.storage.tables import GIVEN_UP, Columns, batch_columns
from ethnos_sim.reports.gate.files import read_file, write_file
from ethnos_sim.simulator.game.records import MAX_PLAYERS
from ethnos_sim.simulator.rules import EDITIONS, Rules
from ethnos_sim.simulator.tables.modes import MODES, SOLO_CLANS
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.strategies import LineUp, list_strategies
from ethnos_sim.strategies.compiling import STRATEGIES_FOLDER
from ethnos_sim.strategies.compiling_ahead import compile_ahead
from ethnos_sim.strategies.registry import played_by

BUNDLED = Path(__file__).parent / "signatures.toml"
"""The signatures of this program with the printed rules."""

SEED = 20_170_801
DEALS = 6
"""Deals of each line-up. Every deal has its own clan set, and is played in all seatings."""

SETTINGS = {"lookahead": ("lookahead:moves=3:samples=1",)}
"""Strategies that do not play with their default parameters, but with values that are fast."""

HEADING = (
    "Signatures: the SHA-256 of the whole-number tables of a small run with a fixed seed, for each",
    "edition, mode and player count, and the strategies that play. `ethnos-sim check` recomputes",
    "them; a changed one fails until `ethnos-sim check record` records it. Do not edit by hand.",
)


@dataclass(frozen=True, slots=True)
class Signatures:
    """Signatures with the strategies behind them.

    Attributes:
        hashes: the signatures, sixty-four hex digits each, by name of the partition.
        strategies: the strategies that play in every partition, in this order.
    """

    hashes: Mapping[str, str]
    strategies: tuple[str, ...]

    def changed(self, now: Signatures) -> tuple[str, ...]:
        """The names of partitions whose signature differs from the stored one or was not stored."""
        return tuple(name for name, value in now.hashes.items() if self.hashes.get(name) != value)


def partitions() -> tuple[Partition, ...]:
    """All partitions that make a game: 2 to 6 players, and 1 in the solo modes."""
    kinds = product(EDITIONS, MODES, range(1, MAX_PLAYERS + 1))
    return tuple(
        Partition(edition, n, mode) for edition, mode, n in kinds if is_playable(edition, mode, n)
    )


def name_of(part: Partition) -> str:
    """The name of a partition, as in "second standard 4"."""
    return f"{part.edition} {part.mode} {part.players}"


def library_strategies() -> tuple[str, ...]:
    """The names of all strategies of the library, but not of plug-ins' and users' strategies."""
    library = STRATEGIES_FOLDER / "library"
    return tuple(
        strategy.name
        for strategy in list_strategies()
        if library in Path(strategy.functions["turn"].__code__.co_filename).resolve().parents
    )


def compute_signatures(wanted: Mapping[Partition, Rules], strategies: Sequence[str]) -> Signatures:
    """Play the small run of each partition and hash its tables.

    Args:
        wanted: the rules in force in each partition.
        strategies: names of the strategies; all play in every partition.
    """
    compile_ahead(strategy for entry in strategies for strategy in played_by(entry))
    hashes = {}
    for part, rules in wanted.items():
        digest = sha256()
        for columns in _tables(part, rules, strategies):
            _add(digest.update, columns)
        hashes[name_of(part)] = digest.hexdigest()
    return Signatures(hashes, tuple(strategies))


def read_signatures(path: Path) -> Signatures:
    """Read stored signatures; WrongInput if the file holds none."""
    content = read_file(path, "signatures")
    try:
        return Signatures(dict(content["signatures"]), tuple(content["strategies"]))
    except (KeyError, TypeError, ValueError) as error:
        raise WrongInput(f"'{path}' holds no signatures") from error


def write_signatures(path: Path, signatures: Signatures) -> None:
    """Write signatures to their file; Failed if that is impossible."""
    content = {
        "strategies": list(signatures.strategies),
        "signatures": dict(signatures.hashes),
    }
    write_file(path, HEADING, content)


def _tables(place: Partition, rules: Rules, strategies: Sequence[str]) -> Iterable[Columns]:
    """The tables `games` and `seats` of each deal of each line-up of a place."""
    names = [entry for name in strategies for entry in _entries(name, rules)]
    tables: list[GameTable] = []
    line_ups = _line_ups(names, place.players)
    for number, line_up in enumerate(line_ups):
        seats = LineUp.parse(line_up, place.players, rules).seats()
        sets = (
            [SOLO_CLANS] * DEALS
            if place.solo
            else balanced_sample(rules.clans, rules.clans_in_play(place.players), DEALS, number)
        )
        tables += [
            GameTable.prepare(rules, place.players, place.mode, clans, seats) for clans in sets
        ]
    prepared, deals = PreparedTables(tables), np.arange(len(tables))
    works = prepared.deal_rows(deals, deals, 1, SEED)
    games, sides = prepared.play(works)
    deal = np.repeat(deals, works["games"])
    columns = batch_columns(
        deal // DEALS, games, sides.reshape(games.size, -1), tables[0], prepared.home_slots[deal]
    )
    ends = works["games"].cumsum()
    for start, end in zip(ends - works["games"], ends, strict=True):
        for columns_of_table, rows in zip(columns.values(), (1, place.sides), strict=True):
            part = slice(start * rows, end * rows)
            yield {name: values[part] for name, values in columns_of_table.items()}


def _line_ups(names: Sequence[str], players: int) -> list[list[str]]:
    """Seat every name once, `players` at a table; the first names fill up the last table."""
    padded = [*names, *names[: -len(names) % players]]
    return [padded[first : first + players] for first in range(0, len(padded), players)]


def _entries(name: str, rules: Rules) -> tuple[str, ...]:
    """The line-up entries, with parameters, by which a strategy plays in the signatures' games."""
    if name == "specialist":
        return (f"specialist:clan={rules.clans[0]}",)
    return SETTINGS.get(name, (name,))


def _add(update: Callable[[bytes], None], columns: Columns) -> None:
    """Hash columns with their names, as 64-bit little-endian numbers whatever their type.

    The column of custom powers' pay is hashed only if there is any, so that it does not change the
    signatures of printed rules. No seat of these games gives up a clan.
    """
    for name, values in columns.items():
        if name in GIVEN_UP or (name == "powers" and not values.any()):
            continue
        update(name.encode())
        update(np.ascontiguousarray(values, dtype="<i8").tobytes())
