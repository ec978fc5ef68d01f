"""The record of an estimand: its estimator, and the names, units and margins of its numbers.

Each module of this package declares its estimands as `Estimand`; `catalog` collects them.
docs/statistics.md explains each one and gives its formula. To add an estimand, declare it in a
module of this package, and add a section to that document.
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
from ethnos_sim.reports.rendering.numbers import capital, clan_label


class Number(NamedTuple):
    """A number of an estimand: its label, margin and unit."""

    label: str
    margin: Margin | None = None
    unit: str = ""


Source = Callable[[Evidence, Situation], Any]
"""Select the data of a situation that an estimand needs; None if they were not played."""


def ordinary_games(evidence: Evidence, situation: Situation) -> Sums | None:
    """The sums of games in which no seat gives up a clan."""
    return evidence.ordinary_sums.get(situation)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimand:
    """A quantity that reports estimate.

    Attributes:
        name: its key in stored tables.
        unit: key of the unit of its numbers; "" if the units differ.
        label: template of a number's label, filled with its `name`, the capitalized `Name` or the
            `clan` of that name: "{clan}: win lift".
        numbers: its numbers by name, if they differ in label, margin or unit.
        margin: a difference up to this size does not matter (`margins`).
        family: the family of a headline number, over which Holm's correction is made.
        measured: computes the numbers from the estimand, the data of `source` and the name of the
            strategies for readers; None if other code computes them.
        source: selects the data of a situation.
    """

    name: str
    unit: str = ""
    label: str = "{name}"
    numbers: Mapping[str, Number] = field(default_factory=dict)
    margin: Margin | None = None
    family: str = ""
    measured: Callable[[Estimand, Any, str], Estimates] | None = None
    source: Source = ordinary_games

    def of(self, sums: Any, population: str) -> Estimates:
        """Its numbers, computed from the data that `source` selects."""
        assert self.measured is not None, f"{self.name} is not measured of games alone"
        return self.measured(self, sums, population)

    def found(self, evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
        """Its numbers in a situation; nothing if the data were not played."""
        about = self.source(evidence, situation) if self.measured else None
        if about is not None:
            yield self.of(about, situation.population)

    def label_of(self, name: str) -> str:
        """The label of one of its numbers: "Bear: win lift", "First seat: edge"."""
        label = self.numbers[name].label if name in self.numbers else self.label
        return label.format(name=name, Name=capital(name), clan=clan_label(name))

    @property
    def short(self) -> str:
        """The label without the subject: "win lift"."""
        return self.label.rpartition("}")[2].lstrip(": ")

    def margin_of(self, name: str, players: int) -> float:
        """The margin of one of its numbers with `players` players; KeyError if it has none."""
        margin = self.numbers[name].margin if self.numbers else self.margin
        if margin is None:
            raise KeyError(name)
        return margin.at(self.unit_of(name), players)

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
        """Estimate the numbers by a statistic of the sums of each block (see `jackknife`).

        Args:
            statistic: computes one number for each of `names`, on the last axis.
            sums: the sums by block.
            population: the name of the strategies for readers.
            names: the subject of each number.
            sizes: games in each block; taken from the sums unless given.
            aspect: a second subject that all numbers share.
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
