"""Where prestige comes from: by source, for winners and losers of every player count."""

from __future__ import annotations

from ethnos_sim.reports.estimators.prestige_source import SIDES, measure_prestige
from ethnos_sim.reports.figures.prestige import prestige_figure
from ethnos_sim.reports.rendering.document import Block
from ethnos_sim.reports.rendering.labels import setting_key, source_labels
from ethnos_sim.reports.rendering.table import Row, Table, cross, grouped
from ethnos_sim.reports.sections.chapter import Chapter, by_players


def prestige(chapter: Chapter) -> list[Block]:
    """A figure and a table of one setting."""
    words, names = chapter.rules.words, source_labels(chapter.rules)
    rows = [
        row
        for players in chapter.players
        for side in SIDES
        for row in chapter.rows(
            measure_prestige(
                chapter.evidence.total(chapter.setting, players), side, chapter.population(players)
            ).estimates(),
            "source",
            players=players,
            side=side,
        )
    ]
    used = {row["source"] for row in rows if row.estimate and row.estimate.value}
    shown = [row for row in rows if row["source"] in used]

    def side_of(row: Row) -> str:
        return f"{by_players(row)}, {row['side']}"

    columns = cross(shown, "Seats", side_of, lambda row: names[row["source"]].capitalize())
    caption = f"Mean {words.prestige} by source, with 95 % intervals."
    figure = prestige_figure(
        f"prestige-{setting_key(chapter.setting)}",
        f"Mean {words.prestige} of winners and losers by source; the total stands at the end.",
        grouped(rows, lambda row: (by_players(row), row["side"])),
        names,
        words.prestige,
    )
    return [figure, Table(caption, columns, "prestige", unshown=tuple(rows))]
