"""What a page shows of a situation: its card, its figures, and facts for the page's script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.estimators.catalog import margin_of, verdict_on
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE, STRATEGY_SHARE
from ethnos_sim.reports.estimators.winners import OUTCOMES, PRESTIGE_SOURCE, TOTAL_SOURCE
from ethnos_sim.reports.estimators.worth import WORTH, WORTH_BY_AGE
from ethnos_sim.reports.page.answers import answers
from ethnos_sim.reports.page.balance import comparison_questions
from ethnos_sim.reports.page.closing_section import numbers_details
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.levels import LADDER
from ethnos_sim.reports.page.measures import measure_tables
from ethnos_sim.reports.page.number_table import largest_first
from ethnos_sim.reports.page.ranking import ranking
from ethnos_sim.reports.rendering.document import Block, Card, Choice, Figure, Mark, Section
from ethnos_sim.reports.rendering.numbers import capitalized, clan_label, count_text, source_labels

WORTH_AXIS = "games of 100 that giving it up costs"
"""The unit of a clan's worth, in words."""

HOLLOW = "Hollow: too few games to tell. A line inside the gray: {middle}."

HOW_TO_READ = (
    "How many of 100 games it costs to give up this clan, where all others give up another one. "
    f"Lines are 95 % intervals for all clans together. {HOLLOW.format(middle='about average')}"
)


def sections_of(page: PageGames, situation: Situation) -> tuple[Section, ...]:
    """The sections of a situation, the card first."""
    views = (_age_figure, _seat_figure, _source_figure, _win_figure)
    figures = tuple(figure for view in views for figure in view(page, situation))
    card = Section("card", page.situation_title(situation), (card_of(page, situation),))
    behind: tuple[Block, ...] = (
        numbers_details(page.evidence),
        *measure_tables(page, comparison_questions(page, situation)),
        *figures,
    )
    return card, Section("figures", "Behind the answers", behind)


def card_of(page: PageGames, situation: Situation) -> Card:
    """The card of a situation."""
    card_answers = answers(page, situation)
    figure, ranked = clan_figure(page, situation), ranking(page, situation)
    foot = [f"{count_text(page.evidence.games_of(situation))} games."]
    if not card_answers:
        foot.append("These are too few for an answer.")
    if figure is not None and any("*" in mark.label for mark in figure.marks):
        foot.append("* We had to guess some printed values.")
    return Card(page.situation_title(situation), card_answers, figure, " ".join(foot), ranked)


def clan_figure(page: PageGames, situation: Situation) -> Figure | None:
    """The worth of every clan, with both editions side by side if both were played."""
    table = page.number_table
    if not table.has_interval(situation, WORTH.name):
        return None
    sides = _edition_series(page, situation, lambda at: table.has_interval(at, WORTH.name))
    labels = clan_labels(page, tuple(sides))
    marks = tuple(
        _worth_mark(labels[side, worth.name], worth, series)
        for side, series in sides.items()
        for worth in largest_first(table.numbers(side, WORTH.name))
    )
    return Figure(
        key="worth",
        title="What each clan is worth",
        marks=marks,
        axis=WORTH_AXIS,
        note=HOW_TO_READ,
        middle=0.0,
        band=margin_of(WORTH.name, "", situation.players),
    )


def _edition_series(
    page: PageGames, situation: Situation, is_shown: Callable[[Situation], bool] = lambda at: True
) -> dict[Situation, str]:
    """The names of a figure's series: for the situation, and for the same in another edition."""
    others = [other for other in page.other_editions(situation) if is_shown(other)][:1]
    return {at: page.edition_name(at.rule_set) if others else "" for at in (situation, *others)}


def _worth_mark(label: str, worth: Estimate, series: str = "") -> Mark:
    """The mark for the worth of a clan or a seat, hollow if there are too few games to tell."""
    return Mark(label, worth, series, hollow=verdict_on(worth) is Verdict.OPEN)


