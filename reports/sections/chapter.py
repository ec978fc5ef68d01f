"""What the chapters share: the evidence, the ledger of stored tables, and rows of estimates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ethnos_sim.reports.document import Cell
from ethnos_sim.reports.estimate import Estimate
from ethnos_sim.reports.estimators.measure import Measure
from ethnos_sim.reports.estimators.win_lift import measure_mean_win_lift
from ethnos_sim.reports.evidence import Evidence, Setting
from ethnos_sim.reports.labels import clan_label
from ethnos_sim.reports.numbers import decimals_for, with_interval
from ethnos_sim.reports.storage import Label, Ledger
from ethnos_sim.reports.verdicts import Verdict, verdicts
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules


@dataclass(frozen=True, slots=True, eq=False)
class Chapter:
    """One setting with what it takes to write about it."""

    evidence: Evidence
    ledger: Ledger
    setting: Setting

    @property
    def rules(self) -> Rules:
        """The rules that were played."""
        return self.evidence.rules(self.setting)

    @property
    def players(self) -> tuple[int, ...]:
        """The player counts that were played."""
        return self.evidence.players(self.setting)

    def clan_labels(self) -> dict[str, str]:
        """What each clan is called; a star marks those whose component values are assumed."""
        assumed = self.rules.assumed()
        return {
            clan: clan_label(clan) + "*" * any(name.startswith(f"{clan}.") for name in assumed)
            for clan in self.rules.clans
        }

    @property
    def wild_clan(self) -> str | None:
        """The clan that never leads a party."""
        return self.rules.clan_of(Power.WILD)

    def labels(self, **more: Label) -> dict[str, Label]:
        """The first columns of a stored row."""
        return {"edition": self.setting.edition, "mode": self.setting.mode, **more}

    def population(self, players: int) -> str:
        """The main population at a number of players, in words."""
        name = self.evidence.main_population(self.setting, players)
        return self.evidence.describe(self.setting, players, name)

    def mean_win_lift(self, population: str | None = None) -> Measure | None:
        """Win lift averaged over the player counts that a population played, main if None."""
        counts = [
            count
            for count in self.players
            if population is None or population in self.evidence.populations(self.setting, count)
        ]
        if not counts:
            return None
        parts = [self.evidence.total(self.setting, count, population) for count in counts]
        name = population or self.evidence.main_population(self.setting, counts[-1])
        return measure_mean_win_lift(parts, self.evidence.describe(self.setting, None, name))


def other_populations(chapter: Chapter) -> dict[str, tuple[Verdict, ...]]:
    """Verdicts under the populations that are the main one of no player count, by population."""
    main = {chapter.evidence.main_population(chapter.setting, n) for n in chapter.players}
    found = {}
    for population in chapter.evidence.populations(chapter.setting):
        lift = None if population in main else chapter.mean_win_lift(population)
        if lift is not None:
            found[population] = verdicts(lift)
    return found


def starred(chapter: Chapter) -> str:
    """The sentence that explains the star, where one is used."""
    if not any(label.endswith("*") for label in chapter.clan_labels().values()):
        return ""
    return " *: rests on assumed component values."


def columns_of_estimates(columns: Sequence[Sequence[Estimate | None]]) -> list[list[str]]:
    """Columns of estimates as texts, each column with decimals of its own."""
    return [
        [with_interval(estimate, decimals_for(column)) for estimate in column] for column in columns
    ]


def table_rows(
    headings: Sequence[Sequence[str]], columns: Iterable[Sequence[str]]
) -> tuple[tuple[Cell, ...], ...]:
    """Rows from heading texts (one or more a row) and columns of texts."""
    return tuple(
        tuple(Cell(text) for text in (*heading, *texts))
        for heading, texts in zip(headings, zip(*columns, strict=True), strict=True)
    )
