"""Batches: games of a line-up in memory, as frames with the columns of a sweep's tables.

The games are those of `ethnos-sim match` and `ethnos-sim play`, without a folder.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.execution.progress import show_progress
from ethnos_sim.experiments.matches.match import (
    AnyLineUp,
    Match,
    PlayedMatch,
    check_games,
    deal_count,
    play_deals,
    play_in_parts,
    prepare_match,
    sums_by_deal,
)
from ethnos_sim.experiments.storage.tables import BRUNO_NAME, batch_columns
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules, RuleSet
from ethnos_sim.simulator.tables.modes import STANDARD
from ethnos_sim.simulator.tables.trace import TracedGame
from ethnos_sim.simulator.utilities.processes import limit_processes

#: The most games of a batch for which no progress is shown.
QUIET_GAMES = 20_000


@dataclass(frozen=True, eq=False, repr=False)
class Batch:
    """Games in memory. Made by `play_batch`.

    Attributes:
        match: the rules, line-up, clan sets and seed of the games.
        game_records: GAME_DTYPE, shape (games,), in the order of deals and rotations.
        seat_records: SEAT_DTYPE, shape (games, sides); Bruno is a side.

    Example:
        >>> from ethnos_sim import play_batch
        >>> batch = play_batch("second", "greedy,random", games=200, seed=1)
        >>> batch
        Batch of 200 games: 2nd edition (2024), 4 players, greedy, random, greedy, random, seed 1
        >>> batch.games().columns[:4]
        ['cell', 'game', 'deal', 'rotation']
    """

    match: Match
    game_records: np.ndarray
    seat_records: np.ndarray

    def __len__(self) -> int:
        """The number of games."""
        return len(self.game_records)

    def __repr__(self) -> str:
        table = self.match.tables[0]
        players = f"{table.players} player{'s' * (table.players > 1)}"
        mode = "" if table.mode == STANDARD else f"{table.mode}, "
        return (
            f"Batch of {len(self):,} games: {table.rules.title}, {mode}{players}, "
            f"{', '.join(self.match.line_up.names)}, seed {self.match.seed}"
        )

    def _repr_html_(self) -> str:
        from html import escape

        means = (
            self.seats()
            .group_by("strategy", maintain_order=True)
            .agg(pl.col("win_share", "prestige").mean())
        )
        return f"<p>{escape(repr(self))}</p>{means._repr_html_()}"

    def games(self) -> pl.DataFrame:
        """The games, one row for each game: the columns of a sweep's `games` table.

        `cell` is the row of the clan set in `cells()`. For pandas: `batch.games().to_pandas()`.
        """
        return self._frame("games")

    def seats(self) -> pl.DataFrame:
        """The seats, one row for each side of a game: the columns of a sweep's `seats` table.

        `win_share` (0 to 1) replaces `won`, which counts sixtieths, and the column `strategy` is
        added. `prestige` and its sources are points. For pandas: `batch.seats().to_pandas()`.
        """
        frame = self._frame("seats")
        names = [*self.match.line_up.names, *[BRUNO_NAME] * self.match.tables[0].solo]
        strategy = pl.Series("strategy", names, pl.Categorical).gather(frame["entry"])
        share = pl.Series("win_share", frame["won"] / SIXTIETHS)
        frame = frame.drop("won")
        place = frame.columns.index("entry") + 1
        return frame.insert_column(place, strategy).insert_column(place + 1, share)

    def cells(self) -> pl.DataFrame:
        """The clan sets, which take turns: deal d has set number d modulo the number of sets."""
        sets = [list(table.clans) for table in self.match.tables]
        cells = pl.Series("cell", range(len(sets)), pl.UInt32)
        return pl.DataFrame([cells, pl.Series("clans", sets)])

    def trace(self, game: int) -> TracedGame:
        """A game by its number, with its events; InvalidGame for a negative number."""
        return self.match.trace(game)

    @cached_property
    def deal_sums(self) -> PlayedMatch:
        """The wins and prestige of each line-up entry, summed by deal."""
        return PlayedMatch(self.match, *sums_by_deal(self.match, self.seat_records))

    def _frame(self, table: str) -> pl.DataFrame:
        tables = self.match.prepared
        cell = self.game_records["deal"] % len(tables.tables)
        columns = batch_columns(
            cell, self.game_records, self.seat_records, tables.tables[0], tables.home_slots[cell]
        )
        return pl.DataFrame(columns[table])


def play_batch(
    rules: Rules | RuleSet | str = "second",
    strategies: AnyLineUp = STRONGEST,
    *,
    players: int | None = None,
    games: int = 1000,
    clans: Sequence[str] | None = None,
    mode: str = STANDARD,
    seed: int = 1,
    jobs: int | None = None,
) -> Batch:
    """Play games of a line-up with rotated seats, in memory.

    Args:
        rules: the rules in force: a `Rules`, or a word such as "second" or
            "second+bear.on_take=2".
        strategies: the line-up ("greedy,majority", names, strategies or a `LineUp`); a short one
            repeats until the seats are full. The strongest player in all seats unless given.
        players: 2 to 6, four unless given; 1 in the solo modes.
        games: how many games, rounded up to whole deals; a deal is played in every seating.
        clans: the clans in play; None for sets that take turns, each clan in equally many.
        mode: `standard`, `recruitment`, `solo-easy`, `solo-regular` or `solo-hard`.
        seed: the seed of all luck, from 0 to 2**63 - 1.
        jobs: threads to play with, all cores unless given; the result does not depend on it.

    Returns:
        The batch; game number = deal * rotations + rotation.

    Raises:
        WrongInput: rules, line-up, players, clans, mode, seed or games do not fit together.
        IllegalMove: a strategy answered with a move that the rules forbid.
        NoAnswer: a strategy's code raised an exception or did not end.

    Example:
        >>> from ethnos_sim import play_batch
        >>> batch = play_batch("second", "greedy,random", players=4, games=400, seed=1)
        >>> shares = batch.seats().group_by("strategy").agg(pl.col("win_share").mean())
        >>> shares.sort("win_share")["strategy"].to_list()
        ['random', 'greedy']
    """
    check_games(games)
    with limit_processes(jobs):
        match = prepare_match(rules, strategies, players=players, clans=clans, mode=mode, seed=seed)
    deals = deal_count(match, games)
    total = deals * match.rotations
    quiet = total <= QUIET_GAMES
    with show_progress(f"Playing {total:,} games", total, 0, quiet=quiet) as on_games:
        play = functools.partial(play_deals, total_games=total)
        records, seats = play_in_parts(match, deals, play, threads=jobs, on_games=on_games)
    return Batch(match, records, seats)


def trace_games(
    rules: Rules | RuleSet | str = "second",
    strategies: AnyLineUp = STRONGEST,
    *,
    players: int | None = None,
    games: int = 1,
    clans: Sequence[str] | None = None,
    mode: str = STANDARD,
    seed: int = 1,
) -> Iterator[TracedGame]:
    """The games of `play_batch` with their events, one at a time.

    Args:
        rules: as in `play_batch`, and so are all other arguments.
        strategies: the line-up.
        players: 2 to 6, four unless given; 1 in the solo modes.
        games: how many games.
        clans: the clans in play; None for sets that take turns.
        mode: the mode.
        seed: the seed of all luck.

    Yields:
        Each game with its result rows (`game`, `seats`) and its `trace`, the JSON object that
        `ethnos-sim play --out FILE.jsonl` writes.

    Raises:
        WrongInput, IllegalMove, NoAnswer: as for `play_batch`.

    Example:
        >>> from ethnos_sim import trace_games
        >>> (traced,) = trace_games("second", "greedy", games=1, seed=1)
        >>> traced.trace["events"][0]["event"]
        'age'
    """
    match = prepare_match(rules, strategies, players=players, clans=clans, mode=mode, seed=seed)
    return match.traces(games)
