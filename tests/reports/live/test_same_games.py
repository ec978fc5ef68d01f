"""The engine in a page plays the same games as the one on this machine, to the last byte."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inside.reports.live import live_data
from inside.simulator import PreparedTables
from node import node_program

from ethnos_sim import LineUp, load_rules
from ethnos_sim.simulator import GameTable

PLAYED = Path(__file__).with_name("played.js")
SEED = 7


@pytest.fixture(scope="module")
def live() -> dict[str, Any]:
    rules = {edition: load_rules(edition) for edition in ("first", "second")}
    return live_data(rules, range(1, 7), ["greedy", "champion", "learned", "lookahead", "random"])


def natively(case: dict[str, Any]) -> dict[str, Any]:
    """What the machine code of this processor makes of a case."""
    rules = load_rules(case["key"])
    names = [rules.clans[clan] for clan in case["clans"]]
    line_up = LineUp.parse([each["strategy"] for each in case["entries"]], case["players"], rules)
    table = GameTable.prepare(rules, case["players"], case["mode"], names, line_up.seats())
    prepared = PreparedTables([table])
    games, seats = prepared.play(prepared.game(0, SEED, case["games"]))
    return {
        "view": digest(prepared.views),
        "rotations": table.rotations,
        "sentence": "",
        "games": digest(games),
        "seats": digest(seats),
    }


def digest(rows: np.ndarray) -> str:
    return sha256(rows.tobytes()).hexdigest()


def case(
    key: str, players: int, mode: str, names: str, games: int, clans: Sequence[int] = ()
) -> dict[str, Any]:
    rules = load_rules(key)
    needed = rules.clans_in_play(players)
    if mode.startswith("solo"):
        clans = [rules.clans.index(clan) for clan in rules.solo_clans]
    return {
        "key": key,
        "players": players,
        "mode": mode,
        "seed": SEED,
        "games": games,
        "clans": [*(clans or range(players, players + needed))],
        "entries": [{"strategy": name} for name in names.split(",")],
    }


def test_in_node_every_row_is_that_of_this_machine(live: dict[str, Any], tmp_path: Path) -> None:
    cases = [
        case("second", 4, "standard", "learned", 40),
        case("second", 3, "recruitment", "greedy,champion,learned", 60),
        case("first", 5, "standard", "champion,learned", 60),
        case("first", 2, "standard", "random,greedy", 100),
        case("second", 6, "standard", "greedy,random,champion", 100),
        case("second", 1, "solo-hard", "champion", 60),
        case("second", 2, "standard", "lookahead,greedy", 2),
    ]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"live": live, "cases": cases}))
    said = subprocess.run(
        [node_program(), PLAYED, file], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout) == [natively(each) for each in cases]
