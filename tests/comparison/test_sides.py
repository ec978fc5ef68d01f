"""Two results, or two rule sets played now, side by side."""

from __future__ import annotations

import json

import pytest
from toy_sweep import Truth, toy_evidence, toy_plan, write_toy_sweep

from ethnos_sim.main import run
from ethnos_sim.reports.comparison.played import Ruling, Table, against, plans_of, play_sides
from ethnos_sim.reports.comparison.record import as_record
from ethnos_sim.reports.comparison.sides import Side, compare_sides
from ethnos_sim.reports.comparison.words import CHANGED, EQUIVALENT
from ethnos_sim.simulator.errors import WrongInput

KEYS = {
    "definition",
    "name",
    "unit",
    "first",
    "second",
    "difference",
    "margin",
    "result",
    "variance_ratio",
}


def found(comparison, definition, name):
    """One number of the first situation."""
    (number,) = [
        each
        for each in comparison.matched[0].numbers
        if (each.definition, each.name) == (definition, name)
    ]
    return number


@pytest.fixture(scope="module")
def toy():
    """The toy generator, where deer is good, with and without a strong bear, on the same deals."""
    plan = toy_plan(rounds=1500)
    sides = [
        Side(label, toy_evidence(plan, Truth(effects=effects)))
        for label, effects in (
            ("plain", {"deer": 0.2}),
            ("strong bear", {"deer": 0.2, "bear": 0.4}),
        )
    ]
    return compare_sides(*sides)


def test_a_planted_change_is_found_with_its_sign(toy):
    bear = found(toy, "win_lift", "bear")
    assert bear.word == CHANGED
    assert bear.difference.value > 0.05
    assert bear.difference.low > 0


def test_what_was_not_touched_is_not_called_changed(toy):
    assert found(toy, "game_shape", "parties").word == EQUIVALENT
    assert found(toy, "seat_edge", "first").word != CHANGED


def test_the_strong_clan_moves_up_the_ranks(toy):
    by, ranks = toy.matched[0].ranked_by, toy.matched[0].ranks
    (bear,) = [shift for shift in ranks if shift.clan == "bear"]
    assert by == "win_lift"
    assert bear.second == 1 < bear.first


def test_a_side_against_itself_differs_nowhere():
    evidence = toy_evidence(toy_plan(rounds=400))
    comparison = compare_sides(Side("a", evidence), Side("again", evidence))
    numbers = [each for match in comparison.matched for each in match.numbers]
    assert {each.difference.value for each in numbers} == {0.0}
    assert {each.word for each in numbers if each.difference.low is not None} == {EQUIVALENT}


def test_sides_with_nothing_in_common_are_refused():
    four, five = (toy_evidence(toy_plan(players=(n,), rounds=40)) for n in (4, 5))
    with pytest.raises(WrongInput, match="nothing in common"):
        compare_sides(Side("four", four), Side("five", five))


def test_editions_stand_side_by_side_with_clans_of_the_same_power():
    sides = [
        Side(edition, toy_evidence(toy_plan(edition=edition, rounds=400)))
        for edition in ("first", "second")
    ]
    names = {each.name for each in compare_sides(*sides).matched[0].numbers}
    assert "giant" in names
    assert "bear" not in names


def test_folders_are_compared(tmp_path, capsys):
    for name, effects in (("a", {}), ("b", {"bear": 0.4})):
        write_toy_sweep(tmp_path / name, toy_plan(rounds=96), Truth(effects=effects))
    page = tmp_path / "compared.html"
    words = ["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--out", str(page)]
    assert run(words) == 0
    said = capsys.readouterr().out
    assert "win_lift bear" in said
    assert said.splitlines()[-1] == str(page)
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "win_lift bear" in html


def test_two_rule_sets_are_played_on_the_same_deals():
    table = Table(players=3, strategies=["greedy", "random"], seed=5, games=2000)
    base = Ruling(edition="second", mode="standard")
    other = against(base, settings=("bear.on_take=20",))
    plans = plans_of(table, base, other)
    first, second = play_sides(plans, ("printed", "strong bear"), jobs=2)
    comparison = compare_sides(first, second)
    assert comparison.matched[0].paired
    assert found(comparison, "game_shape", "mean_prestige").difference.value > 1
    assert found(comparison, "game_shape", "turns").variance_ratio > 1


def test_the_threads_that_play_do_not_matter():
    table = Table(players=2, strategies=["greedy", "random"], games=600)
    base = Ruling(edition="first", mode="standard")
    other = against(base, variants=["recruitment"])
    records = []
    for jobs in (1, 2):
        sides = play_sides(plans_of(table, base, other), ("a", "b"), jobs=jobs)
        records.append(as_record(compare_sides(*sides)))
    assert records[0] == records[1]


def test_recruitment_is_a_variant_to_compare_with():
    base = Ruling(edition="second", mode="standard")
    assert against(base, variants=["recruitment"]) == Ruling(edition="second", mode="recruitment")
    assert against(base, edition="first", variants=["optional-marker"]) == Ruling(
        edition="first", mode="standard", variants=("optional-marker",)
    )


def test_json_keeps_its_keys(capsys):
    words = ["compare", "--variant", "recruitment", "--strategies", "greedy", "--games", "400"]
    assert run([*words, "--players", "3", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert set(record) == {"format", "first", "second", "counts", "situations"}
    assert set(record["first"]) == {"label", "games", "seeds", "rules"}
    (situation,) = record["situations"]
    assert situation["paired"] is True
    assert situation["second"]["mode"] == "recruitment"
    assert {frozenset(number) for number in situation["numbers"]} == {frozenset(KEYS)}
    estimate = situation["numbers"][0]["difference"]
    assert set(estimate) == {"value", "low", "high", "standard_error", "games"}


def test_too_few_games_are_said_to_be_too_few(capsys):
    assert (
        run(["compare", "--set", "bear.on_take=2", "--strategies", "greedy", "--games", "10"]) == 0
    )
    assert "too few games for an interval" in capsys.readouterr().out


def test_solo_is_compared_too(capsys):
    words = ["compare", "--mode", "solo-regular", "--set", "hand_limit=12", "--strategies"]
    assert run([*words, "greedy", "--games", "300", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)["situations"][0]["numbers"]
    assert [number["definition"] for number in numbers] == [
        "solo_win_rate",
        "solo_margin",
        "solo_prestige",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "say what differs"),
        (["here"], "two folders are compared, not 1"),
        (["a", "b", "--set", "bear.on_take=2"], "--set is for rule sets played now"),
        (["--set", "bears.on_take=2"], "did you mean 'bear.on_take'"),
        (["--variant", "optional"], "did you mean 'optional-marker'"),
        (["--against", "third"], "third"),
        (["--variant", "recruitment", "--players", "7"], "7 players"),
        (["--variant", "recruitment", "--strategies", "gredy"], "did you mean 'greedy'"),
        (["--variant", "recruitment", "--clans", "bear,fox"], "clan"),
        (["--variant", "recruitment", "--out", "page.pdf"], ".html"),
    ],
)
def test_wrong_input_is_told_in_a_sentence(words, said, capsys):
    assert run(["compare", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert "Traceback" not in told.err
