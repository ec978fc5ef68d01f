"""Clan power: what leading a clan is worth, for one seat while all others stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ethnos_sim.experiments.one_seat import ONE_SEAT
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.document import Block, Cell, Section, Table, Text
from ethnos_sim.reports.estimators.usage import measure_mean_usage
from ethnos_sim.reports.evidence import SKILL
from ethnos_sim.reports.figures.forest import forest
from ethnos_sim.reports.figures.usage_power import usage_power_figure
from ethnos_sim.reports.labels import clan_label, population_label, setting_key
from ethnos_sim.reports.numbers import ABSENT, listed, whole
from ethnos_sim.reports.one_seat import FORCED
from ethnos_sim.reports.sections.chapter import (
    Chapter,
    columns_of_estimates,
    counted_players,
    side_by_side,
    starred,
    table_rows,
    verdict_cells,
)
from ethnos_sim.reports.sections.headline import by_power, dependent_clans, store_verdicts
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
        f"than the average one. Forced play, to the right: the winning chance of a seat that leads "
        f"the {words.clan} whenever it can, less a fair share. Both change one seat and nothing "
        f"else, so they are causes, for the strategies named. Forced play is usually below 0, "
        f"since it drops whatever else would have been better."
    )
    parts = [Section("clans", title, (Text(reading), *side_by_side(restricted, _power)))]
    parts += _part("clans-usage", "Usage against power", restricted, _usage)
    parts += _part("clans-players", "By number of players", restricted, _by_players)
    parts += _part("clans-strategies", "By strategies", restricted, _by_strategies)
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
    forced = _forced(chapter, population)
    counts = chapter.power_counts(population)
    over = "Mean over" if len(counts) > 1 else "Games with"
    words = chapter.rules.words
    small = " To the right, small: forced play." if forced else ""
    caption = (
        f"{over} {counted_players(counts)}, {found[0].estimate.population}, with 95 % intervals. "
        f"Upward triangles: the whole interval is above the average {words.clan} (line), beyond "
        f"what is negligible (gray); downward: below; hollow: not settled. "
        f"{words.clans.capitalize()} that share a letter cannot be told apart.{small}"
        f"{starred(chapter)}"
    )
    key = f"power-{setting_key(chapter.setting)}"
    beside = ("forced, pp", forced) if forced else None
    figure = forest(key, caption, found, chapter.clan_labels(), beside=beside)
    return [figure, Text(_groups(chapter, found)), _power_table(chapter, found, forced)]


def _forced(chapter: Chapter, population: str) -> dict[str, Estimate]:
    """Forced play of the same population over the same player counts, by clan; stored."""
    counts = chapter.power_counts(population)
    if chapter.power_counts(population, FORCED) != counts:
        return {}
    measured = chapter.one_seat_play(population, kind=FORCED)
    assert measured is not None, "there are player counts"
    return {e.name: e for e in measured.estimates() if e.value is not None}


def _groups(chapter: Chapter, found: Sequence[Verdict]) -> str:
    """The groups that cannot be told apart, from strong to weak, in a sentence."""
    labels = chapter.clan_labels()
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


def _power_table(chapter: Chapter, found: Sequence[Verdict], forced: dict[str, Estimate]) -> Table:
    """Power, verdict, what it is made from, forced play and games of every clan."""
    population = chapter.power_population
    assert population is not None, "judged by restricted play"
    restricted = chapter.one_seat_play(population)
    assert restricted is not None, "judged by restricted play"
    losses = {e.name: e for e in restricted.estimates()}
    store_verdicts(chapter.ledger, "power", chapter, None, tuple(found))
    for estimate in (*(losses[v.clan] for v in found), *forced.values()):
        _store(chapter, None, estimate)
    labels = chapter.clan_labels()
    power, lost, pushed = columns_of_estimates(
        [
            [v.estimate for v in found],
            [losses[v.clan] for v in found],
            [forced.get(v.clan) for v in found],
        ]
    )
    words = [f"{v.words} ({v.group})" if v.group else v.words for v in found]
    games = [whole(v.estimate.games) for v in found]
    rows = tuple(
        (row[0], Cell(row[1].text, verdict.tone), *row[2:])
        for row, verdict in zip(
            table_rows([[labels[v.clan]] for v in found], [power, words, lost, pushed, games]),
            found,
            strict=True,
        )
    )
    caption = f"Power with 95 % intervals; games: of restricted play.{starred(chapter)}"
    headings = ("Power", "Verdict (group)", "Restricted play", "Forced play", "Games")
    name = chapter.rules.words.clan.capitalize()
    return Table(caption, (name, *headings), rows, "power")


def _usage(chapter: Chapter) -> list[Block]:
    """The scatter figure, over the player counts that both numbers have."""
    name = chapter.power_population
    assert name is not None, "judged by restricted play"
    counts = [n for n in chapter.power_counts(name) if n in chapter.players]
    if not counts:
        return []
    played = [n for n in counts if name in chapter.evidence.populations(chapter.setting, n)]
    ours = name if played == counts else None
    parts = [chapter.evidence.total(chapter.setting, n, ours) for n in counts]
    shown = ours or chapter.evidence.main_population(chapter.setting, counts[-1])
    population = chapter.describe(shown)
    measured = measure_mean_usage(parts, "usage", population)
    usage = {e.name: e for e in measured.estimates() if e.value is not None}
    for estimate in usage.values():
        _store(chapter, None, estimate)
    found = [v for v in chapter.clan_verdicts(name) if v.clan in usage]
    if not found:
        return []
    words = chapter.rules.words
    caption = (
        f"How often each {words.clan} is led ({population}) and what leading it is worth, with "
        f"95 % intervals. Far to the left and high: stronger than its use."
    )
    key = f"usage-power-{setting_key(chapter.setting)}"
    labels = chapter.clan_labels()
    return [usage_power_figure(key, caption, found, usage, labels, words.parties)]


def _by_players(chapter: Chapter) -> list[Block]:
    """Power by number of players; nothing where there is one."""
    population = chapter.power_population
    assert population is not None, "judged by restricted play"
    counts = chapter.power_counts(population)
    if len(counts) < 2:
        return []
    columns = {"All": chapter.clan_verdicts(population)}
    for players in counts:
        columns[f"{players} players"] = chapter.clan_verdicts(population, players)
    caption = (
        f"Power by number of players, percentage points, {chapter.describe(population)}. Blue: "
        f"settled above average; orange: below (for all {chapter.rules.words.clans} of a column "
        f"together); white: not settled, or about average. “All”: the mean, each count weighing "
        f"the same.{starred(chapter)}"
    )
    return [_verdict_table(chapter, caption, columns)]


def _by_strategies(chapter: Chapter) -> list[Block]:
    """Power under every population of each player count, and what depends on them."""
    blocks: list[Block] = []
    for players in chapter.power_counts():
        names = chapter.power_populations(players)
        found = {name: chapter.clan_verdicts(name, players) for name in names}
        for name, theirs in found.items():
            store_verdicts(chapter.ledger, "power", chapter, players, theirs)
            for kind in ONE_SEAT:
                measured = chapter.one_seat_play(name, players, kind)
                for estimate in measured.estimates() if measured else ():
                    if estimate.value is not None:
                        _store(chapter, players, estimate)
        if len(names) < 2:
            continue
        dependent = policy_dependent(found.values())
        columns = {population_label(name): theirs for name, theirs in found.items()}
        caption = (
            f"Power with {players} players by the strategies that played, percentage points with "
            f"95 % intervals."
        )
        blocks.append(_verdict_table(chapter, caption, columns, dependent))
    told = _dependent(chapter)
    return [Text(told), *blocks]


def _dependent(chapter: Chapter) -> str:
    """Which clans are policy-dependent, and among how many populations that was asked."""
    words = chapter.rules.words
    populations = [name for name in chapter.power_populations() if name != SKILL]
    few = f" {len(populations)} of the three populations played that a sound verdict asks for."
    if len(populations) == 1:
        name = chapter.describe(populations[0])
        return f"Only one population was restricted: {name}. Others may judge otherwise."
    dependent = sorted(dependent_clans(chapter))
    told = (
        f"Policy-dependent, that is surely above average for some strategies and surely below for "
        f"others: {listed(clan_label(clan) for clan in dependent)}."
        if dependent
        else f"No {words.clan} is surely above average for some strategies and surely below for "
        f"others."
    )
    return told + (few if len(populations) < 3 else "")


def _verdict_table(
    chapter: Chapter,
    caption: str,
    columns: dict[str, tuple[Verdict, ...]],
    dependent: frozenset[str] | None = None,
) -> Table:
    """A row a clan, a column of verdicts each; with `dependent` a last column that marks them."""
    names = list(dict.fromkeys(v.clan for found in columns.values() for v in found))
    labels = chapter.clan_labels()
    by_column = []
    for found in columns.values():
        by_clan = {verdict.clan: verdict for verdict in found}
        by_column.append(verdict_cells([by_clan.get(clan) for clan in names]))
    headings = [chapter.rules.words.clan.capitalize(), *columns]
    if dependent is not None:
        by_column.append([Cell(DEPENDENT if clan in dependent else ABSENT) for clan in names])
        headings.append("Verdict changes?")
    rows = tuple(
        (Cell(labels[clan]), *row)
        for clan, row in zip(names, zip(*by_column, strict=True), strict=True)
    )
    return Table(caption, tuple(headings), rows, "power")


def _store(chapter: Chapter, players: int | None, estimate: Estimate) -> None:
    """Keep a number of a clan that is no verdict."""
    chapter.ledger.add(
        "power",
        chapter.labels(players=players, clan=estimate.name),
        estimate,
        {"p_holm": None, "verdict": None, "group": None},
    )
