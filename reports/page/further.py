"""What stands below the figures of a page: rule sets, the edition bridge, and solo games.

Rule sets are held against the reference rules: whether each makes the game more balanced. The
bridge says what each change between two editions did to the headline numbers. Of solo games it is
told how often Bruno is beaten at each difficulty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.comparison.bridge import Bridge, bridges, clans_by_power
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.interventions import FORCED_PLAY, RESTRICTED_PLAY
from ethnos_sim.reports.estimators.shapley import SHAPLEY_SHARE, Corner, shapley_shares
from ethnos_sim.reports.estimators.solo import SOLO_WIN_RATE
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.numbers import headline_numbers
from ethnos_sim.reports.page.answers import balance_words, compare_tables, needs_sentence
from ethnos_sim.reports.page.balance import CLANS, LEADER, LESS, MORE, SEAT, Balance
from ethnos_sim.reports.page.played import Played
from ethnos_sim.reports.page.sheet import Sheet
from ethnos_sim.reports.rendering.document import Answer, Block, Card, Figure, Mark, Section, Text
from ethnos_sim.reports.rendering.numbers import DIFFICULTIES, capital, difference_unit, of_100
from ethnos_sim.reports.rendering.table import (
    CellValue,
    Column,
    Label,
    Row,
    Table,
    TableCell,
    cross,
)

TONES = {MORE: "up2", LESS: "down2"}


def rule_sets(played: Played) -> Iterator[Section]:
    """A line for every rule set and number of players; nothing where one rule set was played."""
    lines = [
        line
        for situation in played.variants
        if situation.population == played.population
        for line in _line(played, situation)
    ]
    if not lines:
        return
    varied = any(plan.sensitivity for plan in played.plans)
    told = (
        "Each rule set stands for a value that is not known for sure, or for another reading."
        if varied
        else "Each rule set against the rules beside it, on the same deals."
    )
    headings = ("Rules", "Players", "Balance", "Clans apart", "First seat", "Leader wins")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    caption = "Changes, in games of 100, with 95 % intervals. Below 0 is more balanced."
    table = Table(caption, columns, stacks=True)
    yield Section("rule-sets", "What other rules would change", (Text(told), table))


def _line(played: Played, situation: Situation) -> Iterator[list[CellValue]]:
    """One rule set at one kind of table, where its reference was played too."""
    reference = situation.by_reference
    if reference not in played.tables:
        return
    found = compare_tables(played, reference, situation)
    if found is None:
        return
    word = balance_words(found, ("the rules", "")).strip()
    shown = f"{capital(word.removeprefix('is '))}.{needs_sentence(found)}"
    edition = played.edition(situation.setting)
    yield [
        f"{edition}: {played.change(situation.setting)}",
        situation.players,
        TableCell(shown, TONES.get(found.word, "")),
        *(_change(found, about) for about in (CLANS, SEAT, LEADER)),
    ]


def _change(found: Balance, about: str) -> str | None:
    """One of the three changes, in games of 100."""
    if about not in found.changes:
        return None
    change = found.changes[about].difference
    value, half = 100 * (change.value or 0.0), 100 * (change.half_width or 0.0)
    return f"{value:+.1f} ± {half:.1f}".replace("-", "\N{MINUS SIGN}")


SHOWN = (SEAT_EDGE.name, GAME_SHAPE.name, RESTRICTED_PLAY.name, FORCED_PLAY.name)
"""The estimands that the page shows; the stored table has all."""


def edition_bridge(evidence: Evidence) -> Section | None:
    """A table for every bridge that was played; None where there is none."""
    blocks: list[Block] = []
    for bridge in bridges(evidence):
        blocks += _of(bridge)
    if not blocks:
        return None
    intro = Text(
        "From one edition to the next, one change at a time in every order: each column says "
        "how much of the whole difference that change made, averaged over all orders (its Shapley "
        "share), so the columns add up to the difference. Clans are compared by power and carry "
        "the later edition's names. Blue: significantly more (the whole 95 % interval); orange: "
        "less."
    )
    return Section("edition-bridge", "From one edition to the next", (intro, *blocks), level=3)


def _of(bridge: Bridge) -> list[Block]:
    situation = next(iter(bridge.situations.values()))
    labels: dict[str, Label] = {
        "mode": situation.mode,
        "players": situation.players,
        "strategies": situation.population,
    }
    titles = {f"{rules.edition} edition": rules.title for rules in bridge.printed}
    earlier, later = titles
    rows: list[Row] = []
    for ends, shares in _numbers(bridge):
        before, after = (end.estimates() for end in ends)
        by_change = [share.estimates() for share in shares]
        for place, name in enumerate(ends[0].names):
            number: dict[str, Label] = {"number": f"{ends[0].only('estimand')}.{name}", **labels}
            rows.append(Row(number | {"change": earlier}, before[place]))
            for change, estimates in zip(bridge.changes, by_change, strict=True):
                about = replace(estimates[place], name=change, definition=SHAPLEY_SHARE.name)
                tone = {1: "up2", -1: "down2", 0: ""}[about.side]
                rows.append(Row(number | {"change": change}, about, tone=tone))
            rows.append(Row(number | {"change": later}, after[place]))
    known = {row["number"] for row in rows if row.estimate and row.estimate.value is not None}
    shown = [row for row in rows if row["number"].split(".")[0] in SHOWN and row["number"] in known]
    if not shown:
        return []
    columns = cross(
        shown,
        "Number",
        lambda row: label_of(*row["number"].split(".", 1)),
        lambda row: titles.get(row["change"], capital(row["change"])),
    )
    caption = (
        f"{situation.players} players, {situation.population}: headline numbers of both editions, "
        "and the share of each change in the difference, with 95 % intervals."
    )
    return [Table(caption, columns, "edition_bridge", unshown=tuple(rows), alike="none")]


def _numbers(bridge: Bridge) -> list[tuple[tuple[Estimates, Estimates], tuple[Estimates, ...]]]:
    """For each estimand the measures at both ends, and a measure of shares for each change."""
    renamed = clans_by_power(*bridge.printed)
    found: dict[str, dict[Corner, Estimates]] = {}
    for corner, situation in bridge.situations.items():
        table = headline_numbers(bridge.sweep, situation).renamed(renamed, "name")
        for estimand in dict.fromkeys(table["estimand"]):
            found.setdefault(estimand, {})[corner] = table.where(estimand=estimand)
    numbers = []
    for by_corner in found.values():
        common = [
            name
            for name in by_corner[min(by_corner)].names
            if all(name in measured.names for measured in by_corner.values())
        ]
        at = {corner: measured.named(common) for corner, measured in by_corner.items()}
        if len(at) < len(bridge.situations) or not common:
            continue
        try:
            shares = shapley_shares(at)
        except ValueError:  # A partial sweep: combinations that hold different games.
            continue
        first, last = at[min(at)], at[max(at)]
        units = [difference_unit(unit) for unit in first.unit]
        numbers.append(((first, last), tuple(share.in_unit(units) for share in shares)))
    return numbers


def solo_sections(sheet: Sheet) -> Iterator[Section]:
    """The card of the solo games; nothing where none were played."""
    rows = {
        mode: [
            row
            for table in sheet.situations
            if table.mode == mode
            for row in sheet.rows(table, SOLO_WIN_RATE.name)
        ]
        for mode in DIFFICULTIES
    }
    rows = {mode: found for mode, found in rows.items() if found}
    if not rows:
        return
    answers = tuple(_answer(mode, found) for mode, found in rows.items())
    marks = tuple(
        Mark(row["population"], row, DIFFICULTIES[mode])
        for mode, found in rows.items()
        for row in found
    )
    title = "How often each player beats Bruno"
    figure = Figure("solo", title, "intervals", marks, "wins of 100", middle=0.5)
    foot = "Each player against Bruno alone; every game has a deal of its own."
    yield Section("solo", "Solo games", (Card("Solo games", answers, figure, foot),))


def _answer(mode: str, rows: Sequence[Row]) -> Answer:
    """How hard a difficulty is for the player who does best."""
    rates = [row.estimate for row in rows if row.estimate is not None]
    best = max(rates, key=lambda each: each.value or 0.0)
    rate = best.value or 0.0
    word = "Hard." if rate < 0.4 else "Even." if rate < 0.6 else "Beatable."
    text = f"“{best.population}” beats Bruno in {of_100(best)}."
    return Answer(mode, f"How hard is Bruno, {DIFFICULTIES[mode]}?", word, text)
