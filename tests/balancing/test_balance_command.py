"""`ethnos-sim balance` writes a variant, continues an earlier search, and refuses bad input."""

import tomllib
from pathlib import Path

import polars as pl
import pytest
from commands import run

from ethnos_sim import open_results
from ethnos_sim.simulator import load_rules

pytestmark = pytest.mark.long

PLANTED = ("--set", "bear.on_take=40", "--vary", "bear.on_take=0..40:8", "--target", "worth:bear")
SMALL = (
    "--strategies", "greedy", "--games", "30000", "--validation-games", "10000", "--tuning-games",
    "0",
)  # fmt: skip
WORDS = ("balance", *PLANTED, *SMALL, "--validate-with", "warden", "--quiet", "--jobs", "1")


@pytest.fixture(scope="module")
def searched(tmp_path_factory) -> Path:
    """The folder of a real search, for a rule set with one grossly strong power."""
    folder = tmp_path_factory.mktemp("balance") / "found"
    assert run(*WORDS, "--out", folder) == 0
    return folder


def test_a_planted_power_is_undone_and_the_variant_can_be_used(searched: Path) -> None:
    variant = searched / "variant.toml"
    content = tomllib.loads(variant.read_text())
    assert content["set"]["bear.on_take"] < 24
    load_rules("second", variant)


def test_evaluations_and_validations_are_kept_for_other_tools(searched: Path) -> None:
    evaluations = pl.read_parquet(searched / "evaluations" / "*.parquet")
    assert {"point", "number", "value", "standard_error", "games"} <= set(evaluations.columns)
    assert evaluations["number"].n_unique() == 11
    names = [part.name for part in open_results(searched / "validation" / "search").plan.editions]
    assert names[:2] == ["rules-0", "rules-1"]


def test_a_search_continues_in_its_folder_with_the_same_result(searched: Path, printed) -> None:
    before = {path: path.read_bytes() for path in sorted(searched.rglob("*.parquet"))}
    last = max(path for path in before if path.parent.name == "evaluations")
    last.unlink()
    said = printed(*WORDS, "--out", searched)
    assert "The rules are off their goals by" in said
    assert "Under warden: " in said
    assert {path: path.read_bytes() for path in sorted(searched.rglob("*.parquet"))} == before


def test_a_folder_of_another_search_is_refused(searched: Path, refusal) -> None:
    assert "differs in seed" in refusal(*WORDS, "--seed", "2", "--out", searched)


def test_the_page_and_its_tables_give_the_result(searched: Path) -> None:
    page = (searched / "balance.html").read_text()
    for heading in ("In short", "What each size of change does", "What each value does"):
        assert heading in page
    assert page.count("<figure ") == 3
    front = pl.read_parquet(searched / "tables" / "front.parquet")
    assert set(front["what"]) == {"imbalance", "change"}
    assert "no change" in set(front["rules"])
    assert pl.read_parquet(searched / "tables" / "steps.parquet").height >= 1
