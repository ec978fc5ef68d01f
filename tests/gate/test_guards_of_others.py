"""Guards for other people's repositories: the action, the hook, and the folder of `init`."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from commands import run
from inside.reports.estimators import CLAN
from inside.reports.gate import GAMES_FACTOR, SPARE_ERRORS, gate_plans, read_plays, widest_error
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def step(name: str) -> dict[str, Any]:
    (chosen,) = (step for step in ACTION["runs"]["steps"] if step.get("name") == name)
    return chosen


def with_command(**more: str) -> dict[str, str]:
    """The environment with this `ethnos-sim` first on the path."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **more}


def test_the_action_posts_the_changes_and_has_the_exit_code_of_check(
    project: Path, tmp_path: Path
) -> None:
    inputs = {name: known["default"] for name, known in ACTION["inputs"].items()}
    options = "--only signatures --set bear.on_take=20"
    inputs |= {"directory": str(project), "options": options}
    given = {
        name: inputs[text.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, text in step("Check")["env"].items()
    }
    written = {
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "RUNNER_TEMP": str(tmp_path),
    }
    assert step("Check")["working-directory"] == "${{ inputs.directory }}"
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step("Check")["run"]]
    done = subprocess.run(
        bash,
        cwd=inputs["directory"],
        env=with_command(**given, **written),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 5, done.stderr
    assert (tmp_path / "output").read_text(encoding="utf-8") == "code=5\n"
    summary = (tmp_path / "summary").read_text(encoding="utf-8")
    assert "1 of 1 changed: second standard 3" in summary
    assert ACTION["outputs"]["code"]["value"] == "${{ steps.check.outputs.code }}"


def locked(file: str) -> dict[str, list[Requirement]]:
    """The requirements in a lock file by name; versions may differ by Python and system."""
    text = (ROOT / file).read_text(encoding="utf-8")
    requirements: dict[str, list[Requirement]] = {}
    for line in re.findall(r"^[a-z].*?(?= \\|$)", text, re.M):
        requirement = Requirement(line)
        requirements.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return requirements


@pytest.mark.parametrize(
    ("file", "extras"),
    [("requirements.txt", ()), (".github/constraints.txt", ("test", "docs"))],
)
def test_locked_versions_satisfy_the_requirements_of_the_project(
    file: str, extras: tuple[str, ...]
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for extra in extras:
        needed += project["project"]["optional-dependencies"][extra]
    versions = locked(file)
    for wanted in map(Requirement, needed):
        if wanted.name == "ethnos-sim":
            continue
        for exact in versions[canonicalize_name(wanted.name)]:
            (version,) = exact.specifier
            assert version.operator == "=="
            assert wanted.specifier.contains(version.version), f"make lock: {wanted}, {exact}"


def test_the_action_installs_only_what_is_locked_with_hashes() -> None:
    assert "--require-hashes" in step("Install")["run"]
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    packages = re.split(r"\n(?=[a-z])", text)
    assert len(packages) > 20
    assert all("--hash=sha256:" in package for package in packages)


def test_the_hook_runs_in_a_variants_folder(project: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    words = [*shlex.split(hook["entry"]), *hook["args"]]
    subprocess.run(words, cwd=project, env=with_command(), check=True)


def test_the_workflow_of_a_variant_gives_the_action_only_known_inputs(project: Path) -> None:
    file = project / ".github" / "workflows" / "balance.yml"
    steps = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]["check"]["steps"]
    (guard,) = (step for step in steps if step["uses"] == "./ethnos-sim")
    assert set(guard.get("with", {})) <= set(ACTION["inputs"])
    assert steps[0]["with"]["submodules"] is True


#: The same commands with fewer games and a simple player.
SMALL = {
    "play": "--strategies greedy",
    "sweep": "--games 400 --dry-run",
    "compare": "--strategies greedy --games 9600",
}


def commands(readme: str) -> list[list[str]]:
    """The commands in a README, as words after the program's name."""
    return [shlex.split(line)[1:] for line in re.findall(r"^ {7}(ethnos-sim .+)$", readme, re.M)]


def test_the_example_of_init_plays_its_custom_power_and_its_new_clan(tmp_path, monkeypatch):
    """The second step of its README plays a game with both, and the third plans its sweep."""
    assert run("init", tmp_path / "mine") == 0
    monkeypatch.chdir(tmp_path / "mine")
    _, play, sweep, *_ = commands(Path("README.md").read_text(encoding="utf-8"))
    clans = play[play.index("--clans") + 1].split(",")
    assert clans[:2] == ["heron", "phoenix"]
    for words in (play, sweep):
        assert run(*words, *SMALL[words[0]].split()) == 0, words


def test_the_steps_of_a_variants_readme_end_with_a_verdict_on_its_balance(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    assert run("init", tmp_path / "mine", "--edition", "second+bear.on_take=12") == 0
    monkeypatch.chdir(tmp_path / "mine")
    spec = Path("spec.toml").read_text(encoding="utf-8")
    assert "gives_up = true" in spec
    small = spec.replace("learned", "greedy").replace("100000", "12000")
    Path("spec.toml").write_text(small, encoding="utf-8")
    steps = commands(Path("README.md").read_text(encoding="utf-8"))
    assert [words[0] for words in steps[:4]] == ["rules", "play", "sweep", "report"]
    assert [words[0] for words in steps[4:]] == ["check", "check", "compare"]
    del steps[3]  # other tests make pages
    outputs = []
    for words in steps:
        assert run(*words, *SMALL.get(words[0], "").split()) == 0, words
        outputs.append(capsys.readouterr().out)
    differences, game, planned, recorded, checked, compared = outputs
    assert "bear.on_take" in differences
    assert "Final standing" in game
    assert "--clans" not in steps[1]
    assert "no game of the sweep was played" in planned
    assert "numbers recorded" in recorded
    assert checked.splitlines()[-1].startswith("Passed")
    assert re.search(r"^- (More|Less|As) balanced|^- Balance is open", compared, re.M), compared


def test_the_spec_of_a_variant_has_enough_games_to_guard_the_worth_of_each_clan(tmp_path):
    """A share of a quarter has the error √(3/16 / games); a baseline has five runs' games."""
    assert run("init", tmp_path / "mine", "--edition", "second+bear.on_take=12") == 0
    plays = read_plays(tmp_path / "mine" / "spec.toml")
    plans = gate_plans(plays, folder=tmp_path / "mine", seed=1)
    games = sum(
        plan.rounds[cell.partition] * cell.games_per_round
        for plan in plans
        for cell in plan.cells
        if cell.kind == "gives_up"
    )
    of_clan = 4 * games / 11
    error = np.sqrt(3 / 16 / of_clan * (1 + 1 / GAMES_FACTOR))
    margin = CLAN.size_in("share_difference", 4)
    assert error < widest_error(np.asarray(60.0), np.asarray(margin), SPARE_ERRORS)
