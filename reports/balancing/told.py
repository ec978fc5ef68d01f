"""A search as a document: the answer, the front, what each population says, power, the variant.

The terminal and the page both show this document, so they say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ethnos_sim.experiments.balancing.found import Found
from ethnos_sim.experiments.balancing.space import Point
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.intervals import Interval
from ethnos_sim.reports.balancing.figures import front_figure, lines_figure
from ethnos_sim.reports.balancing.numbers import Numbers
from ethnos_sim.reports.balancing.outcome import (
    FOUND,
    NONE,
    Outcome,
    PopulationVerdict,
    Validated,
)
from ethnos_sim.reports.balancing.validating import Validation
from ethnos_sim.reports.comparison.situations import EQUIVALENT
from ethnos_sim.reports.estimators.catalog import unit_of
from ethnos_sim.reports.rendering.document import (
    DEFINED,
    NOTICE,
    Block,
    Document,
    Items,
    Section,
    Text,
)
from ethnos_sim.reports.rendering.labels import capital
from ethnos_sim.reports.rendering.markdown import as_markdown
from ethnos_sim.reports.rendering.numbers import MINUS, whole
from ethnos_sim.reports.rendering.table import Column, Row, Table
from ethnos_sim.simulator.rules import value_text


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Told:
    """All that is told of a search.

    Attributes:
        title: what was searched for, in a line.
        found: what the search found.
        outcome: what it comes to.
        numbers: what was measured.
        games: of the search, of the validations and of tuning, in words.
    """

    title: str
    found: Found
    outcome: Outcome
    numbers: Numbers
    games: str

    def __repr__(self) -> str:
        return f"{self.title}: {self.outcome.word}"

    def _repr_markdown_(self) -> str:
        """The whole answer, for notebooks."""
        return as_markdown(as_document(self), "")


def as_document(told: Told) -> Document:
    """The search as a document."""
    sections = (
        Section("summary", "In short", tuple(_summary(told))),
        Section("front", "How little change does how much", tuple(_front(told))),
        Section("steps", "What each value does", tuple(_steps(told))),
        Section("populations", "What each population says", tuple(_populations(told))),
        Section("power", "Clan power before and after", tuple(_power(told))),
        Section("values", "Values that could move", (_values(told.outcome),)),
    )
    return Document(told.title, told.games, f"{NOTICE} {DEFINED}", sections)


def _summary(told: Told) -> Iterator[Block]:
    """The answer in sentences."""
    yield Items((answer(told.outcome), *_cautions(told.outcome)))


def answer(outcome: Outcome) -> str:
    """What the search comes to in one sentence."""
    first = outcome.verdicts[0]
    standing = first.of(outcome.space.start)
    what = "The clans spread" if outcome.pp else "The rules are off their goals"
    before = f"{what} by {_level(standing.imbalance, outcome)} as the rules are"
    if outcome.word == NONE:
        return f"No change of these values does it. {before}, and " + _no_better(outcome)
    best = first.of(outcome.best)
    assert best.change is not None, "a rule set that is better is another one"
    said = (
        f"Recommended: {outcome.space.text(outcome.best)}. {before}, and by "
        f"{_level(best.imbalance, outcome)} so, a change of {_change(best.change, outcome)}."
    )
    if outcome.word != FOUND:
        said += " But other players make it worse: it depends on who plays."
    return said


def _no_better(outcome: Outcome) -> str:
    """Why nothing was found."""
    first = outcome.verdicts[0]
    if outcome.best == outcome.space.start:
        return "of all that was played nothing was expected to come nearer to the goals."
    changed = first.of(outcome.best).change
    assert changed is not None, "another rule set has a change"
    why = "it may be none"
    if first.of(outcome.best).word == EQUIVALENT:
        why = f"less than {_margin(outcome)}, up to which a difference counts as none"
    return (
        f"the likeliest change ({outcome.space.text(outcome.best)}) moved that by "
        f"{_change(changed, outcome)} on fresh deals: {why}."
    )


def _cautions(outcome: Outcome) -> Iterator[str]:
    """What else has to be known before anybody prints the change."""
    first = outcome.verdicts[0]
    if outcome.word == NONE:
        return
    if first.against_single is not None:
        single = outcome.space.text(outcome.single)
        yield (
            f"Against the best single change ({single}) it is a change of "
            f"{_change(first.against_single, outcome)}."
        )
    for verdict in outcome.verdicts[1:]:
        validated = verdict.of(outcome.best)
        assert validated.change is not None, "every population played the baseline"
        yield (
            f"Under {verdict.validation.players}: {validated.word}, by "
            f"{_change(validated.change, outcome)}."
        )
    for place, keep in enumerate(outcome.goals.keeps):
        told = [
            f"{verdict.of(outcome.best).kept[place]} under {verdict.validation.players}"
            for verdict in outcome.verdicts
        ]
        yield f"To keep within {keep.margin:g}: {keep.number}. It is {'; '.join(told)}."


def _front(told: Told) -> Iterator[Block]:
    """Every finalist by its distance, under the search's players."""
    outcome = told.outcome
    first = outcome.verdicts[0]
    space = outcome.space
    order = sorted(
        first.validated, key=lambda each: (float(space.cost([each.point])[0]), each.point)
    )
    rows = [_row(outcome, first, each.point, "imbalance") for each in order]
    changes = [_row(outcome, first, each.point, "change") for each in order]
    yield front_figure([row for row in rows if row is not None], _axis(outcome))
    yield Table(
        f"Finalists by their distance from the baseline, on fresh deals under "
        f"{first.validation.players}. All intervals hold together.",
        (
            Column("Changes", [space.text(each.point) for each in order]),
            Column("Steps", [space.steps(each.point) for each in order]),
            Column(_heading(outcome), rows),
            Column("Change of it", changes),
            Column("So it is", [_word(outcome, each) for each in order]),
        ),
        stored="front",
        stacks=True,
    )


