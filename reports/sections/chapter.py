"""What all topics share about one setting: evidence, who played where, and rows of its numbers.

The page goes by topic. Within a topic each edition and mode has a part of its own, side by side
where the page is wide enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ethnos_sim.experiments.designs.interventions import INTERVENTIONS, RESTRICTED
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.blank_clan import measure_blank_clan
from ethnos_sim.reports.estimators.forced_play import measure_forced_play
from ethnos_sim.reports.estimators.relative_power import blank_power, relative_power
from ethnos_sim.reports.estimators.restricted_log_odds import measure_restricted_log_odds
from ethnos_sim.reports.estimators.restricted_play import measure_restricted_play
from ethnos_sim.reports.estimators.skill_trend import strength
from ethnos_sim.reports.estimators.win_lift import measure_mean_win_lift
from ethnos_sim.reports.evidence.evidence import (
    MIXED,
    SKILL,
    Evidence,
    Setting,
    Situation,
    is_one_strategy,
)
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums
from ethnos_sim.reports.rendering.document import Block, Panel, Panels
from ethnos_sim.reports.rendering.labels import clan_label, population_label, setting_label
from ethnos_sim.reports.rendering.numbers import listed
from ethnos_sim.reports.rendering.table import Label, Row
from ethnos_sim.reports.verdicts import Verdict, verdicts
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules

USUAL_PLAYERS = 4
"""The number of players that stands for the others where there is room for one."""


@dataclass(frozen=True, eq=False)
class Chapter:
    """One setting with what it takes to write about it."""

    evidence: Evidence
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

    @cached_property
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
        return {
            "edition": self.setting.edition,
            "mode": self.setting.mode,
            "rules": self.evidence.about(self.setting).rule_set,
            **more,
        }

    def rows(self, estimates: Iterable[Estimate], name: str, **labels: Label) -> tuple[Row, ...]:
        """A row for every estimate; `name` is the column that says what each is about."""
        return tuple(Row(self.labels(**labels, **{name: e.name}), e) for e in estimates)

    def verdict_rows(
        self, found: Iterable[Verdict], population: str, players: int | None
    ) -> tuple[Row, ...]:
        """A row for every verdict; `players` is None for a mean over player counts."""
        return tuple(
            Row(
                self.labels(players=players, strategies=population, clan=v.clan),
                v.estimate,
                {"p_holm": v.p_value, "verdict": v.words, "group": v.group},
                v.tone,
            )
            for v in found
        )

    def clan_label(self, row: Row) -> str:
        """What the clan is called that a row is about."""
        return self.clan_labels[row["clan"]]

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

    @cached_property
    def lift_population(self) -> str:
        """The population that played ordinary games at most player counts, of equals the first."""
        found = self.evidence.populations(self.setting)
        return max(found, key=lambda name: (name != SKILL, len(self.counts_of(name))))

    def counts_of(self, population: str) -> tuple[int, ...]:
        """The player counts at which a population played ordinary games."""
        return tuple(
            n for n in self.players if population in self.evidence.populations(self.setting, n)
        )

    def mean_win_lift(self, population: str) -> Estimates:
        """Win lift averaged over the player counts that a population played."""
        parts = [
            self.evidence.total(self.setting, n, population) for n in self.counts_of(population)
        ]
        return measure_mean_win_lift(parts, self.describe(population))

    @cached_property
    def _interventions(self) -> dict[tuple[str, str], dict[int, InterventionSums]]:
        """One-seat sums by kind and population, then player count; skill line-ups are left out."""
        found: dict[tuple[str, str], dict[int, InterventionSums]] = {}
        for (situation, kind), sums in self.evidence.interventions.items():
            if situation.setting == self.setting and situation.population != SKILL:
                by_count = found.setdefault((kind, situation.population), {})
                by_count[situation.players] = sums
        return found

    def power_populations(self, players: int | None = None) -> tuple[str, ...]:
        """The populations with restricted play: mixed, named ones, one strategy alone."""
        found = [
            population
            for (kind, population), by_count in self._interventions.items()
            if kind == RESTRICTED and (players is None or players in by_count)
        ]
        return tuple(sorted(found, key=lambda name: (name != MIXED, is_one_strategy(name))))

    def answers(self, population: str, players: int | None = None) -> bool:
        """Whether restricted play has any interval at a player count, or as the mean over all."""
        power = self.power(population, players)
        return power is not None and bool(power.trusted.any())

    def _answering(self, players: int | None = None) -> tuple[str, ...]:
        """The populations whose restricted play has any interval, or all of them if none has."""
        found = self.power_populations(players)
        return tuple(name for name in found if self.answers(name, players)) or found

    @property
    def power_population(self) -> str | None:
        """The strongest player with restricted play; the widest population without a known one."""
        return self.strongest(self._answering()) or self.widest_population

    @property
    def widest_population(self) -> str | None:
        """The population that answered at most player counts, of equals the strongest."""
        found = self._answering()
        return max(
            found, key=lambda name: (len(self.power_counts(name)), strength(name)), default=None
        )

    def strongest_at(self, players: int) -> str:
        """The strongest player with restricted play at a player count, else the most mixed."""
        found = self._answering(players)
        return self.strongest(found) or found[0]

    @staticmethod
    def strongest(populations: Iterable[str]) -> str | None:
        """The strongest of some populations; None where none stands on the ladder."""
        known = [name for name in populations if strength(name) >= 0]
        return max(known, key=strength, default=None)

    def power_counts(self, population: str | None = None, kind: str = RESTRICTED) -> list[int]:
        """The player counts with one-seat line-ups of a population, or of any, rising."""
        return sorted(
            {
                count
                for (of, name), by_count in self._interventions.items()
                if of == kind and population in (None, name)
                for count in by_count
            }
        )

    def power(self, population: str, players: int | None = None) -> Estimates | None:
        """Power of every clan by a population at one player count, or the mean over all."""
        restricted = self.intervention_play(population, players)
        return None if restricted is None else relative_power(restricted)

    def intervention_play(
        self, population: str, players: int | None = None, kind: str = RESTRICTED
    ) -> Estimates | None:
        """Restricted or forced play of a population at one player count, or the mean over all."""
        parts = self._parts(population, players, kind)
        measured = measure_restricted_play if kind == RESTRICTED else measure_forced_play
        return measured(parts, self.describe(population)) if parts else None

    def log_odds(self, population: str, players: int | None = None) -> Estimates | None:
        """Restricted play in log-odds, as `power`."""
        parts = self._parts(population, players, RESTRICTED)
        return measure_restricted_log_odds(parts, self.describe(population)) if parts else None

    def blank_clan(
        self, population: str, players: int | None = None
    ) -> tuple[Estimates, Estimates] | None:
        """What a clan costs whose power does nothing, and its power; None where it was not asked.

        As in `power`, at one player count or the mean over all, which have to be the same.
        """
        restricted = self.intervention_play(population, players)
        counts = [n for n in self.power_counts(population) if players in (None, n)]
        asked = [self.evidence.blank.get(self.situation(n, population)) for n in counts]
        parts = [sums for sums in asked if sums is not None]
        if restricted is None or len(parts) < len(counts):
            return None
        blank = measure_blank_clan(parts, self.describe(population))
        try:
            return blank, blank_power(blank, restricted)
        except ValueError:  # A partial sweep: the two hold different deals.
            return None

    def _parts(self, population: str, players: int | None, kind: str) -> list[InterventionSums]:
        """The sums of one player count, or of all, rising."""
        by_count = self._interventions.get((kind, population), {})
        return [by_count[n] for n in sorted(by_count) if players in (None, n)]

    def intervention_games(self, population: str) -> int:
        """The games in which one seat was restricted or forced, at all player counts."""
        parts = (part for kind in INTERVENTIONS for part in self._parts(population, None, kind))
        return sum(sums.games for sums in parts)

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


def one_below_another(
    chapters: Iterable[Chapter], write: Callable[[Chapter], Sequence[Block]]
) -> tuple[Block, ...]:
    """The same for what is as wide as the page."""
    return tuple(block for chapter in chapters for block in side_by_side([chapter], write))


def counted_players(counts: Sequence[int]) -> str:
    """Player counts in words, as in "2, 3 and 4 players"."""
    return f"{listed(str(count) for count in counts)} players"


def other_populations(chapter: Chapter) -> dict[str, tuple[Verdict, ...]]:
    """Win-lift verdicts under every population but that of the first screen."""
    return {
        name: verdicts(chapter.mean_win_lift(name))
        for name in chapter.evidence.populations(chapter.setting)
        if name not in (chapter.lift_population, SKILL)
    }


def starred(chapter: Chapter) -> str:
    """The sentence that explains the star, where one is used."""
    if not any(label.endswith("*") for label in chapter.clan_labels.values()):
        return ""
    return " *: rests on assumed component values."


def by_players(row: Row) -> str:
    """The number of players that a row is about, as a heading; of a mean over them: "All"."""
    return "All" if row["players"] is None else f"{row['players']} players"


def by_population(row: Row) -> str:
    """The strategies that a row is about, as a heading."""
    return population_label(row["strategies"])


def verdict_words(row: Row) -> str:
    """The verdict of a row with the letters of its groups: "above average (ab)"."""
    words, group = row.more["verdict"], row.more["group"]
    return f"{words} ({group})" if group else str(words)
