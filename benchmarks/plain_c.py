"""Compare the processor time of greedy's decisions with plain C; needs gcc.

    python benchmarks/plain_c.py [--rounds 30]

The same engine plays the same games of the printed rules in turn, in one process: by `greedy` as it
ships, by `greedy` in plain C (`plain_c.c`), and by a player that repeats greedy's answers. Its
decisions cost nothing, so its time is the engine's. Results are medians over the rounds.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from runner import run
from throughput import Rate, medians, samples_in_turn

from ethnos_sim.experiments.matches.match import prepare_match
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import DECISIONS, MOVE_DTYPE, TURN
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.tables.table import GameTable, own_record

SOURCE = Path(__file__).with_suffix(".c")

#: The records by their names in C.
RECORDS = {"View": records.VIEW_DTYPE, "Move": MOVE_DTYPE, "Own": records.OWN_DTYPE}

#: The most answers in a game.
MOST_ANSWERS = 1000


def fields(dtype: np.dtype[Any]) -> Iterator[str]:
    """A record's fields as C declares them."""
    for name in dtype.names or ():
        inner, shape = dtype[name].base, "".join(f"[{size}]" for size in dtype[name].shape)
        sort = {"i": "int", "u": "uint"}.get(inner.kind, "")
        kind = f"{sort}{8 * inner.itemsize}_t" if sort else "double"
        if inner.names:
            kind = f"struct {{ {' '.join(fields(inner))} }}"
        yield f"{kind} {name}{shape};"


def header() -> str:
    """The records as C has them, and the numbers of regions, answers and powers."""
    lines = ["#include <stdint.h>"]
    for name, dtype in RECORDS.items():
        lines.append(f"typedef struct {{ {' '.join(fields(dtype))} }} {name};")
        lines.append(f'_Static_assert(sizeof({name}) == {dtype.itemsize}, "{name}");')
    named = {
        name: getattr(records, name) for name in ("REGIONS", "FROM_DECK", "FROM_POOL", "PARTY")
    }
    named |= {power.name: int(power) for power in Power}
    return "\n".join([*lines, *(f"#define {name} {number}" for name, number in named.items()), ""])


def compiled_by_gcc(folder: Path) -> ctypes.CDLL:
    """The C file as a library."""
    (folder / "records.h").write_text(header(), encoding="utf-8")
    library = folder / "plain_c.so"
    options = ["-O3", "-march=native", "-shared", "-fPIC", f"-I{folder}"]
    subprocess.run(["gcc", *options, str(SOURCE), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def played_by(table: GameTable, function: Any, hooks: int) -> GameTable:
    """The table with `function` of the library in every seat, for the questions in `hooks`."""
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    seats = tuple(replace(seat, address=address, hooks=hooks) for seat in table.seats)
    return replace(table, seats=seats)


def measure(*, rounds: int = 30, games: int = 2000) -> None:
    """Measure and print."""
    shipped = prepare_match(load_rules("second"), "greedy", players=4, seed=1).table(0)
    functions = own_record(shipped.seats[0], shipped.slots)["addresses"][0].copy()
    answers = np.zeros(games * MOST_ANSWERS, MOVE_DTYPE)
    with tempfile.TemporaryDirectory() as folder:
        library = compiled_by_gcc(Path(folder))
    every = (1 << len(DECISIONS)) - 1
    tables = {
        "as it ships": shipped,
        "in plain C": played_by(shipped, library.greedy, 1 << TURN),
        "repeated": played_by(shipped, library.repeat, every),
    }

    def played(table: GameTable) -> tuple[Rate, bytes]:
        library.begin(ctypes.c_void_p(answers.ctypes.data), ctypes.c_void_p(functions.ctypes.data))
        started = time.process_time()
        batch = play_table(table, seed=1, first_deal=0, deals=games)
        taken = time.process_time() - started
        decisions = int(batch.games["decisions"].sum())
        return Rate(games / taken, decisions / taken), batch.seats.tobytes()

    _, noted = played(played_by(shipped, library.note, every))

    def sample(table: GameTable, _number: int) -> Rate:
        rate, seats = played(table)
        assert seats == noted, "games differ"
        return rate

    samples = {name: partial(sample, table) for name, table in tables.items()}
    measured = samples_in_turn(samples, rounds)
    for name, rates in measured.items():
        rate, ratio = medians(rates, measured["as it ships"])
        taken = f"{1e9 / rate.decisions_per_s:6.1f} ns a decision"
        print(f"greedy {name:12} {taken}, speed ratio {ratio.decisions_per_s:.2f}")


if __name__ == "__main__":
    run(measure)
