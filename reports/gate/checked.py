"""What a check found, as rows to show: signatures that changed, numbers that moved, and the power.

The same rows make the terminal's tables, the Markdown summary and the JUnit file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ethnos_sim.reports.gate.decision import FAIL, OPEN, PASS
from ethnos_sim.reports.gate.numbers import Place
from ethnos_sim.reports.gate.run import GateResult, Line
from ethnos_sim.reports.numbers import ABSENT, difference_unit, number, whole

DONE = 0
MOVED = 3
UNDECIDED = 4


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found.

    Attributes:
        places: the places whose signatures were computed; empty where they were not.
        changed: those whose signature is not the stored one.
        balance: the run of the gate; None where it was not asked for.
    """

    places: tuple[str, ...]
    changed: tuple[str, ...]
    balance: GateResult | None

    @property
    def exit_code(self) -> int:
        """3 where a signature changed or a number failed, 4 where one is undecided, else 0."""
        outcome = PASS if self.balance is None else self.balance.outcome
        if self.changed or outcome == FAIL:
            return MOVED
        return UNDECIDED if outcome == OPEN else DONE

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        said = []
        if self.places:
            same = len(self.places) - len(self.changed)
            said.append(f"{same} of {len(self.places)} signatures as stored")
        if self.balance is not None:
            lines = self.balance.lines
            count = {word: sum(line.word == word for line in lines) for word in (PASS, FAIL, OPEN)}
            balance = f"{count[PASS]} of {len(lines)} numbers within their margins"
            if count[FAIL]:
                balance += f", {count[FAIL]} moved"
            elif count[OPEN]:
                balance += f", {count[OPEN]} undecided"
            said.append(balance)
        verdict = {DONE: "Passed", MOVED: "Failed", UNDECIDED: "Undecided"}[self.exit_code]
        return f"{verdict}: {'; '.join(said)}."


MOVED_COLUMNS = (
    "situation",
    "number",
    "result",
    "stored",
    "now",
    "difference",
    "margin",
    "p (adjusted)",
    "power",
)

SITUATION_COLUMNS = (
    "situation",
    "result",
    "numbers",
    "games",
    "largest move",
    "median power",
    "least power",
    "least seen with 80 %",
)


def name_of(line: Line) -> str:
    """What a line is about: its estimand and name."""
    return f"{line.key.definition} {line.key.name}"


def moved_row(line: Line) -> tuple[str, ...]:
    """A line as MOVED_COLUMNS; the difference with the half-width of its 95 % interval."""
    from scipy.special import ndtri

    unit = difference_unit(line.unit)
    reach = None if line.error is None else float(ndtri(0.975)) * line.error
    decimals = 2
    difference = number(line.difference, unit, decimals)
    if reach is not None:
        difference += f" ± {number(reach, unit, decimals).lstrip('+')}"
    p_value = f"{line.p_value:.1e}" if line.p_value < 0.001 else f"{line.p_value:.2g}"
    return (
        str(line.key.place),
        name_of(line),
        line.word,
        number(line.stored, line.unit, decimals),
        number(line.fresh, line.unit, decimals),
        difference,
        number(line.margin, unit, decimals).lstrip("+"),
        p_value,
        f"{line.power:.0%}",
    )


def moved_rows(result: GateResult) -> list[tuple[str, ...]]:
    """What failed, the largest moves first; without failures what stayed undecided."""
    word = FAIL if result.outcome == FAIL else OPEN
    return [moved_row(line) for line in result.with_word(word)]


def situation_rows(result: GateResult) -> list[tuple[str, ...]]:
    """Every situation as SITUATION_COLUMNS."""
    places = dict.fromkeys(line.key.place for line in result.lines)
    return [_situation_row(place, result) for place in places]


def _situation_row(place: Place, result: GateResult) -> tuple[str, ...]:
    """One situation: its result, its largest move in margins, and what it could have seen."""
    lines = [line for line in result.lines if line.key.place == place]
    words = {line.word for line in lines}
    word = FAIL if FAIL in words else OPEN if OPEN in words else PASS
    moved = [line for line in lines if line.difference is not None]
    largest = max(moved, key=lambda line: abs(line.difference or 0.0) / line.margin, default=None)
    move = ABSENT
    if largest is not None:
        move = f"{abs(largest.difference or 0.0) / largest.margin:.2f} margins, {name_of(largest)}"
    known = [line for line in lines if line.error is not None]
    powers = [line.power for line in known]
    seen = max((line.smallest / line.margin for line in known), default=None)
    return (
        str(place),
        _result_words(word, result),
        str(len(lines)),
        whole(max(line.games for line in lines)),
        move,
        *(f"{found(powers):.0%}" if powers else ABSENT for found in (median, min)),
        ABSENT if seen is None else f"{seen:.2f} margins",
    )


def _result_words(word: str, result: GateResult) -> str:
    """A situation's result; what a failure elsewhere cut short is not called undecided."""
    return "not finished" if word == OPEN and result.outcome == FAIL else word


def notes(result: GateResult) -> Sequence[str]:
    """What a reader has to know of a run to read its tables."""
    return (
        f"{whole(result.games)} fresh games of a budget of {whole(result.budget)}, seed "
        f"{result.seed}, after {result.looks} of {len(result.size.looks)} looks.",
        f"A number fails where it surely moved by more than half its margin; any false alarm in a "
        f"run has a chance of at most {result.level:g}, over all {len(result.lines)} numbers and "
        f"all looks together.",
        "A number that moved by its margin passes with a chance of at most 5 %. Power is the "
        "chance that the whole budget fails it; beside it, for the least precise number, the "
        "move that fails with a chance of 80 %.",
    )
