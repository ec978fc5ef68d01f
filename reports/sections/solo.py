"""The solo games in detail: totals and margins, Bruno's columns and leaders, prestige by source."""

from __future__ import annotations

from dataclasses import replace

from ethnos_sim.reports.estimators.solo import (
    QUANTILES,
    estimate_margin,
    measure_columns,
    measure_leaders,
    measure_source,
    quantiles,
)
from ethnos_sim.reports.evidence.solo_evidence import COUNTED, SIDES
from ethnos_sim.reports.figures.prestige import prestige_figure
from ethnos_sim.reports.figures.solo import columns_figure, margin_figure, totals_figure
from ethnos_sim.reports.rendering.document import Panel, Panels, Section, Text
from ethnos_sim.reports.rendering.labels import clan_label, source_labels
from ethnos_sim.reports.rendering.table import Column, Row, Table, cross, grouped
from ethnos_sim.reports.sections.solo_chapter import SoloChapter
from ethnos_sim.reports.sections.solo_headline import solo_gains


def solo_details(solo: SoloChapter) -> list[Section]:
    """All solo sections after the first."""
    best = solo.ranked[0]
    text = (
        f"Rows go by difficulty and from the strongest strategy to the weakest. Figures of one "
        f"strategy are of {best}, the strongest by its mean win rate."
    )
    gains = solo_gains(solo)
    return [
        Section("solo-details", "The solo games in detail", (Text(text),)),
        *([] if gains is None else [gains]),
        totals(solo),
        columns(solo),
        leaders(solo),
        prestige(solo),
    ]


def totals(solo: SoloChapter) -> Section:
    """Distributions of both totals and of the margin."""
    matchups = solo.of_ranked()
    means: dict[str, list[Row]] = {what: [] for what in COUNTED}
    counted: list[Row] = []
    for matchup in matchups:
        sums = solo.evidence.matchups[matchup]
        by_side = [measure_source(sums, matchup.strategy, side).estimates()[-1] for side in SIDES]
        labels = solo.labels(matchup.mode, strategy=matchup.strategy)
        every = (*by_side, estimate_margin(sums, matchup.strategy))
        for what, estimate in zip(COUNTED, every, strict=True):
            means[what].append(Row(labels | {"of": what}, estimate))
            counted += [
                Row(labels | {"of": what, "prestige": int(value)}, more={"games": int(games)})
                for value, games in zip(*sums.counts[what], strict=True)
            ]
    best = solo.ranked[0]
    words = solo.rules.words
    drawn = totals_figure(
        "solo-totals",
        f"How often games end with which {words.prestige}: {best} and Bruno. The stored tables "
        "hold the distributions of every strategy value by value.",
        {
            solo.difficulty(matchup.mode): (counts["player"], counts["bruno"])
            for matchup in matchups
            if matchup.strategy == best
            for counts in [solo.evidence.matchups[matchup].counts]
        },
        best,
        words.prestige,
    )
    margins = margin_figure(
        "solo-margins",
        "The margin over Bruno by difficulty. Dot: median; thick: the middle half of the games; "
        "thin: nine tenths. Right of the line the player is ahead.",
        {
            solo.difficulty(mode): {
                matchup.strategy: solo.evidence.matchups[matchup].counts["margin"]
                for matchup in matchups
                if matchup.mode == mode
            }
            for mode in solo.modes
        },
        words.prestige,
    )
    both = replace(drawn, stored="solo_distributions", rows=tuple(counted))
    spread = [quantiles(solo.evidence.matchups[matchup].counts["margin"]) for matchup in matchups]
    columns = (
        Column("Games", [solo.heading(row) for row in means["margin"]]),
        *(Column(what.capitalize(), rows) for what, rows in means.items()),
        *(
            Column(f"{100 * share:g} % margin", [of[k] for of in spread])
            for k, share in enumerate(QUANTILES)
        ),
    )
    caption = (
        f"Mean {words.prestige} at the end and mean margin, with 95 % intervals, and the margin "
        "below which that share of the games lies."
    )
    table = Table(caption, columns, "solo_totals")
    panels = Panels((Panel("Both totals", (both,)), Panel("Margin", (margins,))))
    return Section("solo-totals", "Totals and margins", (panels, table), level=3)


def columns(solo: SoloChapter) -> Section:
    """How often Bruno plays each of his columns."""
    colors = solo.rules.colors
    rows = [
        row
        for matchup in solo.of_ranked()
        for row in solo.rows(
            matchup,
            measure_columns(solo.evidence.matchups[matchup], matchup.strategy).estimates(),
            "column",
        )
    ]
    best = solo.ranked[0]
    figure = columns_figure(
        "solo-columns",
        f"How often a game sees Bruno play each column, against {best}.",
        {
            difficulty: estimates[:-1]
            for difficulty, estimates in grouped(
                [row for row in rows if row["strategy"] == best],
                lambda row: solo.difficulty(row["mode"]),
            ).items()
        },
        colors,
    )
    text = Text(
        "White and green fire at five cards, yellow and black at four, red and blue as soon as "
        "their marker can be placed; of several that fire the leftmost is played, one a turn."
    )
    caption = "Times a game that Bruno plays each column, with 95 % intervals."
    columns = cross(rows, "Games", solo.heading, lambda row: row["column"].capitalize())
    table = Table(caption, columns, "solo_columns")
    return Section("solo-columns", "Bruno's columns", (text, figure, table), level=3)


def leaders(solo: SoloChapter) -> Section:
    """Who leads Bruno's parties, and whom the player lets lead."""
    rows = solo.rows_of_ranked(measure_leaders, "clan")
    text = Text(
        "A clan that led Bruno's party is turned down until all six have led, so his leaders come "
        "up about evenly; the player's choice is which of them leads which party."
    )
    tables = [
        Table(
            f"Share of {whose} parties that each clan leads, with 95 % intervals.",
            cross(
                [row for row in rows if row["side"] == side],
                "Games",
                solo.heading,
                lambda row: clan_label(row["clan"]),
            ),
            "solo_leaders",
        )
        for side, whose in (("bruno", "Bruno's"), ("player", "the player's"))
    ]
    return Section("solo-leaders", "Leaders", (text, *tables), level=3)


def prestige(solo: SoloChapter) -> Section:
    """Prestige by source for both sides."""
    names = source_labels(solo.rules)
    rows = solo.rows_of_ranked(measure_source, "source")
    best = solo.ranked[0]
    word = solo.rules.words.prestige
    shown = [row for row in rows if row["strategy"] == best]

    def side_of(row: Row) -> tuple[str, str]:
        who = best if row["side"] == "player" else "Bruno"
        return solo.difficulty(row["mode"]), who

    figure = prestige_figure(
        "solo-prestige",
        f"Mean {word} of {best} and of Bruno by source; the total stands at the end.",
        grouped(shown, side_of),
        names,
        word,
    )
    caption = (
        f"Mean {word} by source, with 95 % intervals, of {best} and of Bruno; the stored table has "
        "all strategies."
    )
    columns = cross(
        shown,
        "Side",
        lambda row: ": ".join(side_of(row)),
        lambda row: names[row["source"]].capitalize(),
    )
    table = Table(caption, columns, "solo_prestige", unshown=tuple(rows))
    return Section("solo-prestige", f"Where {word} comes from", (figure, table), level=3)
