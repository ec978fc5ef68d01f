"""The evidence of one sweep or several: the sums from which a report is computed.

A situation (an edition, mode, rule set, number of players and population) has sums by clan set and
sums by line-up. Games in which every seat gives up a clan have their own sums, and so have solo
games, where one player faces Bruno. `gathering` makes evidence from folders.

A population is a group of line-ups. The line-up of one strategy in all seats is a population by
itself. Line-ups in which strategies meet are the mixed population, or the population whose name the
spec gives them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.plans.plan import EditionRules, Plan
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.simulator.rules import Rules, load_rules
from ethnos_sim.simulator.utilities.errors import WrongInput

MIXED = "mixed"
"""The population of the unnamed line-ups in which different strategies meet."""

POPULATION_SUFFIX = " population"
"""Follows the name that a spec gives a population, as in "uniform population"."""

SOLO_POPULATION = "solo"
"""The kind of the games against Bruno, and the population of numbers about all these games."""


def is_one_strategy(population: str) -> bool:
    """Whether a population is one strategy in all seats (a strategy's name has no space)."""
    return population != MIXED and not population.endswith(POPULATION_SUFFIX)


def population_of(line_up: tuple[str, ...], spec_name: str) -> str:
    """The population of a line-up: named as in the spec, else MIXED or its only strategy."""
    if spec_name:
        return spec_name + POPULATION_SUFFIX
    return MIXED if len(set(line_up)) > 1 else line_up[0]


class RuleSetName(NamedTuple):
    """The rules of games: an edition, a mode, and the name of a rule set, `rules`.

    `rules` is empty for the edition's reference rule set: the printed rules, or the first rule set
    of a sweep without printed rules.
    """

    edition: str
    mode: str
    rules: str = ""


class Situation(NamedTuple):
    """The rule set, number of players and population that games have in common."""

    edition: str
    mode: str
    rules: str
    players: int
    population: str

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Situation:
        """The situation in the columns that are named as its fields; others are ignored."""
        return cls(*(columns[name] for name in cls._fields))

    def __str__(self) -> str:
        """The situation in words: "second standard, 4 players, mixed"."""
        count = f"{self.players} player{'s' * (self.players > 1)}"
        return f"{' '.join(filter(None, self.rule_set))}, {count}, {self.population}"

    @property
    def rule_set(self) -> RuleSetName:
        """The edition, mode and rule set."""
        return RuleSetName(*self[:3])


@dataclass(frozen=True, eq=False)
class Evidence:
    """The sums of all games of one sweep or several, by situation, with the plans of the sweeps.

    Attributes:
        plans: the plan of each sweep.
        clan_set_sums: sums of ordinary games, in which nobody gives up a clan, by clan set.
        line_up_sums: sums of the same games by line-up, with the names LINE_UP_SUMS.
        given_up_sums: sums of games in which every seat gives up a clan, by situation and kind of
            games (`given_up_clans.given_up_numbers`).
        turn_counts: the number of ordinary games in each bin of turns, (bins,).
        solo_sums: sums of games against Bruno; each strategy is a population.
    """

    plans: tuple[Plan, ...]
    clan_set_sums: Mapping[Situation, Sums] = field(default_factory=dict)
    line_up_sums: Mapping[Situation, Sums] = field(default_factory=dict)
    given_up_sums: Mapping[tuple[Situation, str], Sums] = field(default_factory=dict)
    turn_counts: Mapping[Situation, IntArray] = field(default_factory=dict)
    solo_sums: Mapping[Situation, Sums] = field(default_factory=dict)

    @property
    def games_planned(self) -> int:
        """The number of games that all plans ask for."""
        return sum(plan.games for plan in self.plans)

    @cached_property
    def games(self) -> int:
        """The number of games played, of all kinds."""
        kinds = (self.clan_set_sums, self.given_up_sums, self.solo_sums)
        return sum(sums.games for kind in kinds for sums in kind.values())

    def games_of(self, situation: Situation) -> int:
        """The number of games of a situation, of all kinds."""
        ordinary = [self.clan_set_sums[situation]] if situation in self.clan_set_sums else []
        given_up = [sums for (about, _), sums in self.given_up_sums.items() if about == situation]
        return sum(sums.games for sums in (*ordinary, *given_up))

    @cached_property
    def ordinary_sums(self) -> Mapping[Situation, Sums]:
        """The sums of ordinary games over all clan sets, from which most estimands are computed."""
        return {situation: sums.over_clan_sets for situation, sums in self.clan_set_sums.items()}

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The situations with ordinary games, in the order of the plans."""
        return tuple(self.clan_set_sums)

    @cached_property
    def all_situations(self) -> tuple[Situation, ...]:
        """All situations but solo: `situations`, then those where every seat gave up a clan."""
        given_up = (situation for situation, _ in self.given_up_sums)
        return tuple(dict.fromkeys((*self.situations, *given_up)))

    @cached_property
    def rule_sets(self) -> Mapping[tuple[str, str], EditionRules]:
        """The rules of the games, by edition and name of the rule set ("" for the reference)."""
        return rule_sets(self.plans)

    def rules(self, rule_set: RuleSetName) -> Rules:
        """The rules with this name in the plans."""
        return self.rule_sets[rule_set.edition, rule_set.rules].rules

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies of games with several players, then the strategies of solo games."""
        line_ups = [line_up for sums in self.line_up_sums.values() for line_up in sums.tables]
        solo = [situation.population for situation in self.solo_sums]
        return tuple(dict.fromkeys([*chain(*line_ups), *solo]))

    def solo_sums_of(self, mode: str) -> dict[str, Sums]:
        """The sums of games in a solo mode by strategy, in the order of the plan."""
        solo = self.solo_sums.items()
        return {about.population: sums for about, sums in solo if about.mode == mode}

    def describe_population(self, situation: Situation) -> str:
        """A situation's population in words: "greedy in all seats", "mixed: collector, greedy"."""
        if is_one_strategy(situation.population):
            return f"{situation.population} in all seats"
        names = set(chain(*self.line_up_sums[situation].tables))
        return f"{situation.population}: {', '.join(sorted(names))}"


SUM_FIELDS = tuple(field.name for field in fields(Evidence) if field.name != "plans")
"""The fields of sums and counts, which are added up by key when evidence is joined."""


def rule_set_name(edition_rules: EditionRules, plan: Plan) -> str:
    """The `rules` of a `RuleSetName` for a plan's rule set: "" for the edition's reference."""
    of_edition = [rules for rules in plan.editions if rules.edition == edition_rules.edition]
    printed_id = load_rules(edition_rules.edition).rules_id
    printed = [rules for rules in of_edition if rules.rules_id == printed_id]
    reference = (printed or of_edition)[0]
    return "" if edition_rules.name == reference.name else edition_rules.name


def rule_sets(plans: tuple[Plan, ...]) -> dict[tuple[str, str], EditionRules]:
    """The rules of several plans, by edition and `rule_set_name`.

    Raises:
        WrongInput: different rules have the same name.
    """
    by_key: dict[tuple[str, str], EditionRules] = {}
    for plan in plans:
        for about in plan.editions:
            key = about.edition, rule_set_name(about, plan)
            if by_key.setdefault(key, about).rules_id != about.rules_id:
                name = f"the rule set '{key[1]}'" if key[1] else "the reference rule set"
                raise WrongInput(
                    f"{name} of the {about.edition} edition is not the same in all sweeps; "
                    "`ethnos-sim compare` tells how they differ"
                )
    return by_key
