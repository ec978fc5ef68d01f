"""The clans of one table, played now: each clan's worth, the seats, and the length of a game.

Games and estimates are the same as in a sweep of this one clan set, but are kept in memory. The
result is a small document for a terminal or a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.comparison.two_rule_sets import Setup, plan_of
from ethnos_sim.reports.estimators.catalog import label_of, ranked, word_of
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.leading import USAGE
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.ignored import ignored_sentences
from ethnos_sim.reports.numbers import numbers
from ethnos_sim.reports.rendering.document import NOTICE, Document, Section, Text
from ethnos_sim.reports.rendering.numbers import clan_label, count_text, word_list
from ethnos_sim.reports.rendering.table import Column, Table, number_record
from ethnos_sim.reports.study import Study
from ethnos_sim.simulator.rules import RuleSet, clan_key

GAMES = 80_000
"""The default number of games."""

GROWTH = 2
"""The factor by which the number of games grows until the precision is reached."""

LENGTH_AND_SCORES = ("turns", "parties", "mean_prestige", "margin", "leader_after_age_1")
"""The numbers of a game's shape that are shown."""

MOST_GAMES = 100 * GAMES
"""The most games that are played, however precise the numbers should be."""


@dataclass(frozen=True, slots=True)
class OneTable(Study[Evidence]):
    """A clan set, played until its numbers are as precise as asked for.

    Attributes:
        choice: the rules.
        setup: players, clans, strategies, seed, and the number of games at first.
        until: the wanted half-width of the 95 % interval of each clan's worth, as a winning chance.
            The number of games is doubled until no interval is wider, or MOST_GAMES is reached.
    """

    choice: RuleSet
    setup: Setup
    until: float | None = None

    def title(self) -> str:
        """The number of games, and the rules."""
        return f"Playing {self.budget():,} games: {self.choice.label}"

    def plans(self) -> tuple[Plan]:
        """The plan of the clan set."""
        clans = [clan_key(clan) for clan in self.setup.clans or ()]
        return (plan_of(self.setup, self.choice, clans, games=self.setup.games),)

    def numbers(self, evidence: Sequence[Evidence]) -> Evidence:
        """The games themselves."""
        return evidence[0]

    def more(self, numbers: Evidence) -> tuple[Plan, ...]:
        """The plan with GROWTH times the games; empty if the games are enough."""
        (plan,) = numbers.plans
        games = plan.games * GROWTH
        enough = self.until is None or half_width(numbers) <= self.until
        return () if enough or games > MOST_GAMES else (plan.with_total_games(games),)


def worth(evidence: Evidence) -> tuple[Estimate, ...]:
    """The worth of each clan in play, the strongest first, with simultaneous intervals."""
    return ranked(numbers(evidence, WORTH.name))


def half_width(evidence: Evidence) -> float:
    """The half-width of the widest 95 % interval of a clan's worth; infinite if one is missing."""
    return max(estimate.half_width or inf for estimate in worth(evidence))


def table_document(evidence: Evidence) -> Document:
    """The numbers of a clan set as a document."""
    (situation,), (plan,) = evidence.situations, evidence.plans
    clans = sorted(plan.cells[0].clans)
    rules = evidence.rules(situation.rule_set)
    title = f"{rules.title}, {situation.players} players: {word_list(map(clan_label, clans))}"
    facts = (
        f"{count_text(evidence.games)} games, {evidence.describe_population(situation)}; seed "
        f"{plan.seed}, rules {rules.rules_id}."
    )
    sections = (
        _clans(evidence, clans),
        _seats_and_length(evidence),
    )
    return Document(title, facts, NOTICE, sections)


def table_record(evidence: Evidence) -> dict[str, Any]:
    """The document as a record for `--json`: what was played, and every number.

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


def _clans(evidence: Evidence, clans: Sequence[str]) -> Section:
    """Each clan's worth, the strongest first, and how often it leads."""
    worths = worth(evidence)
    names = [clan.name for clan in worths]
    columns = (
        Column("Clan", [clan_label(name) for name in names]),
        Column("Worth", worths),
        Column("Verdict", list(map(word_of, worths))),
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
    silent += [Text(said, "note") for said in ignored_sentences(evidence.strategies, rules)]
    return Section("clans", "What each clan is worth here", (Table(caption, columns), *silent))


def _seats_and_length(evidence: Evidence) -> Section:
    """The edge of each seat, and the length of a game."""
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
