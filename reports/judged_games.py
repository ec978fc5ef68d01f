"""Judging decisions while a report is made: some games of a situation, turn by turn.

Look-ahead needs thousands of times what playing takes, so few games are judged; how many depends on
how many were played, and there is a limit.
"""

from __future__ import annotations

from joblib import cpu_count

from ethnos_sim.experiments.matches.decisions import judge_games
from ethnos_sim.experiments.matches.match import Match
from ethnos_sim.experiments.matches.replay import cell_match
from ethnos_sim.reports.estimators.decision_cost import DecisionSums, sum_decisions
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.evidence.replayed_sets import cells_of, check_playable

MOST_GAMES = 96
"""Games that are judged of a situation at most."""

PLAYED_FOR_EACH = 48
"""Games of a situation that have to be played for each that is judged."""

LEAST_PLAYED = 3_000
"""With fewer games there is no interval, and nothing is judged."""


def judge_decisions(evidence: Evidence, situation: Situation) -> DecisionSums | None:
    """Judge games of a situation, spread over its clan sets and seatings; None for too few games.

    Raises:
        WrongInput: the program or a strategy is not what the sweep was played with, or a strategy
            looks ahead and would take too long.
    """
    played = evidence.of(situation).games
    if played < LEAST_PLAYED:
        return None
    plan, cells = next(
        (plan, cells) for plan in evidence.plans if (cells := cells_of(plan, situation))
    )
    check_playable(plan, cells)
    matches: dict[int, Match] = {}
    games, line_ups = [], []
    for number in range(min(MOST_GAMES, played // PLAYED_FOR_EACH)):
        cell = cells[number % len(cells)]
        passes = number // len(cells)
        match = matches.get(cell.number) or matches.setdefault(cell.number, cell_match(plan, cell))
        deal = number + passes
        games.append((match, deal * match.rotations + passes % match.rotations))
        line_ups.append(cell.line_up)
    return sum_decisions(line_ups, judge_games(games, jobs=cpu_count()))
