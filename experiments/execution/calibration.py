"""Measure the time and disk space of a plan on a few games that do not belong to it.

Every partition plays a small shard, of one cell for each line-up, with another seed than the sweep.
Nothing is written.
"""

from __future__ import annotations

import time
from dataclasses import replace

from ethnos_sim.experiments.execution.playing import play_shard, prepare_plan
from ethnos_sim.experiments.plans.plan import Plan, Shard

#: About how many games of each partition are measured, unless its shards are smaller.
TRIAL_GAMES = 1_000

#: The seed of the measured games, which no sweep uses.
TRIAL_SEED = 2**62 + 1


def measure_needs(plan: Plan, jobs: int) -> tuple[float, float]:
    """The seconds that `jobs` threads need for the games of a plan, and the bytes of its files.

    Raises:
        WrongInput: a strategy is not known, or a cell cannot be played.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    by_line_up = {(cell.partition, cell.line_up, cell.kind): cell for cell in plan.cells}
    trial = replace(plan, seed=TRIAL_SEED, cells=tuple(by_line_up.values()))
    tables = prepare_plan(trial)
    seconds = size = 0.0
    for partition, rounds in plan.rounds.items():
        most = min(TRIAL_GAMES, plan.shard_games.get(partition, TRIAL_GAMES))
        shard = Shard(partition, 0, max(1, most // trial.games_per_round(partition)))
        started = time.perf_counter()
        played = play_shard(trial, tables, shard).packed()
        spent = time.perf_counter() - started
        times = rounds * plan.games_per_round(partition) / trial.games_of(shard)
        seconds += times * spent / jobs
        size += times * sum(map(len, played.tables.values()))
    return seconds, size
