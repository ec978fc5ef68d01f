"""How precise the numbers are, what their intervals rest on, and what sharing deals was worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.reports.estimators.game_shape import estimate_shape
from ethnos_sim.reports.estimators.seat_edge import measure_seat_edge
from ethnos_sim.reports.estimators.variance_ratio import design_effect, pairing_ratio
from ethnos_sim.reports.estimators.win_lift import measure_win_lift
from ethnos_sim.reports.evidence.evidence import SKILL
from ethnos_sim.reports.rendering.document import Block, Text
from ethnos_sim.reports.rendering.labels import population_label
from ethnos_sim.reports.rendering.numbers import UNITS, number
from ethnos_sim.reports.rendering.table import Column, Label, Row, Table, TableCell, listing
from ethnos_sim.reports.sections.chapter import Chapter
from ethnos_sim.reports.sections.solo_chapter import SoloChapter

HALF_WIDTHS = {
    "power": "Power",
    "win_lift": "Win lift",
    "seat_edge": "Seat edge",
    "leader": "Wins of the leader",
}
"""The numbers whose half-widths are told, with their headings."""

RATIOS = {"shared_deals": "Shared deals", "rotated_deals": "Rotated deals"}


def precision(chapters: Sequence[Chapter], solo: SoloChapter) -> list[Block]:
    """Half-widths and ratios of variances by table and population, then games and blocks."""
    found = [
        widths for chapter in chapters for n in _all_counts(chapter) for widths in _at(chapter, n)
    ]
    if not found:
        return [_games(chapters, solo)]
    text = (
        "Half-widths are half of a 95 % interval, the median over clans or seats. Shared "
        "deals: how much wider the variance of a difference between two clans' power would "
        "be if each clan had deals of its own (median over all pairs; above 1 sharing helped). "
        "Rotated deals: the variance of a seat's wins by deals, divided by that of as many "
        "independent games; the intervals carry it."
    )
    columns = (
        Column("Games of", [each.heading for each in found]),
        *(
            Column(heading, [each.shown(name) for each in found])
            for name, heading in HALF_WIDTHS.items()
        ),
        *(
            Column(heading, [each.row.more[name] for each in found], "{:.2f}".format)
            for name, heading in RATIOS.items()
        ),
    )
    caption = "Half-widths that were reached, and ratios of variances."
    rows = tuple(each.row for each in found)
    table = Table(caption, columns, "half_widths", unshown=rows)
    return [Text(text), table, _games(chapters, solo)]


@dataclass(frozen=True, slots=True)
class Widths:
    """The half-widths of one table and population: what they are of, units, and as stored."""

    heading: str
    units: Mapping[str, str]
    row: Row

    def shown(self, name: str) -> TableCell | None:
        """A half-width in its unit, as "± 0.41 pp"."""
        width = self.row.more[name]
        if not isinstance(width, float):
            return None
        unit = self.units[name]
        text = number(width, unit, UNITS[unit].decimals + 1).removeprefix("+")
        return TableCell(f"± {text}", sort=width)


def _all_counts(chapter: Chapter) -> list[int]:
    """The player counts of ordinary games and of one-seat line-ups."""
    return sorted({*chapter.players, *chapter.power_counts()})


def _at(chapter: Chapter, players: int) -> list[Widths]:
    """The half-widths of every population of one table."""
    ordinary = (
        chapter.evidence.populations(chapter.setting, players) if players in chapter.players else ()
    )
    names = dict.fromkeys([*ordinary, *chapter.power_populations(players)])
    return [_widths(chapter, players, name, name in ordinary) for name in names if name != SKILL]


def _widths(chapter: Chapter, players: int, population: str, ordinary: bool) -> Widths:
    """Half-widths and ratios of one table and population."""
    power = chapter.power(population, players)
    found: dict[str, Sequence[Estimate]] = dict.fromkeys(HALF_WIDTHS, ())
    found["power"] = power.estimates() if power else ()
    effect = None
    if ordinary:
        sums = chapter.evidence.total(chapter.setting, players, population)
        edges = measure_seat_edge(sums, population)
        effect = design_effect(edges, 1 / players)
        shape = estimate_shape(sums, population, independent=False)
        found["win_lift"] = measure_win_lift(sums, population).estimates()
        found["seat_edge"] = edges.estimates()
        found["leader"] = [e for e in shape if e.name.startswith("leader_after")][-1:]
    stored = {
        **{name: _middle(estimates) for name, estimates in found.items()},
        "shared_deals": pairing_ratio(power) if power else None,
        "rotated_deals": effect,
        "population": chapter.describe(population, players),
    }
    return Widths(
        f"{chapter.title}, {players} players, {population_label(population)}",
        {name: estimates[0].unit for name, estimates in found.items() if estimates},
        Row(chapter.labels(players=players, strategies=population), more=stored),
    )


def _middle(estimates: Sequence[Estimate]) -> float | None:
    """The median half-width of some estimates of one unit."""
    widths = [e.half_width for e in estimates if e.half_width is not None]
    return median(widths) if widths else None


def _games(chapters: Sequence[Chapter], solo: SoloChapter) -> Table:
    """What the intervals of each player count and solo difficulty rest on."""
    rows = []
    for chapter in chapters:
        for players in chapter.players:
            sums = chapter.evidence.total(chapter.setting, players)
            name = f"{chapter.title}, {players} players"
            more = _sizes(name, sums.sizes, sums.cells, chapter.population(players))
            rows.append(Row(chapter.labels(players=players), more=more))
    for matchup, against_bruno in solo.evidence.matchups.items():
        name = f"{solo.label(matchup.mode)}, {matchup.strategy}"
        more = _sizes(name, against_bruno.sizes, 1, matchup.strategy)
        rows.append(Row(solo.labels(matchup.mode), more=more))
    headings = {
        "table": "Games of",
        "games": "Games",
        "cells": "Cells",
        "blocks": f"Blocks of deals, of {BLOCKS}",
        "fewest_games_in_block": "Fewest games in a block",
        "most_games_in_block": "Most games in a block",
        "population": "Strategies",
    }
    return listing("What the intervals rest on.", rows, headings, "precision")


def _sizes(table: str, sizes: IntArray, cells: int, population: str) -> dict[str, Label]:
    """How many games of a table stand in how many blocks."""
    filled = sizes[sizes > 0]
    return {
        "table": table,
        "games": int(sizes.sum()),
        "cells": cells,
        "blocks": filled.size,
        "fewest_games_in_block": int(filled.min()),
        "most_games_in_block": int(filled.max()),
        "population": population,
    }
