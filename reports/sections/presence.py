"""Presence: what a clan in the deck does to the game for everybody, as a heat map and tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.presence import (
    OUTCOMES,
    SKILL_OUTCOME,
    DeckOutcome,
    Presence,
    measure_presence,
    replayed_sets,
)
from ethnos_sim.reports.estimators.set_model import set_model
from ethnos_sim.reports.evidence.evidence import SKILL, Situation
from ethnos_sim.reports.figures.heat_map import heat_map
from ethnos_sim.reports.rendering.document import Block, Details, Figure, Section, Text
from ethnos_sim.reports.rendering.labels import capital, clan_label, setting_key
from ethnos_sim.reports.rendering.numbers import UNITS, decimals_for, listed, number, whole
from ethnos_sim.reports.rendering.table import Row, Table, cross
from ethnos_sim.reports.sections.chapter import Chapter, nearest, starred
from ethnos_sim.reports.verdicts import ALPHA

TOLD = ("mean_prestige", "turns", "leader_after_age_1", "skill")
"""The outcomes that the first sentence tells of, if a clan changes them significantly."""

REACH = 2.0
"""Colors are full at the largest effect of an outcome, and at no less than so many margins."""

LABELS = {
    "mean_prestige": "{Prestige} of a seat",
    "prestige_spread": "Spread of {prestige}",
    "margin": "Winning margin",
    "turns": "Turns",
    "first_seat_edge": "First seat's edge",
    "leader_after_age_1": "Leader after {age} 1 wins",
    "comeback": "Comebacks",
    "lead_changes": "Lead changes",
    "shared_wins": "Shared wins",
    "skill": "Skill share",
}
"""What the outcomes are called."""

PHRASES = {
    "mean_prestige": ("everybody's {prestige} is {by} {side}", "higher", "lower"),
    "prestige_spread": ("scores lie {by} {side} together", "less close", "closer"),
    "margin": ("the winner is {by} {side} ahead", "further", "less far"),
    "turns": ("the game is {by} turns {side}", "longer", "shorter"),
    "first_seat_edge": ("the first seat wins {by} {side} often", "more", "less"),
    "leader_after_age_1": ("an early leader wins {by} {side} often", "more", "less"),
    "comeback": ("who is far behind wins {by} {side} often", "more", "less"),
    "lead_changes": ("the lead changes {by} times {side}", "more", "less"),
    "shared_wins": ("wins are shared {by} {side} often", "more", "less"),
    "skill": ("the stronger player wins {by} {side} often", "more", "less"),
}
"""Effects on the outcomes as a sentence says them, and their two sides."""


@dataclass(frozen=True, slots=True, eq=False)
class PresenceAt:
    """The effects at one player count.

    Attributes:
        situation: the player count, and the population whose sets tell most.
        population: that population in words.
        games: games of all sets, those of skill apart.
        sets: how many clan sets.
        found: the effects on each outcome.
        p_values: for each outcome the p of every clan, by Holm over the clans.
    """

    situation: Situation
    population: str
    games: int
    sets: int
    found: tuple[Presence, ...]
    p_values: tuple[np.ndarray, ...]

    @property
    def players(self) -> int:
        """Seats in a game."""
        return self.situation.players

    @property
    def shown(self) -> list[tuple[Presence, np.ndarray]]:
        """The outcomes with enough events for an interval, with their p values."""
        both = zip(self.found, self.p_values, strict=True)
        return [(each, p) for each, p in both if each.clans.trusted.any()]

    @property
    def clans(self) -> tuple[str, ...]:
        """The clans that vary from set to set."""
        return self.found[0].clans.names


def presence(chapter: Chapter) -> Section | None:
    """What each clan in the deck changes; None where no player count has sets that can tell."""
    counts = presence_by_count(chapter)
    if not counts:
        return None
    first, *others = counts
    words = chapter.rules.words
    blocks: list[Block] = [
        Text(_told(chapter, first)),
        Text(
            f"Each number is what changes for the whole table when a deck holds the {words.clan} "
            f"in place of the average {words.clan}, whoever leads it. Bold and framed: "
            f"significant.",
            "note",
        ),
        _figure(chapter, first),
        Details(f"All numbers with intervals, {first.players} players", (_table(chapter, first),)),
    ]
    blocks += [
        Details(f"With {each.players} players", (_figure(chapter, each), _table(chapter, each)))
        for each in others
    ]
    title = f"What a {words.clan} in the deck does"
    return Section(f"presence-{setting_key(chapter.setting)}", title, tuple(blocks), level=3)


def presence_by_count(chapter: Chapter) -> tuple[PresenceAt, ...]:
    """The effects at every player count whose games can tell clans apart, the usual one first."""
    evidence, setting = chapter.evidence, chapter.setting
    found = []
    for players in sorted(chapter.players, key=lambda n: (n != nearest(chapter.players), n)):
        situation = _most_telling(chapter, players)
        sums = evidence.sets[situation]
        words = chapter.describe(situation.population, players)
        effects = measure_presence(sums, OUTCOMES, words)
        if not effects:
            continue
        skill = Situation(setting, players, SKILL)
        if skill in evidence.sets:
            words_of_skill = chapter.describe(SKILL, players)
            with_skill = measure_presence(evidence.sets[skill], (SKILL_OUTCOME,), words_of_skill)
            if with_skill and with_skill[0].clans.names == effects[0].clans.names:
                effects += with_skill
        p_values = tuple(holm(each.clans.p_values()) for each in effects)
        games = int(sums.sizes.sum())
        at = PresenceAt(situation, words, games, len(sums.sets), effects, p_values)
        if at.shown:
            found.append(at)
    return tuple(found)


def _most_telling(chapter: Chapter, players: int) -> Situation:
    """The population whose sets tell most: pairs, else clans, else nothing; then by games."""
    situations = [
        chapter.situation(players, population)
        for population in chapter.evidence.populations(chapter.setting, players)
    ]

    def telling(situation: Situation) -> tuple[bool, bool, bool, int]:
        sums = replayed_sets(chapter.evidence.sets[situation])
        with_pairs, alone = (
            set_model(sums.sets, pairs=pairs) is not None for pairs in (True, False)
        )
        return situation.population != SKILL, with_pairs, alone, int(sums.sizes.sum())

    return max(situations, key=telling)


def outcome_label(chapter: Chapter, outcome: DeckOutcome) -> str:
    """What an outcome is called, in the edition's words."""
    words = chapter.rules.words
    return LABELS[outcome.name].format(
        Prestige=capital(words.prestige), prestige=words.prestige, age=words.age
    )


