"""The shape of a game: scores and margins, length, the lead, comebacks, where prestige is from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.estimators.comeback import measure_comeback
from ethnos_sim.reports.estimators.game_shape import NUMBERS, estimate_shape
from ethnos_sim.reports.estimators.leader_shuffle import (
    LEADER_ADVANTAGE,
    LEADER_SHUFFLED,
    measure_leader_advantage,
    measure_leader_shuffled,
)
from ethnos_sim.reports.evidence.game_numbers import BINS, DEFICIT_LABELS, DISTRIBUTIONS
from ethnos_sim.reports.figures.distribution import distribution
from ethnos_sim.reports.rendering.document import Block, Figure, Section, Text
from ethnos_sim.reports.rendering.labels import setting_key
from ethnos_sim.reports.rendering.table import Row, Table, cross
from ethnos_sim.reports.sections.chapter import Chapter, by_players, side_by_side
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
    """Distributions, and a line a number, a column a player count."""
    words = chapter.rules.words
    found: list[Row] = []
    for players in chapter.players:
        sums = chapter.evidence.total(chapter.setting, players)
        population = chapter.population(players)
        alone = chapter.evidence.independent(chapter.setting, players)
        estimates = estimate_shape(sums, population, independent=alone)
        for measured in (measure_leader_shuffled, measure_leader_advantage):
            estimates += measured(sums, population).estimates()
        found += chapter.rows(estimates, "name", players=players)
    order = [*NUMBERS, LEADER_SHUFFLED.name, LEADER_ADVANTAGE.name]
    found.sort(key=lambda row: (order.index(row["name"]), row["players"]))

    def label(row: Row) -> str:
        return words.translate(label_of(str(row.stored["measure"]), row["name"]))

    columns = cross(found, "Number", label, by_players)
    caption = "The shape of a game, with 95 % intervals."
    return [*_distributions(chapter), Table(caption, columns, "shape", alike="line")]


def _distributions(chapter: Chapter) -> list[Figure]:
    """How prestige, margin and length are spread over games; counts stored."""
    words, key = chapter.rules.words, setting_key(chapter.setting)
    usual = chapter.usual
    counts = {players: _counts(chapter, players) for players in chapter.players}
    drawn = sorted({min(counts), usual, max(counts)})[:MOST_DRAWN]
    prestige_bins = _edges("prestige_winners")
    sides = {"winners": "prestige_winners", "others": "prestige_others"}
    spread = distribution(
        f"prestige-spread-{key}",
        f"{words.prestige.capitalize()} at the end with {usual} players, "
        f"{chapter.population(usual)}. {words.prestige.capitalize()} in steps of "
        f"{DISTRIBUTIONS['prestige_winners']}.",
        f"{words.prestige} at the end of a game",
        prestige_bins,
        {side: counts[usual][name] for side, name in sides.items()},
        open_end=True,
    )
    rows = tuple(row for players in counts for row in _count_rows(chapter, players))
    figures = [replace(spread, stored="distributions", rows=rows)]
    for name, caption, label in (
        ("margin", "How close games end.", "winning margin"),
        ("turns", "How long games are.", "turns a game"),
    ):
        by_count = {f"{players} players": counts[players][name] for players in drawn}
        edges = _edges(name)
        drawing = distribution(f"{name}-{key}", caption, label, edges, by_count, open_end=True)
        figures.append(replace(drawing, stored="distributions"))
    return figures


def _counts(chapter: Chapter, players: int) -> dict[str, IntArray]:
    """The counts by value of the main population, by what is counted."""
    counts = chapter.evidence.distribution(chapter.situation(players))
    return {name: counts[number] for number, name in enumerate(DISTRIBUTIONS)}


def _count_rows(chapter: Chapter, players: int) -> list[Row]:
    """The same as rows, a bin that has games each."""
    return [
        Row(
            chapter.labels(players=players, of=name, **{"from": int(place) * width}),
            more={
                "to": None if place == BINS - 1 else (int(place) + 1) * width - 1,
                "count": int(counted[place]),
                "population": chapter.population(players),
            },
        )
        for name, counted in _counts(chapter, players).items()
        for width in [DISTRIBUTIONS[name]]
        for place in np.flatnonzero(counted)
    ]


def _edges(name: str) -> list[int]:
    """The edges of the bins of a distribution."""
    return [DISTRIBUTIONS[name] * place for place in range(BINS + 1)]


def _comebacks(chapter: Chapter) -> list[Block]:
    """A line a class of deficit, a column a player count and age."""
    word = chapter.rules.words.age
    rows = [
        row
        for players in chapter.players
        for age in range(1, chapter.rules.ages(players))
        for row in chapter.rows(
            measure_comeback(
                chapter.evidence.total(chapter.setting, players), age, chapter.population(players)
            ).estimates(),
            "behind",
            players=players,
            age=age,
        )
    ]

    def line(row: Row) -> str:
        return "leads" if row["behind"] == DEFICIT_LABELS[0] else f"{row['behind']} behind"

    def column(row: Row) -> str:
        fair = 100 / row["players"]
        return f"{by_players(row)}, {word} {row['age']} (fair: {fair:.0f} %)"

    caption = f"Winning chance by deficit after an {word}, with 95 % intervals."
    return [Table(caption, cross(rows, "Points", line, column), "comebacks")]
