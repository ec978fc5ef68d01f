"""A comparison as a record for `--json`: every key is always there, with null for no value."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.comparison.sides import Comparison, Matched, Side
from ethnos_sim.reports.comparison.situations import Compared

FORMAT = 1
"""The layout of the record; keys are added without a new one, and none is renamed or removed."""


def as_record(comparison: Comparison) -> dict[str, Any]:
    """The record, made of nothing but what JSON has."""
    return {
        "format": FORMAT,
        "first": _side(comparison.first),
        "second": _side(comparison.second),
        "counts": comparison.counts,
        "left_out": list(comparison.left_out),
        "situations": [_situation(comparison, match) for match in comparison.matched],
    }


def _side(side: Side) -> dict[str, Any]:
    """A side in the record."""
    return {
        "label": side.label,
        "games": side.evidence.games,
        "seeds": list(side.seeds),
        "rules": [
            {"edition": about.edition, "name": name, "rules_id": about.rules_id}
            for (_, name), about in side.evidence.rule_sets.items()
        ],
    }


def _situation(comparison: Comparison, match: Matched) -> dict[str, Any]:
    """A situation in the record."""
    return {
        "first": match.first.columns,
        "second": match.second.columns,
        "rules_that_differ": [
            asdict(each) for each in comparison.rule_differences[match.first.setting]
        ],
        "paired": match.paired,
        "variance_ratio": match.variance_ratio,
        "balance": None if match.balance is None else _number(match.balance),
        "numbers": [_number(each) for each in match.numbers],
        "ranked_by": match.ranked_by or None,
        "ranks": [asdict(shift) for shift in match.ranks],
    }


def _number(each: Compared) -> dict[str, Any]:
    """One number in the record."""
    return {
        "definition": each.definition,
        "name": each.name,
        "unit": each.first.unit,
        "first": _estimate(each.first),
        "second": _estimate(each.second),
        "difference": _estimate(each.difference),
        "margin": each.margin,
        "result": each.word,
        "variance_ratio": each.variance_ratio,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    """An estimate in the record."""
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "standard_error": estimate.standard_error,
        "games": estimate.games,
    }
