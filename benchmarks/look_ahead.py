"""Record numbers that come with the program, for pages of reports.

The numbers are what clans are worth to players who look ahead, and what each seat wins with a head
start. The program plays the cells of two bundled sweeps, and writes a file of `reports/page` for
each sweep. Pages use a file only while it has the id of its sweep's plan. If the code has changed,
some of the games are played again. If they end as before, only the id is replaced, which takes a
minute of a core instead of twenty.

    python benchmarks/look_ahead.py
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from runner import run

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.execution.engines import Threads
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import load_spec
from ethnos_sim.experiments.storage.files import write_synced_file
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.reports.numbers import frame_of, numbers
from ethnos_sim.reports.page.stored_numbers import HEAD_START, LOOK_AHEAD, StoredNumbers
from ethnos_sim.reports.study import play_evidence

HEADING = (
    "Numbers of the sweep `{sweep}`: the value, its standard error, and the games behind it. Made",
    "by `python benchmarks/look_ahead.py`, which has to run again when the plan's id changes.",
)


def sample_results(plan: Plan) -> str:
    """Play one round of every third clan set; return sixteen hex digits that identify its wins."""
    some = [cell for cell in plan.cells if cell.clan_set % 3 == 0]
    cells = tuple(replace(cell, number=number) for number, cell in enumerate(some))
    evidence = play_evidence(replace(plan, cells=cells).with_games_per_cell(Fraction(1)))
    digest = sha256()
    for about, sums in sorted(evidence.given_up_sums.items()):
        digest.update(repr(about).encode())
        digest.update(sums.arrays["gave_up_won"].tobytes())
    return digest.hexdigest()[:16]


def number_tables(stored: StoredNumbers, plan: Plan) -> Iterator[dict[str, Any]]:
    """The numbers of each situation of a plan, with their standard errors and games."""
    rounds = {part: count for part, count in plan.rounds.items() if part.rules == stored.rules}
    of_rules = [cell for cell in plan.cells if cell.partition in rounds]
    cells = tuple(replace(cell, number=number) for number, cell in enumerate(of_rules))
    played = replace(plan, cells=cells, rounds=rounds)
    evidence = play_evidence(played, engine=Threads(os.cpu_count() or 1))
    found = frame_of(numbers(evidence, stored.estimand.name))
    for key, rows in found.group_by(*Situation._fields, maintain_order=True):
        known = {
            row["name"]: [round(row["value"], 5), round(row["standard_error"], 5), row["games"]]
            for row in rows.iter_rows(named=True)
        }
        yield {
            **dict(zip(Situation._fields, key, strict=True)),
            "blocks": rows["blocks"].min(),
            stored.estimand.name: known,
        }


def record_numbers() -> None:
    """Renew the ids where the games are the same, else play the sweeps and write their numbers."""
    for stored in (LOOK_AHEAD, HEAD_START):
        plan = make_plan(load_spec(stored.sweep))
        known = {"seed": plan.seed, "games": plan.games, "results": sample_results(plan)}
        file = stored.path
        before: dict[str, Any] = tomllib.loads(file.read_text()) if file.exists() else {}
        if known.items() <= before.items():
            tables = before["tables"]
        else:
            tables = list(number_tables(stored, plan))
        heading = tuple(line.format(sweep=stored.sweep) for line in HEADING)
        content = {"plan": plan.plan_id, **known, "tables": tables}
        write_synced_file(file, toml_text(content, heading).encode())


if __name__ == "__main__":
    run(record_numbers)
