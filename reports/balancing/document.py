"""A search as a document: the answer, the finalists, populations' verdicts, and clans' worth.

The terminal and the page show the same document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ethnos_sim.experiments.balancing.search import SearchResult
from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.balancing.outcome import (
    AGAINST_SINGLE,
    CHANGE,
    FOUND,
    IMBALANCE,
    NONE,
    Outcome,
    in_goal_units,
    is_spread,
    margin_of,
)
from ethnos_sim.reports.balancing.validations import Validation
from ethnos_sim.reports.estimators.worth import WORTH
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
from ethnos_sim.reports.rendering.table import Column, Label, Table, columns_of, rows_of
from ethnos_sim.simulator.rules import value_text


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BalanceReport:
    """The report of a search.

    Attributes:
        title: a line that says what was searched for.
        result: the result of the search.
        outcome: the validated answer.
        labels: the label of each measured number, the clans' worth first.
    """

    title: str
    result: SearchResult
    outcome: Outcome
    labels: tuple[str, ...]

    def __repr__(self) -> str:
        return f"{self.title}: {self.outcome.word}"

    def _repr_markdown_(self) -> str:
        """Return the whole answer as Markdown, for notebooks."""
        return as_markdown(as_document(self), "")


def as_document(report: BalanceReport) -> Document:
    """The search as a document."""
    outcome, result = report.outcome, report.result
    validated = sum(validation.games for validation in outcome.validations)
    facts = (
        f"Searched with {whole(result.games)} games in {result.evaluations} evaluations; validated "
        f"with {whole(validated)} games on fresh deals."
    )
    sections = (
        Section("summary", "In short", (Items((answer(outcome), *_cautions(outcome))),)),
        Section("front", "What each size of change does", tuple(_front(outcome))),
        Section("steps", "What each value does", tuple(_steps(report))),
        Section("populations", "What each population says", (_populations(outcome),)),
        Section("worth", "What clans are worth before and after", tuple(_worth(report))),
        Section("values", "Values that could move", (_values(outcome),)),
    )
    return Document(report.title, facts, f"{NOTICE} {DEFINED}", sections)


def answer(outcome: Outcome) -> str:
    """The answer of the search in a few sentences."""
    first, best = outcome.validations[0], outcome.best
    what = "The clans spread" if is_spread(outcome.goals) else "The rules are off their goals"
    before = f"{what} by {_in_words(outcome.of(first, outcome.space.start))} under the baseline"
    if outcome.word == NONE:
        return f"No change of these values does it. {before}, and " + _no_better(outcome)
    after, change = (_in_words(outcome.of(first, best, measure)) for measure in (IMBALANCE, CHANGE))
    text = outcome.space.text(best)
    sentence = f"Recommended: {text}. {before}, and by {after} so, a change of {change}."
    if outcome.word != FOUND:
        sentence += " But under other players the change makes it worse: it depends on who plays."
    return sentence


def _no_better(outcome: Outcome) -> str:
    first, best = outcome.validations[0], outcome.best
    if best == outcome.space.start:
        return "no rule set that was played is likely to come nearer to the goals."
    why = "this may be chance"
    if outcome.word_of(first, best) == Verdict.ALIKE:
        margin = "one margin"
        if is_spread(outcome.goals):
            margin = f"{100 * margin_of(outcome.goals):.2g} percentage points"
        why = f"less than {margin}, so it does not matter"
    return (
        f"the most promising change ({outcome.space.text(best)}) moves this number by "
        f"{_in_words(outcome.of(first, best, CHANGE))} on fresh deals: {why}."
    )


def _cautions(outcome: Outcome) -> Iterator[str]:
    """Further facts to know before anybody prints the change."""
    if outcome.word == NONE:
        return
    best, (first, *others) = outcome.best, outcome.validations
    against = outcome.of(first, best, AGAINST_SINGLE)
    if against is not None:
        single = outcome.space.text(outcome.single)
        yield f"Compared with the best single change ({single}), it gives {_in_words(against)}."
    for validation in others:
        word, change = outcome.word_of(validation, best), outcome.of(validation, best, CHANGE)
        yield f"Under {validation.players}: {word}, by {_in_words(change)}."
    for keep in outcome.goals.keeps:
        verdicts = [
            f"{outcome.kept(by, keep).value} under {by.players}" for by in outcome.validations
        ]
        yield f"{keep.number}, to be kept within {keep.margin:g}, is {'; '.join(verdicts)}."


def _in_words(estimate: Estimate | None) -> str:
    """Write an imbalance, or its change, as part of a sentence."""
    in_margins = estimate is not None and estimate.unit.startswith("count")
    return aloud(estimate) + " margins" * in_margins


def _front(outcome: Outcome) -> Iterator[Block]:
    """Show every finalist, nearest to the baseline first, as the search's players measured it."""
    first, space = outcome.validations[0], outcome.space
    order = sorted(first.numbers, key=lambda point: (float(space.cost([point])[0]), point))
    rows = [_measure(outcome, first, point) for point in order]
    marks = tuple(Mark(f"{row['rules']} (distance {row['cost']:g})", row) for row in rows if row)
    note = "Each line is a rule set on fresh deals; the middle one is the baseline."
    start = outcome.of(first, space.start)
    level, title = start.value if start else None, "The finalists"
    yield Figure("front", title, "intervals", marks, _axis(outcome), note=note, middle=level)
    verdicts = [
        f"{outcome.word_of(first, point)}; recommended"
        if point == outcome.best and outcome.word != NONE
        else outcome.word_of(first, point) or "baseline"
        for point in order
    ]
    yield Table(
        f"Finalists by their distance from the baseline, on fresh deals under {first.players}. All "
        "intervals hold together.",
        (
            Column("Changes", [space.text(point) for point in order]),
            Column("Steps", [space.steps(point) for point in order]),
            Column(_heading(outcome), rows),
            Column("Change of it", [_measure(outcome, first, point, CHANGE) for point in order]),
            Column("Verdict", verdicts),
        ),
        stored="front",
        stacks=True,
    )


