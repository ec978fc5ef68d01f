"""How honest the intervals of clans in companies that were not played are.

Clan sets of a sweep are held out, a tenth at a time; the model is fitted to the rest, and its
prediction interval, with the chance of what was then played, is to hold 95 % of it.

    python benchmarks/companies.py study/clan-power study/clan-win-rates
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.reports.estimators.company import fit_company, played_worth
from ethnos_sim.reports.evidence.gathering import gather
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums

FOLDS = 10
Z = 1.96


def covered(sums: InterventionSums) -> tuple[list[bool], list[float], list[float]]:
    """Whether each held-out worth lay in its interval, its error, and the error of the mean."""
    sets = sorted(sums.by_set)
    order = np.random.default_rng(1).permutation(len(sets))
    inside, errors, plain = [], [], []
    for fold in range(FOLDS):
        held = {sets[place] for place in order[fold::FOLDS]}
        kept = {clans: got for clans, got in sums.by_set.items() if clans not in held}
        model = fit_company(replace(sums, by_set=kept))
        if model is None:
            continue
        worths: dict[str, list[float]] = {}
        for clans, got in kept.items():
            for clan, worth in zip(clans, played_worth(got, sums.players)[0], strict=True):
                worths.setdefault(clan, []).append(worth)
        for clans in held:
            played = zip(clans, *played_worth(sums.by_set[clans], sums.players), strict=True)
            for clan, worth, chance in played:
                if clan not in model.clans or not np.isfinite(worth):
                    continue
                others = [other for other in clans if other != clan]
                value, half = model.clans[clan].predict(others, model.leftover)
                reach = np.hypot(half, Z * np.sqrt(chance))
                inside.append(abs(worth - value) <= reach)
                errors.append(worth - value)
                plain.append(worth - float(np.nanmean(worths[clan])))
    return inside, errors, plain


def main() -> None:
    """Print the coverage of every situation, and of all together."""
    evidence = gather(*map(Path, sys.argv[1:]))
    total: list[bool] = []
    for (situation, kind), sums in evidence.interventions.items():
        if kind != RESTRICTED:
            continue
        inside, errors, plain = covered(sums)
        model = fit_company(sums)
        if not inside or model is None:
            continue
        total += inside
        root = [100 * float(np.sqrt(np.mean(np.square(each)))) for each in (errors, plain)]
        print(
            f"{situation}: {len(inside)} held out, {np.mean(inside):.1%} inside; off by "
            f"{root[0]:.2f} points, by the clan's mean {root[1]:.2f}; company "
            f"{100 * model.company:.1f}, leftover {100 * model.leftover:.1f} points"
        )
    error = Z * np.sqrt(np.mean(total) * (1 - np.mean(total)) / len(total))
    print(f"all: {len(total)} held out, {np.mean(total):.1%} ± {error:.1%} inside")


if __name__ == "__main__":
    main()
