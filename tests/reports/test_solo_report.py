"""The solo part of a report: every number is that of the stored rows, pairs share their deals."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from ethnos_sim.experiments.execution.sweep import sweep
from ethnos_sim.experiments.plans.plan import make_plan
from ethnos_sim.experiments.specs.spec import parse_spec
from ethnos_sim.experiments.statistics.intervals import wilson
from ethnos_sim.experiments.storage.results import Results, open_results
from ethnos_sim.experiments.storage.tables import fired_column
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.estimators.solo import QUANTILES, estimate_gain, quantiles
from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.evidence.gathering import gather
from ethnos_sim.reports.evidence.solo_evidence import COUNTED, SIDES, Matchup
from ethnos_sim.reports.evidence.sums import SOURCES
from ethnos_sim.reports.page import Report, make_report
from ethnos_sim.reports.rendering.document import Figure, Panels, Table
from ethnos_sim.reports.rendering.html import as_html
from ethnos_sim.reports.rendering.markdown import as_markdown
from ethnos_sim.simulator.modes import SOLO, SOLO_CLANS

STRATEGIES = ("greedy", "collector", "hard_on_bruno", "random")
GAMES = 300
NUMBER = re.compile(r"[+−]?\d[\d,]*(?:\.\d+)?")


def play(folder: Path, **changes: object) -> Path:
    spec = {
        "name": "Solo",
        "seed": 11,
        "games_per_cell": GAMES,
        "modes": list(SOLO),
        "players": [1],
        "line_ups": [[name] for name in STRATEGIES],
        **changes,
    }
    sweep(make_plan(parse_spec(spec, "solo.toml")), folder, jobs=2, quiet=True)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return play(tmp_path_factory.mktemp("solo") / "out")


@pytest.fixture(scope="module")
def results(folder) -> Results:
    return open_results(folder)


@pytest.fixture(scope="module")
def rows(results) -> pl.DataFrame:
    return results.with_cells(results.seats()).sort("cell", "game", "seat").collect()


@pytest.fixture(scope="module")
def evidence(folder) -> Evidence:
    return gather(folder)


@pytest.fixture(scope="module")
def report(evidence) -> Report:
    return make_report(evidence)


@pytest.fixture(scope="module")
def page(report) -> str:
    return as_html(report.document, "tables")


def of(rows: pl.DataFrame, matchup: Matchup, seat: int) -> pl.DataFrame:
    """The rows of one side of a matchup, by deal."""
    (cell,) = set(
        rows.filter(pl.col("mode") == matchup.mode, pl.col("strategy") == matchup.strategy)["cell"]
    )
    return rows.filter(pl.col("cell") == cell, pl.col("seat") == seat)


def stored(report: Report, table: str, matchup: Matchup, **labels: object) -> dict:
    """The one stored row with these labels."""
    found = report.tables[table].filter(
        pl.col("mode") == matchup.mode,
        pl.col("strategy") == matchup.strategy,
        *(pl.col(name) == value for name, value in labels.items()),
    )
    assert found.height == 1
    return found.row(0, named=True)


def matchups() -> list[Matchup]:
    return [Matchup(mode, name) for mode in SOLO for name in STRATEGIES]


def test_every_line_has_its_games(evidence) -> None:
    assert set(evidence.solo.matchups) == set(matchups())
    assert {sums.games for sums in evidence.solo.matchups.values()} == {GAMES}
    assert evidence.games == evidence.games_planned == GAMES * len(matchups())
    assert evidence.sums == {}


@pytest.mark.parametrize("matchup", matchups(), ids=str)
def test_a_win_rate_is_that_of_the_rows_with_wilsons_interval(report, rows, matchup) -> None:
    won = of(rows, matchup, 0)["won"].cast(pl.Int64).sum() / 60
    row = stored(report, "solo_win_rates", matchup)
    assert row["value"] == pytest.approx(won / GAMES)
    assert (row["low"], row["high"]) == pytest.approx(wilson(won, GAMES))


@pytest.mark.parametrize("mode", SOLO)
def test_a_gain_is_students_paired_interval_over_deals(evidence, rows, mode) -> None:
    one, other = Matchup(mode, "hard_on_bruno"), Matchup(mode, "greedy")
    sums = evidence.solo.matchups
    gain = estimate_gain(sums[one], one.strategy, sums[other], other.strategy)
    mine, theirs = (of(rows, matchup, 0)["won"].to_numpy() / 60 for matchup in (one, other))
    differences = mine - theirs
    expected = stats.t.interval(
        0.95, GAMES - 1, loc=differences.mean(), scale=stats.sem(differences)
    )
    assert gain.estimate.value == pytest.approx(differences.mean())
    assert (gain.estimate.low, gain.estimate.high) == pytest.approx(expected)
    assert gain.pairing == pytest.approx((mine.var() + theirs.var()) / differences.var())


def test_lines_with_other_deals_are_not_paired(evidence, tmp_path) -> None:
    fewer = gather(play(tmp_path / "fewer", games_per_cell=40)).solo.matchups
    matchup = Matchup("solo-easy", "greedy")
    with pytest.raises(ValueError, match="did not play the same deals"):
        estimate_gain(evidence.solo.matchups[matchup], "greedy", fewer[matchup], "greedy")


@pytest.mark.parametrize("matchup", [matchups()[0], matchups()[-2]], ids=str)
def test_means_and_shares_are_those_of_the_rows(report, rows, results, matchup) -> None:
    colors = results.plan.rules("second").colors
    for seat, side in enumerate(SIDES):
        mine = of(rows, matchup, seat)
        for source in SOURCES:
            found = stored(report, "solo_prestige", matchup, side=side, source=source)
            assert found["value"] == pytest.approx(mine[source].mean())
        parties = mine["parties"].cast(pl.Int64).sum()
        for clan in SOLO_CLANS:
            found = stored(report, "solo_leaders", matchup, side=side, clan=clan)
            led = mine[f"led_{clan}"].cast(pl.Int64).sum()
            assert found["value"] == pytest.approx(led / parties)
    player, bruno = (of(rows, matchup, seat) for seat in (0, 1))
    for color in colors:
        found = stored(report, "solo_columns", matchup, column=color)
        assert found["value"] == pytest.approx(bruno[fired_column(color)].mean())
    margin = player["prestige"].to_numpy() - bruno["prestige"].to_numpy()
    assert stored(report, "solo_totals", matchup, of="margin")["value"] == pytest.approx(
        margin.mean()
    )


@pytest.mark.parametrize("matchup", [matchups()[1], matchups()[-1]], ids=str)
def test_distributions_hold_every_game_value_by_value(report, evidence, rows, matchup) -> None:
    totals = [of(rows, matchup, seat)["prestige"].to_numpy().astype(int) for seat in (0, 1)]
    for what, values in zip(COUNTED, (*totals, totals[0] - totals[1]), strict=True):
        kept = report.tables["solo_distributions"].filter(
            pl.col("mode") == matchup.mode,
            pl.col("strategy") == matchup.strategy,
            pl.col("of") == what,
        )
        assert np.repeat(kept["prestige"], kept["games"]).tolist() == sorted(values)
        found = quantiles(evidence.solo.matchups[matchup].counts[what])
        expected = np.quantile(values, QUANTILES, method="inverted_cdf")
        assert found == tuple(int(value) for value in expected)


def test_the_cards_that_leave_the_deck_are_checked(report) -> None:
    checks = report.tables["checks"]
    assert set(checks["mode"]) == set(SOLO)
    assert set(checks["expected"]) == {56.0}
    assert checks["p_holm"].min() > 0.001


def test_a_folder_of_solo_games_alone_begins_with_them(page, report) -> None:
    first = page[page.index("<main>") : page.index("</section>", page.index('id="headline"'))]
    assert re.findall('<section id="([^"]+)"', first) == ["limits", "headline"]
    assert "How often is Chief Bruno beaten?</h2>" in first
    assert "Win rates fall from each difficulty to the next" in first
    assert "on the same deals" in first
    assert "Which clans are strong" not in page
    assert "win_lift" not in report.tables["definitions"]["measure"].to_list()


def test_strategies_that_choose_for_bruno_are_held_against_those_that_do_not(report) -> None:
    gains = report.tables["solo_gains"]
    assert set(gains["strategy"]) == {"hard_on_bruno", "random"}
    assert set(gains["against"]) == {"greedy", "collector"}
    assert gains.height == 2 * 2 * len(SOLO)


def test_without_strategies_that_choose_for_bruno_the_strongest_is_what_others_meet(
    tmp_path,
) -> None:
    line_ups = [["greedy"], ["collector"]]
    report = make_report(gather(play(tmp_path / "out", games_per_cell=120, line_ups=line_ups)))
    gains = report.tables["solo_gains"]
    assert (set(gains["strategy"]), set(gains["against"])) == ({"greedy"}, {"collector"})


def test_one_strategy_at_one_difficulty_makes_a_page(tmp_path) -> None:
    folder = play(tmp_path / "out", games_per_cell=20, modes=["solo-hard"], line_ups=[["greedy"]])
    page = as_html(make_report(gather(folder)).document, "tables")
    assert "Fewer than 100 games have no interval" in page
    assert "What watching Bruno is worth" not in page


def test_every_table_and_figure_of_the_page_says_its_numbers(report, page) -> None:
    blocks = [block for section in report.document.sections for block in section.blocks]
    for panels in [block for block in blocks if isinstance(block, Panels)]:
        blocks += [block for panel in panels.panels for block in panel.blocks]
    figures = [block for block in blocks if isinstance(block, Figure)]
    assert len(figures) == 5
    for figure in figures:
        assert len(NUMBER.findall(figure.alt)) >= 9, figure.key
    for table in (block for block in blocks if isinstance(block, Table)):
        assert table.stored in report.tables, table.caption
    assert not re.search(r"https?:|//[a-z]", page)
    identifiers = re.findall(r' id="([^"]*)"', page)
    assert len(identifiers) == len(set(identifiers))
    for link in re.findall(r'href="#([^"]*)"', page):
        assert link in identifiers


def test_every_measure_is_defined(report) -> None:
    for table in report.tables.values():
        if "value" in table.columns and "measure" in table.columns:
            assert set(table["measure"]) <= set(ESTIMANDS)


def test_beside_other_games_solo_is_a_chapter_of_its_own(tmp_path) -> None:
    folder = play(
        tmp_path / "out",
        games_per_cell=120,
        players=[1, 2],
        modes=["solo-regular", "standard"],
        clan_sets={"sample": 1},
        line_ups=[["greedy"], ["collector"]],
    )
    evidence = gather(folder)
    report = make_report(evidence)
    keys = [section.key for section in report.document.sections]
    assert keys[:2] == ["limits", "headline"]
    assert keys.index("strategies") < keys.index("solo") < keys.index("quality")
    assert evidence.games == evidence.games_planned == 4 * 120
    text = as_markdown(report.document, "tables")
    assert "Which clans are strong" in text
    assert "Solo: how often is Chief Bruno beaten?" in text
