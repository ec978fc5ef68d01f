"""Numbers as somebody reads them aloud: games of 100, turns, and how far they may be off."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.rendering.numbers import MINUS, whole

NUMERALS = ("no", "one", "two", "three", "four", "five", "six")


def decimals(half: float | None) -> int:
    """Decimals for a number that may be off by so much: none from 0.95 on, else one."""
    return 0 if half is None or half >= 0.95 else 1


def of_100(estimate: Estimate) -> str:
    """A share or a difference of shares in games of 100: "29 of 100 games (± 2)"."""
    return f"{hundredths(estimate)} of 100 games ({give_or_take(estimate)})"


def hundredths(estimate: Estimate) -> str:
    """The same without what it counts: "29", "3.4"."""
    return f"{100 * (estimate.value or 0.0):.{_places(estimate)}f}".replace("-", MINUS)


def give_or_take(estimate: Estimate) -> str:
    """How far a share may be off, in games of 100: "± 2"; "too few games" where none can say."""
    if estimate.half_width is None:
        return "too few games"
    return f"± {100 * estimate.half_width:.{_places(estimate)}f}"


def rounded(games: float) -> str:
    """So many games, to two figures: "60,000"."""
    digits = max(0, floor(log10(max(games, 1))) - 1)
    return whole(round(games / 10**digits) * 10**digits)


def some(names: Sequence[str], most: int = 4) -> str:
    """Names as a sentence lists them; of more than `most` the first, and how many others."""
    shown = list(names[: most if len(names) > most + 1 else most + 1])
    left = len(names) - len(shown)
    if left:
        return f"{', '.join(shown)} and {left} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if shown[1:] else "".join(shown)


def value_read(value: object) -> str:
    """A rule value as it is read."""
    if value is None:
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _places(estimate: Estimate) -> int:
    half = estimate.half_width
    return decimals(None if half is None else 100 * half)
