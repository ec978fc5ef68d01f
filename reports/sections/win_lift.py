"""Win lift, the association: over all player counts, by strategies, in detail for each count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.document import Block, Cell, Details, Figure, Section, Table, Text
from ethnos_sim.reports.estimators.prestige_source import SIDES, measure_prestige_with_clan
from ethnos_sim.reports.estimators.seat_edge import measure_first_seat_edge
from ethnos_sim.reports.estimators.usage import STATISTICS, measure_usage
from ethnos_sim.reports.estimators.win_lift import measure_win_lift
from ethnos_sim.reports.figures.forest import forest
from ethnos_sim.reports.figures.usage import usage_figure
from ethnos_sim.reports.labels import (
    clan_label,
    population_label,
    setting_key,
    source_labels,
)
from ethnos_sim.reports.numbers import listed
from ethnos_sim.reports.sections.chapter import (
    Chapter,
    columns_of_estimates,
    counted_players,
    other_populations,
    side_by_side,
    starred,
    table_rows,
    verdict_cells,
)
from ethnos_sim.reports.sections.headline import store_verdicts
from ethnos_sim.reports.verdicts import Verdict, policy_dependent, verdicts

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
    lift = chapter.mean_win_lift()
    assert lift is not None, "a setting with player counts has win lift"
    mean = verdicts(lift)
    by_count = {n: _verdicts_at(chapter, n) for n in chapter.players}
    columns = {f"{n} players": {v.clan: v for v in found} for n, found in by_count.items()}
    if len(by_count) > 1:
        columns = {"All": {v.clan: v for v in mean}} | columns
    clans = list(dict.fromkeys(clan for column in columns.values() for clan in column))
    blocks: list[Block] = []
    others = other_populations(chapter)
    if mean:
        blocks.append(_figure(chapter, mean, others))
    caption = (
        "Win lift by number of players, with 95 % intervals. Blue: surely above average; orange: "
        "surely below; the darker, the larger the effect; white: not settled or negligible."
        f"{starred(chapter)}"
    )
    if len(by_count) > 1:
        caption += f" “All” is the mean over {len(by_count)} player counts that weigh the same."
    blocks.append(_lift_table(chapter, caption, clans, columns, "clans"))
    if others:
        blocks += _by_population(chapter, mean, others)
    return blocks


def _figure(
    chapter: Chapter, found: tuple[Verdict, ...], others: dict[str, tuple[Verdict, ...]]
) -> Figure:
    """The forest plot of the mean over player counts."""
    shown = {
        population_label(name): {v.clan: v.estimate for v in theirs}
        for name, theirs in list(others.items())[:MOST_POPULATIONS_DRAWN]
    }
    drawn = " Small hollow marks: the same with other strategies." if shown else ""
    over = "Mean over" if len(chapter.players) > 1 else "Games with"
    caption = (
        f"{over} {counted_players(chapter.players)}, {found[0].estimate.population}, with 95 % "
        f"intervals. Upward triangles: surely above average; downward: surely below; hollow: not "
        f"settled. {chapter.rules.words.clans.capitalize()} that share a letter cannot be told "
        f"apart.{drawn}{starred(chapter)}"
    )
    key = f"lift-{setting_key(chapter.setting)}"
    return forest(key, caption, found, chapter.clan_labels(), shown)


def _in_detail(chapter: Chapter, players: int) -> tuple[Block, ...]:
    """One player count: a figure and a table for the clans, and one with each clan in play."""
    words, population = chapter.rules.words, chapter.population(players)
    found = _verdicts_at(chapter, players)
    sums = chapter.evidence.total(chapter.setting, players)
    order = [sums.clans.index(verdict.clan) for verdict in found]
    measured = {}
    for name in STATISTICS:
        estimates = measure_usage(sums, name, population).estimates()
        measured[name] = [estimates[i] for i in order]
    store_verdicts(chapter.ledger, "clans", chapter, players, found)
    for estimate in chain.from_iterable(measured.values()):
        chapter.ledger.add(
            "clans",
            chapter.labels(players=players, clan=estimate.name),
            estimate,
            {"p_holm": None, "verdict": None, "group": None},
        )
    figure = usage_figure(
        f"usage-{setting_key(chapter.setting)}-{players}",
        f"Share of {words.parties} led, by winners and by losers.",
        measured["usage_winners"],
        measured["usage_losers"],
        chapter.clan_labels(),
        words.parties,
    )
    return (
        Text(f"{sums.games:,} games, {sums.blocks} blocks of deals, {population}.", "note"),
        figure,
        _clan_table(chapter, found, measured),
        _with_clan_table(chapter, players, population),
    )


def _verdicts_at(chapter: Chapter, players: int) -> tuple[Verdict, ...]:
    """Verdicts at one player count under its main population; Holm over its clans."""
    sums = chapter.evidence.total(chapter.setting, players)
    return verdicts(measure_win_lift(sums, chapter.population(players)))


def _lift_table(
    chapter: Chapter,
    caption: str,
    clans: Sequence[str],
    columns: dict[str, dict[str, Verdict]],
    stored: str,
) -> Table:
    """Win lift in cells that are colored by verdict; a clan a row."""
    labels = chapter.clan_labels()
    by_column = [verdict_cells([column.get(clan) for clan in clans]) for column in columns.values()]
    rows = [
        (Cell(labels[clan]), *row)
        for clan, row in zip(clans, zip(*by_column, strict=True), strict=True)
    ]
    return Table(caption, (chapter.rules.words.clan.capitalize(), *columns), tuple(rows), stored)


def _by_population(
    chapter: Chapter, mean: tuple[Verdict, ...], others: dict[str, tuple[Verdict, ...]]
) -> list[Block]:
    """Win lift under every population beside the main one."""
    words = chapter.rules.words
    main = population_label(chapter.evidence.main_population(chapter.setting, chapter.players[-1]))
    columns = {main: {v.clan: v for v in mean}} | {
        population_label(name): {v.clan: v for v in found} for name, found in others.items()
    }
    dependent = policy_dependent([mean, *others.values()])
    told = (
        f"Policy-dependent, that is surely above average with some strategies and surely below "
        f"with others: {listed(clan_label(clan) for clan in sorted(dependent))}."
        if dependent
        else f"No {words.clan} is surely above average with some strategies and surely below with "
        f"others."
    )
    caption = "Win lift by the strategies that played, mean over their player counts."
    clans = [verdict.clan for verdict in mean]
    return [Text(told), _lift_table(chapter, caption, clans, columns, "headline")]


def _clan_table(
    chapter: Chapter, found: tuple[Verdict, ...], measured: dict[str, list[Estimate]]
) -> Table:
    """Usage and win lift of every clan that leads parties."""
    shown = ("usage", "usage_winners", "usage_losers", "usage_gap", "led_per_game")
    columns = columns_of_estimates([[v.estimate for v in found], *(measured[key] for key in shown)])
    words = [f"{v.words} ({v.group})" if v.group else v.words for v in found]
    labels = chapter.clan_labels()
    rows = table_rows([[labels[v.clan]] for v in found], [columns[0], words, *columns[1:]])
    colored = tuple(
        (row[0], Cell(row[1].text, verdict.tone), *row[2:])
        for row, verdict in zip(rows, found, strict=True)
    )
    headings = (
        chapter.rules.words.clan.capitalize(),
        "Win lift",
        "Verdict (group)",
        "Usage",
        "Usage, winners",
        "Usage, losers",
        "Winners less losers",
        "Led a game",
    )
    caption = (
        f"Usage and win lift, with 95 % intervals, over games that have the "
        f"{chapter.rules.words.clan} in play.{starred(chapter)}"
    )
    return Table(caption, headings, colored, "clans")


def _with_clan_table(chapter: Chapter, players: int, population: str) -> Table:
    """Prestige by source and the first seat's edge over the games that have each clan in play."""
    words = chapter.rules.words
    sums = chapter.evidence.total(chapter.setting, players)
    edges = measure_first_seat_edge(sums, population).estimates()
    present = [i for i in range(len(sums.clans)) if edges[i].games]
    sides: dict[str, list[tuple[Estimate, ...]]] = {}
    for side in SIDES:
        sides[side] = [
            measure_prestige_with_clan(sums, sums.clans[i], side, population).estimates()
            for i in present
        ]
        for i, estimates in zip(present, sides[side], strict=True):
            for estimate in estimates:
                labels = chapter.labels(players=players, clan=sums.clans[i], side=side)
                source = {**labels, "name": estimate.name}
                chapter.ledger.add("clan_in_play", source, estimate)
    for i in present:
        labels = chapter.labels(players=players, clan=sums.clans[i], side=None, name="first")
        chapter.ledger.add("clan_in_play", labels, edges[i])
    sources = [e.name for e in sides["winners"][0]]
    names = source_labels(chapter.rules)
    used = [
        k
        for k in range(len(sources))
        if any(row[k].value for rows in sides.values() for row in rows)
    ]
    columns = columns_of_estimates(
        [
            [edges[i] for i in present],
            *([row[k] for row in sides["winners"]] for k in used),
            [row[-1] for row in sides["losers"]],
        ]
    )
    headings = (
        f"With {words.clan}",
        "First seat's edge",
        *(f"Winners: {names[sources[k]]}" for k in used),
        "Losers: total",
    )
    called = chapter.clan_labels()
    rows = table_rows([[called[sums.clans[i]]] for i in present], columns)
    caption = (
        f"Games that have the {words.clan} in play, whoever leads it: the first seat's edge, and "
        f"mean {words.prestige} by source. Losers by source stand in the stored table."
    )
    return Table(caption, headings, rows, "clan_in_play")
