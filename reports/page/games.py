"""The games behind a page: their numbers, situations and rules, and names for readers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Evidence, RuleSetName, Situation
from ethnos_sim.experiments.evidence.game_numbers import TURNS_A_BIN
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.page.levels import strength
from ethnos_sim.reports.page.number_table import NumberTable
from ethnos_sim.reports.rendering.numbers import (
    MODE_LABELS,
    capitalized,
    clan_label,
    rule_value_text,
    word_list,
)
from ethnos_sim.simulator.rules import Rules, clan_counterparts, value_differences
from ethnos_sim.simulator.tables.modes import STANDARD

USUAL_PLAYERS = 4


@dataclass(frozen=True, eq=False)
class PageGames:
    """The games behind a page.

    Attributes:
        evidence: the sums of the games.
        number_table: the numbers of the games.
    """

    evidence: Evidence
    number_table: NumberTable

    @cached_property
    def rules(self) -> Mapping[RuleSetName, Rules]:
        """The rules of every rule set."""
        rule_sets = dict.fromkeys(about.rule_set for about in self.evidence.all_situations)
        return {rule_set: self.evidence.rules(rule_set) for rule_set in rule_sets}

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The situations that a reader may choose: by reference rules, and not solo."""
        return tuple(
            table for table in self.number_table.situations if not table.rules and table.players > 1
        )

    @cached_property
    def variant_situations(self) -> tuple[Situation, ...]:
        """The situations by other rule sets than the reference rules."""
        return tuple(table for table in self.number_table.situations if table.rules)

    @cached_property
    def main_population(self) -> str:
        """The commonest population; situations with worths count twice. Ties: the strongest one."""
        covered: dict[str, int] = {}
        for table in self.situations:
            has_worth = self.number_table.has_interval(table, WORTH.name)
            covered[table.population] = covered.get(table.population, 0) + 1 + has_worth
        order = list(covered)
        return max(order, key=lambda name: (covered[name], strength(name), -order.index(name)))

    @cached_property
    def opening_situation(self) -> Situation:
        """The situation that is shown before the reader chooses one."""
        first = self.situations[0].rule_set
        of_main = [about for about in self.situations if about.population == self.main_population]
        candidates = [about for about in of_main if about.rule_set == first] or of_main
        return min(
            candidates, key=lambda table: (abs(table.players - USUAL_PLAYERS), table.players)
        )

    def turn_range(self, situation: Situation) -> tuple[float, float] | None:
        """The 5 % and 95 % quantiles of a game's turns, interpolated within bins."""
        counts = self.evidence.turn_counts.get(situation)
        if counts is None:
            return None
        edges = TURNS_A_BIN * np.arange(len(counts) + 1)
        low, high = np.interp((0.05, 0.95), np.append(0, counts.cumsum()) / counts.sum(), edges)
        return float(low), float(high)

    @property
    def same_deals(self) -> bool:
        """Whether all sweeps of the page used the same seed for their deals."""
        return len({plan.seed for plan in self.evidence.plans}) == 1

    def counterparts(self, first: Situation, second: Situation) -> dict[str, str]:
        """The clan of `second` for each clan of `first`; empty for the same edition."""
        if first.edition == second.edition:
            return {}
        return clan_counterparts(self.rules[first.rule_set], self.rules[second.rule_set])

    def other_editions(self, situation: Situation) -> tuple[Situation, ...]:
        """The situations that differ from this one in the edition only."""
        return self._situations_with_other(situation, "edition")

    def other_mode(self, situation: Situation) -> Situation | None:
        """The situation that differs from this one by Recruitment only; None if not played."""
        others = self._situations_with_other(situation, "mode")
        usual = [table for table in others if STANDARD in (table.mode, situation.mode)]
        return usual[0] if usual else None

    def _situations_with_other(self, situation: Situation, field: str) -> tuple[Situation, ...]:
        """The situations that differ from this one in `field` only."""
        value = getattr(situation, field)
        return tuple(
            table
            for table in self.situations
            if (table.players, table.population) == (situation.players, situation.population)
            and getattr(table, field) != value
            and table._replace(**{field: value}) == situation
        )

    def edition_name(self, rule_set: RuleSetName) -> str:
        """The name of an edition for a sentence: "2nd edition"."""
        return self.rules[rule_set].title.split(" (")[0]

    def situation_title(self, situation: Situation) -> str:
        """A situation as a heading: "2nd edition, Recruitment, 4 players"."""
        rule_set = situation.rule_set
        mode = MODE_LABELS.get(rule_set.mode, rule_set.mode).removesuffix(" variant")
        count = f"{situation.players} player{'s' * (situation.players > 1)}"
        parts = (self.edition_name(rule_set), mode, rule_set.rules, count)
        return ", ".join(part for part in parts if part)

    def clan_name(self, clan: str, situation: Situation) -> str:
        """A clan's name, with a star if it has values that no source prints."""
        return clan_label(clan) + "*" * (clan in self.starred_clans[situation.rule_set])

    @cached_property
    def starred_clans(self) -> Mapping[RuleSetName, set[str]]:
        """The clans with values that no source prints, by rule set."""
        return {
            rule_set: {name.split(".")[0] for name in rules.assumed_values()}
            for rule_set, rules in self.rules.items()
        }

    def rule_changes(self, rule_set: RuleSetName) -> str:
        """How a rule set changes the reference rules of its edition: "bear.on_take: 4 → 2"."""
        reference = self.rules.get(rule_set._replace(rules=""))
        if reference is None:
            return rule_set.rules
        differences = value_differences(reference, self.rules[rule_set])
        changes = [
            f"{difference.second_name or difference.first_name}: "
            f"{rule_value_text(difference.first)} → {rule_value_text(difference.second)}"
            for difference in differences
        ]
        return capitalized(word_list(changes)) if changes else rule_set.rules
