"""The strategies that played: how strong each is in its line-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.strategy_share import (
    measure_population_share,
    measure_strategy_share,
    sums_by_line_up,
)
from ethnos_sim.reports.evidence.evidence import MIXED, is_one_strategy
from ethnos_sim.reports.rendering.document import Block, Section, Text
from ethnos_sim.reports.rendering.labels import population_label
from ethnos_sim.reports.rendering.table import Column, Row, Table
from ethnos_sim.reports.sections.chapter import Chapter, by_players


def strategies(chapters: list[Chapter]) -> Section:
    """Win shares in every line-up in which different strategies meet."""
    blocks: list[Block] = [
        Text(
            "A clan's numbers are those of the strategies that led it. These are their winning "
            "chances where they met; seats are rotated, and a fair share is 1/n. Blue: the "
            "whole interval is above it; orange: below."
        )
    ]
    for chapter in chapters:
        rows = [row for players in chapter.players for row in _rows(chapter, players)]
        if rows:
            columns = (
                Column("Line-up", [f"{by_players(row)}: {row['line_up']}" for row in rows]),
                Column("Strategy", [row["strategy"] for row in rows]),
                Column("Win share", rows),
                Column("Fair share", [1 / row["players"] for row in rows], "{:.1%}".format),
                Column("Games", [row.estimate.games if row.estimate else None for row in rows]),
            )
            title = f"{chapter.title}: win share of a seat."
            blocks.append(Table(title, columns, "strategies", alike="none"))
    if len(blocks) == 1:
        played = (
            name for chapter in chapters for name in chapter.evidence.strategies(chapter.setting)
        )
        names = ", ".join(dict.fromkeys(played))
        blocks = [Text(f"All seats of every game held the same strategy ({names}).")]
    return Section("strategies", "Strategies", tuple(blocks))


def _rows(chapter: Chapter, players: int) -> list[Row]:
    """The rows of one player count: the listed line-ups one by one, named populations whole."""
    rows: list[Row] = []
    for population in chapter.evidence.populations(chapter.setting, players):
        if is_one_strategy(population):
            continue
        line_ups = sums_by_line_up(chapter.evidence, chapter.situation(players, population))
        if population == MIXED:
            for line_up, sums in line_ups.items():
                measured = measure_strategy_share(sums, line_up, ", ".join(line_up))
                heading = ", ".join(short(line_up))
                rows += _shares(chapter, players, heading, measured.estimates())
        elif len({name for line_up in line_ups for name in line_up}) > 1:
            measured = measure_population_share(line_ups, chapter.describe(population, players))
            rows += _shares(chapter, players, population_label(population), measured.estimates())
    return rows


def _shares(
    chapter: Chapter, players: int, heading: str, estimates: Sequence[Estimate]
) -> list[Row]:
    """A row a strategy; stored."""
    return [
        replace(row, tone=_tone(row.estimate, 1 / players))
        for row in chapter.rows(estimates, "strategy", players=players, line_up=heading)
        if row.estimate
    ]


def short(line_up: Sequence[str]) -> tuple[str, ...]:
    """A line-up without what only repeats it: (a, b, a, b) is (a, b)."""
    for length in range(1, len(line_up) + 1):
        if all(name == line_up[i % length] for i, name in enumerate(line_up)):
            return tuple(line_up[:length])
    return tuple(line_up)


def _tone(estimate: Estimate, fair: float) -> str:
    """Colored where the interval lies on one side of a fair share, by the band of power."""
    low, high, value = estimate.low, estimate.high, estimate.value
    if low is None or high is None or value is None or low <= fair <= high:
        return ""
    size = POWER.size(value - fair)
    return f"{'up' if value > fair else 'down'}{size}" if size else "level"