def phrase(chapter: Chapter, outcome: DeckOutcome, estimate: Estimate) -> str:
    """An effect in plain words: "the game is 3.2 turns longer"."""
    template, more, less = PHRASES[outcome.name]
    return template.format(
        prestige=chapter.rules.words.prestige,
        by=_size(estimate),
        side=more if (estimate.value or 0.0) > 0 else less,
    )


def _size(estimate: Estimate) -> str:
    """How large an effect is, without its sign: "2.4 points", "1.2 percentage points", "3"."""
    shown = UNITS[estimate.unit]
    places = min(decimals_for([estimate]), shown.decimals)
    text = number(abs(estimate.value or 0.0), estimate.unit, places)
    text = text.removesuffix(shown.suffix).removeprefix("+")
    return text if shown.words == "number" else f"{text} {shown.words}"


def _told(chapter: Chapter, here: PresenceAt) -> str:
    """The largest significant effect on each outcome of TOLD, in one sentence."""
    parts = []
    for name in TOLD:
        places = [i for i, each in enumerate(here.found) if each.outcome.name == name]
        for place in places:
            found = [
                estimate
                for estimate, p in zip(
                    here.found[place].clans.estimates(), here.p_values[place], strict=True
                )
                if p < ALPHA and estimate.value is not None
            ]
            if found:
                largest = max(found, key=lambda estimate: abs(estimate.value or 0.0))
                said = phrase(chapter, here.found[place].outcome, largest)
                parts.append(f"with {clan_label(largest.name)} {said}")
    words = chapter.rules.words
    if not parts:
        return (
            f"With {here.players} players no {words.clan} changes the game significantly "
            f"by being there."
        )
    return (
        f"Against the average {words.clan} in the deck, with {here.players} players and whoever "
        f"leads it: {listed(parts)}."
    )


