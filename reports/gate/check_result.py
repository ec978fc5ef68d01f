"""The result of a check as a document, for the terminal and the Markdown summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import polars as pl

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.gate.decision import ALARM_LEVEL, BalanceResult
from ethnos_sim.reports.rendering.document import Block, Document, Section, Text
from ethnos_sim.reports.rendering.numbers import count_text, difference_unit, number_text
from ethnos_sim.reports.rendering.table import Table, columns_from_lines

EXIT_DONE = 0
"""The exit code if nothing moved."""

EXIT_MOVED = 3
"""The exit code if a number moved."""

EXIT_UNDECIDED = 4
"""The exit code if there are too few games to tell."""

EXIT_CHANGED = 5
"""The exit code if games changed, but no number moved."""


@dataclass(frozen=True, slots=True)
class SignatureResult:
    """The result of comparing signatures.

    Attributes:
        partitions: the names of the checked partitions.
        changed: the names of the partitions whose signature differs from the stored one.
    """

    partitions: tuple[str, ...]
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check; `signatures` or `balance` is None if it was not checked."""

    signatures: SignatureResult | None
    balance: BalanceResult | None

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the partitions whose signature differs from the stored one."""
        return () if self.signatures is None else self.signatures.changed

    @property
    def exit_code(self) -> int:
        """The exit code of the command; a moved number counts most, then an open number."""
        outcome = Verdict.ALIKE if self.balance is None else self.balance.outcome
        codes = {Verdict.MATTERS: EXIT_MOVED, Verdict.OPEN: EXIT_UNDECIDED}
        return codes.get(outcome, EXIT_CHANGED if self.changed else EXIT_DONE)

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        parts = []
        if self.signatures is not None:
            count = len(self.signatures.partitions)
            parts.append(f"{count - len(self.changed)} of {count} signatures as stored")
        if self.balance is not None:
            lines = self.balance.lines
            verdicts = lines["verdict"].to_list()
            alike, moved, undecided = map(
                verdicts.count, (Verdict.ALIKE, Verdict.MATTERS, Verdict.OPEN)
            )
            balance = f"{alike} of {len(lines)} numbers alike"
            if moved:
                balance += f", {moved} moved"
            elif undecided:
                balance += f", {undecided} open"
            parts.append(balance)
        within = " and balance did not move" if self.balance is not None else ""
        verdict = {
            EXIT_DONE: "Passed",
            EXIT_MOVED: "Balance moved",
            EXIT_UNDECIDED: "Open",
            EXIT_CHANGED: f"The games changed{within}",
        }[self.exit_code]
        return f"{verdict}: {'; '.join(parts)}."


MAX_LINES = 40
"""The most lines that a table of numbers has."""


def as_document(result: CheckResult) -> Document:
    """The result as a document, with the largest moves first."""
    sections = []
    if result.signatures is not None and result.changed:
        sections.append(Section("signatures", "Signatures", (_changed_text(result.signatures),)))
    if result.balance is not None:
        sections.append(Section("balance", "Balance", tuple(_balance_blocks(result.balance))))
    return Document("ethnos-sim check", result.sentence, "", tuple(sections))


def cell_texts(line: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a line in the table of moves, by heading; the difference has a 95 % interval."""
    unit, decimals = difference_unit(line["unit"]), 2
    difference = number_text(line["value"], unit, decimals)
    if line["standard_error"] is not None:
        reach = NormalDist().inv_cdf(0.975) * line["standard_error"]
        difference += f" ± {number_text(reach, unit, decimals).lstrip('+')}"
    return {
        "Situation": str(Situation.from_columns(line)),
        "Number": label_of(line["estimand"], line["name"]),
        "Verdict": line["verdict"],
        "Stored": number_text(line["stored"], line["unit"], decimals),
        "Now": number_text(line["fresh"], line["unit"], decimals),
        "Difference": difference,
        "Margin": number_text(line["margin"], unit, decimals).lstrip("+"),
    }


def _changed_text(result: SignatureResult) -> Text:
    """How many signatures changed, and the names of their partitions."""
    names = ", ".join(result.changed)
    return Text(f"{len(result.changed)} of {len(result.partitions)} changed: {names}.")


def _balance_blocks(result: BalanceResult) -> Iterator[Block]:
    """The table of the moved numbers, or else of the open ones, and how numbers are judged."""
    move = pl.col("value").abs().fill_null(0.0) / pl.col("margin")
    moved = result.lines.filter(
        verdict=Verdict.MATTERS if result.outcome is Verdict.MATTERS else Verdict.OPEN
    )
    moved = moved.sort(move, descending=True, maintain_order=True)
    if not moved.is_empty():
        hidden = len(moved) - MAX_LINES
        caption = "What moved, or may have"
        caption += f" ({count_text(hidden)} more not shown)" if hidden > 0 else ""
        lines = moved.head(MAX_LINES).iter_rows(named=True)
        yield Table(caption, columns_from_lines(map(cell_texts, lines)))
    yield Text(
        f"{count_text(result.games)} fresh games. A number fails if it moved significantly by more "
        f"than half its margin. The intervals hold at once for all {len(result.lines)} numbers: "
        f"any false alarm in a run has a chance of at most {ALARM_LEVEL:g}. A number that moved by "
        "its margin passes with a chance of at most 5 %."
    )
