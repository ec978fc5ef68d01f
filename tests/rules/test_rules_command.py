"""`ethnos-sim rules` shows values, differences and sources; wrong names end with 2."""

import json
from pathlib import Path

import pytest

from ethnos_sim.main import run
from ethnos_sim.simulator import EDITIONS, load_rules


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_show_takes_the_second_edition_unless_told_otherwise(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rules", "show"]) == 0
    assert capsys.readouterr().out.startswith("2nd edition (2024), rules ")


def test_show_marks_what_was_set(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rules", "show", "--variant", "ten-wild-wins", "--set", "bear.on_take=2"]
    assert run(words) == 0
    shown = {line[0]: line for line in lines_of(capsys) if line}
    assert shown["bear.on_take"][1:3] == ["2", "override"]
    assert shown["ten_wild_wins"][1:3] == ["true", "override"]
    assert shown["hand_limit"][1:3] == ["10", "certain"]


def test_what_show_prints_can_be_set_again(capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["bear.age_4_6=1,2,3", "raccoon.coins=[]", "optional_marker=true"]
    rules = load_rules("second", overrides=changes)
    assert run(["rules", "show", *(f"--set={change}" for change in changes)]) == 0
    shown = {line[0]: line[1] for line in lines_of(capsys) if len(line) > 1}
    again = [f"{name}={shown[name]}" for name in rules.values()]
    assert load_rules("second", overrides=again) == rules


def test_show_as_json_holds_values_ids_and_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "show", "first", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    rules = load_rules("first")
    assert record["rules_id"] == rules.rules_id
    assert record["values"] == rules.trace_values()
    assert record["clans"]["giant"] == "largest_token"
    assert record["regions"]["grey"] == "Pelagon"
    assert record["words"]["party"] == "band"
    assert record["provenance"]["giant.on_take"]["confidence"] == "certain"


def test_diff_compares_an_edition_with_its_variant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "house.toml"
    path.write_text("[set]\nhand_limit = 8\n", encoding="utf-8")
    assert run(["rules", "diff", "second", f"second+{path}"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[:3] for line in out.splitlines()[2:3]] == [["hand_limit", "10", "8"]]
    assert "Clans by power" not in out


def test_diff_of_equal_rules_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "diff", "second", "second+hand_limit=10"]) == 0
    assert capsys.readouterr().out == "No value differs.\n"


def test_diff_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "diff", "first", "second", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["rules_ids"] == [load_rules(edition).rules_id for edition in EDITIONS]
    assert {"power": "largest_token", "first": "giant", "second": "bear"} in record["powers"]
    assert ["region", "kingdom", "region"] in record["words"]
    by_name = {row["second_name"]: row for row in record["values"]}
    assert (by_name["bear.on_take"]["first"], by_name["bear.on_take"]["second"]) == (2, 4)
    assert by_name["raccoon.coins"]["first"] is None


@pytest.mark.parametrize("edition", EDITIONS)
def test_sources_tell_where_every_value_comes_from(
    edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", "sources", edition]) == 0
    lines = capsys.readouterr().out.splitlines()
    rules = load_rules(edition)
    for name in rules.values():
        (line,) = (line for line in lines if line.startswith(f"{name}\t"))
        assert rules.provenance(name).source in line
        assert rules.provenance(name).confidence in line
    assert any(line.startswith("ten-wild-wins\t") for line in lines)
    listed = any(line.startswith("first-alternative-tokens\t") for line in lines)
    assert listed is (edition == "first")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["show", "secnd"], "unknown edition 'secnd'; did you mean 'second'?"),
        (["show", "--set", "giant.on_take=1"], "did you mean 'bear.on_take'?"),
        (["show", "--set", "hand_limit=99"], "hand_limit must be a whole number from 1 to 15"),
        (["show", "--variant", "ten-wild-win"], "did you mean 'ten-wild-wins'?"),
        (["diff", "first", "secnd"], "did you mean 'second'?"),
        (["diff", "first+hand_limit=x", "second"], "'x' is no value for hand_limit"),
        (["sources", "frist"], "did you mean 'first'?"),
        (["shwo"], "Did you mean 'show'?"),
    ],
)
def test_wrong_names_and_values_end_with_2_and_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Error: ")
    assert sentence in captured.err
    assert captured.err.count("\n") == 1
