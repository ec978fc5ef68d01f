"""An estimand: its estimator, and the names, units and margins of its numbers.

The modules of this package declare estimands, and `catalog` collects them. docs/statistics.md
explains each estimand and gives its formula. To add an estimand, declare it in a module of this
package, and add a section to that document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, jackknife
from ethnos_sim.reports.estimators.margins import Margin
from ethnos_sim.reports.rendering.numbers import capitalized, clan_label


class Number(NamedTuple):
    """The label, margin and unit of a number of an estimand."""

    label: str
    margin: Margin | None = None
    unit: str = ""


DataSelector = Callable[[Evidence, Situation], Any]
"""Selects the sums of a situation that an estimator needs; None if no such games were played."""


def select_ordinary_sums(evidence: Evidence, situation: Situation) -> Sums | None:
    """The sums of games in which no seat gives up a clan."""
    return evidence.ordinary_sums.get(situation)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimand:
    """A quantity that reports estimate.

    Attributes:
        name: its name, which is its key in stored tables.
        unit: key of the unit of its numbers; "" if the units differ.
        label: template of a number's label, filled with its `name`, the capitalized `Name` or the
            label of the `clan`: "{clan}: win lift".
        numbers: labels, margins and units by name, if they differ between its numbers.
        margin: the margin of its numbers (`margins`).
        family: one of FAMILIES for headline numbers, which are compared and guarded; else "".
        estimator: computes the numbers from the estimand, the data of `select_data` and the name
            of the population; None if other code computes them.
        select_data: selects the data of a situation for the estimator.
    """

    name: str
    unit: str = ""
    label: str = "{name}"
    numbers: Mapping[str, Number] = field(default_factory=dict)
    margin: Margin | None = None
    family: str = ""
    estimator: Callable[[Estimand, Any, str], Estimates] | None = None
    select_data: DataSelector = select_ordinary_sums

    def estimate(self, data: Any, population: str) -> Estimates:
        """Its numbers, computed from the data that `select_data` selects."""
        assert self.estimator is not None, f"{self.name} has no estimator"
        return self.estimator(self, data, population)

    def estimates_in(self, evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
        """The table of its numbers in a situation; no table if no such games were played."""
        data = self.select_data(evidence, situation) if self.estimator else None
        if data is not None:
            yield self.estimate(data, situation.population)

    def label_of(self, name: str) -> str:
        """The label of a number: "Bear: win lift", "First seat: edge"."""
        label = self.numbers[name].label if name in self.numbers else self.label
        return label.format(name=name, Name=capitalized(name), clan=clan_label(name))

    @property
    def short_label(self) -> str:
        """The label without the name of the number: "win lift"."""
        return self.label.rpartition("}")[2].lstrip(": ")

    def margin_of(self, name: str, players: int) -> float:
        """The margin of a number with this number of players; KeyError if it has none."""
        margin = self.numbers[name].margin if self.numbers else self.margin
        if margin is None:
            raise KeyError(name)
        return margin.size_in(self.unit_of(name), players)

    def unit_of(self, name: str) -> str:
        """The unit of a number."""
        return self.numbers[name].unit if self.numbers else self.unit

    def jackknife(
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
        """Jackknife a statistic of sums (`statistics.jackknife`), and label its numbers.

        Args:
            statistic: maps sums to a number for each of `names`, on the last axis.
            sums: integer sums by name; the first axis is the block.
            population: the name of the population.
            names: the name of each number.
            sizes: games in each block; the sums called "games" unless given.
            aspect: a label that all numbers share, such as an age.
            counted: `games` and `events` behind each number.
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
