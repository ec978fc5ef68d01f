"""A folder that `init` made, with a spec of a test's own and its first baseline."""

from __future__ import annotations

from pathlib import Path

from commands import run


def make_guarded_variant(folder: Path, spec: str) -> None:
    """Make the folder, with one value changed, and guard it by what a spec plays."""
    assert run("init", folder, "--set", "bear.on_take=3") == 0
    (folder / "spec.toml").write_text(spec, encoding="utf-8")
    words = ["check", "record", "--baseline", str(folder / "baseline.toml")]
    words += ["--spec", str(folder / "spec.toml")]
    assert run(*words, "--reason", "First baseline") == 0
