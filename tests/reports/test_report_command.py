"""`ethnos-sim report` makes one page from a folder, and refuses a wrong folder in a sentence."""

import re
from pathlib import Path

import polars as pl
import pytest
from commands import MODULE, python, run
from inside import module_with
from inside.experiments import gather_evidence
from inside.reports import Figure, make_report
from toy_sweep import toy_plan, write_toy_sweep

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweep")
    write_toy_sweep(folder, toy_plan(rounds=40))
    return folder


def test_the_page_goes_into_the_folder_and_its_path_is_printed_last(sweep, printed):
    said = printed("report", sweep).splitlines()
    assert said[-1] == str(sweep / "report.html")
    assert (sweep / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (sweep / "report.csv").is_file()


def test_a_page_needs_no_library_that_draws_pictures(sweep, tmp_path) -> None:
    blocked = ("matplotlib", "pandas", "seaborn")
    program = f"import sys\nfor name in {blocked}:\n    sys.modules[name] = None\n"
    program += f"import {MODULE} as main\nsys.exit(main.run(sys.argv[1:]))\n"
    python("-c", program, "report", sweep, "--out", tmp_path / "page.html")
    assert (tmp_path / "page.html").is_file()


@pytest.mark.parametrize("option", ["--card", "--figures"])
def test_a_picture_that_cannot_be_drawn_is_refused_before_the_work(
    sweep, tmp_path, refusal, monkeypatch, option: str
) -> None:
    drawing = module_with("reports", "check_plotting")
    monkeypatch.setattr(drawing, "find_spec", lambda name: None)
    page = tmp_path / "page.html"
    said = refusal("report", sweep, "--out", page, option, tmp_path / "card.svg")
    assert "pip install 'ethnos-sim[plot]'" in said
    assert not page.exists()


def test_the_figures_of_the_page_are_saved_for_slides_in_two_formats(sweep, tmp_path):
    folder = tmp_path / "slides"
    page = tmp_path / "index.html"
    assert run("report", sweep, "--out", page, "--figures", folder) == 0
    blocks = make_report(gather_evidence(sweep)).document.opening_blocks
    figures = [block for block in blocks if isinstance(block, Figure)]
    assert {"seats", "sources"} <= {figure.key for figure in figures}
    names = {f"{figure.key}.{kind}" for figure in figures for kind in ("svg", "png")}
    assert {path.name for path in folder.iterdir()} == names
    for figure in figures:
        drawn = (folder / f"{figure.key}.svg").read_text(encoding="utf-8")
        assert figure.title in drawn
        assert all(mark.label in drawn for mark in figure.marks)
        assert (folder / f"{figure.key}.png").read_bytes().startswith(b"\x89PNG")


def test_a_sweep_without_games_is_wrong_input(tmp_path, refusal):
    write_toy_sweep(tmp_path, toy_plan(rounds=40), shards=0)
    assert "no finished games" in refusal("report", tmp_path)


def test_a_page_without_the_ending_html_is_wrong_input(sweep, tmp_path, refusal):
    assert ".html" in refusal("report", sweep, "--out", tmp_path / "a.pdf")
    assert not list(tmp_path.iterdir())


SPEC = """
seed = 5
games_per_cell = 1280
editions = ["first", "second"]
modes = ["standard", "recruitment"]
players = [2, 4]
line_ups = [["greedy", "random"], ["random"], { strategies = ["random"], gives_up = true }]

[clan_sets]
sample = 3
"""


def written(folder: str) -> list[bytes]:
    """The page of a sweep, its numbers and its card."""
    assert run("report", folder, "--card", f"{folder}/card.svg") == 0
    return [Path(folder, name).read_bytes() for name in ("report.html", "report.csv", "card.svg")]


@pytest.mark.parametrize("games", [1, 3001])
def test_the_command_on_a_page_makes_the_same_bytes_again_whatever_the_size(
    games, tmp_path, monkeypatch
):
    """The command that the page shows also works for a sweep of an odd size."""
    monkeypatch.chdir(tmp_path)
    Path("SPEC.toml").write_text(SPEC)
    assert run("sweep", "SPEC.toml", "--games", str(games), "--out", "DIR", "--quiet") == 0
    first = written("DIR")
    (again,) = re.findall("<td>ethnos-sim (sweep .*) --out DIR &amp;&amp;", first[0].decode())
    assert run(*again.split(), "--out", "elsewhere", "--quiet") == 0
    assert written("elsewhere") == first


def test_a_sweep_over_editions_and_modes_answers_which_is_more_balanced(tmp_path, capsys):
    spec = tmp_path / "both.toml"
    spec.write_text(SPEC)
    assert run("sweep", spec, "--out", tmp_path / "sweep", "--quiet") == 0
    assert run("report", tmp_path / "sweep") == 0
    capsys.readouterr()
    page = (tmp_path / "sweep" / "report.html").read_text(encoding="utf-8")
    for said in ("Which edition is more balanced?", "Does Recruitment help?", "Can one come back?"):
        assert said in page
    stored = pl.read_csv(tmp_path / "sweep" / "report.csv", infer_schema_length=None)
    assert set(stored["mode"]) == {"standard", "recruitment"}
    assert {"win_lift", "seat_edge", "game_shape", "worth"} <= set(stored["estimand"])
