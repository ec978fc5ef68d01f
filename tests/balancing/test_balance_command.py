"""`ethnos-sim balance` writes a variant, continues an earlier search, and refuses bad input."""

import tomllib
from pathlib import Path

import pytest
from commands import run

from ethnos_sim import open_results
from ethnos_sim.simulator import load_rules

pytestmark = pytest.mark.long

WORDS = (
    "balance", "--edition", "second+bear.on_take=40", "--vary", "bear.on_take=0..40:8", "--target",
    "worth:bear", "--strategies", "greedy", "--validate-with", "warden", "--games", "40000",
    "--jobs", "1",
)  # fmt: skip


@pytest.fixture(scope="module")
def searched(tmp_path_factory) -> Path:
    """The folder of a real search, for a rule set with one grossly strong power."""
    folder = tmp_path_factory.mktemp("balance") / "found"
    assert run(*WORDS, "--quiet", "--out", folder) == 0
    return folder


def test_a_planted_power_is_undone_and_the_variant_can_be_used(searched: Path) -> None:
    variant = searched / "variant.toml"
    content = tomllib.loads(variant.read_text())
    assert content["set"]["bear.on_take"] < 24
    load_rules("second", variant)
    names = [part.name for part in open_results(searched / "validation" / "search").plan.editions]
    assert names[:2] == ["rules-0", "rules-1"]


def test_a_search_continues_in_its_folder_with_the_same_result(searched: Path, capsys) -> None:
    before = {path: path.read_bytes() for path in sorted(searched.rglob("*.parquet"))}
    last = max(path for path in before if "evaluations" in path.parts)
    last.unlink()
    assert run(*WORDS, "--out", searched) == 0
    said = capsys.readouterr()
    assert "Plays about 40,000 games: 20,000 search" in said.err.splitlines()[0]
    assert "Recommended: bear.on_take 40 to" in said.out
    assert "Under warden: " in said.out
    assert {path: path.read_bytes() for path in sorted(searched.rglob("*.parquet"))} == before


def test_a_folder_of_another_search_is_refused(searched: Path, refusal) -> None:
    assert "differs in seed" in refusal(*WORDS, "--seed", "2", "--out", searched)
