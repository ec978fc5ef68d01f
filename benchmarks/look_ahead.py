"""Record what clans are worth to players who look ahead, for pages of reports.

Plays what FOLDER lacks of the bundled sweep `worth-ahead`, and writes
`reports/page/look_ahead.toml`. Pages use this file only while it has the id of the sweep's present
plan. If the code has changed, some of the games are played again. If they end as before, only the
id is replaced, which takes a minute of a core instead of fifteen.

    python benchmarks/look_ahead.py [FOLDER]
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from runner import run

from ethnos_sim import estimate, sweep
from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import load_spec
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.page.look_ahead import FILE, SWEEP
from ethnos_sim.reports.study import play_evidence

HEADING = (
    "What clans are worth where four players look ahead: a winning chance, its standard",
    f"error, and the games in which a seat gave up the clan. From the sweep `{SWEEP}`; made by",
    "`python benchmarks/look_ahead.py`, which has to run again when the plan's id changes.",
)


def results_of_some(plan: Plan) -> str:
    """Play one round of every third clan set; return sixteen hex digits that identify its wins."""
    some = [cell for cell in plan.cells if cell.clan_set % 3 == 0]
    cells = tuple(replace(cell, number=number) for number, cell in enumerate(some))
    evidence = play_evidence(replace(plan, cells=cells).with_games(Fraction(1)))
    digest = sha256()
    for about, sums in sorted(evidence.given_up.items()):
        digest.update(repr(about).encode())
        digest.update(sums.arrays["gave_up_won"].tobytes())
    return digest.hexdigest()[:16]


def tables_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The worth of every clan at each kind of table of a sweep, with its error and games."""
    worths = estimate(folder, WORTH.name)
    for key, rows in worths.group_by(*Situation._fields, maintain_order=True):
        worth = {
            row["name"]: [round(row["value"], 5), round(row["standard_error"], 5), row["games"]]
            for row in rows.sort("name").iter_rows(named=True)
        }
        yield {
            **dict(zip(Situation._fields, key, strict=True)),
            "blocks": rows["blocks"].min(),
            "worth": worth,
        }


def record(folder: Path = Path("build", SWEEP)) -> None:
    """Renew the id if the games are the same, else play the sweep and write its numbers."""
    plan = make_plan(load_spec(SWEEP))
    known = {"seed": plan.seed, "games": plan.games, "results": results_of_some(plan)}
    stored: dict[str, Any] = tomllib.loads(FILE.read_text()) if FILE.exists() else {}
    if known.items() <= stored.items():
        tables = stored["tables"]
    else:
        sweep(SWEEP, folder)
        tables = list(tables_of(folder))
    content = {"plan": plan.plan_id, **known, "tables": tables}
    write_whole(FILE, toml_text(content, HEADING).encode())


if __name__ == "__main__":
    run(record)
