"""Pairs of clans that do more or less together than apart, and decks unlike their clans."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.outlier_sets import OutlierSet, outlier_sets, set_mean
from ethnos_sim.reports.estimators.pairs import PairEffect, pair_effects
from ethnos_sim.reports.estimators.presence import OUTCOMES
from ethnos_sim.reports.evidence.clan_sets import SetSums
from ethnos_sim.reports.evidence.replayed_sets import play_again
from ethnos_sim.reports.figures.heat_map import heat_map
from ethnos_sim.reports.rendering.document import Block, Details, Figure, Section, Text
from ethnos_sim.reports.rendering.labels import capital, clan_label, setting_key
from ethnos_sim.reports.rendering.numbers import listed, whole
from ethnos_sim.reports.rendering.table import Column, Row, Table
from ethnos_sim.reports.sections.chapter import Chapter
from ethnos_sim.reports.sections.presence import (
    PresenceAt,
    outcome_label,
    phrase,
    presence_by_count,
    tone_of,
)
from ethnos_sim.simulator.errors import Failed, WrongInput

SHOWN = 12
OF_ONE_OUTCOME = 3
"""How many pairs the table shows, in all and of one outcome; the stored table has all."""

OUTLIER_NUMBERS = {
    "expected": "Expected",
    "first": "First estimate",
    "best guess": "Best guess",
    "again": "Fresh deals",
}
"""The numbers of an outlier set, with their headings."""

SIGNIFICANT = {True: "significant", False: "not significant"}

DRAWN = ("mean_prestige", "turns")
"""The outcomes whose pairs are drawn."""


def pairs(chapter: Chapter) -> Section | None:
    """The pairs of a setting and its outlier sets; None where no sets can tell pairs apart."""
    counts = [
        (here, effects)
        for here in presence_by_count(chapter)
        for effects in [pair_effects(here.found)]
        if effects
    ]
    if not counts:
        return None
    words = chapter.rules.words
    blocks: list[Block] = [Text(_told(chapter, *counts[0]))]
    for number_of, (here, effects) in enumerate(counts):
        own = [_table(chapter, here, effects), *_outliers(chapter, here)]
        drawn = tuple(_figure(chapter, here, effects, name) for name in DRAWN)
        if number_of == 0:
            blocks += [*own, Details(f"All pairs, {here.players} players", drawn)]
        else:
            blocks.append(Details(f"With {here.players} players", (*own, *drawn)))
    title = f"Pairs of {words.clans}"
    return Section(f"pairs-{setting_key(chapter.setting)}", title, tuple(blocks), level=3)


def _told(chapter: Chapter, here: PresenceAt, effects: Sequence[PairEffect]) -> str:
    """How many pairs do something together, and the largest of them, in plain words."""
    words = chapter.rules.words
    significant = [effect for effect in effects if effect.significant]
    if not significant:
        return (
            f"With {here.players} players no pair of {words.clans} does anything significant "
            f"together that both do not do apart."
        )
    largest = significant[0]
    some = len({effect.pair for effect in significant})
    every = len({effect.pair for effect in effects})
    return (
        f"With {here.players} players {some} of {every} pairs of {words.clans} do something "
        f"together, significantly, that they do not do apart. The largest effect: with "
        f"{_pair(largest.pair)} in one deck {phrase(chapter, largest.outcome, largest.estimate)} "
        f"than both by themselves would make it."
    )


def _pair(clans: Sequence[str]) -> str:
    """A pair in words: "Bear and Owl"."""
    return listed(map(clan_label, clans))


def _table(chapter: Chapter, here: PresenceAt, effects: Sequence[PairEffect]) -> Table:
    """The largest effects."""
    words = chapter.rules.words
    rows = {effect: _row(chapter, here, effect) for effect in effects}
    shown = _largest(effects)
    columns = (
        Column(f"{capital(words.clan)} pair", [_pair(effect.pair) for effect in shown]),
        Column("Changes", [outcome_label(chapter, effect.outcome) for effect in shown]),
        Column("By", [rows[effect] for effect in shown]),
        Column("p, adjusted", [effect.p_value for effect in shown], p_text),
        Column("Verdict", [SIGNIFICANT[effect.significant] for effect in shown]),
    )
    caption = (
        f"The largest effects of pairs with {here.players} players, beyond what both "
        f"{words.clans} do one by one, each set against the size below which a difference counts "
        f"as none. {whole(here.games)} games over {here.sets} sets; p adjusted by Benjamini and "
        f"Hochberg over all {len(effects)} pairs and outcomes, which the stored table has."
    )
    return Table(caption, columns, "pairs", unshown=tuple(rows.values()), alike="none")


def _row(chapter: Chapter, here: PresenceAt, effect: PairEffect) -> Row:
    """A pair and outcome as it is stored."""
    one, two = effect.pair
    labels = chapter.labels(
        players=here.players, outcome=effect.outcome.name, clan=one, partner=two
    )
    tone = tone_of(effect.estimate, effect.significant)
    return Row(labels, effect.estimate, {"p_fdr": effect.p_value}, tone)


def _largest(effects: Sequence[PairEffect]) -> list[PairEffect]:
    """The effects that the table shows, the largest first."""
    shown: list[PairEffect] = []
    for effect in effects:
        alike = sum(effect.outcome == other.outcome for other in shown)
        if effect.estimate.low is not None and alike < OF_ONE_OUTCOME and len(shown) < SHOWN:
            shown.append(effect)
    return shown


def p_text(p_value: float) -> str:
    """A p value as a reader meets it: "0.034", "< 0.001"."""
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def _figure(chapter: Chapter, here: PresenceAt, effects: Sequence[PairEffect], name: str) -> Figure:
    """All pairs of one outcome as a triangle."""
    words = chapter.rules.words
    own = {effect.pair: effect for effect in effects if effect.outcome.name == name}
    outcome = next(iter(own.values())).outcome
    rows, columns = here.clans[:-1], here.clans[1:]
    grid = [[own.get((one, two)) for two in columns] for one in rows]
    label = outcome_label(chapter, outcome)
    unit = next(iter(own.values())).estimate.unit
    return heat_map(
        f"pairs-{name}-{setting_key(chapter.setting)}-{here.players}",
        f"{label}: what each pair of {words.clans} adds beyond what both do one by one, "
        f"{here.players} players. Bold and framed: significant.",
        [clan_label(clan) for clan in rows],
        [clan_label(clan) for clan in columns],
        [[None if effect is None else effect.estimate for effect in line] for line in grid],
        unit,
        significant=[
            [effect is not None and effect.significant for effect in line] for line in grid
        ],
        about=f"{label}, effects of pairs with 95 % intervals",
        joint=" and ",
    )


def _outliers(chapter: Chapter, here: PresenceAt) -> list[Block]:
    """The sets that play unlike their clans, as first found and as played again."""
    words = chapter.rules.words
    situation, population = here.situation, here.population
    found = outlier_sets(chapter.evidence.sets[situation], OUTCOMES, population)
    if not found:
        return [
            Text(
                f"With {here.players} players every deck plays as its {words.clans} one by one "
                f"let expect, as far as these games can tell."
            )
        ]
    again: dict[OutlierSet, Estimate] = {}
    told = ""
    try:
        fresh = play_again(chapter.evidence, situation, [each.clans for each in found])
        again = {each: _fresh(fresh, each, population) for each in found}
        told = _held(again)
    except (WrongInput, Failed) as error:
        told = f"They were not played again on fresh deals: {error}."
    rows = {each: _outlier_rows(chapter, here.players, each, again.get(each)) for each in found}
    table = Table(
        f"Decks that play most unlike what their {words.clans} one by one let expect, one for "
        f"each number, with {here.players} players. Best guess: the first estimate, drawn toward "
        f"what is expected as far as it may be luck.",
        (
            Column("Deck", [listed(map(clan_label, sorted(each.clans))) for each in found]),
            Column("Number", [outcome_label(chapter, each.outcome) for each in found]),
            *(
                Column(heading, [rows[each].get(number) for each in found])
                for number, heading in OUTLIER_NUMBERS.items()
            ),
        ),
        "outlier_sets",
        alike="line",
    )
    return [table, Text(told, "note")]


def _fresh(sums: SetSums, found: OutlierSet, population: str) -> Estimate:
    """An outlier set's number from its fresh games."""
    return set_mean(sums, found.outcome, found.clans, population)


def _held(again: dict[OutlierSet, Estimate]) -> str:
    """How many departures showed again."""
    held = sum(each.shows_again(fresh) for each, fresh in again.items())
    games = min(fresh.games for fresh in again.values())
    return (
        f"Played again on fresh deals, about {whole(games)} games each: {held} of {len(again)} "
        f"depart from what is expected again, to the same side, with their whole 95 % interval."
    )


def _outlier_rows(
    chapter: Chapter, players: int, found: OutlierSet, again: Estimate | None
) -> dict[str, Row]:
    """The numbers of an outlier set, each under its name: first and played again."""
    numbers = (found.expected, found.estimate, found.shrunken, again)
    labels = chapter.labels(
        players=players, outcome=found.outcome.name, clans=" + ".join(sorted(found.clans))
    )
    return {
        name: Row(labels | {"number": name}, estimate)
        for name, estimate in zip(OUTLIER_NUMBERS, numbers, strict=True)
        if estimate is not None
    }
