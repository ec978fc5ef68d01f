"""The ladder of skill: what better players make of clans, seats, leads and length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE, measure_shape
from ethnos_sim.reports.estimators.leader_shuffle import measure_leader_advantage
from ethnos_sim.reports.estimators.seat_edge import measure_seat_edge
from ethnos_sim.reports.estimators.skill_trend import LADDER, in_words, skill_trends
from ethnos_sim.reports.rendering.document import Block, Section, Text
from ethnos_sim.reports.rendering.numbers import listed
from ethnos_sim.reports.rendering.table import Column, Row, Table
from ethnos_sim.reports.sections.chapter import Chapter, one_below_another

LEAD_MARGIN = 0.02
"""Up to which change the lead counts for the same at all levels of play, as a share of games."""


HEADINGS = {
    "first": "First seat's edge",
    "leader_advantage": "What the lead is worth beyond arithmetic",
    "turns": "Turns a game",
}
"""What the other questions are called."""


class Climb(NamedTuple):
    """A number at every rung: what it is called, its rows, its change, and that in a word."""

    heading: str
    rungs: list[Row]
    change: Row
    word: str


def ladder(chapters: Sequence[Chapter]) -> Section | None:
    """One part for each setting in which several players of the ladder fill all seats."""
    blocks = one_below_another([chapter for chapter in chapters if chapter.players], _ladder)
    if not blocks:
        return None
    words = chapters[0].rules.words
    reading = (
        f"The same questions at tables of ever better players, from left to right. A number that "
        f"is stable says something of the game; one that grows, shrinks or flips says something "
        f"of the players too, and even better ones may move it on. {words.clans.capitalize()} "
        f"are asked about by restricted play."
    )
    return Section("ladder", "Does it hold for better players?", (Text(reading), *blocks))


def _ladder(chapter: Chapter) -> list[Block]:
    """The table of clans and that of the other questions."""
    players = chapter.usual
    played = chapter.evidence.populations(chapter.setting, players)
    rungs = [name for name in LADDER if name in played]
    blocks: list[Block] = []
    asked = [name for name in LADDER if name in chapter.power_populations(players)]
    if len(asked) > 1:
        powers = [chapter.power(name, players) for name in asked]
        found = [power for power in powers if power is not None]
        blocks.append(_table(chapter, players, asked, [(found, POWER.minor)], "clan"))
    if len(rungs) > 1:
        blocks.append(_table(chapter, players, rungs, _questions(chapter, players, rungs), "name"))
    return blocks


def _questions(
    chapter: Chapter, players: int, rungs: Sequence[str]
) -> list[tuple[list[Estimates], float]]:
    """First seat, lead and length by rung, each with its margin."""
    sums = [chapter.evidence.total(chapter.setting, players, name) for name in rungs]
    words = [chapter.describe(name, players) for name in rungs]
    both = list(zip(sums, words, strict=True))
    seats = [measure_seat_edge(*each).named(["first"]) for each in both]
    leads = [measure_leader_advantage(*each) for each in both]
    turns = [
        next(m for m in measure_shape(*each) if "turns" in m.names).named(["turns"])
        for each in both
    ]
    return [
        (seats, POWER.minor),
        (leads, LEAD_MARGIN),
        (turns, GAME_SHAPE.margin_of("turns")),
    ]


def _table(
    chapter: Chapter,
    players: int,
    rungs: Sequence[str],
    questions: Sequence[tuple[list[Estimates], float]],
    label: str,
) -> Table:
    """A line for every number, a column for every rung, and what skill does to it."""
    lines: list[Climb] = []
    for measures, margin in questions:
        by_rung = [
            chapter.rows(measure.estimates(), label, players=players, strategies=name)
            for name, measure in zip(rungs, measures, strict=True)
        ]
        trends = skill_trends(measures)
        for place, trend in enumerate(trends):
            if trend.value is None:
                continue
            here = [rows[place] for rows in by_rung]
            weakest, strongest = here[0].estimate, here[-1].estimate
            assert weakest is not None
            assert strongest is not None
            word = in_words(trend, weakest, strongest, margin)
            labels = chapter.labels(
                players=players, strategies=trend.population, **{label: trend.name}
            )
            heading = chapter.clan_labels.get(trend.name) or HEADINGS[trend.name]
            lines.append(Climb(heading, here, Row(labels, trend, {"with_skill": word}), word))
    if label == "clan":
        lines.sort(key=lambda line: -_value(line.rungs[-1]))
    first = chapter.rules.words.clan.capitalize() if label == "clan" else "Number"
    columns = (
        Column(first, [line.heading for line in lines]),
        *(Column(name, [line.rungs[i] for line in lines]) for i, name in enumerate(rungs)),
        Column("Change", [line.change for line in lines]),
        Column("With skill", [line.word for line in lines]),
    )
    what = "Power" if label == "clan" else "First seat, lead and length"
    caption = (
        f"{what} with {players} players, {listed(rungs)} in all seats, from weak to strong, with "
        f"95 % intervals."
    )
    return Table(caption, columns, "ladder", alike="line" if label == "name" else "column")


def _value(row: Row) -> float:
    """The number of a row, for sorting."""
    return row.estimate.value if row.estimate and row.estimate.value is not None else 0.0
