"""Change the rows of sweeps' folders together with everything that would reveal the change."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl
from inside.experiments.storage import sha256_of

from ethnos_sim import open_results
from ethnos_sim.experiments import sealed


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
        own = {k: v for k, v in pl.read_parquet_metadata(path).items() if k.startswith("ethnos")}
        change(pl.read_parquet(path)).write_parquet(path, metadata={**own, **(about or {})})
        content = path.read_bytes()
        entry[table].update(sha256=sha256_of(content), bytes=len(content))
        lines.append(sealed(entry))
    manifest.write_text("".join(lines), encoding="utf-8")