def lines_figure(
    key: str, title: str, axis: str, series: Mapping[str, Sequence[Estimate]], label: str
) -> Figure:
    """A figure of numbers with their intervals: one number per line, in one or more series.

    Args:
        key: the figure's name, unique on the page.
        title: the figure's title.
        axis: the label of the numbers' axis.
        series: the rows of each series, by the series' name; all series have the same lines.
        label: the key of a label: its value in a row is the name of the row's line.
    """
    marks = tuple(
        Mark(str(row[label]), row, name if len(series) > 1 else "")
        for name, rows in series.items()
        for row in rows
        if row.value is not None
    )
    return Figure(key, title, "intervals", marks, axis, middle=0.0)


def _steps(report: BalanceReport) -> Iterator[Block]:
    """The change of the goal if one value moves by one step, from all evaluations of the search."""
    outcome = report.outcome
    steps = in_goal_units(outcome.goals, report.result.steps, change=True)
    size = dict.fromkeys(steps.names, 0.0)
    for name, value in zip(steps.names, steps.value, strict=True):
        size[name] = max(size[name], abs(value))
    order = sorted(range(len(steps)), key=lambda place: -size[steps.names[place]])
    steps = steps.at(order).labelled(
        value_moved=steps["name"][order], population=outcome.validations[0].players
    )
    rows = rows_of(steps, "value_moved", "step")
    yield lines_figure(
        "steps",
        "The effect of a step of one value from the baseline, from all evaluations of the search, "
        "with the middle 95 % of the posterior.",
        f"change of: {_axis(outcome)}",
        {word: [row for row in rows if row["step"] == word] for word in ("down", "up")},
        "value_moved",
    )
    columns = (
        Column("Value", [str(row["value_moved"]) for row in rows]),
        Column("Step", [str(row["step"]) for row in rows]),
        Column("Change of it", rows),
    )
    yield Table(f"What a step does to: {_heading(outcome)}", columns, stored="steps")


def _populations(outcome: Outcome) -> Block:
    """Each population's verdict on the best rule set and on the best single change."""
    space = outcome.space
    lines = [
        (validation, point)
        for point in dict.fromkeys([outcome.best, outcome.single])
        if point != space.start
        for validation in outcome.validations
        if point in validation.numbers
    ]
    if not lines:
        return Text("Nothing was found that populations could disagree about.")
    texts = [space.text(point) if point == outcome.single else "all changes" for _, point in lines]
    return Table(
        "The recommended rule set and the best single change, by other players; each population "
        "has its own deals.",
        (
            Column("Changes", texts),
            Column("Players", [validation.players for validation, _ in lines]),
            Column(
                "Before", [_measure(outcome, validation, space.start) for validation, _ in lines]
            ),
            Column("After", [_measure(outcome, *line) for line in lines]),
            Column("Change", [_measure(outcome, *line, CHANGE) for line in lines]),
            Column("Verdict", [outcome.word_of(*line) for line in lines]),
        ),
        stored="populations",
        stacks=True,
    )


def _worth(report: BalanceReport) -> Iterator[Block]:
    """Every clan's worth, and every other number, under the baseline and the best rule set."""
    space, validation = report.outcome.space, report.outcome.validations[0]
    columns = {}
    for point in dict.fromkeys([space.start, report.outcome.best]):
        numbers = validation.numbers[point]
        columns["Baseline" if point == space.start else "With the changes"] = [
            replace(estimate, labels={"rules": space.text(point), "number": label})
            for label, estimate in zip(report.labels, numbers.estimates(len(numbers)), strict=True)
        ]
    if len(columns) > 1:
        worths = {
            heading: [row for row in rows if row.definition == WORTH.name]
            for heading, rows in columns.items()
        }
        title = "What every clan is worth on fresh deals, before and after."
        yield lines_figure("worth", title, "worth, games of 100", worths, "number")
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
    """Every value that could move: its meaning, range, baseline and recommendation."""
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
        "Values that the search could move, one line a number. A list that moves as a whole shows "
        "what is added to each of its numbers."
    )
    stored = ("value_moved", "meaning", "least", "most", "baseline", "with_the_changes")
    return Table(
        caption,
        columns_of(rows),
        "values",
        unshown=tuple(dict(zip(stored, row.values(), strict=True)) for row in rows),
        stacks=True,
    )


def _measure(
    outcome: Outcome, validation: Validation, point: Point, measure: str = IMBALANCE
) -> Estimate | None:
    """One measure of `point`, with labels for the stored table; None if it was not measured."""
    number, space = outcome.of(validation, point, measure), outcome.space
    if number is None:
        return None
    about: dict[str, Label] = {
        "rules": space.text(point),
        "what": number.name,
        "steps": space.steps(point),
        "cost": float(space.cost([point])[0]),
        "word": outcome.word_of(validation, point),
        **{name: value_text(value) for name, value in space.changes(point).items()},
    }
    return replace(number, labels=about)


def _heading(outcome: Outcome) -> str:
    return "Spread of the clans" if is_spread(outcome.goals) else "Off the goals, in margins"


def _axis(outcome: Outcome) -> str:
    return _heading(outcome) + ", pp" * is_spread(outcome.goals)
