"""The first screen: which clans are strong, how sure that is, and the other verdicts in a table."""

from __future__ import annotations

from ethnos_sim.experiments.statistics.blocks import MIN_BLOCKS
from ethnos_sim.reports.document import Block, Section, Text, Tier, Tiers
from ethnos_sim.reports.labels import capital, clan_label
from ethnos_sim.reports.numbers import UNITS, listed, number, whole
from ethnos_sim.reports.one_seat import RESTRICTED
from ethnos_sim.reports.sections.chapter import (
    Chapter,
    counted_players,
    other_populations,
    side_by_side,
    starred,
)
from ethnos_sim.reports.sections.glance import glance
from ethnos_sim.reports.storage import Ledger
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


def store_verdicts(
    ledger: Ledger, table: str, chapter: Chapter, players: int | None, found: tuple[Verdict, ...]
) -> None:
    """Keep verdicts; `players` is None for a mean over player counts."""
    for verdict in found:
        ledger.add(
            table,
            chapter.labels(players=players, clan=verdict.clan),
            verdict.estimate,
            {"p_holm": verdict.p_value, "verdict": verdict.words, "group": verdict.group},
        )


def dependent_clans(chapter: Chapter) -> frozenset[str]:
    """Clans whose power is surely above average with some strategies and surely below with others.

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
        assert chapter.power_population is not None, "judged by restricted play"
        found = chapter.clan_verdicts(chapter.power_population)
        counts = chapter.power_counts(chapter.power_population)
        games = chapter.one_seat_games(chapter.power_population, RESTRICTED)
        dependent = dependent_clans(chapter)
    else:
        lift = chapter.mean_win_lift()
        assert lift is not None, "a setting without restricted play has ordinary games"
        found, counts = verdicts(lift), list(chapter.players)
        games = sum(chapter.evidence.total(chapter.setting, n).games for n in counts)
        others = other_populations(chapter)
        for theirs in others.values():
            store_verdicts(chapter.ledger, "headline", chapter, None, theirs)
        dependent = policy_dependent([found, *others.values()])
    store_verdicts(chapter.ledger, "headline", chapter, None, found)
    tiers = _tiers(chapter, found, dependent)
    blocks: list[Block] = [tiers] if tiers.tiers else []
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


def _tiers(chapter: Chapter, found: tuple[Verdict, ...], dependent: frozenset[str]) -> Tiers:
    """The tier list in the order of the values; clans that depend on the strategies say so."""
    if not found:
        return Tiers(())
    labels = chapter.clan_labels()
    unit = found[0].estimate.unit
    tiers: dict[tuple[str, str], list[str]] = {}
    for verdict in found:
        member = (
            f"{labels[verdict.clan]} {number(verdict.estimate.value, unit).removesuffix(' pp')}"
        )
        member += " ?" if verdict.estimate.low is None else ""
        member += " (policy-dependent)" if verdict.clan in dependent else ""
        tiers.setdefault((verdict.tone, capital(verdict.words)), []).append(member)
    return Tiers(tuple(Tier(*about, tuple(members)) for about, members in tiers.items()))
