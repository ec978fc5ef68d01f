"""Where prestige comes from, and how a game goes."""

from __future__ import annotations

from ethnos_sim.reports.document import Cell, Section, Table
from ethnos_sim.reports.estimate import Estimate
from ethnos_sim.reports.estimators.game_shape import COMEBACK_FROM, estimate_shape
from ethnos_sim.reports.estimators.prestige_source import SIDES, measure_prestige
from ethnos_sim.reports.figures.prestige import prestige_figure
from ethnos_sim.reports.labels import setting_key, source_labels
from ethnos_sim.reports.numbers import ABSENT, decimals_for, with_interval
from ethnos_sim.reports.sections.chapter import Chapter, columns_of_estimates, table_rows

SHAPE_LABELS = {
    "turns": "Turns a game",
    "parties": "{Parties} a seat",
    "cards_in_party": "Cards a {party}",
    "shared_wins": "Shared wins",
    "leader_after_age_1": "Wins of the leader after {age} 1",
    "leader_after_age_2": "Wins of the leader after {age} 2",
    "comeback": f"Wins from {COMEBACK_FROM} or more points behind before the last {{age}}",
    "lead_changes": "Changes of the lead",
    "mean_prestige": "{Prestige} of a seat",
    "prestige_spread": "Spread of {prestige} within a game",
    "margin": "First less second place",
}


def prestige(chapter: Chapter) -> Section:
    """Prestige by source for winners and losers of every player count."""
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
    key = setting_key(chapter.setting)
    figure = prestige_figure(
        f"prestige-{key}",
        f"Mean {words.prestige} of winners and losers by source; the total stands at the end.",
        {(f"{players} players", side): bars for (players, side), bars in means.items()},
        names,
        words.prestige,
    )
    title = f"Where {words.prestige} comes from"
    return Section(f"prestige-{key}", title, (figure, table), level=3)


def shape(chapter: Chapter) -> Section:
    """The shape of the game: a row a number, a column a player count."""
    words = chapter.rules.words
    found: dict[int, dict[str, Estimate]] = {}
    for players in chapter.players:
        estimates = estimate_shape(
            chapter.evidence.total(chapter.setting, players),
            chapter.population(players),
            independent=chapter.evidence.independent(chapter.setting, players),
        )
        found[players] = {estimate.name: estimate for estimate in estimates}
        for estimate in estimates:
            labels = chapter.labels(players=players, name=estimate.name)
            chapter.ledger.add("shape", labels, estimate)
    rows = []
    for name, label in SHAPE_LABELS.items():
        row = [found[players].get(name) for players in chapter.players]
        if any(row):
            heading = label.format(
                Parties=words.parties.capitalize(),
                party=words.party,
                age=words.age,
                Prestige=words.prestige.capitalize(),
                prestige=words.prestige,
            )
            places = decimals_for(row)
            texts = [with_interval(e, places) if e else ABSENT for e in row]
            rows.append(tuple(Cell(text) for text in (heading, *texts)))
    table = Table(
        "The shape of a game, with 95 % intervals.",
        ("Number", *(f"{players} players" for players in chapter.players)),
        tuple(rows),
        "shape",
    )
    return Section(f"shape-{setting_key(chapter.setting)}", "How a game goes", (table,), level=3)
