"""The solo games in detail: totals and margins, Bruno's columns and leaders, prestige by source."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.document import Panel, Panels, Section, Table, Text
from ethnos_sim.reports.estimators.solo import (
    QUANTILES,
    estimate_columns,
    estimate_leaders,
    estimate_margin,
    estimate_prestige,
    quantiles,
)
from ethnos_sim.reports.figures.prestige import prestige_figure
from ethnos_sim.reports.figures.solo import columns_figure, margin_figure, totals_figure
from ethnos_sim.reports.labels import clan_label, source_labels
from ethnos_sim.reports.numbers import MINUS
from ethnos_sim.reports.sections.chapter import columns_of_estimates, table_rows
from ethnos_sim.reports.sections.solo_chapter import SoloChapter
from ethnos_sim.reports.sections.solo_headline import solo_gains
from ethnos_sim.reports.solo_evidence import COUNTED, SIDES, Line
from ethnos_sim.reports.storage import Label
from ethnos_sim.simulator.modes import SOLO_CLANS


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
    lines = solo.of_ranked()
    means: dict[Line, list[Estimate]] = {}
    for line in lines:
        sums = solo.evidence.lines[line]
        by_side = [estimate_prestige(sums, line.strategy, side)[-1] for side in SIDES]
        means[line] = [*by_side, estimate_margin(sums, line.strategy)]
        labels = solo.labels(line.mode, strategy=line.strategy)
        for what, estimate in zip(COUNTED, means[line], strict=True):
            solo.ledger.add("solo_totals", labels | {"of": what}, estimate)
        for what in COUNTED:
            for value, games in zip(*sums.counts[what], strict=True):
                counted: dict[str, Label] = {"of": what, "prestige": int(value)}
                row = {**labels, **counted, "games": int(games)}
                solo.ledger.row("solo_distributions", row)
    best = solo.ranked[0]
    words = solo.rules.words
    both = totals_figure(
        "solo-totals",
        f"How often games end with which {words.prestige}: {best} and Bruno. The stored tables "
        "hold the distributions of every strategy value by value.",
        {
            solo.difficulty(line.mode): (counts["player"], counts["bruno"])
            for line in lines
            if line.strategy == best
            for counts in [solo.evidence.lines[line].counts]
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
                line.strategy: solo.evidence.lines[line].counts["margin"]
                for line in lines
                if line.mode == mode
            }
            for mode in solo.modes
        },
        words.prestige,
    )
    spread = [quantiles(solo.evidence.lines[line].counts["margin"]) for line in lines]
    shown = columns_of_estimates([[means[line][k] for line in lines] for k in range(3)])
    shown += [[f"{of[k]}".replace("-", MINUS) for of in spread] for k in range(len(QUANTILES))]
    table = Table(
        f"Mean {words.prestige} at the end and mean margin, with 95 % intervals, and the margin "
        "below which that share of the games lies.",
        (
            "Games",
            "Player",
            "Bruno",
            "Margin",
            *(f"{100 * share:g} % margin" for share in QUANTILES),
        ),
        table_rows(_headings(solo, lines), shown),
        "solo_totals",
    )
    panels = Panels((Panel("Both totals", (both,)), Panel("Margin", (margins,))))
    return Section("solo-totals", "Totals and margins", (panels, table), level=3)


def columns(solo: SoloChapter) -> Section:
    """How often Bruno plays each of his columns."""
    lines = solo.of_ranked()
    colors = solo.rules.colors
    found: dict[Line, tuple[Estimate, ...]] = {}
    for line in lines:
        found[line] = estimate_columns(solo.evidence.lines[line], line.strategy, colors)
        for estimate in found[line]:
            labels = solo.labels(line.mode, strategy=line.strategy, column=estimate.name)
            solo.ledger.add("solo_columns", labels, estimate)
    best = solo.ranked[0]
    figure = columns_figure(
        "solo-columns",
        f"How often a game sees Bruno play each column, against {best}.",
        {solo.difficulty(ln.mode): of[:-1] for ln, of in found.items() if ln.strategy == best},
        colors,
    )
    text = Text(
        "White and green fire at five cards, yellow and black at four, red and blue as soon as "
        "their marker can be placed; of several that fire the leftmost is played, one a turn."
    )
    table = _line_table(
        solo,
        "Times a game that Bruno plays each column, with 95 % intervals.",
        [*(color.capitalize() for color in colors), "All"],
        found,
        "solo_columns",
    )
    return Section("solo-columns", "Bruno's columns", (text, figure, table), level=3)


def leaders(solo: SoloChapter) -> Section:
    """Who leads Bruno's parties, and whom the player lets lead."""
    lines = solo.of_ranked()
    found: dict[str, dict[Line, tuple[Estimate, ...]]] = {side: {} for side in SIDES}
    for side, by_line in found.items():
        for line in lines:
            by_line[line] = estimate_leaders(solo.evidence.lines[line], line.strategy, side)
            for estimate in by_line[line]:
                labels = solo.labels(
                    line.mode, strategy=line.strategy, side=side, clan=estimate.name
                )
                solo.ledger.add("solo_leaders", labels, estimate)
    text = Text(
        "A clan that led Bruno's party is turned down until all six have led, so his leaders come "
        "up about evenly; the player's choice is which of them leads which party."
    )
    names = [clan_label(clan) for clan in SOLO_CLANS]
    tables = [
        _line_table(
            solo,
            f"Share of {whose} parties that each clan leads, with 95 % intervals.",
            names,
            found[side],
            "solo_leaders",
        )
        for side, whose in (("bruno", "Bruno's"), ("player", "the player's"))
    ]
    return Section("solo-leaders", "Leaders", (text, *tables), level=3)


