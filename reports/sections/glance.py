"""Verdicts at a glance: seats, clans, leaders, comebacks, length and skill in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.bands import POWER
from ethnos_sim.reports.document import Block, Cell, Details, Table, Text
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.estimators.clan_spread import estimate_clan_spread
from ethnos_sim.reports.estimators.game_shape import (
    COMEBACK,
    COMEBACK_FROM,
    LEADER,
    LENGTH,
    estimate_shape,
)
from ethnos_sim.reports.estimators.seat_edge import estimate_seat_edge
from ethnos_sim.reports.estimators.skill import SCALE, measure_skill
from ethnos_sim.reports.estimators.win_lift import measure_win_lift
from ethnos_sim.reports.evidence import SKILL
from ethnos_sim.reports.game_numbers import DISTRIBUTIONS, ages
from ethnos_sim.reports.labels import population_label
from ethnos_sim.reports.numbers import ABSENT, number, whole, with_interval
from ethnos_sim.reports.sections.chapter import Chapter, counted_players

UNSETTLED = "not settled"
DEPENDENT = "policy-dependent"

QUESTIONS = {
    "seats": "Is every seat fair?",
    "spread": "How far apart are the {clans}?",
    "leader": "Does the leader run away?",
    "comeback": "Can one come back?",
    "length": "How long is a game?",
    "skill": "How much does skill count?",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One question answered for a player count and a population.

    Attributes:
        estimate: the number; None where it was not played for.
        about: what the number is of, where the question does not say it.
        word: the band of the number.
        possible: what intervals leave open of each thing that is judged: the bands that its
            interval reaches, or the sides of a seat; empty without intervals.
        sentence: what it means at the table.
    """

    estimate: Estimate | None
    about: str
    word: str
    possible: Mapping[str, frozenset[str]]
    sentence: str

    @property
    def shown(self) -> str:
        """The number with its interval and what it is of."""
        value = with_interval(self.estimate)
        return f"{value} ({self.about})" if self.about else value


Everything = dict[int, dict[str, dict[str, Answer]]]
"""Answers by player count, population and question."""


def glance(chapters: Sequence[Chapter]) -> tuple[Block, ...]:
    """One table for all settings with ordinary games, and everything it leaves out below it."""
    played = [(chapter, _everything(chapter)) for chapter in chapters if chapter.players]
    if not played:
        return ()
    rows = []
    for key, question in QUESTIONS.items():
        for chapter, everything in played:
            by_population = everything[chapter.usual]
            main = next(iter(by_population.values()))
            if key not in main:
                continue
            others = [found[key] for found in by_population.values() if key in found]
            answer, estimate = main[key], main[key].estimate
            word = f"{answer.word}, {DEPENDENT}" if _depends(others) else answer.word
            texts = (
                question.format(clans=chapter.rules.words.clans),
                *([chapter.title] if len(played) > 1 else []),
                answer.shown,
                word,
                answer.sentence,
                whole(estimate.games) if estimate else ABSENT,
                estimate.population if estimate else ABSENT,
            )
            rows.append(tuple(Cell(text) for text in texts))
    counts = sorted({chapter.usual for chapter, _ in played})
    caption = f"Verdicts at a glance, {counted_players(counts)}, with 95 % intervals."
    edition = ["Edition"] if len(played) > 1 else []
    headings = ("Question", *edition, "Value", "Verdict", "At the table", "Games", "Strategies")
    blocks: list[Block] = [Table(caption, headings, tuple(rows), "verdicts", stacks=True)]
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
    found = {
        "seats": _seats(edges, players),
        "spread": _spread(chapter, players, population),
        "leader": _leader(chapter, players, shape),
        "comeback": _comeback(chapter, players, shape["comeback"]),
        "length": _length(chapter, players, population, shape["turns"]),
    }
    for key, answer in found.items():
        _store(chapter, players, key, answer)
    return found


def _everything(chapter: Chapter) -> Everything:
    """All answers of a setting; skill, which has games of its own, stands with the main ones."""
    everything: Everything = {}
    for players in chapter.players:
        names = chapter.evidence.populations(chapter.setting, players)
        found = {name: answers(chapter, players, name) for name in names if name != SKILL}
        main = found.setdefault(next(iter(found), SKILL), {})
        main["skill"] = _skill(chapter, players)
        everything[players] = found
    return everything


def _in_full(chapter: Chapter, everything: Everything) -> list[Block]:
    """All player counts as rows, all populations as columns."""
    names = list(dict.fromkeys(name for found in everything.values() for name in found))
    rows = []
    for players, found in everything.items():
        for key, question in QUESTIONS.items():
            told = {name: by[key] for name, by in found.items() if key in by}
            if not any(answer.estimate for answer in told.values()):
                continue
            texts = [
                f"{told[name].shown}: {told[name].word}" if name in told else ABSENT
                for name in names
            ]
            mark = DEPENDENT if _depends(list(told.values())) else ABSENT
            heading = question.format(clans=chapter.rules.words.clans)
            rows.append(tuple(Cell(t) for t in (f"{players} players: {heading}", *texts, mark)))
    headings = ("Question", *map(population_label, names), "Verdict changes?")
    note = (
        f"A verdict is {DEPENDENT} where the intervals of two populations have no band in common, "
        f"or a seat surely wins more under one and surely less under another. "
    )
    if len(names) < 3:
        note += f"Only {len(names)} of the three populations played that a sound verdict asks for."
    caption = "Values with 95 % intervals and bands by the strategies that played."
    return [
        Text(note.strip(), "note"),
        Table(caption, headings, tuple(rows), "verdicts", stacks=True),
    ]


