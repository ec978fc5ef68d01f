"""The gate's decision: few false alarms, and few moves that pass."""

from dataclasses import replace

import numpy as np
import pytest
from inside.experiments import Estimates, Verdict
from inside.experiments.statistics import align_rows, from_standard_errors
from inside.reports.gate import ALARM_LEVEL, NUMBER_LABELS, guarded_numbers, judge_numbers
from toy_numbers import numbers_of

pytestmark = pytest.mark.long

BLOCKS = 32


def placed(numbers: Estimates) -> Estimates:
    """Numbers with the labels of a situation."""
    table = {"edition": "second", "mode": "standard", "rules": "", "players": 4}
    return numbers.with_labels(**table, population="mixed")


def verdicts_of_a_run(
    rng: np.random.Generator,
    moved: np.ndarray,
    *,
    error: float = 1 / 8,
    level: float = ALARM_LEVEL,
    times: float = 5.0,
) -> list[str]:
    """The verdicts on a noisy baseline and fresh games.

    Args:
        rng: the source of all noise.
        moved: the move of each number, in margins.
        error: standard error of the fresh games, in margins.
        level: chance of any false alarm.
        times: the baseline's games, as a multiple of the fresh games.
    """
    shape, of_block = (BLOCKS, len(moved)), error * np.sqrt(BLOCKS)
    stored = placed(numbers_of(rng.normal(0, of_block / np.sqrt(times), shape)))
    fresh = placed(numbers_of(moved + rng.normal(0, of_block, shape)))
    return list(judge_numbers(stored, fresh, np.ones(len(moved)), level)["verdict"])


def test_runs_of_an_unchanged_program_pass_without_false_alarm():
    rng = np.random.default_rng(1)
    runs = [set(verdicts_of_a_run(rng, np.zeros(520))) for _ in range(60)]
    # The declared rate allows one run in a thousand; unmoved numbers have half the margin to spare.
    assert runs.count({Verdict.ALIKE}) >= 59
    assert not any(Verdict.MATTERS in run for run in runs)


@pytest.mark.parametrize(
    ("moved", "error", "times", "at_least"),
    # With moves of half the margin, the rate is not far below the level (Bonferroni).
    [(0.5, 1 / 8, 5, 0.01), (0.0, 2.0, 1, 0.0)],
    ids=["moved by half the margin", "noise larger than the margin"],
)
def test_runs_fail_no_more_often_than_declared(moved, error, times, at_least):
    rng = np.random.default_rng(2)
    level, runs = 0.05, 200
    moves = np.full(60, moved) * rng.choice([-1, 1], 60)
    failed = sum(
        Verdict.MATTERS in verdicts_of_a_run(rng, moves, error=error, level=level, times=times)
        for _ in range(runs)
    )
    assert at_least <= failed / runs <= level + 3 * np.sqrt(level * (1 - level) / runs)


def test_a_number_that_moved_by_its_margin_passes_in_at_most_one_run_of_twenty():
    rng = np.random.default_rng(4)
    runs, moved = 150, np.eye(20)[7]
    decided = [verdicts_of_a_run(rng, moved)[7] for _ in range(runs)]
    assert decided.count(Verdict.ALIKE) / runs <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)


def known(value: list[float], error: float | list[float]) -> Estimates:
    """Numbers with errors over 32 blocks."""
    errors, names = np.broadcast_to(error, len(value)), [f"{n}" for n in range(len(value))]
    return placed(
        from_standard_errors(
            value, errors, np.full(len(value), 32), games=10_000, estimand="win_lift", name=names
        )
    )


def test_a_number_between_the_limits_and_one_without_an_error_are_open():
    fresh = known([0.0, 0.9, 0.0], [0.15, 0.15, np.nan])
    outcomes = judge_numbers(known([0.0] * 3, 0.01), fresh, np.ones(3))
    assert list(outcomes["verdict"]) == [Verdict.ALIKE, Verdict.OPEN, Verdict.OPEN]


def test_numbers_that_never_vary_pass_when_equal_and_fail_when_not():
    outcomes = judge_numbers(known([0.25, 0.25], 0.0), known([0.25, 0.5], 0.0), np.full(2, 0.01))
    assert list(outcomes["verdict"]) == [Verdict.ALIKE, Verdict.MATTERS]


def numbers(*rows: tuple[str, float, int]) -> Estimates:
    """Win lifts of 0.1 in 500,000 games, each with a name, a standard error and its events."""
    names, errors, events = map(list, zip(*rows, strict=True))
    estimates = known([0.1] * len(rows), errors).with_labels(name=names)
    return replace(estimates, games=np.full(len(rows), 500_000), events=np.asarray(events))


def test_a_number_that_is_too_noisy_is_not_guarded():
    rows = numbers(
        ("bear", 0.001, 500_000), ("fox", 0.01, 500_000), ("koi", 0.001, 6_000), ("owl", np.nan, 0)
    )
    # The error of a difference may be at most 0.12 / 6.17 = 0.019. For the fox it is 0.024: 0.01 by
    # the baseline, and 0.022 by a run, which has a fifth of the games. A twelfth of a run must have
    # twice the least events. Five runs then have 12,000 events, and the koi has half as many.
    assert guarded_numbers(rows)["name"].to_list() == ["bear"]


def test_paired_numbers_keep_their_degrees_of_freedom_and_a_missing_number_has_no_value():
    table = numbers(("a", 0.001, 400), ("b", 0.001, 400))
    paired = align_rows(table.rows_at([0]), table, NUMBER_LABELS)
    assert paired.names == ("a", "b")
    assert paired.degrees_of_freedom[0] == pytest.approx(31)
    assert np.isnan(paired.value).tolist() == [False, True]
    assert paired.has_interval.tolist() == [True, False]
