"""Signatures change exactly when results change."""

import platform
from pathlib import Path

import numpy as np
import pytest
from commands import python
from inside import module_with
from inside.experiments import Partition
from inside.experiments.specs import NO_CHANGES
from inside.reports.gate import (
    SignatureResult,
    check_signatures,
    compute_signatures,
    library_strategies,
    partition_name,
    playable_partitions,
    read_signatures,
    write_signatures,
)
from inside.simulator.tables import PreparedTables
from oldest_processor import play_on_the_oldest_processor

from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import list_strategies

pytestmark = pytest.mark.long

signatures = module_with("reports.gate", "compute_signatures")
BUNDLED = signatures.BUNDLED

FOUR = Partition("second", 4, "standard")


def signature() -> str:
    """The signature of two strategies at a table of four."""
    wanted = {FOUR: load_rules("second")}
    return compute_signatures(wanted, ("greedy", "majority")).hashes[partition_name(FOUR)]


def test_there_is_a_signature_for_every_edition_mode_and_player_count():
    names = [partition_name(part) for part in playable_partitions()]
    assert len(names) == 2 * 2 * 5 + 3
    assert sorted(read_signatures(BUNDLED).hashes) == sorted(names)


def test_every_bundled_strategy_plays_for_a_signature():
    assert tuple(read_signatures(BUNDLED).strategies) == library_strategies()
    assert set(library_strategies()) <= {strategy.name for strategy in list_strategies()}


RECORD = "if that is meant: `ethnos-sim check record --only signatures`"


@pytest.fixture(scope="module")
def checked() -> SignatureResult:
    return check_signatures(None, NO_CHANGES)


def test_the_bundled_signatures_equal_the_signatures_of_this_program(checked):
    assert len(checked.partitions) == 23
    assert checked.changed == (), RECORD


@pytest.mark.skipif(platform.machine() != "x86_64", reason="compiles for x86-64")
def test_a_processor_without_wide_vectors_and_fused_products_plays_the_same_games(
    checked, monkeypatch
):
    """Compared with the run above: a change that is not yet recorded fails only that test."""
    play_on_the_oldest_processor(monkeypatch)
    assert check_signatures(None, NO_CHANGES).changed == checked.changed


def test_the_strategies_are_found_through_a_symbolic_link(tmp_path):
    """As in a home that is a link, or an environment that links to the package."""
    package = Path(signatures.__file__).parents[2]
    (tmp_path / "ethnos_sim").mkdir()
    for part in (*package.glob("[a-z_]*"), *(package / "cli").glob("*")):
        (tmp_path / "ethnos_sim" / part.name).symlink_to(part)
    program = f"import {signatures.__name__} as found; print(*found.library_strategies())"
    ended = python("-c", program, PYTHONPATH=str(tmp_path))
    assert ended.stdout.split() == list(library_strategies())


def test_one_changed_number_of_the_tables_changes_the_signature(monkeypatch):
    played = PreparedTables.play

    def one_off(tables, works):
        games, seats = played(tables, works)
        seats["prestige"][-1] += 1
        return games, seats

    before = signature()
    monkeypatch.setattr(PreparedTables, "play", one_off)
    assert signature() != before


def test_the_type_in_which_a_number_is_stored_does_not_matter(monkeypatch):
    tables = module_with("experiments.storage", "GAME_COLUMNS")
    before = signature()
    wider = dict.fromkeys(tables.GAME_COLUMNS, np.int64)
    monkeypatch.setattr(tables, "GAME_COLUMNS", wider)
    assert signature() == before


def test_stored_signatures_are_read_back_unchanged(tmp_path):
    stored = read_signatures(BUNDLED)
    write_signatures(tmp_path / "signatures.toml", stored)
    assert (tmp_path / "signatures.toml").read_text() == BUNDLED.read_text()
