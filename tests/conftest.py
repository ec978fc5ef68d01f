"""What a test run with several workers needs first: everything compiled, once."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Compile engine and strategies in the controlling process; their machine code is kept.

    In a first run the workers would otherwise all compile the same code side by side.
    """
    controls = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    if not controls or config.option.collectonly:
        return
    from ethnos_sim.simulator.batch import play_seats
    from ethnos_sim.simulator.rules import load_rules
    from ethnos_sim.strategies import LineUp, list_strategies

    rules = load_rules("second")
    for strategy in list_strategies():
        seats = LineUp.parse(strategy.name, 2, rules).seats()
    play_seats(rules, players=2, clans=rules.clans[:5], seats=seats, seed=0, deals=1)
