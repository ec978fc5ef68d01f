"""Measure the worth of a clan to players that adapt to not leading it: tuned weights, and nets.

    python benchmarks/restricted.py            # about ten minutes of a core
    python benchmarks/restricted.py --budget 20000 --fresh 4000

One seat plays against three champions in a fixed set of six clans, once free and once without
leading one of them. A champion keeps its weights, so it also loses the plans that need the clan.
Weights that are tuned under the restriction (`experiments.matches.tuning`) adapt to it; they are
compared with weights that are tuned without it. `learned` sees which clans it may not lead. All
play the same fresh deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from one_seat import PLAYERS, shares
from runner import run

from ethnos_sim.experiments.matches.match import prepare_match
from ethnos_sim.experiments.matches.tuning import Tuning, prepare_tuning, search
from ethnos_sim.experiments.statistics.intervals import Interval
from ethnos_sim.reports.rating.shares import tuning_result
from ethnos_sim.simulator.rules import Rules, load_rules

REFERENCE = "champion"
SEARCH_SEED = 1
FRESH_SEED = 20

#: For each edition: the clans in play, and the clans that one seat may not lead.
SETS = {
    "second": (("fox", "koi", "owl", "deer", "tiger", "rabbit"), ("fox", "deer")),
    "first": (("centaur", "dwarf", "elf", "minotaur", "wingfolk", "wizard"), ("centaur", "wizard")),
}


def searched(rules: Rules, clans: Sequence[str], name: str, budget: int) -> str:
    """Tune the champion under the restriction in its name; return it with its weights, as text."""
    tuning: Tuning = prepare_tuning(
        rules, name, [REFERENCE], players=PLAYERS, budget=budget, seed=SEARCH_SEED
    )
    base = prepare_match(rules, [name], players=PLAYERS, seed=SEARCH_SEED, clans=clans)
    tuning = replace(tuning, base=base)
    return tuning.text(search(tuning))


def text_of(share: Interval) -> str:
    """A share and its interval, in percent."""
    return f"{100 * share.value:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"


def row(edition: str, clan: str, player: str, free: str, without: str, games: int) -> str:
    """A row of the table: the wins of `player` with the line-ups `free` and `without` the clan."""
    rules, (clans, _) = load_rules(edition), SETS[edition]
    even = np.full(-(-games // PLAYERS), 1 / PLAYERS)
    free_share, barred = (
        even
        if line_up == REFERENCE
        else shares(rules, line_up, REFERENCE, games, seed=FRESH_SEED, clans=clans)
        for line_up in (free, without)
    )
    result = tuning_result(free_share, barred, PLAYERS)
    free_text = "25, even" if free == REFERENCE else text_of(result.tuned)
    first = "| 1st" if edition == "first" else "| 2nd"
    without_text, gain = text_of(result.first), text_of(result.gain)
    return f"{first} | {clan} | {player} | {free_text} | {without_text} | {gain} |"


def rows(budget: int, games: int) -> Iterator[str]:
    """The table's rows; without a budget no rows for tuned weights."""
    for edition, (clans, barred) in SETS.items():
        rules = load_rules(edition)
        anew = "" if not budget else searched(rules, clans, REFERENCE, budget)
        for clan in barred:
            limit = f":never_leads={clan}"
            for player in (REFERENCE, "learned"):
                yield row(edition, clan, player, player, player + limit, games)
            if anew:
                restricted = searched(rules, clans, REFERENCE + limit, budget)
                yield row(edition, clan, "weights searched anew", anew, restricted, games)


def measure(*, budget: int = 60_000, fresh: int = 20_000) -> None:
    """Search, play, and print the table, by the games of each search and of each measurement."""
    print("| edition | clan | player | free | without it | worth |\n|---|---|---|---|---|---|")
    for line in rows(budget, fresh):
        print(line, flush=True)


if __name__ == "__main__":
    run(measure)
