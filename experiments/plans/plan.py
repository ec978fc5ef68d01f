"""The plan of a sweep: every cell that is played, frozen and hashed, and the shards.

Games are planned in rounds. A round is `players` games of a cell, so that every strategy sits in
every seat equally often, whatever the line-up. A line-up of `rotations` different seatings plays
each deal `rotations` times, and thus `players / rotations` deals in a round. All cells of a
partition play the same rounds. A round of a line-up that was drawn several times from a population
has more games.

`plan_id` identifies the games. It does not depend on how many are played (`rounds`) or on how they
are cut into shards. So a folder can be given more rounds later, and a game does not depend on its
shard.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from math import floor
from typing import Any

from ethnos_sim.experiments.plans.cells import (
    Cell,
    Cells,
    Partition,
    PartitionPath,
    Shard,
    pack_cells,
)
from ethnos_sim.experiments.plans.combinations import cells_of_spec
from ethnos_sim.experiments.plans.hashes import kernel_hash, package_version, strategy_hashes
from ethnos_sim.experiments.specs.spec import Spec
from ethnos_sim.simulator.rules import Rules, load_rules
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.strategies.registry import split_entry

__all__ = [
    "Cell",
    "EditionRules",
    "Partition",
    "Plan",
    "Shard",
    "canonical_json",
    "make_plan",
    "missing_shards",
]

#: The version of the layout of plan.json, manifest and tables. No other version can be read.
FORMAT = 10
MOST_CELLS = 2**24
MOST_GAMES_OF_A_CELL = 2**32

#: About how many shards a sweep is cut into, and the fewest games that are worth a file.
SHARDS, LEAST_GAMES_OF_A_SHARD = 32, 1_000
#: The most games of a shard, unless one round has more: a thread holds a shard's rows in memory,
#: about 1.3 kB a game with four players.
MOST_GAMES_OF_A_SHARD = 25_000
#: The most games of a shard in which a strategy looks ahead: about half a minute of play.
MOST_GAMES_AHEAD = 100


@dataclass(frozen=True)
class EditionRules:
    """The rules of one edition in a plan, with all values resolved.

    `name` is the name of the rule set, empty where the plan has only one rule set.
    """

    edition: str
    rules_id: str
    values: Mapping[str, Any]
    name: str = ""

    @classmethod
    def make(cls, rules: Rules, name: str = "") -> EditionRules:
        """Rules as a plan stores them."""
        return cls(rules.edition, rules.rules_id, rules.trace_values(), name)

    @property
    def key(self) -> str:
        """The name of the rules: the edition, followed by the rule set's name if it has one."""
        return f"{self.edition}/{self.name}" if self.name else self.edition

    @cached_property
    def rules(self) -> Rules:
        """The rules; WrongInput where this version of the program cannot make them."""
        return load_rules(self.edition, overrides=self.values)


