"""The record of an estimand: what reports and comparisons know of it, beside what estimates it.

A module of this package declares each of its estimands once, as an `Estimand`; `catalog` finds them
all. What each means and its formula stand in docs/statistics.md: a further one is a further
declaration, and a section there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ethnos_sim.experiments.evidence.evidence import SKILL, Evidence, Situation
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, jackknife
from ethnos_sim.reports.rendering.numbers import capital, clan_label


class Number(NamedTuple):
    """One of several numbers of an estimand: what it is called, its margin and its unit."""

    label: str
    margin: float | None = None
    unit: str = ""


Source = Callable[[Evidence, Situation], Any]
"""What an estimand is measured of in a situation; None where that was not played."""


def games_of(asked: Callable[[str], bool]) -> Source:
    """The sums of games in which nobody is restricted, in the populations that are asked about."""

    def source(evidence: Evidence, situation: Situation) -> Sums | None:
        return evidence.sums.get(situation) if asked(situation.population) else None

    return source


ORDINARY_GAMES = games_of(lambda population: population != SKILL)
"""Those of players of whom none is far stronger."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimand:
    """What is estimated.

    Attributes:
        name: its key in stored tables.
        unit: key of the unit of its numbers; "" where they have different ones.
        label: what one of its numbers is called among others, from its `name`, capitalized `Name`
            or the `clan` of that name: "{clan}: win lift".
        numbers: its numbers by name, where each has a label, margin and unit of its own.
        margin: up to which size a difference counts as none (`margins`).
        family: of a headline number: what Holm's correction is made over.
        measured: its numbers from itself, what `source` gives and the strategies as a reader may
            call them; None where more is needed than the games of a situation.
        source: what it is measured of.
    """

    name: str
    unit: str = ""
    label: str = "{name}"
    numbers: Mapping[str, Number] = field(default_factory=dict)
    margin: float | None = None
    family: str = ""
    measured: Callable[[Estimand, Any, str], Estimates] | None = None
    source: Source = ORDINARY_GAMES

    def of(self, sums: Any, population: str) -> Estimates:
        """Its numbers from what `source` gives."""
        assert self.measured is not None, f"{self.name} is not measured of games alone"
        return self.measured(self, sums, population)

    def found(self, evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
        """Its numbers in a situation; nothing where it was not played."""
        about = self.source(evidence, situation) if self.measured else None
        if about is not None:
            yield self.of(about, situation.population)

    def label_of(self, name: str) -> str:
        """What one of its numbers is called: "Bear: win lift", "First seat: edge"."""
        label = self.numbers[name].label if name in self.numbers else self.label
        return label.format(name=name, Name=capital(name), clan=clan_label(name))

    @property
    def short(self) -> str:
        """What its numbers are called beside what each is about: "win lift"."""
        return self.label.rpartition("}")[2].lstrip(": ")

    def margin_of(self, name: str) -> float:
        """The margin of one of its numbers; KeyError for a number that has none."""
        margin = self.numbers[name].margin if self.numbers else self.margin
        if margin is None:
            raise KeyError(name)
        return margin

    def unit_of(self, name: str) -> str:
        """The unit of one of its numbers."""
        return self.numbers[name].unit if self.numbers else self.unit

    def measure(
        self,
        statistic: Callable[[BlockSums], FloatArray],
        sums: BlockSums,
        population: str,
        names: Sequence[str],
        *,
        sizes: IntArray | None = None,
        aspect: str = "",
        **counted: Any,
    ) -> Estimates:
        """The estimand from a statistic of sums by block (see `jackknife`).

        Args:
            statistic: a number for each of `names`, on the last axis.
            sums: what it is a function of.
            population: what a reader may call those who played.
            names: what each number is about.
            sizes: games in each block; those of the sums unless given.
            aspect: what all numbers are about beside their names.
            counted: `games` and `events` behind each number, as for `jackknife`.
        """
        return jackknife(
            statistic,
            sums,
            sums["games"] if sizes is None else sizes,
            unit=[self.unit_of(name) for name in names],
            **counted,
            estimand=self.name,
            population=population,
            aspect=aspect,
            name=names,
        )
