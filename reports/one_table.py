"""The numbers of a single clan set: each clan's worth, the seats, and the length of a game.

Games and estimates are those of a sweep of this clan set, but in memory. The result is a small
document for a terminal or a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.comparison.comparison_study import Setup, plan_of
from ethnos_sim.reports.estimators.catalog import clan_word, label_of, ranked_clans
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.leading import USAGE
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.misplays import misplay_sentences
from ethnos_sim.reports.numbers import numbers
from ethnos_sim.reports.rendering.document import NOTICE, Document, Section, Text
from ethnos_sim.reports.rendering.numbers import clan_label, count_text, word_list
from ethnos_sim.reports.rendering.table import Column, Table, number_record
from ethnos_sim.reports.study import Study
from ethnos_sim.simulator.rules import RuleSet, clan_key

DEFAULT_GAMES = 80_000
"""The default number of games."""

GROWTH_FACTOR = 2
"""The factor by which the games are increased until the precision is reached."""

LENGTH_AND_SCORES = ("turns", "parties", "mean_prestige", "margin", "leader_after_age_1")
"""The numbers of GAME_SHAPE in the document."""

MOST_GAMES = 100 * DEFAULT_GAMES
"""The most games, even if the precision is not reached."""


@dataclass(frozen=True, slots=True)
class TableStudy(Study[Evidence]):
    """The study of a clan set, which is played until its numbers are precise enough.

    Attributes:
        rule_set: the rules.
        setup: players, clans, strategies, seed, and the number of games to begin with.
        precision: the wanted half-width of the 95 % interval of each clan's worth, as a share of
            the games. The games are doubled until no interval is wider, up to MOST_GAMES.
    """

    rule_set: RuleSet
    setup: Setup
    precision: float | None = None

    def title(self) -> str:
        """A line with the number of games and the rules."""
        return f"Playing {self.game_count():,} games: {self.rule_set.label}"

    def plans(self) -> tuple[Plan]:
        """The plan of the clan set."""
        clans = [clan_key(clan) for clan in self.setup.clans or ()]
        return (plan_of(self.setup, self.rule_set, clans, games=self.setup.games),)

    def numbers(self, evidence: Sequence[Evidence]) -> Evidence:
        """The evidence of the only plan."""
        return evidence[0]

    def next_plans(self, numbers: Evidence) -> tuple[Plan, ...]:
        """The plan with GROWTH_FACTOR times the games; empty if the games are enough."""
        (plan,) = numbers.plans
        games = plan.games * GROWTH_FACTOR
        enough = self.precision is None or precision_of(numbers) <= self.precision
        return () if enough or games > MOST_GAMES else (plan.with_total_games(games),)


def clan_worths(evidence: Evidence) -> tuple[Estimate, ...]:
    """The worth of each clan, the strongest first, with simultaneous intervals."""
    return ranked_clans(numbers(evidence, WORTH.name))


def precision_of(evidence: Evidence) -> float:
    """The half-width of the widest interval of a clan's worth; infinite if one is missing."""
    return max(estimate.half_width or inf for estimate in clan_worths(evidence))


def table_document(evidence: Evidence) -> Document:
    """The document about a clan set."""
    (situation,), (plan,) = evidence.situations, evidence.plans
    clans = sorted(plan.cells[0].clans)
    rules = evidence.rules(situation.rule_set)
    title = f"{rules.title}, {situation.players} players: {word_list(map(clan_label, clans))}"
    facts = (
        f"{count_text(evidence.games)} games, {evidence.describe_population(situation)}; seed "
        f"{plan.seed}, rules {rules.rules_id}."
    )
    sections = (
        _clan_section(evidence, clans),
        _seat_section(evidence),
    )
    return Document(title, facts, NOTICE, sections)


def table_record(evidence: Evidence) -> dict[str, Any]:
    """The record for `--json`: the rules, clans and players, and all numbers of the document.

    A number has the labels and values of a row of a page's files: shares are fractions of 1.
    """
    (situation,), (plan,) = evidence.situations, evidence.plans
    rule_set = situation.rule_set
    blocks = [block for section in table_document(evidence).sections for block in section.blocks]
    return {
        "format": 1,
        "edition": rule_set.edition,
        "rules_id": evidence.rules(rule_set).rules_id,
        "players": situation.players,
        "mode": rule_set.mode,
        "clans": sorted(plan.cells[0].clans),
        "strategies": evidence.describe_population(situation),
        "seed": plan.seed,
        "games": evidence.games,
        "numbers": [
            number_record(number)
            for block in blocks
            if isinstance(block, Table)
            for number in block.numbers
        ],
    }


def _clan_section(evidence: Evidence, clans: Sequence[str]) -> Section:
    """The section on the clans: worth, the strongest first, and how often each clan leads."""
    worths = clan_worths(evidence)
    names = [clan.name for clan in worths]
    columns = (
        Column("Clan", [clan_label(name) for name in names]),
        Column("Worth", worths),
        Column("Verdict", list(map(clan_word, worths))),
        Column("Leads", numbers(evidence, USAGE.name).rows_named(names).estimates()),
    )
    caption = (
        "Worth: what a player who gives up the clan wins less than a fair share, where everybody "
        "gives up another clan. Leads: the share of all parties that the clan leads. Intervals are "
        "95 %, and those of worth hold for all clans at once."
    )
    wild = [clan_label(clan) for clan in clans if clan not in names]
    silent = [Text(f"{word_list(wild)} never leads a party.", "note")] if wild else []
    rules = evidence.rules(evidence.situations[0].rule_set)
    silent += [Text(said, "note") for said in misplay_sentences(evidence.strategies, rules)]
    return Section("clans", "What each clan is worth here", (Table(caption, columns), *silent))


def _seat_section(evidence: Evidence) -> Section:
    """The section on the edge of each seat, and on the length and scores of a game."""
    estimates = numbers(evidence, SEAT_EDGE.name, GAME_SHAPE.name)
    edges = estimates.rows_where(estimand=SEAT_EDGE.name)
    shape = estimates.rows_where(estimand=GAME_SHAPE.name).rows_named(LENGTH_AND_SCORES).estimates()
    seats = Table(
        "Winning chance by order of play in the first age, less a fair share, with 95 % intervals.",
        (
            Column("Seat", edges.names),
            Column("Edge", edges.estimates()),
        ),
    )
    length = Table(
        "Length and scores, with 95 % intervals of the mean.",
        (
            Column("Number", [label_of(number.estimand, number.name) for number in shape]),
            Column("Mean", shape),
        ),
        same_decimals=False,
    )
    return Section("seats", "Seats and length", (seats, length))
