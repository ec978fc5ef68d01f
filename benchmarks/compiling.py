"""What compiling costs: each unit that ships, why it was compiled, and the processor's seconds.

    python benchmarks/compiling.py [--only NAME ...]

All is compiled in this process, one after the other, with an empty folder for machine code. What
comes first also pays for what it shares with the rest: the compiler's own start, and the types of
helpers.
"""

from __future__ import annotations

import argparse
import os
import tempfile


def main() -> None:
    """Compile, and print a line for each unit."""
    parser = argparse.ArgumentParser(description="What compiling costs, unit by unit.")
    parser.add_argument("--only", nargs="+", default=[], help="names, as 'engine' or 'champion'")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["ETHNOS_SIM_CACHE"] = cache
        from ethnos_sim.simulator.keeping import compiled_units
        from ethnos_sim.strategies.compiling_ahead import ENGINE, all_names, load

        for name in given.only or sorted(all_names(), key=lambda name: (name != ENGINE, name)):
            load(name)
    for unit in compiled_units:
        print(f"{unit.name:20} {unit.seconds:6.1f} s  {unit.why}")
    print(f"{'in all':20} {sum(unit.seconds for unit in compiled_units):6.1f} s")


if __name__ == "__main__":
    main()
