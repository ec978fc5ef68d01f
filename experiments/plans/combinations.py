"""Every combination that a spec asks for, as numbered cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Self

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.designs.interventions import (
    Weighted,
    every_seat_line_ups,
    intervention_line_ups,
    leading_clans,
)
from ethnos_sim.experiments.designs.null_clan import NULL_RULES, NULLED
from ethnos_sim.experiments.plans.cells import Cell, Partition
from ethnos_sim.experiments.specs.checks import makes_game
from ethnos_sim.experiments.specs.parts import SeatedStrategies
from ethnos_sim.experiments.specs.spec import Spec
from ethnos_sim.simulator.modes import SOLO_CLANS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.table import check_refill
from ethnos_sim.strategies import LineUp

#: The key of line-ups that are not about one clan.
_ANY_CLAN = ""


def cells_of_spec(spec: Spec, rules: Mapping[tuple[str, str], Rules]) -> Iterable[Cell]:
    """Every combination of a spec that makes a game, numbered in the order of its keys.

    A rule set that changes nothing at a table, compared with an earlier one, is not played there:
    it changes another edition, or what counts with other numbers of players.

    Args:
        spec: the checked spec.
        rules: its rules by edition and rule set.
    """
    number = 0
    in_force: dict[tuple[object, ...], str] = {}
    for (edition, name), mode, players in product(rules, spec.modes, spec.players):
        if not makes_game(edition, mode, players):
            continue
        check_refill(rules[edition, name], mode)
        fields = rules[edition, name].fields
        values = rules[edition, name].values().items()
        at_table = tuple(each for each in values if fields[each[0]].counts_with(players))
        here = edition, mode, players, at_table
        if in_force.setdefault(here, name) != name:
            continue
        partition = Partition(edition, players, mode, name)
        seated = [
            (each.label, _Played.of(each, partition, rules[edition, name]))
            for each in spec.line_ups
            if each.is_for(players) and (each.null_clan or name != NULL_RULES)
        ]
        for clan_set, clans in enumerate(_clan_sets(spec, partition, rules[edition, name])):
            played = (
                (population, line_up, weight, 1 if line_ups.every_seat else line_up.rotations)
                for population, line_ups in seated
                for line_up, weight in line_ups.with_clans(clan_set, clans)
            )
            for population, line_up, weight, rotations in played:
                yield Cell(
                    number=number,
                    partition=partition,
                    clan_set=clan_set,
                    clans=clans,
                    line_up=line_up.names,
                    rotations=rotations,
                    population=population,
                    weight=weight,
                )
                number += 1


@dataclass(frozen=True, slots=True)
class _Played:
    """The line-ups of one entry of a spec at a table, before the clans are known.

    Attributes:
        line_ups: without interventions.
        every_seat: what all their entries are told of a clan each; None where they are not.
        by_clan: the line-ups that are played where a clan is, or with whatever clans.
        rules: the rules in force.
    """

    line_ups: Sequence[Weighted]
    every_seat: str | None
    by_clan: Mapping[str, Sequence[Weighted]]
    rules: Rules

    @classmethod
    def of(cls, seated: SeatedStrategies, partition: Partition, rules: Rules) -> Self:
        """What an entry of a spec asks for in a partition."""
        players = partition.players
        line_ups = [
            (LineUp.parse(names, players, rules), weight)
            for names, weight in seated.line_ups(partition.edition, players)
        ]
        by_clan: dict[str, Sequence[Weighted]] = {}
        if seated.one_seat is not None:
            null = rules.clan_of(NULLED)
            by_clan = {
                clan: intervention_line_ups(line_ups, seated.one_seat, clan, rules)
                for clan in leading_clans(rules)
                if partition.rules != NULL_RULES or clan == null
            }
        elif seated.every_seat is None:
            by_clan = {_ANY_CLAN: line_ups}
        return cls(line_ups, seated.every_seat, by_clan, rules)

    def with_clans(self, clan_set: int, clans: ClanSet) -> list[Weighted]:
        """The line-ups that are played with a clan set."""
        if self.every_seat is not None:
            return every_seat_line_ups(self.line_ups, self.every_seat, clan_set, clans, self.rules)
        return [each for clan in (_ANY_CLAN, *clans) for each in self.by_clan.get(clan, ())]


def _clan_sets(spec: Spec, partition: Partition, rules: Rules) -> Sequence[tuple[str, ...]]:
    if partition.solo:
        return [SOLO_CLANS]
    size = rules.clans_in_play(partition.players)
    design = spec.clan_sets and spec.clan_sets.for_size(size)[1]
    assert design is not None, "a checked spec has a design for each size where players meet"
    return design.sets(rules, size)
