"""The page by topic: its order, power before association, editions beside each other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.reports.estimators.skill_trend import strength
from ethnos_sim.reports.evidence.evidence import SKILL, Evidence, Setting
from ethnos_sim.reports.evidence.gathering import put_together
from ethnos_sim.reports.page import Report, make_report
from ethnos_sim.reports.rendering.document import (
    Block,
    Details,
    Figure,
    Panels,
    Section,
    Table,
    Text,
    Tiers,
)
from ethnos_sim.reports.rendering.html import as_html

CLANS = ("bear", "deer", "fox", "koi", "owl", "raven")
TRUTH = Truth(effects={"bear": 0.5, "owl": -0.3}, skill={"alpha": 0.6})
TOPICS = (
    "limits",
    "headline",
    "clans",
    "clans-usage",
    "clans-players",
    "clans-strategies",
    "win-lift",
    "usage",
    "better",
    "ways",
    "seats",
    "shape",
    "comebacks",
    "prestige",
    "strategies",
    "quality",
    "definitions",
)


def restricted_plan(
    names: tuple[str, ...] = ("alpha",),
    *,
    players: tuple[int, ...] = (3, 4),
    kinds: tuple[str, ...] = ("never_leads", "prefers_leading"),
    ordinary: tuple[tuple[str, ...], ...] = (),
    named: str = "",
    rounds: int = 128,
) -> Plan:
    """A toy plan in which each clan is kept from one seat, or forced on one."""
    line_ups = [
        (f"{name}:{kind}={clan}", name, name, name)
        for name in names
        for kind in kinds
        for clan in CLANS
    ]
    plan = toy_plan(
        players=players, clan_sets=[CLANS], line_ups=(*ordinary, *line_ups), rounds=rounds
    )
    skill = ("alpha", "beta", "beta", "beta")
    cells = tuple(
        replace(cell, population="skill") if cell.line_up == skill and named else cell
        for cell in plan.cells
    )
    return replace(plan, cells=cells)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    ordinary = (("alpha", "beta", "alpha", "alpha"), ("alpha",), ("alpha", "beta", "beta", "beta"))
    return toy_evidence(
        restricted_plan(("alpha", "beta"), ordinary=ordinary, named="skill", rounds=256), TRUTH
    )


@pytest.fixture(scope="module")
def report(evidence: Evidence) -> Report:
    return make_report(evidence)


def section_of(report: Report, key: str) -> Section:
    return next(section for section in report.document.sections if section.key == key)


def inside(blocks: tuple[Block, ...]) -> list[Block]:
    found: list[Block] = []
    for block in blocks:
        found.append(block)
        if isinstance(block, Panels):
            for panel in block.panels:
                found += inside(panel.blocks)
        if isinstance(block, Details):
            found += inside(block.blocks)
    return found


def of_kind(report: Report, key: str, kind: type) -> list:
    return [b for b in inside(section_of(report, key).blocks) if isinstance(b, kind)]


def words_of(report: Report, key: str) -> str:
    return " ".join(block.text for block in of_kind(report, key, Text))


def test_topics_stand_in_the_order_of_a_balance_report(report) -> None:
    assert tuple(section.key for section in report.document.sections) == TOPICS


def test_limits_are_short_and_the_rest_of_them_is_collapsed(report) -> None:
    text, details = section_of(report, "limits").blocks
    assert isinstance(text, Text)
    assert text.text.count(". ") + 1 == 3
    assert isinstance(details, Details)
    tables = [block for block in details.blocks if isinstance(block, Table)]
    assert tables[0].stored == "provenance"
    told = {row[0].text: row[1].text for row in tables[0].shown}
    (restricted,) = [told[name] for name in told if "restricted or forced" in name]
    assert "alpha in all seats" in restricted


def test_the_tier_list_goes_by_restricted_play_where_it_was_played(report) -> None:
    found = report.tables["headline"]
    assert set(found["measure"]) == {"relative_power"}
    first, *others = of_kind(report, "headline", Tiers)
    assert [rows.rows[0]["players"] for rows in (first, *others)] == [4, 3, None]
    by_label = {tier.label: " ".join(tier.members) for tier in first.tiers}
    assert "Bear" in by_label["Far above average"]
    assert "Owl" in by_label["Far below average"]
    assert "may not lead this clan" in words_of(report, "headline")


def test_what_more_games_are_good_for_is_said_once_below_all_tier_lists(report) -> None:
    lists = of_kind(report, "headline", Tiers)
    assert sum(any(tier.tone == "open" for tier in each.tiers) for each in lists) > 1
    assert words_of(report, "headline").count("More games settle more") == 1


def test_without_restricted_play_the_tier_list_goes_by_win_lift() -> None:
    plan = toy_plan(clan_sets=[CLANS], line_ups=(("alpha", "beta"),), rounds=128)
    report = make_report(toy_evidence(plan, TRUTH))
    assert set(report.tables["headline"]["measure"]) == {"win_lift"}
    assert "association" in words_of(report, "headline")
    assert "its power is not known here" in words_of(report, "clans")


def test_too_little_restricted_play_leaves_the_tier_list_to_win_lift() -> None:
    few = toy_evidence(restricted_plan(kinds=("never_leads",), players=(4,), rounds=3), TRUTH)
    many = toy_evidence(toy_plan(clan_sets=[CLANS], line_ups=(("alpha",),), rounds=128), TRUTH)
    report = make_report(put_together([few, many]))
    assert set(report.tables["headline"]["measure"]) == {"win_lift"}


def test_the_mean_comes_first_until_the_usual_number_of_players_has_intervals() -> None:
    few = toy_evidence(restricted_plan(kinds=("never_leads",), players=(4,), rounds=3), TRUTH)
    many = restricted_plan(kinds=("never_leads",), players=(2, 3), rounds=128)
    report = make_report(put_together([few, toy_evidence(many, TRUTH)]))
    lists = of_kind(report, "headline", Tiers)
    assert [each.rows[0]["players"] for each in lists] == [None, 4, 2, 3]
    assert "the mean over 2, 3 and 4 players" in words_of(report, "headline")


def test_clans_are_judged_by_the_strongest_player_with_intervals() -> None:
    def played(name: str, rounds: int) -> Evidence:
        plan = restricted_plan((name,), kinds=("never_leads",), players=(4,), rounds=rounds)
        return toy_evidence(plan, TRUTH)

    assert strength("learned") > strength("champion")
    for rounds, judge in ((3, "champion"), (128, "learned")):
        report = make_report(put_together([played("champion", 128), played("learned", rounds)]))
        first, *_ = of_kind(report, "headline", Tiers)
        assert first.rows[0]["strategies"] == judge


def test_power_has_its_figure_with_forced_play_beside_it_and_groups(report, evidence) -> None:
    (figure,) = of_kind(report, "clans", Figure)
    assert "forced" in figure.alt
    (table,) = of_kind(report, "clans", Table)
    assert table.headings == (
        "Clan",
        "Power",
        "Verdict (group)",
        "Restricted play",
        "in log-odds",
        "Forced play",
        "Games",
    )
    assert len(table.shown) == len(CLANS)
    stored = report.tables["power"]
    assert set(stored["measure"]) == {
        "relative_power",
        "restricted_play",
        "restricted_log_odds",
        "forced_play",
        "usage",
    }
    assert set(stored["players"]) == {None, 3, 4}
    assert set(stored["population"]) == {"alpha in all seats", "beta in all seats"}


def test_usage_stands_against_power(report) -> None:
    (figure,) = of_kind(report, "clans-usage", Figure)
    for clan in ("Bear*", "Owl"):
        assert f"{clan}: +" in figure.alt or f"{clan}: −" in figure.alt
    assert figure.alt.count("led in") == len(CLANS)


def test_fewer_than_three_populations_are_said_to_be_few(report) -> None:
    assert "2 of the three populations" in words_of(report, "clans-strategies")


def test_a_clan_that_is_strong_for_some_and_weak_for_others_is_policy_dependent() -> None:
    liked = toy_evidence(
        restricted_plan(("alpha",), kinds=("never_leads",), players=(4,), rounds=256),
        Truth(effects={"bear": 0.6, "owl": -0.6}),
    )
    disliked = toy_evidence(
        restricted_plan(("beta",), kinds=("never_leads",), players=(4,), rounds=256),
        Truth(effects={"bear": -0.6, "owl": 0.6}),
    )
    report = make_report(put_together([liked, disliked]))
    (tiers,) = of_kind(report, "headline", Tiers)
    marked = [m for tier in tiers.tiers for m in tier.members if "policy-dependent" in m]
    assert sorted(member.split()[0] for member in marked) == ["Bear*", "Owl"]
    assert "Bear and Owl" in words_of(report, "clans-strategies")


def test_verdicts_at_a_glance_answer_every_question_with_games_and_strategies(report) -> None:
    table = of_kind(report, "headline", Table)[0]
    assert [row[0].text for row in table.shown] == [
        "Is every seat fair?",
        "How far apart are the clans?",
        "Does the leader run away?",
        "Can one come back?",
        "How long is a game, in turns?",
        "How much does skill count?",
    ]
    for row in table.shown:
        question, value, word, sentence, games, strategies = (cell.text for cell in row)
        assert value[0] in "+−0123456789", question
        assert "±" in value or "[" in value, question
        assert word, question
        assert sentence.endswith("."), question
        assert int(games.replace(",", "")) > 500, question
        assert "alpha" in strategies, question


def test_skill_is_the_win_share_of_the_one_stronger_strategy(report, evidence) -> None:
    stored = report.tables["verdicts"]
    (four,) = stored.filter(stored["question"] == "skill", stored["players"] == 4).to_dicts()
    sums = evidence.total(Setting("second", "standard"), 4, SKILL)
    assert four["value"] == pytest.approx(sums.arrays["entry_won"][:, 0].sum() / 60 / sums.games)
    assert four["value"] > 0.25
    assert "alpha wins" in four["sentence"]


def test_every_population_has_its_headline_numbers(report) -> None:
    stored = report.tables["verdicts"]
    assert set(stored.filter(stored["question"] == "leader")["population"]) == {
        "mixed: alpha, beta",
        "alpha in all seats",
    }


def test_comebacks_come_from_deficits_and_leaders_are_the_first_row(report, evidence) -> None:
    stored = report.tables["comebacks"]
    sums = evidence.total(Setting("second", "standard"), 4)
    behind, won = (sums.arrays[name].sum(axis=0) for name in ("behind", "behind_won"))
    for row in stored.filter(stored["players"] == 4).to_dicts():
        place = ("0", "1–5", "6–10", "11–15", "16–20", "21 or more").index(row["behind"])
        counted = behind[row["age"] - 1, place]
        if counted:
            share = won[row["age"] - 1, place] / 60 / counted
            assert row["value"] == pytest.approx(share)


def test_distributions_hold_every_game(report, evidence) -> None:
    stored = report.tables["distributions"]
    for players in (3, 4):
        games = evidence.total(Setting("second", "standard"), players).games
        here = stored.filter(stored["players"] == players)
        assert here.filter(here["of"] == "margin")["count"].sum() == games
        sides = here.filter(here["of"].is_in(["prestige_winners", "prestige_others"]))
        assert sides["count"].sum() == players * games


def test_editions_stand_side_by_side_within_a_topic() -> None:
    plans = [
        toy_plan(edition=edition, line_ups=(("alpha", "beta"),), rounds=96)
        for edition in ("second", "first")
    ]
    report = make_report(put_together([toy_evidence(plan) for plan in plans]))
    for key in ("headline", "win-lift", "seats", "shape", "comebacks", "prestige"):
        panels = [b for b in section_of(report, key).blocks if isinstance(b, Panels)]
        assert panels, key
        titles = [panel.title for panel in panels[0].panels]
        assert titles == ["2nd edition (2024)", "1st edition (2017)"], key


def test_one_seat_line_ups_alone_make_a_page() -> None:
    """No ordinary games, so no seats, shape or win lift; power is all there is."""
    report = make_report(toy_evidence(restricted_plan(kinds=("never_leads",)), TRUTH))
    keys = [section.key for section in report.document.sections]
    assert keys[:3] == ["limits", "headline", "clans"]
    assert not {"seats", "shape", "strategies", "win-lift"} & set(keys)
    assert "alpha in all seats" in as_html(report.document, "tables")
    assert set(report.tables["power"]["measure"]) == {
        "relative_power",
        "restricted_play",
        "restricted_log_odds",
    }


def test_player_counts_of_one_seat_line_ups_need_no_ordinary_games() -> None:
    restricted = toy_evidence(restricted_plan(kinds=("never_leads",), players=(3, 4)), TRUTH)
    ordinary = toy_evidence(toy_plan(clan_sets=[CLANS], players=(4,), rounds=96), TRUTH)
    report = make_report(put_together([restricted, ordinary]))
    assert "3 and 4 players" in report.document.facts
    widths = report.tables["half_widths"]
    assert set(widths["players"]) == {3, 4}
