"""Two situations number by number: every headline number's difference with its word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.comparison.differences import Differences, differences
from ethnos_sim.reports.comparison.words import CHANGED, EQUIVALENT, UNDECIDED, words_of_family
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, margin_of
from ethnos_sim.reports.rendering.numbers import difference_unit

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
        word: one of WORDS.
        variance_ratio: what pairing by deals achieved; None where the deals were not shared.
    """

    definition: str
    name: str
    first: Estimate
    second: Estimate
    difference: Estimate
    margin: float
    word: str
    variance_ratio: float | None


def compare_measures(
    first: Iterable[Measure],
    second: Iterable[Measure],
    *,
    same_deals: bool = True,
    renamed: Mapping[str, str] | None = None,
) -> tuple[Compared, ...]:
    """Every number that both sides have, in the first side's order; Holm within each family.

    Args:
        first: the headline numbers of one situation.
        second: those of another.
        same_deals: whether both dealt by the same seed (see `differences`).
        renamed: what the second side calls a name of the first, where it differs.
    """
    theirs = {(m.definition, m.unit): m for m in second}
    pairs = [
        (one, theirs[one.definition, one.unit])
        for one in first
        if (one.definition, one.unit) in theirs and _has_margins(one)
    ]
    found: list[Compared] = []
    for _, group in groupby(pairs, key=lambda pair: ESTIMANDS[pair[0].definition].family):
        members = list(group)
        family = [differences(*m, same_deals=same_deals, renamed=renamed) for m in members]
        margins = [
            np.asarray([margin_of(each.definition, name) for name in each.names]) for each in family
        ]
        words = words_of_family(family, margins)
        for sides, each, margin, word in zip(members, family, margins, words, strict=True):
            found += _compared(sides, each, margin, word, renamed or {})
    return tuple(found)


def counted(compared: Sequence[Compared]) -> dict[str, int]:
    """How many numbers are changed, equivalent and undecided."""
    return {word: sum(each.word == word for each in compared) for word in WORDS}


def _has_margins(measured: Measure) -> bool:
    """Whether the numbers of a measure have margins of equivalence."""
    try:
        margin_of(measured.definition, measured.names[0])
    except KeyError:
        return False
    return True


def _compared(
    sides: tuple[Measure, Measure],
    found: Differences,
    margins: np.ndarray,
    words: Sequence[str],
    renamed: Mapping[str, str],
) -> Iterator[Compared]:
    """The numbers of one estimand that have a value on both sides."""
    first, second = ({e.name: e for e in side.estimates()} for side in sides)
    low, high = found.interval()
    for place, name in enumerate(found.names):
        if not np.isfinite(found.value[place]):
            continue
        sure = bool(found.trusted[place])
        difference = Estimate(
            name=name,
            definition=found.definition,
            value=float(found.value[place]),
            low=float(low[place]) if sure else None,
            high=float(high[place]) if sure else None,
            standard_error=float(found.standard_error[place]) if sure else None,
            games=int(found.games[:, place].sum()),
            blocks=sides[0].jackknife.blocks,
            unit=difference_unit(found.unit),
            population=found.population,
        )
        ratio = float(found.variance_ratio[place])
        yield Compared(
            found.definition,
            name,
            first[name],
            second[renamed.get(name, name)],
            difference,
            float(margins[place]),
            words[place],
            ratio if np.isfinite(ratio) else None,
        )
