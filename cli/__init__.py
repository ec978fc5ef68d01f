"""The public Python API of ethnos-sim, a Monte Carlo balance simulator for Ethnos.

The names of this API are looked up when they are first used, so that `import ethnos_sim` and
`ethnos-sim --help` stay quick: the compiled kernel and the data libraries load only when needed.

    >>> from ethnos_sim import load_rules
    >>> load_rules("second").hand_limit
    10
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if __name__ != "ethnos_sim":
    raise ImportError(f"import this package as 'ethnos_sim', not as '{__name__}'")

if TYPE_CHECKING:
    from ethnos_sim.experiments.environments.making import make_env as make_env
    from ethnos_sim.simulator.batch import play_batch as play_batch
    from ethnos_sim.simulator.rules import Rules as Rules
    from ethnos_sim.simulator.rules import load_rules as load_rules
    from ethnos_sim.strategies import LineUp as LineUp
    from ethnos_sim.strategies import Parameter as Parameter
    from ethnos_sim.strategies import strategy as strategy

__version__ = "0.1.0"

_HOMES = {
    "LineUp": "ethnos_sim.strategies",
    "Parameter": "ethnos_sim.strategies",
    "Rules": "ethnos_sim.simulator.rules",
    "load_rules": "ethnos_sim.simulator.rules",
    "make_env": "ethnos_sim.experiments.environments.making",
    "play_batch": "ethnos_sim.simulator.batch",
    "strategy": "ethnos_sim.strategies",
}

__all__ = ["LineUp", "Parameter", "Rules", "load_rules", "make_env", "play_batch", "strategy"]


def __getattr__(name: str) -> Any:
    """Import a name of the public API from its home on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ethnos_sim' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public API together with what is loaded already."""
    return sorted({*globals(), *_HOMES})
