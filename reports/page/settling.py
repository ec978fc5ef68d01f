"""Decide which tables of a sweep need more games: tables with unsettled answers on the card.

Editions and modes are compared with each other. So all tables with the same number of players
continue together, on the same deals.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.evidence.gathering import gather_results
from ethnos_sim.experiments.execution.looks import Judged
from ethnos_sim.experiments.execution.sweep import Swept
from ethnos_sim.experiments.execution.sweep import sweep as play_sweep
from ethnos_sim.experiments.storage.results import Results
from ethnos_sim.reports.estimators.game_shape import (
    GAME_SHAPE,
    LEADER_ADVANTAGE,
    LEADER_SHUFFLED,
)
from ethnos_sim.reports.estimators.interventions import (
    RELATIVE_POWER,
    RESTRICTED_PLAY,
    RESTRICTED_TOGETHER,
)
from ethnos_sim.reports.estimators.leading import WIN_LIFT, WINNERS_UNEVENNESS
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.numbers import numbers
from ethnos_sim.reports.page.answers import answers
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.number_table import NumberTable
from ethnos_sim.reports.rendering.document import SETTLED
from ethnos_sim.reports.rendering.numbers import listed

ASKED = (
    *(GAME_SHAPE, LEADER_ADVANTAGE, LEADER_SHUFFLED, SEAT_EDGE, WIN_LIFT, WINNERS_UNEVENNESS),
    *(RELATIVE_POWER, RESTRICTED_PLAY, RESTRICTED_TOGETHER),
)
"""The estimands behind the answers."""

Parameters = ParamSpec("Parameters")


def states_of(page: PageGames) -> dict[tuple[Situation, str], str]:
    """The state of each answer for the page's population, by table and question."""
    return {
        (situation, answer.key): answer.state
        for situation in page.tables
        if situation.population == page.population
        for answer in answers(page, situation)
    }


def judge(results: Results) -> Judged:
    """Judge which tables need more games: all with a player count that has an unsettled answer."""
    evidence = gather_results([results])
    number_table = NumberTable(
        numbers(evidence, *(estimand.name for estimand in ASKED)), evidence.error_share
    )
    # Players who look ahead change no state, and reading their numbers takes a second.
    states = states_of(PageGames(evidence, number_table, with_look_ahead=False))
    settled = list(states.values()).count(SETTLED)
    words = f"{settled} of {len(states)} answers are settled"
    players = sorted({about.players for (about, _), state in states.items() if state != SETTLED})
    if players:
        words += f"; with {listed(map(str, players))} players some are not"
    return Judged([part for part in results.plan.looks if part.players in players], words)


def _judged(play: Callable[Parameters, Swept]) -> Callable[Parameters, Swept]:
    """Make a sweep use `judge` at its looks unless it is given another judge."""

    @wraps(play)
    def sweep(*given: Parameters.args, **named: Parameters.kwargs) -> Swept:
        named.setdefault("judge", judge)
        return play(*given, **named)

    return sweep


sweep = _judged(play_sweep)
