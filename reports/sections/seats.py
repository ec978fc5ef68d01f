"""Who acts first: the seat edge of every player count, as figure and table."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.bands import POWER
from ethnos_sim.reports.document import Block, Cell, Section, Table, Text
from ethnos_sim.reports.estimators.seat_edge import ORDINALS, estimate_seat_edge
from ethnos_sim.reports.evidence import SKILL
from ethnos_sim.reports.figures.seats import seat_figure
from ethnos_sim.reports.labels import population_label, setting_key
from ethnos_sim.reports.numbers import ABSENT, decimals_for, with_interval
from ethnos_sim.reports.sections.chapter import Chapter, side_by_side


def seats(chapters: Sequence[Chapter]) -> Section:
    """The seat edge of every setting, and of the first seat by the strategies that played."""
    return Section("seats", "Seats", side_by_side(chapters, _of_setting))


def _of_setting(chapter: Chapter) -> list[Block]:
    """One edition and mode."""
    edges = {players: _edges(chapter, players) for players in chapter.players}
    caption = (
        "Winning chance by order of play in the first age, less a fair share. The intervals of "
        "one player count hold for all its seats at once."
    )
    key = f"seats-{setting_key(chapter.setting)}"
    blocks: list[Block] = [
        Text(_largest(edges)),
        seat_figure(f"{key}-edges", caption, edges),
        _table(edges),
    ]
    names = [name for name in chapter.evidence.populations(chapter.setting) if name != SKILL]
    if len(names) > 1:
        blocks.append(_by_population(chapter, names, edges))
    return blocks


def _edges(chapter: Chapter, players: int, population: str | None = None) -> tuple[Estimate, ...]:
    """The edges of one table, of the main population unless another is named; stored."""
    main = chapter.evidence.main_population(chapter.setting, players)
    name = population or main
    estimates = estimate_seat_edge(
        chapter.evidence.total(chapter.setting, players, name),
        chapter.describe(name, players),
        independent=name == main and chapter.evidence.independent(chapter.setting, players),
    )
    for estimate in estimates:
        labels = chapter.labels(players=players, seat=estimate.name)
        chapter.ledger.add("seats", labels, estimate)
    return estimates


def _by_population(
    chapter: Chapter, names: Sequence[str], edges: dict[int, tuple[Estimate, ...]]
) -> Table:
    """The first seat's edge under every population; other seats stand in the stored table."""
    rows = []
    for players, of_main in edges.items():
        main, *others = chapter.evidence.populations(chapter.setting, players)
        first = {main: of_main[0]}
        first |= {n: _edges(chapter, players, n)[0] for n in others if n in names}
        found = [first.get(name) for name in names]
        texts = [with_interval(estimate, decimals_for(found)) for estimate in found]
        rows.append(tuple(Cell(text) for text in (f"{players} players", *texts)))
    caption = "The edge of who acts first, by the strategies that played."
    headings = ("Players", *map(population_label, names))
    return Table(caption, headings, tuple(rows), "seats")


def _largest(edges: dict[int, tuple[Estimate, ...]]) -> str:
    """Whether any seat is surely better or worse off, in one sentence."""
    sure = [
        (players, estimate)
        for players, estimates in edges.items()
        for estimate in estimates
        if estimate.low is not None and estimate.high is not None
        if estimate.value is not None and estimate.low * estimate.high > 0
    ]
    if not sure:
        return "No seat is surely better or worse off than another."
    players, estimate = max(sure, key=lambda found: abs(found[1].value or 0))
    assert estimate.value is not None
    side = "more" if estimate.value > 0 else "less"
    return (
        f"{len(sure)} of {sum(map(len, edges.values()))} seats surely win more or less than a fair "
        f"share. The largest edge: with {players} players, who acts {estimate.name} wins {side}, "
        f"{with_interval(estimate)} ({POWER.word(estimate.value)})."
    )


def _table(edges: dict[int, tuple[Estimate, ...]]) -> Table:
    """A row a player count, a column a seat."""
    columns = ORDINALS[: max(edges)]
    places = decimals_for([e for estimates in edges.values() for e in estimates])
    rows = []
    for players, estimates in edges.items():
        texts = [with_interval(estimate, places) for estimate in estimates]
        texts += [ABSENT] * (len(columns) - len(texts))
        rows.append(tuple(Cell(text) for text in (f"{players} players", *texts)))
    return Table(
        "Seat edge in percentage points, with simultaneous 95 % intervals, by order of play.",
        ("Players", *(name.capitalize() for name in columns)),
        tuple(rows),
        "seats",
    )
