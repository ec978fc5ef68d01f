"""One more level of play for a page: the clans' worth among players who look ahead.

The numbers come with the program. `look_ahead.toml` holds the power of every clan in the bundled
sweep `clan-power-ahead`, and the id of its plan (benchmarks/look_ahead.py writes it). They are used
only if this program would play the same games. A different id means different rules, different code
of the simulator or of look-ahead, or a different net.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.plans.plan import make_plan
from ethnos_sim.experiments.specs.spec import load_spec
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import with_errors
from ethnos_sim.reports.estimators.catalog import OPEN as OPEN_WORD
from ethnos_sim.reports.estimators.catalog import STRONG, WEAK, ranked, word_of
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER
from ethnos_sim.reports.page.levels import (
    LADDER,
    OTHER,
    SAME,
    UNKNOWN,
    LevelVerdict,
    change_between,
)
from ethnos_sim.reports.rendering.numbers import clan_label, number, some
from ethnos_sim.simulator.rules import Rules, load_rules

LOOK_AHEAD = LADDER[-1]

SWEEP = "clan-power-ahead"
"""The bundled sweep that the numbers come from."""

FILE = Path(__file__).with_name("look_ahead.toml")


def power_among_look_aheads(situation: Situation, rules: Rules) -> tuple[Estimate, ...]:
    """The power of every clan if look-ahead plays all seats, the strongest clan first.

    Args:
        situation: the kind of table, for any population.
        rules: the rules of the table.

    Returns:
        The powers, with intervals that hold for all clans together; empty if this kind of table was
        not played, or this program would not play the same games.
    """
    at = situation._replace(population=LOOK_AHEAD)
    table = next((table for table in _stored()["tables"] if Situation.of(table) == at), None)
    if table is None or rules.rules_id != load_rules(at.edition).rules_id:
        return ()
    if _stored()["plan"] != _plan_id():
        return ()
    values, errors, games = zip(*table["power"].values(), strict=True)
    powers = with_errors(
        values,
        errors,
        [table["blocks"]] * len(values),
        games=games,
        name=list(table["power"]),
        estimand=RELATIVE_POWER.name,
        population=LOOK_AHEAD,
    )
    return ranked(powers.in_unit(RELATIVE_POWER.unit))


def with_look_ahead(
    verdict: LevelVerdict, worths: Sequence[Estimate], powers: Sequence[Estimate]
) -> LevelVerdict:
    """Add the level of look-ahead to a verdict on which clans are strong and which weak.

    A clan counts as moved if its two numbers differ by more than the half-width of the difference's
    interval. These intervals hold for all clans together.

    Args:
        verdict: the verdict over the levels that the page played.
        worths: the worth of each clan behind the page's answer.
        powers: the power of each clan among players who look ahead.
    """
    ahead = {power.name: power for power in powers}
    pairs = [(worth, ahead[worth.name]) for worth in worths if worth.name in ahead]
    moved = [pair for pair in pairs if _differs(*pair)]
    doubtful = [
        worth.name
        for worth, power in pairs
        if word_of(worth) in (STRONG, WEAK) and word_of(power) != word_of(worth)
    ]
    who = "players who look ahead"
    if moved:
        turned = any(word_of(power) not in (word_of(worth), OPEN_WORD) for worth, power in moved)
        mark = OTHER if turned else UNKNOWN if doubtful else SAME
        moves = [
            f"{clan_label(worth.name)} {_points(worth)} becomes {_points(power)}"
            for worth, power in moved
        ]
        words = f"among {who} {some(moves)}"
    elif doubtful:
        mark = UNKNOWN
        words = f"too few games of {who} to tell of {some([*map(clan_label, doubtful)])}"
    else:
        mark, words = SAME, f"holds for {who}"
    return LevelVerdict((*verdict.levels, mark), "; ".join(filter(None, (verdict.words, words))))


def _differs(worth: Estimate, power: Estimate) -> bool:
    """Whether two numbers of a clan differ by more than the half-width of their difference."""
    change, half = change_between(worth, power)
    return abs(change) > half


def _points(power: Estimate) -> str:
    """A power in games of 100: "+1.6"."""
    return number(power.value, power.unit, 1).split()[0]


@cache
def _stored() -> dict[str, Any]:
    """The content of the file."""
    with FILE.open("rb") as file:
        return tomllib.load(file)


@cache
def _plan_id() -> str:
    """The id of the plan by which this program would play the sweep."""
    return make_plan(load_spec(SWEEP)).plan_id
