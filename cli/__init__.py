"""The public Python API of ethnos-sim, a Monte Carlo balance simulator for Ethnos.

It runs the same code as the command line. Names are looked up when they are first used, so that
`import ethnos_sim` and `ethnos-sim --help` stay quick: the compiled kernel and the data libraries
load only when needed.

    >>> from ethnos_sim import load_rules
    >>> load_rules("second").value("hand_limit")
    10
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if __name__ != "ethnos_sim":
    raise ImportError(f"import this package as 'ethnos_sim', not as '{__name__}'")

from ethnos_sim.simulator.utilities.lazy_imports import lazy_names

if TYPE_CHECKING:
    __version__: str
    from ethnos_sim.experiments.environments.environment import make_env as make_env
    from ethnos_sim.experiments.execution.sweep import sweep as sweep
    from ethnos_sim.experiments.matches.batch import Batch as Batch
    from ethnos_sim.experiments.matches.batch import play_batch as play_batch
    from ethnos_sim.experiments.matches.batch import trace_games as trace_games
    from ethnos_sim.experiments.specs.spec import load_spec as load_spec
    from ethnos_sim.experiments.storage.results import Results as Results
    from ethnos_sim.experiments.storage.results import open_results as open_results
    from ethnos_sim.reports import plot as plot
    from ethnos_sim.reports.balancing.run import balance as balance
    from ethnos_sim.reports.comparison.comparison_study import compare as compare
    from ethnos_sim.reports.numbers import estimate as estimate
    from ethnos_sim.reports.page.report import write_report as write_report
    from ethnos_sim.reports.rating.rating import rate_strategies as rate_strategies
    from ethnos_sim.simulator.rules import Rules as Rules
    from ethnos_sim.simulator.rules import load_rules as load_rules
    from ethnos_sim.strategies import LineUp as LineUp
    from ethnos_sim.strategies import Parameter as Parameter
    from ethnos_sim.strategies import load_strategy_file as load_strategy_file
    from ethnos_sim.strategies import strategy as strategy

_find, __dir__, __all__ = lazy_names(
    "ethnos_sim",
    {
        "experiments.environments.environment": "make_env",
        "experiments.execution.sweep": "sweep",
        "experiments.matches.batch": "Batch play_batch trace_games",
        "experiments.specs.spec": "load_spec",
        "experiments.storage.results": "Results open_results",
        "reports.balancing.run": "balance",
        "reports.comparison.comparison_study": "compare",
        "reports.numbers": "estimate",
        "reports.page.report": "write_report",
        "reports.plot": "plot",
        "reports.rating.rating": "rate_strategies",
        "simulator.rules": "Rules load_rules",
        "strategies": "LineUp Parameter load_strategy_file strategy",
    },
)


def __getattr__(name: str) -> Any:
    """Look up a name of the public API, or the version of the installed program."""
    if name == "__version__":
        from importlib.metadata import version

        return version("ethnos-sim")
    return _find(name)
