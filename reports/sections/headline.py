"""The first screen: which clans are strong, how sure that is, and the other verdicts in a table."""

from __future__ import annotations

from ethnos_sim.experiments.one_seat import RESTRICTED
from ethnos_sim.experiments.statistics.blocks import MIN_BLOCKS
from ethnos_sim.reports.document import Block, Section, Text, Tier, Tiers
from ethnos_sim.reports.labels import capital, clan_label
from ethnos_sim.reports.numbers import UNITS, listed, number, whole
from ethnos_sim.reports.sections.chapter import (
    Chapter,
    counted_players,
    other_populations,
    side_by_side,
    starred,
)
from ethnos_sim.reports.sections.glance import glance
from ethnos_sim.reports.verdicts import Verdict, policy_dependent, verdicts


def headline(chapters: list[Chapter]) -> Section:
    """A tier list for every edition and mode, then the verdicts at a glance."""
    words = chapters[0].rules.words
    blocks: list[Block] = [Text(_reading(chapters))]
    blocks += side_by_side(chapters, _tier_list)
    blocks += glance(chapters)
    title = f"Which {words.clans} are strong, and how sure are we?"
    return Section("headline", title, tuple(blocks))


def by_power(chapter: Chapter) -> bool:
    """Whether clans are judged by restricted play: where it was played enough for any interval."""
    population = chapter.power_population
    power = None if population is None else chapter.power(population)
    return power is not None and bool(power.trusted.any() or not chapter.players)


def dependent_clans(chapter: Chapter) -> frozenset[str]:
    """Clans whose power is settled above average with some strategies and below with others.

    Populations are held against each other at the same number of players.
    """
    found: set[str] = set()
    for players in chapter.power_counts():
        populations = chapter.power_populations(players)
        found |= policy_dependent(chapter.clan_verdicts(name, players) for name in populations)
    return frozenset(found)


def _reading(chapters: list[Chapter]) -> str:
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


def _tier_list(chapter: Chapter) -> list[Block]:
    """One edition and mode."""
    if by_power(chapter):
        population = chapter.power_population
        assert population is not None, "judged by restricted play"
        found = chapter.clan_verdicts(population)
        counts = chapter.power_counts(population)
        games = chapter.one_seat_games(population, RESTRICTED)
        dependent = dependent_clans(chapter)
    else:
        population = chapter.lift_population
        found = verdicts(chapter.mean_win_lift(population))
        counts = list(chapter.counts_of(population))
        games = sum(chapter.evidence.total(chapter.setting, n, population).games for n in counts)
        dependent = policy_dependent([found, *other_populations(chapter).values()])
    rows = chapter.verdict_rows(found, population, None)
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


def _certainty(chapter: Chapter, found: tuple[Verdict, ...], games: int, counts: list[int]) -> Text:
    """How sure the tier list is, in two or three sentences."""
    words = chapter.rules.words
    estimates = [verdict.estimate for verdict in found]
    population = estimates[0].population if estimates else "no games"
    basis = f"Basis: {whole(games)} games, {counted_players(counts)}, {population}."
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
