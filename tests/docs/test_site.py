"""The documentation site has every page, and its reference every name."""

from __future__ import annotations

import re
from pathlib import Path

import ethnos_sim

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_every_page_is_in_one_part_of_the_site() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = [line for line in index.splitlines() if re.fullmatch(r"[\w/-]+", line)]
    pages = [path for kind in ("*.md", "*.ipynb") for path in DOCS.rglob(kind)]
    names = {str(path.relative_to(DOCS).with_suffix("")) for path in pages} - {"index"}
    assert sorted(listed) == sorted(names)


def test_the_reference_has_every_name_of_the_api() -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^\.\. auto(?:function|class):: (\w+)", page, re.MULTILINE))
    assert shown | {"plot"} == set(ethnos_sim.__all__)
    assert ".. automodule:: ethnos_sim.reports.plot" in page


def test_notebooks_are_kept_without_what_a_run_of_them_leaves() -> None:
    for path in (DOCS / "notebooks").glob("*.ipynb"):
        assert '"outputs": []' in path.read_text(encoding="utf-8")
        assert '"output_type"' not in path.read_text(encoding="utf-8")
