"""The engine in a page plays the same games as the native one, to the last byte."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inside.reports.live import engine_data
from inside.reports.rendering import render_page
from inside.simulator.tables import PreparedTables, seating_count
from kit.custom import WILD, rules_with, strategy_text
from pages import by_node, result_in_firefox

from ethnos_sim import LineUp, load_rules, load_strategy_file
from ethnos_sim.simulator import GameTable, Rules

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parents[1] / "live"
SEED = 7


#: A strategy that takes memory in loops, for longer or shorter arrays.
TAKER = strategy_text(
    """\
    @strategy()
    def taker(view, rng, memory):
        counts = np.zeros(6)
        for region in range(6):
            for _ in range(300):
                part = np.ones(1000)
                counts[region] += part[random_below(rng, 1000)] * view.markers[region, view.player]
        memory[0] += 1 + np.int64(counts[view.age] // 2)
        party = largest_party(view)
        if party.leader >= 0 and (memory[0] % 2 == 0 or hand_is_full(view)):
            return play(party)
        return take_or_draw(view)
    """
)


@pytest.fixture(scope="module")
def rules(in_one_place) -> dict[str, Rules]:
    load_strategy_file(in_one_place("taker.py", TAKER))
    editions = {edition: load_rules(edition) for edition in ("first", "second")}
    return {**editions, "wild": rules_with(in_one_place("wild.py", WILD))}


@pytest.fixture(scope="module")
def live(rules: dict[str, Rules]) -> dict[str, Any]:
    players = ["greedy", "champion", "learned", "lookahead", "random", "evaluator", "taker"]
    return engine_data(rules, range(1, 7), players)


def natively(case: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """The results of a case by native code."""
    names = [rules.clans[clan] for clan in case["clans"]]
    line_up = line_up_of(case, rules)
    table = GameTable.prepare(rules, case["players"], case["mode"], names, line_up.seats())
    prepared = PreparedTables([table])
    games, seats = prepared.play(prepared.game_row(0, SEED, case["games"]))
    views = np.frombuffer(bytearray(prepared.views.tobytes()), prepared.views.dtype)
    views["power_code"] = 0
    return {
        "view": digest(views),
        "sentence": "",
        "games": digest(games),
        "seats": digest(seats),
    }


def line_up_of(case: dict[str, Any], rules: Rules) -> LineUp:
    return LineUp.parse(case["entries"], case["players"], rules)


def digest(rows: np.ndarray) -> str:
    return sha256(rows.tobytes()).hexdigest()


def case(
    key: str, players: int, mode: str, names: str, games: int, clans: Sequence[int] = ()
) -> dict[str, Any]:
    rules = load_rules("second" if key == "wild" else key)
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
        "entries": names.split(","),
    }


CASES = [
    case("second", 4, "standard", "learned", 40),
    case("second", 3, "recruitment", "champion,champion,learned", 60),
    case("first", 5, "standard", "champion,learned", 60),
    case("first", 2, "standard", "random,greedy", 100),
    case("second", 6, "standard", "greedy,random,champion", 100),
    case("second", 1, "solo-hard", "champion", 60),
    case("second", 2, "standard", "lookahead,greedy", 2),
    case("first", 4, "standard", "evaluator,taker", 12),
    case("wild", 3, "standard", "random,champion", 60, (0, 1, 3, 7, 11)),
]


@pytest.fixture(scope="module")
def cases(rules: dict[str, Rules]) -> list[dict[str, Any]]:
    """The cases with the number of seatings of a deal, which a page is told."""
    return [
        played | {"rotations": seating_count(line_up_of(played, rules[played["key"]]).entries)}
        for played in CASES
    ]


@pytest.fixture(scope="module")
def wanted(rules: dict[str, Rules]) -> list[dict[str, Any]]:
    return [natively(played, rules[played["key"]]) for played in CASES]


@pytest.fixture(scope="module")
def page(live, cases, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file: Path = tmp_path_factory.mktemp("page") / "plays.html"
    text = render_page(
        FOLDER, "plays", {"live": live, "cases": cases}, plays_games=True, title="Played", notice=""
    )
    file.write_text(text, encoding="utf-8")
    return file


def test_in_node_every_row_equals_the_native_row(live, cases, wanted, tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"live": live, "cases": cases}))
    assert json.loads(by_node(FOLDER / "in_node.js", file)) == wanted


TOLD = """new Promise((told) => {
  const look = () => {
    const { textContent } = document.getElementById("told");
    if (textContent) told(textContent);
    else setTimeout(look, 50);
  };
  look();
})"""

#: The report of `plays.js` on its workers.
BY_WORKERS = {"games": 24, "equal": True, "stopped": True}


def test_in_chromium_every_row_equals_the_native_row(page: Path, wanted, visit) -> None:
    answer = json.loads(visit(page.as_uri()).evaluate(TOLD))
    assert answer == {"rows": wanted, "workers": BY_WORKERS}


def test_in_firefox_every_row_equals_the_native_row(page: Path, wanted, tmp_path: Path) -> None:
    answer = json.loads(result_in_firefox(page, TOLD, tmp_path))
    assert answer == {"rows": wanted, "workers": BY_WORKERS}
