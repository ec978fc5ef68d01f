"""The page is self-contained, inert and short, and its numbers are the numbers of the table."""

import json
import re
import zlib
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest
from inside.experiments import Verdict
from inside.experiments.evidence import join_evidence
from inside.experiments.statistics import verdict_of
from inside.reports import Figure, Report, Table, as_html, card_files, make_report
from inside.reports.comparison import ComparedNumber
from inside.reports.page import FIRST_SEAT, LEADER, ComparisonWords, disagreement, with_game_length
from inside.reports.rendering import TEMPLATES, Answer, all_blocks, join_modules
from inside.simulator.game import GIVES_UP, ORDINARY
from toy_numbers import estimate_of
from toy_sweep import Truth, toy_evidence, toy_plan, write_toy_sweep

from ethnos_sim import write_report
from ethnos_sim.simulator import WrongInput

SCRIPT, MATH, FORMULA = "<script>alert(1)</script>", "$x$", "=1+1"
LINE_UPS = ((SCRIPT, MATH, FORMULA), (FORMULA,))
KINDS = (ORDINARY, GIVES_UP)
MOST_WORDS, MOST_WORDS_AT_FIRST, MOST_OF_A_KIND = 6_000, 900, 12


@pytest.fixture(scope="module")
def report() -> Report:
    truth = Truth(effects={"bear": 0.6, "deer": -0.6, "giant": 0.6})
    plans = [
        toy_plan(
            edition=edition,
            players=(3, 4),
            line_ups=LINE_UPS,
            rounds=224,
            name=f"{SCRIPT} {MATH}",
            kinds=KINDS,
        )
        for edition in ("second", "first")
    ]
    played = [toy_evidence(plan, truth) for plan in plans]
    return make_report(join_evidence(played))


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return as_html(report.document)


def carried(page: str, name: str):
    """The packed data of a page's script."""
    script = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page)
    return zlib.decompress(b64decode(json.loads(script.group(1)))).decode()


def without(page: str, *tags: str) -> str:
    """A page without what these elements contain."""
    return re.sub(rf"(<({'|'.join(tags)})\b[^>]*>).*?(?=</\2>)", r"\1", page, flags=re.DOTALL)


def words_of(page: str) -> list[str]:
    """The words of a page, but for tables and drawings."""
    text = without(page, "script", "style", "table", "svg")
    return unescape(re.sub(r"<[^>]*>", " ", text)).split()


