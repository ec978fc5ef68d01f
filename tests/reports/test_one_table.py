"""The clans of one table, played now: worth, seats, length, and habits of winners."""

import numpy as np
import polars as pl
import pytest
from inside.reports import OneTable, half_width, table_document, worth
from inside.reports.comparison import RuleChoice, plan_of
from inside.reports.estimators import LABELS, WINNERS_HABITS

from ethnos_sim.experiments import play_now
from ethnos_sim.reports import Evidence, PlanGatherer, Setup, Table, play_evidence, run_study

CLANS = ("fox", "bear", "koi", "dog", "deer")
SECOND = RuleChoice.of("second", "standard", (), ())
SETUP = Setup(players=3, strategies=("greedy",), clans=CLANS, games=4_800)


@pytest.fixture(scope="module")
def played() -> Evidence:
    return run_study(OneTable(SECOND, SETUP))


def test_clans_are_listed_from_strong_to_weak_and_the_wild_clan_is_named(played):
    assert {estimate.name for estimate in worth(played)} == {"fox", "bear", "koi", "deer"}
    section = table_document(played).sections[0]
    table, note = section.blocks
    assert isinstance(table, Table)
    values = [estimate.value for estimate in table.columns[1].values]
    assert values == sorted(values, reverse=True)
    assert len(table.shown) == 4
    assert note.text == "Dog never leads a party."


def test_a_wanted_precision_is_reached_by_adding_games_to_the_first_ones() -> None:
    few = run_study(OneTable(SECOND, SETUP))
    target = 0.75 * half_width(few)
    more = run_study(OneTable(SECOND, SETUP, target))
    assert half_width(more) <= target
    assert more.games == more.games_planned >= 2 * few.games_planned
    assert worth(play_evidence(*more.plans)) == worth(more)


def test_habits_of_winners_equal_averages_over_the_rows() -> None:
    plan = plan_of(SETUP, SECOND, list(CLANS), games=SETUP.games)
    gatherer, rows = PlanGatherer(plan), []

    def take(partition, games, seats) -> None:
        gatherer.add(partition, games, seats)
        ends = games.select("cell", "game", "third_dragon_1", "third_dragon_2")
        rows.append(seats.join(ends, on=["cell", "game"]))

    play_now(plan, take)
    ordinary = [cell.number for cell in plan.cells if "never" not in str(cell.line_up)]
    seats = pl.concat(rows).filter(pl.col("cell").is_in(ordinary))
    ended = sum((pl.col(f"third_dragon_{age}") == pl.col("seat")).cast(int) for age in (1, 2))
    seats = seats.with_columns(share=pl.col("won") / 60, ended=ended)
    evidence = gatherer.evidence()
    (situation,) = evidence.situations
    estimates = WINNERS_HABITS.of(evidence.sums[situation], "").estimates()
    measured = {estimate.name: estimate.value for estimate in estimates}
    won, lost = seats["share"].to_numpy(), 1 - seats["share"].to_numpy()
    counted = {"parties": "parties", "markers": "markers", "ages_ended": "ended"}
    for name, column in counted.items():
        values = seats[column].to_numpy().astype(float)
        expected = np.average(values, weights=won) - np.average(values, weights=lost)
        assert measured[name] == pytest.approx(expected), name
    cards, parties = (seats[name].to_numpy().astype(float) for name in ("cards", "parties"))
    expected = (cards @ won) / (parties @ won) - (cards @ lost) / (parties @ lost)
    assert measured["cards_in_party"] == pytest.approx(expected)
    assert set(measured) == set(LABELS)


def test_the_command_prints_each_clan_and_writes_a_page(printed, tmp_path) -> None:
    page = tmp_path / "mine.html"
    words = ["--players", "3", "--clans", "Fox,bear,koi,owl,deer", "--strategies", "greedy"]
    said = printed("table", *words, "--games", "1000", "--quiet", "--out", page)
    for name in ("Fox", "Bear", "Koi", "Owl", "Deer", "first", "What winners do"):
        assert name in said
    assert "Bear, Deer, Fox, Koi and Owl" in page.read_text(encoding="utf-8")
