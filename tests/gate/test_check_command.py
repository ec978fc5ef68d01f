"""`ethnos-sim check` and `init`: a user's folder that is guarded from its first baseline."""

from dataclasses import replace
from pathlib import Path

import pytest
from commands import run
from inside import module_with
from inside.experiments import RuleSetName
from inside.reports.gate import gate_plans, read_baseline, write_baseline

BUNDLED = module_with("reports.gate", "read_baseline").BUNDLED


def checked(folder: Path) -> tuple[object, ...]:
    """The command that checks a project's folder."""
    return ("check", "--baseline", folder / "baseline.toml")


def test_init_copies_the_file_of_a_custom_power(tmp_path, printed):
    assert run("init", tmp_path / "example") == 0
    again = tmp_path / "again"
    word = f"second+clans.heron={tmp_path / 'example' / 'heron.py'}:heron"
    assert run("init", again, "--edition", word) == 0
    assert (again / "heron.py").read_bytes() == (tmp_path / "example" / "heron.py").read_bytes()
    shown = printed("rules", "show", f"second+{again / 'variant.toml'}")
    assert "heron.times_cards" in shown


def test_an_unchanged_project_passes(project, tmp_path, printed):
    summary = tmp_path / "check.md"
    words = ("--markdown", summary)
    said = printed(*checked(project), "--set", project / "variant.toml", *words)
    assert said.splitlines()[-1].startswith("Passed: 1 of 1 signatures")
    assert summary.read_text(encoding="utf-8").startswith("# ethnos-sim check")


def test_a_changed_rule_ends_with_3_and_names_its_rows(project, printed):
    said = printed(*checked(project), "--set", "bear.on_take=20", code=3)
    assert "second standard 3" in said
    assert said.splitlines()[-1].startswith("Balance moved: 0 of 1 signatures")
    assert "Prestige of a seat" in said


def test_a_change_fails_without_signatures_too(project, printed):
    printed(*checked(project), "--only", "balance", "--set", "bear.on_take=20", code=3)
    printed(*checked(project), "--only", "signatures", "--set", "bear.on_take=20", code=5)
    printed(*checked(project), "--only", "signatures")


def test_too_few_games_end_with_4(project, tmp_path, printed):
    baseline = read_baseline(project / "baseline.toml")
    few = [{**play, "games": 900} for play in baseline.plays]
    (tmp_path / "variant.toml").write_bytes((project / "variant.toml").read_bytes())
    write_baseline(tmp_path / "baseline.toml", replace(baseline, plays=tuple(few)))
    printed(*checked(tmp_path), "--only", "balance", code=4)


def test_a_changed_signature_fails_until_it_is_recorded(project, tmp_path, printed):
    for name in ("variant.toml", "baseline.toml", "signatures.toml"):
        (tmp_path / name).write_bytes((project / name).read_bytes())
    variant = (tmp_path / "variant.toml").read_text(encoding="utf-8")
    changed = variant.replace('"bear.on_take" = 3', '"bear.on_take" = 9')
    assert changed != variant
    (tmp_path / "variant.toml").write_text(changed, encoding="utf-8")
    printed(*checked(tmp_path), "--only", "signatures", code=5)
    record = ("check", "record", *checked(tmp_path)[1:], "--only", "signatures")
    assert "1 signatures recorded" in printed(*record)
    printed(*checked(tmp_path), "--only", "signatures")


def test_a_written_baseline_is_read_back_unchanged(project, tmp_path):
    baseline = read_baseline(project / "baseline.toml")
    write_baseline(tmp_path / "again.toml", baseline)
    again = read_baseline(tmp_path / "again.toml")
    assert again.plays == baseline.plays
    assert again.rows.equals(baseline.rows)
    assert (baseline.rows["error"] >= 0).all()
    assert (baseline.rows["games"] > 0).all()


def test_check_refuses_what_its_baseline_cannot_play(project, tmp_path, refusal):
    assert "modes" in refusal(*checked(project), "--set", "recruitment")
    (tmp_path / "spec.toml").write_bytes((project / "spec.toml").read_bytes())
    words = ("--baseline", project / "baseline.toml", "--spec", tmp_path / "spec.toml")
    assert "in the same folder" in refusal("check", "record", *words)


def test_plans_of_the_gate_share_no_deals():
    baseline = read_baseline(BUNDLED)
    plans = gate_plans(baseline.plays, folder=BUNDLED.parent, seed=3)
    assert len({plan.seed for plan in plans}) == len(plans)
    assert len(plans) > 10


def test_every_line_up_plays_a_round_however_small_the_budget(project):
    baseline = read_baseline(project / "baseline.toml")
    plans = gate_plans(baseline.plays, folder=project, seed=1, share=1e-9)
    assert {rounds for plan in plans for rounds in plan.rounds.values()} == {1}


def test_the_bundled_baseline_covers_every_edition_and_player_count():
    baseline = read_baseline(BUNDLED)
    rule_sets = {(situation.rule_set, situation.players) for situation in baseline.situations}
    assert {
        (RuleSetName(e, "standard"), n) for e in ("first", "second") for n in range(2, 7)
    } <= rule_sets
    assert (RuleSetName("second", "recruitment"), 4) in rule_sets
    assert any(rule_set.mode.startswith("solo") for rule_set, _ in rule_sets)


def test_a_file_that_is_not_a_baseline_is_wrong_input(tmp_path, refusal):
    for text, said in (
        ("format = 4", "no baseline"),
        ("format = 3", "has format 3"),
        ('edition = "second"', "is not a baseline: it has no key 'format'"),
        ("=", "cannot be read"),
    ):
        path = tmp_path / "baseline.toml"
        path.write_text(text, encoding="utf-8")
        assert said in refusal("check", "--baseline", path, "--only", "balance")


WORTH = """
name = "Worth"
games = 60_000
editions = ["second"]
players = [4]
clan_sets = { sample = 12 }
line_ups = [{ strategies = ["greedy"], gives_up = true }]
rules = { set = { "bear.on_take" = 2 } }
"""


@pytest.mark.long
def test_a_quick_check_finds_by_its_worth_that_a_clan_pays_one_prestige_more(tmp_path, printed):
    """Games in which clans are given up are played in full, against margins that are not wider."""
    (tmp_path / "spec.toml").write_text(WORTH, encoding="utf-8")
    baseline = ("--baseline", tmp_path / "baseline.toml")
    recorded = printed(
        *("check", "record", "--only", "balance", *baseline, "--spec", tmp_path / "spec.toml")
    )
    assert "11 numbers recorded" in recorded
    words = ("check", "--only", "balance", "--quick", *baseline)
    assert "Bear: worth" in printed(*words, "--set", "bear.on_take=3", code=3)
    printed(*words)
