"""Signatures: hashes of the whole-number tables of a small run with a fixed seed.

Every edition, mode and player count has a signature. All strategies of the library play its games.
It changes with a rule, a strategy or the use of random numbers, but not if code is only moved.
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
from ethnos_sim.experiments.storage.tables import GIVEN_UP_COLUMNS, Columns, batch_columns
from ethnos_sim.reports.gate.files import read_gate_file, write_gate_file
from ethnos_sim.simulator.game.records import MAX_PLAYERS
from ethnos_sim.simulator.rules import EDITIONS, Rules
from ethnos_sim.simulator.tables.modes import MODES, SOLO_CLANS
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.strategies import LineUp, list_strategies
from ethnos_sim.strategies.compiling import STRATEGIES_FOLDER
from ethnos_sim.strategies.compiling_ahead import compile_ahead
from ethnos_sim.strategies.registry import entry_strategies

BUNDLED = Path(__file__).parent / "signatures.toml"
"""The signatures of this program with the printed rules."""

SEED = 20_170_801
DEALS = 6
"""Deals of each line-up. Every deal has its own clan set, and is played in all seatings."""

FAST_ENTRIES = {"lookahead": "lookahead:moves=3:samples=1"}
"""The line-up entries of slow strategies, with parameters that are faster than the defaults."""

HEADING = (
    "Signatures: the SHA-256 of the whole-number tables of a small run with a fixed seed, for each",
    "edition, mode and player count, and the strategies that play. `ethnos-sim check` recomputes",
    "them; a changed one fails until `ethnos-sim check record` records it. Do not edit by hand.",
)


@dataclass(frozen=True, slots=True)
class Signatures:
    """The signatures of partitions, and the strategies that play their games.

    Attributes:
        hashes: the signature of each partition, 64 hexadecimal digits, by `partition_name`.
        strategies: the strategies that play in every partition, in this order.
    """

    hashes: Mapping[str, str]
    strategies: tuple[str, ...]

    def changed_partitions(self, fresh: Signatures) -> tuple[str, ...]:
        """The names of the partitions in `fresh` that have no equal signature here."""
        return tuple(name for name, value in fresh.hashes.items() if self.hashes.get(name) != value)


def playable_partitions() -> tuple[Partition, ...]:
    """All partitions that can be played: 2 to 6 players, and 1 in the solo modes."""
    triples = product(EDITIONS, MODES, range(1, MAX_PLAYERS + 1))
    return tuple(
        Partition(edition, n, mode) for edition, mode, n in triples if is_playable(edition, mode, n)
    )


def partition_name(part: Partition) -> str:
    """The name of a partition, as in "second standard 4"."""
    return f"{part.edition} {part.mode} {part.players}"


def library_strategies() -> tuple[str, ...]:
    """The names of the strategies in the folder `library`, none of plug-ins or users."""
    library = STRATEGIES_FOLDER / "library"
    return tuple(
        strategy.name
        for strategy in list_strategies()
        if library in Path(strategy.functions["turn"].__code__.co_filename).resolve().parents
    )


def compute_signatures(
    partition_rules: Mapping[Partition, Rules], strategies: Sequence[str]
) -> Signatures:
    """The signatures of partitions, computed by playing a small run in each one.

    Args:
        partition_rules: the rules of each partition.
        strategies: the names of the strategies; all play in every partition.
    """
    compile_ahead(strategy for entry in strategies for strategy in entry_strategies(entry))
    hashes = {}
    for part, rules in partition_rules.items():
        digest = sha256()
        for columns in _result_tables(part, rules, strategies):
            _hash_columns(digest.update, columns)
        hashes[partition_name(part)] = digest.hexdigest()
    return Signatures(hashes, tuple(strategies))


def read_signatures(path: Path) -> Signatures:
    """Read stored signatures; WrongInput if the file has none."""
    content = read_gate_file(path, "signature file")
    try:
        return Signatures(dict(content["signatures"]), tuple(content["strategies"]))
    except (KeyError, TypeError, ValueError) as error:
        raise WrongInput(f"'{path}' has no signatures") from error


def write_signatures(path: Path, signatures: Signatures) -> None:
    """Write signatures to their file; Failed if that is impossible."""
    content = {"strategies": list(signatures.strategies), "signatures": dict(signatures.hashes)}
    write_gate_file(path, HEADING, content)


def _result_tables(part: Partition, rules: Rules, strategies: Sequence[str]) -> Iterable[Columns]:
    """The tables `games` and `seats` of a partition, for every line-up and deal."""
    entries = [_line_up_entry(strategy, rules) for strategy in strategies]
    tables: list[GameTable] = []
    line_ups = _line_ups(entries, part.players)
    for number, line_up in enumerate(line_ups):
        seats = LineUp.parse(line_up, part.players, rules).seats()
        sets = (
            [SOLO_CLANS] * DEALS
            if part.solo
            else balanced_sample(rules.clans, rules.clans_in_play(part.players), DEALS, number)
        )
        tables += [
            GameTable.prepare(rules, part.players, part.mode, clans, seats) for clans in sets
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
        for columns_of_table, rows in zip(columns.values(), (1, part.sides), strict=True):
            span = slice(start * rows, end * rows)
            yield {name: values[span] for name, values in columns_of_table.items()}


def _line_ups(entries: Sequence[str], players: int) -> list[list[str]]:
    """Line-ups of `players` entries, each entry in one; the first entries also fill up the last."""
    padded = [*entries, *entries[: -len(entries) % players]]
    return [padded[first : first + players] for first in range(0, len(padded), players)]


def _line_up_entry(strategy: str, rules: Rules) -> str:
    """The line-up entry, with parameters, of a strategy in the signatures' games."""
    if strategy == "specialist":
        return f"specialist:clan={rules.clans[0]}"
    return FAST_ENTRIES.get(strategy, strategy)


def _hash_columns(update: Callable[[bytes], None], columns: Columns) -> None:
    """Hash columns with their names, as 64-bit little-endian numbers whatever their type.

    The column `powers`, what custom powers paid, is left out if it is all 0, so that games by
    printed rules keep their signatures. No seat gives up a clan, so columns on that are left out.
    """
    for name, values in columns.items():
        if name in GIVEN_UP_COLUMNS or (name == "powers" and not values.any()):
            continue
        update(name.encode())
        update(np.ascontiguousarray(values, dtype="<i8").tobytes())
