"""Several rule sets in one sweep have their own cells and the same deals, and are never mixed."""

import polars as pl
import pytest
from inside.experiments import verify_folder

from ethnos_sim import Results

SPEC = {
    "name": "Rules",
    "games": 320,
    "players": [4],
    "clan_sets": {"sample": 2},
    "line_ups": [["greedy", "random"]],
    "rules": [{"name": "printed"}, {"name": "none", "set": {"party_points": [0] * 7}}],
}


@pytest.fixture(scope="module")
def results(results_of) -> Results:
    return results_of(SPEC)


def test_every_rule_set_has_cells_and_a_folder_of_its_own(results) -> None:
    assert [partition.rules for partition in results.partitions] == ["none", "printed"]
    assert results.cells["rules"].value_counts().sort("rules")["count"].to_list() == [2, 2]
    assert results.cells["rules_id"].n_unique() == 2
    assert any(results.folder.glob("seats/edition=second/players=4/mode=standard/rules=none/*"))
    assert verify_folder(results.folder).faults == ()


def test_a_rule_set_is_in_force_only_in_its_cells(results) -> None:
    assert results.seats(rules="none").collect()["party_points"].sum() == 0
    assert results.seats(rules="printed").collect()["party_points"].sum() > 0
    of_none = [cell for cell in results.plan.cells if cell.partition.rules == "none"]
    alone = results.only_cells(of_none)
    assert alone.seats().collect()["party_points"].sum() == 0
    assert alone.plan.editions[0].rules.numbers("party_points") == (0,) * 7
    assert alone.games_held == results.games_held / 2


def test_rule_sets_play_the_same_deals(results) -> None:
    games = results.with_cells(results.games()).collect()
    by_deal = games.group_by("clan_set", "deal", "rotation").agg(
        pl.col("rules").n_unique(), pl.col("first_player").n_unique()
    )
    assert by_deal["rules"].unique().to_list() == [2]
    assert by_deal["first_player"].unique().to_list() == [1]
