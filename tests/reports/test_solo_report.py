"""The solo part of a report: every number agrees with the stored rows."""

import polars as pl
import pytest
from inside.reports import numbers
from sweeps import plan_of

from ethnos_sim import Results
from ethnos_sim.reports import (
    Evidence,
    Report,
    Setting,
    Situation,
    as_html,
    gather,
    make_report,
    play_evidence,
)
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
def rows(results) -> pl.DataFrame:
    return results.with_cells(results.seats()).sort("cell", "game", "seat").collect()


@pytest.fixture(scope="module")
def evidence(results) -> Evidence:
    return gather(results.folder)


def of(rows: pl.DataFrame, mode: str, strategy: str) -> pl.DataFrame:
    """The player's rows of one strategy at one difficulty, by deal."""
    (cell,) = set(rows.filter(mode=mode, strategy=strategy)["cell"])
    return rows.filter(cell=cell, seat=0)


def test_every_difficulty_and_strategy_has_its_solo_games(evidence) -> None:
    assert set(evidence.solo) == {
        Situation(*Setting("second", mode), 1, name) for mode in SOLO for name in STRATEGIES
    }
    assert {sums.games for sums in evidence.solo.values()} == {GAMES}
    assert evidence.games == evidence.games_planned == GAMES * len(evidence.solo)
    assert evidence.sums == {}


@pytest.fixture(scope="module")
def report(evidence) -> Report:
    return make_report(evidence)


def stored(report: Report, estimand: str, mode: str) -> pl.DataFrame:
    """The stored rows of an estimand at one difficulty."""
    return report.numbers.filter(estimand=estimand, mode=mode)


@pytest.mark.parametrize("mode", SOLO)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_win_rate_equals_the_share_of_wins_in_the_rows(report, rows, mode, strategy) -> None:
    won = of(rows, mode, strategy)["won"].cast(pl.Int64).sum() / 60
    (value,) = stored(report, "solo_win_rate", mode).filter(name=strategy)["value"]
    assert value == pytest.approx(won / GAMES)


def test_a_folder_with_only_solo_games_has_a_card(report) -> None:
    assert [answer.key for answer in report.card.answers] == list(SOLO)
    page = as_html(report.document)
    assert "How hard is Bruno, easy?" in page
    assert "Which clans are strong" not in page


def test_the_card_names_the_strategy_that_beats_bruno_most_and_draws_all(report, evidence) -> None:
    for answer, mode in zip(report.card.answers, SOLO, strict=True):
        rates = numbers(evidence, "solo_win_rate").where(mode=mode)
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