def _figure(chapter: Chapter, here: PresenceAt) -> Figure:
    """The heat map of one player count."""
    words, labels = chapter.rules.words, chapter.clan_labels
    columns = [outcome_label(chapter, each.outcome) + _short_unit(each) for each, _ in here.shown]
    by_outcome = [each.clans.estimates() for each, _ in here.shown]
    values = [[column[i] for column in by_outcome] for i in range(len(here.clans))]
    significant = [[bool(p[i] < ALPHA) for _, p in here.shown] for i in range(len(here.clans))]
    reach = [
        max([REACH * each.outcome.margin, *(abs(e.value) for e in column if e.value is not None)])
        for (each, _), column in zip(here.shown, by_outcome, strict=True)
    ]
    caption = (
        f"{here.players} players: what each {words.clan} in the deck changes against the average "
        f"{words.clan}. Bold and framed: significant (Holm over the {words.clans} of a "
        f"column, 0.05). Blue: more; orange: less; the darker, the more, each column on a scale of "
        f"its own.{starred(chapter)}"
    )
    return heat_map(
        f"presence-{setting_key(chapter.setting)}-{here.players}",
        caption,
        [labels[clan] for clan in here.clans],
        columns,
        values,
        "",
        reach=reach,
        significant=significant,
        about=f"What each {words.clan} in the deck changes, with 95 % intervals",
    )


def _short_unit(each: Presence) -> str:
    """The unit at the end of a column's head, but for plain numbers: ", points", ", pp"."""
    unit = UNITS[each.clans.unit[0]]
    return "" if unit.words == "number" else f", {unit.suffix.strip() or unit.words}"


def _table(chapter: Chapter, here: PresenceAt) -> Table:
    """The same numbers with their intervals, and the level of each outcome."""
    words = chapter.rules.words
    rows = _rows(chapter, here)
    shown = {each.outcome.name for each, _ in here.shown}
    outcomes = {each.outcome.name: outcome_label(chapter, each.outcome) for each in here.found}
    columns = cross(
        sorted((row for row in rows if row["outcome"] in shown), key=lambda row: not row["clan"]),
        capital(words.clan),
        lambda row: chapter.clan_label(row) if row["clan"] else "Average deck",
        lambda row: outcomes[row["outcome"]],
    )
    caption = (
        f"{whole(here.games)} games over {here.sets} sets of {words.clans} with {here.players} "
        f"players, {here.population}. In color: significant.{starred(chapter)}"
    )
    return Table(caption, columns, "presence", unshown=tuple(rows))


def _rows(chapter: Chapter, here: PresenceAt) -> list[Row]:
    """All effects and levels."""
    rows = []
    for each, p_values in zip(here.found, here.p_values, strict=True):
        labels = chapter.labels(players=here.players, outcome=each.outcome.name)
        (level,) = each.level.estimates()
        rows.append(Row({**labels, "clan": None}, level, {"p_holm": None}))
        rows += [
            Row({**labels, "clan": e.name}, e, {"p_holm": float(p)}, tone_of(e, p < ALPHA))
            for e, p in zip(each.clans.estimates(), p_values, strict=True)
        ]
    return rows


def tone_of(estimate: Estimate, significant: bool) -> str:
    """Blue for more and orange for less, where it is significant."""
    if not significant:
        return ""
    return "up2" if (estimate.value or 0.0) > 0 else "down2"