def _word(outcome: Outcome, validated: Validated) -> str:
    """What a finalist is beside the baseline, and whether it is the recommended one."""
    if validated.point == outcome.best and outcome.word != NONE:
        return f"{validated.word}; recommended"
    return validated.word or "baseline"


def _steps(told: Told) -> Iterator[Block]:
    """What a step of each value does, by all evaluations of the search."""
    outcome = told.outcome
    scale = outcome.unit / 100 if outcome.pp else outcome.unit
    rows = [
        Row(
            {"value_moved": step.factor.label, "step": "up" if step.up else "down"},
            Estimate(
                name=step.factor.label,
                definition="step",
                value=scale * step.value,
                low=scale * step.low,
                high=scale * step.high,
                standard_error=None,
                games=told.found.games,
                blocks=0,
                unit="share_difference" if outcome.pp else "count_difference",
                population=outcome.verdicts[0].validation.players,
            ),
        )
        for step in told.found.steps
    ]
    strongest = sorted(rows, key=lambda row: -abs((row.estimate and row.estimate.value) or 0.0))
    names = list(dict.fromkeys(row["value_moved"] for row in strongest))
    rows.sort(key=lambda row: names.index(row["value_moved"]))
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


def _populations(told: Told) -> Iterator[Block]:
    """Each population's word on the best and on the best single change."""
    outcome = told.outcome
    points = list(dict.fromkeys([outcome.best, outcome.single]))
    start = outcome.space.start
    lines = [
        (point, verdict)
        for point in points
        if point != start
        for verdict in outcome.verdicts
        if point in verdict.validation.numbers
    ]
    if not lines:
        yield Text("Nothing was found that populations could disagree about.")
        return
    yield Table(
        "What was found, and the best single change, under other players; each population has "
        "deals of its own.",
        (
            Column("Changes", [_short(outcome, point) for point, _ in lines]),
            Column("Players", [verdict.validation.players for _, verdict in lines]),
            Column(
                "Before", [_row(outcome, v, outcome.space.start, "imbalance") for _, v in lines]
            ),
            Column("After", [_row(outcome, v, p, "imbalance") for p, v in lines]),
            Column("Change", [_row(outcome, v, p, "change") for p, v in lines]),
            Column("So it is", [v.of(p).word for p, v in lines]),
        ),
        stored="populations",
        stacks=True,
    )


def _short(outcome: Outcome, point: Point) -> str:
    """The best single change in words, or else all that was found."""
    return outcome.space.text(point) if point == outcome.single else "all that was found"


def _power(told: Told) -> Iterator[Block]:
    """The power of every clan, and every other number, before and after."""
    outcome = told.outcome
    validation = outcome.verdicts[0].validation
    points = list(dict.fromkeys([outcome.space.start, outcome.best]))
    labels = told.numbers.labels
    columns = [
        Column(
            "As the rules stand" if point == outcome.space.start else "With the changes",
            [_number(told, validation, point, place) for place in range(len(labels))],
        )
        for point in points
    ]
    if len(columns) > 1:
        clans = len(told.numbers.clans)
        yield lines_figure(
            "power",
            "The relative power of every clan on fresh deals, before and after.",
            "power, pp",
            {
                column.heading: [row for row in column.values[:clans] if isinstance(row, Row)]
                for column in columns
            },
            "number",
        )
    yield Table(
        f"What was measured on fresh deals, under {validation.players}. The intervals of a column "
        "hold together.",
        (Column("Number", list(labels)), *columns),
        stored="numbers",
        alike="line",
    )


