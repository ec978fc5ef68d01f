"""The public Python API of ethnos-sim, a Monte Carlo balance simulator for Ethnos.

What the command line does, these do, by the same code. The names are looked up when they are first
used, so that `import ethnos_sim` and `ethnos-sim --help` stay quick: the compiled kernel and the
data libraries load only when needed.

    >>> from ethnos_sim import load_rules
    >>> load_rules("second").value("hand_limit")
    10
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if __name__ != "ethnos_sim":
    raise ImportError(f"import this package as 'ethnos_sim', not as '{__name__}'")

if TYPE_CHECKING:
    __version__: str
    from ethnos_sim.experiments.environments.making import make_env as make_env
    from ethnos_sim.experiments.execution.sweep import sweep as sweep
    from ethnos_sim.experiments.matches.batch import Batch as Batch
    from ethnos_sim.experiments.matches.batch import play_batch as play_batch
    from ethnos_sim.experiments.matches.batch import trace_games as trace_games
    from ethnos_sim.experiments.specs.spec import load_spec as load_spec
    from ethnos_sim.experiments.storage.results import Results as Results
    from ethnos_sim.experiments.storage.results import open_results as open_results
    from ethnos_sim.reports import plot as plot
    from ethnos_sim.reports.balancing.run import balance as balance
    from ethnos_sim.reports.comparison.asking import compare as compare
    from ethnos_sim.reports.estimate import estimate as estimate
    from ethnos_sim.reports.page.report import write_report as write_report
    from ethnos_sim.reports.rating.rating import rate_strategies as rate_strategies
    from ethnos_sim.simulator.rules import Rules as Rules
    from ethnos_sim.simulator.rules import load_rules as load_rules
    from ethnos_sim.strategies import LineUp as LineUp
    from ethnos_sim.strategies import Parameter as Parameter
    from ethnos_sim.strategies import load_strategy_file as load_strategy_file
    from ethnos_sim.strategies import strategy as strategy

_HOMES = {
    "Batch": "ethnos_sim.experiments.matches.batch",
    "LineUp": "ethnos_sim.strategies",
    "Parameter": "ethnos_sim.strategies",
    "Results": "ethnos_sim.experiments.storage.results",
    "Rules": "ethnos_sim.simulator.rules",
    "balance": "ethnos_sim.reports.balancing.run",
    "compare": "ethnos_sim.reports.comparison.asking",
    "estimate": "ethnos_sim.reports.estimate",
    "load_rules": "ethnos_sim.simulator.rules",
    "load_spec": "ethnos_sim.experiments.specs.spec",
    "load_strategy_file": "ethnos_sim.strategies",
    "make_env": "ethnos_sim.experiments.environments.making",
    "open_results": "ethnos_sim.experiments.storage.results",
    "play_batch": "ethnos_sim.experiments.matches.batch",
    "plot": "ethnos_sim.reports.plot",
    "rate_strategies": "ethnos_sim.reports.rating.rating",
    "strategy": "ethnos_sim.strategies",
    "sweep": "ethnos_sim.experiments.execution.sweep",
    "trace_games": "ethnos_sim.experiments.matches.batch",
    "write_report": "ethnos_sim.reports.page.report",
}

__all__ = [
    "Batch",
    "LineUp",
    "Parameter",
    "Results",
    "Rules",
    "balance",
    "compare",
    "estimate",
    "load_rules",
    "load_spec",
    "load_strategy_file",
    "make_env",
    "open_results",
    "play_batch",
    "plot",
    "rate_strategies",
    "strategy",
    "sweep",
    "trace_games",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Import a name of the public API from its home on first use (PEP 562)."""
    if name == "__version__":  # pyproject.toml is where it stands
        from importlib.metadata import version

        return version("ethnos-sim")
    if name not in _HOMES:
        raise AttributeError(f"module 'ethnos_sim' has no attribute {name!r}")
    home = importlib.import_module(_HOMES[name])
    value = home if name == "plot" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public API together with what is loaded already."""
    return sorted({*globals(), *_HOMES})
