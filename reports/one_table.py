"""One table's clans, played now: what each is worth in this company, seats, length, and ways.

The same games and estimates as a sweep's with this one clan set, in memory, as a small document
that a terminal or a page shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.experiments.execution.playing_now import play_now
from ethnos_sim.experiments.execution.progress import shown_progress
from ethnos_sim.experiments.plans.cells import Partition
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.comparison.played import RuleChoice, Setup, divided, plan_of
from ethnos_sim.reports.estimators.game_shape import NUMBERS, measure_shape
from ethnos_sim.reports.estimators.relative_power import relative_power
from ethnos_sim.reports.estimators.restricted_play import measure_restricted_play
from ethnos_sim.reports.estimators.seat_edge import measure_seat_edge
from ethnos_sim.reports.estimators.usage import USAGE, USAGE_GAP, measure_usage
from ethnos_sim.reports.estimators.winners_ways import WAYS, measure_winners_ways, winners
from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.evidence.gathering import PlanGatherer
from ethnos_sim.reports.rendering.document import NOTICE, Block, Document, Items, Section, Text
from ethnos_sim.reports.rendering.labels import clan_label
from ethnos_sim.reports.rendering.numbers import listed, whole, with_interval
from ethnos_sim.reports.rendering.table import Column, Label, Row, Table
from ethnos_sim.reports.verdicts import verdicts
from ethnos_sim.simulator.rules import clan_key

GAMES = 80_000
"""Games in all unless something else is asked for."""

GROWTH = 2
"""How many times the games there are when the precision asked for is not reached."""

LENGTH_AND_SCORES = ("turns", "parties", "mean_prestige", "margin", "leader_after_age_1")
"""The numbers of the shape of a game that are shown."""

MOST_GAMES = 64 * GAMES
"""Games at most, whatever precision is asked for."""


@dataclass(frozen=True, eq=False)
class TableEvidence:
    """A clan set that was played, and the evidence of its games."""

    plan: Plan
    evidence: Evidence

    @property
    def clans(self) -> tuple[str, ...]:
        """The clans in play, in the order of the alphabet."""
        return tuple(sorted(self.plan.cells[0].clans))

    @property
    def half_width(self) -> float:
        """Half of the widest 95 % interval of what a clan is worth; infinite where one has none."""
        return max(each.half_width or inf for each in worth(self.evidence))


def play_one_table(
    choice: RuleChoice,
    setup: Setup,
    *,
    until: float | None = None,
    jobs: int = 1,
    quiet: bool = True,
) -> TableEvidence:
    """Play a clan set until its games are enough.

    Args:
        choice: the rules.
        setup: players, clans, strategies, seed, and how many games at first.
        until: half-width of the 95 % intervals of what each clan is worth, as a winning chance;
            games are doubled until all are as narrow, or MOST_GAMES are reached.
        jobs: threads; the result does not depend on them.
        quiet: do not show how far it is.

    Raises:
        WrongInput: it makes no game.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    clans = [clan_key(clan) for clan in setup.clans or ()]
    plan = plan_of(setup, choice, clans, games=setup.games)
    gatherer, games, rounds = PlanGatherer(plan), setup.games, dict[Partition, int]()
    title = f"{divided([plan], setup.games)}: {choice.label}"
    with shown_progress(title, plan.games, 0, quiet=quiet) as progress:
        while True:
            play_now(plan, gatherer.add, after=rounds, jobs=jobs, on_games=progress)
            found = TableEvidence(plan, gatherer.evidence())
            if until is None or found.half_width <= until or games * GROWTH > MOST_GAMES:
                return found
            games, rounds = games * GROWTH, dict(plan.rounds)
            plan = plan.with_total(plan.games * GROWTH)
            progress.go_on(plan.games, f"{100 * found.half_width:.1f} points")


def worth(evidence: Evidence) -> tuple[Estimate, ...]:
    """What each clan in play is worth: restricted play, by clan."""
    (situation,) = {about for about, kind in evidence.interventions if kind == RESTRICTED}
    sums = evidence.interventions[situation, RESTRICTED]
    measured = measure_restricted_play(sums, situation.population)
    return tuple(each for each in measured.estimates() if each.games)


