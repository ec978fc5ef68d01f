"""The code behind signatures, part by part, so that a change can be traced to a part.

The parts are the simulator, each strategy, and the versions of the libraries. Two runs with equal
parts and equal rules play the same games.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ethnos_sim.experiments.plans.sources import kernel_source, package_version, strategy_sources
from ethnos_sim.reports.rendering.numbers import listed


@dataclass(frozen=True, slots=True)
class Code:
    """The code that played games.

    Attributes:
        simulator: hash of the simulator's code.
        strategies: hash of each strategy's code, by its name in a line-up.
        versions: the known versions of the program, Python, libraries and processor, by name.
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

    def differences(self, other: Code) -> tuple[str, ...]:
        """The differences from other code in words: parts that both have, then versions."""
        parts = [] if self.simulator == other.simulator else ["the simulator's code"]
        both = self.strategies.keys() & other.strategies.keys()
        changed = sorted(name for name in both if self.strategies[name] != other.strategies[name])
        if changed:
            parts.append(f"the code of {listed(changed)}")
        parts += [
            f"{name} {self.versions[name]} → {other.versions[name]}"
            for name in self.versions
            if name in other.versions and self.versions[name] != other.versions[name]
        ]
        return tuple(parts)
