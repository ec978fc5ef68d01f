"""The headline numbers of a situation: what is compared, guarded by the gate, and summed up first.

A situation is an edition in a mode with a rule set, a player count and a population. Its numbers
come as measures: jackknifed over the same blocks of deals, so that two situations that played the
same deals can be compared number by number.
"""

from __future__ import annotations

from collections.abc import Iterator

from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.estimators.game_shape import measure_shape
from ethnos_sim.reports.estimators.one_seat_play import measure_one_seat
from ethnos_sim.reports.estimators.seat_edge import measure_seat_edge
from ethnos_sim.reports.estimators.skill import measure_skill
from ethnos_sim.reports.estimators.strategy_share import measure_population_share
from ethnos_sim.reports.estimators.usage import measure_usage
from ethnos_sim.reports.estimators.win_lift import measure_win_lift
from ethnos_sim.reports.evidence import SKILL, Evidence, Situation
from ethnos_sim.reports.sufficient import Sums

FAMILIES = {
    "seat_edge": "seats",
    "restricted_play": "clans",
    "forced_play": "clans",
    "win_lift": "clans",
    "usage": "clans",
    "game_shape": "shape",
    "strategy_share": "strategies",
    "skill": "strategies",
}
"""The family of numbers that each estimand belongs to: what Holm's correction is made over."""


def headline_measures(evidence: Evidence, situation: Situation) -> tuple[Measure, ...]:
    """The headline numbers of a situation, as far as it was played.

    Seat edge, win lift and usage of every clan, the shape of the game, the win share of every
    strategy where different ones met, the skill share where the situation is about that, and
    restricted and forced play where one seat was restricted or forced.
    """
    words = evidence.describe(situation.setting, situation.players, situation.population)
    found = list(_of_whole_tables(evidence, situation, words))
    for (about, kind), sums in evidence.one_seat.items():
        if about == situation:
            found.append(measure_one_seat(sums, kind, words))
    return tuple(found)


def _of_whole_tables(evidence: Evidence, situation: Situation, words: str) -> Iterator[Measure]:
    """The numbers that come from line-ups in which nobody is restricted."""
    line_ups: dict[tuple[str, ...], Sums] = {}
    for stratum, sums in evidence.where(lambda s: s.situation == situation).items():
        before = line_ups.get(stratum.line_up)
        line_ups[stratum.line_up] = sums if before is None else before.plus(sums)
    if not line_ups:
        return
    if situation.population == SKILL:
        yield measure_skill(evidence.of(situation), words)
        return
    sums = evidence.of(situation)
    yield measure_seat_edge(sums, words)
    yield measure_win_lift(sums, words)
    yield measure_usage(sums, "usage", words)
    yield from measure_shape(sums, words)
    if len({name for line_up in line_ups for name in line_up}) > 1:
        yield measure_population_share(line_ups, words)
