"""The sums from which a report is computed, of one sweep or of several.

Sums are kept by situation (one edition, mode, rule set, player count and population) and within a
situation by clan set or by line-up. A population is a group of line-ups. Each line-up of a single
strategy is a population. All line-ups in which different strategies meet are the mixed population.
Line-ups that a spec names, or draws from a named population, are the population of that name.
Games in which every seat gives up a clan are kept apart, as are solo games, where one player faces
Bruno. `ethnos_sim.experiments.evidence.gathering` makes evidence from folders.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.plans.plan import EditionRules, Plan
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.simulator.rules import Rules, load_rules
from ethnos_sim.simulator.utilities.errors import WrongInput

MIXED = "mixed"
"""The population of all listed line-ups in which different strategies meet."""

NAMED = " population"
"""The suffix of a population that a spec names: "uniform population"."""

SOLO_POPULATION = "solo"
"""The word for the games against Bruno, where each strategy is a population."""


def is_one_strategy(population: str) -> bool:
    """Whether a population is one strategy in all seats (a strategy's name has no space)."""
    return population != MIXED and not population.endswith(NAMED)


def population_of(line_up: tuple[str, ...], named: str) -> str:
    """The population of a line-up: `named` by the spec, else MIXED or its only strategy."""
    if named:
        return named + NAMED
    return MIXED if len(set(line_up)) > 1 else line_up[0]


class RuleSetName(NamedTuple):
    """Which rules games were played by: an edition, a mode, and the name of a rule set.

    `rules` is this name, or empty for the edition's reference rule set. The
    reference is the printed rules where they were played, else the first rule set of a sweep.
    """

    edition: str
    mode: str
    rules: str = ""


class Situation(NamedTuple):
    """A kind of table: a rule set, a player count and a population."""

    edition: str
    mode: str
    rules: str
    players: int
    population: str

    @classmethod
    def of(cls, columns: Mapping[str, Any]) -> Situation:
        """The situation from columns of the same names; other columns are ignored."""
        return cls(*(columns[name] for name in cls._fields))

    def __str__(self) -> str:
        """As in "second standard, 4 players, mixed"."""
        count = f"{self.players} player{'s' * (self.players > 1)}"
        return f"{' '.join(filter(None, self.rule_set))}, {count}, {self.population}"

    @property
    def rule_set(self) -> RuleSetName:
        """The edition, mode and rule set."""
        return RuleSetName(*self[:3])


@dataclass(frozen=True, eq=False)
class Evidence:
    """The sums of all games of one sweep or several, with their plans.

    Attributes:
        plans: the plan of each sweep.
        sets: the sums of the ordinary games of each situation by clan set.
        line_ups: the sums OF_LINE_UPS of the same games, by line-up.
        given_up: the sums of `given_up.given_up_numbers` of games in which every seat gives up a
            clan, by situation and kind of games.
        turns: the counts of `game_numbers.counted_turns` by situation, (bins,).
        solo: the sums against Bruno by situation, where each strategy is a population.
    """

    plans: tuple[Plan, ...]
    sets: Mapping[Situation, Sums] = field(default_factory=dict)
    line_ups: Mapping[Situation, Sums] = field(default_factory=dict)
    given_up: Mapping[tuple[Situation, str], Sums] = field(default_factory=dict)
    turns: Mapping[Situation, IntArray] = field(default_factory=dict)
    solo: Mapping[Situation, Sums] = field(default_factory=dict)

    @property
    def games_planned(self) -> int:
        """The number of games that all plans ask for."""
        return sum(plan.games for plan in self.plans)

    @cached_property
    def games(self) -> int:
        """The number of games played, of all kinds."""
        kinds = (self.sets, self.given_up, self.solo)
        return sum(sums.games for kind in kinds for sums in kind.values())

    def games_of(self, situation: Situation) -> int:
        """The number of games of a situation, of all kinds."""
        ordinary = [self.sets[situation]] if situation in self.sets else []
        given_up = [sums for (about, _), sums in self.given_up.items() if about == situation]
        return sum(sums.games for sums in (*ordinary, *given_up))

    @cached_property
    def sums(self) -> Mapping[Situation, Sums]:
        """The sums of ordinary games over all clan sets, which the estimands use."""
        return {situation: sums.over_sets for situation, sums in self.sets.items()}

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The situations with games in which nobody gave up a clan, in the order of the plans."""
        return tuple(self.sets)

    @cached_property
    def all_situations(self) -> tuple[Situation, ...]:
        """All situations: first `situations`, then those in which every game gave up clans."""
        given_up = (situation for situation, _ in self.given_up)
        return tuple(dict.fromkeys((*self.situations, *given_up)))

    @cached_property
    def rule_sets(self) -> Mapping[tuple[str, str], EditionRules]:
        """The rules that were played, by edition and name of the rule set ("": the reference)."""
        return rule_sets(self.plans)

    def rules(self, rule_set: RuleSetName) -> Rules:
        """The rules of a rule set as they were played."""
        return self.rule_sets[rule_set.edition, rule_set.rules].rules

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that played with other players, then the strategies of solo games."""
        names = [
            name for sums in self.line_ups.values() for line_up in sums.tables for name in line_up
        ]
        return tuple(dict.fromkeys([*names, *(about.population for about in self.solo)]))

    def solo_of(self, mode: str) -> dict[str, Sums]:
        """The sums of games in a solo mode by strategy, in the order of the plan."""
        return {about.population: sums for about, sums in self.solo.items() if about.mode == mode}

    def describe(self, situation: Situation) -> str:
        """A population in words: "greedy in all seats", "mixed: collector, greedy"."""
        if is_one_strategy(situation.population):
            return f"{situation.population} in all seats"
        names = sorted({name for line_up in self.line_ups[situation].tables for name in line_up})
        return f"{situation.population}: {', '.join(names)}"


SUMMED = tuple(field.name for field in fields(Evidence) if field.name != "plans")
"""The fields that are added up, key by key, when evidence is put together."""


def rule_set_name(about: EditionRules, plan: Plan) -> str:
    """The name of a plan's rule set in a `RuleSetName`: "" for the edition's reference."""
    of_edition = [rules for rules in plan.editions if rules.edition == about.edition]
    printed_id = load_rules(about.edition).rules_id
    printed = [rules for rules in of_edition if rules.rules_id == printed_id]
    reference = (printed or of_edition)[0]
    return "" if about.name == reference.name else about.name


def rule_sets(plans: tuple[Plan, ...]) -> dict[tuple[str, str], EditionRules]:
    """The rules of several plans, by edition and the name that `rule_set_name` gives.

    Raises:
        WrongInput: two plans call different rules by the same name.
    """
    by_key: dict[tuple[str, str], EditionRules] = {}
    for plan in plans:
        for about in plan.editions:
            key = about.edition, rule_set_name(about, plan)
            if by_key.setdefault(key, about).rules_id != about.rules_id:
                edition = f"of the {about.edition} edition"
                what = (
                    f"the rule set '{key[1]}' {edition} is"
                    if key[1]
                    else f"the rules {edition} are"
                )
                raise WrongInput(
                    f"{what} not the same in all sweeps; `ethnos-sim compare` tells how they differ"
                )
    return by_key
