"""A search as a document: the answer, the front, what each population says, power, the variant.

The terminal and the page both show this document, so they say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ethnos_sim.experiments.balancing.search import Found
from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.significance import EQUIVALENT
from ethnos_sim.reports.balancing.outcome import FOUND, NONE, Outcome, PopulationVerdict
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER
from ethnos_sim.reports.rendering.document import (
    DEFINED,
    NOTICE,
    Block,
    Document,
    Figure,
    Items,
    Mark,
    Section,
    Text,
)
from ethnos_sim.reports.rendering.markdown import as_markdown
from ethnos_sim.reports.rendering.numbers import aloud, capital, whole
from ethnos_sim.reports.rendering.table import Column, Label, Row, Table
from ethnos_sim.simulator.rules import value_text


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BalanceReport:
    """What a search says.

    Attributes:
        title: what was searched for, in a line.
        found: what the search found.
        outcome: what it comes to.
        labels: what each number is called that was measured, the power of the clans first.
    """

    title: str
    found: Found
    outcome: Outcome
    labels: tuple[str, ...]

    def __repr__(self) -> str:
        return f"{self.title}: {self.outcome.word}"

    def _repr_markdown_(self) -> str:
        """The whole answer, for notebooks."""
        return as_markdown(as_document(self), "")


def as_document(report: BalanceReport) -> Document:
    """The search as a document."""
    outcome, found = report.outcome, report.found
    validated = sum(verdict.validation.games for verdict in outcome.verdicts)
    facts = (
        f"Searched with {whole(found.games)} games in {found.evaluations} evaluations; validated "
        f"with {whole(validated)} games on fresh deals."
    )
    sections = (
        Section("summary", "In short", (Items((answer(outcome), *_cautions(outcome))),)),
        Section("front", "How little change does how much", tuple(_front(outcome))),
        Section("steps", "What each value does", tuple(_steps(report))),
        Section("populations", "What each population says", (_populations(outcome),)),
        Section("power", "Clan power before and after", tuple(_power(report))),
        Section("values", "Values that could move", (_values(outcome),)),
    )
    return Document(report.title, facts, f"{NOTICE} {DEFINED}", sections)


def answer(outcome: Outcome) -> str:
    """What the search comes to in one sentence."""
    first = outcome.verdicts[0]
    what = "The clans spread" if outcome.scale.spread else "The rules are off their goals"
    before = f"{what} by {_said(first.of(outcome.space.start).imbalance)} under the baseline"
    if outcome.word == NONE:
        return f"No change of these values does it. {before}, and " + _no_better(outcome)
    best = first.of(outcome.best)
    said = (
        f"Recommended: {outcome.space.text(outcome.best)}. {before}, and by "
        f"{_said(best.imbalance)} so, a change of {_said(best.change)}."
    )
    if outcome.word != FOUND:
        said += " But other players make it worse: it depends on who plays."
    return said


def _no_better(outcome: Outcome) -> str:
    if outcome.best == outcome.space.start:
        return "of all that was played nothing was expected to come nearer to the goals."
    best = outcome.verdicts[0].of(outcome.best)
    why = "it may be none"
    if best.word == EQUIVALENT:
        scale = outcome.scale
        margin = f"{100 * scale.margin:.2g} percentage points" if scale.spread else "one margin"
        why = f"less than {margin}, up to which a difference counts as none"
    return (
        f"the likeliest change ({outcome.space.text(outcome.best)}) moved that by "
        f"{_said(best.change)} on fresh deals: {why}."
    )


def _cautions(outcome: Outcome) -> Iterator[str]:
    """What else has to be known before anybody prints the change."""
    first, *others = outcome.verdicts
    if outcome.word == NONE:
        return
    if first.against_single is not None:
        single, change = outcome.space.text(outcome.single), _said(first.against_single)
        yield f"Against the best single change ({single}) it is a change of {change}."
    for verdict in others:
        validated = verdict.of(outcome.best)
        players = verdict.validation.players
        yield f"Under {players}: {validated.word}, by {_said(validated.change)}."
    for place, keep in enumerate(outcome.goals.keeps):
        told = [
            f"{verdict.of(outcome.best).kept[place]} under {verdict.validation.players}"
            for verdict in outcome.verdicts
        ]
        yield f"To keep within {keep.margin:g}: {keep.number}. It is {'; '.join(told)}."


def _said(estimate: Estimate | None) -> str:
    """An imbalance or a change of it as a sentence has it."""
    in_margins = estimate is not None and estimate.unit.startswith("count")
    return aloud(estimate) + " margins" * in_margins


def _front(outcome: Outcome) -> Iterator[Block]:
    """Every finalist by its distance, under the search's players."""
    first, space = outcome.verdicts[0], outcome.space
    order = sorted(
        first.validated, key=lambda each: (float(space.cost([each.point])[0]), each.point)
    )
    rows = [_row(outcome, first, each.point) for each in order]
    marks = tuple(Mark(f"{row['rules']} (distance {row['cost']:g})", row) for row in rows)
    note = "Each line is a rule set on fresh deals; the middle one is the baseline."
    level = first.of(space.start).imbalance.value
    title = "The finalists"
    yield Figure("front", title, "intervals", marks, _axis(outcome), note=note, middle=level)
    verdicts = [
        f"{each.word}; recommended"
        if each.point == outcome.best and outcome.word != NONE
        else each.word or "baseline"
        for each in order
    ]
    yield Table(
        f"Finalists by their distance from the baseline, on fresh deals under "
        f"{first.validation.players}. All intervals hold together.",
        (
            Column("Changes", [space.text(each.point) for each in order]),
            Column("Steps", [space.steps(each.point) for each in order]),
            Column(_heading(outcome), rows),
            Column("Change of it", [_change_row(outcome, first, each.point) for each in order]),
            Column("Verdict", verdicts),
        ),
        stored="front",
        stacks=True,
    )


