"""Verdicts at a glance: seats, clans, leaders, comebacks, length and skill in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.estimators.clan_spread import estimate_clan_spread
from ethnos_sim.reports.estimators.game_shape import (
    COMEBACK,
    COMEBACK_FROM,
    LENGTH,
    estimate_shape,
)
from ethnos_sim.reports.estimators.leader_shuffle import (
    LEADER,
    measure_leader_advantage,
    measure_leader_shuffled,
)
from ethnos_sim.reports.estimators.seat_edge import estimate_seat_edge
from ethnos_sim.reports.estimators.skill import SCALE, measure_skill
from ethnos_sim.reports.estimators.skill_trend import strength
from ethnos_sim.reports.estimators.win_lift import measure_win_lift
from ethnos_sim.reports.evidence.evidence import SKILL
from ethnos_sim.reports.evidence.game_numbers import DISTRIBUTIONS
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.reports.rendering.document import Block, Details, Text
from ethnos_sim.reports.rendering.labels import population_label
from ethnos_sim.reports.rendering.numbers import ABSENT, number, with_interval
from ethnos_sim.reports.rendering.table import CellValue, Column, Row, Table, TableCell
from ethnos_sim.reports.sections.chapter import Chapter, counted_players

UNSETTLED = "not settled"
DEPENDENT = "policy-dependent"

QUESTIONS = {
    "seats": "Is every seat fair?",
    "spread": "How far apart are the {clans}?",
    "lift_spread": "How far apart are the {clans} by win lift?",
    "leader": "Does the leader run away?",
    "comeback": "Can one come back?",
    "length": "How long is a game, in turns?",
    "skill": "How much does skill count?",
}
"""Each asks for one estimand. The first table asks by win lift where nobody was restricted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One question answered for a player count and a population.

    Attributes:
        estimate: the number; None where it was not played for.
        word: the bands that the interval reaches.
        possible: what intervals leave open of each thing that is judged: the bands that its
            interval reaches, or the sides of a seat; empty without intervals.
        sentence: what it means at the table.
    """

    estimate: Estimate | None
    word: str
    possible: Mapping[str, frozenset[str]]
    sentence: str

    def row(self, chapter: Chapter, players: int, population: str, question: str) -> Row:
        """What is stored of the answer."""
        name = self.estimate.name if self.estimate else None
        labels = chapter.labels(
            players=players, strategies=population, question=question, name=name
        )
        return Row(labels, self.estimate, {"band": self.word, "sentence": self.sentence})


Everything = dict[int, dict[str, dict[str, Answer]]]
"""Answers by player count, population and question."""


def glance(chapters: Sequence[Chapter]) -> tuple[Block, ...]:
    """One table for all settings with ordinary games, and everything it leaves out below it."""
    played = [(chapter, _everything(chapter)) for chapter in chapters if chapter.players]
    if not played:
        return ()
    lines: list[list[CellValue]] = []
    for key, question in QUESTIONS.items():
        for chapter, everything in played:
            here = everything[chapter.usual]
            told = _told(here, key)
            if not told or (key == "lift_spread" and _told(here, "spread")):
                continue
            population = max(told, key=strength)
            answer = told[population]
            word = f"{answer.word}, {DEPENDENT}" if _depends(list(told.values())) else answer.word
            estimate = answer.estimate
            lines.append(
                [
                    question.format(clans=chapter.rules.words.clans),
                    *([chapter.title] if len(played) > 1 else []),
                    answer.row(chapter, chapter.usual, population, key),
                    word,
                    answer.sentence,
                    estimate.games if estimate else None,
                    estimate.population if estimate else None,
                ]
            )
    counts = sorted({chapter.usual for chapter, _ in played})
    caption = f"Verdicts at a glance, {counted_players(counts)}, with 95 % intervals."
    edition = ["Edition"] if len(played) > 1 else []
    headings = ("Question", *edition, "Value", "Verdict", "At the table", "Games", "Strategies")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    blocks: list[Block] = [Table(caption, columns, "verdicts", alike="none", stacks=True)]
    for chapter, everything in played:
        if len(everything) > 1 or len(everything[chapter.usual]) > 1:
            summary = f"{chapter.title}: every number of players, all strategies"
            blocks.append(Details(summary, tuple(_in_full(chapter, everything))))
    return tuple(blocks)


def answers(chapter: Chapter, players: int, population: str) -> dict[str, Answer]:
    """The answers of one player count and population, by the keys of QUESTIONS."""
    evidence = chapter.evidence
    sums = evidence.total(chapter.setting, players, population)
    words = chapter.describe(population, players)
    alone = population == evidence.main_population(chapter.setting, players)
    independent = alone and evidence.independent(chapter.setting, players)
    shape = {e.name: e for e in estimate_shape(sums, words, independent=independent)}
    edges = estimate_seat_edge(sums, words, independent=independent)
    spread = _spread(chapter, chapter.power(population, players))
    lift_spread = _spread(chapter, measure_win_lift(sums, words))
    return {
        "seats": _seats(edges, players),
        **({"spread": spread} if spread else {}),
        **({"lift_spread": lift_spread} if lift_spread else {}),
        "leader": _leader(chapter, sums, words),
        "comeback": _comeback(chapter, players, shape["comeback"]),
        "length": _length(chapter, players, population, shape["turns"]),
    }


def _everything(chapter: Chapter) -> Everything:
    """All answers of a setting, each by the population whose games it is of, the main one first."""
    everything: Everything = {}
    for players in chapter.players:
        names = chapter.evidence.populations(chapter.setting, players)
        found = {name: answers(chapter, players, name) for name in names if name != SKILL}
        for name in chapter.power_populations(players):
            spread = _spread(chapter, chapter.power(name, players))
            if name not in found and spread is not None:
                found[name] = {"spread": spread}
        if SKILL in names:
            found[SKILL] = {"skill": _skill(chapter, players)}
        everything[players] = found
    return everything


def answer_rows(chapter: Chapter) -> list[Row]:
    """Every answer of a setting that has a number."""
    return [
        answer.row(chapter, players, population, key)
        for players, found in _everything(chapter).items()
        for population, told in found.items()
        for key, answer in told.items()
        if answer.estimate is not None
    ]


def _told(by_population: Mapping[str, Mapping[str, Answer]], question: str) -> dict[str, Answer]:
    """The answers to a question that have a number, by population."""
    found = {of: by[question] for of, by in by_population.items() if question in by}
    return {of: answer for of, answer in found.items() if answer.estimate is not None}


def _in_full(chapter: Chapter, everything: Everything) -> list[Block]:
    """All player counts as lines, all populations as columns, each with what it played."""
    names = list(dict.fromkeys(name for found in everything.values() for name in found))
    lines: list[list[CellValue]] = []
    rows = []
    for players, found in everything.items():
        for key, question in QUESTIONS.items():
            told = _told(found, key)
            if not told:
                continue
            rows += [answer.row(chapter, players, of, key) for of, answer in told.items()]
            heading = question.format(clans=chapter.rules.words.clans)
            shown = [_shown(told[name]) if name in told else None for name in names]
            mark = DEPENDENT if _depends(list(told.values())) else None
            lines.append([f"{players} players: {heading}", *shown, mark])
    headings = ("Question", *map(population_label, names), "Verdict changes?")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    note = (
        f"A verdict is {DEPENDENT} where the intervals of two populations have no band in common, "
        f"or the whole interval of a seat is above 0 under one and below 0 under another. "
    )
    played = [name for name in names if name != SKILL]
    if len(played) < 3:
        note += f"Only {len(played)} of the three populations played that a sound verdict asks for."
    caption = "Values with 95 % intervals and bands by the strategies that played."
    return [
        Text(note.strip(), "note"),
        Table(caption, columns, "verdicts", unshown=tuple(rows), stacks=True),
    ]


def _shown(answer: Answer) -> TableCell:
    """A number with its band."""
    value = answer.estimate.value if answer.estimate else None
    return TableCell(f"{with_interval(answer.estimate)}: {answer.word}", sort=value)


def _depends(answers: Sequence[Answer]) -> bool:
    """Whether the intervals of two populations differ in anything that is judged."""
    return any(
        words and other.possible.get(thing) and not words & other.possible[thing]
        for place, one in enumerate(answers)
        for other in answers[:place]
        for thing, words in one.possible.items()
    )


def _answer(
    estimate: Estimate | None,
    word: Callable[[float], str],
    sentence: str,
) -> Answer:
    """An answer whose band follows from its interval."""
    if estimate is None or estimate.value is None:
        return Answer(estimate, ABSENT, {}, sentence)
    if estimate.low is None or estimate.high is None:
        return Answer(estimate, UNSETTLED, {}, sentence)
    reached = _words(word, estimate.low, estimate.high)
    return Answer(
        estimate,
        _reached(word, estimate.low, estimate.high),
        {"band": frozenset(reached)},
        sentence,
    )


def _words(word: Callable[[float], str], low: float, high: float) -> list[str]:
    """The words that an interval reaches, in its order."""
    return list(dict.fromkeys(word(float(value)) for value in np.linspace(low, high, 50)))


def _reached(word: Callable[[float], str], low: float, high: float) -> str:
    """The word of an interval that lies in one band, else the first and last that it reaches."""
    words = _words(word, low, high)
    return words[0] if len(words) == 1 else f"{words[0]} to {words[-1]}"


def _seats(edges: Sequence[Estimate], players: int) -> Answer:
    """The first seat, by which all editions and player counts are told."""
    first, fair = edges[0], 1 / players
    sentence = (
        f"Who acts first wins {number(fair + (first.value or 0.0), 'share')} of games; a fair "
        f"share is {number(fair, 'share')}."
    )
    if first.low is None or first.high is None:
        return Answer(first, UNSETTLED, {}, sentence)
    possible = {edge.name: _sides(edge) for edge in edges}
    ends = [abs(end) for e in edges for end in (e.low, e.high) if end is not None]
    if max(ends) < POWER.minor:
        word = "fair"
    elif first.low <= 0 <= first.high:
        word = UNSETTLED
    else:
        word = _reached(POWER.word, first.low, first.high)
    return Answer(first, word, possible, sentence)


def _sides(edge: Estimate) -> frozenset[str]:
    """The sides of a fair share on which a seat may be."""
    if edge.low is None or edge.high is None:
        return frozenset()
    reached = (("ahead", edge.high > 0), ("behind", edge.low < 0))
    return frozenset(side for side, may_be in reached if may_be)


def _spread(chapter: Chapter, values: Estimates | None) -> Answer | None:
    """How far clans are apart by power or win lift; None where too few were played for it."""
    if values is None or (estimate := estimate_clan_spread(values)) is None:
        return None
    trusted = [e for e, sure in zip(values.estimates(), values.trusted, strict=True) if sure]
    ranked = sorted(trusted, key=lambda e: e.value or 0.0)
    labels = chapter.clan_labels
    ends = [f"{labels[e.name]} ({number(e.value, e.unit)})" for e in (ranked[-1], ranked[0])]
    sentence = f"One standard deviation, noise taken out; the values go from {' to '.join(ends)}."
    bands = ESTIMANDS[values.only("estimand")].bands
    assert bands is not None, "clans are judged by a number that has bands"
    return _answer(estimate, bands.word, sentence)


def _leader(chapter: Chapter, sums: Sums, population: str) -> Answer:
    """What whoever leads before the last age wins beyond what the lead is worth by arithmetic."""
    age = chapter.rules.ages(sums.players) - 1
    word = chapter.rules.words.age
    (estimate,) = measure_leader_advantage(sums, population).estimates()
    (shuffled,) = measure_leader_shuffled(sums, population).estimates()
    won = (estimate.value or 0.0) + (shuffled.value or 0.0)
    sentence = (
        f"Who leads after {word} {age} of {age + 1} wins {number(won, 'share')} of games; with the "
        f"last {word}'s gains shuffled among the players it would be "
        f"{number(shuffled.value, 'share')}, by arithmetic alone."
    )
    return _answer(estimate, LEADER.word, sentence)


def _comeback(chapter: Chapter, players: int, estimate: Estimate) -> Answer:
    """P(win) of a seat that is clearly behind before the last age."""
    words = chapter.rules.words
    sentence = (
        f"A player {COMEBACK_FROM} or more {words.prestige} behind before the last {words.age} "
        f"wins {number(estimate.value, 'share')} of games; a fair share is "
        f"{number(1 / players, 'share', 0)}."
    )
    return _answer(estimate, lambda value: COMEBACK.word(value * players), sentence)


def _length(chapter: Chapter, players: int, population: str, estimate: Estimate) -> Answer:
    """Turns of a game."""
    counts = chapter.evidence.distribution(chapter.situation(players, population))
    of_turns = counts[list(DISTRIBUTIONS).index("turns")]
    low, high = _middle(of_turns, DISTRIBUTIONS["turns"])
    each = "" if estimate.value is None else f"; {estimate.value / players:.0f} turns a player"
    sentence = f"Nine games of ten take {low} to {high} turns{each}."
    answer = _answer(estimate, lambda value: LENGTH.word((high - low) / value), sentence)
    # The band rests on a width that has no interval, so it never counts as another one.
    return replace(answer, possible={})


def _middle(counts: np.ndarray, width: int) -> tuple[int, int]:
    """The ends of the middle nine tenths of what was counted in bins of some width."""
    reached = np.cumsum(counts) / counts.sum()
    low, high = (int(np.searchsorted(reached, share)) for share in (0.05, 0.95))
    return width * low, width * (high + 1) - 1


def _skill(chapter: Chapter, players: int) -> Answer:
    """P(win) of one stronger strategy against weaker ones."""
    situation = chapter.situation(players, SKILL)
    strata = chapter.evidence.strata(situation)
    sums = chapter.evidence.of(situation)
    (estimate,) = measure_skill(sums, chapter.describe(SKILL, players)).estimates()
    pairs = {(s.line_up[0], s.line_up[1]) for s in strata}
    who, whom = pairs.pop() if len(pairs) == 1 else ("The stronger strategy", "weaker ones")
    fair = 1 / players
    sentence = (
        f"{who} wins {number(estimate.value, 'share', 0)} of games against {whom} in all other "
        f"seats; luck alone would give {number(fair, 'share', 0)}."
    )
    word = SCALE.word
    return _answer(estimate, lambda value: word((value - fair) / (1 - fair)), sentence)
