"""A designer's first ten minutes: the README that `init` writes, command by command, to the end."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from ethnos_sim.main import run

#: The same commands with fewer games of a simple player, and no page, which tests of pages make.
SMALL = {
    "play": "--strategies greedy",
    "sweep": "--games 400 --dry-run",
    "compare": "--strategies greedy --games 9600",
}


def commands(readme: str) -> list[list[str]]:
    """The commands that a README has, as words after the program's name."""
    return [shlex.split(line)[1:] for line in re.findall(r"^ {7}(ethnos-sim .+)$", readme, re.M)]


def test_the_readme_of_a_variant_leads_to_whether_it_is_more_balanced(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    assert run(["init", str(tmp_path / "mine"), "--set", "bear.on_take=12"]) == 0
    monkeypatch.chdir(tmp_path / "mine")
    spec = Path("spec.toml").read_text(encoding="utf-8")
    assert 'one_seat = "never_leads"' in spec
    small = spec.replace("learned", "greedy").replace("60000", "12000")
    Path("spec.toml").write_text(small, encoding="utf-8")
    steps = commands(Path("README.md").read_text(encoding="utf-8"))
    assert [words[0] for words in steps] == ["rules", "play", "sweep", "check", "check", "compare"]
    told = []
    for words in steps:
        assert run([*words, *SMALL.get(words[0], "").split()]) == 0, words
        told.append(capsys.readouterr().out)
    differences, game, planned, recorded, checked, compared = told
    assert "bear.on_take" in differences
    assert "Final standing" in game
    assert "no game of the sweep was played" in planned
    assert "numbers recorded" in recorded
    assert checked.splitlines()[-1].startswith("Passed")
    assert re.search(r"^- (More|Less|As) balanced|^- Balance is undecided", compared, re.M), (
        compared
    )
    guarded = Path("baseline.toml").read_text(encoding="utf-8")
    assert "restricted_play" in guarded
