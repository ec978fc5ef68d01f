"""A small sweep over both editions: its spec, its plan and its results."""

import shutil
from copy import deepcopy
from pathlib import Path

import pytest
from sweeps import plan_of

from ethnos_sim import Results

SMALL = {
    "name": "Small",
    "seed": 7,
    "games": 480,
    "editions": ["second", "first"],
    "players": [2, 4],
    "clan_sets": {"sample": 3},
    "line_ups": [["greedy", "random"], ["greedy"]],
}


@pytest.fixture
def small_spec() -> dict:
    """A copy of the small spec, which tests may change."""
    return deepcopy(SMALL)


@pytest.fixture
def small_plan(small_spec):
    """The plan of the small spec: 24 cells in four partitions, 480 games."""
    return plan_of(small_spec)


@pytest.fixture(scope="session")
def swept(results_of) -> Results:
    """The results of the small sweep; tests must not change the `folder`."""
    return results_of(SMALL)


@pytest.fixture
def copy(swept, tmp_path) -> Path:
    """A copy of the sweep's folder that a test may change."""
    return shutil.copytree(swept.folder, tmp_path / "copy")
