"""The edition bridge: shares add up, go to the right change, and depend on values, not names."""

from dataclasses import replace

import numpy as np
import pytest
from inside import module_with
from inside.reports.comparison import bridges, clans_by_power, edition_pairs
from inside.reports.estimators import corners, shapley_shares
from inside.reports.page import edition_bridge
from inside.reports.rendering import stored_tables
from sweeps import plan_of
from toy_numbers import numbers_of
from toy_sweep import toy_evidence

from ethnos_sim import load_spec
from ethnos_sim.experiments import Estimates
from ethnos_sim.reports import Table
from ethnos_sim.simulator import load_rules

BLOCKS = 32
RULE_SETS = [
    {"name": rules.name, "set": list(rules.settings)} for rules in load_spec("edition-bridge").rules
]


def _at(value: float, noise: np.ndarray) -> Estimates:
    return replace(numbers_of((value + noise)[:, None]), value=np.asarray([value]))


def _plan(rule_sets: list[dict]):
    spec = {
        "games_per_cell": 256,
        "editions": ["second", "first"],
        "players": [4],
        "clan_sets": {"sample": 2},
        "line_ups": [["greedy"]],
        "rules": rule_sets,
    }
    return plan_of(spec)


def test_shares_add_up_to_the_whole_difference():
    rng = np.random.default_rng(1)
    values = {corner: _at(float(rng.normal()), rng.normal(size=BLOCKS)) for corner in corners(4)}
    shares = shapley_shares(values)
    whole = values[1, 1, 1, 1].value - values[0, 0, 0, 0].value
    assert sum(share.value for share in shares) == pytest.approx(whole)
    pseudo = values[1, 1, 1, 1].pseudo - values[0, 0, 0, 0].pseudo
    assert sum(share.pseudo for share in shares) == pytest.approx(pseudo)


def test_each_change_gets_its_own_effect_and_half_of_a_joint_effect_of_two():
    none = np.zeros(BLOCKS)
    values = {(a, b): _at(3.0 * a + 5.0 * b + 2.0 * a * b, none) for a, b in corners(2)}
    first, second = shapley_shares(values)
    assert first.value == pytest.approx([4.0])
    assert second.value == pytest.approx([6.0])


def test_luck_that_all_combinations_share_cancels_in_the_shares():
    luck = np.random.default_rng(2).normal(size=BLOCKS)
    values = {corner: _at(1.0 * sum(corner), luck) for corner in corners(3)}
    for share in shapley_shares(values):
        assert share.standard_error == pytest.approx([0.0], abs=1e-12)


def test_a_missing_combination_is_refused():
    values = {corner: _at(0.0, np.zeros(BLOCKS)) for corner in corners(3)[1:]}
    with pytest.raises(ValueError, match="not played"):
        shapley_shares(values)


def test_clans_are_matched_by_their_powers():
    matched = clans_by_power(load_rules("first"), load_rules("second"))
    assert matched["giant"] == "bear"
    assert matched["skeleton"] == "dog"
    assert "halfling" not in matched


def test_the_bundled_rule_sets_make_a_bridge_of_four_changes():
    evidence = toy_evidence(_plan(RULE_SETS))
    (bridge,) = bridges(evidence)
    assert sorted(bridge.changes) == [
        "Raccoon for Halfling",
        "largest-party token",
        "prestige tokens",
        "sea track awards",
    ]
    assert len(bridge.situations) == 16
    for corner, edition in ((0, "first"), (1, "second")):
        setting = bridge.situations[(corner,) * 4].setting
        assert (setting.edition, setting.rules) == (edition, "")


def test_a_further_edition_that_was_not_played_changes_no_bridge(monkeypatch):
    evidence = toy_evidence(_plan(RULE_SETS))
    monkeypatch.setattr(
        module_with("reports.comparison", "edition_pairs"), "EDITIONS", ("first", "other", "second")
    )
    assert edition_pairs(evidence) == (("first", "second"),)
    assert len(bridges(evidence)) == 1


def test_the_section_has_both_ends_and_the_share_of_each_change():
    evidence = toy_evidence(_plan(RULE_SETS))
    section = edition_bridge(evidence)
    assert section is not None
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert len(table.headings) == 7
    rows = stored_tables([section])["edition_bridge"]
    turns = {row["change"]: row["value"] for row in rows.to_dicts() if "turns" in row["number"]}
    ends = turns.pop("second edition") - turns.pop("first edition")
    assert sum(turns.values()) == pytest.approx(ends)


def test_there_is_no_bridge_if_a_combination_was_not_played():
    evidence = toy_evidence(_plan(RULE_SETS[:-2]))
    assert bridges(evidence) == ()
    assert edition_bridge(evidence) is None
