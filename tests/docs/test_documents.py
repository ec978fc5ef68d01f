"""The documents are complete, and the site has every page. `make docs` runs their examples."""

import re
from pathlib import Path

import pytest
from inside import module_with
from inside.experiments import prepare_match
from inside.simulator.custom_powers import MOMENTS
from inside.simulator.user_code import SHOWN_VIEW

import ethnos_sim
from ethnos_sim.simulator import DECISIONS, MODES, SOLO, custom_powers, load_rules
from ethnos_sim.strategies import toolkit

actions = module_with("simulator.stepping", "LEAD_CLAN")
observations = module_with("simulator.stepping", "block_columns")

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDE, TRACE, POWERS, ENVIRONMENTS = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for name in ("strategies", "trace", "powers", "environments")
)


def test_the_guide_names_every_field_of_the_view() -> None:
    left_out = [name for name in SHOWN_VIEW.fields if not re.search(rf"`{name}\b", GUIDE)]
    assert left_out == []


def test_the_guide_names_every_question_in_the_order_of_its_number() -> None:
    table = GUIDE[GUIDE.index("| question |") : GUIDE.index("## The view")]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == DECISIONS


def test_the_guide_names_every_tool() -> None:
    assert [name for name in toolkit.__all__ if not re.search(rf"`{name}\b", GUIDE)] == []


def test_every_measurement_has_a_row() -> None:
    table = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    programs = [
        path.name
        for path in (DOCS.parent / "benchmarks").glob("*.py")
        if "\nif __name__" in path.read_text(encoding="utf-8")
    ]
    assert programs
    assert [name for name in programs if f"\n| `{name}" not in table] == []


@pytest.mark.parametrize("mode", MODES)
def test_the_trace_document_names_every_key_of_a_trace_and_no_other_event(mode) -> None:
    players = 1 if mode in SOLO else 4
    match = prepare_match(load_rules("second"), "random", players=players, mode=mode, seed=1)
    named = set(re.findall(r"`(\w+)`", TRACE))
    events = set(re.findall(r"^- \*\*`(\w+)`", TRACE, re.MULTILINE))
    for traced in match.traces(6):
        trace = traced.trace
        assert set(trace) <= named
        assert {event["event"] for event in trace["events"]} <= events
        assert {key for event in trace["events"] for key in event} <= named


#: Names for programs, not for authors.
NOT_FOR_AUTHORS = {"PowerError"}


def test_the_guide_names_every_moment_with_its_arguments() -> None:
    for moment, (arguments, _) in MOMENTS.items():
        assert f"| `{moment}({', '.join(('game', *arguments))})` |" in POWERS


def test_the_guide_to_powers_names_every_tool() -> None:
    tools = set(custom_powers.__all__) - NOT_FOR_AUTHORS
    assert [name for name in sorted(tools) if not re.search(rf"`{name}\b|\b{name}\(", POWERS)] == []


def test_every_action_is_documented() -> None:
    for first, size, words in actions.BLOCKS:
        span = f"{first} to {first + size - 1}" if size > 1 else f"{first}"
        assert f"| {span} | {words} |" in ENVIRONMENTS


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


def test_notebooks_are_stored_without_outputs() -> None:
    for path in (DOCS / "notebooks").glob("*.ipynb"):
        assert '"outputs": []' in path.read_text(encoding="utf-8")
        assert '"output_type"' not in path.read_text(encoding="utf-8")


def test_the_site_carries_the_sample_page_and_links_to_it() -> None:
    settings = (DOCS / "conf.py").read_text(encoding="utf-8")
    assert 'html_extra_path = ["examples/report.html"]' in settings
    assert '<a href="report.html">' in (DOCS / "index.md").read_text(encoding="utf-8")
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert "(docs/examples/report.html)" in readme


MOST_BYTES = 1_200_000


def test_the_readme_shows_the_card_of_the_sample_page() -> None:
    page = (DOCS / "examples" / "report.html").read_text(encoding="utf-8")
    text = page.replace("\N{NO-BREAK SPACE}", " ")
    card = (DOCS / "figures" / "card.svg").read_text(encoding="utf-8")
    answers = re.findall(r"font-weight: 700[^>]*>([^<]+)</text>", card)
    assert len(answers) >= 7
    assert [answer for answer in answers if answer not in text] == []
    assert len(page.encode()) <= MOST_BYTES
