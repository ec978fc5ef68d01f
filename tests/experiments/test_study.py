"""`ethnos-sim sweep` plays several specs into one folder, and continues them."""

from pathlib import Path

import pytest
from commands import run
from inside import module_with
from inside.experiments.execution import plan_study
from inside.experiments.specs import bundled_path

from ethnos_sim import open_results
from ethnos_sim.simulator import WrongInput

specs = module_with("experiments.specs", "load_spec")

SPEC = """
name = "{name}"
seed = {seed}
players = [4]
games = 512
quick_games = 128
clan_sets = {{ sample = 4 }}
line_ups = [["greedy"]]
"""


@pytest.fixture(autouse=True)
def experiments(tmp_path, monkeypatch) -> Path:
    """Two small experiments in place of the bundled ones."""
    folder = tmp_path / "specs"
    folder.mkdir()
    for seed, name in enumerate(("alpha", "beta"), 1):
        (folder / f"{name}.toml").write_text(SPEC.format(name=name, seed=seed), encoding="utf-8")
    monkeypatch.setattr(specs, "_SPECS", folder)
    monkeypatch.chdir(tmp_path)
    return folder


def held(folder: Path) -> int:
    return open_results(folder).games_held


def test_a_study_plays_all_experiments_and_makes_their_page(tmp_path, printed, capsys) -> None:
    out = tmp_path / "out"
    said = printed("sweep", "all", "--out", out, "--quick", "--jobs", 2, "--quiet")
    assert "1 of 2: alpha" in said
    assert "2 of 2: beta" in said
    assert said.splitlines()[-1] == f"Next: ethnos-sim report {out}"
    assert held(out / "alpha") == held(out / "beta") == 128
    assert run("sweep", "all", "--out", out, "--quiet") == 0
    assert held(out / "alpha") == held(out / "beta") == 512
    assert run("sweep", "alpha", "beta", "--out", out, "--quiet") == 0
    assert capsys.readouterr().out.count("Nothing was left to play.") == 2
    (out / "notes").mkdir()
    assert printed("report", out).splitlines()[-1] == str(out / "report.html")
    assert "1,024 games" in (out / "report.html").read_text(encoding="utf-8")


def test_an_experiment_is_taken_from_the_package_not_from_a_file_of_its_name(tmp_path) -> None:
    (tmp_path / "alpha").write_text("not a spec", encoding="utf-8")
    plans = plan_study(["alpha", "alpha"], tmp_path / "out")
    assert {folder: plan.games for folder, plan in plans.items()} == {tmp_path / "out/alpha": 512}


def test_two_specs_of_one_name_are_refused_before_the_first_game(tmp_path, experiments) -> None:
    with pytest.raises(WrongInput, match="two specs are called 'alpha'"):
        plan_study(["alpha", str(experiments / "alpha.toml")], tmp_path / "out")


def test_a_results_folder_of_the_same_name_does_not_hide_an_experiment(tmp_path) -> None:
    assert run("sweep", "alpha", "--quick", "--out", "alpha", "--quiet") == 0
    assert run("sweep", "alpha", "--out", "alpha", "--quiet") == 0
    assert held(tmp_path / "alpha") == 512


def test_a_given_seed_gives_each_experiment_its_own_seed(tmp_path) -> None:
    plans = [plan_study([], tmp_path / "out", seed=seed) for seed in (None, 5)]
    assert [[plan.seed for plan in by_folder.values()] for by_folder in plans] == [[1, 2], [5, 6]]


def test_all_experiments_are_checked_before_the_first_game(tmp_path, refusal) -> None:
    out = tmp_path / "out"
    (out / "beta").mkdir(parents=True)
    (out / "beta" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "beta' is not empty and holds no sweep" in refusal("sweep", "all", "--out", out)
    assert not (out / "alpha").exists()


def test_specs_whose_names_differ_in_capitals_alone_are_refused(tmp_path):
    """On Windows and macOS both would write into one folder."""
    (tmp_path / "other").mkdir()
    paths = [tmp_path / "alpha.toml", tmp_path / "other" / "ALPHA.toml"]
    for path in paths:
        path.write_bytes(bundled_path("alpha").read_bytes())
    with pytest.raises(WrongInput, match="two specs are called 'ALPHA'"):
        plan_study([str(path) for path in paths], tmp_path / "out")
