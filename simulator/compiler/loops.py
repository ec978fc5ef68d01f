"""Bound the loops of users' code, so that none runs for ever.

Compiled code holds no interpreter lock and cannot be interrupted, so an endless loop in a user's
strategy would hang the program. Functions from outside the package are compiled by
`BoundedCompiler`. It counts the rounds of all loops (`while`, `for` and comprehensions, in
strategies and their helpers), and raises `EndlessLoop` if a call or a decision takes too many
rounds. If a user's function or one of its callees fails, the function notes its line
(`thread_notes`). The package's own code is compiled without these checks.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import llvmlite.ir
import numba
from numba.core import cgutils, ir, types
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.callconv import CPUCallConv
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.cpu import CPUContext
from numba.core.ir_utils import build_definitions, mk_unique_var
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering, NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes
from numba.extending import intrinsic

from ethnos_sim.simulator.compiler import thread_notes
from ethnos_sim.simulator.compiler.failures import ForbiddenAction
from ethnos_sim.simulator.compiler.reach import Inserted, Reach, bounds_loops

for _name, _address in thread_notes.SYMBOLS.items():
    llvmlite.binding.add_symbol(_name, _address)

#: The most rounds that all loops of one decision may take together. A call outside a decision has
#: the same limit. This many rounds take a few hundredths of a second.
MOST_ROUNDS = 10_000_000


class EndlessLoop(ForbiddenAction):
    """The loops of a call took too many rounds; the argument is the number of the loop that ran."""

    @property
    def place(self) -> str:
        """`FILE:LINE` of the loop."""
        return thread_notes.known_places()[self.args[0]]

    def __str__(self) -> str:
        """The message."""
        return f"a loop went round {MOST_ROUNDS:,} times and does not seem to end"


def _notes(builder: Any) -> Any:
    """Emit code that finds the address of this thread's notes."""
    byte, address = llvmlite.ir.IntType(8), cgutils.voidptr_t
    known = builder.module.globals
    key, nobodys = (
        known.get(name) or llvmlite.ir.GlobalVariable(builder.module, byte, name)
        for name in ("ethnos_sim_notes_key", "ethnos_sim_nobodys_notes")
    )
    kind = llvmlite.ir.FunctionType(address, [address])
    get = cgutils.get_or_insert_function(builder.module, kind, "PyThread_tss_get")
    of_thread = builder.call(get, [key])
    return builder.select(cgutils.is_null(builder, of_thread), nobodys, of_thread)


def _field(builder: Any, notes: Any, field: int) -> Any:
    """The address of one of the notes."""
    numbers = builder.bitcast(notes, llvmlite.ir.IntType(64).as_pointer())
    return builder.gep(numbers, [llvmlite.ir.IntType(32)(field)])


@intrinsic
def _notes_at(typing_context: Any) -> Any:
    """The address of this thread's notes."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(_notes(builder), llvmlite.ir.IntType(64))

    return types.int64(), write


@intrinsic
def _rounds(typing_context: Any, notes: Any) -> Any:
    """The rounds that are left, read from the notes at an address."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_field(builder, builder.inttoptr(arguments[0], cgutils.voidptr_t), 0))

    return types.int64(types.int64), write


@intrinsic
def _set_rounds(typing_context: Any, notes: Any, rounds: Any) -> Any:
    """Write how many rounds are left to the notes at an address."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        notes = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        builder.store(arguments[1], _field(builder, notes, 0))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), write


@numba.njit(nogil=True, error_model="numpy")
def notes_of_thread() -> Any:
    """The address of this thread's notes."""
    return _notes_at()


@numba.njit(nogil=True, error_model="numpy")
def go_round(left: Any, loop: Any, notes: Any) -> Any:
    """Count a round: return the rounds that are left after it, or raise EndlessLoop."""
    if left <= 0:
        raise EndlessLoop(loop)
    of_decision = _rounds(notes)
    if of_decision > 0:
        _set_rounds(notes, of_decision - 1)
        if of_decision == 1:
            raise EndlessLoop(loop)
    return left - 1


@numba.njit(nogil=True, error_model="numpy")
def begin_decision() -> Any:
    """Begin to count the rounds of all loops, and return 1.

    Return 0 if an enclosing decision already counts them.
    """
    notes = _notes_at()
    if _rounds(notes) > 0:
        return 0
    _set_rounds(notes, MOST_ROUNDS + 1)  # one more, because `go_round` raises when 1 is left
    return 1


@numba.njit(nogil=True, error_model="numpy")
def end_decision(begun: Any) -> None:
    """Stop counting rounds if `begin_decision` returned 1 (`begun`)."""
    if begun:
        _set_rounds(_notes_at(), 0)


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
        at = _field(builder, _notes(builder), 1)
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
        lowering = [step for step, _ in passes.passes].index(NativeLowering)
        passes.passes[lowering] = NotingLowering, str(NotingLowering)
        passes.finalize()
        return [passes]