def lines_figure(
    key: str, title: str, axis: str, series: Mapping[str, Sequence[Row]], label: str
) -> Figure:
    """Numbers with their intervals, a line each, in one or more series side by side.

    Args:
        key: unique on the page.
        title: what it shows.
        axis: what the numbers are.
        series: rows by what they have in common, all with the same lines.
        label: the rows' label that names a line.
    """
    marks = tuple(
        Mark(str(row[label]), row, name if len(series) > 1 else "")
        for name, rows in series.items()
        for row in rows
        if row.estimate is not None and row.estimate.value is not None
    )
    return Figure(key, title, "intervals", marks, axis, middle=0.0)


def _steps(report: BalanceReport) -> Iterator[Block]:
    """What a step of each value does, by all evaluations of the search."""
    outcome, found = report.outcome, report.found
    size = dict.fromkeys(outcome.space.factors, 0.0)
    for step in found.steps:
        size[step.factor] = max(size[step.factor], abs(step.value))
    order = sorted(size, key=lambda factor: -size[factor])
    rows = [
        Row(
            {"value_moved": step.factor.label, "step": "up" if step.up else "down"},
            outcome.scale.estimate(
                (step.value, step.low, step.high),
                change=True,
                games=found.games,
                blocks=0,
                population=outcome.verdicts[0].validation.players,
                definition="step",
                name=step.factor.label,
            ),
        )
        for step in sorted(found.steps, key=lambda step: order.index(step.factor))
    ]
    yield lines_figure(
        "steps",
        "One value alone, a step from the baseline; by all evaluations of the search, with the "
        "middle 95 % of what they leave open.",
        f"change of: {_axis(outcome)}",
        {word: [r for r in rows if r["step"] == word] for word in ("down", "up")},
        "value_moved",
    )
    columns = (
        Column("Value", [str(row["value_moved"]) for row in rows]),
        Column("Step", [str(row["step"]) for row in rows]),
        Column("Change of it", rows),
    )
    yield Table(f"What a step does to: {_heading(outcome)}", columns, stored="steps")


