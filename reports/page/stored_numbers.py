"""Numbers that come with the program, from games that the sweep behind a page does not play.

A TOML file of this folder holds the numbers of one estimand in a bundled sweep, and the id of the
sweep's plan (benchmarks/look_ahead.py writes the file). The numbers are used only if this program
would play the same games. Otherwise the plan has another id: the id changes with the rules, the
code of the simulator and of the strategies, and the net.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.plans.plan import make_plan
from ethnos_sim.experiments.specs.spec import load_spec
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import from_standard_errors
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.simulator.rules import Rules, load_rules


class StoredNumbers(NamedTuple):
    """The numbers of an estimand in a bundled sweep.

    Attributes:
        sweep: the name of the sweep.
        estimand: the estimand.
        file: the name of the file with the numbers.
        rules: the rule set; "" for the printed rules.
    """

    sweep: str
    estimand: Estimand
    file: str
    rules: str = ""

    @property
    def path(self) -> Path:
        """The path of the file."""
        return Path(__file__).with_name(self.file)

    def estimates(self, situation: Situation, rules: Rules) -> Estimates | None:
        """The numbers of a situation.

        Args:
            situation: the situation, with the reference rules.
            rules: its rules; there are numbers only for the printed rules.

        Returns:
            A row for each number; None if this situation was not played, or if this program would
            not play the same games.
        """
        content = _toml_content(self.path)
        at = situation._replace(rules=self.rules)
        tables = content["tables"]
        table = next((table for table in tables if Situation.from_columns(table) == at), None)
        if table is None or situation.rules or rules.rules_id != load_rules(at.edition).rules_id:
            return None
        if content["plan"] != _plan_id(self.sweep):
            return None
        stored = table[self.estimand.name]
        values, errors, games = zip(*stored.values(), strict=True)
        return from_standard_errors(
            values,
            errors,
            [table["blocks"]] * len(values),
            games=games,
            name=list(stored),
            estimand=self.estimand.name,
            population=at.population,
            players=at.players,
        ).with_unit(self.estimand.unit)


LOOK_AHEAD = StoredNumbers("worth-ahead", WORTH, "look_ahead.toml")
"""The worth of every clan where all players look ahead."""

HEAD_START = StoredNumbers("house-rules", SEAT_EDGE, "head_start.toml", "head-start")
"""The edge of every seat in games where later seats begin with prestige."""


@cache
def _toml_content(path: Path) -> dict[str, Any]:
    """The content of a TOML file, read once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def _plan_id(sweep: str) -> str:
    """The id of the plan by which this program would play a bundled sweep."""
    return make_plan(load_spec(sweep)).plan_id