@dataclass(frozen=True)
class Plan:
    """Everything that decides what a sweep plays. Made by `make_plan` or `plan_file.read_plan`.

    `version` is the version of the program that made the plan. `shard_games` is the most games of a
    shard, for partitions that differ from `usual_shard_games`. `sensitivity` says that the rule
    sets are possible readings of the rules, not changes of them.
    """

    name: str
    seed: int
    version: str
    kernel: str
    editions: tuple[EditionRules, ...]
    strategies: Mapping[str, str]
    cells: Cells
    rounds: Mapping[PartitionPath, int]
    shard_games: Mapping[PartitionPath, int] = field(default_factory=dict)
    sensitivity: bool = False

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that games depend on: two plans with equal identity play the same games."""
        return {
            "format": FORMAT,
            "seed": self.seed,
            "kernel": self.kernel,
            "rules": {rules.key: (rules.rules_id, rules.values) for rules in self.editions},
            "strategies": dict(self.strategies),
            "cells": pack_cells(self.cells),
        }

    @cached_property
    def plan_id(self) -> str:
        """Sixteen hex digits of the SHA-256 of the identity as canonical JSON."""
        return sha256(canonical_json(self.identity).encode()).hexdigest()[:16]

    @cached_property
    def cells_of(self) -> Mapping[Partition, tuple[Cell, ...]]:
        """The cells of each partition, in the order of their numbers."""
        by_partition: dict[Partition, list[Cell]] = {}
        for cell in self.cells:
            by_partition.setdefault(cell.partition, []).append(cell)
        return {partition: tuple(cells) for partition, cells in by_partition.items()}

    @property
    def games(self) -> int:
        """The number of games of the planned rounds."""
        return sum(rounds * self.games_per_round(part) for part, rounds in self.rounds.items())

    @property
    def usual_shard_games(self) -> int:
        """The most games of a shard, unless one round has more; `shard_games` overrides it."""
        return min(MOST_GAMES_OF_A_SHARD, max(LEAST_GAMES_OF_A_SHARD, -(-self.games // SHARDS)))

    def games_per_round(self, partition: Partition) -> int:
        """The number of games of one round of all cells of a partition."""
        return sum(cell.games_per_round for cell in self.cells_of[partition])

    def games_of(self, shard: Shard) -> int:
        """The number of games of a shard."""
        return shard.rounds * self.games_per_round(shard.partition)

    def rules_of(self, partition: Partition) -> Rules:
        """The rules that a partition is played with, as they were resolved for the plan.

        Raises:
            WrongInput: this version of the program cannot make these rules.
        """
        here = partition.edition, partition.rules
        return next(entry.rules for entry in self.editions if (entry.edition, entry.name) == here)

    @property
    def extent_text(self) -> str:
        """The numbers of games and cells in words, with a reason if fewer games are impossible."""
        words = f"{self.games:,} games in {len(self.cells):,} cells"
        if any(count > 1 for count in self.rounds.values()):
            return words
        return f"{words}, the fewest possible: in each cell, every player takes every seat once"

    def with_games_per_cell(self, cell_games: Fraction) -> Plan:
        """The same plan with about this many games per cell: whole rounds, and at least one.

        A cell of weight w has w times as many games.
        """
        rounds = _nearest_rounds(self.cells_of, cell_games)
        most = max(rounds[cell.partition] * cell.games_per_round for cell in self.cells)
        if most > MOST_GAMES_OF_A_CELL:
            games = f"{floor(cell_games):,} games in each cell"
            raise WrongInput(f"{games} are too many; a cell has at most {MOST_GAMES_OF_A_CELL:,}")
        return replace(self, rounds=rounds)

    def with_total_games(self, games: int) -> Plan:
        """The same plan with about `games` games, spread over the cells by weight.

        Cells play whole rounds, so the result has the possible number of games that is nearest to
        `games`. The same method with that number of games returns the same plan.
        """
        sizes = {part: self.games_per_round(part) for part in self.cells_of}

        def total_games(half_games: int) -> int:
            """The number of games of the plan with about `half_games` / 2 games per cell."""
            rounds = _nearest_rounds(sizes, Fraction(half_games, 2))
            return sum(count * sizes[part] for part, count in rounds.items())

        half_games = bisect_left(range(2 * games), games, key=total_games)
        below = max(half_games - 1, 0)
        if games - total_games(below) < total_games(half_games) - games:
            half_games = below
        return self.with_games_per_cell(Fraction(half_games, 2))

    def with_shard_games(self, games: int) -> Plan:
        """The same plan with at most `games` games in each shard, unless one round has more."""
        return replace(self, shard_games=dict.fromkeys(self.cells_of, games))

    def with_least_rounds(self, rounds: Mapping[Partition, int]) -> Plan:
        """The same plan with at least as many rounds of each partition as `rounds` says."""
        return replace(
            self,
            rounds={part: max(count, rounds.get(part, 0)) for part, count in self.rounds.items()},
        )


def _nearest_rounds(partitions: Iterable[Partition], cell_games: Fraction) -> dict[Partition, int]:
    """By partition, the number of rounds with about `cell_games` games of each cell, at least 1."""
    return {
        partition: max(1, floor(cell_games / partition.players + Fraction(1, 2)))
        for partition in partitions
    }


def canonical_json(content: object) -> str:
    """JSON with sorted keys, no spaces and only ASCII, so that equal content is equal text."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def make_plan(spec: Spec) -> Plan:
    """The plan of a spec: its rules, strategies and clan sets resolved, its cells numbered.

    Raises:
        WrongInput: the spec has the same cell twice, or too many cells.
    """
    rules = {
        (edition, name): rule_set
        for name, by_edition in spec.rule_sets().items()
        for edition, rule_set in by_edition.items()
    }
    cells = tuple(cells_of_spec(spec, rules))
    if len(cells) > MOST_CELLS:
        raise WrongInput(f"the spec has {len(cells):,} cells; a sweep has at most {MOST_CELLS:,}")
    _check_distinct_cells(cells)
    strategies = sorted({name for cell in cells for name in cell.line_up})
    ahead = {name for name in strategies if split_entry(name)[0].policy is not None}
    played = {(cell.partition.edition, cell.partition.rules) for cell in cells}
    plan = Plan(
        name=spec.name,
        seed=spec.seed,
        version=package_version(),
        kernel=kernel_hash(),
        editions=tuple(EditionRules.make(rules[key], key[1]) for key in rules if key in played),
        strategies=strategy_hashes(strategies),
        cells=cells,
        rounds={},
        shard_games={
            cell.partition: MOST_GAMES_AHEAD for cell in cells if ahead.intersection(cell.line_up)
        },
        sensitivity=spec.sensitivity,
    )
    if spec.games_per_cell is not None:
        return plan.with_games_per_cell(Fraction(spec.games_per_cell))
    assert spec.games is not None, "a spec has an extent"
    return plan.with_total_games(spec.games)


