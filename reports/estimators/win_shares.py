"""Shares of wins over the seats of a game: by who acts first, by strategy, by skill.

Seats are counted in the order of play of the first age, from its first player on, since the place
at the table means nothing before the first player is drawn. Strategies are rotated over the seats
and the first player is drawn at random, so each strategy acts first equally often in the long run,
and none gains by where it sits. A strategy that fills several seats of a line-up is one entry, and
its share is a seat's average; 1 / players is par.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, IntArray
from ethnos_sim.experiments.statistics.jackknife import ratio
from ethnos_sim.reports.estimators.estimand import POWER, Estimand, of_ordinary_games
from ethnos_sim.reports.evidence.evidence import SKILL, Evidence, Situation
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def measure_win_share(
    estimand: Estimand, sums: Sums, places: str, names: Sequence[str], population: str
) -> Estimates:
    """P(win) by place less 1 / players; `places` names an array by seat such as "turn_won"."""
    return estimand.measure(
        lambda of: ratio(of[places], SIXTIETHS * of["games"][..., None]) - 1 / sums.players,
        sums.arrays,
        population,
        names,
    )


def measure_seat_edge(sums: Sums, population: str) -> Estimates:
    """The edge of every seat, in order of play, each with an interval of its own."""
    return measure_win_share(SEAT_EDGE, sums, "turn_won", ORDINALS[: sums.players], population)


SEAT_EDGE = Estimand(
    name="seat_edge",
    unit="share_difference",
    label="{Name} seat: edge",
    margin=POWER.minor,
    bands=POWER,
    family="seats",
    found=of_ordinary_games(measure_seat_edge),
)


def sums_by_line_up(evidence: Evidence, situation: Situation) -> dict[tuple[str, ...], Sums]:
    """The games of a situation in which nobody was restricted, by line-up."""
    found: dict[tuple[str, ...], Sums] = {}
    for stratum, sums in evidence.strata(situation).items():
        before = found.get(stratum.line_up)
        found[stratum.line_up] = sums if before is None else before.plus(sums)
    return found


def measure_population_share(
    line_ups: Mapping[tuple[str, ...], Sums], population: str
) -> Estimates:
    """P(win) of a seat held by each strategy, over all line-ups of a population together.

    Args:
        line_ups: the games of each line-up; every line-up for the same number of players.
        population: what a reader may call it.
    """
    names = tuple(sorted({name for line_up in line_ups for name in line_up}))
    arrays: dict[str, IntArray] = {}
    for line_up, sums in line_ups.items():
        members = np.asarray([[name == entry for name in names] for entry in line_up], np.int64)
        parts = {
            "won": sums.arrays["entry_won"] @ members,
            "seats": sums.sizes[:, None] * members.sum(axis=0),
            "games": sums.sizes,
        }
        arrays = {name: part + arrays.get(name, 0) for name, part in parts.items()}
    return STRATEGY_SHARE.measure(
        lambda of: ratio(of["won"], SIXTIETHS * of["seats"]),
        arrays,
        population,
        names,
        games=arrays["seats"].sum(axis=0),
    )


def _of_strategies(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """The win share of every strategy where different ones met."""
    by_line_up = sums_by_line_up(evidence, situation)
    if situation.population != SKILL and len({s for line_up in by_line_up for s in line_up}) > 1:
        yield measure_population_share(by_line_up, situation.population)


STRATEGY_SHARE = Estimand(
    name="strategy_share",
    unit="share",
    label="{name}: win share",
    margin=0.01,
    family="strategies",
    found=_of_strategies,
)


def _of_skill(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """The skill share of line-ups that are there for it: [stronger, weaker, …]."""
    if situation.population == SKILL and situation in evidence.situations:
        yield SKILL_SHARE.measure(
            lambda of: ratio(of["entry_won"][..., :1], SIXTIETHS * of["games"][..., None]),
            evidence.of(situation).arrays,
            situation.population,
            ("stronger",),
        )


SKILL_SHARE = Estimand(
    name="skill",
    unit="share",
    label="Skill share of the stronger strategy",
    margin=POWER.minor,
    family="strategies",
    found=_of_skill,
)
