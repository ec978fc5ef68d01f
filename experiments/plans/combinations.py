"""Every combination that a spec asks for, as numbered cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.designs.interventions import (
    Weighted,
    every_seat_line_ups,
    intervention_line_ups,
    leading_clans,
    without_intervention,
)
from ethnos_sim.experiments.designs.null_clan import NULL_RULES, NULLED
from ethnos_sim.experiments.plans.cells import Cell, Partition
from ethnos_sim.experiments.specs.checks import makes_game
from ethnos_sim.experiments.specs.parts import SeatedStrategies
from ethnos_sim.experiments.specs.spec import Spec
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.modes import SOLO_CLANS
from ethnos_sim.simulator.tables.table import check_values, period_of
from ethnos_sim.strategies import LineUp


def cells_of_spec(spec: Spec, rules: Mapping[tuple[str, str], Rules]) -> Iterable[Cell]:
    """Every combination of a spec that makes a game, numbered in the order of its keys.

    A rule set is left out of a partition if an earlier rule set has equal rules there. For
    example, the rule set may change only another edition, or values for other numbers of players.

    Args:
        spec: the checked spec.
        rules: its rules by edition and rule set.
    """
    number = 0
    in_force: dict[tuple[object, ...], str] = {}
    for (edition, name), mode, players in product(rules, spec.modes, spec.players):
        if not makes_game(edition, mode, players):
            continue
        check_values(rules[edition, name], players, mode)
        fields = rules[edition, name].fields
        values = rules[edition, name].values().items()
        at_table = tuple(value for value in values if fields[value[0]].counts_with(players))
        powers = rules[edition, name].all_custom_powers
        here = edition, mode, players, at_table, powers
        if in_force.setdefault(here, name) != name:
            continue
        partition = Partition(edition, players, mode, name)
        seated = [
            (asked, _line_ups_of(asked, partition, rules[edition, name]))
            for asked in spec.line_ups
            if asked.is_for(players) and (asked.null_clan or name != NULL_RULES)
        ]
        for clan_set, clans in enumerate(_clan_sets(spec, partition, rules[edition, name])):
            for asked, line_ups_with in seated:
                for line_up, weight in line_ups_with(clan_set, clans):
                    yield Cell(
                        number=number,
                        partition=partition,
                        clan_set=clan_set,
                        clans=clans,
                        line_up=line_up.names,
                        rotations=_rotations(asked, line_up),
                        population=asked.label,
                        weight=weight,
                        kind=asked.kind,
                    )
                    number += 1


def _line_ups_of(
    seated: SeatedStrategies, partition: Partition, rules: Rules
) -> Callable[[int, ClanSet], Sequence[Weighted]]:
    """A function from a clan set's number and clans to the line-ups that `seated` asks for."""
    players = partition.players
    line_ups = [(LineUp.parse(seated.strategies, players, rules), seated.weight)]
    one_seat, every_seat = seated.one_seat, seated.every_seat
    if every_seat is not None:
        return lambda clan_set, clans: every_seat_line_ups(
            line_ups, every_seat, clan_set, clans, rules
        )
    if one_seat is None:
        return lambda clan_set, clans: line_ups
    able = leading_clans(rules)
    if partition.rules == NULL_RULES:
        able = tuple(clan for clan in able if clan == rules.clan_of(NULLED))
    ages = range(1, rules.ages(players) + 1) if seated.by_age else (0,)
    by_clan = {
        clan: [
            line_up
            for age in ages
            for line_up in intervention_line_ups(line_ups, one_seat, clan, rules, age)
        ]
        for clan in able
    }
    return lambda clan_set, clans: [line_up for clan in clans for line_up in by_clan.get(clan, ())]


def _rotations(asked: SeatedStrategies, line_up: LineUp) -> int:
    """The number of seatings of a deal that differ in the strategies of the seats.

    Interventions add no seatings. A deal draws the first player, so all seats are alike, and new
    deals say more than another seating of the same deal.
    """
    if asked.every_seat is not None:
        return 1
    return period_of(tuple(map(without_intervention, line_up.names)))


def _clan_sets(spec: Spec, partition: Partition, rules: Rules) -> Sequence[tuple[str, ...]]:
    if partition.solo:
        return [SOLO_CLANS]
    size = rules.clans_in_play(partition.players)
    design = spec.clan_sets and spec.clan_sets.for_size(size)[1]
    assert design is not None, "a checked spec has a design for each size where players meet"
    return design.sets(rules, size)
