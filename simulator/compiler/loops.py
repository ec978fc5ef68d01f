"""Bound the loops of users' code, so that none runs for ever.

Compiled code holds no interpreter lock and cannot be interrupted, so an endless loop in a user's
strategy would hang the program. Functions from outside the package are compiled by
`BoundedCompiler`. It counts the rounds of all loops (`while`, `for` and comprehensions, in
strategies and their helpers, and what functions of Python and NumPy go over), and raises
`EndlessLoop` if a call or a decision takes too many rounds (`rounds`). If a user's function or one
of its callees fails, the function notes its line (`thread_notes`). The package's own code is
compiled without these checks.
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir
from numba.core import cgutils, ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.callconv import CPUCallConv
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.cpu import CPUContext
from numba.core.ir_utils import build_definitions, mk_unique_var
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering, NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes

from ethnos_sim.simulator.compiler import thread_notes
from ethnos_sim.simulator.compiler.elements import CountElements
from ethnos_sim.simulator.compiler.reach import Inserted, Reach, bounds_loops
from ethnos_sim.simulator.compiler.rounds import (
    MOST_ROUNDS,
    field_of,
    go_round,
    notes_in,
    notes_of_thread,
)


@register_pass(mutates_CFG=False, analysis_only=False)
class BoundLoops(FunctionPass):
    """Count rounds at the head of each loop of a function."""

    _name = "ethnos_sim_bound_loops"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Add the counting to a function's blocks; return False if it has no loops."""
        blocks = state.func_ir.blocks
        loops = compute_cfg_from_blocks(blocks).loops()
        if not loops:
            return False
        first = blocks[min(blocks)]
        left, notes, function = (
            first.scope.define(mk_unique_var(name), first.loc)
            for name in ("rounds_left", "notes", "notes_of_thread")
        )
        bodies: dict[int, set[int]] = {}
        for loop in loops.values():
            bodies.setdefault(loop.header, set()).update(loop.body)
        for header, body in bodies.items():
            line = min(statement.loc.line for label in body for statement in blocks[label].body)
            _count_round(
                blocks[header], left, thread_notes.numbered(f"{first.loc.filename}:{line}"), notes
            )
        first.body[:0] = [
            ir.Assign(ir.Const(MOST_ROUNDS, first.loc), left, first.loc),
            ir.Assign(Inserted("notes_of_thread", notes_of_thread, first.loc), function, first.loc),
            ir.Assign(ir.Expr.call(function, [], (), first.loc), notes, first.loc),
        ]
        state.func_ir._definitions = build_definitions(blocks)
        return True


def _count_round(block: Any, left: Any, loop: int, notes: Any) -> None:
    """Insert `left = go_round(left, loop, notes)` at the beginning of a block."""
    loc = block.loc
    function = block.scope.define(mk_unique_var("go_round"), loc)
    number = block.scope.define(mk_unique_var("loop"), loc)
    block.body[:0] = [
        ir.Assign(Inserted("go_round", go_round, loc), function, loc),
        ir.Assign(ir.Const(loop, loc), number, loc),
        ir.Assign(ir.Expr.call(function, [left, number, notes], (), loc), left, loc),
    ]


class _Noting(CPUCallConv):
    """Numba's calling convention, which also notes the line at which a function raises."""

    def __init__(self, context: Any, lower: Lower) -> None:
        super().__init__(context)
        self._lower = lower

    def return_user_exc(self, builder: Any, *given: Any, **named: Any) -> None:
        """Note the line where a function raises."""
        self._note_place(builder)
        super().return_user_exc(builder, *given, **named)

    def return_dynamic_user_exc(self, builder: Any, *given: Any, **named: Any) -> None:
        """Note the line where a function raises an exception with values known only at run time."""
        self._note_place(builder)
        super().return_dynamic_user_exc(builder, *given, **named)

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Note the line of a call that has raised."""
        self._note_place(builder)
        super().return_status_propagate(builder, status)

    def _note_place(self, builder: Any) -> None:
        """Note this line, unless a line is already noted or the code is numba's own."""
        if builder.function is not self._lower.function:
            return
        place = self._lower.loc
        number = llvmlite.ir.IntType(64)(thread_notes.numbered(f"{place.filename}:{place.line}"))
        at = field_of(builder, notes_in(builder), 1)
        noted = builder.load(at)
        builder.store(builder.select(cgutils.is_null(builder, noted), number, noted), at)


class _NotingContext(CPUContext):
    """Numba's target context with the calling convention `_Noting`."""

    lower: Lower

    @property
    def call_conv(self) -> CPUCallConv:
        """The calling convention."""
        return _Noting(self, self.lower)


class _NotingLower(Lower):
    """Numba's lowering with the calling convention `_Noting`."""

    def init(self) -> None:
        """Use `_NotingContext` for this function."""
        super().init()
        self.context.__class__ = _NotingContext  # no other function shares this context
        self.context.lower = self
        # The error model raises for divisions by zero. It must use the noting convention as well.
        self.context.error_model = type(self.context.error_model)(self.context.call_conv)


@register_pass(mutates_CFG=True, analysis_only=False)
class NotingLowering(BaseNativeLowering):
    """Numba's lowering pass, with `_NotingLower`."""

    _name = "ethnos_sim_noting_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        """The class that lowers a function to LLVM."""
        return _NotingLower


@bounds_loops
class BoundedCompiler(CompilerBase):
    """Numba's compiler with bounded loops, which refuses values that users' code may not reach."""

    def define_pipelines(self) -> list[Any]:
        """Numba's passes with `BoundLoops` and `Reach` added, and lowering that notes lines."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(BoundLoops, InlineClosureLikes)
        passes.add_pass_after(Reach, NopythonTypeInference)
        passes.add_pass_after(CountElements, Reach)
        lowering = [step for step, _ in passes.passes].index(NativeLowering)
        passes.passes[lowering] = NotingLowering, str(NotingLowering)
        passes.finalize()
        return [passes]
