"""The parts of a sweep: partitions, their cells, and shards, which are played in one piece.

A cell is one rule set, edition, mode, player count, clan set and line-up; in solo one strategy
faces Bruno. All cells of a partition play the same rounds. A shard is a range of rounds of all
cells of a partition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, PlainSerializer, PlainValidator

from ethnos_sim.simulator.game.records import MAX_PLAYERS, ORDINARY
from ethnos_sim.simulator.tables.modes import SOLO
from ethnos_sim.simulator.tables.table import number_of_sides

#: A name in a partition's folder, without characters that lead out of the sweep's folder.
_NAME = "[a-z0-9_-]{1,60}"
_FOLDER = re.compile(
    rf"edition=({_NAME})/players=([1-{MAX_PLAYERS}])/mode=({_NAME})(?:/rules=({_NAME}))?"
)


@dataclass(frozen=True, slots=True, order=True)
class Partition:
    """The cells of one edition, number of players, mode and rule set: their tables share a folder.

    `rules` is the name of the rule set, which is empty if the sweep has only one rule set.
    """

    edition: str
    players: int
    mode: str
    rules: str = ""

    @property
    def path(self) -> str:
        """The folder below `games/` and `seats/`."""
        named = f"/rules={self.rules}" if self.rules else ""
        return f"edition={self.edition}/players={self.players}/mode={self.mode}{named}"

    @classmethod
    def from_path(cls, path: str) -> Partition:
        """The partition of a folder; ValueError if the path is not that of a partition."""
        match = _FOLDER.fullmatch(path)
        if match is None:
            raise ValueError(f"{path!a} is not a folder of a partition")
        edition, players, mode, rules = match.groups("")
        return cls(edition, int(players), mode, rules)

    @property
    def solo(self) -> bool:
        """Whether one player faces Bruno in the games of this partition."""
        return self.mode in SOLO

    @property
    def sides(self) -> int:
        """The number of rows of a game in `seats`: one per player, and in solo one for Bruno."""
        return number_of_sides(self.players)


PartitionPath = Annotated[
    Partition, PlainValidator(Partition.from_path), PlainSerializer(lambda part: part.path)
]
"""A partition, which plan.json stores as the path of its folder."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A line-up at a clan set of a partition: one combination that is played.

    number      the cell's number in every table
    clan_set    number of the clan set among the sets of its partition; clans: its clans
    line_up     the strategy of each line-up entry, one for each player
    rotations   number of different seatings of the line-up; each deal is played in all of them
    population  the population that the line-up was drawn from or stands for, or ""
    weight      factor on the games of a round, for a line-up that was drawn several times
    kind        one of KINDS: whether every seat gives up a clan
    """

    number: int
    partition: Partition
    clan_set: int
    clans: tuple[str, ...]
    line_up: tuple[str, ...]
    rotations: int
    population: str = ""
    weight: int = 1
    kind: str = ORDINARY

    @property
    def games_per_round(self) -> int:
        """The number of games of a round, in which each strategy has each seat equally often."""
        return self.partition.players * self.weight

    @property
    def deals_per_round(self) -> int:
        """The number of deals of a round; each deal is played in all rotations."""
        return self.games_per_round // self.rotations


def pack_cells(cells: Iterable[Cell]) -> dict[str, Any]:
    """The content of plan.json that stores cells, in the order of their numbers.

    Values that many cells share are listed once. A cell is stored as indices into these lists.
    """
    shared: tuple[dict[object, int], ...] = ({}, {}, {})
    rows = [
        [numbers.setdefault(key, len(numbers)) for numbers, key in zip(shared, keys, strict=True)]
        for cell in cells
        for keys in [
            (
                cell.partition.path,
                (cell.clan_set, cell.clans),
                (cell.line_up, cell.rotations, cell.population, cell.weight, cell.kind),
            )
        ]
    ]
    names = ("partitions", "clan_sets", "line_ups")
    keys_by_name = {name: [*numbers] for name, numbers in zip(names, shared, strict=True)}
    return keys_by_name | {"cells": rows}


def unpack_cells(content: Mapping[str, Any]) -> tuple[Cell, ...]:
    """The cells of the content that `pack_cells` makes."""
    partitions = [Partition.from_path(path) for path in content["partitions"]]
    clan_sets = [(number, tuple(clans)) for number, clans in content["clan_sets"]]
    line_ups = [(tuple(names), *others) for names, *others in content["line_ups"]]
    return tuple(
        Cell(number, partitions[partition], *clan_sets[clan_set], *line_ups[line_up])
        for number, (partition, clan_set, line_up) in enumerate(content["cells"])
    )


Cells = Annotated[tuple[Cell, ...], PlainValidator(unpack_cells), PlainSerializer(pack_cells)]
"""All cells of a plan, which plan.json stores as `pack_cells` says."""


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """The rounds `first_round` ... `first_round + rounds - 1` of all cells of a partition."""

    partition: PartitionPath
    first_round: Annotated[int, Field(ge=0, lt=2**32)]
    rounds: Annotated[int, Field(ge=1, lt=2**32)]

    @property
    def end_round(self) -> int:
        """The round after the last round of the shard."""
        return self.first_round + self.rounds

    @property
    def path(self) -> str:
        """The file of this shard below `games/` and `seats/`."""
        name = f"rounds-{self.first_round:08d}-{self.end_round:08d}.parquet"
        return f"{self.partition.path}/{name}"

    def overlaps(self, other: Shard) -> bool:
        """Whether the two shards have a round of a partition in common."""
        return (
            self.partition == other.partition
            and self.first_round < other.end_round
            and other.first_round < self.end_round
        )
