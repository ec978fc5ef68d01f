"""The clans of one table, played now: worth, seats and length."""

import pytest
from inside.experiments import Evidence
from inside.reports import (
    Setup,
    Table,
    TableStudy,
    clan_worths,
    play_evidence,
    precision_of,
    run_study,
    table_document,
)

from ethnos_sim.simulator import RuleSet

CLANS = ("fox", "bear", "koi", "dog", "deer")
SECOND = RuleSet(edition="second")
SETUP = Setup(players=3, strategies=("greedy",), clans=CLANS, games=4_800)


@pytest.fixture(scope="module")
def played() -> Evidence:
    return run_study(TableStudy(SECOND, SETUP))


def test_clans_are_listed_from_strong_to_weak_and_the_wild_clan_is_named(played):
    assert {estimate.name for estimate in clan_worths(played)} == {"fox", "bear", "koi", "deer"}
    section = table_document(played).sections[0]
    table, note = section.blocks
    assert isinstance(table, Table)
    values = [estimate.value for estimate in table.columns[1].values]
    assert values == sorted(values, reverse=True)
    assert len(table.cells) == 4
    assert note.text == "Dog never leads a party."


def test_a_wanted_precision_is_reached_by_adding_games_to_the_first_ones() -> None:
    few = run_study(TableStudy(SECOND, SETUP))
    target = 0.75 * precision_of(few)
    more = run_study(TableStudy(SECOND, SETUP, target))
    assert precision_of(more) <= target
    assert more.games == more.games_planned >= 2 * few.games_planned
    assert clan_worths(play_evidence(*more.plans)) == clan_worths(more)


def test_the_command_prints_each_clan_and_writes_a_page(printed, tmp_path) -> None:
    page = tmp_path / "mine.html"
    words = ["--players", "3", "--clans", "Fox,bear,koi,owl,deer", "--strategies", "greedy"]
    said = printed("table", *words, "--games", "1000", "--out", page)
    for name in ("Fox", "Bear", "Koi", "Owl", "Deer", "first"):
        assert name in said
    assert "Bear, Deer, Fox, Koi and Owl" in page.read_text(encoding="utf-8")
