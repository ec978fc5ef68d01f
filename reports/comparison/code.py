"""The code behind games, part by part, so that what moved a number can be named.

Parts are the simulator, each strategy, and the versions of what they run on. Two runs whose parts
are equal and whose rules are equal play the same games.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.plans.sources import kernel_source, package_version, strategy_sources
from ethnos_sim.reports.rendering.numbers import listed

MOST_NAMED = 5
"""Strategies that a sentence names; of more it gives the number."""


@dataclass(frozen=True, slots=True)
class Code:
    """What games come from, beside the rules.

    Attributes:
        simulator: hash of what the simulator does.
        strategies: hash of what decides in place of each strategy, by name as in a line-up.
        versions: of the program and of what it runs on, by name; where they are known.
    """

    simulator: str
    strategies: Mapping[str, str]
    versions: Mapping[str, str]

    @classmethod
    def now(cls, strategies: Iterable[str]) -> Code:
        """The code of this program."""
        import llvmlite
        import numba
        import numpy as np

        versions = {
            "ethnos-sim": package_version(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "processor": platform.machine(),
        }
        return cls(kernel_source(), strategy_sources(strategies), versions)

    @classmethod
    def of(cls, plans: Iterable[Plan]) -> Code:
        """The code that played some plans."""
        found = tuple(plans)
        return cls(
            ", ".join(sorted({plan.kernel for plan in found})),
            {name: source for plan in found for name, source in plan.strategies.items()},
            {"ethnos-sim": ", ".join(sorted({plan.version for plan in found}))},
        )

    def differences(self, other: Code) -> tuple[str, ...]:
        """What the other code has changed, in words: parts that both have, then versions."""
        said = [] if self.simulator == other.simulator else ["the simulator's code"]
        both = self.strategies.keys() & other.strategies.keys()
        changed = sorted(n for n in both if self.strategies[n] != other.strategies[n])
        if changed and len(changed) == len(both) > MOST_NAMED:
            said.append(f"the code of all {len(changed)} strategies")
        elif len(changed) > MOST_NAMED:
            said.append(f"the code of {len(changed)} of {len(both)} strategies")
        elif changed:
            said.append(f"the code of {listed(changed)}")
        said += [
            f"{name} {self.versions[name]} → {other.versions[name]}"
            for name in self.versions
            if name in other.versions and self.versions[name] != other.versions[name]
        ]
        return tuple(said)
