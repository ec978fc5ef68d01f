"""Where prestige comes from: by source, for winners and losers of every player count."""

from __future__ import annotations

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.document import Block, Table
from ethnos_sim.reports.estimators.prestige_source import SIDES, measure_prestige
from ethnos_sim.reports.figures.prestige import prestige_figure
from ethnos_sim.reports.labels import setting_key, source_labels
from ethnos_sim.reports.sections.chapter import Chapter, columns_of_estimates, table_rows


def prestige(chapter: Chapter) -> list[Block]:
    """A figure and a table of one setting."""
    words, names = chapter.rules.words, source_labels(chapter.rules)
    means: dict[tuple[int, str], tuple[Estimate, ...]] = {}
    for players in chapter.players:
        sums = chapter.evidence.total(chapter.setting, players)
        for side in SIDES:
            estimates = measure_prestige(sums, side, chapter.population(players)).estimates()
            means[players, side] = estimates
            for estimate in estimates:
                labels = chapter.labels(players=players, side=side, source=estimate.name)
                chapter.ledger.add("prestige", labels, estimate)
    sources = [estimate.name for estimate in next(iter(means.values()))]
    used = [k for k in range(len(sources)) if any(bar[k].value for bar in means.values())]
    columns = columns_of_estimates([[bar[k] for bar in means.values()] for k in used])
    rows = table_rows([[f"{players} players, {side}"] for players, side in means], columns)
    caption = f"Mean {words.prestige} by source, with 95 % intervals."
    table = Table(
        caption, ("Seats", *(names[sources[k]].capitalize() for k in used)), rows, "prestige"
    )
    figure = prestige_figure(
        f"prestige-{setting_key(chapter.setting)}",
        f"Mean {words.prestige} of winners and losers by source; the total stands at the end.",
        {(f"{players} players", side): bars for (players, side), bars in means.items()},
        names,
        words.prestige,
    )
    return [figure, table]
