"""Plans of specs, the tables of sweeps that were played, and folders whose rows were forged."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import polars as pl
from inside.experiments import (
    Plan,
    SpecChanges,
    gather_evidence,
    make_plan,
    parse_spec,
    sealed_json,
)
from inside.experiments.evidence import SUM_FIELDS
from inside.experiments.storage import sha256_of
from polars.testing import assert_frame_equal

from ethnos_sim import open_results


def plan_of(spec: Mapping[str, Any], **changes: Any) -> Plan:
    """The plan of a spec with changes, as from a command line."""
    return make_plan(parse_spec(deepcopy(dict(spec)), "spec.toml", SpecChanges(**changes)))


def rows_of(folder: Path) -> dict[str, pl.DataFrame]:
    """The tables of a folder."""
    results = open_results(folder)
    return {
        "games": results.games().sort("cell", "game").collect(),
        "seats": results.seats().sort("cell", "game", "seat").collect(),
    }


def assert_same_rows(first: Path, second: Path) -> None:
    """Both folders hold the same games."""
    for rows, others in zip(rows_of(first).values(), rows_of(second).values(), strict=True):
        assert_frame_equal(rows, others, check_column_order=False)


def sums_in(folder: Path) -> list[bytes]:
    """All sums that a report of a folder uses."""
    evidence = gather_evidence(folder)
    values = [of for name in SUM_FIELDS for of in getattr(evidence, name).values()]
    arrays = [getattr(of, "arrays", {"": of}) for of in values]
    return [array.tobytes() for by_name in arrays for array in by_name.values()]


def forge(
    folder: Path,
    table: str,
    change: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame,
    about: Mapping[str, str] | None = None,
) -> None:
    """Change a table or its descriptions in all shards, and in the manifest."""
    manifest = folder / "manifest.jsonl"
    lines = []
    for line, record in zip(
        manifest.read_text(encoding="utf-8").splitlines(), open_results(folder).records, strict=True
    ):
        entry, path = json.loads(line), folder / record.path(table)
        descriptions = {
            k: v for k, v in pl.read_parquet_metadata(path).items() if k.startswith("ethnos")
        }
        change(pl.read_parquet(path)).write_parquet(
            path, metadata={**descriptions, **(about or {})}
        )
        content = path.read_bytes()
        entry[table].update(sha256=sha256_of(content), bytes=len(content))
        lines.append(sealed_json(entry))
    manifest.write_text("".join(lines), encoding="utf-8")
