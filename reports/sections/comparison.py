"""Rule comparison: what another edition, mode or rule set changes, number by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ethnos_sim.reports.comparison.pairs import (
    Counterparts,
    Pair,
    compared,
    compared_settings,
)
from ethnos_sim.reports.comparison.ranks import RANKED_BY, rank_shifts
from ethnos_sim.reports.comparison.situations import Compared, counted
from ethnos_sim.reports.comparison.tables import compared_rows, counts_sentence, rank_table
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, label_of
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.seat_edge import SEAT_EDGE
from ethnos_sim.reports.estimators.skill import SKILL_SHARE
from ethnos_sim.reports.estimators.strategy_share import STRATEGY_SHARE
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.rendering.document import Block, Details, Section, Text
from ethnos_sim.reports.rendering.labels import capital, setting_label
from ethnos_sim.reports.rendering.numbers import listed
from ethnos_sim.reports.rendering.table import Row, Table, cross
from ethnos_sim.reports.sections.chapter import by_players
from ethnos_sim.simulator.rules import ValueDifference, value_text
from ethnos_sim.strategies import list_strategies
from ethnos_sim.strategies.tuned_parameters import tuned_values

SHOWN = (SEAT_EDGE.name, GAME_SHAPE.name, STRATEGY_SHARE.name, SKILL_SHARE.name)
"""The estimands that the page shows beside that by which clans are ranked; the stored table has
all."""

MOST_COLUMNS = 6
"""Situations side by side in a table that may be read; further ones stand in the stored table."""


def comparisons(evidence: Evidence) -> list[Section]:
    """A part for every edition, mode and rule set that was played beside another."""
    return [
        _section(evidence, pair, number) for number, pair in enumerate(compared_settings(evidence))
    ]


def change_text(changes: Sequence[ValueDifference]) -> str:
    """Changed values in words: "bear.on_take 4 → 2"."""
    return ", ".join(
        f"{c.first_name} {value_text(c.first)} → {value_text(c.second)}" for c in changes
    )


def _section(evidence: Evidence, pair: Pair, number: int) -> Section:
    """One pair of settings."""
    found = compared(pair)
    first, second = (_side(evidence, pair, side) for side in ("first", "second"))
    rows = {
        situation: compared_rows(
            {
                "edition": pair.second.edition,
                "mode": pair.second.mode,
                "rules": evidence.about(pair.second).rule_set,
                "first": first,
                "second": second,
                "players": situation.players,
                "strategies": situation.population,
            },
            numbers,
        )
        for situation, numbers in found.items()
    }
    blocks: list[Block] = [Text(_in_words(found))]
    if pair.changes:
        blocks.insert(0, Text(f"Changed: {change_text(pair.changes)}."))
    if apart := _tuned_apart(evidence, pair):
        blocks.append(Text(apart, "note"))
    blocks.append(_table(pair, found, rows))
    blocks += _ranks(pair, first, second)
    return Section(f"comparison-{number + 1}", f"{second} against {first}", tuple(blocks), level=3)


def _side(evidence: Evidence, pair: Pair, side: str) -> str:
    """What a side is called: by what sets it apart from the other."""
    setting = getattr(pair, side)
    rules = evidence.rules(setting)
    if pair.first.edition != pair.second.edition:
        return setting_label(rules, setting)
    if setting.rules:
        return f"{setting_label(rules, setting)}, rule set “{setting.rules}”"
    if pair.second.rules:
        return "the printed rules" if not evidence.about(setting).changed else "the first rule set"
    return setting_label(rules, setting) if setting == pair.second else "the standard rules"


def _tuned_apart(evidence: Evidence, pair: Pair) -> str:
    """Who does not play both editions alike, in a sentence; empty where everybody does."""
    rules = evidence.rules(pair.first), evidence.rules(pair.second)
    counts = {table.first.players for table in pair.tables}
    names = {name.partition(":")[0] for name in evidence.strategies(pair.first)}
    known = [strategy for strategy in list_strategies() if strategy.name in names]
    apart = [
        strategy.name
        for strategy in known
        for n in counts
        if tuned_values(strategy, rules[0], n) != tuned_values(strategy, rules[1], n)
    ]
    if not apart:
        return ""
    return (
        f"Not the same player in both: {listed(dict.fromkeys(apart))} is tuned for each edition, "
        f"so a difference may be the player's as well as the rules'. The bundled experiments "
        f"`editions` and `edition-bridge` have a player with the same weights in both."
    )


def _in_words(found: Mapping[Situation, Sequence[Compared]]) -> str:
    """How many numbers changed, over all tables."""
    every = [each for numbers in found.values() for each in numbers]
    ratios = sorted(each.variance_ratio for each in every if each.variance_ratio is not None)
    paired = (
        f" Both sides played the same deals, which made differences as precise as "
        f"{ratios[len(ratios) // 2]:.1f} times the games would have been with other deals (median)."
        if ratios
        else ""
    )
    return counts_sentence(counted(every)) + paired


def _table(
    pair: Pair, found: Mapping[Situation, Sequence[Compared]], rows: Mapping[Situation, list[Row]]
) -> Table:
    """A line a number, a column a player count and population."""
    columns = _columns(pair, found)
    several = len({situation.population for situation in found}) > 1
    order = _shown(found)
    every = [row for of in rows.values() for row in of]
    shown = [row for situation in columns for row in rows[situation] if _definition(row) in order]
    shown.sort(key=lambda row: order.index(_definition(row)))

    def heading(row: Row) -> str:
        return by_players(row) + (f", {row['strategies']}" if several else "")

    def number(row: Row) -> str:
        return label_of(*row["number"].split(".", 1))

    first, second = every[0]["first"], every[0]["second"]
    caption = (
        f"{capital(second)} less {first}, with 95 % intervals. Blue and orange: changed; gray: "
        "equivalent; white: undecided."
    )
    lines = cross(shown, "Number", number, heading)
    return Table(caption, lines, "comparisons", unshown=tuple(every), alike="none")


def _definition(row: Row) -> str:
    """The estimand of a row."""
    return str(row["number"]).split(".", 1)[0]


def _shown(found: Mapping[Situation, Sequence[Compared]]) -> tuple[str, ...]:
    """The estimands of the table: SHOWN, and the best there is about clans."""
    played = {each.definition for numbers in found.values() for each in numbers}
    about_clans = [key for key in RANKED_BY if key in played][:1]
    return (*SHOWN, *about_clans)


def _columns(pair: Pair, found: Mapping[Situation, Sequence[Compared]]) -> list[Situation]:
    """The situations that the table shows: all, or the player counts of one population.

    It is the population with most player counts, and of several the one with most games.
    """
    tables = [table for table in pair.tables if found[table.first]]
    if len(tables) > MOST_COLUMNS:
        by_population: dict[str, list[Counterparts]] = {}
        for table in tables:
            by_population.setdefault(table.first.population, []).append(table)
        tables = max(
            by_population.values(), key=lambda own: (len(own), sum(table.games for table in own))
        )
    return [table.first for table in tables]


def _ranks(pair: Pair, first: str, second: str) -> list[Block]:
    """The clans' ranks on both sides, at the table with the most games."""
    best = None
    for counterparts in pair.tables:
        sides = counterparts.numbers
        by, shifts = rank_shifts(*sides, renamed=pair.renamed)
        games = min(int(side.where(estimand=by).games.max(initial=0)) for side in sides)
        key = by == RANKED_BY[0], games
        if shifts and (best is None or key > best[0]):
            best = key, counterparts.first, by, shifts
    if best is None:
        return []
    _, situation, by, shifts = best
    caption = (
        f"Ranks by {ESTIMANDS[by].short} with {situation.players} players ({situation.population})"
    )
    moved = [shift for shift in shifts if shift.first != shift.second]
    summary = f"Clan ranks: {len(moved)} of {len(shifts)} differ"
    table = rank_table(caption, shifts, (capital(first), capital(second)), pair.renamed)
    return [Details(summary, (table,))]
