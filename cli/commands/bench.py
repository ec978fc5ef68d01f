"""`ethnos-sim bench`: games and decisions per second by edition, players, line-up and threads."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from math import isnan

import click

from ethnos_sim.commands.game_options import EDITION, EditionType, strategies_from_option
from ethnos_sim.commands.tables import print_table


def _a_number(context: click.Context, option: click.Parameter, seconds: float) -> float:
    """Refuse what is no number, which is outside of no range."""
    if isnan(seconds):
        raise click.BadParameter("nan is no number", context, option)
    return seconds


@click.command("bench")
@click.option(
    "--edition",
    "editions",
    type=EditionType(),
    metavar=EDITION,
    multiple=True,
    help="The rules of this edition.  [default: both]",
)
@click.option(
    "--players", "player_counts", multiple=True, type=int, help="Players.  [default: 2 to 6]"
)
@click.option(
    "--mode",
    "modes",
    multiple=True,
    default=("standard",),
    help="standard, recruitment, solo-easy, solo-regular or solo-hard.  [default: standard]",
)
@click.option(
    "--strategies",
    "line_ups",
    metavar="A,B,...",
    multiple=True,
    default=("greedy", "random"),
    help="A line-up, which repeats until the seats are full.  [default: greedy, and random]",
)
@click.option(
    "--jobs",
    "thread_counts",
    multiple=True,
    type=click.IntRange(min=1),
    help="Threads.  [default: 1, and all cores]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.01, max=3600),
    callback=_a_number,
    default=0.5,
    show_default=True,
    help="How long to play each combination.",
)
@strategies_from_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    editions: Sequence[str],
    player_counts: Sequence[int],
    modes: Sequence[str],
    line_ups: Sequence[str],
    thread_counts: Sequence[int],
    seconds: float,
    as_json: bool,
) -> None:
    """Estimates games and decisions per second.

    Every combination of the options is measured; each may be given several times. A decision is a
    turn or a chained party. The combinations take turns in short samples, after a warm-up, and the
    medians are shown.
    """
    from joblib import cpu_count

    from ethnos_sim.experiments.matches.match import prepare_match
    from ethnos_sim.experiments.matches.throughput import ROUNDS, Workload, measure
    from ethnos_sim.simulator.modes import SOLO, SOLO_EDITION
    from ethnos_sim.simulator.rules import EDITIONS, load_rules

    threads = thread_counts or tuple(dict.fromkeys((1, cpu_count())))
    keys = [
        key
        for mode in modes
        for key in product(
            editions or ((SOLO_EDITION,) if mode in SOLO else EDITIONS),
            player_counts or ((1,) if mode in SOLO else range(2, 7)),
            (mode,),
            line_ups,
        )
    ]
    matches = [
        prepare_match(load_rules(edition), line_up, players=players, mode=mode, seed=1)
        for edition, players, mode, line_up in keys
    ]
    workloads = [Workload(match, count) for match in matches for count in threads]
    label = f"Measuring {len(workloads)} combinations, about {len(workloads) * seconds:.0f} s"
    with click.progressbar(
        length=ROUNDS * len(workloads), label=label, file=sys.stderr
    ) as progress:
        rates = measure(workloads, seconds, on_sample=lambda: progress.update(1))
    combinations = ((*key, count) for key in keys for count in threads)
    names = ("edition", "players", "mode", "strategies", "threads")
    rows = [
        dict(zip(names, combination, strict=True))
        | {name: round(value, 1) for name, value in asdict(rate).items()}
        for combination, rate in zip(combinations, rates, strict=True)
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    shown = [
        [f"{value:,.0f}" if isinstance(value, float) else str(value) for value in row.values()]
        for row in rows
    ]
    headings = (*names, "games/s", "decisions/s")
    print_table("Rates, medians of samples taken in turn", headings, shown)
