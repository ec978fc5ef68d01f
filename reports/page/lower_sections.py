"""The sections below the figures of a page: rule sets, the edition bridge, and solo games.

Each rule set is compared with the reference rules: does it make the game more balanced? The bridge
shows how much each change between two editions moved the headline numbers. The solo section shows
how often Bruno is beaten at each difficulty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.comparison.bridge import Bridge, bridges, clans_by_power
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.interventions import FORCED_PLAY, RESTRICTED_PLAY
from ethnos_sim.reports.estimators.shapley import SHAPLEY_SHARE, Corner, shapley_shares
from ethnos_sim.reports.estimators.solo import SOLO_WIN_RATE
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.numbers import headline_numbers
from ethnos_sim.reports.page.answers import compare_tables
from ethnos_sim.reports.page.balance import CLANS, LEADER, LESS, MORE, SEAT, Balance
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.number_table import NumberTable
from ethnos_sim.reports.page.sentences import OTHER_RULES, needs_sentence
from ethnos_sim.reports.rendering.document import Answer, Block, Card, Figure, Mark, Section, Text
from ethnos_sim.reports.rendering.numbers import DIFFICULTIES, capital, difference_unit, of_100
from ethnos_sim.reports.rendering.table import CellValue, Column, Table, TableCell, rows_of

TONES = {MORE: "up2", LESS: "down2"}


def rule_sets(page: PageGames) -> Iterator[Section]:
    """A line for every rule set and number of players; nothing if one rule set was played."""
    lines = [
        line
        for situation in page.variants
        if situation.population == page.population
        for line in _rule_set_line(page, situation)
    ]
    if not lines:
        return
    varied = any(plan.sensitivity for plan in page.evidence.plans)
    intro = (
        "Each rule set tries another value for an uncertain one, or another reading of a rule."
        if varied
        else "Each rule set is compared with the reference rules, on the same deals."
    )
    headings = ("Rules", "Players", "Balance", "Clans apart", "First seat", "Leader wins")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    caption = "Changes, in games of 100, with 95 % intervals. Below 0 is more balanced."
    table = Table(caption, columns, stacks=True)
    yield Section("rule-sets", "What other rules would change", (Text(intro), table))


def _rule_set_line(page: PageGames, situation: Situation) -> Iterator[list[CellValue]]:
    """The line of a rule set at one kind of table, if its reference was played too."""
    reference = situation.by_reference
    if reference not in page.tables:
        return
    balance = compare_tables(page, reference, situation)
    if balance is None:
        return
    shown = f"{OTHER_RULES.answer(balance)}.{needs_sentence(balance)}"
    edition = page.edition(situation.setting)
    yield [
        f"{edition}: {page.change(situation.setting)}",
        situation.players,
        TableCell(shown, TONES.get(balance.word, "")),
        *(_change(balance, about) for about in (CLANS, SEAT, LEADER)),
    ]


def _change(balance: Balance, about: str) -> str | None:
    """The change of one measure, in games of 100."""
    if about not in balance.changes:
        return None
    change = balance.changes[about].difference
    value, half = 100 * (change.value or 0.0), 100 * (change.half_width or 0.0)
    return f"{value:+.1f} ± {half:.1f}".replace("-", "\N{MINUS SIGN}")


SHOWN = (SEAT_EDGE.name, GAME_SHAPE.name, RESTRICTED_PLAY.name, FORCED_PLAY.name)
"""The estimands that the page shows; the stored table has all of them."""


def edition_bridge(evidence: Evidence) -> Section | None:
    """A table for every bridge that was played; None if there is none."""
    blocks: list[Block] = []
    for bridge in bridges(evidence):
        blocks += _bridge_tables(bridge)
    if not blocks:
        return None
    intro = Text(
        "The changes between two editions, made one at a time in every order. Each column says how "
        "much of the whole difference one change made, averaged over all orders (its Shapley "
        "share). So the columns add up to the difference. Clans are compared by power and carry "
        "the later edition's names. Blue: significantly more (the whole 95 % interval); orange: "
        "less."
    )
    return Section("edition-bridge", "From one edition to the next", (intro, *blocks), level=3)


def _bridge_tables(bridge: Bridge) -> list[Block]:
    situation = next(iter(bridge.situations.values()))
    earlier, later = bridge.printed
    ends = (f"{earlier.edition} edition", f"{later.edition} edition")
    lines: list[tuple[Estimate, ...]] = []
    for first, shares, last in _numbers(bridge):
        parts = [
            first,
            *(
                share.labelled(estimand=SHAPLEY_SHARE.name, name=change)
                for change, share in zip(bridge.changes, shares, strict=True)
            ),
            last,
        ]
        numbers = [f"{first.only('estimand')}.{name}" for name in first.names]
        labelled = (
            part.labelled(
                number=numbers,
                mode=situation.mode,
                players=situation.players,
                strategies=situation.population,
                change=change,
            )
            for change, part in zip((ends[0], *bridge.changes, ends[1]), parts, strict=True)
        )
        about = ("number", "mode", "players", "strategies", "change")
        lines += zip(*(rows_of(part, *about) for part in labelled), strict=True)
    shown = [
        line
        for line in lines
        if line[0].definition in SHOWN and any(number.value is not None for number in line)
    ]
    if not shown:
        return []
    columns = (
        Column("Number", [label_of(line[0].definition, line[0].name) for line in shown]),
        *(
            Column(heading, values, toned=heading not in (earlier.title, later.title))
            for heading, values in zip(
                (earlier.title, *map(capital, bridge.changes), later.title),
                zip(*shown, strict=True),
                strict=True,
            )
        ),
    )
    caption = (
        f"{situation.players} players, {situation.population}: headline numbers of both editions, "
        "and the share of each change in the difference, with 95 % intervals."
    )
    return [Table(caption, columns, "edition_bridge", unshown=tuple(chain(*lines)), alike="none")]


def _numbers(bridge: Bridge) -> Iterator[tuple[Estimates, list[Estimates], Estimates]]:
    """For each estimand: the first edition's numbers, the changes' shares, the second edition's."""
    renamed = clans_by_power(*bridge.printed)
    by_estimand: dict[str, dict[Corner, Estimates]] = {}
    for corner, situation in bridge.situations.items():
        table = headline_numbers(bridge.sweep, situation).renamed(renamed, "name")
        for estimand in dict.fromkeys(table["estimand"]):
            by_estimand.setdefault(estimand, {})[corner] = table.where(estimand=estimand)
    for by_corner in by_estimand.values():
        common = [
            name
            for name in by_corner[min(by_corner)].names
            if all(name in measured.names for measured in by_corner.values())
        ]
        common_numbers = {corner: measured.named(common) for corner, measured in by_corner.items()}
        if len(common_numbers) < len(bridge.situations) or not common:
            continue
        try:
            shares = shapley_shares(common_numbers)
        except ValueError:  # A partial sweep: the combinations hold different games.
            continue
        first, last = common_numbers[min(common_numbers)], common_numbers[max(common_numbers)]
        units = [difference_unit(unit) for unit in first.unit]
        yield first, [share.in_unit(units) for share in shares], last


