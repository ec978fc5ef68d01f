"""A toy generator of outcomes with known truth, in the layout of real results.

It knows no rules of the game. Seats lead parties at given rates, and the seat with the greatest
strength wins. Strength is the sum of the deal's luck (which all games of the deal share, also with
other seatings and clans), the strategy's skill, known effects of the clans led, and noise. Lucky
players may lead some clans more often, and seats may give up clans. So the true numbers behind a
report are known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import comb
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from inside.experiments import (
    GAME_COLUMNS,
    Evidence,
    Partition,
    Plan,
    PlanGatherer,
    missing_shards,
    open_store,
    seat_columns,
)
from inside.experiments.evidence import PRESTIGE_SOURCES
from inside.experiments.plans import Cell, EditionRules
from inside.experiments.storage import GIVEN_UP_COLUMNS, file_metadata, parquet_bytes

from ethnos_sim.simulator import Power, Rules, load_rules

AGES = (1, 2, 3)
DRAGONS = 3


@dataclass(frozen=True)
class Truth:
    """What the generator plants.

    effects     strength that a party led by the clan adds, by clan
    ahead       by how much luck raises the rate of leading the clan (log rate per unit of luck)
    skill       strength of a strategy, by name
    deal_luck   spread of the luck that all games of a deal share, seat by seat
    first_edge  strength of acting first
    shared      chance that the two strongest share the win
    """

    effects: Mapping[str, float] = field(default_factory=dict)
    ahead: Mapping[str, float] = field(default_factory=dict)
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
    rule_sets: Mapping[str, Sequence[str]] = MappingProxyType({"": ()}),
    kinds: Sequence[str] = ("ordinary",),
) -> Plan:
    """A plan of toy cells: kinds of games x rule sets x player counts x clan sets x line-ups."""
    rules = {named: load_rules(edition, overrides=values) for named, values in rule_sets.items()}
    clans = load_rules(edition).clans
    cells: list[Cell] = []
    for kind, named, count in product(kinds, rule_sets, players):
        size = 5 if count <= 3 else 6
        sets = clan_sets or (clans[:size], clans[-size:])
        for set_number, chosen in enumerate(sets):
            for line_up in line_ups:
                names = tuple(line_up[i % len(line_up)] for i in range(count))
                rotations = next(r for r in range(1, count + 1) if names == names[r:] + names[:r])
                partition = Partition(edition, count, "standard", named)
                about = partition, set_number, tuple(chosen), names, rotations
                cells.append(Cell(len(cells), *about, kind=kind))
    return Plan(
        name=name,
        seed=7,
        version="0.1.0",
        kernel="0",
        editions=tuple(EditionRules.make(overrides, named) for named, overrides in rules.items()),
        strategies={name: "0" for line_up in line_ups for name in line_up},
        cells=tuple(cells),
        rounds={cell.partition: rounds for cell in cells},
    )


def toy_tables(
    plan: Plan,
    cell: Cell,
    truth: Truth,
    seed: int,
    first_round: int = 0,
    rounds: int | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games and seats of a cell, as a sweep stores them.

    Rows depend on the plan, the cell, the seed and the rounds together; the luck of a deal depends
    on the seed and the rounds only.
    """
    part, players, rotations = cell.partition, cell.partition.players, cell.rotations
    rules = plan.rules_of(part)
    deals = (plan.rounds[part] if rounds is None else rounds) * cell.deals_per_round
    # The first numbers separate both generators: zeros at the end of a seed change nothing.
    rng = np.random.default_rng([1, seed, cell.number, first_round])
    deal_rng = np.random.default_rng([2, seed, first_round])
    luck = np.repeat(deal_rng.normal(0, truth.deal_luck, (deals, players)), rotations, axis=0)
    first = np.repeat(deal_rng.integers(0, players, deals), rotations)
    game = first_round * cell.games_per_round + np.arange(deals * rotations)
    entry = (np.arange(players) + (game % rotations)[:, None]) % players
    gave_up, age = _given_up(rules, cell, game // rotations, seed)
    led = _led(rng, truth, rules, cell, luck, gave_up)
    strength = luck + np.asarray([truth.skill.get(name, 0.0) for name in cell.line_up])[entry]
    strength += led @ np.asarray([truth.effects.get(clan, 0.0) for clan in rules.clans])
    strength += truth.first_edge * (np.arange(players) == first[:, None])
    won = _won(rng, truth, strength + rng.normal(0, 1, strength.shape))
    after = np.cumsum(rng.poisson(15, (*won.shape, 3)), axis=2)
    sources = rng.poisson(6.0, (*won.shape, len(PRESTIGE_SOURCES))) + won[..., None] // 10
    turns = rng.integers(60, 90, len(game)) + rng.poisson(20, len(game))
    columns = {
        "cell": np.full(len(game), cell.number),
        "game": game,
        "deal": game // rotations,
        "rotation": game % rotations,
        "first_player": first,
        "winners": (won > 0).sum(axis=1),
        "turns": turns,
        "decisions": turns,
        **{f"drawn_{n}": _drawn(rng, players, len(game)) * (n < 3 or players > 3) for n in AGES},
        **{f"last_dragon_{n}": (game + n) % players for n in AGES},
    }
    parties = led.sum(axis=2)
    by_seat = {
        "seat": np.broadcast_to(np.arange(players), won.shape),
        "entry": entry,
        "won": won,
        "prestige": sources.sum(axis=2),
        **{f"prestige_{n}": after[..., n - 1] for n in AGES},
        **{name: sources[..., i] for i, name in enumerate(PRESTIGE_SOURCES)},
        "parties": parties,
        "cards": 3 * parties,
        "markers": parties,
        "gave_up": [rules.clans[clan] if clan >= 0 else None for clan in gave_up.ravel()],
        "gave_up_age": [int(of_game) or None for of_game in np.repeat(age, players)],
        **{f"led_{clan}": led[..., i] for i, clan in enumerate(rules.clans)},
    }
    seats = {name: np.repeat(columns[name], players) for name in ("cell", "game", "deal")}
    seats |= {name: np.asarray(by).ravel() for name, by in by_seat.items()}
    return _as_stored(columns, GAME_COLUMNS), _as_stored(seats, seat_columns(rules, solo=False))


def _leads(rules: Rules, cell: Cell) -> np.ndarray:
    """Which of the edition's clans a seat can lead in a cell."""
    leaders = {clan for clan in cell.clans if rules.power_of(clan) is not Power.WILD}
    return np.asarray([clan in leaders for clan in rules.clans])


def _given_up(
    rules: Rules, cell: Cell, deal: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The number of the clan that each seat gives up, -1 for none, and the age, 0 for all.

    Shapes (games, players) and (games,). They depend on the seed, the deal and the clan set.
    """
    players = cell.partition.players
    clan, age = np.full((len(deal), players), -1), np.zeros(len(deal), np.int64)
    for game, of_deal in enumerate(deal if cell.kind != "ordinary" else ()):
        rng = np.random.default_rng([3, seed, of_deal, cell.clan_set])
        leaders = rng.permutation(np.flatnonzero(_leads(rules, cell)))
        clan[game] = leaders[np.arange(players) % len(leaders)]
        if cell.kind == "gives_up_by_age":
            age[game] = rng.integers(1, rules.ages(players) + 1)
    return clan, age


def _led(
    rng: np.random.Generator,
    truth: Truth,
    rules: Rules,
    cell: Cell,
    luck: np.ndarray,
    gave_up: np.ndarray,
) -> np.ndarray:
    """Parties led, shape (games, players, clans)."""
    clans = np.arange(len(rules.clans))
    usual = (1.0 + clans / 12) * _leads(rules, cell)
    ahead = np.asarray([truth.ahead.get(clan, 0.0) for clan in rules.clans])
    return rng.poisson(usual * (clans != gave_up[..., None]) * np.exp(luck[..., None] * ahead))


def _won(rng: np.random.Generator, truth: Truth, strength: np.ndarray) -> np.ndarray:
    """The wins of each seat in sixtieths."""
    order = np.argsort(-strength, axis=1)
    won, rows = np.zeros(strength.shape, np.int64), np.arange(len(strength))
    both = rng.random(len(rows)) < truth.shared
    won[rows, order[:, 0]] = np.where(both, 30, 60)
    won[rows[both], order[both, 1]] = 30
    return won


def _drawn(rng: np.random.Generator, players: int, games: int) -> np.ndarray:
    """Ally cards drawn in an age: all above the last of three dragons in the bottom half."""
    deck = (60 if players <= 3 else 72) - 3 * players
    top = deck // 2
    within = np.asarray([comb(place, DRAGONS) for place in range(deck - top + DRAGONS + 1)])
    luck = rng.integers(0, within[-1], games)
    return top + np.searchsorted(within, luck, side="right") - DRAGONS


def _as_stored(columns: Mapping[str, Any], kinds: Mapping[str, Any]) -> pl.DataFrame:
    """Columns as a sweep stores them; KeyError for a column that the generator does not make."""
    return pl.DataFrame(
        {
            name: pl.Series(name, columns[name], dtype=kind)
            if name in GIVEN_UP_COLUMNS
            else columns[name].astype(kind)
            for name, kind in kinds.items()
        }
    )


def toy_evidence(plan: Plan, truth: Truth | None = None, seed: int = 1) -> Evidence:
    """The evidence of a plan that the toy generator plays."""
    gatherer = PlanGatherer(plan)
    for cell in plan.cells:
        gatherer.add(cell.partition, *toy_tables(plan, cell, truth or Truth(), seed))
    return gatherer.evidence()


def evidence_of(plan: Plan, *batches: tuple[pl.DataFrame, pl.DataFrame]) -> Evidence:
    """The evidence of batches of games and seats, for a plan with one partition."""
    gatherer = PlanGatherer(plan)
    for games, seats in batches:
        gatherer.add(plan.cells[0].partition, games, seats)
    return gatherer.evidence()


def write_toy_sweep(
    folder: Path, plan: Plan, truth: Truth | None = None, *, shards: int | None = None
) -> None:
    """Write a toy sweep's folder through the real store; `shards` limits it to a partial sweep."""
    with open_store(folder, plan) as store:
        for shard in missing_shards(plan, [])[:shards]:
            parts = [
                toy_tables(plan, cell, truth or Truth(), 1, shard.first_round, shard.rounds)
                for cell in plan.cells_of[shard.partition]
            ]
            about = file_metadata(plan, shard)
            games, seats = (
                parquet_bytes(pl.concat(tables), about) for tables in zip(*parts, strict=True)
            )
            store.add_shard(shard, {"games": games, "seats": seats})
