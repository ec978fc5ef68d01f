"""What a clan is worth to a player who knows that it may not lead it: weights found anew, and nets.

    python benchmarks/restricted.py            # about ten minutes of a core
    python benchmarks/restricted.py --budget 20000 --fresh 4000

One seat against three champions in a fixed set of six clans, with and without one of them. A
champion keeps its weights and loses what it planned with the clan. Weights that are searched anew
under the restriction (`experiments.matches.tuning`), beside weights searched without it, lose what
the clan is worth to who adapts; `learned` sees which clans it may not lead. All play the same fresh
deals.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.designs.populations import even_population
from ethnos_sim.experiments.matches.match import play_match, prepare_match
from ethnos_sim.experiments.matches.tuning import Tuning, prepare_tuning, search
from ethnos_sim.experiments.statistics.intervals import Interval
from ethnos_sim.reports.rating.tuning import tuning_result
from ethnos_sim.simulator.modes import STANDARD
from ethnos_sim.simulator.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules, load_rules

PLAYERS = 4
YARDSTICK = "champion"
SEARCH_SEED = 1
FRESH_SEED = 20

#: The clans in play, and those that one seat may not lead.
SETS = {
    "second": (("fox", "koi", "owl", "deer", "tiger", "rabbit"), ("fox", "deer")),
    "first": (("centaur", "dwarf", "elf", "minotaur", "wingfolk", "wizard"), ("centaur", "wizard")),
}


def searched(rules: Rules, clans: Sequence[str], name: str, budget: int) -> str:
    """The champion's weights searched anew, as text: with its restriction, if the name has one."""
    population = even_population([YARDSTICK], rules.edition, PLAYERS, STANDARD)
    tuning: Tuning = prepare_tuning(
        rules, name, population, players=PLAYERS, budget=budget, seed=SEARCH_SEED
    )
    base = prepare_match(rules, [name], players=PLAYERS, seed=SEARCH_SEED, clans=clans)
    tuning = replace(tuning, base=base)
    return tuning.text(search(tuning).best)


def shares(rules: Rules, clans: Sequence[str], text: str, games: int) -> np.ndarray:
    """The share of wins of one seat against three of the yardstick, by fresh deal."""
    if text == YARDSTICK:
        return np.full(-(-games // PLAYERS), 1 / PLAYERS)
    seated = [text, *[YARDSTICK] * (PLAYERS - 1)]
    match = prepare_match(rules, seated, players=PLAYERS, seed=FRESH_SEED, clans=clans)
    return play_match(match, games).won[:, 0] / (SIXTIETHS * match.rotations)


def told(share: Interval[float]) -> str:
    """A share and its interval, in percent."""
    return f"{100 * share.value:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"


def main() -> None:
    """Search, play, and print a table of each edition."""
    parser = argparse.ArgumentParser(description="Clans' worth to players who adapt.")
    parser.add_argument("--budget", type=int, default=60_000, help="games of each search")
    parser.add_argument("--fresh", type=int, default=20_000, help="games of each measurement")
    given = parser.parse_args()
    for edition, (clans, barred) in SETS.items():
        rules = load_rules(edition)
        print(f"\n{rules.title}: {', '.join(clans)}; percent of games won against three champions")
        print("\n| clan | player | free | without it | worth |\n|---|---|---|---|---|")
        free_weights = searched(rules, clans, YARDSTICK, given.budget)
        for clan in barred:
            limit = f":never_leads={clan}"
            anew = searched(rules, clans, YARDSTICK + limit, given.budget)
            for player, free, without in (
                ("champion", YARDSTICK, YARDSTICK + limit),
                ("weights searched anew", free_weights, anew),
                ("learned", "learned", "learned" + limit),
            ):
                found = tuning_result(
                    shares(rules, clans, free, given.fresh),
                    shares(rules, clans, without, given.fresh),
                    PLAYERS,
                )
                own = "25, even" if free == YARDSTICK else told(found.tuned)
                print(
                    f"| {clan} | {player} | {own} | {told(found.first)} | {told(found.gain)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