def _populations(outcome: Outcome) -> Block:
    """Each population's word on the best and on the best single change."""
    space = outcome.space
    lines = [
        (point, verdict)
        for point in dict.fromkeys([outcome.best, outcome.single])
        if point != space.start
        for verdict in outcome.verdicts
        if point in verdict.validation.numbers
    ]
    if not lines:
        return Text("Nothing was found that populations could disagree about.")
    texts = [space.text(p) if p == outcome.single else "all that was found" for p, _ in lines]
    return Table(
        "What was found, and the best single change, under other players; each population has "
        "deals of its own.",
        (
            Column("Changes", texts),
            Column("Players", [verdict.validation.players for _, verdict in lines]),
            Column("Before", [_row(outcome, verdict, space.start) for _, verdict in lines]),
            Column("After", [_row(outcome, verdict, point) for point, verdict in lines]),
            Column("Change", [_change_row(outcome, verdict, point) for point, verdict in lines]),
            Column("Verdict", [verdict.of(point).word for point, verdict in lines]),
        ),
        stored="populations",
        stacks=True,
    )


def _power(report: BalanceReport) -> Iterator[Block]:
    """The power of every clan, and every other number, before and after."""
    space, validation = report.outcome.space, report.outcome.verdicts[0].validation
    columns = {}
    for point in dict.fromkeys([space.start, report.outcome.best]):
        numbers = validation.numbers[point]
        columns["Baseline" if point == space.start else "With the changes"] = [
            Row({"rules": space.text(point), "number": label}, each)
            for label, each in zip(report.labels, numbers.estimates(len(numbers)), strict=True)
        ]
    if len(columns) > 1:
        powers = {
            heading: [
                row
                for row in rows
                if row.estimate and row.estimate.definition == RELATIVE_POWER.name
            ]
            for heading, rows in columns.items()
        }
        title = "The relative power of every clan on fresh deals, before and after."
        yield lines_figure("power", title, "power, pp", powers, "number")
    yield Table(
        f"What was measured on fresh deals, under {validation.players}. The intervals of a column "
        "hold together.",
        (
            Column("Number", report.labels),
            *(Column(heading, rows) for heading, rows in columns.items()),
        ),
        stored="numbers",
        alike="line",
    )


def _values(outcome: Outcome) -> Table:
    """Every value that could move: what it means, where it stood, and where it goes."""
    space = outcome.space
    rows = [
        {
            "Value": factor.label,
            "What it is": capital(space.base.fields[factor.name].meaning),
            "From": factor.text(0),
            "To": factor.text(len(factor.levels) - 1),
            "Baseline": factor.text(factor.start),
            "With the changes": factor.text(place),
        }
        for factor, place in zip(space.factors, outcome.best, strict=True)
    ]
    caption = (
        "Values that the search could move, one line a number; lists that move as a whole by what "
        "is added to each number."
    )
    stored = ("value_moved", "meaning", "least", "most", "baseline", "with_the_changes")
    return Table(
        caption,
        tuple(Column(name, [row[name] for row in rows]) for name in rows[0]),
        "values",
        unshown=tuple(Row(dict(zip(stored, row.values(), strict=True))) for row in rows),
        stacks=True,
    )


def _row(outcome: Outcome, verdict: PopulationVerdict, point: Point) -> Row:
    return _stored(outcome, verdict, point, verdict.of(point).imbalance)


def _change_row(outcome: Outcome, verdict: PopulationVerdict, point: Point) -> Row | None:
    change = verdict.of(point).change
    return None if change is None else _stored(outcome, verdict, point, change)


def _stored(outcome: Outcome, verdict: PopulationVerdict, point: Point, found: Estimate) -> Row:
    """A number of a rule set with what it is about."""
    space = outcome.space
    about: dict[str, Label] = {
        "rules": space.text(point),
        "what": found.name,
        "steps": space.steps(point),
        "cost": float(space.cost([point])[0]),
        "word": verdict.of(point).word,
        **{name: value_text(value) for name, value in space.changes(point).items()},
    }
    return Row(about, found)


def _heading(outcome: Outcome) -> str:
    return "Spread of the clans" if outcome.scale.spread else "Off the goals, in margins"


def _axis(outcome: Outcome) -> str:
    return _heading(outcome) + ", pp" * outcome.scale.spread
