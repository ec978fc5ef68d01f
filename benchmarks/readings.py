"""Measure how the worth of clans changes with values that no source prints.

One seat gives up the clan that has the value. The same deals are played with the values that the
package uses and with each other plausible set of values (a reading). `reports/page/readings.toml`
holds the lowest and the highest end of the intervals for these changes. The page uses them to say
whether a clan's verdict depends on a guess.

    python benchmarks/readings.py [GAMES] > reports/page/readings.toml
"""

from __future__ import annotations

from collections.abc import Iterator

from runner import run

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.designs.clan_sets import balanced_sample
from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.evidence.gathering import PlanGatherer
from ethnos_sim.experiments.execution.engines import Threads, play_now
from ethnos_sim.experiments.plans.plan import make_plan
from ethnos_sim.experiments.specs.spec import parse_spec
from ethnos_sim.reports.estimators.interventions import RESTRICTED_PLAY
from ethnos_sim.simulator.rules import load_rules

EDITION, PLAYERS, CLAN_SETS = "second", (2, 3, 4, 5, 6), 12

READINGS: dict[str, dict[str, dict[str, object]]] = {
    "koi": {
        "short-track": {"koi.last_space": 15, "koi.symbols": [3, 6, 10, 15]},
        "long-track": {"koi.last_space": 24},
        "few-symbols": {"koi.symbols": [5, 11, 18]},
        "many-symbols": {"koi.symbols": [2, 5, 8, 11, 14, 18]},
        "low-awards": {"koi.prestige_4_6": [1, 2, 4], "koi.prestige_2_3": [1, 3]},
        "high-awards": {"koi.prestige_4_6": [3, 6, 12], "koi.prestige_2_3": [3, 9]},
    },
    "bear": {
        "low-awards": {"bear.age_4_6": [4, 6, 8], "bear.age_2_3": [4, 7]},
        "high-awards": {"bear.age_4_6": [4, 10, 16], "bear.age_2_3": [4, 14]},
    },
    "monkey": {
        "low-board": {"monkey.settlement": [0, 1, 2, 4, 7, 11, 15]},
        "high-board": {"monkey.settlement": [0, 1, 4, 8, 13, 19, 26]},
    },
    "raccoon": {
        "low-coins": {"raccoon.coins": [*[1] * 10, *[2] * 4]},
        "high-coins": {"raccoon.coins": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5]},
    },
}
"""The readings of each clan's values: a name, and the values that it sets."""

USED = "in-use"


def evidence_of(clan: str, games: int) -> Evidence:
    """Games in which one seat gives up the clan, for each reading and number of players."""
    restricted = f"{STRONGEST}:never_leads={clan}"
    sets = {USED: {}, **READINGS[clan]}
    others = [name for name in load_rules(EDITION).clans if name != clan]
    spec = {
        "name": f"Readings of {clan}",
        "seed": 13,
        "games": games * len(sets) * len(PLAYERS),
        "editions": [EDITION],
        "players": list(PLAYERS),
        "clan_sets": {
            "given": [
                [clan, *beside]
                for size in (5, 6)
                for beside in balanced_sample(others, size - 1, CLAN_SETS, 1)
            ]
        },
        "line_ups": [
            {"strategies": [restricted, *[STRONGEST] * (players - 1)], "players": [players]}
            for players in PLAYERS
        ],
        "rules": [{"name": name, "set": values} for name, values in sets.items()],
    }
    plan = make_plan(parse_spec(spec, "readings"))
    gatherer = PlanGatherer(plan)
    play_now(plan, gatherer.add, engine=Threads(1))
    return gatherer.evidence()


def shifts(evidence: Evidence, clan: str) -> Iterator[tuple[int, str, float, float, float]]:
    """By players and reading: the change of the clan's worth, with both ends of its interval."""
    power = {
        (situation.players, situation.rules): RESTRICTED_PLAY.of(sums, "").where(name=clan)
        for (situation, _), sums in evidence.interventions.items()
    }
    for (players, reading), worth in power.items():
        if reading:
            (change,) = worth.minus(power[players, ""], ("name",)).estimates()
            assert change.value is not None
            assert change.low is not None
            assert change.high is not None
            yield players, reading, change.value, change.low, change.high


def record(games: int = 4_000) -> None:
    """Write the record, each reading in a comment."""
    print("# How much readings of values that no source prints change a clan's worth, in games")
    print("# of 100: the lowest and the highest end of all 95 % intervals over them, by number")
    print(f"# of players. {games:,} games of {STRONGEST} with one seat that gives up the clan, for")
    print("# each reading and number of players; made by benchmarks/readings.py.")
    for clan in READINGS:
        ends: dict[int, list[float]] = {}
        print(f"\n[{EDITION}.{clan}]")
        for players, reading, value, low, high in shifts(evidence_of(clan, games), clan):
            half = 50 * (high - low)
            print(f"# {players} players, {reading}: {100 * value:+.1f} ± {half:.1f}", flush=True)
            ends.setdefault(players, []).extend((100 * low, 100 * high))
        for players, every in sorted(ends.items()):
            print(f"{players} = [{min(every):.1f}, {max(every):.1f}]", flush=True)


if __name__ == "__main__":
    run(record)
