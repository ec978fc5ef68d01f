"""Whether a clan's word depends on component values that no source prints.

`readings.toml` holds how far plausible readings of these values move a clan's worth
(benchmarks/readings.py). If a clan's word is the same in all readings that were tried, it depends
on none of these values.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import stdev

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.catalog import OPEN, word_of
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER
from ethnos_sim.simulator.tables.modes import STANDARD


@cache
def _moves() -> dict[str, dict[str, dict[str, list[float]]]]:
    """The lowest and highest move of a clan's worth in games of 100, by edition, clan, players."""
    with Path(__file__).with_name("readings.toml").open("rb") as file:
        return tomllib.load(file)


def holds(situation: Situation, worth: Estimate | None) -> bool:
    """Whether a clan's word at a kind of table is the same in every reading that was tried."""
    if worth is None or worth.low is None or worth.high is None:
        return False
    moves = _moves_at(situation)
    if worth.name not in moves or worth.definition != RELATIVE_POWER.name:
        return False
    down, up = moves[worth.name]
    moved = replace(worth, low=worth.low + down, high=worth.high + up)
    return word_of(moved) == word_of(worth) != OPEN


def spread_holds(situation: Situation, worths: Sequence[Estimate], change: Estimate) -> bool:
    """Whether a change in the spread of clans has the same sign in every reading that was tried.

    Args:
        situation: the kind of table whose values no source prints.
        worths: the worth of each clan at this table.
        change: the change of the spread from the other table to this one.
    """
    moves = _moves_at(situation)
    values = {worth.name: worth.value for worth in worths if worth.value is not None}
    if not moves.keys() <= values.keys() or not moves or change.low is None or change.high is None:
        return False
    spread = stdev(values.values())
    moved = [
        stdev((values | {clan: values[clan] + end}).values()) - spread
        for clan, ends in moves.items()
        for end in ends
    ]
    return change.low + min(moved) > 0 or change.high + max(moved) < 0


def _moves_at(situation: Situation) -> dict[str, tuple[float, float]]:
    """The lowest and highest move of each clan's worth at a table, as a winning chance.

    Readings were tried only with the strongest strategy and the printed rules.
    """
    if (situation.mode, situation.rules, situation.population) != (STANDARD, "", STRONGEST):
        return {}
    players = str(situation.players)
    return {
        clan: (by_players[players][0] / 100, by_players[players][1] / 100)
        for clan, by_players in _moves().get(situation.edition, {}).items()
        if players in by_players
    }
