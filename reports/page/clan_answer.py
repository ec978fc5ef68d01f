"""The answer on clans: which are strong, and whether they are so at every level of play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.estimators.catalog import (
    STRONG,
    WEAK,
    clan_word,
    margin_of,
    ranked_clans,
    verdict_on,
)
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.page.balance import TOO_FEW_GAMES
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.levels import (
    LADDER,
    Agreement,
    Finding,
    agreement,
    agreement_line,
    change_between,
    level_names,
    levels_of,
)
from ethnos_sim.reports.page.number_table import largest_first
from ethnos_sim.reports.page.stored_numbers import LOOK_AHEAD
from ethnos_sim.reports.rendering.document import Answer
from ethnos_sim.reports.rendering.numbers import (
    NUMERALS,
    capitalized,
    clan_label,
    games_of_100,
    hundredths,
)

Worths = Mapping[str, Estimate]
"""The worth of each clan in one situation, by the clan's key."""

MAX_NAMED_CLANS = 2
"""The most clans that the answer names."""


def wins_without(worth: Estimate, players: int) -> Estimate:
    """The share of games that a player without the clan wins, computed from the clan's worth."""
    share, low, high = 1 / players, worth.low, worth.high
    return replace(
        worth,
        value=share - (worth.value or 0.0),
        low=None if high is None else share - high,
        high=None if low is None else share - low,
        unit="share",
    )


def clan_answer(page: PageGames, situation: Situation) -> Iterator[Answer]:
    """The answer on clans; nothing if no clan has an interval."""
    rows = page.number_table.numbers(situation, WORTH.name)
    worths = largest_first(worth for worth in rows if worth.low is not None)
    if worths:
        yield Answer(
            *("clans", "Which clans are strong?", f"{strong_clans_phrase(worths)}."),
            worth_sentence(worths, situation.players),
            clan_level_line(
                {worth.name: worth for worth in worths}, other_level_worths(page, situation)
            ),
            Verdict.MATTERS if verdict_on(worths[0]) is not Verdict.OPEN else Verdict.OPEN,
        )


def strong_clans_phrase(worths: Sequence[Estimate]) -> str:
    """The answer in a few words: the one or two strongest clans, or how many are strong.

    Args:
        worths: the worths of the clans, the strongest first.
    """
    strong = [worth for worth in worths if clan_word(worth) == STRONG]
    if not strong:
        known = all(verdict_on(worth) is not Verdict.OPEN for worth in worths)
        return "None stands out" if known else TOO_FEW_GAMES
    first = strong[0]
    changes = [(clan, change_between(first, clan)) for clan in worths]
    equal = [clan_label(clan.name) for clan, (change, half) in changes if -change <= half]
    if len(equal) <= MAX_NAMED_CLANS:
        return f"{' or '.join(equal)} most"
    numeral = NUMERALS[len(strong)] if len(strong) < len(NUMERALS) else str(len(strong))
    least = "at least " * any(verdict_on(worth) is Verdict.OPEN for worth in worths)
    return f"{capitalized(least + numeral)} of {len(worths)}"


def worth_sentence(worths: Sequence[Estimate], players: int) -> str:
    """What a player wins without the strongest clan, and without the weakest."""
    first, last = (wins_without(worth, players) for worth in (worths[0], worths[-1]))
    return (
        f"Give up the {clan_label(first.name)} and you win {games_of_100(first)}; give up the "
        f"{clan_label(last.name)} and you win {hundredths(last)}."
    )


def other_level_worths(page: PageGames, situation: Situation) -> list[tuple[str, Worths]]:
    """The clans' worths at the other levels of play, the weakest level first."""
    levels = [
        (level.population, page.number_table.numbers(level, WORTH.name))
        for level in levels_of(page.number_table, situation)
        if level != situation
    ]
    played = [population for population, _ in levels]
    look_ahead = list(LADDER)[-1]
    if look_ahead not in (*played, situation.population):
        ahead = LOOK_AHEAD.estimates(
            situation._replace(population=look_ahead), page.rules[situation.rule_set]
        )
        levels += [(look_ahead, ranked_clans(ahead))] if ahead else []
    return [(who, {worth.name: worth for worth in worths}) for who, worths in levels]


class ChangedClan(NamedTuple):
    """A clan that is called by another word at another level, such as weak instead of strong.

    Attributes:
        reversed: whether the clan is strong at one level and weak at the other.
        change: the difference of its worth between the two levels, without a sign.
        clan: the clan's key.
        population: the population of the other level.
        word: the word for the clan at the other level.
    """

    reversed: bool
    change: float
    clan: str
    population: str
    word: str


def clan_level_line(worths: Worths, other_levels: Sequence[tuple[str, Worths]]) -> str:
    """One line on the clans at other levels of play; "" if it is not known whether they differ.

    The line names the clan that changes most, its word there, and how many more clans change.
    """
    agreements, changed = [], []
    for population, other_worths in other_levels:
        for name, worth in worths.items():
            here, there = _worth_finding(worth), _worth_finding(other_worths.get(name))
            how = agreement(here, there) if here is not None else Agreement.UNKNOWN
            agreements.append(how)
            if here is not None and there is not None and how is Agreement.OTHER:
                around = {here.word, there.word} == {STRONG, WEAK}
                moved, _ = change_between(here.number, there.number)
                changed.append(ChangedClan(around, abs(moved), name, population, there.word))
    if not changed:
        return agreement_line(agreements)
    most = max(changed)
    same = (most.clan, most.word)
    alike = [other.population for other in changed if (other.clan, other.word) == same]
    more = len({other.clan for other in changed}) - 1
    besides = f"; {more} more {'clans differ' if more > 1 else 'clan differs'}" if more else ""
    return f"{clan_label(most.clan)}: {most.word} among {level_names(alike)}{besides}."


def _worth_finding(worth: Estimate | None) -> Finding | None:
    """The finding on a clan, from its worth at one level of play."""
    if worth is None:
        return None
    margin = margin_of(worth.estimand, worth.name, worth["players"])
    return Finding(clan_word(worth), verdict_on(worth), worth, margin)
