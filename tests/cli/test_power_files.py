"""Whose Python a rule set may name, and when it runs."""

from pathlib import Path

import pytest
from commands import run

SPEC = """
name = "tried"
games = 4
players = [2]
clan_sets = { sample = 1 }
line_ups = [["random"]]
"""


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A folder of variants beside a Python module that leaves a mark if it runs."""
    text = f"open({str(tmp_path / 'mark')!r}, 'w').close()\n"
    (tmp_path / "evil.py").write_text(text)
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "near.py").write_text(text)
    (folder / "link.py").symlink_to(tmp_path / "evil.py")
    (folder / "away").symlink_to(tmp_path)
    return folder


@pytest.mark.parametrize(
    "place", ["../evil.py", "{}/evil.py", "link.py", "away/evil.py", "x/../../evil.py"]
)
@pytest.mark.parametrize("named_in", ["variant", "spec"])
def test_a_variant_or_spec_may_name_only_python_beside_it(
    place: str, named_in: str, evil: Path, refusal
):
    power = f"{place.format(evil.parent)}:p"
    variant, spec = evil / "variant.toml", evil / "spec.toml"
    variant.write_text(f'[clans]\nphoenix = "{power}"\n')
    named = {
        "variant": f'variant = "{variant}"',
        "spec": f'set = {{ "clans.phoenix" = "{power}" }}',
    }
    spec.write_text(f"{SPEC}rules = {{ {named[named_in]} }}\n")
    assert "is not in its folder" in refusal("sweep", spec, "--out", evil / "out")
    if named_in == "variant":
        assert "is not in its folder" in refusal("play", "--edition", f"second+{variant}")
    assert not (evil.parent / "mark").exists()


def test_the_python_of_a_variant_is_run_only_to_play_games(
    evil: Path, refusal, printed, capsys
) -> None:
    variant, spec, mark = evil / "variant.toml", evil / "spec.toml", evil.parent / "mark"
    variant.write_text('[clans]\nphoenix = "near.py:p"\n')
    spec.write_text(f'{SPEC}rules = {{ variant = "variant.toml" }}\n')
    assert "its custom powers were not run" in printed("rules", "show", f"second+{variant}")
    assert run("rules", "show", f"second+{variant}", "--json") == 0
    assert run("rules", "diff", "second", f"second+{variant}") == 0
    capsys.readouterr()
    assert "and a dry run does not run their Python" in printed("sweep", spec, "--dry-run")
    assert not mark.exists()
    assert "near.py' has no power 'p'" in refusal("play", "--edition", f"second+{variant}")
    assert mark.exists()
