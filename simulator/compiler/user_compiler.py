"""Compile users' functions so that their loops end, and errors name a line.

A call of a user's function may take MOST_ITERATIONS iterations of the function's loops (`while`,
`for` and comprehensions). Compiled code can pass only a number through an exception, so a function
notes its line before it raises an exception or passes one on.
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir
import numba
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

from ethnos_sim.simulator.compiler.failures import FAULT_SYMBOL, ForbiddenAction
from ethnos_sim.simulator.compiler.shown_records import ShownRecordPass

#: The most iterations that the loops of one call of a function may take together, which last a few
#: hundredths of a second.
MOST_ITERATIONS = 10_000_000


class EndlessLoop(ForbiddenAction):
    """The loops of a call took too many iterations."""

    def __str__(self) -> str:
        """The message for the user."""
        return f"a loop went round {MOST_ITERATIONS:,} times and does not seem to end"


@numba.njit(nogil=True, error_model="numpy")
def count_iteration(remaining: Any) -> Any:
    """One less than the remaining iterations; raise EndlessLoop if none remain."""
    if remaining <= 0:
        raise EndlessLoop
    return remaining - 1


@register_pass(mutates_CFG=False, analysis_only=False)
class BoundLoops(FunctionPass):
    """Count the iterations of all loops of a function."""

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
        left = first.scope.define(mk_unique_var("iterations_left"), first.loc)
        bodies: dict[int, set[int]] = {}
        for loop in loops.values():
            bodies.setdefault(loop.header, set()).update(loop.body)
        for header, body in bodies.items():
            line = min(statement.loc.line for label in body for statement in blocks[label].body)
            _insert_count(blocks[header], left, first.loc.with_lineno(line))
        first.body.insert(0, ir.Assign(ir.Const(MOST_ITERATIONS, first.loc), left, first.loc))
        state.func_ir._definitions = build_definitions(blocks)
        return True


def _insert_count(block: Any, remaining: Any, line: Any) -> None:
    """Insert `left = count_iteration(left)` at the beginning of a block."""
    function = block.scope.define(mk_unique_var("count_iteration"), line)
    block.body[:0] = [
        ir.Assign(ir.Global("count_iteration", count_iteration, line), function, line),
        ir.Assign(ir.Expr.call(function, [remaining], (), line), remaining, line),
    ]


class _FaultLineConvention(CPUCallConv):
    """Numba's calling convention, except that a function notes its line before it raises."""

    def __init__(self, context: Any, lower: Lower) -> None:
        super().__init__(context)
        self._lower = lower

    def return_user_exc(self, builder: Any, *arguments: Any, **keywords: Any) -> None:
        """Note the line where a function raises."""
        self._note_line(builder)
        super().return_user_exc(builder, *arguments, **keywords)

    def return_dynamic_user_exc(self, builder: Any, *arguments: Any, **keywords: Any) -> None:
        """Note the line where a function raises an exception with values known only at run time."""
        self._note_line(builder)
        super().return_dynamic_user_exc(builder, *arguments, **keywords)

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Note the line of a call that has raised."""
        self._note_line(builder)
        super().return_status_propagate(builder, status)

    def _note_line(self, builder: Any) -> None:
        """Note this line, unless a line is already noted or the code is numba's own."""
        if builder.function is not self._lower.function:
            return
        known = builder.module.globals.get(FAULT_SYMBOL)
        note = known or llvmlite.ir.GlobalVariable(builder.module, cgutils.voidptr_t, FAULT_SYMBOL)
        line = f"{self._lower.loc.filename}:{self._lower.loc.line}"
        here = self._lower.context.insert_const_string(builder.module, line)
        noted = builder.load(note)
        builder.store(builder.select(cgutils.is_null(builder, noted), here, noted), note)


class _FaultLineContext(CPUContext):
    """Numba's target context with the calling convention `_FaultLineConvention`."""

    lower: Lower

    @property
    def call_conv(self) -> CPUCallConv:
        """The calling convention that notes the line of a fault."""
        return _FaultLineConvention(self, self.lower)

    def get_env_manager(self, builder: Any, return_pyobject: bool = False) -> Any:
        """The environment (a function's Python objects), which numba needs to compile `print`.

        It is empty, because code that the engine calls by address has no environment.
        """
        nothing = cgutils.get_null_value(cgutils.voidptr_t)
        body = self.get_env_body(builder, nothing)
        return self.get_python_api(builder).get_env_manager(self.environment, body, nothing)


class _FaultLineLower(Lower):
    """Numba's lowering with the calling convention `_FaultLineConvention`."""

    def init(self) -> None:
        """Use `_FaultLineContext` for this function."""
        super().init()
        self.context.__class__ = _FaultLineContext  # no other function shares this context
        self.context.lower = self
        # The error model raises for divisions by zero. It must use the noting convention as well.
        self.context.error_model = type(self.context.error_model)(self.context.call_conv)


@register_pass(mutates_CFG=True, analysis_only=False)
class FaultLineLowering(BaseNativeLowering):
    """Numba's lowering pass, with `_FaultLineLower`."""

    _name = "ethnos_sim_fault_line_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        """The class that lowers a function to LLVM."""
        return _FaultLineLower


class UserCompiler(CompilerBase):
    """Numba's compiler for users' functions."""

    def define_pipelines(self) -> list[Any]:
        """Numba's passes, with bounded loops and lowering that notes the line of a fault."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(BoundLoops, InlineClosureLikes)
        passes.add_pass_after(ShownRecordPass, NopythonTypeInference)
        lowering = [step for step, _ in passes.passes].index(NativeLowering)
        passes.passes[lowering] = FaultLineLowering, str(FaultLineLowering)
        passes.finalize()
        return [passes]