def _check_distinct_cells(cells: Iterable[Cell]) -> None:
    """Refuse a line-up that occurs twice with the same clan set of a partition."""
    seen = set()
    for cell in cells:
        key = cell.partition, cell.clan_set, cell.line_up, cell.population, cell.kind
        if key in seen:
            raise WrongInput(
                f"the line-up {', '.join(cell.line_up)} is given twice for "
                f"{cell.partition.players} players"
            )
        seen.add(key)


def missing_shards(plan: Plan, played: Iterable[Shard]) -> list[Shard]:
    """The shards that remain to be played of a plan; shards in `played` may have any size.

    Shards are cut on a grid, so that the same plan gives the same files. Their order lets all
    partitions advance together.
    """
    have: dict[Partition, list[Shard]] = {}
    for shard in played:
        have.setdefault(shard.partition, []).append(shard)
    shards = []
    for partition, rounds in plan.rounds.items():
        size = plan.shard_games.get(partition, plan.usual_shard_games)
        files = -(-rounds * plan.games_per_round(partition) // size)
        step = -(-rounds // files)
        for first, end in _missing_ranges(have.get(partition, []), rounds):
            cuts = [first, *range((first // step + 1) * step, end, step), end]
            shards += [Shard(partition, start, stop - start) for start, stop in pairwise(cuts)]
    shards.sort(key=lambda shard: (shard.end_round / plan.rounds[shard.partition], shard))
    return shards


def _missing_ranges(played: Sequence[Shard], rounds: int) -> list[tuple[int, int]]:
    """The ranges (first, end) of rounds below `rounds` that no shard in `played` covers."""
    gaps = []
    reached = 0
    for shard in sorted(played):
        if reached < min(shard.first_round, rounds):
            gaps.append((reached, min(shard.first_round, rounds)))
        reached = max(reached, shard.end_round)
    if reached < rounds:
        gaps.append((reached, rounds))
    return gaps
