"""Check signatures, and record signatures and baselines: those of the program, or a user's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.evidence.gathering import join_evidence
from ethnos_sim.experiments.plans.plan import Partition, Plan
from ethnos_sim.experiments.specs.spec import NO_CHANGES, SpecChanges
from ethnos_sim.reports.gate import baseline as balance
from ethnos_sim.reports.gate import signature
from ethnos_sim.reports.gate.baseline import GAMES_FACTOR, Baseline, guarded_numbers, read_baseline
from ethnos_sim.reports.gate.check_result import SignatureResult
from ethnos_sim.reports.gate.plans import (
    BASELINE_SEED,
    BUNDLED_PLAYS,
    gate_plans,
    read_plays,
    rules_by_partition,
)
from ethnos_sim.reports.gate.signature import (
    compute_signatures,
    library_strategies,
    playable_partitions,
    read_signatures,
    write_signatures,
)
from ethnos_sim.reports.numbers import headline_numbers
from ethnos_sim.reports.study import Study
from ethnos_sim.simulator.rules import EDITIONS, Rules, rules_by_edition
from ethnos_sim.simulator.utilities.errors import WrongInput

SIGNATURES_FILE = "signatures.toml"
"""The name of the file of signatures beside a user's baseline."""


def check_signatures(baseline_file: Path | None, changes: SpecChanges) -> SignatureResult:
    """Compute the signatures and compare them with the stored ones.

    Args:
        baseline_file: a user's baseline, with its signatures beside it; None for the program's.
        changes: rule values and variants to play with.

    Raises:
        WrongInput: the files cannot be read.
    """
    rules_at = _rules_by_partition(baseline_file, changes)
    stored = read_signatures(_signatures_file(baseline_file))
    computed = compute_signatures(rules_at, stored.strategies)
    return SignatureResult(tuple(computed.hashes), stored.changed_partitions(computed))


def record_signatures(baseline_file: Path | None) -> str:
    """Compute the signatures with all strategies of the library, and store them.

    Args:
        baseline_file: a user's baseline, with its signatures beside it; None for the program's.

    Returns:
        A sentence that says what was written.

    Raises:
        WrongInput: the baseline cannot be read.
        Failed: the file cannot be written.
    """
    path = _signatures_file(baseline_file)
    signatures = compute_signatures(
        _rules_by_partition(baseline_file, NO_CHANGES), library_strategies()
    )
    write_signatures(path, signatures)
    return f"{path}: {len(signatures.hashes)} signatures recorded."


def new_baseline(path: Path, spec: Path | None) -> tuple[Baseline, tuple[Plan, ...]]:
    """A new baseline, without numbers, and the plans of the games from which its numbers come.

    Args:
        path: the file of the baseline, which may exist.
        spec: the file with the specs to play; None for the specs of the existing baseline.

    Raises:
        WrongInput: the existing baseline or the spec cannot be read, or the spec is wrong.
    """
    if spec is not None:
        if spec.parent.resolve() != path.parent.resolve():
            raise WrongInput(f"'{spec}' and '{path}' have to be in the same folder")
        plays = read_plays(spec)
    elif path == balance.BUNDLED:
        plays = read_plays(BUNDLED_PLAYS)
    else:
        plays = tuple(dict(play) for play in read_baseline(path).plays)
    plans = gate_plans(plays, folder=path.parent, seed=BASELINE_SEED, share=GAMES_FACTOR)
    return Baseline(plays, pl.DataFrame(schema=balance.COLUMNS)), plans


@dataclass(eq=False)
class BaselineRecording(Study[Baseline]):
    """The study that plays the games of a new baseline, and gives the baseline with its numbers.

    Attributes:
        path: the file of the baseline.
        empty_baseline: the baseline without numbers, from `new_baseline`.
        all_plans: the plans, from `new_baseline`.
        noisy_count: how many numbers are too noisy to guard; set when the games are played.
    """

    path: Path
    empty_baseline: Baseline
    all_plans: tuple[Plan, ...]
    noisy_count: int = field(init=False)

    def title(self) -> str:
        """The number of games."""
        return f"Playing {self.game_count():,} games for a new baseline"

    def plans(self) -> tuple[Plan, ...]:
        """The plans of the baseline's games."""
        return self.all_plans

    def numbers(self, evidence: Sequence[Evidence]) -> Baseline:
        """The baseline with its guarded numbers.

        Raises:
            WrongInput: no number can be guarded.
        """
        every = headline_numbers(join_evidence(evidence))
        rows = guarded_numbers(every)
        if rows.is_empty():
            raise WrongInput("these games are too few to guard a number; let the spec play more")
        self.noisy_count = len(every) - len(rows)
        return replace(self.empty_baseline, rows=rows)

    def counts_sentence(self, numbers: Baseline) -> str:
        """A sentence that says how many numbers were recorded, and how many are too noisy."""
        return (
            f"{self.path}: {len(numbers.rows)} numbers recorded, {self.noisy_count} are too noisy "
            "to guard."
        )


def _signatures_file(baseline_file: Path | None) -> Path:
    """The file of the signatures that belong to a user's baseline, or of the bundled signatures."""
    return signature.BUNDLED if baseline_file is None else baseline_file.parent / SIGNATURES_FILE


def _rules_by_partition(baseline_file: Path | None, changes: SpecChanges) -> dict[Partition, Rules]:
    """The rules of every partition of a user's baseline; None for all playable partitions."""
    if baseline_file is None:
        rules = rules_by_edition(EDITIONS, changes.settings, changes.variants)
        return {part: rules[part.edition] for part in playable_partitions()}
    plays = read_baseline(baseline_file).plays
    return rules_by_partition(plays, baseline_file.parent, changes)
