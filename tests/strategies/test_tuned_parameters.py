"""Tuned parameters: data that replaces declared defaults, by edition and player count."""

from pathlib import Path

import pytest
from inside.experiments import strategy_hashes
from inside.strategies import Entry
from kit.custom import strategy_text

from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import LineUp, StrategyError, load_strategy_file

STRATEGY = '''
@strategy(
    Parameter("nerve", 3, 0, 10, "a number to tune"),
    Parameter("calm", 4, 0, 10, "another number to tune"),
    tuned="NAME.toml",
)
def NAME(view, parameters):
    """Draws."""
    return draw()
'''


def declared(folder: Path, name: str, tuned: str) -> None:
    """Load a strategy from a file with these tuned parameters beside it."""
    (folder / f"{name}.toml").write_text(tuned, encoding="utf-8")
    path = folder / f"{name}.py"
    path.write_text(strategy_text(STRATEGY, name), encoding="utf-8")
    load_strategy_file(path)


def parsed(text: str, players: int, edition: str = "second") -> Entry:
    return LineUp.parse(text, players, load_rules(edition)).entries[0]


def test_tuned_parameters_replace_defaults_by_edition_and_players(tmp_path: Path) -> None:
    """The nearest player count is used, of two the smaller; values in the line-up come first."""
    declared(tmp_path, "tuned_a", "[second-2]\nnerve = 1\n[second-4]\nnerve = 2\ncalm = 7e0")
    assert parsed("tuned_a", 2).values == (1.0, 4.0)
    assert parsed("tuned_a", 4).values == parsed("tuned_a", 6).values == (2.0, 7.0)
    assert parsed("tuned_a", 3).values == (1.0, 4.0)
    assert parsed("tuned_a:nerve=9", 4).values == (9.0, 7.0)
    assert parsed("tuned_a", 4, "first").values == (3, 4)


@pytest.mark.parametrize(
    ("name", "tuned", "said"),
    [
        ("tuned_b", "[second-4]\nnerve = 11", "second-4: parameter 'nerve' is 11, outside its"),
        ("tuned_c", "[second-4]\nnerves = 1", "has no parameter 'nerves'"),
        ("tuned_d", "nerve = 3", r"holds no tuned parameters \('nerve' is no table such as"),
        ("tuned_e", "[second-4]\nnerve = [1]", "holds no tuned parameters"),
    ],
)
def test_tuned_parameters_that_do_not_fit_the_strategy_are_refused(
    tmp_path: Path, name: str, tuned: str, said: str
) -> None:
    declared(tmp_path, name, tuned)
    with pytest.raises(StrategyError, match=said):
        parsed(name, 4)


def test_new_tuned_parameters_change_the_hash_of_a_strategy(tmp_path: Path) -> None:
    declared(tmp_path, "tuned_g", "[second-4]\nnerve = 1")
    before = strategy_hashes(["tuned_g"])
    (tmp_path / "tuned_g.toml").write_text("[second-4]\nnerve = 2", encoding="utf-8")
    assert strategy_hashes(["tuned_g"]) != before
