"""The statistics package can be used alone, with only NumPy and SciPy."""

from pathlib import Path

from commands import python

from ethnos_sim.experiments import statistics

FOLDER = Path(statistics.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
GAME = tuple(f"ethnos_sim.simulator.{part}" for part in ("records", "rules", "kernel", "cards"))
BLOCKED = ("polars", "numba", "pydantic", "matplotlib", "pandas", *GAME)
PROGRAM = f"""
import sys
for name in {BLOCKED}:
    sys.modules[name] = None
for name in {MODULES}:
    __import__("ethnos_sim.experiments.statistics." + name)
"""


def test_the_statistics_import_neither_the_game_nor_polars() -> None:
    python("-c", PROGRAM)
