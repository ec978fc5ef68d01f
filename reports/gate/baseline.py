"""The balance baseline: headline numbers with their noise, in a text file that people review.

The file holds what is played, every number by situation, and the log of why they are what they are.
Numbers that the gate's games could not bring to a decision are named there and not guarded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.toml_text import on_one_line
from ethnos_sim.reports.evidence.evidence import Setting, Situation
from ethnos_sim.reports.gate.decision import widest_error
from ethnos_sim.reports.gate.log import LogEntry, log_tables, read_file, read_log, write_file
from ethnos_sim.reports.gate.numbers import GateNumber, Needed, NumberKey, as_stored
from ethnos_sim.simulator.errors import WrongInput

BUNDLED = Path(__file__).parent / "baseline.toml"
"""The baseline of this program with the printed rules."""

TIMES_THE_BUDGET = 4
"""How many times the games of a whole run of the gate a baseline has, unless asked otherwise."""

SCALE = 2.0
"""The gate's margins in those of a comparison: half a margin is where a change is worth a word."""

QUICK_SHARE = 1 / 9
"""The share of the budget that a quick run plays: with three times the margins as decisive."""

SPARE = 4.5
"""Standard errors that luck may take of a number's way to a pass, for it to be guarded."""

HEADING = (
    "Balance baseline: what `ethnos-sim check` compares fresh games with, each number with its",
    "standard error and the games behind it. Margins, tests and levels: docs/ci.md. Written by",
    '`ethnos-sim check record --reason "..."`; review the differences.',
)


@dataclass(frozen=True, slots=True)
class Baseline:
    """A stored baseline.

    Attributes:
        seed: of the games behind it; the gate plays by any other.
        plays: specs as tables.
        rows: the guarded numbers.
        left_out: numbers that the gate's budget cannot decide, which are not guarded, with the
            games that they would need.
        log: why it is what it is.
    """

    seed: int
    plays: tuple[Mapping[str, Any], ...]
    rows: Mapping[NumberKey, GateNumber]
    left_out: Mapping[NumberKey, Needed]
    log: tuple[LogEntry, ...]

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The situations of the numbers, in order."""
        return tuple(dict.fromkeys(key.situation for key in self.rows))


def guarded(
    rows: Mapping[NumberKey, GateNumber], times: float, looks: int, scale: float = SCALE
) -> tuple[dict[NumberKey, GateNumber], dict[NumberKey, Needed]]:
    """The numbers that a gate can decide, as they are stored, and those it cannot.

    The games of a quick run have to bring enough events for an interval (twice as many, to be
    sure), and those of a full run an interval that fits into the margin.

    Args:
        rows: all numbers of the games behind a baseline.
        times: how many times the budget of the gate those games are.
        looks: the gate's looks.
        scale: the gate's margins in those of a comparison.
    """
    keys = sorted(rows)
    events = np.asarray([rows[key].events for key in keys])
    error = np.asarray([rows[key].error for key in keys]) * np.sqrt(1 + times)
    degrees = np.asarray([rows[key].blocks - 1.0 for key in keys])
    margins = scale * np.asarray([key.margin for key in keys])
    with np.errstate(divide="ignore"):
        by_events = 2 * times / QUICK_SHARE * MIN_EVENTS / events
    by_error = (error / widest_error(degrees, margins, looks, SPARE)) ** 2
    # Without an error there is nothing but the events to go by.
    wanted = np.fmax(by_events, by_error)
    kept = {}
    left_out = {}
    for key, more in zip(keys, wanted.tolist(), strict=True):
        row = rows[key]
        run = round(row.games / times)
        if more <= 1 and np.isfinite(row.error):
            kept[key] = as_stored(row)
        else:
            needed = float(f"{max(more, 1.0) * run:.2g}") if np.isfinite(more) else None
            left_out[key] = Needed(run, None if needed is None else int(needed))
    return kept, left_out


def read_baseline(path: Path) -> Baseline:
    """The stored baseline.

    Raises:
        WrongInput: the file is not there, cannot be read or is no baseline.
    """
    if not path.exists():
        raise WrongInput(
            f"there is no baseline '{path}'; `ethnos-sim check record --reason "
            f'"..." --baseline {path}` makes it'
        )
    content = read_file(path, "baseline")
    try:
        rows: dict[NumberKey, GateNumber] = {}
        left_out: dict[NumberKey, Needed] = {}
        for table in content["situations"]:
            setting = Setting(table["edition"], table["mode"], table["rules"])
            situation = Situation(setting, table["players"], table["population"])
            for definition, numbers in table["numbers"].items():
                for name, row in numbers.items():
                    rows[NumberKey(situation, definition, name)] = GateNumber(
                        float(row["value"]),
                        float(row["error"]),
                        table["blocks"],
                        row["games"],
                        row["unit"],
                    )
            for definition, noisy in table.get("left_out", {}).items():
                for name, needed in noisy.items():
                    left_out[NumberKey(situation, definition, name)] = Needed(
                        int(needed["run"]), needed.get("games")
                    )
        for key in rows:
            _ = key.margin
        return Baseline(content["seed"], tuple(content["plays"]), rows, left_out, read_log(content))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WrongInput(f"'{path}' is no baseline of the gate ({error!r})") from error


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline where it is stored; Failed where that cannot be done."""
    content = {
        "seed": baseline.seed,
        "log": log_tables(baseline.log),
        "plays": [_play_table(play) for play in baseline.plays],
        "situations": [_situation_table(baseline, each) for each in baseline.situations],
    }
    write_file(path, HEADING, content)


def _situation_table(baseline: Baseline, situation: Situation) -> dict[str, Any]:
    """The numbers of one situation as they are written."""
    numbers: dict[str, dict[str, Any]] = {}
    blocks = min(row.blocks for key, row in baseline.rows.items() if key.situation == situation)
    for key, row in baseline.rows.items():
        if key.situation == situation:
            numbers.setdefault(key.definition, {})[key.name] = on_one_line(
                {"value": row.value, "error": row.error, "games": row.games, "unit": row.unit}
            )
    left_out: dict[str, dict[str, Any]] = {}
    for key, needed in baseline.left_out.items():
        if key.situation == situation:
            known = {name: n for name, n in needed._asdict().items() if n is not None}
            left_out.setdefault(key.definition, {})[key.name] = on_one_line(known)
    return {
        **situation.columns,
        "blocks": blocks,
        "numbers": numbers,
        "left_out": left_out,
    }


def _play_table(play: Mapping[str, Any]) -> dict[str, Any]:
    """A spec as it is written: tables inside it on one line each."""
    return {key: on_one_line(value) for key, value in play.items()}
