"""The gate's decision: few false alarms, few moves that pass, and an end of every run."""

from dataclasses import replace

import numpy as np
import pytest
from inside.experiments.statistics import lined_up, with_errors
from inside.reports.gate import KEY, LEVEL, Decision, guarded
from toy_numbers import numbers_of

from ethnos_sim.experiments import Estimates, Verdict

pytestmark = pytest.mark.long

BLOCKS = 32
LOOKS = (1 / 8, 1 / 4, 1 / 2, 1.0)


def placed(numbers: Estimates, situation: np.ndarray) -> Estimates:
    """Numbers with the labels of their situations."""
    table = {"edition": "second", "mode": "standard", "rules": "", "players": 4}
    return numbers.labelled(**table, population=situation)


def simulated_run(
    rng: np.random.Generator,
    moved: np.ndarray,
    *,
    situations: int,
    error: float,
    level: float = LEVEL,
    times: float = 4.0,
) -> Decision:
    """A whole run: a noisy baseline, then looks at accumulating games, with the real decision.

    Args:
        rng: the source of all noise.
        moved: the move of each number, in margins.
        situations: the number of situations, all with equally many numbers.
        error: standard error, in margins, of fresh games at the whole budget.
        level: chance of any false alarm.
        times: the baseline's games, as a multiple of the budget.
    """
    count = len(moved)
    of_block = error * np.sqrt(BLOCKS)
    situation = np.repeat(np.arange(situations), count // situations)
    stored = numbers_of(rng.normal(0, of_block / np.sqrt(times), (BLOCKS, count)))
    decision = Decision(placed(stored, situation), np.ones(count), LOOKS, level)
    sums = np.zeros((BLOCKS, count))
    before = 0.0
    for share in LOOKS:
        more = share - before
        sums += more * moved + rng.normal(0, of_block * np.sqrt(more), (BLOCKS, count))
        before = share
        decision.look(placed(numbers_of(sums / share), situation))
        if decision.outcome != Verdict.OPEN:
            break
    return decision


def test_runs_of_an_unchanged_program_pass_without_false_alarm():
    rng = np.random.default_rng(1)
    runs = [
        simulated_run(rng, np.zeros(520), situations=13, error=1 / 8).outcome for _ in range(200)
    ]
    # The declared rate allows one run in a thousand; unmoved numbers have half the margin to spare.
    assert runs.count(Verdict.MATTERS) == 0
    assert runs.count(Verdict.ALIKE) >= 199


@pytest.mark.parametrize(
    ("moved", "error", "times", "at_least"),
    # With moves of half the margin, the rate is not far below the level (Bonferroni).
    [(0.5, 1 / 8, 4, 0.01), (0.0, 2.0, 1, 0.0)],
    ids=["moved by half the margin", "noise larger than the margin"],
)
def test_runs_fail_no_more_often_than_declared(moved, error, times, at_least):
    rng = np.random.default_rng(2)
    level, runs = 0.05, 600
    moves = np.full(60, moved) * rng.choice([-1, 1], 60)
    known = {"situations": 3, "error": error, "level": level, "times": times}
    outcomes = [simulated_run(rng, moves, **known).outcome for _ in range(runs)]
    failed = outcomes.count(Verdict.MATTERS) / runs
    assert at_least <= failed <= level + 3 * np.sqrt(level * (1 - level) / runs)


def test_a_number_that_moved_by_its_margin_passes_in_at_most_one_run_of_twenty():
    rng = np.random.default_rng(4)
    runs, moved = 400, np.eye(20)[7]
    decided = [
        simulated_run(rng, moved, situations=2, error=1 / 8).verdicts[7] for _ in range(runs)
    ]
    assert decided.count(Verdict.ALIKE) / runs <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)


def test_a_large_change_fails_at_the_first_look_and_names_the_number():
    rng = np.random.default_rng(6)
    moved = np.zeros(520)
    moved[[5, 300]] = 8.0, -8.0
    decision = simulated_run(rng, moved, situations=13, error=1 / 8)
    assert decision.looked == 1
    assert [
        place for place, verdict in enumerate(decision.verdicts) if verdict is Verdict.MATTERS
    ] == [5, 300]


