"""A sweep with a custom power: the sweep is whole, and a different power is refused."""

from pathlib import Path

import polars as pl
import pytest
from commands import run
from inside import module_with

registry = module_with("simulator.custom_powers", "load_powers")


pytestmark = pytest.mark.long

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "powers.md"
VARIANT = '[clans.phoenix]\npower = "phoenix.py:phoenix"\n'
SPEC = """
name = "With the phoenix"
editions = ["second"]
players = [4]
games = 96
clan_sets = { sample = 3 }
line_ups = [["greedy", "random"]]
rules = { variant = "variant.toml" }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the guide's example, a variant, a spec, and the sweep in `out`."""
    folder = tmp_path_factory.mktemp("phoenix")
    example = GUIDE.read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    (folder / "phoenix.py").write_text(example, encoding="utf-8")
    (folder / "variant.toml").write_text(VARIANT, encoding="utf-8")
    (folder / "spec.toml").write_text(SPEC, encoding="utf-8")
    words = ["sweep", str(folder / "spec.toml"), "--out", str(folder / "out"), "--quiet"]
    assert run(*words) == 0
    return folder


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch) -> None:
    """Forget all powers, as in a new process."""
    monkeypatch.setattr(registry, "_loaded_powers", {})


def seats(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "seats" / "**" / "*.parquet")


def test_a_sweep_with_a_custom_power_is_whole_and_counts_its_payments(
    folder: Path, printed
) -> None:
    printed("sweep", "--verify", "--out", folder / "out")
    assert seats(folder / "out")["powers"].sum() > 0
    assert seats(folder / "out")["led_phoenix"].sum() > 0


def test_a_game_is_played_again_with_the_same_power_and_no_other(folder: Path, printed, refusal):
    file = folder / "phoenix.py"
    led = seats(folder / "out").filter(pl.col("led_phoenix") > 0).row(0, named=True)
    game = ["play", folder / "out", "--game", f"{led['cell']}:{led['game']}"]
    assert "--strategies-from phoenix.py" in refusal(*game)
    assert "phoenix" in printed(*game, "--strategies-from", file)
    text = file.read_text("utf-8")
    try:
        file.write_text(text.replace("2 * recall", "3 * recall"), encoding="utf-8")
        assert "has changed; its code was" in refusal(*game, "--strategies-from", file)
        refusal("sweep", folder / "spec.toml", "--out", folder / "out", "--quiet")
    finally:
        file.write_text(text, encoding="utf-8")


def test_a_sweep_with_a_power_goes_on_with_and_without_its_spec(folder: Path, printed) -> None:
    for words in ((folder / "spec.toml", "--games", 192), ()):
        registry._loaded_powers.clear()
        said = printed("sweep", *words, "--out", folder / "out", "--quiet")
    assert "Nothing was left to play" in said


def test_a_page_is_made_without_the_file_of_the_power(folder: Path, printed) -> None:
    (folder / "phoenix.py").rename(folder / "away.py")
    try:
        printed("report", folder / "out", "--out", folder / "page.html")
    finally:
        (folder / "away.py").rename(folder / "phoenix.py")
    assert "phoenix" in (folder / "page.html").read_text("utf-8").lower()
