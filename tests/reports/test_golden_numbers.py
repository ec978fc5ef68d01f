"""Every number of kept sweeps is the one that is written down, to twelve digits."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from golden_sweeps import SWEEPS
from inside.reports import numbers
from polars.testing import assert_frame_equal

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("name", SWEEPS)
def test_the_table_of_numbers_is_the_one_that_is_kept(name: str) -> None:
    found = numbers(SWEEPS[name]()).frame()
    kept = pl.read_csv(GOLDEN / f"{name}.tsv", separator="\t", schema=found.schema)
    assert_frame_equal(found, kept, rel_tol=1e-12, abs_tol=1e-12)
