"""Instructions and mispredicted branches per decision, counted by callgrind, and stored counts.

    python benchmarks/instructions.py
    python benchmarks/instructions.py --update --reason "groups counted once a question"

Counts do not depend on the machine or its load, as code is compiled for x86-64-v3: they depend on
the program and the compiler's version. If a strategy takes over 2 % more instructions than
`instructions.toml` says, the exit code is 1 until the counts are recorded anew, with the reason.
Mispredictions, by callgrind's model of a processor, are only printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from runner import run

STORED = Path(__file__).with_suffix(".toml")

#: The numbers of deals that strategies play, with four players in one seating. They are so large
#: that preparing the table takes less than 1 % of the instructions.
DEALS = {"greedy": 1_000, "champion": 400, "learned": 80}

#: The share of instructions above the stored count that is a failure.
MARGIN = 0.02

#: The beginnings of two lines in callgrind's files, with the names of the counts and their sums.
HEADS = ("events: ", "summary:")

#: Callgrind's names for mispredicted branches and for mispredicted indirect jumps.
MISPREDICTED = ("Bcm", "Bim")

#: A program that plays strategies and turns counting on by callgrind's client requests. It first
#: runs without callgrind, where the requests do nothing, so that callgrind counts no compiling.
PROGRAM = """
import ctypes, mmap, sys
from ethnos_sim.experiments.matches.match import prepare_match
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.rules import load_rules

# mov rax, rdi; xor edx, edx; rol rdi, 3; rol rdi, 13; rol rdi, 61; rol rdi, 51; xchg rbx, rbx;
# mov rax, rdx; ret: a request by valgrind's conventions, the address of its words in rdi.
WORDS = "48 89 f8 31 d2 48 c1 c7 03 48 c1 c7 0d 48 c1 c7 3d 48 c1 c7 33 48 87 db 48 89 d0 c3"
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex(WORDS))
call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(
    ctypes.addressof(ctypes.c_char.from_buffer(code))
)
DUMP, ZERO, START, STOP = (0x43540000 + number for number in (0, 1, 4, 5))


def request(number):
    words = (ctypes.c_int64 * 6)(number)
    call(ctypes.addressof(words))


for played in sys.argv[1:]:
    strategy, deals = played.split("=")
    table = prepare_match(load_rules("second"), strategy, players=4, seed=1).table(0)
    play_table(table, seed=1, first_deal=0, deals=1)
    request(START)
    request(ZERO)
    batch = play_table(table, seed=2, first_deal=0, deals=int(deals))
    request(DUMP)
    request(STOP)
    print(strategy, int(batch.games["decisions"].sum()), flush=True)
"""


def count_instructions() -> dict[str, dict[str, float]]:
    """Count instructions and mispredictions per decision, by strategy."""
    # Compile for x86-64-v3, which callgrind and the processors of the last ten years can run.
    environment = os.environ | {
        "NUMBA_CPU_NAME": "x86-64-v3",
        "NUMBA_CPU_FEATURES": "",
        "PYTHONHASHSEED": "0",
    }
    arguments = [f"{strategy}={deals}" for strategy, deals in DEALS.items()]
    program = [sys.executable, "-c", PROGRAM, *arguments]
    subprocess.run(program, env=environment, check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        callgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--branch-sim=yes"]
        done = subprocess.run(
            [*callgrind, f"--callgrind-out-file={out}", *program],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        fields = [line.split() for line in done.stdout.splitlines()]
        return {
            strategy: _counts_per_decision(out.with_name(f"out.{number}"), int(decisions))
            for number, (strategy, decisions) in enumerate(fields, 1)
        }


def _counts_per_decision(file: Path, decisions: int) -> dict[str, float]:
    """The counts in one of callgrind's files, divided by the decisions."""
    heads = dict(line.split(": ", 1) for line in file.read_text().splitlines() if line[:8] in HEADS)
    sums = dict(zip(heads["events"].split(), map(int, heads["summary"].split()), strict=False))
    return {
        "instructions": round(sums["Ir"] / decisions, 1),
        "mispredictions": round(sum(sums[name] for name in MISPREDICTED) / decisions, 2),
    }


def count_with_change(stored: float, now: float) -> str:
    """A count as text, with its difference from the stored count in percent."""
    return f"{now:>10,.1f} {now / stored - 1:>+7.1%}"


def write_counts(fresh: dict[str, dict[str, float]], reasons: list[str], reason: str) -> None:
    """Store the counts, and the reasons for all changes of them."""
    lines = ["# Written by benchmarks/instructions.py --update.", ""]
    lines += ["reasons = [", *(f'    "{text}",' for text in [*reasons, reason]), "]"]
    for strategy, counts in fresh.items():
        lines += ["", f"[{strategy}]", *(f"{name} = {count}" for name, count in counts.items())]
    STORED.write_text("\n".join([*lines, ""]), encoding="utf-8")


def check_counts(*, update: bool = False, reason: str = "") -> int:
    """Compare counts with the stored counts, or store them; 1 if a strategy takes too many."""
    if update and not reason:
        sys.exit("--update needs a --reason")
    stored = tomllib.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    fresh = count_instructions()
    failed = []
    print(f"{'':10} {'instructions':>18} {'mispredictions':>18}")
    for strategy, counts in fresh.items():
        before = stored.get(strategy, counts)
        cells = [count_with_change(before[name], count) for name, count in counts.items()]
        print(f"{strategy:10} {' '.join(cells)}")
        if counts["instructions"] > before["instructions"] * (1 + MARGIN):
            failed.append(strategy)
    if update:
        write_counts(fresh, stored.get("reasons", []), reason)
    elif failed:
        print(f"{', '.join(failed)}: over {MARGIN:.0%} more; record it by --update --reason TEXT")
    return int(bool(failed) and not update)


if __name__ == "__main__":
    run(check_counts)