def prestige(solo: SoloChapter) -> Section:
    """Prestige by source for both sides."""
    lines = solo.of_ranked()
    names = source_labels(solo.rules)
    found: dict[tuple[Line, str], tuple[Estimate, ...]] = {}
    for line in lines:
        for side in SIDES:
            estimates = estimate_prestige(solo.evidence.lines[line], line.strategy, side)
            found[line, side] = estimates
            for estimate in estimates:
                labels = solo.labels(
                    line.mode, strategy=line.strategy, side=side, source=estimate.name
                )
                solo.ledger.add("solo_prestige", labels, estimate)
    best = solo.ranked[0]
    word = solo.rules.words.prestige
    shown = {key: estimates for key, estimates in found.items() if key[0].strategy == best}
    figure = prestige_figure(
        "solo-prestige",
        f"Mean {word} of {best} and of Bruno by source; the total stands at the end.",
        {
            (solo.difficulty(line.mode), best if side == "player" else "Bruno"): estimates
            for (line, side), estimates in shown.items()
        },
        names,
        word,
    )
    table = Table(
        f"Mean {word} by source, with 95 % intervals, of {best} and of Bruno; the stored table has "
        "all strategies.",
        ("Side", *(names[e.name].capitalize() for e in next(iter(shown.values())))),
        table_rows(
            [
                (f"{solo.difficulty(line.mode)}: {best if side == 'player' else 'Bruno'}",)
                for line, side in shown
            ],
            columns_of_estimates(list(zip(*shown.values(), strict=True))),
        ),
        "solo_prestige",
    )
    return Section("solo-prestige", f"Where {word} comes from", (figure, table), level=3)


def _headings(solo: SoloChapter, lines: Sequence[Line]) -> list[tuple[str]]:
    """The first cell of each line's row."""
    return [(f"{solo.difficulty(line.mode)}: {line.strategy}",) for line in lines]


def _line_table(
    solo: SoloChapter,
    caption: str,
    names: Sequence[str],
    found: dict[Line, tuple[Estimate, ...]],
    stored: str,
) -> Table:
    """A row a line, a column an estimate."""
    shown = columns_of_estimates(list(zip(*found.values(), strict=True)))
    rows = table_rows(_headings(solo, list(found)), shown)
    return Table(caption, ("Games", *names), rows, stored)
