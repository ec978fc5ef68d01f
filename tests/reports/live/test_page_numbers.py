"""The page's numbers are Python's for the same games: cells, estimates, differences, words."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from inside import module_with
from inside.experiments.statistics import family_verdicts, jackknife, ratio
from inside.reports import numbers, play_evidence
from inside.reports.comparison import Setup, plan_of
from inside.simulator.tables import leading_clans
from pages import by_node

from ethnos_sim import compare, load_rules
from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.execution.playing import prepare_plan
from ethnos_sim.simulator import RuleSet
from ethnos_sim.simulator.game.records import GIVES_UP

live = module_with("reports.live", "engine_data")

RULES = load_rules("second")
CLANS = tuple(sorted(("bear", "deer", "dog", "fox", "koi"), key=RULES.power_of))
PLAYERS, GAMES = 3, 4_000
CHOICES = [
    RuleSet(edition="second", mode="standard", values=settings)
    for settings in ((), ("bear.on_take=2",))
]
SETUP = Setup(players=PLAYERS, strategies=("greedy",), clans=CLANS, games=GAMES)


def _rows(choice: RuleSet) -> list[dict[str, Any]]:
    """The rows of each cell of a side, as bytes."""
    plan = plan_of(SETUP, choice, list(CLANS), games=GAMES)
    (partition,) = plan.cells_of
    prepared = prepare_plan(plan).prepared(partition)
    sides = []
    for cell in plan.cells:
        deals = cell.deals_per_round * plan.rounds[partition]
        games, seats = prepared.play(prepared.deal_rows(cell.number, 0, deals, plan.seed))
        packed = (b64encode(rows.tobytes()).decode() for rows in (games, seats))
        sides.append(dict(zip(("games", "seats"), packed, strict=True)) | {"count": len(games)})
    return sides


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """The numbers that the page's scripts compute from both sides' rows."""
    plan = plan_of(SETUP, CHOICES[0], list(CLANS), games=GAMES)
    asked = {
        "players": PLAYERS,
        "last": RULES.ages(PLAYERS) - 1,
        "layouts": dict(live._layout_facts(live.RECORD_TYPES)),
        "sets": [CLANS],
        "leads": leading_clans(RULES),
        "numbered": [list(RULES.clans).index(clan) for clan in CLANS],
        "rounds": next(iter(plan.rounds.values())),
        "sides": [_rows(choice) for choice in CHOICES],
    }
    return json.loads(by_node(Path(__file__).with_name("numbers.js"), given=asked))


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return play_evidence(plan_of(SETUP, CHOICES[0], list(CLANS), games=GAMES))


def test_the_page_plays_the_cells_and_games_of_the_command(page) -> None:
    plan = plan_of(SETUP, CHOICES[0], list(CLANS), games=GAMES)
    assert page["cells"] == [[list(cell.clans), cell.kind == GIVES_UP] for cell in plan.cells]
    assert page["games"] == plan.games
    assert {cell.deals_per_round for cell in plan.cells} == {PLAYERS}


@pytest.mark.parametrize(
    ("key", "estimand", "names"),
    [
        ("worths", "worth", None),
        ("seats", "seat_edge", ("first", "second", "third")),
    ],
)
def test_a_number_and_its_interval_equal_python(page, evidence, key, estimand, names):
    theirs = numbers(evidence, estimand).rows_named(names or page["clans"])
    low, high = theirs.interval()
    assert page[key]["value"] == pytest.approx(theirs.value, abs=1e-12)
    assert page[key]["half"] == pytest.approx((high - low) / 2, abs=1e-9)


def test_leaders_comebacks_and_turns_equal_python(page, evidence):
    shape = numbers(evidence, "game_shape").rows_named(("leader_after_age_1", "comeback"))
    (sums,) = evidence.ordinary_sums.values()
    turns = jackknife(
        lambda s: ratio(s["turns"], s["games"])[..., None], sums.arrays, sums.block_sizes, name=[""]
    )
    for place, theirs in ((0, turns), (1, shape.rows_at([0])), (2, shape.rows_at([1]))):
        low, high = theirs.interval()
        assert page["shape"]["value"][place] == pytest.approx(theirs.value[0], abs=1e-12)
        assert page["shape"]["half"][place] == pytest.approx((high - low)[0] / 2, abs=1e-9)


def test_differences_of_two_rule_sets_and_their_words_equal_python(page, evidence) -> None:
    other = play_evidence(plan_of(SETUP, CHOICES[1], list(CLANS), games=GAMES))
    ours, theirs = (numbers(held, "worth").rows_named(page["clans"]) for held in (evidence, other))
    change = theirs.minus(ours)
    low, high = change.interval()
    assert page["change"]["value"] == pytest.approx(change.value, abs=1e-12)
    assert page["change"]["half"] == pytest.approx((high - low) / 2, abs=1e-9)
    assert page["words"] == family_verdicts(change, 0.005)


def test_the_change_of_the_spread_of_clans_equals_compare(page) -> None:
    description = {"players": PLAYERS, "strategies": "greedy", "clans": CLANS, "games": 2 * GAMES}
    compared = compare("second", "second+bear.on_take=2", **description, jobs=1, quiet=True)
    balance = compared.balance
    assert page["apart"] == pytest.approx(balance.first.value, abs=1e-12)
    assert page["spread"]["value"] == pytest.approx([balance.difference.value], abs=1e-12)
    assert page["spread"]["half"] == pytest.approx([balance.difference.half_width], abs=1e-9)
