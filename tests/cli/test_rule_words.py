"""A rule set is written in one word, and means the same wherever it is named."""

import json
import shlex
from pathlib import Path

import pytest
from commands import run
from inside.experiments import make_variant_folder

from ethnos_sim import load_rules, make_env, play_batch, rate_strategies
from ethnos_sim.simulator import RuleSet

CHANGED = load_rules("second", overrides="bear.on_take=2")
WORD = "second+bear.on_take=2"
PAIR = "--strategies greedy,random"
TABLE = "--clans bear,fox,koi,owl,deer,tiger"


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (f"rules show {WORD} --json", "rules_id"),
        (f"match --edition {WORD} --strategies greedy --games 8 --json", "rules_id"),
        ("match --edition 2+bear.on_take=2 --strategies greedy --games 8 --json", "rules_id"),
        ("match --edition 'second+b/bear.toml' --strategies greedy --games 8 --json", "rules_id"),
        (f"table --edition {WORD} {TABLE} --strategies greedy --games 1000 --json", "rules_id"),
        (f"strategies rate --edition {WORD} {PAIR} --games 80 --json", "rules_id"),
        (f"play --edition {WORD} --strategies greedy --out game.jsonl", None),
    ],
)
def test_every_command_takes_rules_in_one_word(tmp_path, monkeypatch, capsys, words, key) -> None:
    monkeypatch.chdir(tmp_path)
    Path("b").mkdir()
    Path("b/bear.toml").write_text("[set]\nbear.on_take = 2\n", encoding="utf-8")
    assert run(*shlex.split(words)) == 0
    if key is None:
        record = json.loads(Path("game.jsonl").read_text(encoding="utf-8"))
        assert record["rules"]["bear.on_take"] == 2
    else:
        assert json.loads(capsys.readouterr().out)[key] == CHANGED.rules_id


def test_the_python_interface_takes_rules_in_one_word() -> None:
    assert load_rules(WORD) == CHANGED == RuleSet.parse(WORD).rules()
    assert RuleSet.of_rules(CHANGED) == RuleSet.parse(WORD)
    batch = play_batch(f"{WORD}+recruitment", "greedy", games=4)
    plain = play_batch(CHANGED, "greedy", games=4, mode="recruitment")
    assert batch.seats().equals(plain.seats())
    rating = rate_strategies("greedy,random", f"{WORD}+recruitment", games=80, quiet=True)
    assert rating.frame().height == 2
    env = make_env(RuleSet.parse(WORD), kind="single", opponents="greedy")
    assert env.reset(seed=1)[0] is not None


def test_a_folder_for_a_variant_takes_the_changes_of_a_word(tmp_path) -> None:
    make_variant_folder(tmp_path / "new", RuleSet.parse(WORD))
    assert load_rules(f"second+{tmp_path / 'new' / 'variant.toml'}").rules_id == CHANGED.rules_id


def test_a_variant_may_have_a_byte_order_mark_and_windows_line_ends(tmp_path) -> None:
    variant = tmp_path / "variant.toml"
    variant.write_bytes(b"\xef\xbb\xbf[set]\r\nbear.on_take = 2\r\n")
    assert load_rules("second", [variant]).rules_id == CHANGED.rules_id


def test_a_word_is_read_as_it_is_written() -> None:
    for word in ("second", "first+recruitment+optional-marker+hand_limit=9"):
        assert RuleSet.parse(word).word == word
