"""A search as a document for terminals and notebooks: the answer, and a table of finalists."""

from __future__ import annotations

from collections.abc import Iterator

from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.balancing.outcome import FOUND, NONE, Outcome
from ethnos_sim.reports.rendering.document import NUMBERS_NOTICE, Block, Bullets, Document, Section
from ethnos_sim.reports.rendering.numbers import UNITS, capitalized, count_text, interval_in_words
from ethnos_sim.reports.rendering.table import Column, Table


def balance_document(outcome: Outcome) -> Document:
    """The document about the outcome of a search."""
    space, result = outcome.request.space, outcome.result
    validated = sum(validation.games for validation in outcome.validations)
    facts = (
        f"Searched with {count_text(result.games)} games in {result.evaluations} evaluations; "
        f"validated with {count_text(validated)} games on fresh deals."
    )
    sections = (
        Section("summary", "In short", (Bullets(tuple(answer_sentences(outcome))),)),
        Section("finalists", "What the changes do", tuple(_finalist_table(outcome))),
    )
    title = f"Balance of {space.base_rules.title}, {space.players} players"
    return Document(title, facts, NUMBERS_NOTICE, sections)


def answer_sentences(outcome: Outcome) -> Iterator[str]:
    """What the search recommends; then what its change does under the second population, if any."""
    space, best = outcome.request.space, outcome.result.best
    first, *others = outcome.finalists
    number = capitalized(outcome.request.aim.description)
    before = f"{number} is {interval_in_words(first[space.baseline].distance)} under the baseline"
    if outcome.word == NONE:
        yield f"No change of these values is recommended. {before}, and {_why_no_change(outcome)}"
        return
    after, change = interval_in_words(first[best].distance), interval_in_words(first[best].change)
    sentence = (
        f"Recommended: {space.changes_text(best)}. {before}; it changes by {change}, to {after}."
    )
    if outcome.word != FOUND:
        sentence += " But under other players the change makes it worse: it depends on who plays."
    yield sentence
    for validation, finalists in zip(outcome.validations[1:], others, strict=True):
        finalist = finalists[best]
        change = interval_in_words(finalist.change)
        yield f"Under {validation.population}: {finalist.word}, by {change}."


def _why_no_change(outcome: Outcome) -> str:
    """The end of a sentence: why no change is recommended."""
    best, space, aim = outcome.result.best, outcome.request.space, outcome.request.aim
    if best == space.baseline:
        return "no rule set that was played is likely to come nearer to the target."
    finalist = outcome.finalists[0][best]
    why = "this may be chance"
    if finalist.word == Verdict.ALIKE:
        unit = UNITS[aim.unit]
        margin = f"{unit.factor * aim.target.margin:.2g} {unit.words}"
        why = f"less than the margin of {margin}, so it does not matter"
    return (
        f"the most promising change ({space.changes_text(best)}) moves it by "
        f"{interval_in_words(finalist.change)} on fresh deals: {why}."
    )


def _finalist_table(outcome: Outcome) -> Iterator[Block]:
    """A table with the distance of each finalist from the target, in games of each population."""
    space, best = outcome.request.space, outcome.result.best
    rows = [
        (validation.population, point, finalist)
        for validation, finalists in zip(outcome.validations, outcome.finalists, strict=True)
        for point, finalist in finalists.items()
    ]
    words = [
        "baseline"
        if point == space.baseline
        else f"{finalist.word}{', recommended' * (point == best and outcome.word != NONE)}"
        for _, point, finalist in rows
    ]
    yield Table(
        f"{capitalized(outcome.request.aim.description)} on fresh deals. The intervals of one "
        "population hold all at once.",
        (
            Column("Changes", [space.changes_text(point) for _, point, _ in rows]),
            Column("Players", [players for players, _, _ in rows]),
            Column("Distance", [finalist.distance for _, _, finalist in rows]),
            Column("Change", [finalist.change for _, _, finalist in rows]),
            Column("Verdict", words),
        ),
        stacks=True,
    )
