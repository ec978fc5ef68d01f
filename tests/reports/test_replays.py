"""Replays on the page: the stored game told, reachable by its key, or one sentence why not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from toy_sweep import toy_plan, write_toy_sweep

from ethnos_sim import main
from ethnos_sim.experiments.storage.results import Results, open_results
from ethnos_sim.reports.evidence.extreme_games import ExtremeGame, ExtremeGames
from ethnos_sim.reports.rendering.document import Details, Document, Story, Table, Text
from ethnos_sim.reports.rendering.html import as_html
from ethnos_sim.reports.rendering.markdown import as_markdown
from ethnos_sim.reports.rendering.storage import stored_tables
from ethnos_sim.reports.sections.replays import replay_key, replays

SPEC = """
name = "To tell"
players = [2, 4]
modes = ["standard", "recruitment"]
games = 240
clan_sets = { sample = 2 }
line_ups = [["greedy", "random"]]
"""

SOLO = """
name = "Solo to tell"
editions = ["second"]
modes = ["solo-easy"]
players = [1]
games = 40
line_ups = [["greedy"]]
"""


def found_in(results: Results) -> tuple[ExtremeGame, ...]:
    games = ExtremeGames()
    for record in results.records:
        shard = replace(results, records=(record,))
        games.add(record.shard.partition, shard.games().collect(), shard.seats().collect())
    return games.found()


def swept(folder: Path, text: str) -> Results:
    spec = folder / "spec.toml"
    spec.write_text(text, encoding="utf-8")
    assert main.run(["sweep", str(spec), "--out", str(folder / "out"), "--quiet"]) == 0
    return open_results(folder / "out")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return swept(tmp_path_factory.mktemp("tell"), SPEC)


def parts(section) -> list[Details]:
    return [block for block in section.blocks if isinstance(block, Details)]


def test_every_game_that_was_found_is_told_to_its_end(results: Results) -> None:
    found = found_in(results)
    section = replays(found, [results])
    assert len(parts(section)) == len(found) == 2 * 2 * 3
    for part in parts(section):
        (story,) = (block for block in part.blocks if isinstance(block, Story))
        assert any(text == "Final standing" for _, text in story.lines), part.summary


def test_the_table_leads_to_every_replay(results: Results) -> None:
    found = found_in(results)
    section = replays(found, [results])
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    targets = [cell.target for row in table.shown for cell in row if cell.target]
    assert targets == [part.key for part in parts(section)]
    assert set(targets) == {replay_key(game) for game in found}
    assert "replay-second-recruitment-4-upset" in targets
    page = as_html(Document("t", "f", "n", (section,)), "t_tables")
    for key in targets:
        assert page.count(f'<details id="{key}">') == 1
        assert f'href="#{key}"' in page


def test_what_happened_is_what_is_stored(results: Results) -> None:
    section = replays(found_in(results), [results])
    stored = stored_tables([section])["extreme_games"]
    assert len(stored) == 12
    assert set(stored["rules"]) == {"printed"}
    seats = results.seats(edition="second", players=4, mode="standard").collect()
    row = stored.row(
        by_predicate=(pl.col("players") == 4)
        & (pl.col("mode") == "standard")
        & (pl.col("kind") == "upset"),
        named=True,
    )
    own = seats.filter(pl.col("cell") == row["cell"], pl.col("game") == row["game"]).sort("seat")
    assert own["won"][row["winner"]] == 60
    assert own["prestige_2"].max() - own["prestige_2"][row["winner"]] == row["deficit"]
    assert own["prestige"].sum() == row["prestige"]


def test_markdown_tells_the_same_lines(results: Results) -> None:
    section = replays(found_in(results), [results])
    text = as_markdown(Document("t", "f", "n", (section,)), "t_tables")
    for part in parts(section):
        story = next(block for block in part.blocks if isinstance(block, Story))
        assert "\n".join(line for _, line in story.lines) in text


def test_a_solo_game_is_told_too(tmp_path: Path) -> None:
    results = swept(tmp_path, SOLO)
    section = replays(found_in(results), [results])
    assert [part.key for part in parts(section)] == [
        f"replay-second-solo-easy-1-{kind}" for kind in ("upset", "closest", "typical")
    ]
    assert all(isinstance(part.blocks[-1], Story) for part in parts(section))


def test_a_game_that_cannot_be_played_again_says_so_in_one_sentence(tmp_path: Path) -> None:
    plan = toy_plan(rounds=24, line_ups=(("<script>alert(1)</script>", "=1+1"),))
    write_toy_sweep(tmp_path, plan)
    results = open_results(tmp_path)
    section = replays(found_in(results), [results])
    assert len(parts(section)) == 3
    for part in parts(section):
        told = part.blocks[-1]
        assert isinstance(told, Text)
        assert told.text.startswith("This game cannot be told: ")
        assert "\n" not in told.text
    page = as_html(Document("t", "f", "n", (section,)), "t_tables")
    assert "<script>alert" not in page


def test_a_game_that_is_stored_otherwise_says_so(results: Results) -> None:
    found = [game for game in found_in(results) if game.partition.players == 2][:1]
    other_seed = replace(results, plan=replace(results.plan, seed=results.plan.seed + 1))
    (part,) = parts(replays(found, [other_seed]))
    assert isinstance(part.blocks[-1], Text)
    assert "came out otherwise than it is stored" in part.blocks[-1].text
