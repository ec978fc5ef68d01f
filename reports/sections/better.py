"""How to play better: what decisions cost, and what winners and better players do otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.experiments.matches.decisions import CHOOSING, KINDS, WEIGHING
from ethnos_sim.experiments.matches.turn_chances import JUDGE
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.decision_cost import (
    ALL,
    LABELS,
    DecisionSums,
    measure_decision_cost,
    measure_decision_cost_per_turn,
)
from ethnos_sim.reports.estimators.skill_trend import LADDER, skill_trends
from ethnos_sim.reports.estimators.usage import USAGE, USAGE_GAP, measure_usage
from ethnos_sim.reports.estimators.winners_ways import (
    WAYS,
    measure_players_ways,
    measure_winners_ways,
)
from ethnos_sim.reports.judged_games import LEAST_PLAYED, judge_decisions
from ethnos_sim.reports.rendering.document import Block, Section, Text
from ethnos_sim.reports.rendering.labels import clan_label
from ethnos_sim.reports.rendering.numbers import listed, whole, with_interval
from ethnos_sim.reports.rendering.table import Column, Label, Row, Table
from ethnos_sim.reports.sections.chapter import Chapter, side_by_side
from ethnos_sim.simulator.errors import Failed, WrongInput

MOST_TOLD = 3
"""Kinds of decisions that a sentence names."""


def decisions(chapters: Sequence[Chapter]) -> Section:
    """What each kind of decision costs the players of the main population, judged for it."""
    reading = (
        f"Some turns of games are judged again: on guesses at the hidden cards, {JUDGE} tries "
        f"every move and lets champions play on. {CHOOSING} guesses choose the best move, "
        f"{WEIGHING} others say how much winning chance the one that was made lost against it. A "
        f"turn is taken apart into choices made one after the other, so that their costs sum to "
        f"what the move cost."
    )
    blocks = side_by_side(chapters, _decisions)
    return Section("better", "How to play better", (Text(reading), *blocks))


def _decisions(chapter: Chapter) -> list[Block]:
    """A sentence and the table of one setting at its usual players, or why it has none."""
    try:
        sums = judge_decisions(chapter.evidence, chapter.situation(chapter.usual))
    except (WrongInput, Failed) as error:
        return [Text(f"No turns were judged: {error}.", "note")]
    if sums is None:
        few = f"No turns are judged where fewer than {whole(LEAST_PLAYED)} games were played."
        return [Text(few, "note")]
    words, population = chapter.rules.words, chapter.population(chapter.usual)

    def rows(measured: Estimates, strategy: str | None = None) -> dict[str, Row]:
        labels: dict[str, Label] = {"players": chapter.usual, "strategy": strategy}
        found = chapter.rows(measured.estimates(), "choice", **labels)
        return {row["choice"]: row for row in found}

    each = rows(measure_decision_cost(sums, population))
    a_turn = rows(measure_decision_cost_per_turn(sums, population))
    names = [name for name in (*KINDS, ALL) if _known(each[name])]
    names.sort(key=lambda name: (name == ALL, -_value(a_turn[name])))
    by_strategy = {
        of: rows(measure_decision_cost_per_turn(sums, population, of), of)
        for of in (sums.strategies if len(sums.strategies) > 1 else ())
    }
    labels = {name: words.translate(LABELS[name].label) for name in names}
    columns = (
        Column("Choice", list(labels.values())),
        Column("Comes up", [_often(sums, name) for name in names], "{:.0%} of turns".format),
        Column("Costs each time", [each[name] for name in names]),
        Column("Costs a turn", [a_turn[name] for name in names]),
        *(Column(of, [found[name] for name in names]) for of, found in by_strategy.items()),
    )
    caption = (
        f"Winning chance lost by choices, with 95 % intervals: {whole(sums.turns)} turns of "
        f"{whole(sums.games)} games with {chapter.usual} players, {population}."
    )
    if by_strategy:
        caption += " To the right: the cost a turn by who chose."
    told = [
        f"{_small(labels[name])} ({with_interval(a_turn[name].estimate)} a turn)"
        for name in names
        if name != ALL and _sure(a_turn[name])
    ]
    text = f"What costs most: {'; '.join(told[:MOST_TOLD])}." if told else "No cost is sure."
    return [Text(text), Table(caption, columns, "decisions", alike="none")]


def _often(sums: DecisionSums, name: str) -> float:
    """The share of judged turns at which a choice comes up."""
    asked = sums.arrays["asked"].sum(axis=(0, 1))
    return float(asked[(*KINDS, ALL).index(name)] / asked[-1])


def ways(chapters: Sequence[Chapter]) -> Section:
    """What winners do that losers do not, and better players that weaker ones do not."""
    reading = (
        "What goes with winning need not bring it: who is ahead may play otherwise because of it. "
        "What ever better players do ever more, each at tables of their own kind, says more."
    )
    title = "What winners and better players do"
    blocks = side_by_side([chapter for chapter in chapters if chapter.players], _ways)
    return Section("ways", title, (Text(reading), *blocks), level=3)


def _ways(chapter: Chapter) -> list[Block]:
    """The table of one setting at its usual number of players."""
    words, players = chapter.rules.words, chapter.usual
    evidence, setting = chapter.evidence, chapter.setting
    rungs = [name for name in LADDER if name in evidence.populations(setting, players)]

    def measured(population: str) -> tuple[list[Estimates], list[Estimates]]:
        """Winners less losers, and the level, of ways and of the clans led."""
        sums, said = evidence.total(setting, players, population), chapter.describe(population)
        gaps = [measure_winners_ways(sums, said), measure_usage(sums, USAGE_GAP.name, said)]
        return gaps, [measure_players_ways(sums, said), measure_usage(sums, USAGE.name, said)]

    def rows(measures: Sequence[Sequence[Estimate]], population: str) -> dict[str, Row]:
        found = [each for estimates in measures for each in estimates if each.value is not None]
        labels: dict[str, Label] = {"players": players, "strategies": population}
        return {row["name"]: row for row in chapter.rows(found, "name", **labels)}

    main = evidence.main_population(setting, players)
    winners = rows([each.estimates() for each in measured(main)[0]], main)
    levels = {name: measured(name)[1] for name in rungs}
    by_rung = {name: rows([m.estimates() for m in both], name) for name, both in levels.items()}
    change: dict[str, Row] = {}
    if len(rungs) > 1:
        pairs = zip(*levels.values(), strict=True)
        change = rows([skill_trends(each) for each in pairs], " < ".join(rungs))
    clans = [name for name in winners if name not in (*WAYS, chapter.wild_clan)]
    clans.sort(key=lambda name: -_value((change or winners).get(name)))
    names = [*(name for name in WAYS if name in winners), *clans]
    columns = (
        Column("What", [_label(chapter, name) for name in names]),
        Column("Winners less losers", [winners[name] for name in names]),
        *(Column(of, [found.get(name) for name in names]) for of, found in by_rung.items()),
        *([Column("Change", [change.get(name) for name in names])] if change else []),
    )
    caption = (
        f"What players do in a game with {players} players, with 95 % intervals. Winners less "
        f"losers: at the same tables, {chapter.population(players)}."
    )
    if rungs:
        caption += f" {listed(rungs)}: in all seats" + ", from weak to strong." * bool(change)
    return [Table(words.translate(caption), columns, "ways", alike="line")]


def _label(chapter: Chapter, name: str) -> str:
    """What a line is about."""
    words = chapter.rules.words
    return words.translate(WAYS[name].label if name in WAYS else f"Led by {clan_label(name)}")


def _known(row: Row) -> bool:
    """Whether a row has a number."""
    return row.estimate is not None and row.estimate.value is not None


def _sure(row: Row) -> bool:
    """Whether the interval of a row's number leaves out 0."""
    return row.estimate is not None and row.estimate.excludes_zero


def _value(row: Row | None) -> float:
    """The number of a row, for sorting."""
    return row.estimate.value if row and row.estimate and row.estimate.value is not None else 0.0


def _small(text: str) -> str:
    """A text with a small first letter."""
    return text[:1].lower() + text[1:]
