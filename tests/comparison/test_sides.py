"""Compare two results, or two rule sets that are played now."""

import json
from dataclasses import replace

import pytest
from commands import run
from inside.reports.comparison import (
    MOST_THAT_MATTER,
    MatchedSituation,
    Side,
    TwoRuleSets,
    balance_sentence,
    changed_sentences,
    compare_sides,
    deals_sentence,
    plan_of,
)
from inside.reports.rendering import with_interval
from toy_sweep import Truth, toy_evidence, toy_plan, write_toy_sweep

from ethnos_sim.experiments import Verdict
from ethnos_sim.reports import Setup, run_study
from ethnos_sim.simulator import RuleSet, WrongInput

KEYS = {
    "estimand", "name", "first", "second", "difference", "low", "high", "margin", "verdict", "unit",
}  # fmt: skip


def number_of(comparison, definition, name):
    """A number of the first situation."""
    (number,) = [
        number for number in comparison.matched[0].numbers if number.about == (definition, name)
    ]
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
    (line,) = changed_sentences(toy)
    assert line.startswith("What matters, the clearest first: ")
    assert line.count(" (") == min(toy.counts[Verdict.MATTERS], MOST_THAT_MATTER)
    assert f"Bear: win lift ({with_interval(bear.difference)})" in line


def test_a_side_does_not_differ_from_itself():
    evidence = toy_evidence(toy_plan(rounds=400))
    comparison = compare_sides(Side("a", evidence), Side("again", evidence))
    numbers = [number for match in comparison.matched for number in match.numbers]
    assert {number.difference.value for number in numbers} == {0.0}
    assert {number.verdict for number in numbers if number.difference.low is not None} == {
        Verdict.ALIKE
    }
    assert deals_sentence(comparison, comparison.matched[0]) == (
        "Both sides play the same rules and played the same deals, and no number differs."
    )


def test_sides_without_common_games_are_refused():
    four, five = (toy_evidence(toy_plan(players=(n,), rounds=40)) for n in (4, 5))
    with pytest.raises(WrongInput, match="nothing in common"):
        compare_sides(Side("four", four), Side("five", five))


def test_equal_rules_on_other_deals_differ_by_chance():
    plan = toy_plan(rounds=40)
    comparison = compare_sides(
        Side("a", toy_evidence(plan)), Side("b", toy_evidence(replace(plan, seed=8), seed=2))
    )
    said = deals_sentence(comparison, comparison.matched[0])
    assert "play the same rules and played different deals" in said


def test_the_balance_sentence_follows_the_change_of_the_spread():
    plan = toy_plan(rounds=1500)
    effects = {"deer": 0.3, "bear": 0.4, "fox": -0.3}
    sides = [
        Side(label, toy_evidence(plan, Truth(effects=planted)))
        for label, planted in (("wild", effects), ("tame", {}))
    ]
    (match,) = compare_sides(*sides).matched
    assert match.balance.verdict is Verdict.MATTERS
    assert match.balance.difference.high < 0
    assert balance_sentence(match).startswith("Balance is open: in too few games clans")
    assert balance_sentence(_by_worth(match)).startswith("More balanced: a typical clan is ")
    (back,) = compare_sides(*reversed(sides)).matched
    assert back.balance.difference.value == pytest.approx(-match.balance.difference.value)
    assert balance_sentence(_by_worth(back)).startswith("Less balanced")


def _by_worth(match: MatchedSituation) -> MatchedSituation:
    """The match, as if its spread were the spread of the clans' worth."""
    first = replace(match.balance.first, name="worth")
    return replace(match, balance=replace(match.balance, first=first))


def test_editions_are_compared_with_clans_paired_by_worth():
    sides = [
        Side(edition, toy_evidence(toy_plan(edition=edition, rounds=400)))
        for edition in ("first", "second")
    ]
    names = {number.first.name for number in compare_sides(*sides).matched[0].numbers}
    assert "giant" in names
    assert "bear" not in names


def test_folders_are_compared(tmp_path, printed):
    for name, effects in (("a", {}), ("b", {"bear": 0.4})):
        write_toy_sweep(tmp_path / name, toy_plan(rounds=1500), Truth(effects=effects))
    page = tmp_path / "compared.html"
    said = printed("compare", tmp_path / "a", tmp_path / "b", "--out", page).splitlines()
    assert "- Both sides play the same rules and played the same deals." in said
    assert any(line.startswith("Bear: win lift\t") for line in said)
    assert said[-1] == str(page)
    assert "Bear: win lift" in page.read_text(encoding="utf-8")


def test_two_rule_sets_are_played_on_the_same_deals():
    setup = Setup(players=3, strategies=["greedy", "random"], seed=5, games=2000)
    sides = rules("second"), rules("second+bear.on_take=20")
    comparison = run_study(TwoRuleSets(*sides, setup))
    assert comparison.matched[0].paired
    assert number_of(comparison, "game_shape", "mean_prestige").difference.value > 1


def test_a_side_with_few_clans_is_played_with_all_its_clan_sets():
    setup = Setup(players=4, strategies=["greedy"], seed=5, games=70)
    for gone, played in ((("bear", "deer"), 12), (("bear", "deer", "dog", "fox", "koi"), 7)):
        side = rules("second" + "".join(f"+clans.{clan}=false" for clan in gone))
        plan = plan_of(setup, side, None, games=70)
        assert len({cell.clans for cell in plan.cells}) == played


def test_json_keeps_its_keys(printed):
    words = ["compare", "second+recruitment+hand_limit=9", "--strategies", "greedy"]
    record = json.loads(printed(*words, "--games", "3200", "--players", "3", "--json"))
    assert set(record) == {"format", "first", "second", "counts", "left_out", "situations"}
    assert set(record["first"]) == {"label", "games", "seeds", "rules"}
    (situation,) = record["situations"]
    assert situation["paired"] is True
    assert situation["second"]["mode"] == "recruitment"
    (differing,) = situation["rules_that_differ"]
    assert (differing["first_name"], differing["first"], differing["second"]) == (
        "hand_limit",
        10,
        9,
    )
    assert set(situation["balance"]) == KEYS
    assert {frozenset(number) for number in situation["numbers"]} == {frozenset(KEYS)}


def test_solo_is_compared_too(capsys):
    words = ["compare", "second+solo-regular+hand_limit=12", "--strategies"]
    assert run(*words, "greedy", "--games", "300", "--json") == 0
    numbers = json.loads(capsys.readouterr().out)["situations"][0]["numbers"]
    assert [number["estimand"] for number in numbers] == ["solo_win_rate"]