def table_document(played: TableEvidence) -> Document:
    """What the games say, as a document."""
    evidence = played.evidence
    (setting,) = evidence.settings
    (players,) = evidence.players(setting)
    rules = evidence.rules(setting)
    (population,) = evidence.populations(setting, players)
    title = f"{rules.title}, {players} players: {listed(map(clan_label, played.clans))}"
    facts = (
        f"{whole(evidence.games)} games, {evidence.describe(setting, players, population)}; seed "
        f"{played.plan.seed}, rules {rules.rules_id}."
    )
    sections = (
        _clans(played),
        _seats_and_length(evidence),
        _tips(evidence),
    )
    return Document(title, facts, NOTICE, sections)


def _clans(played: TableEvidence) -> Section:
    """What each clan is worth, strongest first, and how often it leads."""
    evidence = played.evidence
    (situation,) = evidence.situations
    restricted = evidence.interventions[situation, RESTRICTED]
    measured = measure_restricted_play(restricted, situation.population)
    used = measure_usage(evidence.of(situation), USAGE.name, situation.population)
    usage = {each.name: each for each in used.estimates()}
    found = {verdict.clan: verdict for verdict in verdicts(relative_power(measured))}
    ordered = sorted(worth(evidence), key=lambda each: -(each.value or 0))
    labels: dict[str, Label] = {
        "players": situation.players,
        "strategies": situation.population,
    }

    def rows(estimates: Sequence[Estimate]) -> list[Row]:
        return [Row({**labels, "clan": each.name}, each) for each in estimates]

    names = [each.name for each in ordered]
    columns = (
        Column("Clan", [clan_label(name) for name in names]),
        Column("Worth", rows(ordered)),
        Column("Against the average here", rows([found[name].estimate for name in names])),
        Column("Verdict", [found[name].word for name in names]),
        Column("Leads", rows([usage[name] for name in names])),
    )
    caption = (
        "Worth: points of winning chance that a player loses who may not lead the clan while all "
        "others may. Leads: of all parties. Intervals are 95 %."
    )
    wild = [clan for clan in played.clans if clan not in names]
    silent = [Text(f"{listed(map(clan_label, wild))} never leads a party.", "note")] if wild else []
    return Section("clans", "What each clan is worth here", (Table(caption, columns), *silent))


def _seats_and_length(evidence: Evidence) -> Section:
    """The edge of each seat, and how long a game is."""
    (situation,) = evidence.situations
    sums = evidence.of(situation)
    edges = measure_seat_edge(sums, situation.population).estimates(comparisons=sums.players)
    shape = {
        each.name: each
        for measured in measure_shape(sums, situation.population)
        for each in measured.estimates()
    }
    shown = {NUMBERS[name].label: shape[name] for name in LENGTH_AND_SCORES}
    seats = Table(
        "Winning chance by order of play in the first age, less a fair share; the intervals hold "
        "for all seats at once.",
        (
            Column("Seat", [each.name for each in edges]),
            Column("Edge", [Row({"seat": each.name}, each) for each in edges]),
        ),
    )
    length = Table(
        "Length and scores, with 95 % intervals of the mean.",
        (
            Column("Number", list(shown)),
            Column("Mean", [Row({"number": name}, each) for name, each in shown.items()]),
        ),
        alike="none",
    )
    return Section("seats", "Seats and length", (seats, length))


def _tips(evidence: Evidence) -> Section:
    """What winners do with these clans that losers do less, or more."""
    (situation,) = evidence.situations
    sums = evidence.of(situation)
    whole_sums = {name: array.sum(axis=0) for name, array in sums.arrays.items()}
    levels = dict(zip(WAYS, winners(whole_sums), strict=True))
    lines = [
        f"{WAYS[each.name].label}: winners {levels[each.name]:.2f}, losers "
        f"{levels[each.name] - each.value:.2f}, a difference of {with_interval(each)}."
        for each in measure_winners_ways(sums, situation.population).estimates()
        if each.value is not None and each.excludes_zero
    ]
    gaps = measure_usage(sums, USAGE_GAP.name, situation.population).estimates()
    for each in sorted(gaps, key=lambda gap: -(gap.value or 0)):
        if each.value is not None and each.excludes_zero:
            more = "more" if each.value > 0 else "less"
            lines.append(
                f"Winners lead {clan_label(each.name)} {more} often than losers: "
                f"{with_interval(each)} of their parties."
            )
    note = Text(
        "What goes with winning need not bring it: who is ahead may play otherwise because of it. "
        f"Over {whole(sums.games)} games in which nobody is restricted.",
        "note",
    )
    blocks: tuple[Block, ...] = (Items(tuple(lines)),) if lines else ()
    return Section("tips", "What winners do", (*blocks, note))
