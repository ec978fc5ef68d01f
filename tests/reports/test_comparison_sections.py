"""Rule comparison and sensitivity on the page: what is compared, and what is said of it."""

from __future__ import annotations

import pytest
from toy_sweep import Truth, toy_rows

from ethnos_sim.experiments.plans.plan import make_plan
from ethnos_sim.experiments.specs.spec import parse_spec
from ethnos_sim.reports.comparison.pairs import compared, compared_settings, varied_assumptions
from ethnos_sim.reports.comparison.ranks import rank_shifts
from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.evidence.gathering import PlanGatherer, put_together
from ethnos_sim.reports.rendering.document import Table
from ethnos_sim.reports.rendering.storage import stored_tables
from ethnos_sim.reports.sections.comparison import comparisons
from ethnos_sim.reports.sections.rule_sets import rule_sets
from ethnos_sim.reports.sections.sensitivity import changed_verdicts, sensitivity

PRINTED = {"name": "printed"}
MILD = {"name": "mild-bear", "set": {"bear.on_take": 1}}
COINS = {"name": "coins", "set": {"raccoon.coins": [3] * 14}}
NOTHING = Truth()


def _evidence(
    rules: list[dict],
    truths: dict[str, Truth],
    editions=("second",),
    modes=("standard",),
    games=1_024,
    sensitivity=False,
) -> Evidence:
    spec = {
        "sensitivity": sensitivity,
        "games_per_cell": games,
        "editions": list(editions),
        "modes": list(modes),
        "players": [4],
        "clan_sets": {"sample": 4},
        "line_ups": [["greedy"]],
        "rules": rules,
    }
    plan = make_plan(parse_spec(spec, "toy.toml"))
    gatherer = PlanGatherer(plan)
    for cell in plan.cells:
        truth = truths.get(cell.partition.rules, NOTHING)
        gatherer.add(cell.partition, *toy_rows(plan, cell, truth, 3))
    return gatherer.evidence()


def _settings(pairs):
    return [
        (
            (p.first.edition, p.first.mode, p.first.rules),
            (p.second.edition, p.second.mode, p.second.rules),
        )
        for p in pairs
    ]


def test_editions_modes_and_rule_sets_are_compared_with_what_they_come_from():
    evidence = _evidence(
        [PRINTED, MILD], {}, editions=("second", "first"), modes=("standard", "recruitment")
    )
    assert _settings(compared_settings(evidence)) == [
        (("first", "standard", ""), ("second", "standard", "")),
        (("first", "recruitment", ""), ("second", "recruitment", "")),
        (("second", "standard", ""), ("second", "recruitment", "")),
        (("first", "standard", ""), ("first", "recruitment", "")),
        (("second", "standard", ""), ("second", "standard", "mild-bear")),
        (("second", "recruitment", ""), ("second", "recruitment", "mild-bear")),
    ]


def test_a_rule_set_is_a_change_unless_its_sweep_is_about_sensitivity():
    changes = _evidence([PRINTED, MILD, COINS], {})
    assert [p.second.rules for p in compared_settings(changes)] == ["mild-bear", "coins"]
    assert varied_assumptions(changes) == ()
    evidence = _evidence([PRINTED, COINS], {}, sensitivity=True)
    assert compared_settings(evidence) == ()
    assert [p.second.rules for p in varied_assumptions(evidence)] == ["coins"]
    (pair,) = varied_assumptions(evidence)
    assert [change.first_name for change in pair.changes] == ["raccoon.coins"]


def test_the_same_game_twice_has_no_changed_number():
    evidence = _evidence([PRINTED, MILD], {})
    (pair,) = compared_settings(evidence)
    (numbers,) = compared(pair).values()
    assert len(numbers) > 20
    assert all(each.word != "changed" for each in numbers)


