"""Who acts first: the seat edge of every player count, as figure and table."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.seat_edge import estimate_seat_edge
from ethnos_sim.reports.evidence.evidence import SKILL
from ethnos_sim.reports.figures.seats import seat_figure
from ethnos_sim.reports.rendering.document import Block, Section, Text
from ethnos_sim.reports.rendering.labels import setting_key
from ethnos_sim.reports.rendering.numbers import with_interval
from ethnos_sim.reports.rendering.table import Row, Table, cross, grouped
from ethnos_sim.reports.sections.chapter import Chapter, by_players, by_population, side_by_side


def seats(chapters: Sequence[Chapter]) -> Section:
    """The seat edge of every setting, and of the first seat by the strategies that played."""
    return Section("seats", "Seats", side_by_side(chapters, _of_setting))


def _of_setting(chapter: Chapter) -> list[Block]:
    """One edition and mode."""
    rows = [row for players in chapter.players for row in _rows(chapter, players)]
    main = {n: chapter.evidence.main_population(chapter.setting, n) for n in chapter.players}
    of_main = [row for row in rows if row["strategies"] == main[row["players"]]]
    edges: dict[int, tuple[Estimate, ...]] = grouped(of_main, lambda row: row["players"])
    caption = (
        "Winning chance by order of play in the first age, less a fair share. The intervals of "
        "one player count hold for all its seats at once."
    )
    blocks: list[Block] = [
        Text(_largest(edges)),
        seat_figure(f"seats-{setting_key(chapter.setting)}-edges", caption, edges),
        Table(
            "Seat edge in percentage points, with simultaneous 95 % intervals, by order of play.",
            cross(of_main, "Players", by_players, lambda row: row["seat"].capitalize()),
            "seats",
            unshown=tuple(rows),
        ),
    ]
    if len({row["strategies"] for row in rows}) > 1:
        first = [row for row in rows if row["seat"] == "first"]
        columns = cross(first, "Players", by_players, by_population)
        caption = "The edge of who acts first, by the strategies that played."
        blocks.append(Table(caption, columns, "seats", alike="line"))
    return blocks


def _rows(chapter: Chapter, players: int) -> list[Row]:
    """The edges of every seat under every population of a player count, the main one first."""
    populations = chapter.evidence.populations(chapter.setting, players)
    main = populations[0]
    rows: list[Row] = []
    for name in populations:
        if name == main or name != SKILL:
            estimates = estimate_seat_edge(
                chapter.evidence.total(chapter.setting, players, name),
                chapter.describe(name, players),
                independent=name == main and chapter.evidence.independent(chapter.setting, players),
            )
            rows += chapter.rows(estimates, "seat", players=players, strategies=name)
    return rows


def _largest(edges: dict[int, tuple[Estimate, ...]]) -> str:
    """Whether any seat is significantly better or worse off, in one sentence."""
    off = [
        (players, estimate)
        for players, estimates in edges.items()
        for estimate in estimates
        if estimate.excludes_zero
    ]
    if not off:
        return "No seat wins significantly more or less than a fair share (5 %, all seats at once)."
    players, estimate = max(off, key=lambda found: abs(found[1].value or 0))
    assert estimate.value is not None
    side = "more" if estimate.value > 0 else "less"
    return (
        f"{len(off)} of {sum(map(len, edges.values()))} seats win significantly more or less than "
        f"a fair share (their simultaneous 95 % intervals leave it out). The largest edge: with "
        f"{players} players, who acts {estimate.name} wins {side}, "
        f"{with_interval(estimate)} ({POWER.word(estimate.value)})."
    )
