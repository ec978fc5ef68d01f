"""Test whether two sweeps that differ by their seeds agree as often as intervals promise.

    python benchmarks/coverage.py FOLDER FRESH

For all headline numbers in both sweeps it prints how often single intervals of the difference hold
0, and how many comparisons of equal rules call a number changed (5 of 100 are allowed). FRESH may
also be a sweep in which only one seat gives up a clan. Then the program prints three numbers for
clan power at each kind of table: how often single intervals of the difference hold 0, the
chi-square of all clans, and how far the worst clan lies outside its interval.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from runner import run

from ethnos_sim.experiments.evidence.gathering import gather_results
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.experiments.storage.results import open_results
from ethnos_sim.reports.comparison.differences import compare_numbers, with_verdicts
from ethnos_sim.reports.estimators.catalog import HEADLINE
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER
from ethnos_sim.reports.numbers import numbers

ON = ("estimand", "name")


def numbers_in(folder: Path) -> Estimates:
    """Every headline number of a sweep, and the power of its clans."""
    wanted = [RELATIVE_POWER.name, *(estimand.name for estimand in HEADLINE)]
    return numbers(gather_results([open_results(folder)]), *wanted)


def held(difference: Estimates) -> tuple[int, int]:
    """The number of single intervals that hold 0, and the number of all intervals."""
    known = difference.at(difference.trusted)
    low, high = known.interval()
    return int(((low <= 0) & (high >= 0)).sum()), len(known)


def print_power(table: str, difference: Estimates) -> None:
    """Print how far powers at one kind of table differ, over all clans and for the worst one."""
    inside, count = held(difference)
    low, high = difference.interval()
    chi_square = ((difference.value / difference.standard_error) ** 2).sum()
    beyond = 100 * max(np.maximum(low, -high).max(), 0.0)
    print(
        f"{table}: power {inside} of {count} held, chi-square {chi_square:.1f} on {count - 1}, "
        f"worst clan off by {beyond:.2f} of 100 games beyond its interval"
    )


def compare(folder: Path, fresh: Path) -> None:
    """Compare two folders."""
    first, second = numbers_in(folder), numbers_in(fresh)
    inside, count, compared, alarms = 0, 0, 0, 0
    about = ("edition", "mode", "rules", "players", "population")
    for key in dict.fromkeys(first.keys(about)):
        table = dict(zip(about, key, strict=True))
        ours, theirs = first.where(**table), second.where(**table)
        if not len(theirs):
            continue
        both = ours.where(estimand=RELATIVE_POWER.name).beside(
            theirs.where(estimand=RELATIVE_POWER.name), ON
        )
        difference = both[1].minus(both[0], ON, same_deals=False)
        if difference.trusted.any():
            print_power(" ".join(map(str, filter(None, key))), difference)
        headline = [estimand.name for estimand in HEADLINE]
        changes = compare_numbers(
            ours.where(estimand=headline), theirs.where(estimand=headline), same_deals=False
        )
        if len(changes):
            (judged,) = with_verdicts([changes])
            compared += 1
            alarms += any(change.verdict is Verdict.MATTERS for change in judged)
            holding, known = held(changes)
            inside, count = inside + holding, count + known
    print(f"{inside} of {count} single intervals hold 0: {100 * inside / max(count, 1):.1f} %")
    print(f"{alarms} of {compared} comparisons of equal rules call a number changed")


if __name__ == "__main__":
    run(compare)
