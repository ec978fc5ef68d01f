"""Precision and data quality: half-widths, checks whose true answer is known, shared deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.reports.estimators.homogeneity import halves_null
from ethnos_sim.reports.estimators.nulls import (
    FALSE_ALARMS,
    Check,
    Null,
    chair_null,
    checked,
    deck_draw_null,
    same_strategy_null,
)
from ethnos_sim.reports.evidence.decks import solo_deck_cards
from ethnos_sim.reports.evidence.evidence import is_one_strategy
from ethnos_sim.reports.evidence.solo_evidence import AGES
from ethnos_sim.reports.evidence.sums import merged
from ethnos_sim.reports.rendering.document import Block, Details, Section, Text
from ethnos_sim.reports.rendering.numbers import decimals_for, number
from ethnos_sim.reports.rendering.table import Column, Label, Row, Table, TableCell
from ethnos_sim.reports.sections.chapter import Chapter
from ethnos_sim.reports.sections.precision import precision
from ethnos_sim.reports.sections.solo_chapter import SoloChapter
from ethnos_sim.simulator.modes import SOLO_CLANS

DRAWS = ("drawn", "games")
"""The sums that a check of the deck needs."""


@dataclass(frozen=True, slots=True, eq=False)
class _NamedNull:
    """A null with what it is called on the page and in the stored table."""

    heading: str
    labels: dict[str, Label]
    kind: str
    about: str
    null: Null


def quality(chapters: list[Chapter], solo: SoloChapter) -> Section:
    """All checks of the report, and the blocks of deals behind each table."""
    asked = [found for chapter in chapters for n in chapter.players for found in _asked(chapter, n)]
    asked += [_asked_solo(solo, mode) for mode in solo.modes]
    results = checked([found.null for found in asked])
    tables: list[Block] = []
    for kind, caption in (
        ("same", "One strategy in all seats: wins by place in the line-up, less 1/n; expected 0."),
        ("chair", "Mixed strategies, rotated: wins by place at the table, less 1/n; expected 0."),
        ("draws", "Ally cards that leave the deck in an age, against their mean for any strategy."),
        ("halves", "First half of the shards less the second half; expected 0."),
    ):
        pairs = [(f, c) for f, c in zip(asked, results, strict=True) if f.kind == kind]
        if pairs:
            tables.append(_table(caption, pairs))
    checks = [Details("Every check", tuple(tables))] if tables else []
    blocks = (Text(*_verdict(results)), *checks, *precision(chapters, solo))
    return Section("quality", "Precision and data quality", blocks)


def _asked(chapter: Chapter, players: int) -> list[_NamedNull]:
    """The nulls of one player count."""
    evidence, setting = chapter.evidence, chapter.setting
    here = evidence.where(lambda s: (s.setting, s.players) == (setting, players))
    found: list[_NamedNull] = []
    name = chapter.title
    labels = chapter.labels(players=players)

    def ask(kind: str, about: str, null: Null) -> None:
        found.append(_NamedNull(f"{name}, {players} players, {about}", labels, kind, about, null))

    for population in evidence.populations(setting, players):
        words = evidence.describe(setting, players, population)
        total = evidence.total(setting, players, population)
        if is_one_strategy(population):
            ask("same", population, same_strategy_null(total, words))
        else:
            ask("chair", population, chair_null(total, words))
    for deck in sorted({stratum.deck for stratum in here}):
        arrays = merged(sums for stratum, sums in here.items() if stratum.deck == deck).arrays
        null = deck_draw_null(
            arrays, deck, chapter.rules, chapter.rules.ages(players), "all strategies"
        )
        ask("draws", f"deck of {deck}", null)
    sweeps = evidence.shards.get((setting, players), ())
    for number_of, shards in enumerate(sweeps, 1):
        halves = halves_null(shards, "all strategies")
        if halves is not None:
            which = f"sweep {number_of}, " if len(sweeps) > 1 else ""
            ask("halves", f"{which}{shards['games'].shape[1]} shards", halves)
    return found


def _asked_solo(solo: SoloChapter, mode: str) -> _NamedNull:
    """The null of one solo difficulty: the cards that leave the deck."""
    rules = solo.rules
    cards = sum(map(rules.cards_of, SOLO_CLANS))
    deck = solo_deck_cards(cards, rules.number("pool_per_player"), rules.number("bruno.cards"))
    lines = solo.evidence.of_mode(mode).values()
    arrays = {name: np.sum([sums.arrays[name] for sums in lines], axis=0) for name in DRAWS}
    null = deck_draw_null(arrays, deck, rules, AGES, "all strategies")
    about = f"deck of {deck}"
    heading = f"{solo.label(mode)}, {about}"
    return _NamedNull(heading, solo.labels(mode), "draws", about, null)


def _verdict(results: Sequence[Sequence[Check]]) -> tuple[str, str]:
    """Whether all checks hold, in one or two sentences, and the kind of text that says so."""
    checks = [check for group in results for check in group]
    told = [check for check in checks if check.holds is not None]
    failed = [check for check in told if not check.holds]
    declared = f"sound games fail any of them in {100 * FALSE_ALARMS:g} % of reports (Holm)"
    if failed:
        return (
            f"{len(failed)} of {len(told)} checks fail, although {declared}: do not trust this "
            f"report before the cause is found.",
            "warning",
        )
    open_ones = len(checks) - len(told)
    left = f" {open_ones} more have too few games to say." if open_ones else ""
    if not told:
        return f"None of the {len(checks)} checks has enough games to say anything.", "warning"
    return f"All {len(told)} checks hold; {declared}.{left}", "plain"


def _table(caption: str, pairs: Sequence[tuple[_NamedNull, Sequence[Check]]]) -> Table:
    """A line a group of checks: its numbers, what is expected and the smallest p."""
    rows = [[_row(found, check) for check in checks] for found, checks in pairs]
    names = [check.estimate.name for check in max((checks for _, checks in pairs), key=len)]
    numbers = [
        Column(name.capitalize(), [of[place] if place < len(of) else "" for of in rows])
        for place, name in enumerate(names)
    ]
    columns = (
        Column("Games", [found.heading for found, _ in pairs]),
        Column("Verdict", [_held(checks) for _, checks in pairs]),
        *numbers,
        Column("Expected", [_expected(checks) for _, checks in pairs]),
        Column(
            "Smallest p (Holm)",
            [min(check.p_value for check in checks) for _, checks in pairs],
            "{:.2g}".format,
        ),
    )
    alike = pairs[0][0].kind != "halves"
    return Table(caption, columns, "checks", alike="line" if alike else "none")


def _row(found: _NamedNull, check: Check) -> Row:
    """A check as it is stored."""
    more: dict[str, Label] = {"expected": check.expected, "p_holm": check.p_value}
    labels = {**found.labels, "name": check.estimate.name, "about": found.about}
    return Row(labels, check.estimate, more)


def _expected(checks: Sequence[Check]) -> TableCell:
    """The value that a group of checks must have."""
    places = decimals_for([check.estimate for check in checks])
    return TableCell(
        number(checks[0].expected, checks[0].estimate.unit, places), sort=checks[0].expected
    )


def _held(checks: Sequence[Check]) -> str:
    """Whether a group of checks holds, in words."""
    holds = [check.holds for check in checks]
    return "too few games" if None in holds else "holds" if all(holds) else "FAILS"
