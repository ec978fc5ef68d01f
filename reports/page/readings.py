"""Whether a clan's word hangs on component values that no source prints.

`readings.toml` holds by how much plausible readings of these values move what the clan is worth
(benchmarks/readings.py). A word that the clan keeps over all of them hangs on none.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.catalog import OPEN, word_of
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER
from ethnos_sim.simulator.modes import STANDARD


@cache
def _moves() -> dict[str, dict[str, dict[str, list[float]]]]:
    """From where to where readings move a clan's worth, in games of 100, by edition and players."""
    with Path(__file__).with_name("readings.toml").open("rb") as file:
        return tomllib.load(file)


def holds(situation: Situation, worth: Estimate | None) -> bool:
    """Whether a clan's word is the same for every reading that was tried at a kind of table.

    They were tried at tables of the strongest player by the printed rules.
    """
    if worth is None or worth.low is None or worth.high is None:
        return False
    tried = *situation[1:3], situation.population
    if tried != (STANDARD, "", STRONGEST) or worth.definition != RELATIVE_POWER.name:
        return False
    by_players = _moves().get(situation.edition, {}).get(worth.name, {})
    if str(situation.players) not in by_players:
        return False
    down, up = (end / 100 for end in by_players[str(situation.players)])
    moved = replace(worth, low=worth.low + down, high=worth.high + up)
    return word_of(moved) == word_of(worth) != OPEN
