"""Numbers that come with the program: players who look ahead, and a head start for later seats."""

from dataclasses import replace

import pytest
from inside import module_with
from inside.experiments import Evidence, Situation
from inside.reports import make_report
from inside.reports.page import HEAD_START, LOOK_AHEAD, PageGames, clan_level_line, head_start_hint
from inside.simulator.tables import leading_clans
from toy_numbers import estimate_of
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim.simulator import load_rules

AHEAD = Situation("second", "standard", "", 4, "lookahead")
SECOND = load_rules("second")
OWL = estimate_of("owl", 0.06, 0.01, standard_error=0.0034)
MODULE = module_with("reports.page", "StoredNumbers")


@pytest.fixture
def played(monkeypatch) -> dict:
    """Stored numbers of this program's plans, in which the owl is worth more than average."""
    worth = {clan: [0.0, 0.01, 2_000] for clan in leading_clans(SECOND)}
    seats = {name: [0.0, 0.001, 9_000] for name in ("first", "second", "third", "fourth")}
    head_start = AHEAD._replace(population="learned", rules="head-start")
    tables = [
        AHEAD._asdict() | {"blocks": 32, "worth": worth | {"owl": [0.05, 0.01, 2_000]}},
        head_start._asdict() | {"blocks": 32, "seat_edge": seats},
    ]
    content = {"plan": "this", "tables": tables}
    monkeypatch.setattr(MODULE, "_plan_id", lambda sweep: "this")
    monkeypatch.setattr(MODULE, "_toml_content", lambda file: content)
    return content


def test_each_clan_has_its_worth(played) -> None:
    worths = LOOK_AHEAD.estimates(AHEAD, SECOND).estimates()
    assert {worth.name for worth in worths} == set(leading_clans(SECOND))
    owl = next(worth for worth in worths if worth.name == "owl")
    assert (owl.value, owl.standard_error, owl.games) == (0.05, 0.01, 2_000)


def test_the_bundled_numbers_belong_to_the_games_of_this_program() -> None:
    again = "other rules, other code or another net: run `python benchmarks/look_ahead.py`"
    for rules in map(load_rules, ("first", "second")):
        worths = LOOK_AHEAD.estimates(AHEAD._replace(edition=rules.edition), rules)
        assert worths is not None, again
        assert set(worths.names) == set(leading_clans(rules))
    for players in (2, 4):
        at = AHEAD._replace(players=players, population="learned")
        seats = HEAD_START.estimates(at, SECOND)
        assert seats is not None, again
        assert len(seats) == players


@pytest.mark.parametrize(
    "elsewhere", [{"mode": "recruitment"}, {"players": 5}, {"rules": "own"}, {"edition": "third"}]
)
def test_nothing_is_said_about_tables_that_were_not_played(played, elsewhere) -> None:
    assert LOOK_AHEAD.estimates(AHEAD._replace(**elsewhere), SECOND) is None


def test_nothing_is_said_by_other_rules_or_another_plan(played, monkeypatch) -> None:
    assert LOOK_AHEAD.estimates(AHEAD, load_rules("second", overrides="bear.on_take=2")) is None
    played["plan"] = "another"
    assert LOOK_AHEAD.estimates(AHEAD, SECOND) is None


@pytest.mark.parametrize(
    ("value", "half", "said"),
    [
        (0.06, 0.01, "At every level of play."),
        (0.11, 0.03, "At every level of play."),
        (0.02, 0.025, ""),
        (0.0, 0.02, "Owl: average among players who look ahead."),
        (-0.05, 0.01, "Owl: weak among players who look ahead."),
    ],
)
def test_a_clan_that_turns_among_players_who_look_ahead_is_named(value, half, said) -> None:
    ends = {"low": value - half, "high": value + half}
    power = replace(OWL, value=value, standard_error=half / 3, **ends)
    assert clan_level_line({"owl": OWL}, [("lookahead", {"owl": power})]) == said


@pytest.fixture(scope="module")
def games() -> Evidence:
    """Toy games in which every seat gives up a clan; one clan is best, and one is worst."""
    clans = tuple(SECOND.clans)[:6]
    kinds = ("ordinary", "gives_up")
    plan = toy_plan(clan_sets=[clans], line_ups=[("alpha",)], rounds=800, kinds=kinds)
    return toy_evidence(plan, Truth(effects={clans[0]: 2.0, clans[5]: -2.0}), seed=1)


def test_the_tips_say_what_a_clan_is_worth_to_players_who_look_ahead(games, played) -> None:
    def said() -> str:
        tiers = make_report(games).card.ranking.tiers
        return str([clan.tooltip for tier in tiers for line in tier.lines for clan in line])

    assert "among players who look ahead" in said()
    played["plan"] = "another"
    assert "among players who look ahead" not in said()


def test_a_head_start_is_named_only_where_it_makes_the_first_seat_fair(games, played) -> None:
    page, at = PageGames(games, None), AHEAD._replace(population="learned")
    assert head_start_hint(page, at) == (
        " Begin with 0, 1, 2 and 2 prestige in order of play and it is fair."
    )
    played["tables"][1]["seat_edge"]["first"] = [0.03, 0.001, 9_000]
    assert head_start_hint(page, at) == ""
    assert head_start_hint(page, at._replace(players=6)) == ""