def _values(outcome: Outcome) -> Table:
    """Every value that could move: what it means, where it stood, and where it goes."""
    space = outcome.space
    lines = list(zip(space.factors, outcome.best, strict=True))
    rows = [
        Row(
            {
                "value_moved": factor.label,
                "meaning": space.base.fields[factor.name].meaning,
                "least": factor.text(0),
                "most": factor.text(len(factor.levels) - 1),
                "stands": factor.text(factor.start),
                "with_the_changes": factor.text(place),
            }
        )
        for factor, place in lines
    ]
    return Table(
        "Values that the search could move, one line a number; lists that move as a whole by what "
        "is added to each number.",
        (
            Column("Value", [str(row["value_moved"]) for row in rows]),
            Column("What it is", [capital(str(row["meaning"])) for row in rows]),
            Column("From", [str(row["least"]) for row in rows]),
            Column("To", [str(row["most"]) for row in rows]),
            Column("As the rules stand", [str(row["stands"]) for row in rows]),
            Column("With the changes", [str(row["with_the_changes"]) for row in rows]),
        ),
        stored="values",
        unshown=tuple(rows),
        stacks=True,
    )


def _number(told: Told, validation: Validation, point: Point, place: int) -> Row:
    """One measured number of a rule set."""
    row = validation.numbers[point]
    clans = len(told.numbers.clans)
    low, high = row.interval(len(row.value))
    if place < clans:
        definition, name, unit = "relative_power", told.numbers.clans[place], "share_difference"
    else:
        definition, name = told.numbers.others[place - clans]
        unit = unit_of(definition, name)
    return Row(
        {"rules": told.outcome.space.text(point), "number": told.numbers.labels[place]},
        Estimate(
            name=name,
            definition=definition,
            value=float(row.value[place]),
            low=float(low[place]),
            high=float(high[place]),
            standard_error=float(row.standard_error[place]),
            games=validation.games // len(validation.numbers),
            blocks=int(row.blocks[place]),
            unit=unit,
            population=validation.players,
        ),
    )


def _row(outcome: Outcome, verdict: PopulationVerdict, point: Point, what: str) -> Row | None:
    """The imbalance of a rule set, or its change, as a row."""
    validated = verdict.of(point)
    interval = validated.imbalance if what == "imbalance" else validated.change
    if interval is None:
        return None
    scale = 0.01 if outcome.pp else 1.0
    validation = verdict.validation
    level, change = (
        ("share_spread", "share_difference") if outcome.pp else ("count", "count_difference")
    )
    space = outcome.space
    return Row(
        {
            "rules": space.text(point),
            "what": what,
            "steps": space.steps(point),
            "cost": float(space.cost([point])[0]),
            "word": validated.word,
            **{name: value_text(value) for name, value in space.changes(point).items()},
        },
        Estimate(
            name=what,
            definition="clan_spread" if outcome.pp else "imbalance",
            value=scale * interval.value,
            low=scale * interval.low,
            high=scale * interval.high,
            standard_error=None,
            games=validation.games // len(validation.numbers),
            blocks=int(validation.numbers[point].blocks[0]),
            unit=level if what == "imbalance" else change,
            population=validation.players,
        ),
    )


def _heading(outcome: Outcome) -> str:
    """What imbalance is called."""
    return "Spread of the clans" if outcome.pp else "Off the goals, in margins"


def _axis(outcome: Outcome) -> str:
    """What imbalance is called beside an axis."""
    return f"{_heading(outcome)}, pp" if outcome.pp else _heading(outcome)


def _level(interval: Interval[float], outcome: Outcome) -> str:
    """A level as a sentence has it."""
    return f"{interval.value:.2f} {_unit(outcome)} ({interval.low:.2f} to {interval.high:.2f})"


def _change(interval: Interval[float], outcome: Outcome) -> str:
    """A change as a sentence has it."""
    told = f"{interval.value:+.2f} {_unit(outcome)} ({interval.low:+.2f} to {interval.high:+.2f})"
    return told.replace("-", MINUS)


def _margin(outcome: Outcome) -> str:
    """The margin of the imbalance."""
    return f"{outcome.unit:.2g} {_unit(outcome)}" if outcome.pp else "one margin"


def _unit(outcome: Outcome) -> str:
    """What imbalance is counted in, in words."""
    return "percentage points" if outcome.pp else "margins"


def games_in_words(found: Found, validations: Sequence[Validation]) -> str:
    """How much was played, for what."""
    validated = sum(each.games for each in validations)
    return (
        f"Searched with {whole(found.games)} games in {found.evaluations} evaluations; validated "
        f"with {whole(validated)} games on fresh deals."
    )
