"""The bundled experiments have the line-ups and clan sets that their questions need."""

from collections import Counter
from itertools import product

import pytest
from inside.experiments import Plan, make_plan
from inside.experiments.specs import bundled_specs
from inside.simulator.game import KINDS

from ethnos_sim import load_spec
from ethnos_sim.simulator import EDITIONS, Power, load_rules


@pytest.fixture(scope="module")
def plans() -> dict[str, Plan]:
    return {name: make_plan(load_spec(name)) for name in bundled_specs()}


@pytest.mark.parametrize("name", bundled_specs())
def test_every_cell_plays_deals_of_every_block(plans, name) -> None:
    """Intervals need deals in all 32 blocks."""
    plan = plans[name]
    for cell in plan.cells:
        assert plan.rounds[cell.partition] * cell.deals_per_round >= 32, cell


def test_experiments_share_no_deals(plans) -> None:
    seeds = [plan.seed for plan in plans.values()]
    assert len(set(seeds)) == len(seeds)


def test_clans_are_given_up_beside_ordinary_games_of_the_same_line_up(plans) -> None:
    """Look-ahead's games are slow, so only games in which clans are given up are played."""
    for name, plan in plans.items():
        about = {kind: set() for kind in KINDS}
        for cell in plan.cells:
            about[cell.kind].add((cell.partition, cell.clans, cell.line_up))
        if name != "worth-ahead":
            assert about["gives_up"] | about["gives_up_by_age"] <= about["ordinary"], name


def test_every_assumed_value_is_varied_down_and_up_where_it_has_an_effect(plans) -> None:
    plan = plans["sensitivity"]
    assert plan.sensitivity
    rules = {(edition.edition, edition.name): edition.rules for edition in plan.editions}
    played = {(part.edition, part.rules, part.players) for part in plan.cells_of}
    for edition in EDITIONS:
        printed = rules[edition, "printed"]
        assert printed == load_rules(edition)
        for value in printed.assumed_values():
            others = [
                name
                for (of_edition, name), varied in rules.items()
                if of_edition == edition and varied.value(value) != printed.value(value)
            ]
            assert len(others) >= 2, value
            least, most = printed.fields[value].players
            for name, players in product(others, (3, 4)):
                assert ((edition, name, players) in played) == (least <= players <= most), name


def test_every_reading_of_the_rules_is_also_played_the_other_way(plans) -> None:
    plan = plans["readings"]
    assert plan.sensitivity
    for edition in EDITIONS:
        printed = load_rules(edition)
        sea = printed.clan_of(Power.SEA_TRACK)
        readings = {name for name, field in printed.fields.items() if field.group == "readings"}
        readings |= {f"{sea}.each_symbol", f"{sea}.winner_only"}
        sets = [rule_set.rules for rule_set in plan.editions if rule_set.edition == edition]
        changed = [rules.changed_names for rules in sets if rules != printed]
        assert sorted(changed) == [[name] for name in sorted(readings)]


def test_the_usual_sweep_has_each_clan_equally_often_up_to_one_set(plans) -> None:
    for partition, cells in plans["clan-win-rates"].cells_of.items():
        sets = {cell.clan_set: cell.clans for cell in cells}
        counts = Counter(clan for clans in sets.values() for clan in clans)
        assert len(counts) == 12
        assert max(counts.values()) - min(counts.values()) <= 1, partition
