"""What all topics share about one setting: evidence, ledger, who played where, rows of estimates.

The page goes by topic. Within a topic each edition and mode has a part of its own, side by side
where the page is wide enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.document import Block, Cell, Panel, Panels
from ethnos_sim.reports.estimators.forced_play import measure_forced_play
from ethnos_sim.reports.estimators.relative_power import relative_power
from ethnos_sim.reports.estimators.restricted_play import measure_restricted_play
from ethnos_sim.reports.estimators.win_lift import measure_mean_win_lift
from ethnos_sim.reports.evidence import (
    MIXED,
    SKILL,
    Evidence,
    Setting,
    Situation,
    is_one_strategy,
)
from ethnos_sim.reports.labels import clan_label, population_label, setting_label
from ethnos_sim.reports.numbers import decimals_for, listed, with_interval
from ethnos_sim.reports.one_seat import RESTRICTED, OneSeatSums
from ethnos_sim.reports.storage import Label, Ledger
from ethnos_sim.reports.verdicts import Verdict, verdicts
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules

USUAL_PLAYERS = 4
"""The number of players that stands for the others where there is room for one."""


@dataclass(frozen=True, eq=False)
class Chapter:
    """One setting with what it takes to write about it."""

    evidence: Evidence
    ledger: Ledger
    setting: Setting

    @cached_property
    def rules(self) -> Rules:
        """The rules that were played."""
        return self.evidence.rules(self.setting)

    @property
    def title(self) -> str:
        """The edition and mode as a heading."""
        return setting_label(self.rules, self.setting)

    @cached_property
    def players(self) -> tuple[int, ...]:
        """The player counts of ordinary games, in which nobody is restricted."""
        return self.evidence.players(self.setting)

    @property
    def usual(self) -> int:
        """The player count of ordinary games that comes nearest to the usual one."""
        return nearest(self.players)

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
        return self.describe(name, players)

    def describe(self, population: str, players: int | None = None) -> str:
        """A population in words, by what is known of it."""
        ordinary = [
            s.players
            for s in self.evidence.situations
            if s.setting == self.setting
            if s.population == population and players in (None, s.players)
        ]
        if not ordinary:
            return population_label(population)
        return self.evidence.describe(self.setting, players, population)

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
        return measure_mean_win_lift(parts, self.describe(name))

    @cached_property
    def _one_seat(self) -> dict[tuple[str, str], dict[int, OneSeatSums]]:
        """One-seat sums by kind and population, then player count; skill line-ups are left out."""
        found: dict[tuple[str, str], dict[int, OneSeatSums]] = {}
        for (situation, kind), sums in self.evidence.one_seat.items():
            if situation.setting == self.setting and situation.population != SKILL:
                by_count = found.setdefault((kind, situation.population), {})
                by_count[situation.players] = sums
        return found

    def power_populations(self, players: int | None = None) -> tuple[str, ...]:
        """The populations with restricted play: mixed, named ones, one strategy alone."""
        found = [
            population
            for (kind, population), by_count in self._one_seat.items()
            if kind == RESTRICTED and (players is None or players in by_count)
        ]
        return tuple(sorted(found, key=lambda name: (name != MIXED, is_one_strategy(name))))

    @property
    def power_population(self) -> str | None:
        """The population that answered at most player counts, of equals the most mixed."""
        found = self.power_populations()
        return max(found, key=lambda name: len(self.power_counts(name)), default=None)

    def power_counts(self, population: str | None = None, kind: str = RESTRICTED) -> list[int]:
        """The player counts with one-seat line-ups of a population, or of any, rising."""
        return sorted(
            {
                count
                for (of, name), by_count in self._one_seat.items()
                if of == kind and population in (None, name)
                for count in by_count
            }
        )

    def power(self, population: str, players: int | None = None) -> Measure | None:
        """Power of every clan by a population at one player count, or the mean over all."""
        restricted = self.one_seat_play(population, players)
        return None if restricted is None else relative_power(restricted)

    def one_seat_play(
        self, population: str, players: int | None = None, kind: str = RESTRICTED
    ) -> Measure | None:
        """Restricted or forced play of a population at one player count, or the mean over all."""
        by_count = self._one_seat.get((kind, population), {})
        counts = [n for n in sorted(by_count) if players in (None, n)]
        if not counts:
            return None
        parts = [by_count[n] for n in counts]
        measured = measure_restricted_play if kind == RESTRICTED else measure_forced_play
        return measured(parts, self.describe(population))

    def one_seat_games(self, population: str, only: str | None = None) -> int:
        """The games in which one seat was restricted or forced, at all player counts.

        Args:
            population: whose games.
            only: one of the two kinds, or None for both.
        """
        return sum(
            sums.games
            for (kind, name), by_count in self._one_seat.items()
            if name == population and only in (None, kind)
            for sums in by_count.values()
        )

    def clan_verdicts(self, population: str, players: int | None = None) -> tuple[Verdict, ...]:
        """Verdicts by restricted play; none where the population was not restricted."""
        found = self.power(population, players)
        return () if found is None else verdicts(found)

    def situation(self, players: int, population: str | None = None) -> Situation:
        """A situation of this setting, of the main population unless another is named."""
        return self.evidence.situation(self.setting, players, population)


def nearest(counts: Sequence[int]) -> int:
    """The player count nearest to the usual one; of two, the larger."""
    return min(counts, key=lambda count: (abs(count - USUAL_PLAYERS), -count))


def side_by_side(
    chapters: Iterable[Chapter], write: Callable[[Chapter], Sequence[Block]]
) -> tuple[Block, ...]:
    """What there is to say of each setting, as panels; nothing where there is nothing to say."""
    parts = [(chapter.title, tuple(write(chapter))) for chapter in chapters]
    panels = tuple(Panel(title, blocks) for title, blocks in parts if blocks)
    return (Panels(panels),) if panels else ()


def counted_players(counts: Sequence[int]) -> str:
    """Player counts in words, as in "2, 3 and 4 players"."""
    return f"{listed(str(count) for count in counts)} players"


def other_populations(chapter: Chapter) -> dict[str, tuple[Verdict, ...]]:
    """Win-lift verdicts under the populations that are the main one of no player count."""
    main = {chapter.evidence.main_population(chapter.setting, n) for n in chapter.players}
    found = {}
    for population in chapter.evidence.populations(chapter.setting):
        wanted = population not in main and population != SKILL
        lift = chapter.mean_win_lift(population) if wanted else None
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


def verdict_cells(found: Sequence[Verdict | None]) -> list[Cell]:
    """Cells in the tones of their verdicts, all with as many decimals; a dash for None."""
    places = decimals_for([verdict.estimate for verdict in found if verdict])
    return [
        Cell(with_interval(verdict.estimate, places), verdict.tone)
        if verdict
        else Cell(with_interval(None))
        for verdict in found
    ]
