"""Kept machine code: found again for the same sources only, and never required."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ethnos_sim.simulator import compilation

PLAY = """
from ethnos_sim.simulator import compilation
from ethnos_sim.simulator.records import VIEW, MOVE, OWN
from numba import types
def decide(view, move, own):
    move.kind = 1
code = compilation.compile_callback(types.void(VIEW, MOVE, OWN), decide)
print(compilation.cache_folder())
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with two source files."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "first.py").write_text("a = 1\n")
    (tmp_path / "inner" / "second.py").write_text("b = 2\n")
    return tmp_path


def test_the_hash_is_the_same_for_the_same_sources(sources: Path) -> None:
    before = compilation.source_hash(sources)
    (sources / "inner" / "notes.txt").write_text("not a source\n")
    assert compilation.source_hash(sources) == before
    assert len(before) == 16


@pytest.mark.parametrize("file", ["first.py", "inner/second.py"])
def test_a_changed_line_in_any_source_changes_the_hash(sources: Path, file: str) -> None:
    before = compilation.source_hash(sources)
    (sources / file).write_text("a = 3\n")
    assert compilation.source_hash(sources) != before


def test_a_renamed_or_new_source_changes_the_hash(sources: Path) -> None:
    before = compilation.source_hash(sources)
    (sources / "first.py").rename(sources / "third.py")
    renamed = compilation.source_hash(sources)
    (sources / "fourth.py").write_text("")
    assert len({before, renamed, compilation.source_hash(sources)}) == 3


def run(program: Path, cache: Path) -> str:
    """Run a small program with this cache folder; what it printed."""
    program.write_text(PLAY)
    done = subprocess.run(
        [sys.executable, program],
        env={"ETHNOS_SIM_CACHE": str(cache), "PATH": "/usr/bin:/bin", "HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_cache_folder_is_named_after_the_kernels_sources(tmp_path: Path) -> None:
    folder = tmp_path / compilation.kernel_hash()
    assert run(tmp_path / "program.py", tmp_path) == str(folder)
    kept = {file.suffix for file in folder.rglob("program*") if file.is_file()}
    assert kept == {".nbi", ".nbc"}


def test_without_a_place_for_machine_code_everything_is_compiled_anew(tmp_path: Path) -> None:
    """A file stands where the folder would be."""
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    assert run(tmp_path / "program.py", blocked) == "None"
    assert not [*tmp_path.rglob("*.nbi")]
