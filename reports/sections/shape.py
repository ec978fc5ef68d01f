"""The shape of a game: scores and margins, length, the lead, comebacks, where prestige is from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import IntArray
from ethnos_sim.reports.document import Block, Cell, Figure, Section, Table, Text
from ethnos_sim.reports.estimators.comeback import measure_comeback
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE, NUMBERS, estimate_shape
from ethnos_sim.reports.figures.distribution import distribution
from ethnos_sim.reports.game_numbers import BINS, DEFICIT_LABELS, DISTRIBUTIONS, ages
from ethnos_sim.reports.labels import setting_key
from ethnos_sim.reports.numbers import ABSENT, decimals_for, with_interval
from ethnos_sim.reports.sections.chapter import (
    Chapter,
    columns_of_estimates,
    side_by_side,
    table_rows,
)
from ethnos_sim.reports.sections.prestige import prestige

MOST_DRAWN = 3
"""Player counts that one figure shows: the smallest, the usual and the largest."""


def shape(chapters: Sequence[Chapter]) -> list[Section]:
    """The topic in three parts."""
    words = chapters[0].rules.words
    intro = Text(
        "Length, closeness and how often the lead changes, under the main strategies of each "
        "number of players; other strategies stand in the first table of the page."
    )
    return [
        Section("shape", "The shape of a game", (intro, *side_by_side(chapters, _numbers))),
        Section(
            "comebacks",
            "Leads and comebacks",
            (Text(_reading(chapters)), *side_by_side(chapters, _comebacks)),
            level=3,
        ),
        Section(
            "prestige",
            f"Where {words.prestige} comes from",
            side_by_side(chapters, prestige),
            level=3,
        ),
    ]


def _reading(chapters: Sequence[Chapter]) -> str:
    """How to read the table of comebacks."""
    words = chapters[0].rules.words
    return (
        f"The winning chance of a player who is so many points behind the leader after an "
        f"{words.age} that is not the last; the first row is the leader. Where a runaway leader is "
        f"the trouble, the first row is near 100 % and the others near 0."
    )


def _numbers(chapter: Chapter) -> list[Block]:
    """Distributions, and a row a number, a column a player count."""
    words = chapter.rules.words
    found: dict[int, dict[str, Estimate]] = {}
    for players in chapter.players:
        estimates = estimate_shape(
            chapter.evidence.total(chapter.setting, players),
            chapter.population(players),
            independent=chapter.evidence.independent(chapter.setting, players),
        )
        found[players] = {estimate.name: estimate for estimate in estimates}
        for estimate in estimates:
            labels = chapter.labels(players=players, name=estimate.name)
            chapter.ledger.add("shape", labels, estimate)
    rows = []
    for name in NUMBERS:
        row = [found[players].get(name) for players in chapter.players]
        if any(row):
            heading = words.translate(GAME_SHAPE.label_of(name))
            places = decimals_for(row)
            texts = [with_interval(e, places) if e else ABSENT for e in row]
            rows.append(tuple(Cell(text) for text in (heading, *texts)))
    headings = ("Number", *(f"{players} players" for players in chapter.players))
    caption = "The shape of a game, with 95 % intervals."
    return [*_distributions(chapter), Table(caption, headings, tuple(rows), "shape")]


def _distributions(chapter: Chapter) -> list[Figure]:
    """How prestige, margin and length are spread over games; counts stored."""
    words, key = chapter.rules.words, setting_key(chapter.setting)
    usual = chapter.usual
    counts = {players: _counts(chapter, players) for players in chapter.players}
    drawn = sorted({min(counts), usual, max(counts)})[:MOST_DRAWN]
    prestige_bins = _edges("prestige_winners")
    sides = {"winners": "prestige_winners", "others": "prestige_others"}
    figures = [
        distribution(
            f"prestige-spread-{key}",
            f"{words.prestige.capitalize()} at the end with {usual} players, "
            f"{chapter.population(usual)}. {words.prestige.capitalize()} in steps of "
            f"{DISTRIBUTIONS['prestige_winners']}.",
            f"{words.prestige} at the end of a game",
            prestige_bins,
            {side: counts[usual][name] for side, name in sides.items()},
            open_end=True,
        )
    ]
    for name, caption, label in (
        ("margin", "How close games end.", "first less second place"),
        ("turns", "How long games are.", "turns a game"),
    ):
        by_count = {f"{players} players": counts[players][name] for players in drawn}
        edges = _edges(name)
        figures.append(
            distribution(f"{name}-{key}", caption, label, edges, by_count, open_end=True)
        )
    return figures


def _counts(chapter: Chapter, players: int) -> dict[str, IntArray]:
    """The counts by value of the main population, by what is counted; stored."""
    situation = chapter.situation(players)
    counts = chapter.evidence.distribution(situation)
    for number, (name, width) in enumerate(DISTRIBUTIONS.items()):
        for place in np.flatnonzero(counts[number]):
            chapter.ledger.row(
                "distributions",
                {
                    **chapter.labels(players=players, of=name),
                    "from": int(place) * width,
                    "to": None if place == BINS - 1 else (int(place) + 1) * width - 1,
                    "count": int(counts[number][place]),
                    "population": chapter.population(players),
                },
            )
    return {name: counts[number] for number, name in enumerate(DISTRIBUTIONS)}


def _edges(name: str) -> list[int]:
    """The edges of the bins of a distribution."""
    return [DISTRIBUTIONS[name] * place for place in range(BINS + 1)]


def _comebacks(chapter: Chapter) -> list[Block]:
    """A row a class of deficit, a column a player count and age."""
    word = chapter.rules.words.age
    columns: dict[str, tuple[Estimate, ...]] = {}
    for players in chapter.players:
        sums = chapter.evidence.total(chapter.setting, players)
        for age in range(1, ages(players)):
            estimates = measure_comeback(sums, age, chapter.population(players)).estimates()
            heading = f"{players} players, {word} {age} (fair: {100 / players:.0f} %)"
            columns[heading] = estimates
            for estimate in estimates:
                labels = chapter.labels(players=players, age=age, behind=estimate.name)
                chapter.ledger.add("comebacks", labels, estimate)
    names = [f"{label} behind" if k else "leads" for k, label in enumerate(DEFICIT_LABELS)]
    shown = columns_of_estimates(
        [[e if e.value is not None else None for e in column] for column in columns.values()]
    )
    caption = f"Winning chance by deficit after an {word}, with 95 % intervals."
    rows = table_rows([[name] for name in names], shown)
    return [Table(caption, ("Points", *columns), rows, "comebacks")]
