"""Two situations number by number: every headline number's difference with its word.

Equivalent: both one-sided tests against the margin succeed, each at the 5 % level. Changed: the
difference from 0 survives Holm's correction over all numbers that are told together, and it is not
equivalent; a difference that is significant, and significantly within the margin, is equivalent.
Undecided: neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.equivalence import ALPHA, beyond_p, equivalence_p
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import ratio
from ethnos_sim.reports.estimators.catalog import margin_of
from ethnos_sim.reports.rendering.numbers import difference_unit

CHANGED = "changed"
EQUIVALENT = "equivalent"
UNDECIDED = "undecided"
WORDS = (CHANGED, EQUIVALENT, UNDECIDED)


@dataclass(frozen=True, slots=True)
class Compared:
    """One headline number on both sides.

    Attributes:
        definition: key of the estimand.
        name: what it is about, as the first side calls it.
        first: the first side's estimate.
        second: the second side's.
        difference: second less first, with its 95 % interval.
        margin: within which a difference counts as none.
        p: of "there is no difference", for itself; not a number without an interval.
        inside: whether it is equivalent.
        variance_ratio: what pairing by deals achieved; None where the deals were not shared.
        word: one of WORDS; UNDECIDED until `in_words` told it among others.
    """

    definition: str
    name: str
    first: Estimate
    second: Estimate
    difference: Estimate
    margin: float
    p: float
    inside: bool
    variance_ratio: float | None
    word: str = UNDECIDED


def compare_numbers(
    first: Estimates,
    second: Estimates,
    *,
    same_deals: bool = True,
    renamed: Mapping[str, str] | None = None,
) -> tuple[Compared, ...]:
    """Every number with a margin that both sides have, in the first side's order, without words.

    Args:
        first: the headline numbers of one situation.
        second: those of another.
        same_deals: whether both dealt by the same seed (see `Estimates.minus`).
        renamed: what the second side calls a name of the first, where it differs.
    """
    called = {other: name for name, other in (renamed or {}).items()}
    theirs = second.labelled(name=[called.get(name, name) for name in second.names])
    ours, theirs = first.beside(theirs, ON)
    known = np.asarray([_margin(*key) is not None for key in ours.keys(ON)], np.bool_)
    return tuple(_compared(ours.at(known), theirs.at(known), same_deals, renamed or {}))


ON = ("estimand", "name")
"""What belongs together on both sides."""


def in_words(found: Sequence[Compared]) -> tuple[Compared, ...]:
    """The same with words that hold together: of numbers that do not differ, any is called changed
    in 5 of 100 comparisons (Holm over all that are given).
    """
    p_values = np.asarray([each.p for each in found])
    known = np.isfinite(p_values)
    adjusted = np.ones(len(found))
    adjusted[known] = holm(p_values[known])
    return tuple(
        replace(each, word=EQUIVALENT if each.inside else CHANGED if p < ALPHA else UNDECIDED)
        for each, p in zip(found, adjusted, strict=True)
    )


def counted(compared: Sequence[Compared]) -> dict[str, int]:
    """How many numbers are changed, equivalent and undecided."""
    return {word: sum(each.word == word for each in compared) for word in WORDS}


def tested(
    value: FloatArray, error: FloatArray, degrees: FloatArray, margin: FloatArray
) -> tuple[FloatArray, np.ndarray]:
    """The p of "there is no difference" and whether it is equivalent, by standard errors."""
    p_values = np.where(np.isfinite(error), beyond_p(value, error, degrees), np.nan)
    return p_values, equivalence_p(value, error, degrees, margin) < ALPHA


def _margin(definition: str, name: str) -> float | None:
    """The margin of equivalence; None for a number without one."""
    try:
        return margin_of(definition, name)
    except KeyError:
        return None


def _compared(
    ours: Estimates, theirs: Estimates, same_deals: bool, renamed: Mapping[str, str]
) -> Iterator[Compared]:
    """The same rows on both sides and their differences."""
    change = theirs.minus(ours, ON, same_deals=same_deals)
    units = [difference_unit(unit) for unit in ours.unit]
    error = np.where(change.trusted, change.standard_error, np.nan)
    margins = np.asarray([margin_of(*key) for key in ours.keys(ON)])
    p_values, inside = tested(change.value, error, change.degrees, margins)
    paired = same_deals & (change.added_error == 0) & (error > 0)
    apart = ratio(ours.standard_error**2 + theirs.standard_error**2, error**2)
    rows = zip(
        ours.estimates(),
        theirs.estimates(),
        change.in_unit(units).estimates(),
        margins.tolist(),
        p_values.tolist(),
        inside.tolist(),
        np.where(paired, apart, np.nan).tolist(),
        strict=True,
    )
    for one, two, difference, margin, p, equal, gain in rows:
        yield Compared(
            one.definition,
            one.name,
            one,
            replace(two, name=renamed.get(two.name, two.name)),
            replace(difference, population=one.population),
            margin,
            p,
            equal,
            gain if np.isfinite(gain) else None,
        )
