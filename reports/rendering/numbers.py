"""Texts of numbers, clans and modes for tables and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ethnos_sim.experiments.evidence.evidence import RuleSetName
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.simulator.rules import Rules

MINUS = "\N{MINUS SIGN}"
ABSENT = "\N{EN DASH}"
"""The text for a missing number."""


@dataclass(frozen=True, slots=True)
class Unit:
    """How numbers of a unit are written.

    Attributes:
        factor: what a stored value is multiplied by (100 for percent).
        suffix: the text after the number, with the space between them.
        signed: whether positive numbers have a plus sign.
        decimals: the decimals of a number without an interval.
        words: the unit in words.
    """

    factor: float
    suffix: str
    signed: bool
    decimals: int
    words: str


UNITS = {
    "share": Unit(100, " %", False, 1, "%"),
    "share_difference": Unit(100, " pp", True, 1, "percentage points"),
    "share_spread": Unit(100, " pp", False, 1, "percentage points"),
    "fair_shares": Unit(1, "", True, 2, "fair shares"),
    "fair_shares_spread": Unit(1, "", False, 2, "fair shares"),
    "prestige": Unit(1, "", False, 1, "points"),
    "prestige_difference": Unit(1, "", True, 1, "points"),
    "count": Unit(1, "", False, 2, "number"),
    "count_difference": Unit(1, "", True, 2, "number"),
}


def difference_unit(unit: str) -> str:
    """The unit of the difference of two numbers that have this unit."""
    level = unit.removesuffix("_spread")
    signed = f"{level}_difference"
    return signed if signed in UNITS else level


def decimals_for(estimates: Iterable[Estimate | None]) -> int:
    """Decimals for a column of estimates of one unit, by its median half-width.

    The half-width has two digits if these lie between 1.0 and 3.5, else one digit (the rounding
    rule of the Particle Data Group). The result is at most the unit's `decimals` plus three.
    """
    present = [estimate for estimate in estimates if estimate is not None]
    if not present:
        return 0
    unit = UNITS[present[0].unit]
    widths = sorted(
        estimate.half_width * unit.factor for estimate in present if estimate.half_width
    )
    if not widths:
        return unit.decimals
    width = widths[len(widths) // 2]
    exponent = math.floor(math.log10(width))
    wanted = -exponent + int(width / 10.0**exponent < 3.55)
    return min(max(wanted, 0), unit.decimals + 3)


def number_text(value: float | None, unit: str, decimals: int | None = None) -> str:
    """A value with its unit: "+0.12", "9.3 %"; a dash for None."""
    if value is None:
        return ABSENT
    style = UNITS[unit]
    digits = _digits(value * style.factor, style.decimals if decimals is None else decimals)
    if style.signed and not digits.startswith(MINUS):
        digits = "+" + digits
    return digits + style.suffix


def interval_text(estimate: Estimate | None, decimals: int | None = None) -> str:
    """A value with its interval: "+0.12 ± 0.03", or "9.3 % [8.1, 10.9]" if it is not symmetric.

    A value without an interval gets a question mark, which means too few games.
    """
    if estimate is None or estimate.value is None:
        return ABSENT
    unit = UNITS[estimate.unit]
    places = decimals_for([estimate]) if decimals is None else decimals
    center = number_text(estimate.value, estimate.unit, places).removesuffix(unit.suffix)
    if estimate.low is None or estimate.high is None or estimate.half_width is None:
        return f"{center}{unit.suffix} ?"
    middle = (estimate.low + estimate.high) / 2
    if abs(estimate.value - middle) < 1e-9 + 0.02 * estimate.half_width:
        return f"{center} ± {_digits(estimate.half_width * unit.factor, places)}{unit.suffix}"
    low, high = (_digits(end * unit.factor, places) for end in (estimate.low, estimate.high))
    return f"{center}{unit.suffix} [{low}, {high}]"


def interval_in_words(estimate: Estimate | None) -> str:
    """A value with its interval and its unit in words: "12.1 ± 0.3 percentage points"."""
    text = interval_text(estimate)
    unit = UNITS[estimate.unit] if estimate else None
    return text.replace(unit.suffix, f" {unit.words}") if unit and unit.suffix else text


def count_text(count: int) -> str:
    """An integer with groups of three digits: 1,250,000."""
    return f"{count:,}".replace("-", MINUS)


def word_list(words: Iterable[str]) -> str:
    """Words as a list in a sentence: "a", "a and b", "a, b and c"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _digits(value: float, decimals: int) -> str:
    """A number with fixed decimals and a typographic minus sign; zero has no sign."""
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", MINUS)


MODE_LABELS = {"standard": "", "recruitment": "Recruitment variant"}

DIFFICULTIES = {"solo-easy": "easy", "solo-regular": "regular", "solo-hard": "hard"}


def capitalized(text: str) -> str:
    """A text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def clan_label(clan: str) -> str:
    """A clan's name as a title: "Red Panda"."""
    return clan.replace("_", " ").title()


def rule_set_label(rules: Rules, rule_set: RuleSetName) -> str:
    """The edition and mode as a heading: "2nd edition (2024), Recruitment variant"."""
    mode = MODE_LABELS.get(rule_set.mode, rule_set.mode)
    return f"{rules.title}, {mode}" if mode else rules.title


def source_labels(rules: Rules) -> dict[str, str]:
    """The names of the sources of prestige in the words of the edition, by their keys."""
    words = rules.words
    return {
        "regions": words.regions,
        "sea": "sea track",
        "largest": f"largest {words.party}",
        "settlement": "settlement board",
        "coins": "coins",
        "party_points": f"{words.party} points",
        "powers": "custom powers",
    }


NUMERALS = ("no", "one", "two", "three", "four", "five", "six")


def games_of_100(estimate: Estimate) -> str:
    """A share as games of 100, with a decimal if it is precise: "29 of 100 games (± 2)"."""
    half = estimate.half_width
    places = 0 if half is None or 100 * half >= 0.95 else 1
    return f"{hundredths(estimate, places)} of 100 games ({_half_width_text(half, places)})"


def hundredths(estimate: Estimate, decimals: int = 0) -> str:
    """A share in hundredths, without a unit: "29", "3.4"."""
    return _digits(100 * (estimate.value or 0.0), decimals)


def _half_width_text(half_width: float | None, decimals: int) -> str:
    """The half-width of a share in games of 100: "± 2"; "too few games" for None."""
    return "too few games" if half_width is None else f"± {_digits(100 * half_width, decimals)}"


def rule_value_text(value: object) -> str:
    """A rule value as text for readers: "2, 3" for a list, "none" for None."""
    if value is None:
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
