"""A bound on the loops of code that is not this package's own, so that none runs for ever.

Compiled code holds no interpreter lock and cannot be interrupted, so an endless loop in a user's
strategy would hang the program. Functions from outside the package are compiled by
`BoundedCompiler`: one more pass of the compiler counts the rounds of all loops of a call (`while`,
`for` and comprehensions alike, in strategies and in their helpers) and raises `EndlessLoop` when
there are too many. The package's own code is compiled without it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numba
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, mk_unique_var
from numba.core.typed_passes import NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes

from ethnos_sim.simulator.compiler.reach import Reach, bounds_loops
from ethnos_sim.simulator.failures import Misdeed

#: Rounds that the loops of one call of a function may go in all; a few hundredths of a second.
MOST_ROUNDS = 10_000_000

#: `FILE:LINE` of every bounded loop by its number, which is the same in every run.
_places: dict[int, str] = {}


def known_places() -> dict[int, str]:
    """`FILE:LINE` of the loops compiled so far, by number; kept beside their machine code."""
    return dict(_places)


def remember_places(places: dict[int, str]) -> None:
    """Take note of the loops of machine code that was compiled in another run."""
    _places.update(places)


def _numbered(place: str) -> int:
    """The number of a loop at `FILE:LINE`."""
    number = int.from_bytes(sha256(place.encode()).digest()[:6])
    _places[number] = place
    return number


class EndlessLoop(Misdeed):
    """The loops of a call went round too often; made from the number of a bounded loop."""

    @property
    def place(self) -> str:
        """`FILE:LINE` of the loop."""
        return _places[self.args[0]]

    def __str__(self) -> str:
        """What happened."""
        return f"a loop went round {MOST_ROUNDS:,} times and does not seem to end"


@numba.njit(nogil=True, error_model="numpy")
def go_round(left: Any, loop: Any) -> Any:
    """Take one round from those that are left; EndlessLoop when there is none."""
    if left <= 0:
        raise EndlessLoop(loop)
    return left - 1


@register_pass(mutates_CFG=False, analysis_only=False)
class BoundLoops(FunctionPass):
    """Count rounds at the head of every loop of a function."""

    _name = "ethnos_sim_bound_loops"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Add the counting to a function's blocks; False where it has no loops."""
        blocks = state.func_ir.blocks
        loops = compute_cfg_from_blocks(blocks).loops()
        if not loops:
            return False
        first = blocks[min(blocks)]
        left = first.scope.define(mk_unique_var("rounds_left"), first.loc)
        bodies: dict[int, set[int]] = {}
        for loop in loops.values():
            bodies.setdefault(loop.header, set()).update(loop.body)
        for header, body in bodies.items():
            line = min(statement.loc.line for label in body for statement in blocks[label].body)
            _count_round(blocks[header], left, _numbered(f"{first.loc.filename}:{line}"))
        first.body.insert(0, ir.Assign(ir.Const(MOST_ROUNDS, first.loc), left, first.loc))
        state.func_ir._definitions = build_definitions(blocks)
        return True


def _count_round(block: Any, left: Any, loop: int) -> None:
    """Begin a block with `left = go_round(left, loop)`."""
    loc = block.loc
    function = block.scope.define(mk_unique_var("go_round"), loc)
    number = block.scope.define(mk_unique_var("loop"), loc)
    block.body[:0] = [
        ir.Assign(ir.Global("go_round", go_round, loc), function, loc),
        ir.Assign(ir.Const(loop, loc), number, loc),
        ir.Assign(ir.Expr.call(function, [left, number], (), loc), left, loc),
    ]


@bounds_loops
class BoundedCompiler(CompilerBase):
    """Numba's compiler with bounded loops, which refuses what users' code may not reach."""

    def define_pipelines(self) -> list[Any]:
        """The usual passes and two more."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(BoundLoops, InlineClosureLikes)
        passes.add_pass_after(Reach, NopythonTypeInference)
        passes.finalize()
        return [passes]
