"""A toy generator of outcomes with known truth, in the layout of real results.

It knows no rules of the game. Seats lead parties at given rates, and the seat with the greatest
strength wins. Strength is the sum of the deal's luck (which all games of the deal share, also with
other seatings and clans), the strategy's skill, known effects of the clans led, and noise. Lucky
players may lead some clans more often, and seats may give up clans.
Clans and pairs of clans in the deck may add prestige to all seats, and turns. So the true numbers
behind a report are known.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import comb
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from inside.experiments.evidence import SOURCES
from inside.experiments.plans import Cell, EditionRules
from inside.experiments.storage import GIVEN_UP, about_file, parquet

from ethnos_sim.experiments import (
    GAME_COLUMNS,
    Partition,
    Plan,
    missing_shards,
    open_store,
    seat_columns,
)
from ethnos_sim.reports import Evidence, PlanGatherer
from ethnos_sim.simulator import Power, Rules, load_rules

DRAGONS = 3


@dataclass(frozen=True)
class Truth:
    """What the generator plants.

    effects       strength that a party led by the clan adds, by clan
    ahead         by how much luck raises the rate of leading the clan (log rate per unit of luck)
    skill         strength of a strategy, by name
    deal_luck     spread of the luck that all games of a deal share, seat by seat
    first_edge    strength of acting first
    shared        chance that the two strongest share the win
    deck_effects  prestige that the clan in the deck adds to every seat, by clan
    together      prestige that two clans in the deck add to every seat, by pair
    longer        turns that the clan in the deck adds, by clan
    deal_riches   prestige of every seat that all games of a deal share, on average
    """

    effects: Mapping[str, float] = field(default_factory=dict)
    ahead: Mapping[str, float] = field(default_factory=dict)
    skill: Mapping[str, float] = field(default_factory=dict)
    deal_luck: float = 1.0
    first_edge: float = 0.0
    shared: float = 0.05
    deck_effects: Mapping[str, float] = field(default_factory=dict)
    together: Mapping[tuple[str, str], float] = field(default_factory=dict)
    longer: Mapping[str, float] = field(default_factory=dict)
    deal_riches: float = 0.0

    def prestige_of(self, clans: Collection[str]) -> float:
        """The prestige that a deck of these clans adds to every seat."""
        pairs = (value for pair, value in self.together.items() if set(pair) <= set(clans))
        return sum(self.deck_effects.get(clan, 0.0) for clan in clans) + sum(pairs)


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
    """A plan of toy cells: rule sets x player counts x clan sets x line-ups x kinds of games."""
    rules = {named: load_rules(edition, overrides=values) for named, values in rule_sets.items()}
    clans = load_rules(edition).clans
    cells: list[Cell] = []
    for named, count in product(rule_sets, players):
        size = 5 if count <= 3 else 6
        sets = clan_sets or (clans[:size], clans[-size:])
        for set_number, chosen in enumerate(sets):
            for line_up, kind in product(line_ups, kinds):
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
        editions=tuple(EditionRules.of(overrides, named) for named, overrides in rules.items()),
        strategies={name: "0" for line_up in line_ups for name in line_up},
        cells=tuple(cells),
        rounds={cell.partition: rounds for cell in cells},
    )


def giving_up(plan: Plan, kinds: Sequence[str] = ("ordinary", "gives_up")) -> Plan:
    """The plan with its cells once for each of some kinds of games."""
    kinded = [replace(cell, kind=kind) for kind in kinds for cell in plan.cells]
    cells = tuple(replace(cell, number=number) for number, cell in enumerate(kinded))
    return replace(plan, cells=cells)


def toy_tables(
    plan: Plan,
    cells: Sequence[Cell],
    truth: Truth,
    seed: int,
    first_round: int = 0,
    rounds: int | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games and seats of `cells`, cell by cell, as a sweep stores them.

    The cells belong to one partition and have the same number of rotations. Rows depend on the
    plan, the cells, the seed and the rounds together; the luck of a deal depends on the seed and
    the rounds only.
    """
    example = cells[0]
    part, players, rotations = example.partition, example.partition.players, example.rotations
    deals = (plan.rounds[part] if rounds is None else rounds) * example.deals_per_round
    # The first numbers separate both generators: zeros at the end of a seed change nothing.
    rng = np.random.default_rng([1, seed, example.number, first_round])
    deal_rng = np.random.default_rng([2, seed, first_round])

    def of_deals(values: np.ndarray) -> np.ndarray:
        """Values by deal, repeated for every game of the deal."""
        return np.concatenate([np.repeat(values, rotations, axis=0)] * len(cells))

    luck = of_deals(deal_rng.normal(0, truth.deal_luck, (deals, players)))
    first = of_deals(deal_rng.integers(0, players, deals))
    riches = of_deals(deal_rng.poisson(truth.deal_riches, deals))
    number = first_round * example.games_per_round + np.arange(deals * rotations)
    game = np.tile(number, len(cells))
    which = np.repeat(np.arange(len(cells)), len(number))
    entry = (np.arange(players) + (game % rotations)[:, None]) % players
    games = _Games(rng, truth, plan.rules_of(part), cells, which, entry)
    gave_up, age = games.given_up(game // rotations, seed)
    led = games.led(luck, gave_up)
    won = games.won(games.strength(luck, first, led))
    after = np.cumsum(rng.poisson(15, (*won.shape, 3)), axis=2)
    sources = games.prestige(won, riches)
    columns = {
        "cell": np.asarray([cell.number for cell in cells])[which],
        "game": game,
        "deal": game // rotations,
        "first_player": first,
        "winners": (won > 0).sum(axis=1),
        "turns": games.turns(),
        **{f"drawn_{age}": games.drawn() * (age < 3 or players > 3) for age in (1, 2, 3)},
        **{f"last_dragon_{age}": (game + age) % players for age in (1, 2, 3)},
    }
    parties = led.sum(axis=2)
    by_seat = {
        "seat": np.broadcast_to(np.arange(players), won.shape),
        "entry": entry,
        "won": won,
        "prestige": sources.sum(axis=2),
        **{f"prestige_{age}": after[..., age - 1] for age in (1, 2, 3)},
        **{name: sources[..., i] for i, name in enumerate(SOURCES)},
        "parties": parties,
        "cards": 3 * parties,
        "markers": parties,
        "gave_up": [games.rules.clans[clan] if clan >= 0 else None for clan in gave_up.ravel()],
        "gave_up_age": [int(of_game) or None for of_game in np.repeat(age, players)],
        **{f"led_{clan}": led[..., i] for i, clan in enumerate(games.rules.clans)},
    }
    seats = {name: np.repeat(columns[name], players) for name in ("cell", "game", "deal")}
    seats |= {name: np.asarray(by).ravel() for name, by in by_seat.items()}
    kinds = seat_columns(games.rules, solo=False)
    return _as_stored(columns, GAME_COLUMNS), _as_stored(seats, kinds)


@dataclass(frozen=True)
class _Games:
    """Games of some cells while they are made up.

    which  the place of each game's cell in `cells`, shape (games,)
    entry  the entry in each seat, shape (games, players)
    """

    rng: np.random.Generator
    truth: Truth
    rules: Rules
    cells: Sequence[Cell]
    which: np.ndarray
    entry: np.ndarray

    def given_up(self, deal: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """The number of the clan that each seat gives up, -1 for none, and the age, 0 for all.

        Shapes (games, players) and (games,). They depend on the seed, the deal and the clan set.
        """
        clan = np.full(self.entry.shape, -1)
        age = np.zeros(len(clan), np.int64)
        for game, (number, of_deal) in enumerate(zip(self.which, deal, strict=True)):
            cell = self.cells[number]
            if cell.kind == "ordinary":
                continue
            rng = np.random.default_rng([3, seed, of_deal, cell.clan_set])
            leaders = [
                place
                for place, name in enumerate(self.rules.clans)
                if name in cell.clans and self.rules.power_of(name) is not Power.WILD
            ]
            clan[game] = rng.permutation(leaders)[np.arange(clan.shape[1]) % len(leaders)]
            if cell.kind == "gives_up_by_age":
                age[game] = rng.integers(1, self.rules.ages(clan.shape[1]) + 1)
        return clan, age

    def led(self, luck: np.ndarray, gave_up: np.ndarray) -> np.ndarray:
        """Parties led, shape (games, players, clans)."""
        clans = self.rules.clans
        usual = 1.0 + np.arange(len(clans)) / 12
        rates = np.zeros((len(self.cells), self.entry.shape[1], len(clans)))
        for number, cell in enumerate(self.cells):
            for place in range(len(cell.line_up)):
                for index, clan in enumerate(clans):
                    if clan in cell.clans and self.rules.power_of(clan) is not Power.WILD:
                        rates[number, place, index] = usual[index]
        ahead = np.asarray([self.truth.ahead.get(clan, 0.0) for clan in clans])
        mean = rates[self.which[:, None], self.entry]
        mean = mean * (np.arange(len(clans)) != gave_up[..., None])
        if ahead.any():
            mean = mean * np.exp(luck[..., None] * ahead)
        return self.rng.poisson(mean)

    def strength(self, luck: np.ndarray, first: np.ndarray, led: np.ndarray) -> np.ndarray:
        """The strength of each seat; `first` is the player who acts first."""
        skills = [[self.truth.skill.get(name, 0.0) for name in cell.line_up] for cell in self.cells]
        effects = np.asarray([self.truth.effects.get(clan, 0.0) for clan in self.rules.clans])
        acts_first = np.arange(luck.shape[1]) == first[:, None]
        strength = luck + np.asarray(skills)[self.which[:, None], self.entry] + led @ effects
        strength = strength + self.truth.first_edge * acts_first
        return strength + self.rng.normal(0, 1, strength.shape)

    def won(self, strength: np.ndarray) -> np.ndarray:
        """The wins of each seat in sixtieths."""
        order = np.argsort(-strength, axis=1)
        won = np.zeros(strength.shape, np.int64)
        rows = np.arange(len(strength))
        both = self.rng.random(len(rows)) < self.truth.shared
        won[rows, order[:, 0]] = np.where(both, 30, 60)
        won[rows[both], order[both, 1]] = 30
        return won

    def prestige(self, won: np.ndarray, riches: np.ndarray) -> np.ndarray:
        """The prestige of each seat by source, with more for clans in the deck and for winners."""
        rates = np.full((len(self.cells), len(SOURCES)), 6.0)
        rates[:, 0] += [self.truth.prestige_of(cell.clans) for cell in self.cells]
        mean = rates[self.which][:, None, :]
        prestige = self.rng.poisson(mean, (*won.shape, len(SOURCES))) + won[..., None] // 10
        prestige[..., 0] += riches[:, None]
        return prestige

    def turns(self) -> np.ndarray:
        """The turns of each game."""
        longer = [sum(self.truth.longer.get(c, 0.0) for c in cell.clans) for cell in self.cells]
        usual = self.rng.integers(60, 90, len(self.which))
        return usual + self.rng.poisson(20 + np.asarray(longer)[self.which])

    def drawn(self) -> np.ndarray:
        """Ally cards drawn in an age: all above the last of three dragons in the bottom half."""
        players = self.entry.shape[1]
        deck = (60 if players <= 3 else 72) - 3 * players
        top = deck // 2
        places = deck - top + DRAGONS
        within = np.asarray([comb(place, DRAGONS) for place in range(places + 1)])
        luck = self.rng.integers(0, within[-1], len(self.which))
        return top + np.searchsorted(within, luck, side="right") - DRAGONS


def _as_stored(columns: Mapping[str, np.ndarray], kinds: Mapping[str, Any]) -> pl.DataFrame:
    """Columns as a sweep stores them, with 0 in columns that the generator does not fill."""
    zeros = np.zeros(len(columns["cell"]))
    return pl.DataFrame(
        {
            name: pl.Series(name, columns[name], dtype=kind)
            if name in GIVEN_UP
            else columns.get(name, zeros).astype(kind)
            for name, kind in kinds.items()
        }
    )


def toy_evidence(plan: Plan, truth: Truth | None = None, seed: int = 1) -> Evidence:
    """The evidence of a plan that the toy generator plays."""
    gatherer = PlanGatherer(plan)
    for cell in plan.cells:
        gatherer.add(cell.partition, *toy_tables(plan, [cell], truth or Truth(), seed))
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
            cells = plan.cells_of[shard.partition]
            parts = [
                toy_tables(plan, [cell], truth or Truth(), 1, shard.first_round, shard.rounds)
                for cell in cells
            ]
            about = about_file(plan, shard)
            games, seats = (
                parquet(pl.concat(tables), about) for tables in zip(*parts, strict=True)
            )
            store.add(shard, {"games": games, "seats": seats})
