"""The null clan: rules in which one clan's power does nothing, played beside a sweep's own."""

from __future__ import annotations

import pytest

from ethnos_sim.experiments import (
    SpecError,
    intervention_of,
    make_plan,
    parse_spec,
    plan_text,
    read_plan,
)
from ethnos_sim.experiments.designs.null_clan import MAIN, NULL_RULES, NULLED, with_null_clan
from ethnos_sim.experiments.plans.plan import EditionRules
from ethnos_sim.simulator import EDITIONS, load_rules

RESTRICTED = {"strategies": ["greedy"], "one_seat": "never_leads"}


def plan_of(*line_ups: dict, **changes):
    raw = {
        "editions": list(EDITIONS),
        "players": [2, 4],
        "clan_sets": {"sample": 6},
        "games_per_cell": 8,
        "line_ups": [["greedy"], *line_ups],
        **changes,
    }
    return make_plan(parse_spec(raw, "null.toml"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_null_clan_brings_no_prestige_and_nothing_else_changes(edition) -> None:
    printed = load_rules(edition)
    null = with_null_clan(printed)
    changed = {name for name, value in printed.values().items() if null.values()[name] != value}
    clan = printed.clan_of(NULLED)
    assert changed == {f"{clan}.on_take", f"{clan}.age_4_6", f"{clan}.age_2_3"}
    clan = null.clan_of(NULLED)
    assert all(not any(null.numbers(clan, key)) for key in ("age_4_6", "age_2_3"))
    assert null.number(clan, "on_take") == 0
    # `verify` makes them again from their values, and finds what the plan says of them.
    again = load_rules(edition, overrides=null.trace_values())
    assert EditionRules.of(again, NULL_RULES) == EditionRules.of(null, NULL_RULES)


def test_only_line_ups_with_the_null_clan_restricted_are_played_with_it() -> None:
    plan = plan_of({**RESTRICTED, "null_clan": True})
    null = [cell for cell in plan.cells if cell.partition.rules == NULL_RULES]
    assert {cell.partition.rules for cell in plan.cells} == {MAIN, NULL_RULES}
    for cell in null:
        clan = load_rules(cell.partition.edition).clan_of(NULLED)
        assert clan in cell.clans
        assert intervention_of(cell.line_up).about == (clan,)
    asked = {(cell.partition.edition, cell.partition.players) for cell in null}
    assert asked == {(edition, players) for edition in EDITIONS for players in (2, 4)}
    assert read_plan(plan_text(plan)) == plan


def test_what_a_sweep_plays_by_itself_stays_what_it_is() -> None:
    """The same cells with the same numbers, and `rules` of an edition means the sweep's own."""
    alone, beside = plan_of(RESTRICTED), plan_of({**RESTRICTED, "null_clan": True})
    own = [cell for cell in beside.cells if cell.partition.rules == MAIN]
    key = [(cell.number, cell.clans, cell.line_up, cell.weight) for cell in own]
    assert key == [(cell.number, cell.clans, cell.line_up, cell.weight) for cell in alone.cells]
    assert beside.rules("second") == load_rules("second")


@pytest.mark.parametrize(
    ("line_up", "changes", "sentence"),
    [
        ({"strategies": ["greedy"], "null_clan": True}, {}, "belongs to one_seat"),
        (
            {**RESTRICTED, "null_clan": True},
            {"rules": [{"name": "a"}, {"name": "b", "set": ["hand_limit=9"]}]},
            "needs a sweep of one rule set",
        ),
    ],
)
def test_what_cannot_have_a_null_clan_is_refused(line_up, changes, sentence) -> None:
    with pytest.raises(SpecError, match=sentence):
        plan_of(line_up, **changes)
