"""How the rule sets of two sides are paired: equal rules first, and never by a guess."""

from dataclasses import replace

import pytest
from inside.reports.comparison import Side, as_document, compare_sides, paired_settings
from toy_sweep import toy_evidence, toy_plan, write_toy_sweep

from ethnos_sim.reports import Setting, as_markdown
from ethnos_sim.simulator import WrongInput, load_rules


def side(rule_sets):
    """The settings of a side, from rule sets by name ("" for the reference) and words for rules."""
    by_setting = {}
    for name, word in rule_sets.items():
        edition, _, mode = word.partition(" ")
        by_setting[Setting(edition.partition("+")[0], mode or "standard", name)] = load_rules(
            edition
        )
    return by_setting


PRINTED, MILD, WEAK = "second", "second+bear.on_take=2", "second+bear.on_take=1"
#: By the reason for the pairing: the rule sets of both sides, and the names that are paired.
BESIDE = {
    "equal rules": ({"": MILD}, {"": PRINTED, "mild": MILD}, [("", "mild")]),
    "equal rules first": (
        {"": PRINTED, "x": MILD},
        {"": MILD, "y": PRINTED},
        [("", "y"), ("x", "")],
    ),
    "one name": ({"": PRINTED, "a": MILD}, {"": PRINTED, "a": WEAK}, [("", ""), ("a", "a")]),
    "alone in edition and mode": ({"": PRINTED}, {"": MILD}, [("", "")]),
    "alone on both sides": ({"": PRINTED}, {"": "first recruitment"}, [("", "")]),
    "no counterpart is left out": ({"": PRINTED, "a": MILD}, {"": PRINTED, "b": WEAK}, [("", "")]),
    "nothing is guessed": ({"": PRINTED}, {"": MILD, "weak": WEAK}, []),
}


@pytest.mark.parametrize(("first", "second", "pairs"), BESIDE.values(), ids=BESIDE)
def test_rule_sets_are_paired_by_the_first_reason_that_holds(first, second, pairs):
    beside = paired_settings(side(first), side(second))
    assert [(one.rules, two.rules) for one, two in beside.items()] == pairs


def test_an_ambiguous_pairing_is_refused_with_the_possible_choices():
    first = Side("a", toy_evidence(toy_plan(rounds=40)))
    sets = {"mild": ["bear.on_take=2"], "weak": ["bear.on_take=1"]}
    evidence = toy_evidence(toy_plan(rounds=40, rule_sets=sets))
    with pytest.raises(WrongInput, match=r"b has second\+standard\+mild, second\+standard\+weak"):
        compare_sides(first, Side("b", evidence))
    (match,) = compare_sides(first, Side("b", evidence, ("weak",))).matched
    assert match.second.setting.rules == "weak"


def test_every_rule_value_that_differs_is_named(tmp_path, printed, refusal):
    sets = {"printed": [], "mild": ["bear.on_take=2"], "weak": ["bear.on_take=1"]}
    write_toy_sweep(tmp_path / "sets", toy_plan(rounds=40, rule_sets=sets))
    write_toy_sweep(tmp_path / "mild", toy_plan(rounds=40, rule_sets={"": ["bear.on_take=2"]}))
    folder = str(tmp_path / "sets")
    said = printed("compare", f"{folder}+printed", f"{folder}+weak")
    assert 'printed rules. Second: 2nd edition (2024), rule set "weak". One rule value' in said
    assert ["bear.on_take", "4", "1"] in [line.split()[:3] for line in said.splitlines()]
    said = printed("compare", tmp_path / "mild", folder)
    assert 'changed rules and 2nd edition (2024), rule set "mild": both sides play the same' in said
    assert "Left out, without a counterpart:" in said
    assert "did you mean 'weak'" in refusal("compare", f"{folder}+wek", folder)


def test_another_mode_is_not_the_same_rules():
    plan = toy_plan(rounds=40)
    (partition,) = plan.rounds
    other = replace(partition, mode="recruitment")
    cells = tuple(replace(cell, partition=other) for cell in plan.cells)
    changed = replace(plan, cells=cells, rounds={other: 40})
    comparison = compare_sides(
        Side("standard", toy_evidence(plan)), Side("recruitment", toy_evidence(changed))
    )
    text = as_markdown(as_document(comparison), "")
    assert "Recruitment variant, printed rules. No rule value differs." in text
    assert "the same rules" not in text


def test_a_question_mark_in_a_table_is_explained():
    evidence = toy_evidence(toy_plan(rounds=4))
    text = as_markdown(as_document(compare_sides(Side("a", evidence), Side("b", evidence))), "")
    assert " ? |" in text
    assert "? means too few games" in text


def test_a_folder_with_the_name_of_an_edition_is_not_taken_for_the_edition(
    tmp_path, printed, refusal, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_toy_sweep(tmp_path / "second", toy_plan(rounds=40))
    assert "write './second' for the folder" in refusal("compare", "first", "second")
    assert "no number differs" in printed("compare", "./second", "./second")
