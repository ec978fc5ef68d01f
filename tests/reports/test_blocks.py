"""The parts of a page: collapsed parts, stories, cells that sort and lead, marks that tell."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ethnos_sim.reports.rendering.document import Block, Details, Document, Section, Story, Text
from ethnos_sim.reports.rendering.html import as_html
from ethnos_sim.reports.rendering.markdown import as_markdown
from ethnos_sim.reports.rendering.table import (
    MOST_COLUMNS,
    MOST_LINES,
    Column,
    Row,
    Table,
    TableCell,
)

HOSTILE = "\"'<script>alert(1)</script>&amp; $x$ `` -->"


def page_of(*blocks: Block) -> Document:
    return Document("t", "f", "n", (Section("one", "One", blocks),))


def test_a_collapsed_part_is_a_section_of_its_own_in_markdown() -> None:
    inner = Details("Inner", (Text("Deep."),))
    text = as_markdown(page_of(Details("Outer", (Text("Words."), inner))), "x")
    assert "## One\n\n### Outer\n\nWords.\n\n#### Inner\n\nDeep.\n" in text


def test_headings_are_never_deeper_than_markdown_has_them() -> None:
    block: Block = Text("Deep.")
    for _ in range(8):
        block = Details("Part", (block,))
    text = as_markdown(page_of(block), "x")
    assert text.count("\n###### Part\n") == 5
    assert "#######" not in text


def test_a_story_cannot_end_its_own_block_in_markdown() -> None:
    lines = (("note", "````"), ("note", "a\n```\n# b"), ("note", HOSTILE))
    text = as_markdown(page_of(Story(lines)), "x")
    fence, *told, end = text[text.index("`````text") :].rstrip().splitlines()
    assert (fence, end) == ("`````text", "`````")
    assert told == ["````", "a ``` # b", HOSTILE]


def test_a_story_keeps_its_lines_and_spaces_in_the_page() -> None:
    page = as_html(page_of(Story((("party", "   1  <b>"), ("note", "")))), "x")
    story = page[page.index('<pre class="story"') : page.index("</pre>")]
    assert '<span class="party">   1  &lt;b&gt;\n</span>' in story
    assert story.count("<span") == 2


@pytest.mark.parametrize("number", [0.0, -1.5, 1e-7, 1e22])
def test_a_cell_carries_the_number_it_sorts_by(number: float) -> None:
    columns = (Column("a", [TableCell("x", sort=number)]),)
    page = as_html(page_of(Table("c", columns)), "x")
    (told,) = re.findall(r'data-sort="([^"]*)"', page)
    assert float(told) == number


def test_a_cell_without_a_number_carries_none_and_one_with_a_target_leads_there() -> None:
    columns = (Column("a", ["x"]), Column("b", [TableCell("y", target="one")]))
    page = as_html(page_of(Table("c", columns)), "x")
    assert "data-sort=" not in page[: page.index("<script")]
    assert '<td><a href="#one">y</a></td>' in page


def test_a_table_of_very_much_says_what_it_leaves_out_and_stores_all_of_it() -> None:
    rows = [Row({"strategy": f"s{number}"}) for number in range(MOST_LINES + 2)]
    table = Table("Shares.", (Column("Strategy", [r["strategy"] for r in rows]),), "x", tuple(rows))
    assert len(table.shown) == MOST_LINES
    assert table.title == "Shares. Shown: the first 500 of 502 lines; the files hold all."
    assert len(table.rows) == len(rows)
    wide = Table("Wide.", (Column("Strategy", ["s"]),) * (MOST_COLUMNS + 1), "x")
    assert wide.title in as_html(page_of(wide), "x")
    assert "the first 40 of 41 columns" in as_markdown(page_of(wide), "x")
    unstored = replace(table, stored="")
    assert (len(unstored.shown), unstored.title) == (len(rows), "Shares.")
