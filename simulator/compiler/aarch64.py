"""Machine code for Linux on 64-bit ARM, made from the kept bitcode of functions.

LLVM uses only instructions that every such processor has, and does not fuse products with sums. So
the results are the same on all of these processors.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from ethnos_sim.simulator.compiler import linking, retargeting
from ethnos_sim.simulator.compiler.code_cache import CARRIED_FOR

TRIPLE = "aarch64-unknown-linux-gnu"
PROCESSOR = CARRIED_FOR["aarch64"].name

#: The x86-64 instruction by which numba's runtime decrements a reference count and tests whether it
#: is now 0 (condition 4).
_ON_X86 = re.compile(r"^declare [^\n]*(@llvm\.x86\.atomic\.sub\.cc\.i64)\(.*\n", re.MULTILINE)
_LOWERED = """
define internal i8 @lowered_to_zero(ptr %count, i64 %by, i32 %condition) alwaysinline {
  %before = atomicrmw sub ptr %count, i64 %by monotonic
  %is_zero = icmp eq i64 %before, %by
  %answer = zext i1 %is_zero to i8
  ret i8 %answer
}
"""


def write_for_arm(compiled: Any, folder: Path) -> None:
    """Write a function's machine code to the file in which this package looks for it on ARM.

    Args:
        compiled: the result of `compile_entry` (compiled for some arguments) or `compile_callback`.
        folder: the folder that a wheel for ARM carries.

    Raises:
        NotPortable: the code refers to this process's memory.
    """
    machine_code = emitted(retargeting.bitcode_of(compiled))
    compiled._cache.write_for((TRIPLE, PROCESSOR, ""), machine_code, folder)


@functools.cache
def _machine() -> Any:
    """LLVM's target, with the options that numba sets on such a machine."""
    options = {"cpu": PROCESSOR, "codemodel": "jitdefault", "jit": True}
    return retargeting.target_machine(TRIPLE, **options)


def emitted(bitcode: bytes) -> bytes:
    """One function with its callees as an object file (ELF), from its unoptimised bitcode."""
    text = str(llvm.parse_bitcode(bitcode))
    if counts := _ON_X86.search(text):
        text = text.replace(counts[0], _LOWERED).replace(counts[1], "@lowered_to_zero")
    module = llvm.parse_assembly(text)
    linking.hide_callees(module)
    return retargeting.emitted(module, TRIPLE, _machine())
