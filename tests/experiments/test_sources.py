"""The hashes that tell whether the code behind a plan's strategies is what it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethnos_sim.experiments.sources import strategy_sources
from ethnos_sim.strategies import list_strategies, load_strategy_file, registry

HEAD = "from ethnos_sim.strategies import strategy\nfrom ethnos_sim.strategies.toolkit import *\n"
FOLLOWED = HEAD + "@strategy()\ndef followed(view):\n    return draw()\n"
AHEAD = HEAD + '@strategy(policy="followed")\ndef ahead(view):\n    return draw()\n'


@pytest.fixture(autouse=True)
def registry_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test registers is forgotten after it."""
    list_strategies()
    monkeypatch.setattr(registry, "_known", dict(registry._known))
    monkeypatch.setattr(registry, "_origins", dict(registry._origins))


def test_the_policy_that_a_player_looks_ahead_with_counts_as_its_code(tmp_path: Path) -> None:
    (tmp_path / "ahead.py").write_text(AHEAD)
    (tmp_path / "followed.py").write_text(FOLLOWED)
    load_strategy_file(tmp_path / "followed.py")
    load_strategy_file(tmp_path / "ahead.py")
    names = ["ahead", "ahead:policy=greedy", "greedy"]
    before = strategy_sources(names)
    assert before["ahead"] != before["ahead:policy=greedy"]
    (tmp_path / "followed.py").write_text(FOLLOWED + "# another word\n")
    after = strategy_sources(names)
    assert after["ahead"] != before["ahead"]
    assert after["ahead:policy=greedy"] == before["ahead:policy=greedy"]
    assert after["greedy"] == before["greedy"]


def test_look_ahead_with_champion_rests_on_champions_files_and_weights() -> None:
    found = strategy_sources(["lookahead", "lookahead:samples=3", "lookahead:policy=champion"])
    assert len(set(found.values())) == 1
    assert strategy_sources(["lookahead:policy=warden"]).popitem()[1] not in found.values()