def solo_sections(number_table: NumberTable) -> Iterator[Section]:
    """The card of the solo games; nothing if none were played."""
    rates = {
        mode: estimates
        for mode in DIFFICULTIES
        for table in number_table.situations
        if table.mode == mode and (estimates := number_table.numbers(table, SOLO_WIN_RATE.name))
    }
    if not rates:
        return
    answers = tuple(_answer(mode, estimates) for mode, estimates in rates.items())
    marks = tuple(
        Mark(rate.name, rate, DIFFICULTIES[mode])
        for mode, estimates in rates.items()
        for rate in estimates
    )
    title = "How often each player beats Bruno"
    figure = Figure("solo", title, "intervals", marks, "wins of 100", middle=0.5)
    foot = "Each player against Bruno alone; every game has a deal of its own."
    yield Section("solo", "Solo games", (Card("Solo games", answers, figure, foot),))


def _answer(mode: str, rates: Sequence[Estimate]) -> Answer:
    """How hard a difficulty is for the best strategy."""
    best = max(rates, key=lambda number: number.value or 0.0)
    rate = best.value or 0.0
    word = "Hard." if rate < 0.4 else "Even." if rate < 0.6 else "Beatable."
    text = f"“{best.name}” beats Bruno in {of_100(best)}."
    return Answer(mode, f"How hard is Bruno, {DIFFICULTIES[mode]}?", word, text)
