"""The public Python API: its examples run and its frames agree with the tables."""

import doctest
import runpy
from pathlib import Path

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from inside.experiments import gather_evidence, play_match, prepare_match
from inside.experiments.execution import SweepResults
from inside.reports import LABELS, make_report, numbers
from polars.testing import assert_frame_equal

import ethnos_sim
from ethnos_sim import (
    compare,
    estimate,
    load_rules,
    open_results,
    play_batch,
    plot,
    sweep,
    trace_games,
)
from ethnos_sim.simulator import WrongInput

pytestmark = pytest.mark.long

SPEC = {
    "name": "Both editions",
    "games": 6000,
    "editions": ["first", "second"],
    "players": [3, 4],
    "clan_sets": {"sample": 12},
    "line_ups": [{"strategies": ["greedy", "majority"]}],
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> SweepResults:
    return sweep(SPEC, tmp_path_factory.mktemp("sweep") / "results", quiet=True)


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mpl.rcParams, "backend", "agg")


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples, in which they run as for a reader."""
    return tmp_path_factory.mktemp("examples")


@pytest.mark.parametrize("name", ethnos_sim.__all__)
def test_the_examples_of_the_api_run(name, shared_folder, monkeypatch):
    monkeypatch.chdir(shared_folder)
    examples = doctest.DocTestFinder(recurse=True).find(getattr(ethnos_sim, name), name)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    for example in examples:
        runner.run(example, out=said.append)
    assert said == []


def test_the_names_of_the_api_have_examples() -> None:
    finder = doctest.DocTestFinder()
    without = [
        name
        for name in ethnos_sim.__all__
        if not any(example.examples for example in finder.find(getattr(ethnos_sim, name), name))
    ]
    assert without == ["Parameter", "Results", "Rules"]  # used in the examples of other names


def test_a_batch_has_the_games_of_a_match() -> None:
    batch = play_batch("second", "greedy,random", games=300, seed=7)
    match = prepare_match(load_rules("second"), "greedy,random", players=4, seed=7)
    played = play_match(match, 300)
    assert np.array_equal(batch.deal_sums.won, played.won)
    assert np.array_equal(batch.deal_sums.prestige, played.prestige)
    again = play_batch("second", "greedy,random", games=300, seed=7, jobs=2)
    assert again.games().equals(batch.games())
    assert again.seats().equals(batch.seats())


def test_the_strongest_strategy_plays_if_none_is_named() -> None:
    batch = play_batch(games=4)
    (traced,) = trace_games()
    assert batch.match.line_up.names == ("learned",) * 4
    assert traced.trace == batch.trace(0).trace


def test_a_batch_has_the_columns_of_a_sweep_with_win_shares_in_place_of_sixtieths(
    results: SweepResults,
) -> None:
    batch = play_batch("second", "greedy,majority", games=200)
    stored = results.games(edition="second").collect_schema()
    assert dict(batch.games().schema) == dict(stored)
    seats = batch.seats()
    stored = results.seats(edition="second").collect_schema()
    assert {*seats.columns} - {*stored} == {"strategy", "win_share"}
    assert {*stored} - {*seats.columns} == {"won"}
    assert (
        seats.group_by("game").agg(pl.col("win_share").sum())["win_share"].to_list() == [1.0] * 200
    )
    pandas = seats.to_pandas()
    assert list(pandas.columns) == seats.columns


def test_the_column_cell_gives_the_clan_set_of_a_game() -> None:
    batch = play_batch("second", "greedy", games=400, seed=3)
    sets = dict(batch.cells().iter_rows())
    for game in (0, 131, 132, 399):
        assert batch.trace(game).trace["clans"] == sets[batch.games()["cell"][game]]


def test_bruno_sits_beside_the_player_in_solo() -> None:
    batch = play_batch("second", "warden", mode="solo-easy", games=50)
    assert batch.seats()["strategy"].cast(pl.String).to_list()[:2] == ["warden", "bruno"]


def test_a_repr_is_short_however_much_the_object_holds(results: SweepResults) -> None:
    batch = play_batch("second", "greedy", games=3000)
    rules = load_rules("second")
    compared = compare("second", "second+bear.on_take=2", games=400, quiet=True)
    for shown in (batch, batch.match.line_up, results, compared, rules):
        assert len(repr(shown)) < 200, repr(shown)
    for shown in (batch, results, compared):
        assert "<table" in shown._repr_html_()


def test_sweep_plays_a_spec_with_changes_and_continues_its_folder(tmp_path: Path) -> None:
    swept = sweep(SPEC, str(tmp_path), games=960, overrides="bear.on_take=2", quiet=True)
    (second,) = (edition.rules for edition in swept.plan.editions if edition.edition == "second")
    assert second.values()["bear.on_take"] == 2
    assert swept.complete
    assert swept.played.games == swept.games_held
    again = sweep(None, str(tmp_path), quiet=True)
    assert again.played.games == 0
    assert open_results(str(tmp_path)).games_held == swept.games_held


def test_an_estimate_equals_the_number_in_the_report(results: SweepResults) -> None:
    evidence = gather_evidence(results.folder)
    table = make_report(evidence).numbers
    for name in ("win_lift", "prestige_source", "seat_edge"):
        estimates = estimate(results, name, edition="second", players=4)
        wanted = table.filter(estimand=name, edition="second", players=4)
        assert_frame_equal(estimates, wanted, check_exact=True)
    third = estimate(results, "seat_edge", edition="second", players=4, name="third")
    assert_frame_equal(third, wanted.filter(name="third"))


def test_a_printed_estimate_shows_value_and_interval(results: SweepResults) -> None:
    printed = str(estimate(results, "seat_edge", edition="second", players=4))
    assert all(column in printed for column in ("name", "value", "low", "high", "players"))


def test_estimates_have_one_schema_and_no_number_twice(results: SweepResults) -> None:
    estimands = set(numbers(gather_evidence(results.folder))["estimand"])
    frames = [estimate(results, name) for name in estimands]
    assert len({tuple(frame.schema.items()) for frame in frames}) == 1
    for frame in frames:
        assert not frame.select(LABELS).is_duplicated().any()
    batch = play_batch("second", "greedy,random", games=40, seed=1)
    assert estimate(batch, "strategy_share").schema == frames[0].schema


def test_an_estimate_for_some_clans_counts_only_games_with_them(results: SweepResults) -> None:
    edges = estimate(results, "seat_edge", edition="second", players=4, clans=["bear", "owl"])
    cells = results.cells.filter(
        pl.col("edition") == "second",
        pl.col("players") == 4,
        pl.col("clans").list.contains("bear") & pl.col("clans").list.contains("owl"),
    )
    assert edges["games"].to_list() == [cells["games"].sum()] * 4


@pytest.mark.parametrize(
    ("estimand", "asked", "said"),
    [
        ("win_lfit", {}, "no estimand 'win_lfit'; did you mean 'win_lift'"),
        ("win_lift", {"clam": "bear"}, "'win_lift' has no 'clam'"),
        ("win_lift", {"players": 6}, "have no players 6; known names: 3, 4"),
        ("win_lift", {"players": "4"}, "players is a number: 4, not '4'"),
        ("win_lift", {"edition": "secnod"}, "no edition 'secnod'; did you mean 'second'"),
        ("win_lift", {"name": "unicorn"}, "nothing of 'win_lift' where name is 'unicorn'; here"),
        ("solo_win_rate", {}, "say nothing of 'solo_win_rate'"),
    ],
)
def test_a_request_for_an_unknown_estimate_is_refused_with_the_reason(
    results: SweepResults, estimand: str, asked: dict, said: str
):
    with pytest.raises(WrongInput, match=said):
        estimate(results, estimand, **asked)


def test_compare_takes_a_rules_object_as_well_as_its_word() -> None:
    settings = {"games": 400, "quiet": True}
    words = compare("second", "second+bear.on_take=2", **settings).frame()
    rules = load_rules("second", overrides="bear.on_take=2")
    assert compare("second", rules, **settings).frame().equals(words)
    with pytest.raises(WrongInput, match="edition 'nowhere'"):
        compare("nowhere", "second")


def test_intervals_are_drawn_in_the_unit_of_the_page(results: SweepResults) -> None:
    edges = estimate(results, "seat_edge", edition="second", players=4, population="mixed")
    edges = edges.sort("value", descending=True)
    axes = plot.intervals(edges)
    assert [text.get_text() for text in axes.get_yticklabels()] == edges["name"].to_list()
    places = np.asarray(axes.collections[1].get_offsets())
    assert places[:, 0] == pytest.approx(100 * edges["value"].to_numpy())
    assert axes.get_xlabel() == "percentage points"


def test_a_users_project_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the project that mypy --strict checks."""
    monkeypatch.chdir(tmp_path)
    said = runpy.run_path(str(Path(__file__).with_name("sample_project.py")))
    assert said["page"] == "report.html"
