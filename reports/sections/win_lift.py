"""Win lift, the association: over all player counts, by strategies, in detail for each count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from ethnos_sim.reports.estimators.prestige_source import (
    SIDES,
    TOTAL,
    measure_prestige_with_clan,
)
from ethnos_sim.reports.estimators.seat_edge import measure_first_seat_edge
from ethnos_sim.reports.estimators.usage import STATISTICS, measure_usage
from ethnos_sim.reports.estimators.win_lift import measure_win_lift
from ethnos_sim.reports.figures.forest import forest
from ethnos_sim.reports.figures.usage import usage_figure
from ethnos_sim.reports.rendering.document import Block, Details, Figure, Section, Text
from ethnos_sim.reports.rendering.labels import (
    clan_label,
    population_label,
    setting_key,
    source_labels,
)
from ethnos_sim.reports.rendering.numbers import listed
from ethnos_sim.reports.rendering.table import Column, Row, Table, cross
from ethnos_sim.reports.sections.chapter import (
    Chapter,
    by_players,
    by_population,
    counted_players,
    other_populations,
    side_by_side,
    starred,
    verdict_words,
)
from ethnos_sim.reports.verdicts import Verdict, policy_dependent, verdicts

_, LOSERS = SIDES

SHOWN = {
    "usage": "Usage",
    "usage_winners": "Usage, winners",
    "usage_losers": "Usage, losers",
    "usage_gap": "Winners less losers",
    "led_per_game": "Led a game",
}
"""The statistics of usage that the page shows, with their headings."""

MOST_POPULATIONS_DRAWN = 2
"""Further populations beside the main one; more would hide it, and stand in a table instead."""


def win_lift(chapters: Sequence[Chapter]) -> list[Section]:
    """Win lift after power: a figure and a table for each setting, then everything by count."""
    chapters = [chapter for chapter in chapters if chapter.players]
    if not chapters:
        return []
    words = chapters[0].rules.words
    reading = (
        f"+0.10 means: a {words.party} led by this {words.clan} belongs to the game's winner a "
        f"tenth of a fair share more often than {words.parties} do in general. An association, "
        f"not a cause: it cannot tell a {words.clan} that makes players win from one that winners "
        f"like to lead."
    )
    blocks = (Text(reading), *side_by_side(chapters, _at_a_glance))
    details = tuple(
        Details(f"{chapter.title}, {players} players", _in_detail(chapter, players))
        for chapter in chapters
        for players in chapter.players
    )
    return [
        Section("win-lift", "Win lift: who led, when somebody won", blocks, level=3),
        Section(
            "usage",
            f"Usage, and games with each {words.clan}",
            (Text("Every number of players under its main strategies.", "note"), *details),
            level=3,
        ),
    ]


def _at_a_glance(chapter: Chapter) -> list[Block]:
    """One setting: a forest plot, win lift by player count and by strategies as tables in color."""
    main = chapter.lift_population
    counts, mean = chapter.counts_of(main), verdicts(chapter.mean_win_lift(main))
    over_all = chapter.verdict_rows(mean, main, None)
    rows = [row for players in counts for row in _rows_at(chapter, players, main)]
    blocks: list[Block] = []
    others = other_populations(chapter)
    if mean:
        blocks.append(_figure(chapter, mean, others))
    caption = (
        f"Win lift by number of players, {chapter.describe(main)}, with 95 % intervals. Blue: "
        f"settled above average; orange: below; the darker, the larger the effect; white: "
        f"not settled or negligible.{starred(chapter)}"
    )
    if len(counts) > 1:
        rows = [*over_all, *rows]
        caption += f" “All” is the mean over {len(counts)} player counts that weigh the same."
    name = chapter.rules.words.clan.capitalize()
    blocks.append(Table(caption, cross(rows, name, chapter.clan_label, by_players), "clans"))
    if others:
        of_others = [chapter.verdict_rows(found, of, None) for of, found in others.items()]
        rows = [*over_all, *chain.from_iterable(of_others)]
        columns = cross(rows, name, chapter.clan_label, by_population)
        caption = "Win lift by the strategies that played, mean over their player counts."
        told = _dependent(chapter, [mean, *others.values()])
        blocks += [Text(told), Table(caption, columns, "clans")]
    return blocks


def _dependent(chapter: Chapter, found: Iterable[tuple[Verdict, ...]]) -> str:
    """Whose win lift depends on who plays, in a sentence."""
    dependent = policy_dependent(found)
    sides = "settled above average with some strategies and below with others"
    if not dependent:
        return f"No {chapter.rules.words.clan} is {sides}."
    return f"Policy-dependent, that is {sides}: {listed(map(clan_label, sorted(dependent)))}."


def _figure(
    chapter: Chapter, found: tuple[Verdict, ...], others: dict[str, tuple[Verdict, ...]]
) -> Figure:
    """The forest plot of the mean over player counts."""
    shown = {
        population_label(name): {v.clan: v.estimate for v in theirs}
        for name, theirs in list(others.items())[:MOST_POPULATIONS_DRAWN]
    }
    drawn = " Small hollow marks: the same with other strategies." if shown else ""
    counts = chapter.counts_of(chapter.lift_population)
    over = "Mean over" if len(counts) > 1 else "Games with"
    caption = (
        f"{over} {counted_players(counts)}, {found[0].estimate.population}, with 95 % "
        f"intervals. Upward triangles: settled above average; downward: below; hollow: not "
        f"settled. {chapter.rules.words.clans.capitalize()} that share a letter cannot be told "
        f"apart.{drawn}{starred(chapter)}"
    )
    key = f"lift-{setting_key(chapter.setting)}"
    return forest(key, caption, found, chapter.clan_labels, shown)


def _in_detail(chapter: Chapter, players: int) -> tuple[Block, ...]:
    """One player count: a figure and a table for the clans, and one with each clan in play."""
    words, population = chapter.rules.words, chapter.population(players)
    main = chapter.evidence.main_population(chapter.setting, players)
    lift = _rows_at(chapter, players, main)
    sums = chapter.evidence.total(chapter.setting, players)
    measured: dict[str, dict[str, Row]] = {}
    for name in STATISTICS:
        estimates = measure_usage(sums, name, population).estimates()
        of_name = chapter.rows(estimates, "clan", players=players, strategies=main)
        measured[name] = {row["clan"]: row for row in of_name}
    led = [row["clan"] for row in lift]
    sides = {
        of: [row.estimate for clan in led if (row := measured[of][clan]).estimate]
        for of in ("usage_winners", "usage_losers")
    }
    figure = usage_figure(
        f"usage-{setting_key(chapter.setting)}-{players}",
        f"Share of {words.parties} led, by winners and by losers.",
        sides["usage_winners"],
        sides["usage_losers"],
        chapter.clan_labels,
        words.parties,
    )
    caption = (
        f"Usage and win lift, with 95 % intervals, over games that have the {words.clan} in "
        f"play.{starred(chapter)}"
    )
    columns = (
        Column(words.clan.capitalize(), [chapter.clan_label(row) for row in lift]),
        Column("Win lift", lift),
        Column("Verdict (group)", [verdict_words(row) for row in lift]),
        *(Column(heading, [measured[of][clan] for clan in led]) for of, heading in SHOWN.items()),
    )
    return (
        Text(f"{sums.games:,} games, {sums.blocks} blocks of deals, {population}.", "note"),
        figure,
        Table(caption, columns, "clans"),
        _with_clan_table(chapter, players, population),
    )


def _rows_at(chapter: Chapter, players: int, population: str) -> tuple[Row, ...]:
    """Verdicts at one player count under a population; Holm over its clans."""
    sums = chapter.evidence.total(chapter.setting, players, population)
    found = verdicts(measure_win_lift(sums, chapter.describe(population, players)))
    return chapter.verdict_rows(found, population, players)


def _with_clan_table(chapter: Chapter, players: int, population: str) -> Table:
    """Prestige by source and the first seat's edge over the games that have each clan in play."""
    words = chapter.rules.words
    sums = chapter.evidence.total(chapter.setting, players)
    edges = measure_first_seat_edge(sums, population).estimates()
    played = [edge.name for edge in edges if edge.games]
    rows = list(chapter.rows([e for e in edges if e.games], "clan", players=players, side=None))
    rows = [replace(row, labels={**row.labels, "name": "first"}) for row in rows]
    for side in SIDES:
        for clan in played:
            estimates = measure_prestige_with_clan(sums, clan, side, population).estimates()
            rows += chapter.rows(estimates, "name", players=players, clan=clan, side=side)
    names = source_labels(chapter.rules)
    used = {row["name"] for row in rows if row.estimate and row.estimate.value}

    def heading(row: Row) -> str:
        if row["side"] is None:
            return "First seat's edge"
        return f"{row['side'].capitalize()}: {names[row['name']]}"

    shown = [row for row in rows if row["side"] != LOSERS and row["name"] in {"first", *used}]
    shown += [row for row in rows if row["side"] == LOSERS and row["name"] == TOTAL]
    columns = cross(shown, f"With {words.clan}", chapter.clan_label, heading)
    caption = (
        f"Games that have the {words.clan} in play, whoever leads it: the first seat's edge, and "
        f"mean {words.prestige} by source. Losers by source stand in the stored table."
    )
    return Table(caption, columns, "clan_in_play", unshown=tuple(rows))
