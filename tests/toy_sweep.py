"""A toy generator of outcomes with known truth, in the layout of real results.

Nothing of the game's rules is in it: seats lead parties at given rates, whoever has the highest
strength wins, and strength is luck of the deal (which rotated replays of the deal share), skill of
the strategy, known effects of the clans led, and noise. So what a report must find is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl

from ethnos_sim.experiments.manifest import about_file
from ethnos_sim.experiments.plan import (
    Cell,
    EditionRules,
    Partition,
    Plan,
    Shard,
    missing_shards,
)
from ethnos_sim.experiments.store import open_store
from ethnos_sim.reports.evidence import Evidence
from ethnos_sim.reports.gathering import PlanGatherer
from ethnos_sim.reports.sufficient import SOURCES
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import load_rules

DRAGONS = 3


@dataclass(frozen=True)
class Truth:
    """What the generator plants.

    effects       strength a party adds that the clan leads, by clan
    skill         strength of a strategy, by name
    deal_luck     spread of the luck that all games of a deal share, seat by seat
    first_edge    strength of acting first
    shared        chance that the two strongest share the win
    """

    effects: Mapping[str, float] = field(default_factory=dict)
    skill: Mapping[str, float] = field(default_factory=dict)
    deal_luck: float = 1.0
    first_edge: float = 0.0
    shared: float = 0.05


def toy_plan(
    *,
    edition: str = "second",
    players: Sequence[int] = (4,),
    clan_sets: Sequence[Sequence[str]] | None = None,
    line_ups: Sequence[Sequence[str]] = (("alpha", "beta"),),
    rounds: int = 96,
    name: str = "Toy",
) -> Plan:
    """A plan of toy cells: player counts x clan sets x line-ups, which repeat to fill seats."""
    rules = load_rules(edition)
    cells = []
    for count in players:
        size = 5 if count <= 3 else 6
        sets = clan_sets or (rules.clans[:size], rules.clans[-size:])
        for set_number, clans in enumerate(sets):
            for line_up in line_ups:
                names = tuple(line_up[i % len(line_up)] for i in range(count))
                rotations = next(r for r in range(1, count + 1) if names == names[r:] + names[:r])
                partition = Partition(edition, count, "standard")
                cells.append(
                    Cell(len(cells), partition, set_number, tuple(clans), names, rotations)
                )
    return Plan(
        name=name,
        seed=7,
        version="0.1.0",
        kernel="toy",
        editions=(EditionRules.of(rules),),
        strategies={name: "toy" for line_up in line_ups for name in line_up},
        cells=tuple(cells),
        rounds={cell.partition: rounds for cell in cells},
    )


def toy_rows(
    plan: Plan, cell: Cell, truth: Truth, seed: int, first_round: int = 0, rounds: int | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games and seats of a cell's rounds, as a sweep stores them.

    Rows depend on the plan, the cell, the seed and the rounds asked for together.
    """
    rules = plan.rules_of(cell.partition)
    count = plan.rounds[cell.partition] if rounds is None else rounds
    players, rotations = cell.partition.players, cell.rotations
    deals = count * cell.deals_per_round
    games = deals * rotations
    rng = np.random.default_rng([seed, cell.number, first_round])
    first_game = first_round * players
    game = first_game + np.arange(games)
    deal, rotation = game // rotations, game % rotations
    entry = (np.arange(players)[None, :] + rotation[:, None]) % players
    luck = np.repeat(rng.normal(0, truth.deal_luck, (deals, players)), rotations, axis=0)
    first = np.repeat(rng.integers(0, players, deals), rotations)
    acts_first = np.arange(players)[None, :] == first[:, None]
    leads = np.asarray(
        [c in cell.clans and rules.power_of(c) is not Power.WILD for c in rules.clans]
    )
    rates = leads * (1.0 + np.arange(len(rules.clans)) / 12)
    led = rng.poisson(rates, (games, players, len(rules.clans)))
    effects = np.asarray([truth.effects.get(c, 0.0) for c in rules.clans])
    skill = np.asarray([truth.skill.get(name, 0.0) for name in cell.line_up])
    strength = luck + skill[entry] + led @ effects + truth.first_edge * acts_first
    strength = strength + rng.normal(0, 1, strength.shape)
    order = np.argsort(-strength, axis=1)
    won = np.zeros((games, players), np.int64)
    both = rng.random(games) < truth.shared
    rows = np.arange(games)
    won[rows, order[:, 0]] = np.where(both, 30, 60)
    won[rows[both], order[both, 1]] = 30
    after = np.cumsum(rng.poisson(15, (games, players, 3)), axis=2)
    sources = rng.poisson(6, (games, players, len(SOURCES))) + won[..., None] // 10
    columns = {
        "cell": np.full(games, cell.number),
        "game": game,
        "deal": deal,
        "first_player": first,
        "winners": 1 + both,
        "turns": rng.integers(60, 90, games),
        **{f"drawn_{age}": _drawn(rng, games, players) for age in (1, 2, 3)},
    }
    seats = {
        **{name: np.repeat(columns[name], players) for name in ("cell", "game", "deal")},
        "seat": np.tile(np.arange(players), games),
        "entry": entry.ravel(),
        "won": won.ravel(),
        "prestige": sources.sum(axis=2).ravel(),
        **{f"prestige_{age}": after[..., age - 1].ravel() for age in (1, 2, 3)},
        **{name: sources[..., i].ravel() for i, name in enumerate(SOURCES)},
        "parties": led.sum(axis=2).ravel(),
        "cards": 3 * led.sum(axis=2).ravel(),
        **{f"led_{clan}": led[..., i].ravel() for i, clan in enumerate(rules.clans)},
    }
    return _small(columns), _small(seats)


