"""A check as Markdown, for a pull request or a CI job's summary; names cannot do harm in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ethnos_sim.reports.gate.checked import (
    MOVED_COLUMNS,
    SITUATION_COLUMNS,
    Checked,
    moved_rows,
    notes,
    situation_rows,
)
from ethnos_sim.reports.markdown import inert


def as_summary(checked: Checked) -> str:
    """The result, the signatures that changed, what moved, and every situation."""
    parts = ["# ethnos-sim check", f"**{inert(checked.sentence)}**"]
    if checked.changed:
        parts += [
            "## Changed signatures",
            "\n".join(f"- {inert(name)}" for name in checked.changed),
        ]
    if checked.balance is not None:
        rows = moved_rows(checked.balance)
        if rows:
            parts += ["## What moved, or may have", _table(MOVED_COLUMNS, rows)]
        parts += [
            "## Situations",
            _table(SITUATION_COLUMNS, situation_rows(checked.balance)),
            *(inert(note) for note in notes(checked.balance)),
        ]
    return "\n\n".join(parts) + "\n"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells."""
    shown = [[inert(cell) for cell in row] for row in (columns, *rows)]
    shown.insert(1, ["---"] * len(columns))
    return "\n".join(f"| {' | '.join(row)} |" for row in shown)
