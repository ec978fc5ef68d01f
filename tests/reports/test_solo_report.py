"""The solo part of a report: every number agrees with the stored rows."""

import polars as pl
import pytest
from inside.experiments import Evidence, RuleSetName, Situation, gather_evidence
from inside.reports import Report, as_html, make_report, numbers, play_evidence
from polars.testing import assert_frame_equal
from sweeps import plan_of

from ethnos_sim import Results
from ethnos_sim.simulator import SOLO

STRATEGIES = ("greedy", "collector", "spreader", "random")
GAMES = 300


SPEC = {
    "name": "Solo",
    "seed": 11,
    "games_per_cell": GAMES,
    "modes": list(SOLO),
    "players": [1],
    "line_ups": [[name] for name in STRATEGIES],
}


@pytest.fixture(scope="module")
def results(results_of) -> Results:
    return results_of(SPEC)


@pytest.fixture(scope="module")
def evidence(results) -> Evidence:
    return gather_evidence(results.folder)


def test_every_difficulty_and_strategy_has_its_solo_games(evidence) -> None:
    assert set(evidence.solo_sums) == {
        Situation(*RuleSetName("second", mode), 1, name) for mode in SOLO for name in STRATEGIES
    }
    assert {sums.games for sums in evidence.solo_sums.values()} == {GAMES}
    assert evidence.games == evidence.games_planned == GAMES * len(evidence.solo_sums)
    assert evidence.ordinary_sums == {}


@pytest.fixture(scope="module")
def report(evidence) -> Report:
    return make_report(evidence)


def test_a_win_rate_equals_the_share_of_wins_in_the_rows(report, results) -> None:
    rows = results.with_cells(results.seats()).filter(seat=0).collect()
    wins = rows.group_by("mode", name="strategy").agg(value=pl.col("won").mean() / 60)
    rates = report.numbers.filter(estimand="solo_win_rate").select(wins.columns)
    assert_frame_equal(rates, wins, check_row_order=False)


def test_a_folder_with_only_solo_games_has_a_card(report) -> None:
    assert [answer.key for answer in report.card.answers] == list(SOLO)
    page = as_html(report.document)
    assert "How hard is Bruno, easy?" in page
    assert "Which clans are strong" not in page


def test_the_card_names_the_strategy_that_beats_bruno_most_and_draws_all(report, evidence) -> None:
    for answer, mode in zip(report.card.answers, SOLO, strict=True):
        rates = numbers(evidence, "solo_win_rate").rows_where(mode=mode)
        best = rates.names[int(rates.value.argmax())]
        assert answer.text.startswith(f"“{best}” beats Bruno in ")
    drawn = {(mark.label, mark.series) for mark in report.card.figure.marks}
    assert len(drawn) == len(STRATEGIES) * len(SOLO)


def test_beside_other_games_solo_has_a_section_of_its_own() -> None:
    spec = {
        "games_per_cell": 120,
        "players": [1, 2],
        "modes": ["solo-regular", "standard"],
        "clan_sets": {"sample": 1},
        "line_ups": [["greedy"], ["collector"]],
    }
    document = make_report(play_evidence(plan_of(spec))).document
    assert [section.key for section in document.sections] == ["solo", "made"]
    assert {choice.facts["players"] for choice in document.choices} == {2}
