"""People's recorded games: reading them, and comparing them with the program's games."""

from pathlib import Path

import numpy as np
import pytest
from inside.experiments import RecordedGame, TableKind, read_recorded_games
from inside.reports import MEASURES, compare_recorded, recorded_document

from ethnos_sim import play_batch
from ethnos_sim.simulator import WrongInput

CLANS = "bear/Red Panda/fox/koi/owl/deer"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(text, encoding="utf-8")
    return path


def played(level: str, games: int, seed: int) -> list[RecordedGame]:
    """Games of a strategy in the form of people's recorded games."""
    batch = play_batch("second", level, games=games, seed=seed)
    table = TableKind("second", 4, None)
    names = ("A", "B", "C", "D")
    return [
        RecordedGame(line, table, names, tuple(map(int, scores)), None)
        for line, scores in enumerate(batch.seat_records["prestige"][:games])
    ]


def test_games_are_read_with_or_without_clans_names_and_first_player(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "edition,clans,players,scores,began\n"
        f",{CLANS},Ann;Bo;Cy;Di,96;93;91;84,Bo\nfirst,,,92;76,\n\n",
    )
    first, second = read_recorded_games(path)
    clans = ("bear", "deer", "fox", "koi", "owl", "red_panda")
    assert first == RecordedGame(
        2, TableKind("second", 4, clans), ("Ann", "Bo", "Cy", "Di"), (96, 93, 91, 84), 1
    )
    assert first.ahead == 3
    assert second.table == TableKind("first", 2, None)
    assert second.began is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("points\n1;2\n", "has a column 'points'"),
        ("clans\nbear\n", "has no column 'scores'"),
        ("scores\n", "has 0 games"),
        ("scores\n96;ninety\n", "line 2: scores are whole numbers"),
        ("scores\n96\n", "line 2: 1 player plays a solo mode"),
        ("scores\n1;2;3;4;5;6;7\n", "line 2: 7 players cannot play"),
        ("players,scores\nAnn;Ann,1;2\n", "line 2: 2 scores need as many different players"),
        ("players,scores,began\nAnn;Bo,1;2,Cy\n", "line 2: 'Cy' began, but is not a player"),
        ("clans,scores\nbear;unicorn,1;2;3;4\n", "line 2: .* has no clan 'unicorn'"),
        ("edition,scores\nthird,1;2\n", "line 2: .*'third'"),
        ("scores\n1;2,3\n", "line 2: has more places"),
    ],
)
def test_a_line_that_is_not_a_game_is_refused_with_its_number(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(WrongInput, match=said):
        read_recorded_games(write(tmp_path, text))


def test_groups_of_games_by_the_same_strategy_are_usually_called_alike() -> None:
    """Groups have ten games. If 95 % are alike, fewer than 30 of 40 have a chance of 10^-6."""
    games = played("greedy", 400, seed=77)
    comparison = compare_recorded(games, games=1200, levels=["greedy"], quiet=True)
    alike = 0
    for first in range(0, 400, 10):
        group = games[first : first + 10]
        mean = np.mean([np.mean(game.scores) for game in group])
        low, high = np.quantile(comparison.draws("greedy", "mean score", group), [0.025, 0.975])
        alike += bool(low <= mean <= high)
    assert alike >= 30


def test_the_nearest_level_is_the_strategy_that_played() -> None:
    for level in ("random", "greedy"):
        comparison = compare_recorded(
            played(level, 60, seed=5), games=800, levels=["random", "greedy"], quiet=True
        )
        assert comparison.nearest == level


def test_measures_are_computed_from_the_scores() -> None:
    scores = np.asarray([[96, 93, 91, 84], [77, 120, 104, 118]])
    values = {name: measure(scores).tolist() for name, measure in MEASURES.items()}
    assert values == {
        "mean score": [91.0, 104.75],
        "winning score": [96, 120],
        "winner ahead by": [3, 2],
        "last behind by": [12, 43],
    }


def test_an_unusually_large_win_stands_out_and_a_usual_win_does_not() -> None:
    usual, *others = played("greedy", 12, seed=3)
    far = RecordedGame(99, usual.table, usual.names, (400, 80, 70, 60), None)
    comparison = compare_recorded([far, *others], games=1200, levels=["greedy"], quiet=True)
    section = next(s for s in recorded_document(comparison).sections if s.key == "games")
    lines = [[cell.text for cell in line] for line in section.blocks[0].shown]
    assert [line[0] for line in lines if line[-1] == "stands out"] == ["99"]


def test_the_command_prints_the_games_the_clans_and_the_first_players_wins(
    tmp_path: Path, printed
) -> None:
    path = write(
        tmp_path,
        "clans,players,scores,began\n"
        f"{CLANS},A;B;C;D,96;93;91;84,B\n{CLANS},A;B;C;D,120;118;104;77,A\n",
    )
    page = tmp_path / "page.html"
    said = printed("strategies", "scores", path, "--games", "500", "--quiet", "--out", page)
    assert "2 recorded games at 1 kind of table" in said
    assert "Who began won 50% of 2 games (95 %: 9% to 91%)" in said
    assert "Red panda" in said or "Red Panda" in said
    assert "How the scores compare" in page.read_text(encoding="utf-8")