def test_the_page_loads_nothing_and_runs_only_its_own_script(page: str) -> None:
    tags = without(page, "script", "style")
    for name, value in re.findall(r"""\s(src|href|action|style)=["']?([^"'\s>]*)""", tags):
        assert value.startswith(("#", "data:,")), (name, value)
    (policy,) = map(unescape, re.findall(r'<meta [^>]*content="([^"]*src[^"]*)"', page))
    digest = b64encode(sha256(join_modules(TEMPLATES / "page.js").encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert set(re.findall(r"\w+://[\w.]+", page)) <= {"http://www.w3.org"}


def test_hostile_names_are_escaped(page: str, report: Report) -> None:
    assert page.count("<script") == 5
    for html in json.loads(carried(page, "sections")):
        assert SCRIPT not in html


def test_the_figures_draw_the_numbers_of_the_table(page: str, report: Report) -> None:
    """A mark names the place of its number, which has the ends that the table has."""
    numbers = json.loads(carried(page, "numbers"))
    table = set(report.numbers.select("value", "low", "high", "games", "unit").rows())
    shown = [tuple(number) for number in numbers if not number[-1].startswith("fair_shares")]
    assert len(shown) > 100
    assert set(shown) <= table
    for html in json.loads(carried(page, "sections")):
        for held in re.findall(r'data-figure="([^"]*)"', html):
            marks = json.loads(unescape(held))["marks"]
            assert all(0 <= mark[1] < len(numbers) for mark in marks)


def test_a_figure_draws_the_interval_that_decides_the_verdict(report: Report) -> None:
    """The printed interval is the one that decides; a hollow mark has too few games."""
    blocks = list(report.document.opening_blocks)
    banded = [block for block in blocks if isinstance(block, Figure) and block.band]
    assert {"worth", "seats"} <= {figure.key for figure in banded}
    for figure in banded:
        for mark in figure.marks:
            ends = mark.number.low, mark.number.high
            assert mark.hollow == (verdict_of(*ends, figure.band) is Verdict.OPEN)


def test_the_page_is_short(page: str, report: Report) -> None:
    closed = re.sub(r"(?<=</summary>).*?(?=</details>)", "", page, flags=re.DOTALL)
    assert len(words_of(closed)) <= MOST_WORDS_AT_FIRST
    assert len(words_of(page)) <= MOST_WORDS
    blocks = list(report.document.opening_blocks)
    assert sum(isinstance(block, Figure) for block in blocks) <= MOST_OF_A_KIND
    assert sum(isinstance(block, Table) for block in blocks) <= MOST_OF_A_KIND
    assert len(page.encode()) < 1_200_000


def test_clans_and_editions_are_not_judged_by_games_in_which_nobody_gave_up_a_clan() -> None:
    plans = [toy_plan(edition=edition, rounds=32) for edition in ("second", "first")]
    report = make_report(join_evidence([toy_evidence(plan, Truth()) for plan in plans]))
    assert {answer.key for answer in report.card.answers} == {
        *("seat", "leader", "comeback", "length")
    }
    assert report.card.ranking is None


def change(value: float, verdict: Verdict) -> ComparedNumber:
    """The change of a number, with its verdict."""
    number = estimate_of("worth", value, 0.01)
    return ComparedNumber(number, verdict, number, number, 0.02)


@pytest.mark.parametrize(
    ("value", "verdict", "said"),
    [
        (-0.05, Verdict.MATTERS, "The 2nd"),
        (0.05, Verdict.MATTERS, "The 1st"),
        (0.02, Verdict.CLOSE, "The 1st, a little"),
        (0.001, Verdict.ALIKE, "Both alike"),
        (0.03, Verdict.OPEN, "Too few games to tell"),
    ],
)
def test_the_better_side_of_a_comparison_has_the_smaller_spread(value, verdict, said) -> None:
    words = ComparisonWords(("The 1st", "The 2nd"), "Both alike", ("in the 1st", "in the 2nd"))
    assert words.answer(change(value, verdict)) == said


def test_a_measure_is_named_beside_the_clans_only_where_it_favors_the_other_side() -> None:
    words = ComparisonWords(("1st", "2nd"), "Both", ("in the 1st", "in the 2nd"))
    less, more = change(-0.05, Verdict.MATTERS), change(0.05, Verdict.MATTERS)
    alike = change(0.001, Verdict.ALIKE)
    assert disagreement(less, {FIRST_SEAT: less, LEADER: alike}, words) == ""
    said = disagreement(less, {FIRST_SEAT: more, LEADER: more}, words)
    assert said == ", but in the 1st the first seat is fairer and in the 1st a lead decides less"
    assert disagreement(alike, {FIRST_SEAT: less}, words) == (
        ", but in the 2nd the first seat is fairer"
    )


@pytest.mark.parametrize(
    ("verdict", "turns", "said"),
    [
        (Verdict.ALIKE, 200, "It makes games shorter. A game takes 200 turns instead of 250"),
        (Verdict.OPEN, 245, "Known? A game takes 245 turns instead of 250"),
        (Verdict.CLOSE, 200, "Known? Less; games are 20 % shorter."),
    ],
)
def test_the_length_leads_the_answer_on_recruitment_unless_balance_differs(
    verdict, turns, said
) -> None:
    answer = Answer("modes", "Does Recruitment help?", "Known?", "Less.", "", verdict)
    usual, recruiting = (estimate_of("turns", value, 1.0, unit="count") for value in (250, turns))
    told = with_game_length(answer, usual, recruiting)
    assert f"{told.word} {told.text}".startswith(said)


def test_each_choice_shows_the_numbers_of_one_table_and_one_player(report: Report) -> None:
    facts = [choice.facts for choice in report.document.choices]
    tables = {(table["edition"], table["players"], table["who"]) for table in facts}
    assert len(tables) == len(facts) == 8
    first = facts[0]
    assert (first["edition"], first["players"]) == ("2nd edition", 4)
    for choice in report.document.choices:
        numbers = [
            row
            for section in choice.sections
            for block in all_blocks(section.blocks)
            if isinstance(block, Figure) and block.key in ("seats", "sources")
            for row in block.numbers
        ]
        assert {row["population"] for row in numbers} == {choice.facts["who"]}
        assert {row["players"] for row in numbers} == {choice.facts["players"]}


def test_a_card_is_a_picture(tmp_path: Path) -> None:
    write_toy_sweep(tmp_path / "sweep", toy_plan(rounds=256, kinds=KINDS))
    svg, png = tmp_path / "card.svg", tmp_path / "card.png"
    write_report(tmp_path / "sweep", card=png)
    assert png.read_bytes().startswith(b"\x89PNG")
    write_report(tmp_path / "sweep", card=svg)
    said = svg.read_text(encoding="utf-8")
    assert "How balanced is Ethnos?" in said
    assert all(clan in said for clan in ("Raven", "Koi", "Red Panda"))
    with pytest.raises(WrongInput, match="svg or"):
        write_report(tmp_path / "sweep", card=tmp_path / "card.pdf")


def test_long_answers_have_room_on_the_picture_of_a_card(report: Report) -> None:
    answers = [
        replace(answer, text=2 * f"{answer.text} ", level_line="At every level of play.")
        for answer in report.card.answers
    ]
    card = replace(report.card, answers=(*answers, *answers[:2]))
    said = card_files(card, "Ethnos")["svg"].decode()
    places = [float(y) for y in re.findall(r'<text [^>]*\by="([\d.]+)"', said)]
    assert len(places) > 50
    assert max(places) < 0.72 * 800


def test_a_warning_about_a_partial_sweep_stands_above_the_card() -> None:
    evidence = toy_evidence(toy_plan(rounds=40))
    more = replace(evidence, plans=(toy_plan(rounds=80),))
    document = make_report(more).document
    assert document.warnings[0].startswith("Partial sweep: ")
    page = as_html(document)
    assert page.index("Partial sweep: ") < page.index('class="card"')


def test_other_rules_are_compared_with_the_reference_rules():
    rules = {"": (), "larger": ("hand_limit=12",)}
    report = make_report(toy_evidence(toy_plan(rule_sets=rules, rounds=32), Truth()))
    assert re.search(
        r">Hand_limit: 10 → 12</th><td[^>]*>4</td><td[^>]*>[A-Z]", as_html(report.document)
    )


def test_the_players_of_the_first_screen_are_explained_under_numbers():
    plan = toy_plan(line_ups=(("learned",), ("greedy",)), rounds=32)
    said = as_html(make_report(toy_evidence(plan, Truth())).document)
    strong = said.index("Strong players: the strategy “learned”. Makes the move")
    assert strong < said.index("Beginners: the strategy “greedy”. Plays the party")


def test_the_seven_answers_are_short(report: Report) -> None:
    """At most 25 words in a sentence, and 215 on the whole card."""
    words = 0
    for answer in report.card.answers:
        assert len(answer.text.split()) <= 25, answer.text
        words += len(f"{answer.question} {answer.word} {answer.text} {answer.level_line}".split())
    assert words <= 215
