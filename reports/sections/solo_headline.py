"""How often Bruno is beaten, and what it is worth to watch him and choose for him well."""

from __future__ import annotations

from itertools import pairwise

from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.solo import Gain, estimate_gain
from ethnos_sim.reports.evidence.solo_evidence import Matchup
from ethnos_sim.reports.figures.solo import win_rate_figure
from ethnos_sim.reports.rendering.document import Items, Panel, Panels, Section, Text
from ethnos_sim.reports.rendering.numbers import listed, whole, with_interval
from ethnos_sim.reports.rendering.table import Row, Table, cross
from ethnos_sim.reports.sections.solo_chapter import SoloChapter

Rates = dict[str, dict[str, Estimate]]


def solo_headline(solo: SoloChapter, *, alone: bool) -> Section:
    """Win rates by difficulty and strategy.

    Args:
        solo: the solo games.
        alone: whether the report is about nothing else, so that this is its first screen.
    """
    rates: Rates = {name: {} for name in solo.ranked}
    for matchup, estimate in solo.win_rates.items():
        rates[matchup.strategy][matchup.mode] = estimate
    reading = (
        "The share of solo games that the player wins; a shared win counts half. Bruno decides "
        "nothing: which cards he gets, who leads his parties and what he loses is the player's "
        "choice, so a win rate tells how well a strategy plays and how well it steers him."
    )
    labels_of_modes = {mode: solo.difficulty(mode) for mode in solo.modes}
    figure = win_rate_figure(
        "solo-win-rates",
        "Games won against Bruno, with 95 % intervals (Wilson). Circle: easy; square: regular; "
        "diamond: hard.",
        rates,
        labels_of_modes,
    )
    findings = Items(tuple(_findings(solo, rates)))
    panels = Panels((Panel("By strategy", (figure,)), Panel("In words", (findings,))))
    title = "How often is Chief Bruno beaten?"
    key, title = ("headline", title) if alone else ("solo", f"Solo: {title[0].lower()}{title[1:]}")
    return Section(key, title, (Text(reading), panels, _table(solo, rates)))


def _table(solo: SoloChapter, rates: Rates) -> Table:
    """A line a strategy, a column a difficulty."""
    rows = [
        Row(solo.labels(mode, strategy=name), by[mode])
        for name, by in rates.items()
        for mode in solo.modes
        if mode in by
    ]

    def difficulty(row: Row) -> str:
        return solo.difficulty(row["mode"]).capitalize()

    columns = cross(rows, "Strategy", lambda row: row["strategy"], difficulty)
    games = {sums.games for sums in solo.evidence.matchups.values()}
    each = f"{whole(min(games))} games each" if len(games) == 1 else "with games as stored"
    caption = f"Win rate against Bruno, with 95 % intervals; {each}."
    return Table(caption, columns, "solo_win_rates")


def _findings(solo: SoloChapter, rates: Rates) -> list[str]:
    """The first screen in sentences."""
    best = rates[solo.ranked[0]]
    shown = listed(f"{with_interval(e)} ({solo.difficulty(mode)})" for mode, e in best.items())
    found = [f"Strongest: {solo.ranked[0]} wins {shown}."]
    if solo.made and solo.plain:
        gains = _gains(solo, solo.made[0], solo.plain[0])
        told = listed(
            f"{with_interval(gain.estimate)} ({solo.difficulty(mode)})"
            for mode, gain in gains.items()
        )
        found.append(
            f"{solo.made[0]}, the strongest that watches Bruno's columns, against {solo.plain[0]}, "
            f"the strongest that does not, on the same deals: {told}."
        )
    if len(solo.modes) > 1:
        found.append(_order(solo, rates))
    if any(estimate.low is None for estimate in solo.win_rates.values()):
        found.append(f"Fewer than {MIN_EVENTS} games have no interval; play more into the folder.")
    return found


def _order(solo: SoloChapter, rates: Rates) -> str:
    """For how many strategies every difficulty is significantly harder than the one before."""
    falls = [
        name for name, by in rates.items() if all(_above(a, b) for a, b in pairwise(by.values()))
    ]
    others = [name for name in rates if name not in falls]
    names = " > ".join(solo.difficulty(mode) for mode in solo.modes)
    whose = "every strategy" if not others else f"{len(falls)} of {len(rates)} strategies"
    but = f"; not for {listed(others)}" if others else ""
    return (
        f"Win rates fall from each difficulty to the next ({names}), with intervals that do not "
        f"overlap, for {whose}{but}."
    )


def _above(one: Estimate, other: Estimate) -> bool:
    """Whether the whole interval of the one lies above the other's."""
    return one.low is not None and other.high is not None and one.low > other.high


def _gains(solo: SoloChapter, strategy: str, other: str) -> dict[str, Gain]:
    """What a strategy wins more than another on the same deals, by difficulty."""
    matchups = solo.evidence.matchups
    return {
        mode: estimate_gain(
            matchups[Matchup(mode, strategy)], strategy, matchups[Matchup(mode, other)], other
        )
        for mode in solo.modes
        if Matchup(mode, strategy) in matchups and Matchup(mode, other) in matchups
    }


def solo_gains(solo: SoloChapter) -> Section | None:
    """The strategies that watch Bruno or choose for him against the others, deal by deal.

    None where only one strategy played. Where all or none of them do so, the strongest is what the
    others are held against.
    """
    if solo.steering and solo.plain:
        compared, against = solo.steering, solo.plain
        reading = (
            "The rows are strategies made for solo, which watch Bruno's columns, and those that "
            "answer the questions about him themselves: which card he gets, who leads for him, "
            "what he loses. The columns are strategies that do neither and leave these choices to "
            "the default answers, which favor the player."
        )
    else:
        compared, against = solo.ranked[1:], solo.ranked[:1]
        reading = "All strategies against the strongest one."
    if not compared:
        return None
    rows = [
        Row(
            solo.labels(mode, strategy=name, against=other),
            gain.estimate,
            {"pairing": gain.pairing},
            _tone(gain.estimate),
        )
        for mode in solo.modes
        for name in compared
        for other in against
        for gain in [_gains(solo, name, other).get(mode)]
        if gain is not None
    ]
    text = (
        f"{reading} Both play the same deals. Blue: wins significantly more often (the whole 95 % "
        f"interval); orange: less."
    )
    pairings = sorted(float(row.more["pairing"]) for row in rows if row.more["pairing"])
    if pairings:
        middle = pairings[len(pairings) // 2]
        text += (
            f" With deals of their own the variance of such a difference would be {middle:.2f} "
            f"times as large (median over the table)."
        )
    caption = "Win rate less that of another strategy, on the same deals, with 95 % intervals."
    columns = cross(rows, "Strategy", solo.heading, lambda row: f"against {row['against']}")
    table = Table(caption, columns, "solo_gains", alike="none")
    title = "What watching Bruno is worth"
    return Section("solo-gains", title, (Text(text), table), level=3)


def _tone(estimate: Estimate) -> str:
    """Colored where the whole interval lies on one side of 0, by the band of power."""
    low, high, value = estimate.low, estimate.high, estimate.value
    if low is None or high is None or value is None or low <= 0 <= high:
        return ""
    size = POWER.size(value)
    return f"{'up' if value > 0 else 'down'}{size}" if size else "level"