def _small(columns: Mapping[str, np.ndarray]) -> pl.DataFrame:
    """Columns as a frame of the small types that a sweep stores."""
    types = {"cell": pl.UInt16, "game": pl.UInt32, "deal": pl.UInt32, "turns": pl.UInt16}
    points = ("prestige", "prestige_1", "prestige_2", "prestige_3")
    types |= dict.fromkeys((*SOURCES, *points), pl.Int16) | {"cards": pl.UInt16}
    return pl.DataFrame(columns).with_columns(
        pl.col(name).cast(types.get(name, pl.UInt8)) for name in columns
    )


def _drawn(rng: np.random.Generator, games: int, players: int) -> np.ndarray:
    """Ally cards drawn in an age: everything above the last of three dragons in the bottom half."""
    deck = (60 if players <= 3 else 72) - 3 * players
    top = deck // 2
    places = deck - top + DRAGONS
    last = np.sort(rng.random((games, places)).argsort(axis=1)[:, :DRAGONS], axis=1)[:, -1] + 1
    return top + last - DRAGONS


def toy_evidence(plan: Plan, truth: Truth | None = None, seed: int = 1) -> Evidence:
    """The evidence of a plan that was played by the toy generator."""
    gatherer = PlanGatherer(plan)
    for cell in plan.cells:
        gatherer.add(cell.partition, *toy_rows(plan, cell, truth or Truth(), seed))
    return gatherer.evidence()


def write_toy_sweep(
    folder: Path, plan: Plan, truth: Truth | None = None, *, shards: int | None = None
) -> None:
    """Write a toy sweep's folder through the real store; `shards` leaves a partial one."""
    with open_store(folder, plan) as store:
        for shard in missing_shards(plan, [])[:shards]:
            cells = plan.cells_of[shard.partition]
            parts = [
                toy_rows(plan, cell, truth or Truth(), 1, shard.first_round, shard.rounds)
                for cell in cells
            ]
            tables = {
                name: pl.concat([part[i] for part in parts])
                for i, name in enumerate(("games", "seats"))
            }
            store.add(
                shard,
                {name: _parquet(table, plan, shard) for name, table in tables.items()},
                {name: len(table) for name, table in tables.items()},
                {name: {} for name in tables},
            )


def _parquet(table: pl.DataFrame, plan: Plan, shard: Shard) -> bytes:
    """A shard's table as the bytes of a Parquet file."""
    buffer = BytesIO()
    table.write_parquet(buffer, metadata=dict(about_file(plan, shard)))
    return buffer.getvalue()
