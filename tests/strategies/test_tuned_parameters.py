"""Tuned parameters: data that replaces declared defaults, by edition and player count."""

from pathlib import Path

import pytest
from inside.strategies import Entry, Tuned, read_tuned, tuned_file, tuned_values, write_tuned

from ethnos_sim.experiments import strategy_sources
from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import LineUp, StrategyError, list_strategies, load_strategy_file

STRATEGY = '''
from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import draw


@strategy(
    Parameter("nerve", 3, 0, 10, "a number to tune"),
    Parameter("calm", 4, 0, 10, "another number to tune"),
    tuned="{name}.toml",
)
def {name}(view, parameters):
    """Draws."""
    return draw()
'''


def entry(players: int, nerve: float, edition: str = "second", **more: float) -> Tuned:
    return Tuned(
        edition=edition,
        players=players,
        mode="standard",
        parameters={"nerve": nerve, **more},
        against=("greedy", "random"),
        share=0.3125,
        low=0.3,
        high=0.325,
        games=4000,
        seed=1,
        command='ethnos-sim strategies tune "x"',
    )


def declared(tmp_path: Path, name: str, *entries: Tuned) -> None:
    """Load a strategy from a file with these tuned parameters beside it."""
    (tmp_path / f"{name}.toml").write_text(write_tuned(entries), encoding="utf-8")
    path = tmp_path / f"{name}.py"
    path.write_text(STRATEGY.format(name=name), encoding="utf-8")
    load_strategy_file(path)


def parsed(text: str, players: int, edition: str = "second") -> Entry:
    return LineUp.parse(text, players, load_rules(edition)).entries[0]


def test_written_tuned_parameters_are_read_back(tmp_path: Path) -> None:
    entries = (entry(2, 0.1), entry(4, 1e-7, calm=2.5), entry(4, 3.0, edition="first"))
    path = tmp_path / "tuned.toml"
    path.write_text(write_tuned(entries), encoding="utf-8")
    assert set(map(repr, read_tuned(path))) == set(map(repr, entries))
    assert [tuned.key for tuned in read_tuned(path)] == sorted(e.key for e in entries)


def test_tuned_parameters_replace_defaults_by_edition_and_players(tmp_path: Path) -> None:
    """The nearest player count is used, of two the smaller; values in the line-up come first."""
    declared(tmp_path, "tuned_a", entry(2, 1.0), entry(4, 2.0, calm=7.0))
    assert parsed("tuned_a", 2).values == (1.0, 4.0)
    assert parsed("tuned_a", 4).values == parsed("tuned_a", 6).values == (2.0, 7.0)
    assert parsed("tuned_a", 3).values == (1.0, 4.0)
    assert parsed("tuned_a:nerve=9", 4).values == (9.0, 7.0)
    assert parsed("tuned_a", 4, "first").values == (3, 4)


@pytest.mark.parametrize(
    ("name", "entries", "said"),
    [
        ("tuned_d", [entry(4, 11.0)], "parameter 'nerve' is 11, outside its range"),
        ("tuned_e", [entry(4, 1.0, nerves=1.0)], "has no parameter 'nerves'"),
    ],
)
def test_tuned_parameters_that_do_not_fit_the_strategy_are_refused(
    tmp_path, name, entries, said
) -> None:
    declared(tmp_path, name, *entries)
    with pytest.raises(StrategyError, match=said):
        parsed(name, 4)


def test_a_missing_or_broken_file_of_tuned_parameters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match="No such file"):
        read_tuned(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("tuned = 3", encoding="utf-8")
    with pytest.raises(StrategyError, match="holds no tuned parameters"):
        read_tuned(broken)


def test_new_tuned_parameters_change_the_hash_of_a_strategy(tmp_path: Path) -> None:
    declared(tmp_path, "tuned_f", entry(4, 1.0))
    before = strategy_sources(["tuned_f"])
    (tmp_path / "tuned_f.toml").write_text(write_tuned([entry(4, 2.0)]), encoding="utf-8")
    assert strategy_sources(["tuned_f"]) != before


def test_the_data_of_every_tuned_strategy_fit_it_and_name_their_command() -> None:
    bundled = [s for s in list_strategies() if s.module.startswith("ethnos_sim.")]
    for strategy in bundled:
        file = tuned_file(strategy)
        for tuned in read_tuned(file) if file else ():
            assert tuned_values(strategy, load_rules(tuned.edition), tuned.players)
            assert tuned.low <= tuned.share <= tuned.high
            assert tuned.command.startswith("ethnos-sim strategies tune ")