def _depends(answers: Sequence[Answer]) -> bool:
    """Whether two populations surely differ in anything that is judged."""
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
    about: str = "",
) -> Answer:
    """An answer whose band follows from its value."""
    if estimate is None or estimate.value is None:
        return Answer(estimate, about, ABSENT, {}, sentence)
    if estimate.low is None or estimate.high is None:
        return Answer(estimate, about, UNSETTLED, {}, sentence)
    grid = np.linspace(estimate.low, estimate.high, 50)
    possible = {"band": frozenset(word(float(value)) for value in grid)}
    return Answer(estimate, about, word(estimate.value), possible, sentence)


def _seats(edges: Sequence[Estimate], players: int) -> Answer:
    """The seat furthest from a fair share."""
    most = max(edges, key=lambda edge: abs(edge.value or 0.0))
    value = most.value or 0.0
    fair = 1 / players
    sentence = (
        f"Who acts {most.name} wins {number(fair + value, 'share')} of games; a fair share is "
        f"{number(fair, 'share')}."
    )
    if most.low is None or most.high is None:
        return Answer(most, most.name, UNSETTLED, {}, sentence)
    possible = {edge.name: _sides(edge) for edge in edges}
    ends = [abs(end) for e in edges for end in (e.low, e.high) if end is not None]
    if max(ends) < POWER.minor:
        word = "fair"
    elif most.low <= 0 <= most.high:
        word = UNSETTLED
    else:
        word = POWER.word(value)
    return Answer(most, most.name, word, possible, sentence)


def _sides(edge: Estimate) -> frozenset[str]:
    """The sides of a fair share on which a seat may be."""
    if edge.low is None or edge.high is None:
        return frozenset()
    reached = (("ahead", edge.high > 0), ("behind", edge.low < 0))
    return frozenset(side for side, may_be in reached if may_be)


def clan_measure(chapter: Chapter, players: int, population: str) -> Measure | None:
    """What tells clans apart: restricted play where a population has it, else win lift."""
    power = chapter.power(population, players)
    if power is not None and power.trusted.any():
        return power
    main = population == chapter.evidence.main_population(chapter.setting, players)
    if main and chapter.power_population is not None:
        power = chapter.power(chapter.power_population, players)
        if power is not None and power.trusted.any():
            return power
    sums = chapter.evidence.total(chapter.setting, players, population)
    return measure_win_lift(sums, chapter.describe(population, players))


def _spread(chapter: Chapter, players: int, population: str) -> Answer:
    """How far clans are apart."""
    values = clan_measure(chapter, players, population)
    assert values is not None, "ordinary games have win lift"
    estimate = estimate_clan_spread(values)
    about = "win lift" if values.definition == "win_lift" else ""
    if estimate is None:
        return Answer(None, "", ABSENT, {}, "Too few games to tell.")
    trusted = [e for e, sure in zip(values.estimates(), values.trusted, strict=True) if sure]
    ranked = sorted(trusted, key=lambda e: e.value or 0.0)
    labels = chapter.clan_labels()
    ends = [f"{labels[e.name]} ({number(e.value, e.unit)})" for e in (ranked[-1], ranked[0])]
    sentence = f"One standard deviation, noise taken out; the values go from {' to '.join(ends)}."
    bands = ESTIMANDS[values.definition].bands
    assert bands is not None, "clans are judged by a number that has bands"
    answer = _answer(estimate, bands.word, sentence, about)
    # The bands of power and of win lift are not the same thing and cannot be held together.
    return replace(answer, possible={values.definition: answer.possible.get("band", frozenset())})


def _leader(chapter: Chapter, players: int, shape: dict[str, Estimate]) -> Answer:
    """P(win) of whoever leads before the last age."""
    age = ages(players) - 1
    estimate, fair = shape[f"leader_after_age_{age}"], 1 / players
    word = chapter.rules.words.age
    times = "" if estimate.value is None else f", {estimate.value / fair:.1f} times a fair share"
    sentence = (
        f"Who leads after {word} {age} of {age + 1} wins {number(estimate.value, 'share', 0)} of "
        f"games{times}."
    )
    return _answer(estimate, lambda value: LEADER.word((value - fair) / (1 - fair)), sentence)


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
    answer = _answer(estimate, lambda value: LENGTH.word((high - low) / value), sentence, "turns")
    # The band rests on a width that has no interval, so it is never surely another one.
    return replace(answer, possible={})


def _middle(counts: np.ndarray, width: int) -> tuple[int, int]:
    """The ends of the middle nine tenths of what was counted in bins of some width."""
    reached = np.cumsum(counts) / counts.sum()
    low, high = (int(np.searchsorted(reached, share)) for share in (0.05, 0.95))
    return width * low, width * (high + 1) - 1


def _skill(chapter: Chapter, players: int) -> Answer:
    """P(win) of one stronger strategy against weaker ones."""
    situation = chapter.situation(players, SKILL)
    strata = chapter.evidence.where(lambda s: s.situation == situation)
    if not strata:
        sentence = 'Not asked: it takes line-ups of the population "skill", one strong player.'
        return Answer(None, "", ABSENT, {}, sentence)
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
    answer = _answer(estimate, lambda value: word((value - fair) / (1 - fair)), sentence)
    _store(chapter, players, "skill", answer)
    return answer


def _store(chapter: Chapter, players: int, key: str, answer: Answer) -> None:
    """Keep an answer that has a number."""
    if answer.estimate is None:
        return
    more = {"about": answer.about, "band": answer.word, "sentence": answer.sentence}
    chapter.ledger.add(
        "verdicts", chapter.labels(players=players, question=key), answer.estimate, more
    )
