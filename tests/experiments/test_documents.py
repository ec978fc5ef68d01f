"""The documents name every column and every key, and their examples run."""

import json
import re
from pathlib import Path

import pytest
from inside.experiments import GAME_COLUMNS, seat_columns
from inside.experiments.specs import ClanSetDesigns, RuleSettings, Spec, SpecLineUp, bundled_specs
from inside.experiments.storage import cell_table, entry_table

from ethnos_sim import load_spec
from ethnos_sim.simulator import load_rules

DOCS = Path(__file__).resolve().parents[2] / "docs"
RESULTS = (DOCS / "results.md").read_text(encoding="utf-8")
SPECS = (DOCS / "specs.md").read_text(encoding="utf-8")
SHORT = {"int8": "i8", "int16": "i16", "uint8": "u8", "uint16": "u16", "uint32": "u32"}
SHORT |= {"UInt8": "u8", "String": "text"}


def section(title: str) -> str:
    """The text of a section of docs/results.md."""
    return RESULTS.split(f"### `{title}`\n")[1].split("\n### ")[0]


@pytest.mark.parametrize(
    ("table", "columns"),
    [("games", GAME_COLUMNS), ("seats", seat_columns(load_rules("second"), solo=True))],
    ids=["games", "seats"],
)
def test_every_column_is_described_with_its_type(table, columns) -> None:
    rows = re.findall(r"^\| (`[^|]+) \| ([^|]+) \|", section(table), re.MULTILINE)
    described = {}
    for names, kinds in rows:
        listed = re.findall(r"`([^`]+)`", names)
        kind = kinds.strip().split(", ")
        described |= dict(zip(listed, kind if len(kind) > 1 else kind * len(listed), strict=True))
    of_many = {
        "led_": described.pop("led_bear", ""),
        "columns_": described.pop("columns_white", ""),
    }
    for name, kind in columns.items():
        expected = next((of_many[start] for start in of_many if name.startswith(start)), None)
        assert SHORT[kind.__name__] == (expected or described.pop(name, None)), name
    assert described == {}


def test_every_key_of_plan_and_manifest_is_described(swept) -> None:
    plan = json.loads((swept.folder / "plan.json").read_text(encoding="utf-8"))
    line = (swept.folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()[0]
    keys = {*plan, *plan["cells"], *plan["editions"][0]}
    assert {key for key in keys if f"`{key}`" not in section("plan.json")} == set()
    manifest = json.loads(line)
    keys = {*manifest, *manifest["games"]}
    assert {key for key in keys if f"`{key}`" not in section("manifest.jsonl")} == set()


@pytest.mark.parametrize(
    ("name", "table"), [("cells.parquet", cell_table), ("entries.parquet", entry_table)]
)
def test_every_column_of_the_tables_of_cells_is_described(small_plan, name, table) -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", section(name), re.MULTILINE)
    described = [column for names in rows for column in re.findall(r"`([^`]+)`", names)]
    assert sorted(described) == sorted(table(small_plan).columns)


@pytest.mark.parametrize("model", [Spec, ClanSetDesigns, SpecLineUp, RuleSettings])
def test_every_key_of_a_spec_is_described(model) -> None:
    keys = {field.alias or name for name, field in model.model_fields.items()}
    assert {key for key in keys if not re.search(rf"\b{key}\b", SPECS)} == set()


def test_every_bundled_experiment_is_described_with_its_sizes() -> None:
    rows = re.findall(
        r"^\| `([a-z-]+)` \|.*\? .*\| ([^|]*[\d,]+) \| ([\d,]+) \|$", SPECS, re.MULTILINE
    )
    assert sorted(name for name, *_ in rows) == list(bundled_specs())
    for name, *sizes in rows:
        spec = load_spec(name)
        assert sizes == [f"{spec.games:,}", f"{spec.quick_games:,}"], name
