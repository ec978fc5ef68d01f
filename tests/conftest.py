"""What every test run needs once: the compiled engine, before workers ask for it side by side."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Compile the engine in the controlling process; its machine code is kept on disk.

    Workers would otherwise all compile the same code at the same time in a first run.
    """
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    from ethnos_sim.simulator.batch import play_batch
    from ethnos_sim.simulator.compilation import cache_folder
    from ethnos_sim.simulator.rules import load_rules
    from ethnos_sim.strategies import LineUp

    folder = cache_folder()
    if folder is not None and any(folder.rglob("*.nbi")):
        return
    rules = load_rules("second")
    seats = LineUp.parse("random,greedy", 2, rules).seats()
    play_batch(rules, players=2, clans=rules.clans[:5], seats=seats, seed=0, deals=1)
