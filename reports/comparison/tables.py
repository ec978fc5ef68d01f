"""Compared numbers and ranks as tables, for the report and for the page of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ethnos_sim.reports.comparison.ranks import RankShift
from ethnos_sim.reports.comparison.situations import CHANGED, EQUIVALENT, UNDECIDED, Compared
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.rendering.labels import clan_label
from ethnos_sim.reports.rendering.numbers import (
    MINUS,
    UNITS,
    decimals_for,
    difference_unit,
    listed,
    number,
)
from ethnos_sim.reports.rendering.table import Column, Table, TableCell


def counts_sentence(counts: Mapping[str, int]) -> str:
    """How many numbers changed, in a sentence."""
    return (
        f"Of {sum(counts.values())} numbers {counts[CHANGED]} changed, {counts[EQUIVALENT]} are "
        f"equivalent within their margins, and {counts[UNDECIDED]} are undecided."
    )


def tone(each: Compared) -> str:
    """Colored where the number changed, gray where it is equivalent."""
    if each.word == CHANGED:
        return "up2" if (each.difference.value or 0) > 0 else "down2"
    return "level" if each.word == EQUIVALENT else ""


def number_table(caption: str, found: Sequence[Compared], names: Sequence[str] = ()) -> Table:
    """Numbers on both sides, a line each: called by `names`, or by what they are.

    All numbers of a line have the decimals that the difference deserves.
    """
    named = names or [label_of(each.definition, each.name) for each in found]
    columns = (
        Column("Number" if not names else "Situation", named),
        Column("First", [_written(each, each.first.value) for each in found]),
        Column("Second", [_written(each, each.second.value) for each in found]),
        Column("Difference", [each.difference for each in found]),
        Column("Margin", [_margin(each) for each in found]),
        Column("Result", [TableCell(each.word, tone(each)) for each in found]),
        Column("Variance ratio", [each.variance_ratio for each in found], "{:.2f}".format),
    )
    return Table(caption, columns, alike="none")


def rank_table(
    caption: str,
    shifts: Sequence[RankShift],
    sides: tuple[str, str],
    renamed: Mapping[str, str],
) -> Table:
    """The rank of every clan on both sides with its letters, and how many places it went up."""
    columns = (
        Column("Clan", [_by_both_names(shift.clan, renamed) for shift in shifts]),
        Column(sides[0], [f"{s.first} {s.first_group}".rstrip() for s in shifts]),
        Column(sides[1], [f"{s.second} {s.second_group}".rstrip() for s in shifts]),
        Column("Places up", [shift.first - shift.second for shift in shifts], _places_up),
    )
    told = f"{caption}; clans that share a letter on a side cannot be told apart there."
    return Table(told, columns)


def _written(each: Compared, value: float | None) -> TableCell:
    """The value of one side with the decimals of the difference."""
    text = number(value, each.first.unit, decimals_for([each.difference]))
    return TableCell(text, sort=value)


def _margin(each: Compared) -> str:
    """A margin in the unit of differences."""
    unit = UNITS[difference_unit(each.first.unit)]
    return f"{each.margin * unit.factor:g}{unit.suffix}"


def _places_up(places: int) -> str:
    """Ranks gained, with their sign: "+2", "0"."""
    return f"{places:+d}".replace("-", MINUS) if places else "0"


def _by_both_names(clan: str, renamed: Mapping[str, str]) -> str:
    """A clan by the names of both sides."""
    return listed(clan_label(name) for name in dict.fromkeys((clan, renamed.get(clan, clan))))
