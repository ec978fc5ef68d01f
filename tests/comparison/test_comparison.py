"""Compare two rule sets that are played now."""

import json

import pytest
from inside.experiments import Verdict
from inside.reports import Setup, as_markdown, headline_numbers, run_study
from inside.reports.comparison import (
    MAX_NAMED_NUMBERS,
    ComparedNumber,
    ComparisonStudy,
    Side,
    as_document,
    balance_change,
    balance_sentence,
    changed_sentences,
    compare_sides,
    plan_of,
    with_verdicts,
)
from inside.reports.rendering import interval_text
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim.simulator import RuleSet

KEYS = {
    "estimand", "name", "first", "second", "difference", "low", "high", "margin", "verdict", "unit",
}  # fmt: skip


def number_of(comparison, definition, name):
    """A number of both sides."""
    (number,) = [number for number in comparison.numbers if number.labels == (definition, name)]
    return number


def rules(text):
    """The rules of a side from a word."""
    return RuleSet.parse(text, "standard")


@pytest.fixture(scope="module")
def toy():
    """Toy sweeps with a strong deer, with and without a strong bear, on the same deals."""
    plan = toy_plan(rounds=1500)
    sides = [
        Side(label, toy_evidence(plan, Truth(effects=effects)))
        for label, effects in (
            ("plain", {"deer": 0.2}),
            ("strong bear", {"deer": 0.2, "bear": 0.4}),
        )
    ]
    return compare_sides(*sides)


def test_a_planted_change_is_found_and_named_and_other_numbers_are_alike(toy):
    bear = number_of(toy, "win_lift", "bear")
    assert bear.verdict is Verdict.MATTERS
    assert bear.difference.low > 0.05
    assert number_of(toy, "game_shape", "parties").verdict is Verdict.ALIKE
    assert number_of(toy, "seat_edge", "first").verdict is not Verdict.MATTERS
    (line,) = changed_sentences(toy.numbers)
    assert line.startswith("What matters, the clearest first: ")
    assert line.count(" (") == min(toy.counts[Verdict.MATTERS], MAX_NAMED_NUMBERS)
    assert f"Bear: win lift ({interval_text(bear.difference)})" in line


def test_a_side_does_not_differ_from_itself():
    evidence = toy_evidence(toy_plan(rounds=400))
    comparison = compare_sides(Side("a", evidence), Side("again", evidence))
    assert {number.difference.value for number in comparison.numbers} == {0.0}
    assert {n.verdict for n in comparison.numbers if n.difference.low is not None} == {
        Verdict.ALIKE
    }
    assert "No rule value differs." in as_markdown(as_document(comparison))


def test_the_balance_sentence_follows_the_change_of_the_spread():
    plan = toy_plan(rounds=1500)
    effects = {"deer": 0.3, "bear": 0.4, "fox": -0.3}
    sides = [
        Side(label, toy_evidence(plan, Truth(effects=planted)))
        for label, planted in (("wild", effects), ("tame", {}))
    ]
    balance = _balance(*sides)
    assert balance.verdict is Verdict.MATTERS
    assert balance.difference.high < 0
    assert balance_sentence(balance).startswith("More balanced: a typical clan is ")
    back = _balance(*reversed(sides))
    assert back.difference.value == pytest.approx(-balance.difference.value)
    assert balance_sentence(back).startswith("Less balanced")
    assert "cannot be told" in balance_sentence(compare_sides(*sides).balance)


def _balance(*sides: Side) -> ComparedNumber:
    """The change of the spread of win lift, as if it were the clans' worth."""
    numbers = (headline_numbers(side.evidence) for side in sides)
    renamed = (table.rename_labels({"win_lift": "worth"}, "estimand") for table in numbers)
    ((balance,),) = with_verdicts([balance_change(*renamed, same_deals=True)])
    return balance


def test_a_question_mark_in_a_table_is_explained():
    evidence = toy_evidence(toy_plan(rounds=4))
    text = as_markdown(as_document(compare_sides(Side("a", evidence), Side("b", evidence))))
    assert " ? |" in text
    assert "? means too few games" in text


def test_editions_are_compared_with_clans_paired_by_power():
    sides = [
        Side(edition, toy_evidence(toy_plan(edition=edition, rounds=400)))
        for edition in ("first", "second")
    ]
    names = {number.first.name for number in compare_sides(*sides).numbers}
    assert "giant" in names
    assert "bear" not in names


def test_two_rule_sets_are_played_on_the_same_deals():
    setup = Setup(players=3, strategies=["greedy", "random"], seed=5, games=2000)
    sides = rules("second"), rules("second+bear.on_take=20")
    study = ComparisonStudy(*sides, setup)
    assert {plan.seed for plan in study.plans()} == {5}
    comparison = run_study(study)
    assert number_of(comparison, "game_shape", "mean_prestige").difference.value > 1


def test_a_side_with_few_clans_is_played_with_all_its_clan_sets():
    setup = Setup(players=4, strategies=["greedy"], seed=5, games=70)
    for gone, played in ((("bear", "deer"), 12), (("bear", "deer", "dog", "fox", "koi"), 7)):
        side = rules("second" + "".join(f"+clans.{clan}=false" for clan in gone))
        plan = plan_of(setup, side, None, games=70)
        assert len({cell.clans for cell in plan.cells}) == played


def test_json_keeps_its_keys(printed):
    words = ["compare", "second+recruitment+hand_limit=9", "--strategies", "greedy"]
    record = json.loads(printed(*words, "--games", "16000", "--players", "3", "--json"))
    assert set(record) == {
        "format", "first", "second", "rules_that_differ", "counts", "balance", "numbers",
    }  # fmt: skip
    assert set(record["first"]) == {
        "label", "games", "rules_id", "edition", "mode", "players", "population",
    }  # fmt: skip
    assert record["second"]["mode"] == "recruitment"
    (differing,) = record["rules_that_differ"]
    assert differing["first_name"] == "hand_limit"
    assert (differing["first"], differing["second"]) == (10, 9)
    assert set(record["balance"]) == KEYS
    assert {frozenset(number) for number in record["numbers"]} == {frozenset(KEYS)}


def test_solo_is_compared_too(printed):
    words = ["compare", "second+solo-regular+hand_limit=12", "--strategies", "greedy"]
    numbers = json.loads(printed(*words, "--games", "300", "--json"))["numbers"]
    assert [number["estimand"] for number in numbers] == ["solo_win_rate"]
