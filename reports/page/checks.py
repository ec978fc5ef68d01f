"""What has to be so whatever was played: checks of the games behind a page."""

from __future__ import annotations

from collections.abc import Iterator

from ethnos_sim.reports.estimators.homogeneity import halves_null
from ethnos_sim.reports.estimators.nulls import (
    FALSE_ALARMS,
    Null,
    chair_null,
    checked,
    deck_draw_null,
    same_strategy_null,
)
from ethnos_sim.reports.evidence.decks import age_draws
from ethnos_sim.reports.evidence.evidence import Evidence, Setting, is_one_strategy
from ethnos_sim.reports.evidence.sums import merged


def checks_sentence(evidence: Evidence) -> str:
    """Whether the checks hold; empty where too little was played for any."""
    counts = dict.fromkeys((each.setting, each.players) for each in evidence.situations)
    nulls = [null for setting, players in counts for null in _nulls(evidence, setting, players)]
    told = [check.holds for group in checked(nulls) for check in group if check.holds is not None]
    if not told:
        return ""
    if all(told):
        return (
            f"All {len(told)} checks of the games hold; sound games fail one in "
            f"{100 * FALSE_ALARMS:g} of 100 reports."
        )
    return f"{told.count(False)} of {len(told)} checks fail: do not trust this page."


def _nulls(evidence: Evidence, setting: Setting, players: int) -> Iterator[Null]:
    """Equal places for equal players, the cards that leave a deck, and first games as last ones."""
    here = evidence.where(lambda s: (s.setting, s.players) == (setting, players))
    for population in evidence.populations(setting, players):
        null = same_strategy_null if is_one_strategy(population) else chair_null
        yield null(evidence.total(setting, players, population), population)
    rules = evidence.rules(setting)
    for deck in sorted({stratum.deck for stratum in here}):
        arrays = merged(sums for stratum, sums in here.items() if stratum.deck == deck).arrays
        draws = age_draws(deck, rules)
        if draws is not None:
            yield deck_draw_null(arrays, draws, rules.ages(players), "all strategies")
    for shards in evidence.shards.get((setting, players), ()):
        halves = halves_null(shards, "all strategies")
        if halves is not None:
            yield halves