def test_a_planted_change_is_named_and_its_clan_rises():
    evidence = _evidence([PRINTED, MILD], {"mild-bear": Truth(effects={"bear": 1.5})})
    (pair,) = compared_settings(evidence)
    (numbers,) = compared(pair).values()
    words = {(each.definition, each.name): each.word for each in numbers}
    assert words["win_lift", "bear"] == "changed"
    (table,) = pair.tables
    by, shifts = rank_shifts(*table.numbers)
    assert by == "win_lift"
    assert {shift.clan: shift.second for shift in shifts}["bear"] == 1


def test_the_section_tells_what_was_changed_and_stores_every_number():
    evidence = _evidence([PRINTED, MILD], {"mild-bear": Truth(effects={"bear": 1.5})})
    (section,) = comparisons(evidence)
    assert "bear.on_take 4 → 1" in section.blocks[0].text
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    tones = {row[0].text: row[1].tone for row in table.shown}
    assert tones["Bear: win lift"] == "up2"
    (pair,) = compared_settings(evidence)
    (numbers,) = compared(pair).values()
    assert stored_tables([section])["comparisons"].height == len(numbers)


def test_every_rule_set_has_its_verdicts_and_win_lifts_in_absolute_numbers():
    evidence = _evidence([PRINTED, MILD], {"mild-bear": Truth(effects={"bear": 1.5})}, games=2_048)
    section = rule_sets(evidence)
    assert section is not None
    stored = stored_tables([section])
    for name in ("clans", "verdicts"):
        assert set(stored[name]["rules"]) == {"printed", "mild-bear"}
    (bear,) = stored["clans"].filter(clan="bear", rules="mild-bear").to_dicts()
    (printed,) = stored["clans"].filter(clan="bear", rules="printed").to_dicts()
    assert bear["low"] > printed["high"]


def test_one_rule_set_alone_is_set_beside_nothing():
    assert rule_sets(_evidence([PRINTED], {})) is None


def test_sensitivity_says_that_a_verdict_rests_on_an_assumption():
    weak = Truth(effects={"raccoon": -1.0})
    strong = Truth(effects={"raccoon": 1.0})
    evidence = _evidence([PRINTED, COINS], {"printed": weak, "coins": strong}, sensitivity=True)
    section = sensitivity(evidence)
    assert section is not None
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    (row,) = table.shown
    assert "Raccoon below average → above average" in row[2].text
    assert "rests on the assumed value" in section.blocks[0].text


def test_sensitivity_says_that_no_verdict_changes_where_none_does():
    section = sensitivity(_evidence([PRINTED, COINS], {}, sensitivity=True))
    assert section is not None
    assert section.blocks[0].text.startswith("No verdict changes")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("up", "down", 1),
        ("up", "level", 1),
        ("open", "up", 0),
        ("up", "open", 0),
        ("level", "level", 0),
    ],
)
def test_only_verdicts_that_are_sure_on_both_sides_can_change(before, after, told):
    assert len(changed_verdicts({"bear": before}, {"bear": after})) == told


def test_nothing_is_compared_where_nothing_differs():
    evidence = _evidence([PRINTED], {})
    assert comparisons(evidence) == []
    assert sensitivity(evidence) is None


def test_sweeps_on_one_page_are_compared_each_within_itself():
    own = _evidence([PRINTED, MILD], {})
    other = _evidence([PRINTED], {"": Truth(effects={"deer": 2.0})})
    (apart,) = compared_settings(own)
    (together,) = compared_settings(put_together([own, other]))
    (alone,), (both,) = compared(apart).values(), compared(together).values()
    assert [each.difference for each in both] == [each.difference for each in alone]


def test_of_several_sweeps_that_play_a_pair_the_largest_tells():
    small = _evidence([PRINTED, MILD], {}, games=256)
    large = _evidence([PRINTED, MILD], {}, games=1_024)
    (pair,) = compared_settings(put_together([small, large]))
    (counterparts,) = pair.tables
    assert counterparts.games == 4 * 1_024
