"""Tables of estimates: rows by labels, and differences with their errors."""

import numpy as np
import pytest
from inside.experiments import join_tables
from inside.experiments.statistics import NUMBER_COLUMNS, from_intervals, welch_degrees
from toy_numbers import numbers_of

BLOCKS = 32
RNG = np.random.default_rng(3)
THREE = numbers_of(RNG.normal(1, 1, (BLOCKS, 3)), ("bear", "fox", "koi"))


def test_rows_are_found_by_labels() -> None:
    table = join_tables([THREE.with_labels(players=3), THREE.with_labels(players=4)])
    assert len(table.rows_where(players=4)) == 3
    assert table.rows_where(players=4, name=["koi", "bear"]).names == ("bear", "koi")
    assert len(table.rows_where(players=5)) == 0
    with pytest.raises(KeyError):
        table.rows_where(clan="bear")


def test_a_column_that_one_table_lacks_is_empty_there() -> None:
    table = join_tables([THREE, THREE.with_labels(side="winners")])
    assert table["side"].tolist() == [""] * 3 + ["winners"] * 3


def test_differences_match_rows_by_labels_in_any_order() -> None:
    differences = THREE.minus(THREE.rows_named(["koi", "bear"]))
    assert differences.names == ("bear", "koi")
    assert differences.value.tolist() == differences.standard_error.tolist() == [0, 0]
    games = THREE.rows_named(["bear", "koi"]).games
    assert differences.games.tolist() == (2 * games).tolist() > [0, 0]


def test_subtracting_a_table_with_repeated_labels_is_refused() -> None:
    table = join_tables([THREE.with_labels(players=3), THREE.with_labels(players=4)])
    with pytest.raises(ValueError, match="several rows have the same estimand, name"):
        THREE.minus(table)
    assert table.minus(THREE).value.tolist() == [0] * 6


def test_tables_over_different_blocks_are_not_combined() -> None:
    other = numbers_of(THREE.pseudo_values, THREE.names, leverage=30.0)
    with pytest.raises(ValueError, match="different blocks"):
        join_tables([THREE, other]).transform(np.exp)


def test_each_subtracted_table_over_other_blocks_adds_its_variance() -> None:
    one, other = (numbers_of(THREE.pseudo_values, THREE.names, leverage=of) for of in (20.0, 30.0))
    differences = THREE.minus(one).minus(other)
    errors = one.standard_error, other.standard_error
    assert differences.added_error == pytest.approx(np.hypot(*errors))
    degrees = welch_degrees(*errors, one.degrees_of_freedom, other.degrees_of_freedom)
    assert differences.added_degrees == pytest.approx(degrees)
    assert (degrees > np.maximum(one.degrees_of_freedom, other.degrees_of_freedom)).all()


def test_given_bounds_are_kept_as_the_interval() -> None:
    share = from_intervals([0.5], [0.4], [0.7], unit="share", games=80, players=4, name=["greedy"])
    low, high = share.interval(comparisons=9)
    assert (low.tolist(), high.tolist()) == ([0.4], [0.7])
    frame = join_tables([THREE, share]).frame()
    assert frame.columns[-len(NUMBER_COLUMNS) :] == list(NUMBER_COLUMNS)
    assert frame.row(3, named=True)["standard_error"] is None


def test_too_few_events_leave_a_value_and_no_interval() -> None:
    row = numbers_of(THREE.pseudo_values, THREE.names, games=99).frame().row(0, named=True)
    assert row["value"] == THREE.value[0]
    assert (row["low"], row["high"], row["standard_error"]) == (None, None, None)


def test_a_function_of_one_block_has_a_value_and_no_standard_error() -> None:
    one = numbers_of(THREE.pseudo_values[:1], THREE.names, leverage=0.0)
    centred = one.transform(lambda values: values - values.mean(axis=-1, keepdims=True))
    assert centred.value == pytest.approx(one.value - one.value.mean())
    assert np.isnan(centred.standard_error).all()
