"""Every combination that a spec asks for, as numbered cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from ethnos_sim.experiments.plans.cells import Cell, Partition
from ethnos_sim.experiments.specs.checks import is_playable
from ethnos_sim.experiments.specs.spec import Spec
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.modes import SOLO_CLANS
from ethnos_sim.simulator.tables.table import check_mode_values, seating_count
from ethnos_sim.strategies import LineUp


def cells_of_spec(spec: Spec, rules: Mapping[tuple[str, str], Rules]) -> Iterable[Cell]:
    """The cells of a spec: every playable combination, numbered in the order of the spec's keys.

    A rule set is left out of a partition if an earlier rule set has equal rules there. For
    example, the rule set may change only another edition, or values for other numbers of players.

    Args:
        spec: the checked spec.
        rules: the rules of the spec, by edition and name of the rule set.
    """
    number = 0
    in_force: dict[tuple[object, ...], str] = {}
    for (edition, name), mode, players in product(rules, spec.modes, spec.players):
        if not is_playable(edition, mode, players):
            continue
        check_mode_values(rules[edition, name], players, mode)
        fields = rules[edition, name].fields
        values = rules[edition, name].values().items()
        at_table = tuple(value for value in values if fields[value[0]].is_used_with(players))
        powers = rules[edition, name].all_custom_powers
        here = edition, mode, players, at_table, powers
        if in_force.setdefault(here, name) != name:
            continue
        partition = Partition(edition, players, mode, name)
        seated = [
            (asked, LineUp.parse(asked.strategies, players, rules[edition, name]))
            for asked in spec.line_ups
            if asked.is_for(players)
        ]
        for clan_set, clans in enumerate(_clan_sets(spec, partition, rules[edition, name])):
            for asked, line_up in seated:
                yield Cell(
                    number=number,
                    partition=partition,
                    clan_set=clan_set,
                    clans=clans,
                    line_up=line_up.names,
                    rotations=seating_count(line_up.names),
                    population=asked.named,
                    weight=asked.weight,
                    kind=asked.kind,
                )
                number += 1


def _clan_sets(spec: Spec, partition: Partition, rules: Rules) -> Sequence[tuple[str, ...]]:
    """The clan sets that a spec asks for in a partition with these rules."""
    if partition.solo:
        return [SOLO_CLANS]
    size = rules.clans_in_play(partition.players)
    assert spec.clan_sets is not None, "a checked spec has clan sets where players meet"
    return spec.clan_sets.design_for_size(size).sets_of_size(rules, size)
