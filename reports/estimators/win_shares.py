"""Shares of wins over the seats of a game: by who acts first, by strategy, by skill.

Strategies are rotated over the seats and the first player is drawn at random, so each strategy acts
first equally often in the long run, and none gains by where it sits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, IntArray
from ethnos_sim.experiments.statistics.jackknife import ratio
from ethnos_sim.reports.estimators.estimand import POWER, Estimand
from ethnos_sim.reports.evidence.evidence import SKILL, Evidence, Situation
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def shares_of_wins(
    places: str, names: Callable[[int], Sequence[str]]
) -> Callable[[Estimand, Sums, str], Estimates]:
    """P(win) by place less 1 / players; `places` names an array by seat such as "turn_won"."""

    def measured(own: Estimand, sums: Sums, population: str) -> Estimates:
        return own.measure(
            lambda of: ratio(of[places], SIXTIETHS * of["games"][..., None]) - 1 / sums.players,
            sums.arrays,
            population,
            names(sums.players),
        )

    return measured


SEAT_EDGE = Estimand(
    name="seat_edge",
    unit="share_difference",
    label="{Name} seat: edge",
    margin=POWER.minor,
    bands=POWER,
    family="seats",
    measured=shares_of_wins("turn_won", lambda players: ORDINALS[:players]),
)

LineUps = Mapping[tuple[str, ...], Sums]
"""The games of each line-up in which nobody was restricted, all of one number of players."""


def sums_by_line_up(evidence: Evidence, situation: Situation) -> LineUps:
    """The games of a situation."""
    found: dict[tuple[str, ...], Sums] = {}
    for stratum, sums in evidence.strata(situation).items():
        before = found.get(stratum.line_up)
        found[stratum.line_up] = sums if before is None else before.plus(sums)
    return found


def _strategy_shares(own: Estimand, line_ups: LineUps, population: str) -> Estimates:
    """P(win) of a seat held by each strategy, over all line-ups together."""
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
    return own.measure(
        lambda of: ratio(of["won"], SIXTIETHS * of["seats"]),
        arrays,
        population,
        names,
        games=arrays["seats"].sum(axis=0),
    )


def _where_strategies_met(
    evidence: Evidence, situation: Situation
) -> Iterator[tuple[LineUps, str]]:
    """The line-ups, where they are of different strategies."""
    line_ups = sums_by_line_up(evidence, situation)
    if situation.population != SKILL and len({name for each in line_ups for name in each}) > 1:
        yield line_ups, situation.population


STRATEGY_SHARE = Estimand(
    name="strategy_share",
    unit="share",
    label="{name}: win share",
    margin=0.01,
    family="strategies",
    measured=_strategy_shares,
    source=_where_strategies_met,
)


def _skill_games(evidence: Evidence, situation: Situation) -> Iterator[tuple[Sums, str]]:
    """The games of line-ups that are there for it: [stronger, weaker, …]."""
    if situation.population == SKILL and situation in evidence.situations:
        yield evidence.of(situation), SKILL


SKILL_SHARE = Estimand(
    name="skill",
    unit="share",
    label="Skill share of the stronger strategy",
    margin=POWER.minor,
    family="strategies",
    measured=lambda own, sums, population: own.measure(
        lambda of: ratio(of["entry_won"][..., :1], SIXTIETHS * of["games"][..., None]),
        sums.arrays,
        population,
        ("stronger",),
    ),
    source=_skill_games,
)
