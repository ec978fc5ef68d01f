"""Recorded positions agree with the games that `trace` tells, move by move and hand by hand."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from commands import run
from inside.experiments.matches import play_positions, position_columns, write_positions
from inside.simulator.game import TURN

from ethnos_sim.experiments import Match, prepare_match
from ethnos_sim.simulator import DECISIONS, Failed, load_rules

ROOT = Path(__file__).resolve().parents[2]
KINDS = {1: "recruit", 2: "recruit", 3: "party"}


@pytest.fixture(scope="module")
def match() -> Match:
    return prepare_match(load_rules("second"), "greedy,random", players=4, seed=2)


def test_recorded_turns_equal_the_turns_of_the_trace(match: Match) -> None:
    positions = next(play_positions(match, 1))
    columns = position_columns(positions)
    for game in range(match.rotations):
        traced = match.trace(game)
        events = [e for e in traced.trace["events"] if e["event"] in ("recruit", "party")]
        chained = [e["event"] == "party" and e["again"] for e in events]
        moves = [e for e, after in zip(events, [False, *chained], strict=False) if not after]
        turns = (columns["game"] == game) & (columns["decision"] == TURN)
        assert columns["player"][turns].tolist() == [move["player"] for move in moves]
        told = [KINDS[kind] for kind in columns["move_kind"][turns].tolist()]
        assert told == [move["event"] for move in moves]
        for choice, kind, move in zip(
            columns["move_choice"][turns], columns["move_kind"][turns], moves, strict=True
        ):
            if kind == 2:
                assert positions.table.card_name(int(choice)) == move["card"]


def test_recorded_hands_have_the_visible_sizes_and_the_view_of_the_asked_player(match: Match):
    columns = position_columns(next(play_positions(match, 1)))
    for i in range(len(columns["game"])):
        sizes = [
            int(once).bit_count() + int(twice).bit_count()
            for once, twice in zip(columns["hands_once"][i], columns["hands_twice"][i], strict=True)
        ]
        assert sizes == columns["hand_cards"][i].tolist()
        assert columns["hands_once"][i, columns["player"][i]] == columns["hand_once"][i]


def test_recorded_outcomes_equal_the_results_of_the_games(match: Match, tmp_path: Path) -> None:
    folder = tmp_path / "positions"
    written = write_positions(match, folder, 6, every=5)
    table = pl.read_parquet(folder / "*.parquet")
    assert len(table) == written
    assert sorted(set(table["game"])) == list(range(6))
    for game in range(6):
        rows = table.filter(pl.col("game") == game)
        end = match.trace(game).trace["events"][-1]
        assert rows["prestige_at_end"][0].to_list() == end["prestige"]
        for player, won, margin in rows.select("player", "won", "margin").iter_rows():
            assert won == pytest.approx((player in end["winners"]) / len(end["winners"]))
            rivals = [p for seat, p in enumerate(end["prestige"]) if seat != player]
            assert margin == end["prestige"][player] - max(rivals)


def test_every_seventh_question_of_a_deal_is_kept(match: Match) -> None:
    everything = position_columns(next(play_positions(match, 1)))["turns"]
    some = position_columns(next(play_positions(match, 1, every=7)))["turns"]
    assert some.tolist() == everything[6::7].tolist()
    asked = Counter(position_columns(next(play_positions(match, 1)))["decision"].tolist())
    assert len(asked) > 3


def test_the_command_writes_files_and_says_how_many_positions(tmp_path, printed, capsys) -> None:
    words = ["play", "--strategies", "greedy", "--games", "3", "--out"]
    said = printed(*words, tmp_path / "new")
    table = pl.read_parquet(tmp_path / "new" / "*.parquet")
    assert f"{len(table):,} positions of 3 games" in said
    assert run(*words, tmp_path / "new") == 1
    assert "is not empty" in capsys.readouterr().err


def test_a_folder_that_is_a_file_is_refused(match: Match, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Failed, match="cannot be written to"):
        write_positions(match, tmp_path / "file", 1)


def test_the_document_names_every_column_that_is_no_field_of_the_view(match: Match) -> None:
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    positions = next(play_positions(match, 1))
    fields = positions.positions["open"].dtype.names
    for name in position_columns(positions):
        assert name in fields or f"`{name}" in text
    assert DECISIONS[TURN] == "turn"
