"""How precise the numbers are, what their intervals rest on, and what sharing deals was worth."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import IntArray
from ethnos_sim.reports.document import Block, Cell, Table, Text
from ethnos_sim.reports.estimators.game_shape import estimate_shape
from ethnos_sim.reports.estimators.seat_edge import measure_seat_edge
from ethnos_sim.reports.estimators.variance_ratio import design_effect, pairing_ratio
from ethnos_sim.reports.estimators.win_lift import measure_win_lift
from ethnos_sim.reports.evidence import SKILL
from ethnos_sim.reports.labels import population_label
from ethnos_sim.reports.numbers import ABSENT, UNITS, number
from ethnos_sim.reports.sections.chapter import Chapter
from ethnos_sim.reports.sections.solo_chapter import SoloChapter
from ethnos_sim.reports.storage import Label, Ledger

HALF_WIDTHS = ("power", "win_lift", "seat_edge", "leader")
"""The numbers whose half-widths are told, in order."""


def precision(ledger: Ledger, chapters: Sequence[Chapter], solo: SoloChapter) -> list[Block]:
    """Half-widths and ratios of variances by table and population, then games and blocks."""
    blocks: list[Block] = []
    rows = [
        row for chapter in chapters for n in _all_counts(chapter) for row in _widths(chapter, n)
    ]
    if rows:
        text = (
            "Half-widths are half of a 95 % interval, the median over clans or seats. Shared "
            "deals: how much wider the variance of a difference between two clans' power would "
            "be if each clan had deals of its own (median over all pairs; above 1 sharing helped). "
            "Rotated deals: the variance of a seat's wins by deals, divided by that of as many "
            "independent games; the intervals carry it."
        )
        headings = (
            "Games of",
            "Power",
            "Win lift",
            "Seat edge",
            "Wins of the leader",
            "Shared deals",
            "Rotated deals",
        )
        caption = "Half-widths that were reached, and ratios of variances."
        blocks += [Text(text), Table(caption, headings, tuple(rows), "half_widths")]
    return [*blocks, _games(ledger, chapters, solo)]


def _all_counts(chapter: Chapter) -> list[int]:
    """The player counts of ordinary games and of one-seat line-ups."""
    return sorted({*chapter.players, *chapter.power_counts()})


def _widths(chapter: Chapter, players: int) -> list[tuple[Cell, ...]]:
    """A row a population of one table."""
    ordinary = (
        chapter.evidence.populations(chapter.setting, players) if players in chapter.players else ()
    )
    names = dict.fromkeys([*ordinary, *chapter.power_populations(players)])
    return [_row(chapter, players, name, name in ordinary) for name in names if name != SKILL]


def _row(chapter: Chapter, players: int, population: str, ordinary: bool) -> tuple[Cell, ...]:
    """Half-widths and ratios of one table and population; stored."""
    power = chapter.power(population, players)
    found: dict[str, Sequence[Estimate]] = dict.fromkeys(HALF_WIDTHS, ())
    found["power"] = power.estimates() if power else ()
    shared = pairing_ratio(power) if power else None
    effect = None
    if ordinary:
        sums = chapter.evidence.total(chapter.setting, players, population)
        edges = measure_seat_edge(sums, population)
        effect = design_effect(edges, 1 / players)
        shape = estimate_shape(sums, population, independent=False)
        found["win_lift"] = measure_win_lift(sums, population).estimates()
        found["seat_edge"] = edges.estimates()
        found["leader"] = [e for e in shape if e.name.startswith("leader_after")][-1:]
    widths = {name: _middle(estimates) for name, estimates in found.items()}
    chapter.ledger.row(
        "half_widths",
        {
            **chapter.labels(players=players),
            **widths,
            "shared_deals": shared,
            "rotated_deals": effect,
            "population": chapter.describe(population, players),
        },
    )
    name = f"{chapter.title}, {players} players, {population_label(population)}"
    shown = [_shown(width, found[name]) for name, width in widths.items()]
    return tuple(Cell(text) for text in (name, *shown, _ratio(shared), _ratio(effect)))


def _middle(estimates: Sequence[Estimate]) -> float | None:
    """The median half-width of some estimates of one unit."""
    widths = [e.half_width for e in estimates if e.half_width is not None]
    return median(widths) if widths else None


def _shown(width: float | None, estimates: Sequence[Estimate]) -> str:
    """A half-width in its unit, as "± 0.41 pp"."""
    if width is None:
        return ABSENT
    unit = estimates[0].unit
    return f"± {number(width, unit, UNITS[unit].decimals + 1).removeprefix('+')}"


def _ratio(value: float | None) -> str:
    """A ratio of variances."""
    return ABSENT if value is None else f"{value:.2f}"


def _games(ledger: Ledger, chapters: Sequence[Chapter], solo: SoloChapter) -> Table:
    """What the intervals of each player count and solo difficulty rest on."""
    rows = []

    def tell(
        name: str, labels: dict[str, Label], sizes: IntArray, cells: int, population: str
    ) -> None:
        filled = sizes[sizes > 0]
        texts = (
            name,
            f"{sizes.sum():,}",
            f"{cells}",
            f"{filled.size} of {BLOCKS}",
            f"{filled.min():,} to {filled.max():,}",
            population,
        )
        rows.append(tuple(Cell(text) for text in texts))
        ledger.row(
            "precision",
            {
                **labels,
                "games": int(sizes.sum()),
                "cells": cells,
                "blocks": filled.size,
                "fewest_games_in_block": int(filled.min()),
                "most_games_in_block": int(filled.max()),
                "population": population,
            },
        )

    for chapter in chapters:
        for players in chapter.players:
            sums = chapter.evidence.total(chapter.setting, players)
            name = f"{chapter.title}, {players} players"
            labels = chapter.labels(players=players)
            tell(name, labels, sums.sizes, sums.cells, chapter.population(players))
    for line, against_bruno in solo.evidence.lines.items():
        name = f"{solo.label(line.mode)}, {line.strategy}"
        tell(name, solo.labels(line.mode), against_bruno.sizes, 1, line.strategy)
    headings = ("Games of", "Games", "Cells", "Blocks of deals", "Games in a block", "Strategies")
    return Table("What the intervals rest on.", headings, tuple(rows), "precision")
