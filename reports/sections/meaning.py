"""The last section: what every number means."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ethnos_sim.reports.estimators.bands import WORDS, Bands, Scale
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.rendering.document import Items, Section
from ethnos_sim.reports.rendering.numbers import UNITS
from ethnos_sim.reports.rendering.table import Row, listing
from ethnos_sim.reports.sections.chapter import Chapter


def meaning(measures: Collection[str], chapters: list[Chapter]) -> Section:
    """Definitions, formulas and intervals of the estimands that are used, then bands and marks."""
    shown = {key: estimand for key, estimand in ESTIMANDS.items() if key in measures}
    rows = [
        Row(
            {
                "measure": key,
                "title": estimand.title,
                "meaning": estimand.meaning,
                "formula": estimand.formula,
                "interval": estimand.interval,
            }
        )
        for key, estimand in shown.items()
    ]
    headings = {
        "title": "Number",
        "meaning": "Meaning",
        "formula": "Formula",
        "interval": "95 % interval",
        "measure": "Column",
    }
    caption = (
        "Definitions. n: players; w: a player's part of the win (1, or a fraction of a shared "
        "win); column: the name in the stored tables."
    )
    table = listing(caption, rows, headings, "definitions")
    return Section("definitions", "Definitions", (table, Items(_notes(chapters, shown.values()))))


def _notes(chapters: list[Chapter], shown: Iterable[Estimand]) -> tuple[str, ...]:
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
        *_limits(shown),
        "Settled: the interval that holds for all clans of one edition (first screen) or of one "
        "player count together, at 95 %, lies on one side of average.",
        "Significant: the p value of Student's t over blocks of deals, adjusted as the table says "
        "(Holm, or Benjamini and Hochberg), is below 0.05.",
        "Letters (compact letter display): clans that share one do not differ significantly (all "
        "pairs compared by Student's t, Holm, 0.05).",
        "Policy-dependent: for a clan, settled above average with some strategies and below with "
        "others; for any other number, intervals that reach no band in common.",
        *marks,
    )


def _limits(shown: Iterable[Estimand]) -> list[str]:
    """The bands and scales of the report's estimands, each once."""
    found: dict[Bands | Scale, str] = {}
    for estimand in shown:
        if estimand.bands is not None:
            found[estimand.bands] = _bands(estimand.bands, estimand.unit)
        found |= {scale: _scale(scale) for scale in estimand.scales}
    return list(found.values())


def _scale(scale: Scale) -> str:
    """Limits in words: "Comebacks, in fair shares: below 0.1 hardly ever, … else common."."""
    parts = [
        f"below {limit:g} {word}" for limit, word in zip(scale.limits, scale.words, strict=False)
    ]
    return f"{scale.about}: {', '.join(parts)}, else {scale.words[-1]}."


def _bands(bands: Bands, unit: str) -> str:
    """Limits in words: "Bands of win lift, in fair shares: below 0.02 negligible, …"."""
    shown = UNITS[unit]
    limits = [f"below {shown.factor * limit:g}{shown.suffix}" for limit in bands.limits]
    told = ", ".join(f"{limit} {word}" for limit, word in zip(limits, WORDS, strict=False))
    return f"Bands of {bands.about}: {told}, else {WORDS[-1]}."
