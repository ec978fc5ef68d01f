"""Clan power: what leading a clan is worth, for one seat while all others stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ethnos_sim.experiments.designs.interventions import FORCED, INTERVENTIONS, RESTRICTED
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.skill_trend import STRONG
from ethnos_sim.reports.estimators.usage import measure_mean_usage
from ethnos_sim.reports.evidence.evidence import SKILL
from ethnos_sim.reports.figures.forest import forest
from ethnos_sim.reports.figures.usage_power import usage_power_figure
from ethnos_sim.reports.rendering.document import Block, Section, Text
from ethnos_sim.reports.rendering.labels import clan_label, setting_key
from ethnos_sim.reports.rendering.numbers import ABSENT, listed, number
from ethnos_sim.reports.rendering.table import Column, Row, Table, cross
from ethnos_sim.reports.sections.chapter import (
    Chapter,
    by_players,
    by_population,
    counted_players,
    one_below_another,
    side_by_side,
    starred,
    verdict_words,
)
from ethnos_sim.reports.sections.headline import by_power, dependent_clans
from ethnos_sim.reports.sections.win_lift import win_lift
from ethnos_sim.reports.verdicts import Verdict, policy_dependent

DEPENDENT = "policy-dependent"


def clans(chapters: Sequence[Chapter]) -> list[Section]:
    """Power, usage against power, by player count, by strategies; then win lift."""
    words = chapters[0].rules.words
    title = f"{words.clan.capitalize()} power"
    restricted = [chapter for chapter in chapters if by_power(chapter)]
    lift = win_lift(chapters)
    if not restricted:
        text = (
            f"No line-up of these games keeps a single seat from leading a {words.clan}, so its "
            f'power is not known here; one_seat = "never_leads" in a line-up of the sweep asks '
            f"for it. What follows is association."
        )
        return [Section("clans", title, (Text(text),)), *lift]
    reading = (
        f"Restricted play: a fair share less the winning chance of a seat that may not lead the "
        f"{words.clan}, while all others may. Whoever may not lead a {words.clan} has fewer ways "
        f"to play, so nearly every one costs something to lose; power is what this one costs more "
        f"than the average one. One seat is changed and nothing else, so it is a cause, for the "
        f"strategies named."
    )
    if any(chapter.power_counts(kind=FORCED) for chapter in restricted):
        reading += (
            f" Forced play, to the right: the winning chance of a seat that leads the {words.clan} "
            f"whenever it can, less a fair share; a cause, too, and usually below 0, since it "
            f"drops whatever else would have been better."
        )
    parts = [Section("clans", title, (Text(reading), *side_by_side(restricted, _power)))]
    parts += _part("clans-usage", "Usage against power", restricted, _usage)
    parts += _part("clans-players", "By number of players", restricted, _by_players)
    told = one_below_another(restricted, _by_strategies)
    parts += [Section("clans-strategies", "By strategies", told, level=3)] if told else []
    return [*parts, *lift]


def _part(
    key: str,
    title: str,
    chapters: Sequence[Chapter],
    write: Callable[[Chapter], Sequence[Block]],
) -> list[Section]:
    """A part of the topic, where any setting has something to say."""
    blocks = side_by_side(chapters, write)
    return [Section(key, title, blocks, level=3)] if blocks else []


def _power(chapter: Chapter) -> list[Block]:
    """The forest plot, what cannot be told apart, and the numbers of one setting."""
    population = chapter.power_population
    assert population is not None, "judged by restricted play"
    found = chapter.clan_verdicts(population)
    counts = chapter.power_counts(population)
    same_counts = chapter.power_counts(population, FORCED) == counts
    losses = _effect(chapter, population, None, RESTRICTED)
    forced = _effect(chapter, population, None, FORCED) if same_counts else {}
    measured = chapter.log_odds(population)
    assert measured is not None, "judged by restricted play"
    log_odds = _by_clan(chapter, measured, population, None)
    over = "Mean over" if len(counts) > 1 else "Games with"
    words = chapter.rules.words
    small = " To the right, small: forced play." if forced else ""
    caption = (
        f"{over} {counted_players(counts)}, {found[0].estimate.population}, with 95 % intervals. "
        f"Upward triangles: the whole interval is above the average {words.clan} (line), beyond "
        f"what is negligible (gray); downward: below; hollow: not settled. "
        f"{words.clans.capitalize()} that share a letter cannot be told apart.{small} "
        f"Dashed: where a {words.clan} stands whose power does nothing.{starred(chapter)}"
    )
    key = f"power-{setting_key(chapter.setting)}"
    drawn = {clan: row.estimate for clan, row in forced.items() if row.estimate}
    beside = ("forced, pp", drawn) if drawn else None
    blank = chapter.blank_clan(population)
    nothing = blank[1].estimates()[0] if blank else None
    figure = forest(key, caption, found, chapter.clan_labels, beside=beside, nothing=nothing)
    rows = chapter.verdict_rows(found, population, None)
    columns = (
        Column(words.clan.capitalize(), [chapter.clan_label(row) for row in rows]),
        Column("Power", rows),
        Column("Verdict (group)", [verdict_words(row) for row in rows]),
        Column("Restricted play", [losses.get(row["clan"]) for row in rows]),
        Column("in log-odds", [log_odds.get(row["clan"]) for row in rows]),
        *([Column("Forced play", [forced.get(row["clan"]) for row in rows])] if forced else []),
        Column("Games", [verdict.estimate.games for verdict in found]),
    )
    caption = (
        f"Power with 95 % intervals; games: of restricted play. Restricted play ends at a fair "
        f"share, which is all that can be lost; log-odds do not.{starred(chapter)}"
    )
    more = (*_blank_rows(chapter, population), *_at_each_count(chapter))
    table = Table(caption, columns, "power", unshown=more)
    return [figure, Text(_groups(chapter, found)), table]


def _blank_rows(chapter: Chapter, population: str) -> tuple[Row, ...]:
    """What the files hold of the blank clan, of each player count and of the mean."""
    rows: list[Row] = []
    for players in (None, *chapter.power_counts(population)):
        for measured in chapter.blank_clan(population, players) or ():
            labels = {"players": players, "strategies": population}
            rows += chapter.rows(measured.estimates(), "clan", **labels)
    return tuple(rows)


def _effect(chapter: Chapter, population: str, players: int | None, kind: str) -> dict[str, Row]:
    """Restricted or forced play of a population at one player count, or the mean, by clan."""
    measured = chapter.intervention_play(population, players, kind)
    return _by_clan(chapter, measured, population, players) if measured else {}


def _by_clan(
    chapter: Chapter, measured: Estimates, population: str, players: int | None
) -> dict[str, Row]:
    """The rows of a measure that have a value, by clan."""
    known = [e for e in measured.estimates() if e.value is not None]
    rows = chapter.rows(known, "clan", players=players, strategies=population)
    return {row["clan"]: row for row in rows}


def _groups(chapter: Chapter, found: Sequence[Verdict]) -> str:
    """The groups that cannot be told apart, from strong to weak, in a sentence."""
    labels = chapter.clan_labels
    names = list(dict.fromkeys(letter for v in found for letter in v.group))
    together = [
        listed(labels[v.clan] for v in found if letter in v.group)
        for letter in names
        if sum(letter in v.group for v in found) > 1
    ]
    if not any(v.group for v in found):
        return "Too few games to tell any two apart."
    if not together:
        return f"All {chapter.rules.words.clans} can be told apart."
    return f"Cannot be told apart (all pairs compared, Holm): {'; '.join(together)}."


def _usage(chapter: Chapter) -> list[Block]:
    """The scatter figure, over the player counts that both numbers have."""
    name = chapter.power_population
    assert name is not None, "judged by restricted play"
    counts = [n for n in chapter.power_counts(name) if n in chapter.counts_of(name)]
    shown = name
    if not counts and chapter.players:
        shown = chapter.lift_population
        counts = [n for n in chapter.power_counts(name) if n in chapter.counts_of(shown)]
    if not counts:
        return []
    parts = [chapter.evidence.total(chapter.setting, n, shown) for n in counts]
    population = chapter.describe(shown)
    measured = measure_mean_usage(parts, "usage", population)
    usage = {e.name: e for e in measured.estimates() if e.value is not None}
    found = [v for v in chapter.clan_verdicts(name) if v.clan in usage]
    if not found:
        return []
    words = chapter.rules.words
    caption = (
        f"How often each {words.clan} is led ({population}) and what leading it is worth, with "
        f"95 % intervals. Far to the left and high: stronger than its use."
    )
    key = f"usage-power-{setting_key(chapter.setting)}"
    labels = chapter.clan_labels
    figure = usage_power_figure(key, caption, found, usage, labels, words.parties)
    rows = chapter.rows(usage.values(), "clan", players=None, strategies=shown)
    return [replace(figure, stored="power", rows=rows)]


def _by_players(chapter: Chapter) -> list[Block]:
    """Power by number of players; nothing where there is one."""
    population = chapter.widest_population
    assert population is not None, "judged by restricted play"
    counts = chapter.power_counts(population)
    if len(counts) < 2:
        return []
    rows = [
        row
        for players in (None, *counts)
        for row in chapter.verdict_rows(
            chapter.clan_verdicts(population, players), population, players
        )
    ]
    caption = (
        f"Power by number of players, percentage points, {chapter.describe(population)}. Blue: "
        f"settled above average; orange: below (for all {chapter.rules.words.clans} of a column "
        f"together); white: not settled, or about average. “All”: the mean, each count weighing "
        f"the same.{starred(chapter)}"
    )
    name = chapter.rules.words.clan.capitalize()
    return [Table(caption, cross(rows, name, chapter.clan_label, by_players), "power")]


def _by_strategies(chapter: Chapter) -> list[Block]:
    """Power at each player count under its populations, where there are several."""
    blocks: list[Block] = []
    for players in chapter.power_counts():
        names = chapter.power_populations(players)
        if len(names) < 2:
            continue
        found = {of: chapter.clan_verdicts(of, players) for of in names}
        rows = [row for of in names for row in chapter.verdict_rows(found[of], of, players)]
        dependent = policy_dependent(found.values())
        marks = [
            DEPENDENT if clan in dependent else ABSENT
            for clan in dict.fromkeys(row["clan"] for row in rows)
        ]
        name = chapter.rules.words.clan.capitalize()
        columns = cross(rows, name, chapter.clan_label, by_population)
        strong = [of for of in STRONG if of in names]
        caption = (
            f"Power with {players} players by the strategies that played, percentage points with "
            f"95 % intervals."
        )
        spread = []
        if len(strong) > 1:
            caption += f" Among strong players: the lowest and highest value of {listed(strong)}."
            values = _spreads(rows, [found[of] for of in strong])
            spread = [Column("Among strong players", values)]
        marked = Column("Verdict changes?", marks)
        blocks.append(Table(caption, (*columns, *spread, marked), "power"))
    return [Text(_dependent(chapter)), *blocks]


def _spreads(rows: Sequence[Row], strong: Sequence[Sequence[Verdict]]) -> list[str]:
    """The lowest and highest power of each clan among the strong players, in the rows' order."""
    values: dict[str, list[float]] = {}
    for verdict in (verdict for found in strong for verdict in found):
        if verdict.estimate.value is not None:
            values.setdefault(verdict.clan, []).append(verdict.estimate.value)
    return [
        " to ".join(number(end(values[clan]), "share_difference", 1) for end in (min, max))
        if clan in values
        else ABSENT
        for clan in dict.fromkeys(row["clan"] for row in rows)
    ]


def _at_each_count(chapter: Chapter) -> tuple[Row, ...]:
    """Power, restricted and forced play of every population at every player count."""
    return tuple(
        row
        for players in chapter.power_counts()
        for of in chapter.power_populations(players)
        for row in (
            *chapter.verdict_rows(chapter.clan_verdicts(of, players), of, players),
            *(
                row
                for kind in INTERVENTIONS
                for row in _effect(chapter, of, players, kind).values()
            ),
        )
    )


def _dependent(chapter: Chapter) -> str:
    """Which clans are policy-dependent, and among how many populations that was asked."""
    words = chapter.rules.words
    populations = [name for name in chapter.power_populations() if name != SKILL]
    few = f" {len(populations)} of the three populations played that a sound verdict asks for."
    if len(populations) == 1:
        name = chapter.describe(populations[0])
        return f"Only one population was restricted: {name}. Others may judge otherwise."
    dependent = sorted(dependent_clans(chapter, chapter.power_counts()))
    told = (
        f"Policy-dependent, that is settled above average for some strategies and below for "
        f"others: {listed(clan_label(clan) for clan in dependent)}."
        if dependent
        else f"No {words.clan} is settled above average for some strategies and below for others."
    )
    return told + (few if len(populations) < 3 else "")
