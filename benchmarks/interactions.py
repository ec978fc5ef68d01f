"""The coverage of intervals for sets of clans that were not played.

The model is fitted to the sweep of one folder and predicts the sets that only the other sweep
played, with other deals (another seed) and many games for each set. The intervals, widened by the
error of the played values, should hold 95 % of these values.

    python benchmarks/interactions.py FOLDER FRESH-FOLDER
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from runner import run

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.experiments.evidence.gathering import gather
from ethnos_sim.experiments.evidence.intervention_sums import InterventionSums
from ethnos_sim.reports.estimators.interactions import fit_interactions, played_worth

Z = 1.96


def predicted(
    sums: InterventionSums, fresh: InterventionSums
) -> list[tuple[float, float, float, float]]:
    """For each clan of each fresh set: its played and predicted worth, and their half-widths."""
    model = fit_interactions(sums)
    rows = []
    for clans in set(fresh.clan_sets) - set(sums.clan_sets):
        for clan, worth, chance in zip(
            fresh.clans, *played_worth(fresh.of_set(clans)), strict=True
        ):
            if model is not None and clan in model.clans and np.isfinite(worth):
                value, half = model.clans[clan].predict(sorted({*clans} - {clan}), model.leftover)
                rows.append((worth, value, half, Z * float(np.sqrt(chance))))
    return rows


def predict(folder: Path, fresh: Path) -> None:
    """Print the coverage of every situation, and of all together."""
    first, second = gather(folder), gather(fresh)
    total: list[bool] = []
    for about, sums in first.interventions.items():
        if about[1] != RESTRICTED or about not in second.interventions:
            continue
        rows = predicted(sums, second.interventions[about])
        if not rows:
            continue
        worth, value, half, chance = np.array(rows).T
        inside = np.abs(worth - value) <= np.hypot(half, chance)
        total += inside.tolist()
        print(
            f"{about[0]}: {len(rows)} of sets that were not played, {inside.mean():.1%} inside; "
            f"off by {100 * np.sqrt(np.mean((worth - value) ** 2)):.2f} points, of which chance "
            f"{100 * np.sqrt(np.mean((chance / Z) ** 2)):.2f}; half-width {100 * half.mean():.2f}"
        )
    error = Z * np.sqrt(np.mean(total) * (1 - np.mean(total)) / len(total))
    print(f"all: {len(total)}, {np.mean(total):.1%} ± {error:.1%} inside")


if __name__ == "__main__":
    run(predict)
