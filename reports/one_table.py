"""One table's clans, played now: what each is worth here, seats, length, and habits of winners.

The same games and estimates as a sweep's with this one clan set, in memory, as a small document
that a terminal or a page shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.comparison.two_rule_sets import RuleChoice, Setup, divided, plan_of
from ethnos_sim.reports.estimators.catalog import label_of, ranked, word_of
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER, RESTRICTED_PLAY
from ethnos_sim.reports.estimators.leading import USAGE, USAGE_GAP
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.estimators.winners import LABELS, WINNERS_HABITS, habits
from ethnos_sim.reports.numbers import numbers
from ethnos_sim.reports.rendering.document import NOTICE, Block, Document, Items, Section, Text
from ethnos_sim.reports.rendering.numbers import clan_label, listed, whole, with_interval
from ethnos_sim.reports.rendering.table import Column, Table
from ethnos_sim.reports.study import Study
from ethnos_sim.simulator.rules import clan_key

GAMES = 80_000
"""Games in all unless something else is asked for."""

GROWTH = 2
"""How many times the games there are when the precision asked for is not reached."""

LENGTH_AND_SCORES = ("turns", "parties", "mean_prestige", "margin", "leader_after_age_1")
"""The numbers of the shape of a game that are shown."""

MOST_GAMES = 100 * GAMES
"""Games at most, whatever precision is asked for."""


@dataclass(frozen=True, slots=True)
class OneTable(Study[Evidence]):
    """What a clan set's games say, as many of them as it takes.

    Attributes:
        choice: the rules.
        setup: players, clans, strategies, seed, and how many games at first.
        until: half-width of the 95 % intervals of what each clan is worth, as a winning chance;
            games are doubled until all are as narrow, or MOST_GAMES are reached.
    """

    choice: RuleChoice
    setup: Setup
    until: float | None = None

    def title(self) -> str:
        """How many games are played."""
        return f"{divided(self.plans(), self.setup.games)}: {self.choice.label}"

    def plans(self) -> tuple[Plan]:
        """The plan of the clan set."""
        clans = [clan_key(clan) for clan in self.setup.clans or ()]
        return (plan_of(self.setup, self.choice, clans, games=self.setup.games),)

    def numbers(self, evidence: Sequence[Evidence]) -> Evidence:
        """The games themselves."""
        return evidence[0]

    def more(self, numbers: Evidence) -> tuple[Plan, ...]:
        """The same with GROWTH times the games, until they are enough."""
        (plan,) = numbers.plans
        games = plan.games * GROWTH
        enough = self.until is None or half_width(numbers) <= self.until
        return () if enough or games > MOST_GAMES else (plan.with_total(games),)

    def known(self, numbers: Evidence) -> str:
        """How well it is known what the clans are worth."""
        return f"{100 * half_width(numbers):.1f} points"

    def document(self, numbers: Evidence) -> Document:
        """What the games say."""
        return table_document(numbers)


def worth(evidence: Evidence) -> tuple[Estimate, ...]:
    """What each clan in play is worth: restricted play, by clan."""
    return numbers(evidence, RESTRICTED_PLAY.name).estimates()


def half_width(evidence: Evidence) -> float:
    """Half of the widest 95 % interval of what a clan is worth; infinite where one has none."""
    return max(each.half_width or inf for each in worth(evidence))


def table_document(evidence: Evidence) -> Document:
    """What the games of a clan set say, as a document."""
    (situation,), (plan,) = evidence.situations, evidence.plans
    clans = sorted(plan.cells[0].clans)
    rules = evidence.rules(situation.setting)
    title = f"{rules.title}, {situation.players} players: {listed(map(clan_label, clans))}"
    facts = (
        f"{whole(evidence.games)} games, {evidence.describe(situation)}; seed "
        f"{plan.seed}, rules {rules.rules_id}."
    )
    sections = (
        _clans(evidence, clans),
        _seats_and_length(evidence),
        _tips(evidence),
    )
    return Document(title, facts, NOTICE, sections)


def _clans(evidence: Evidence, clans: Sequence[str]) -> Section:
    """What each clan is worth, strongest first, and how often it leads."""
    estimands = (RESTRICTED_PLAY.name, RELATIVE_POWER.name, USAGE.name)
    found = numbers(evidence, *estimands)
    ordered, power, usage = (found.where(estimand=name) for name in estimands)
    ordered = ordered.at(np.argsort(-ordered.value, kind="stable"))
    names = ordered.names
    verdicts = {each.name: each for each in ranked(power)}
    columns = (
        Column("Clan", [clan_label(name) for name in names]),
        Column("Worth", ordered.estimates()),
        Column("Against the average here", [verdicts[name] for name in names]),
        Column("Verdict", [word_of(verdicts[name]) for name in names]),
        Column("Leads", usage.named(names).estimates()),
    )
    caption = (
        "Worth: points of winning chance that a player loses who may not lead the clan while all "
        "others may. Leads: of all parties. Intervals are 95 %."
    )
    wild = [clan for clan in clans if clan not in names]
    silent = [Text(f"{listed(map(clan_label, wild))} never leads a party.", "note")] if wild else []
    return Section("clans", "What each clan is worth here", (Table(caption, columns), *silent))


def _seats_and_length(evidence: Evidence) -> Section:
    """The edge of each seat, and how long a game is."""
    found = numbers(evidence, SEAT_EDGE.name, GAME_SHAPE.name)
    edges = found.where(estimand=SEAT_EDGE.name)
    shape = found.where(estimand=GAME_SHAPE.name).named(LENGTH_AND_SCORES).estimates()
    seats = Table(
        "Winning chance by order of play in the first age, less a fair share; the intervals hold "
        "for all seats at once.",
        (
            Column("Seat", edges.names),
            Column("Edge", edges.estimates(len(edges))),
        ),
    )
    length = Table(
        "Length and scores, with 95 % intervals of the mean.",
        (
            Column("Number", [label_of(each.definition, each.name) for each in shape]),
            Column("Mean", shape),
        ),
        alike="none",
    )
    return Section("seats", "Seats and length", (seats, length))


def _tips(evidence: Evidence) -> Section:
    """What winners do with these clans that losers do less, or more."""
    (situation,) = evidence.situations
    sums = evidence.sums[situation]
    totals = {name: array.sum(axis=0) for name, array in sums.arrays.items()}
    levels = dict(zip(LABELS, habits(totals, sums.players, "winners"), strict=True))
    sure = [
        each
        for each in numbers(evidence, WINNERS_HABITS.name, USAGE_GAP.name).estimates()
        if each.side
    ]
    lines = [
        f"{LABELS[each.name]}: winners {levels[each.name]:.2f}, losers "
        f"{levels[each.name] - (each.value or 0.0):.2f}, a difference of {with_interval(each)}."
        for each in sure
        if each.definition == WINNERS_HABITS.name
    ]
    gaps = [each for each in sure if each.definition == USAGE_GAP.name]
    lines += [
        f"Winners lead {clan_label(each.name)} {'more' if (each.value or 0) > 0 else 'less'} often "
        f"than losers: {with_interval(each)} of their parties."
        for each in sorted(gaps, key=lambda gap: -(gap.value or 0))
    ]
    note = Text(
        "What goes with winning need not bring it: who is ahead may play otherwise because of it. "
        f"Over {whole(sums.games)} games in which nobody is restricted.",
        "note",
    )
    blocks: tuple[Block, ...] = (Items(tuple(lines)),) if lines else ()
    return Section("tips", "What winners do", (*blocks, note))
