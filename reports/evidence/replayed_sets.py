"""Playing single clan sets again on fresh deals, while a report is made.

A set that was picked because its number stood out was partly picked for its luck. Games that had no
part in picking it tell what of it is real.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.designs.interventions import intervention_of
from ethnos_sim.experiments.execution.playing_now import play_now
from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan
from ethnos_sim.experiments.plans.sources import kernel_source, strategy_sources
from ethnos_sim.reports.evidence.clan_sets import SetSums
from ethnos_sim.reports.evidence.evidence import Evidence, Situation, population_of, setting_name
from ethnos_sim.reports.evidence.gathering import PlanGatherer
from ethnos_sim.simulator.errors import WrongInput
from ethnos_sim.strategies import get_strategy

GAMES = 2_000
"""Fresh games of each set, about."""


def play_again(
    evidence: Evidence, situation: Situation, sets: Sequence[ClanSet], games: int = GAMES
) -> SetSums:
    """Play some clan sets of a situation again, with another seed, by the same strategies.

    The line-ups of a set keep their parts of its games. Nothing is written.

    Args:
        evidence: where the sets were played.
        situation: edition, mode, rules, player count and population.
        sets: sets that were played there.
        games: how many games of each set, about.

    Raises:
        WrongInput: the program or a strategy is not what the sweep was played with, or a strategy
            looks ahead and would take too long.
    """
    found: SetSums | None = None
    for plan in evidence.plans:
        known = () if found is None else found.sets
        wanted = {clans for clans in sets if clans not in known}
        cells = [cell for cell in cells_of(plan, situation) if cell.clans in wanted]
        if cells:
            fresh = _played(plan, cells, situation, games)
            found = fresh if found is None else found.plus(fresh)
    if found is None:
        raise WrongInput("no sweep holds these clan sets")
    return found


def cells_of(plan: Plan, situation: Situation) -> list[Cell]:
    """The cells of a plan in which a situation is played with nobody restricted."""
    setting = situation.setting
    kinds = {
        Partition(setting.edition, situation.players, setting.mode, about.name)
        for about in plan.editions
        if about.edition == setting.edition and setting_name(about, plan) == setting.rules
    }
    return [
        cell
        for cell in plan.cells
        if cell.partition in kinds
        if population_of(cell.line_up, cell.population) == situation.population
        if intervention_of(cell.line_up) is None
    ]


def _played(plan: Plan, cells: Sequence[Cell], situation: Situation, games: int) -> SetSums:
    """The sums of some cells of a plan, played with another seed."""
    check_playable(plan, cells)
    partition = cells[0].partition
    a_round = sum(cell.games_per_round for cell in cells if cell.clans == cells[0].clans)
    again = replace(
        plan,
        seed=_another(plan.seed),
        cells=tuple(replace(cell, number=number) for number, cell in enumerate(cells)),
        rounds={partition: max(1, round(games / a_round))},
        shard_games={},
        schedule=None,
    )
    gatherer = PlanGatherer(again)
    play_now(again, gatherer.add)
    return gatherer.evidence().sets[situation]


def check_playable(plan: Plan, cells: Sequence[Cell]) -> None:
    """WrongInput unless the cells' games can be played as they were, in a short time."""
    names = {name for cell in cells for name in cell.line_up}
    sources = strategy_sources(sorted(names))
    if plan.kernel != kernel_source() or any(plan.strategies[n] != sources[n] for n in names):
        raise WrongInput("the program has changed since the sweep was played")
    slow = sorted(name for name in names if get_strategy(name.split(":")[0]).looks_ahead)
    if slow:
        raise WrongInput(f"'{slow[0]}' looks ahead, which takes too long here")


def _another(seed: int) -> int:
    """A seed that follows from a sweep's own and has nothing to do with it."""
    digest = blake2b(f"played again {seed}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big")
