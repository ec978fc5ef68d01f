"""The strategies that played: how strong each is in its line-up."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.reports.bands import POWER
from ethnos_sim.reports.document import Block, Cell, Section, Table, Text
from ethnos_sim.reports.estimators.strategy_share import measure_strategy_share
from ethnos_sim.reports.labels import setting_label
from ethnos_sim.reports.numbers import with_interval
from ethnos_sim.reports.sections.chapter import Chapter
from ethnos_sim.reports.sufficient import merged


def strategies(chapters: list[Chapter]) -> Section:
    """Win shares in every line-up in which different strategies meet."""
    blocks: list[Block] = [
        Text(
            "A clan's numbers are those of the strategies that led it. These are their winning "
            "chances where they met; seats are rotated, and a fair share is 1/n. Blue: surely "
            "above it; orange: surely below."
        )
    ]
    for chapter in chapters:
        rows = tuple(row for players in chapter.players for row in _rows(chapter, players))
        if rows:
            title = f"{setting_label(chapter.rules, chapter.setting)}: win share of a seat."
            headings = ("Line-up", "Strategy", "Win share", "Fair share", "Games")
            blocks.append(Table(title, headings, rows, "strategies"))
    if len(blocks) == 1:
        played = (
            name for chapter in chapters for name in chapter.evidence.strategies(chapter.setting)
        )
        names = ", ".join(dict.fromkeys(played))
        blocks = [Text(f"All seats of every game held the same strategy ({names}).")]
    return Section("strategies", "Strategies", tuple(blocks))


def _rows(chapter: Chapter, players: int) -> list[tuple[Cell, ...]]:
    """The rows of one player count."""
    main = chapter.evidence.main_population(chapter.setting, players)
    here = chapter.evidence.where(
        lambda s: (
            (s.setting, s.players, s.population) == (chapter.setting, players, main)
            and len(set(s.line_up)) > 1
        )
    )
    rows: list[tuple[Cell, ...]] = []
    for line_up in dict.fromkeys(stratum.line_up for stratum in here):
        sums = merged(found for stratum, found in here.items() if stratum.line_up == line_up)
        shown = f"{players} players: {', '.join(short(line_up))}"
        estimates = measure_strategy_share(sums, line_up, ", ".join(line_up)).estimates()
        for estimate in estimates:
            labels = chapter.labels(players=players, strategy=estimate.name)
            chapter.ledger.add("strategies", labels, estimate)
            fair = 1 / players
            tone = _tone(estimate.low, estimate.high, estimate.value, fair)
            rows.append(
                (
                    Cell(shown),
                    Cell(estimate.name),
                    Cell(with_interval(estimate), tone),
                    Cell(f"{100 * fair:.1f} %"),
                    Cell(f"{estimate.games:,}"),
                )
            )
    return rows


def short(line_up: Sequence[str]) -> tuple[str, ...]:
    """A line-up without what only repeats it: (a, b, a, b) is (a, b)."""
    for length in range(1, len(line_up) + 1):
        if all(name == line_up[i % length] for i, name in enumerate(line_up)):
            return tuple(line_up[:length])
    return tuple(line_up)


def _tone(low: float | None, high: float | None, value: float | None, fair: float) -> str:
    """Colored where the interval lies on one side of a fair share, by the band of power."""
    if low is None or high is None or value is None or low <= fair <= high:
        return ""
    size = ("negligible", "minor", "notable", "strong").index(POWER.word(value - fair))
    return f"{'up' if value > fair else 'down'}{size}" if size else "level"