def clan_labels(page: PageGames, sides: tuple[Situation, ...]) -> dict[tuple[Situation, str], str]:
    """The label of each side's clans; clans of two editions with one power share a label."""
    first = sides[0]
    labels = {
        (side, clan): page.clan_name(clan, side)
        for side in sides
        for clan in page.rules[side.rule_set].clans
    }
    for side in sides[1:]:
        for clan, other in page.counterparts(first, side).items():
            both = f"{labels[first, clan]} / {labels[side, other]}"
            labels[first, clan] = labels[side, other] = both
    return labels


def _age_figure(page: PageGames, situation: Situation) -> Iterator[Figure]:
    """The clans' worth in each age."""
    word = page.rules[situation.rule_set].words.age
    names = {
        aspect: f"{word} {aspect.removeprefix('age ')}"
        for aspect in page.number_table.aspects(situation, WORTH_BY_AGE.name)
    }
    marks = tuple(
        _worth_mark(page.clan_name(worth.name, situation), worth, name)
        for aspect, name in names.items()
        for worth in page.number_table.numbers(situation, WORTH_BY_AGE.name, aspect)
    )
    if marks:
        title = f"Worth by {word}"
        axis = f"games of 100 that giving up the clan in one {word} costs"
        band = margin_of(WORTH_BY_AGE.name, "", situation.players)
        yield Figure("ages", title, marks, axis, HOLLOW.format(middle="about average"), 0.0, band)


def _seat_figure(page: PageGames, situation: Situation) -> Iterator[Figure]:
    """What each seat wins."""
    marks = tuple(
        _worth_mark(f"{capitalized(edge.name)} seat", edge, series)
        for side, series in _edition_series(page, situation).items()
        for edge in page.number_table.numbers(side, SEAT_EDGE.name)
    )
    if marks:
        axis = "games of 100, against a fair share"
        note = f"By order of play in the first age. {HOLLOW.format(middle='about a fair share')}"
        band = SEAT_EDGE.margin_of("", situation.players)
        yield Figure("seats", "What each seat wins", marks, axis, note, 0.0, band)


def _source_figure(page: PageGames, situation: Situation) -> Iterator[Figure]:
    """How much prestige comes from each source."""
    rules = page.rules[situation.rule_set]
    names = source_labels(rules)
    marks = tuple(
        Mark(capitalized(names[source.name]), source, side)
        for side in OUTCOMES
        for source in page.number_table.numbers(situation, PRESTIGE_SOURCE.name, side)
        if source.name != TOTAL_SOURCE and source.value
    )
    if marks:
        title = f"Where {rules.words.prestige} comes from"
        yield Figure("sources", title, marks, "points a player")


def _win_figure(page: PageGames, situation: Situation) -> Iterator[Figure]:
    """What each strategy wins."""
    shares = largest_first(page.number_table.numbers(situation, STRATEGY_SHARE.name))
    marks = tuple(Mark(share.name, share) for share in shares)
    if marks:
        fair = 1 / situation.players
        title = "What each player wins"
        yield Figure("who", title, marks, "wins of 100", "", fair)


def choices(page: PageGames) -> Iterator[Choice]:
    """The situations that a reader can choose; the one that the page opens with comes first."""
    usual = page.opening_situation
    for situation in sorted(page.situations, key=lambda table: table != usual):
        yield Choice(_situation_facts(page, situation), sections_of(page, situation))


def _situation_facts(page: PageGames, situation: Situation) -> dict[str, Any]:
    """The facts of a situation for the page's script (`Choice` in templates/choices.js)."""
    rule_set, rules = situation.rule_set, page.rules[situation.rule_set]
    return {
        "edition": page.edition_name(rule_set),
        "mode": rule_set.mode,
        "players": situation.players,
        "who": situation.population,
        "level": LADDER.get(situation.population, situation.population),
        "key": rule_set.edition,
        "size": rules.clans_in_play(situation.players),
        "clans": {clan: clan_label(clan) for clan in rules.clans},
    }
