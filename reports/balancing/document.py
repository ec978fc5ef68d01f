"""A search as a document: the answer, and the finalists on fresh deals.

The terminal and notebooks show the same document.
"""

from __future__ import annotations

from collections.abc import Iterator

from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.balancing.outcome import FOUND, NONE, Outcome
from ethnos_sim.reports.rendering.document import NUMBERS_NOTICE, Block, Bullets, Document, Section
from ethnos_sim.reports.rendering.numbers import UNITS, capital, count_text, interval_in_words
from ethnos_sim.reports.rendering.table import Column, Table


def as_document(outcome: Outcome) -> Document:
    """The search as a document."""
    space, result = outcome.request.space, outcome.result
    validated = sum(validation.games for validation in outcome.validations)
    facts = (
        f"Searched with {count_text(result.games)} games in {result.evaluations} evaluations; "
        f"validated with {count_text(validated)} games on fresh deals."
    )
    sections = (
        Section("summary", "In short", (Bullets(tuple(answer(outcome))),)),
        Section("finalists", "What the changes do", tuple(_finalists(outcome))),
    )
    title = f"Balance of {space.base.title}, {space.players} players"
    return Document(title, facts, NUMBERS_NOTICE, sections)


def answer(outcome: Outcome) -> Iterator[str]:
    """The answer of the search, and what another population says."""
    space, best = outcome.request.space, outcome.result.best
    first, *others = outcome.finalists
    about = capital(outcome.request.aim.about)
    before = f"{about} is {interval_in_words(first[space.start].distance)} under the baseline"
    if outcome.word == NONE:
        yield f"No change of these values does it. {before}, and {_no_better(outcome)}"
        return
    after, change = interval_in_words(first[best].distance), interval_in_words(first[best].change)
    sentence = f"Recommended: {space.text(best)}. {before}, and {after} so, a change of {change}."
    if outcome.word != FOUND:
        sentence += " But under other players the change makes it worse: it depends on who plays."
    yield sentence
    for validation, finalists in zip(outcome.validations[1:], others, strict=True):
        finalist = finalists[best]
        change = interval_in_words(finalist.change)
        yield f"Under {validation.players}: {finalist.word}, by {change}."


def _no_better(outcome: Outcome) -> str:
    """Why nothing is recommended."""
    best, space, aim = outcome.result.best, outcome.request.space, outcome.request.aim
    if best == space.start:
        return "no rule set that was played is likely to come nearer to the target."
    finalist = outcome.finalists[0][best]
    why = "this may be chance"
    if finalist.word == Verdict.ALIKE:
        unit = UNITS[aim.unit]
        margin = f"{unit.factor * aim.target.margin:.2g} {unit.words}"
        why = f"less than the margin of {margin}, so it does not matter"
    return (
        f"the most promising change ({space.text(best)}) moves it by "
        f"{interval_in_words(finalist.change)} on fresh deals: {why}."
    )


def _finalists(outcome: Outcome) -> Iterator[Block]:
    """Every finalist's distance from the target, as each population measured it."""
    space, best = outcome.request.space, outcome.result.best
    rows = [
        (validation.players, point, finalist)
        for validation, finalists in zip(outcome.validations, outcome.finalists, strict=True)
        for point, finalist in finalists.items()
    ]
    words = [
        "baseline"
        if point == space.start
        else f"{finalist.word}{', recommended' * (point == best and outcome.word != NONE)}"
        for _, point, finalist in rows
    ]
    yield Table(
        f"{capital(outcome.request.aim.about)} on fresh deals. The intervals of one population "
        "hold all at once.",
        (
            Column("Changes", [space.text(point) for _, point, _ in rows]),
            Column("Players", [players for players, _, _ in rows]),
            Column("Distance", [finalist.distance for _, _, finalist in rows]),
            Column("Change", [finalist.change for _, _, finalist in rows]),
            Column("Verdict", words),
        ),
        stacks=True,
    )
