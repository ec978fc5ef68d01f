"""The answer on clans says whether it holds among players who look ahead."""

from dataclasses import replace

import pytest
from inside import module_with
from inside.experiments import toml_text
from inside.reports.page import clan_levels, worth_among_look_aheads
from inside.simulator.tables import leading_clans
from toy_numbers import estimate_of
from toy_sweep import Truth, giving_up, toy_evidence, toy_plan

from ethnos_sim.reports import Evidence, Situation, make_report
from ethnos_sim.simulator import load_rules

AT = Situation("second", "standard", "", 4, "learned")

OWL = estimate_of("owl", 0.06, 0.01, standard_error=0.0034)


MODULE = module_with("reports.page", "worth_among_look_aheads")


@pytest.fixture
def played(monkeypatch, tmp_path) -> None:
    """Stored numbers of this program's plan, in which the owl is worth more than average."""
    worth = {clan: [0.0, 0.01, 2_000] for clan in leading_clans(load_rules("second"))}
    worth["owl"] = [0.05, 0.01, 2_000]
    table = AT._replace(population="lookahead")._asdict() | {"blocks": 32, "worth": worth}
    file = tmp_path / "look_ahead.toml"
    file.write_text(toml_text({"plan": MODULE._plan_id(), "tables": [table]}))
    monkeypatch.setattr(MODULE, "FILE", file)
    monkeypatch.setattr(MODULE, "_stored", MODULE._stored.__wrapped__)


def test_each_clan_has_its_worth_with_a_joint_interval(played) -> None:
    worths = worth_among_look_aheads(AT, load_rules("second"))
    assert {worth.name for worth in worths} == set(leading_clans(load_rules("second")))
    assert worths[0].name == "owl"
    assert worths[0].value == 0.05
    assert 2.5 * 0.01 < worths[0].half_width < 3.5 * 0.01


def test_the_bundled_numbers_belong_to_the_games_of_this_program() -> None:
    again = "other rules, other code or another net: run `python benchmarks/look_ahead.py`"
    for rules in map(load_rules, ("first", "second")):
        worths = worth_among_look_aheads(AT._replace(edition=rules.edition), rules)
        assert {worth.name for worth in worths} == set(leading_clans(rules)), again


@pytest.mark.parametrize(
    "elsewhere", [{"mode": "recruitment"}, {"players": 5}, {"rules": "own"}, {"edition": "third"}]
)
def test_nothing_is_said_about_tables_that_look_ahead_did_not_play(played, elsewhere) -> None:
    assert worth_among_look_aheads(AT, load_rules("second"))
    assert not worth_among_look_aheads(AT._replace(**elsewhere), load_rules("second"))


def test_nothing_is_said_about_other_rules_of_the_same_name(played) -> None:
    assert not worth_among_look_aheads(AT, load_rules("second", overrides="bear.on_take=2"))


def test_numbers_of_another_plan_are_left_out(played, monkeypatch) -> None:
    monkeypatch.setattr(MODULE, "_plan_id", lambda: "another")
    assert not worth_among_look_aheads(AT, load_rules("second"))


@pytest.mark.parametrize(
    ("value", "half", "said"),
    [
        (0.06, 0.01, "At every level of play."),
        (0.11, 0.03, "At every level of play."),
        (0.02, 0.025, "Other levels: too few games."),
        (0.0, 0.02, "Owl: different among players who look ahead."),
        (-0.05, 0.01, "Owl: the other way round among players who look ahead."),
    ],
)
def test_a_clan_that_turns_among_players_who_look_ahead_is_named(value, half, said) -> None:
    ends = {"low": value - half, "high": value + half}
    power = replace(OWL, value=value, standard_error=half / 3, **ends)
    assert clan_levels({"owl": OWL}, [("lookahead", {"owl": power})]) == said


@pytest.fixture(scope="module")
def games() -> Evidence:
    """Toy games in which every seat gives up a clan; one clan is best, and one is worst."""
    clans = tuple(load_rules("second").clans)[:6]
    plan = giving_up(toy_plan(clan_sets=[clans], line_ups=[("alpha",)], rounds=800))
    return toy_evidence(plan, Truth(effects={clans[0]: 2.0, clans[5]: -2.0}), seed=1)


def test_the_card_says_whether_its_clans_hold_for_players_who_look_ahead(
    games, played, monkeypatch
):
    def line_on_levels() -> str:
        card = make_report(games).card
        return next(answer.level for answer in card.answers if answer.key == "clans")

    assert line_on_levels() == "Other levels: too few games."
    monkeypatch.setattr(MODULE, "_plan_id", lambda: "another")
    assert line_on_levels() == ""
