"""The last section: what every number means."""

from __future__ import annotations

from ethnos_sim.reports.bands import (
    COMEBACK,
    LEADER,
    LENGTH,
    POWER,
    SKILL,
    WIN_LIFT,
    Bands,
    Scale,
)
from ethnos_sim.reports.definitions import DEFINITIONS
from ethnos_sim.reports.document import Items, Section, Table
from ethnos_sim.reports.sections.chapter import Chapter, table_rows
from ethnos_sim.reports.storage import Ledger


def meaning(ledger: Ledger, chapters: list[Chapter]) -> Section:
    """Definitions, formulas and intervals of what the report holds, then bands and marks."""
    used = ledger.measures()
    shown = {key: definition for key, definition in DEFINITIONS.items() if key in used}
    for key, definition in shown.items():
        ledger.row(
            "definitions",
            {
                "measure": key,
                "title": definition.title,
                "meaning": definition.meaning,
                "formula": definition.formula,
                "interval": definition.interval,
            },
        )
    table = Table(
        "Definitions. n: players; w: a player's part of the win (1, or a fraction of a shared "
        "win); column: the name in the stored tables.",
        ("Number", "Meaning", "Formula", "95 % interval", "Column"),
        table_rows(
            [[definition.title] for definition in shown.values()],
            [
                [definition.meaning for definition in shown.values()],
                [definition.formula for definition in shown.values()],
                [definition.interval for definition in shown.values()],
                list(shown),
            ],
        ),
        "definitions",
    )
    return Section("definitions", "Definitions", (table, Items(_notes(chapters))))


def _notes(chapters: list[Chapter]) -> tuple[str, ...]:
    """What the words and marks of the page mean; bands and letters only where there are clans."""
    marks = (
        "a ± b: half the width of a 95 % interval; [a, b]: its ends, where it is lopsided; "
        "?: too few games for an interval.",
        "The unit of replication is the deal. A deal's games (rotated seats, the same deal "
        "number with other clans) go into the same one of 32 blocks.",
    )
    if not chapters:
        return marks
    return (
        f"Bands of power, seat edges and win shares: {_bands(POWER, 100, ' pp')}. Bands of win "
        f"lift, in fair shares: {_bands(WIN_LIFT, 1, '')}; they are those of power at four "
        f"players, where a fair share is 25 pp.",
        f"Wins of the leader, from a fair share (0) to certainty (1): {_scale(LEADER)}.",
        f"Comebacks, in fair shares: {_scale(COMEBACK)}.",
        f"Length, the width of the middle nine tenths of games by the mean: {_scale(LENGTH)}.",
        f"Skill, from a fair share (0) to certainty (1): {_scale(SKILL)}.",
        "Surely: the 95 % verdict holds after Holm's correction over all clans of one edition "
        "(first screen) or of one player count.",
        "Letters: clans that share one cannot be told apart (all pairs compared, Holm).",
        "Policy-dependent: for a clan, surely above 0 with some strategies and surely below with "
        "others; for any other number, intervals that reach no band in common.",
        *marks,
    )


def _scale(scale: Scale) -> str:
    """Limits in words: "below 0.1 hardly ever, below 0.25 rare, … else common"."""
    parts = [
        f"below {limit:g} {word}" for limit, word in zip(scale.limits, scale.words, strict=False)
    ]
    return f"{', '.join(parts)}, else {scale.words[-1]}"


def _bands(bands: Bands, factor: float, unit: str) -> str:
    """Limits in words: "below 0.02 negligible, …"."""
    limits = [f"{factor * limit:g}{unit}" for limit in (bands.minor, bands.notable, bands.strong)]
    return (
        f"below {limits[0]} negligible, below {limits[1]} minor, below {limits[2]} notable, "
        f"else strong"
    )
