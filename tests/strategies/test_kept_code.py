"""A user's strategy is compiled once; its machine code is reused until something changes."""

import importlib
import linecache
import sys
from pathlib import Path

import pytest
from inside import module_with
from inside.strategies import generated_code
from seated import play_seats

from ethnos_sim.simulator import NoAnswer, load_rules
from ethnos_sim.strategies import StrategyError, load_strategy_file

code_files = module_with("simulator.compiler", "cache_folder")

HELPER = """\
from ethnos_sim.strategies.toolkit import kernel
@kernel
def rounds(view):
    return {}
"""
MINE = """\
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import draw
import kept_helper
@strategy()
def kept(view):
    turns = 0
    while turns < kept_helper.rounds(view):
        turns += view.player // 9
    return draw()
"""


@pytest.fixture(scope="module", autouse=True)
def engine() -> None:
    """Load the engine and the default answers from the cache of all tests."""
    play_seats(load_rules("second"), "random", 2, seed=1, deals=1)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled code, with a file that strategies import."""
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setattr(code_files, "cache_folder", lambda: cache)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "kept_helper", raising=False)
    (tmp_path / "kept_helper.py").write_text(HELPER.format(1))
    return tmp_path


def compiled_anew(folder: Path, text: str = MINE) -> bool:
    """Whether a strategy file with this text has to be compiled."""
    (folder / "mine.py").write_text(text)
    (strategy,) = load_strategy_file(folder / "mine.py")
    return generated_code(strategy).compile().cache_hits == 0


def test_a_users_strategy_is_compiled_again_only_when_it_or_an_import_changed(folder: Path) -> None:
    assert compiled_anew(folder)
    assert not compiled_anew(folder)
    assert compiled_anew(folder, MINE.replace("// 9", "// 8"))
    assert not compiled_anew(folder)
    (folder / "kept_helper.py").write_text(HELPER.format(22))
    linecache.checkcache()
    importlib.reload(sys.modules["kept_helper"])
    assert compiled_anew(folder)


def test_kept_code_names_the_line_of_an_endless_loop(folder: Path) -> None:
    """The line is named also in a run that has not compiled the loop."""
    assert compiled_anew(folder)
    assert not compiled_anew(folder)
    with pytest.raises(NoAnswer, match=r"mine\.py:7: in strategy 'kept', a loop went round"):
        play_seats(load_rules("second"), "kept", 2, seed=1, deals=1)


def test_a_strategy_that_was_refused_is_refused_again(folder: Path) -> None:
    wrong = MINE.replace("return draw()", "return 3")
    for _ in range(2):
        with pytest.raises(StrategyError, match="must return a move"):
            compiled_anew(folder, wrong)
    assert not list((folder / "cache").glob("kept-*"))
