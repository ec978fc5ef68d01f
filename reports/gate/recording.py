"""Checking and recording against the stored files, the bundled ones or a user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.plans.plan import Partition, Plan
from ethnos_sim.experiments.specs.rule_settings import resolve_rules
from ethnos_sim.reports.comparison.code import Code
from ethnos_sim.reports.gate import baseline as balance
from ethnos_sim.reports.gate import signature
from ethnos_sim.reports.gate.baseline import (
    TIMES_THE_BUDGET,
    Baseline,
    guarded,
    read_baseline,
)
from ethnos_sim.reports.gate.checked import SignatureCheck, noisy_table
from ethnos_sim.reports.gate.log import log_entry
from ethnos_sim.reports.gate.plans import (
    BUNDLED_PLAYS,
    Substitution,
    brought,
    gate_plans,
    read_plays,
    subjects,
)
from ethnos_sim.reports.gate.run import FULL, headlines
from ethnos_sim.reports.gate.signature import (
    Signatures,
    compute_signatures,
    library_strategies,
    places,
    read_signatures,
    write_signatures,
)
from ethnos_sim.reports.rendering.document import Document, Section
from ethnos_sim.reports.study import Study
from ethnos_sim.simulator.rules import EDITIONS, Rules
from ethnos_sim.simulator.utilities.errors import WrongInput

SEED = 1
"""The seed of a baseline's games, unless another is asked for."""

SIGNATURES = "signatures.toml"
"""The name of the signatures beside a user's baseline."""


def check_signatures(file: Path | None, substitution: Substitution) -> SignatureCheck:
    """Compute the signatures anew.

    Args:
        file: a user's baseline, whose signatures lie beside it; None for the bundled ones.
        substitution: rule values and variants to play with.

    Raises:
        WrongInput: the files cannot be read.
    """
    wanted = _subjects(file, substitution)
    stored = read_signatures(_signatures_of(file))
    computed = compute_signatures(wanted, tuple(stored.code.strategies))
    return SignatureCheck(
        tuple(computed.hashes), stored.changed(computed), stored.differences(computed)
    )


def record_signatures(
    file: Path | None, substitution: Substitution, reason: str
) -> tuple[Path, tuple[str, ...]]:
    """Compute the signatures anew and store them, where any has changed, with a line in the log.

    All strategies of the library take part from then on.

    Returns:
        Where they are stored, and the places whose signature changed, those no longer there too.

    Raises:
        WrongInput: the reason is empty, or the files cannot be read.
        Failed: the file cannot be written.
    """
    path = _signatures_of(file)
    stored = read_signatures(path) if path.exists() else Signatures({}, {}, Code("", {}, {}))
    computed = compute_signatures(_subjects(file, substitution), library_strategies())
    changed = stored.changed(computed)
    changed += tuple(name for name in stored.hashes if name not in computed.hashes)
    if changed or replace(computed, log=stored.log) != stored:
        entry = log_entry(reason, changed)
        write_signatures(path, replace(computed, log=(*stored.log, entry)))
    return path, changed


def baseline_plans(
    path: Path, spec: Path | None, substitution: Substitution, seed: int | None
) -> tuple[Baseline, tuple[Plan, ...]]:
    """What a new baseline is about, without numbers, and TIMES_THE_BUDGET times a whole run.

    Args:
        path: of the baseline, there or not.
        spec: what to play; None for what the old baseline is about.
        substitution: rule values and variant to play with.
        seed: of its games; None for the old baseline's.

    Raises:
        WrongInput: the old baseline or the spec cannot be read, or the spec is wrong.
    """
    old = read_baseline(path) if path.exists() else None
    if spec is not None:
        plays = brought(read_plays(spec), spec.parent, path.parent)
    elif path == balance.BUNDLED:
        plays = read_plays(BUNDLED_PLAYS)
    elif old is not None:
        plays = tuple(dict(play) for play in old.plays)
    else:
        raise WrongInput(f"'{path}' is not there yet; say what to play: --spec FILE.toml")
    chosen = seed if seed is not None else SEED if old is None else old.seed
    plans = gate_plans(
        plays, folder=path.parent, seed=chosen, share=TIMES_THE_BUDGET, substitution=substitution
    )
    nothing = (pl.DataFrame(schema=balance.ROWS), pl.DataFrame(schema=balance.LEFT_OUT))
    return Baseline(chosen, plays, *nothing, old.log if old else ()), plans


@dataclass(frozen=True, eq=False)
class Recording(Study[Baseline]):
    """A new baseline, with a line in its log.

    Attributes:
        path: where it is stored.
        begun: what it is about, from `baseline_plans`.
        whole: its plans, from there too.
        reason: why it is recorded.
    """

    path: Path
    begun: Baseline
    whole: tuple[Plan, ...]
    reason: str

    def title(self) -> str:
        """How many games are played."""
        return f"Playing {self.budget():,} games for a new baseline"

    def plans(self) -> tuple[Plan, ...]:
        """All that it is about."""
        return self.whole

    def numbers(self, evidence: Sequence[Evidence]) -> Baseline:
        """The numbers that are guarded, and those that are too noisy for that.

        Raises:
            WrongInput: none can be guarded.
        """
        kept, left_out = guarded(headlines(evidence), TIMES_THE_BUDGET, len(FULL.looks))
        if kept.is_empty():
            raise WrongInput("these games are too few to guard any number; give the spec more")
        made = replace(self.begun, rows=kept, left_out=left_out)
        entry = log_entry(self.reason, [str(situation) for situation in made.situations])
        return replace(made, log=(*made.log, entry))

    def document(self, numbers: Baseline) -> Document:
        """How many numbers are guarded, and which are not."""
        noisy = numbers.left_out
        facts = (
            f"{self.path}: {len(numbers.rows)} numbers recorded, {len(noisy)} are too noisy to "
            "guard."
        )
        blocks = () if noisy.is_empty() else (noisy_table(noisy),)
        section = Section("noisy", "Numbers that are not guarded", blocks)
        return Document("New baseline", facts, "", (section,) if blocks else ())


def _signatures_of(file: Path | None) -> Path:
    """Where the signatures lie that belong to a baseline."""
    return signature.BUNDLED if file is None else file.parent / SIGNATURES


def _subjects(file: Path | None, substitution: Substitution) -> dict[Partition, Rules]:
    """The places of the signatures with their rules: all, or what a user's baseline plays."""
    if file is None:
        rules = resolve_rules(EDITIONS, substitution.settings, substitution.variants)
        return {place: rules[place.edition] for place in places()}
    plays = read_baseline(file).plays
    return subjects(plays, file.parent, substitution)
