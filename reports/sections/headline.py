"""The first screen: which clans are strong, how sure that is, and the other verdicts in a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ethnos_sim.experiments.statistics.blocks import MIN_BLOCKS
from ethnos_sim.reports.rendering.document import Block, Details, Section, Text, Tier, Tiers, walk
from ethnos_sim.reports.rendering.labels import capital, clan_label
from ethnos_sim.reports.rendering.numbers import UNITS, listed, number, whole, with_interval
from ethnos_sim.reports.sections.chapter import (
    Chapter,
    counted_players,
    nearest,
    other_populations,
    side_by_side,
    starred,
)
from ethnos_sim.reports.sections.glance import glance
from ethnos_sim.reports.sections.limits import overlooks_blank
from ethnos_sim.reports.verdicts import Verdict, policy_dependent, verdicts


def headline(chapters: Sequence[Chapter]) -> Section:
    """A tier list for every edition and mode, then the verdicts at a glance."""
    words = chapters[0].rules.words
    blocks: list[Block] = [Text(_reading(chapters))]
    blocks += side_by_side(chapters, _tier_lists)
    blocks += _playing_on(blocks)
    blocks += glance(chapters)
    title = f"Which {words.clans} are strong, and how sure are we?"
    return Section("headline", title, tuple(blocks))


def by_power(chapter: Chapter) -> bool:
    """Whether clans are judged by restricted play: where it was played enough for any interval."""
    population = chapter.power_population
    return population is not None and (chapter.answers(population) or not chapter.players)


def dependent_clans(chapter: Chapter, counts: Sequence[int]) -> frozenset[str]:
    """Clans whose power is settled above average with some strategies and below with others.

    Populations are held against each other at the same number of players, one of `counts`.
    """
    found: set[str] = set()
    for players in counts:
        populations = chapter.power_populations(players)
        found |= policy_dependent(chapter.clan_verdicts(name, players) for name in populations)
    return frozenset(found)


def _reading(chapters: Sequence[Chapter]) -> str:
    """How to read the numbers of the tier list."""
    words = chapters[0].rules.words
    judged = {by_power(chapter) for chapter in chapters}
    parts = []
    if True in judged:
        parts.append(
            f"+2.0 means: a player who may not lead this {words.clan}, while all others may, loses "
            f"2 more games of 100 by it than one who may not lead the average {words.clan}. A tier "
            f"stands where the whole interval lies in it; else all tiers that the interval reaches."
        )
    if False in judged:
        here = " Where no seat was restricted: " if True in judged else ""
        parts.append(
            f"{here}+0.10 means: a {words.party} led by this {words.clan} belongs to the game's "
            f"winner a tenth of a fair share more often than {words.parties} do in general. This "
            f"is win lift, an association under the strategies that played, not causal power: it "
            f"cannot tell a {words.clan} that makes players win from one that winners like to lead."
        )
    return " ".join(part.strip() for part in parts)


def _tier_lists(chapter: Chapter) -> list[Block]:
    """One edition and mode: the usual number of players, or the mean until it has intervals.

    The other numbers of players, and the mean over all, stand below it.
    """
    if not by_power(chapter):
        return _lift_list(chapter, chapter.lift_population)
    widest = chapter.widest_population
    assert widest is not None, "judged by restricted play"
    counts = chapter.power_counts()
    usual = nearest(chapter.power_counts(chapter.power_population))
    lists = [(chapter.strongest_at(n), [n]) for n in sorted(counts, key=lambda n: (n != usual, n))]
    if len(counts) > 1:
        known = chapter.answers(lists[0][0], usual)
        lists.insert(len(lists) if known else 0, (widest, chapter.power_counts(widest)))
    blocks = _power_list(chapter, *lists[0])
    for population, players in lists[1:]:
        over = "the mean over " * (len(players) > 1)
        title = f"{chapter.title}: {over}{counted_players(players)}"
        blocks.append(Details(title, tuple(_power_list(chapter, population, players))))
    return blocks


def _lift_list(chapter: Chapter, population: str) -> list[Block]:
    """The tier list by win lift, the mean over the player counts of a population."""
    found = verdicts(chapter.mean_win_lift(population))
    counts = chapter.counts_of(population)
    games = sum(chapter.evidence.total(chapter.setting, n, population).games for n in counts)
    dependent = policy_dependent([found, *other_populations(chapter).values()])
    return _tier_list(chapter, found, population, None, counts, games, dependent)


def _power_list(chapter: Chapter, population: str, counts: Sequence[int]) -> list[Block]:
    """The tier list by power of one player count, or of the mean over several."""
    players = counts[0] if len(counts) == 1 else None
    restricted = chapter.intervention_play(population, players)
    assert restricted is not None, "judged by restricted play"
    found = chapter.clan_verdicts(population, players)
    games = int(restricted.games.sum())
    dependent = dependent_clans(chapter, counts)
    blocks = _tier_list(chapter, found, population, players, counts, games, dependent)
    blocks.insert(1, Text(_scale(chapter, population, players)))
    return blocks


def _scale(chapter: Chapter, population: str, players: int | None) -> str:
    """What the average clan costs to lose, and where a clan stands that is worth nothing."""
    words = chapter.rules.words
    restricted = chapter.intervention_play(population, players)
    assert restricted is not None, "judged by restricted play"
    losses = restricted.value[np.isfinite(restricted.value)]
    told = (
        f"Who may not lead the average {words.clan} wins {number(losses.mean(), 'share_spread')} "
        f"less than a fair share"
    )
    found = chapter.blank_clan(population, players)
    if found is None:
        return f"{told}."
    cost, power = (measured.estimates()[0] for measured in found)
    overlooked = ""
    if overlooks_blank(chapter.evidence, chapter.setting.edition, population):
        overlooked = (
            f" But {population} does not see that this power does nothing, and misplays it: that "
            f"place says little here."
        )
    return (
        f"{told}; who may not lead a blank {words.clan}, whose power does nothing, "
        f"{with_interval(cost).removeprefix('+')}. So “worth nothing” stands at "
        f"{with_interval(power)}.{overlooked}"
    )


def _tier_list(
    chapter: Chapter,
    found: tuple[Verdict, ...],
    population: str,
    players: int | None,
    counts: Sequence[int],
    games: int,
    dependent: frozenset[str],
) -> list[Block]:
    """A tier list with how sure it is and whom it leaves out; `players` is None for a mean."""
    rows = chapter.verdict_rows(found, population, players)
    tiers = Tiers(_tiers(chapter, found, dependent), "headline", rows)
    blocks: list[Block] = [tiers] if found else []
    blocks.append(_certainty(chapter, found, games, counts))
    return blocks + _left_out(chapter, found)


def _left_out(chapter: Chapter, found: tuple[Verdict, ...]) -> list[Block]:
    """The clans that have no place in the list, with the reason."""
    placed = {verdict.clan for verdict in found}
    absent = [c for c in chapter.rules.clans if c not in placed and c != chapter.wild_clan]
    if not absent:
        return []
    return [
        Text(
            f"Not listed, because not led with every number of players: "
            f"{listed(clan_label(clan) for clan in absent)}.",
            "note",
        )
    ]


def _certainty(
    chapter: Chapter, found: tuple[Verdict, ...], games: int, counts: Sequence[int]
) -> Text:
    """How sure the tier list is, in two or three sentences."""
    words = chapter.rules.words
    estimates = [verdict.estimate for verdict in found]
    population = estimates[0].population if estimates else "no games"
    over = "the mean over " * (len(counts) > 1)
    basis = f"Basis: {whole(games)} games, {over}{counted_players(counts)}, {population}."
    basis += starred(chapter)
    widths = [e.half_width for e in estimates if e.half_width is not None]
    if not widths:
        return Text(
            f"{basis} Too few for any verdict: intervals need at least {MIN_BLOCKS} deals of every "
            f"{words.clan} set. Play more games into the same folder.",
            "warning",
        )
    settled = sum(v.settled for v in found)
    placed = "all" if settled == len(found) else f"{settled} of"
    few = " ?: too few games for an interval." if len(widths) < len(estimates) else ""
    unit = UNITS[estimates[0].unit]
    reach = f"{unit.factor * max(widths):.{unit.decimals}f}{unit.suffix}"
    return Text(
        f"How sure: for {placed} {len(found)} {words.clans} it is settled whether they are above, "
        f"about or below average (95 % confidence for all of them together), and each value is "
        f"good to ± {reach} or better. {basis}{few}"
    )


def _playing_on(blocks: Iterable[Block]) -> list[Block]:
    """What to do, and not to do, where a tier list of these blocks is not settled."""
    lists = (block for block in walk(blocks) if isinstance(block, Tiers))
    if all(tier.tone != "open" for each in lists for tier in each.tiers):
        return []
    return [
        Text(
            "More games settle more, if their number is fixed beforehand: who looks again and "
            "again and stops once a verdict pleases is wrong more often than said. A sweep with a "
            "[target] stops by the width of its intervals, which favors no verdict.",
            "note",
        )
    ]


def _tiers(
    chapter: Chapter, found: tuple[Verdict, ...], dependent: frozenset[str]
) -> tuple[Tier, ...]:
    """The tier list in the order of the values; clans that depend on the strategies say so."""
    tiers: dict[tuple[str, str], list[str]] = {}
    for verdict in found:
        estimate = verdict.estimate
        value = number(estimate.value, estimate.unit).removesuffix(" pp")
        member = f"{chapter.clan_labels[verdict.clan]} {value}"
        member += " ?" if estimate.low is None else ""
        member += " (policy-dependent)" if verdict.clan in dependent else ""
        tiers.setdefault((verdict.tone, capital(verdict.words)), []).append(member)
    return tuple(Tier(*about, tuple(members)) for about, members in tiers.items())
