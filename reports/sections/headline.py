"""The first screen: which clans are strong, and how sure that is."""

from __future__ import annotations

from ethnos_sim.reports.document import Block, Panel, Panels, Section, Text, Tier, Tiers
from ethnos_sim.reports.estimate import MIN_BLOCKS
from ethnos_sim.reports.figures.forest import forest
from ethnos_sim.reports.labels import (
    clan_label,
    population_label,
    setting_key,
    setting_label,
)
from ethnos_sim.reports.numbers import listed, number, whole
from ethnos_sim.reports.sections.chapter import Chapter, other_populations, starred
from ethnos_sim.reports.verdicts import TIERS, Verdict, policy_dependent, verdicts

MOST_POPULATIONS_DRAWN = 2
"""Further populations beside the main one; more would hide it, and stand in a table instead."""


def headline(chapters: list[Chapter]) -> Section:
    """The first section: a tier list and a forest plot for every edition and mode."""
    words = chapters[0].rules.words
    panels = [_panel(chapter) for chapter in chapters]
    reading = (
        f"+0.10 means: a {words.party} led by this {words.clan} belongs to the game's winner a "
        f"tenth of a fair share more often than {words.parties} do in general. This is win lift, "
        f"an association under the strategies that played, not causal power: it cannot tell a "
        f"{words.clan} that makes players win from one that winners like to lead."
    )
    title = f"Which {words.clans} are strong, and how sure are we?"
    return Section("headline", title, (Text(reading), Panels(tuple(panels))))


def _panel(chapter: Chapter) -> Panel:
    """One edition and mode."""
    lift = chapter.mean_win_lift()
    assert lift is not None, "a setting has at least one player count"
    found = verdicts(lift)
    others = other_populations(chapter)
    _store(chapter, found, others)
    title = setting_label(chapter.rules, chapter.setting)
    blocks: list[Block] = []
    tiers = _tiers(chapter, found, policy_dependent([found, *others.values()]))
    if tiers.tiers:
        blocks.append(tiers)
    blocks.append(_certainty(chapter, found, lift.population))
    blocks += _left_out(chapter, found)
    if found:
        shown = {
            population_label(name): {v.clan: v.estimate for v in theirs}
            for name, theirs in list(others.items())[:MOST_POPULATIONS_DRAWN]
        }
        words = chapter.rules.words
        others_drawn = (
            " Small hollow marks: the same with other strategies; policy-dependent: the side "
            "changes with them."
            if shown
            else ""
        )
        over = "Mean over" if len(chapter.players) > 1 else "Games with"
        caption = (
            f"{over} {_counts(chapter)}, with 95 % intervals. Upward triangles: surely above "
            f"average; downward: surely below; hollow: not settled. {words.clans.capitalize()} "
            f"that share a letter cannot be told apart.{others_drawn}{starred(chapter)}"
        )
        key = f"lift-{setting_key(chapter.setting)}"
        blocks.append(forest(key, caption, found, chapter.clan_labels(), shown))
    return Panel(title, tuple(blocks))


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


def _certainty(chapter: Chapter, found: tuple[Verdict, ...], population: str) -> Text:
    """How sure the tier list is, in two or three sentences."""
    words = chapter.rules.words
    games = sum(chapter.evidence.total(chapter.setting, n).games for n in chapter.players)
    basis = f"Basis: {whole(games)} games, {_counts(chapter)}, {population}."
    widths = [v.estimate.half_width for v in found if v.estimate.half_width is not None]
    if not widths:
        return Text(
            f"{basis} Too few for any verdict: intervals need at least {MIN_BLOCKS} deals of every "
            f"{words.clan} set. Play more games into the same folder.",
            "warning",
        )
    settled = sum(v.tone != "open" for v in found)
    placed = "all" if settled == len(found) else f"{settled} of"
    return Text(
        f"How sure: for {placed} {len(found)} {words.clans} it is settled whether they are above, "
        f"about or below average (95 % confidence for all of them together), and each value is "
        f"good to ± {max(widths):.2f}. {basis}"
    )


def _tiers(chapter: Chapter, found: tuple[Verdict, ...], dependent: frozenset[str]) -> Tiers:
    """The tier list, without empty tiers; clans whose side depends on the strategies say so."""
    tiers = []
    labels = chapter.clan_labels()
    for tone, label in TIERS:
        members = tuple(
            f"{labels[v.clan]} {number(v.estimate.value, 'fair_shares')}"
            + (" (policy-dependent)" if v.clan in dependent else "")
            for v in found
            if v.tone == tone
        )
        if members:
            tiers.append(Tier(tone, label.capitalize(), members))
    return Tiers(tuple(tiers))


def _counts(chapter: Chapter) -> str:
    """The player counts, as in "2, 3 and 4 players"."""
    return f"{listed(str(count) for count in chapter.players)} players"


def _store(
    chapter: Chapter, found: tuple[Verdict, ...], others: dict[str, tuple[Verdict, ...]]
) -> None:
    """Keep the numbers of the first screen."""
    for verdict in (*found, *(v for theirs in others.values() for v in theirs)):
        chapter.ledger.add(
            "headline",
            chapter.labels(clan=verdict.clan),
            verdict.estimate,
            {"p_holm": verdict.p_value, "verdict": verdict.words, "group": verdict.group},
        )