def known(
    value: list[float], error: float | list[float], situation: tuple[int, ...] = (0, 0, 1, 1)
) -> Estimates:
    """Numbers with errors over 32 blocks and their situations."""
    errors, names = np.broadcast_to(error, len(value)), [f"{n}" for n in range(len(value))]
    estimates = with_errors(
        value, errors, np.full(len(value), 32), games=10_000, estimand="win_lift", name=names
    )
    return placed(estimates, np.asarray(situation))


def two_situations(value: list[float], error: float | list[float]) -> tuple[Decision, Estimates]:
    """A decision over two situations with two numbers each, margins of 1, and fresh numbers."""
    decision = Decision(known([0.0] * 4, 0.01), np.ones(4), (0.5, 1.0))
    return decision, known(value, error)


def test_a_situation_passes_only_when_all_its_numbers_do():
    decision, fresh = two_situations([0.0, 0.9, 0.0, 0.0], 0.1)
    decision.look(fresh)
    assert decision.verdicts == [Verdict.ALIKE, Verdict.OPEN, Verdict.ALIKE, Verdict.ALIKE]
    assert {situation.population for situation in decision.open_situations} == {0}
    assert decision.outcome == Verdict.OPEN


def test_a_decided_number_is_not_judged_again():
    decision, fresh = two_situations([0.0, 0.9, 0.0, 0.0], 0.1)
    decision.look(fresh)
    decision.look(replace(fresh, value=np.asarray([0.0, 0.0, 50.0, 0.0])))
    assert decision.verdicts == [Verdict.ALIKE] * 4


def test_a_number_without_an_error_is_open():
    decision, fresh = two_situations([0.0, 0.0, 0.0, 0.0], [0.1, np.nan, 0.1, 0.1])
    decision.look(fresh)
    assert decision.verdicts == [Verdict.ALIKE, Verdict.OPEN, Verdict.ALIKE, Verdict.ALIKE]


def test_numbers_that_never_vary_pass_when_equal_and_fail_when_not():
    decision = Decision(known([0.25, 0.25], 0.0, (0, 1)), np.full(2, 0.01), (1.0,))
    decision.look(known([0.25, 0.5], 0.0, (0, 1)))
    assert decision.verdicts == [Verdict.ALIKE, Verdict.MATTERS]


def numbers(*rows: tuple[str, float, int]) -> Estimates:
    """Win lifts of 0.1 in 400,000 games, each with a name, a standard error and its events."""
    names, errors, events = map(list, zip(*rows, strict=True))
    count = len(rows)
    estimates = known([0.1] * count, errors, ("mixed",) * count).labelled(name=names)
    return replace(estimates, games=np.full(count, 400_000), events=np.asarray(events))


def test_a_number_that_is_too_noisy_is_not_guarded():
    rows = numbers(
        ("bear", 0.001, 500_000), ("fox", 0.01, 500_000), ("koi", 0.001, 3_600), ("owl", np.nan, 0)
    )
    # The error of a difference may be at most 0.12 / 6.96 = 0.017. For the fox it is 0.022: 0.01 by
    # the baseline, and 0.02 by a run, which has a quarter of the games. A ninth of a run must have
    # twice the least events. Four runs then have 7,200 events, and the koi has half as many.
    assert guarded(rows, 4, 4)["name"].to_list() == ["bear"]


def test_paired_numbers_keep_their_degrees_of_freedom_and_a_missing_number_has_no_value():
    table = numbers(("a", 0.001, 400), ("b", 0.001, 400))
    paired = lined_up(table.at([0]), table, KEY)
    assert paired.names == ("a", "b")
    assert paired.degrees[0] == pytest.approx(31)
    assert np.isnan(paired.value).tolist() == [False, True]
    assert paired.trusted.tolist() == [True, False]
