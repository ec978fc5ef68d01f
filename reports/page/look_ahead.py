"""One more level of play for a page: the clans' worth among players who look ahead.

The numbers come with the program. `look_ahead.toml` holds the worth of every clan in the bundled
sweep `worth-ahead`, and the id of its plan (benchmarks/look_ahead.py writes it). They are used
only if this program would play the same games. A different id means different rules, different code
of the simulator or of look-ahead, or a different net.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.plans.plan import make_plan
from ethnos_sim.experiments.specs.spec import load_spec
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import with_errors
from ethnos_sim.reports.estimators.catalog import ranked
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.page.levels import LADDER
from ethnos_sim.simulator.rules import Rules, load_rules

LOOK_AHEAD = list(LADDER)[-1]

SWEEP = "worth-ahead"
"""The bundled sweep that the numbers come from."""

FILE = Path(__file__).with_name("look_ahead.toml")


def worth_among_look_aheads(situation: Situation, rules: Rules) -> tuple[Estimate, ...]:
    """The worth of every clan if look-ahead plays all seats, the strongest clan first.

    Args:
        situation: the kind of table, for any population.
        rules: the rules of the table.

    Returns:
        The worths, with intervals that hold for all clans together; empty if this kind of table was
        not played, or this program would not play the same games.
    """
    at = situation._replace(population=LOOK_AHEAD)
    table = next((table for table in _stored()["tables"] if Situation.of(table) == at), None)
    if table is None or rules.rules_id != load_rules(at.edition).rules_id:
        return ()
    if _stored()["plan"] != _plan_id():
        return ()
    values, errors, games = zip(*table["worth"].values(), strict=True)
    worths = with_errors(
        values,
        errors,
        [table["blocks"]] * len(values),
        games=games,
        name=list(table["worth"]),
        estimand=WORTH.name,
        population=LOOK_AHEAD,
        players=at.players,
    )
    return ranked(worths.in_unit(WORTH.unit))


@cache
def _stored() -> dict[str, Any]:
    """The content of the file."""
    with FILE.open("rb") as file:
        return tomllib.load(file)


@cache
def _plan_id() -> str:
    """The id of the plan by which this program would play the sweep."""
    return make_plan(load_spec(SWEEP)).plan_id
