"""Count the rounds of users' loops: the budget of a decision, kept in a thread's notes."""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import llvmlite.ir
import numba
from numba.core import cgutils, types
from numba.extending import intrinsic

from ethnos_sim.simulator.compiler import thread_notes
from ethnos_sim.simulator.compiler.failures import ForbiddenAction

for _name, _address in thread_notes.SYMBOLS.items():
    llvmlite.binding.add_symbol(_name, _address)

#: The most rounds that all loops of one decision may take together. A call outside a decision has
#: the same limit. This many rounds take a few hundredths of a second.
MOST_ROUNDS = 10_000_000

#: How many elements a function of Python or NumPy goes over in about the time of one round.
ELEMENTS = 16


class EndlessLoop(ForbiddenAction):
    """The loops of a call took too many rounds; the argument is the number of the loop that ran."""

    @property
    def place(self) -> str:
        """`FILE:LINE` of the loop."""
        return thread_notes.known_places()[self.args[0]]

    def __str__(self) -> str:
        """The message."""
        return f"a loop went round {MOST_ROUNDS:,} times and does not seem to end"


def notes_in(builder: Any) -> Any:
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


def field_of(builder: Any, notes: Any, field: int) -> Any:
    """The address of one of the notes."""
    numbers = builder.bitcast(notes, llvmlite.ir.IntType(64).as_pointer())
    return builder.gep(numbers, [llvmlite.ir.IntType(32)(field)])


@intrinsic
def _notes_at(typing_context: Any) -> Any:
    """The address of this thread's notes."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(notes_in(builder), llvmlite.ir.IntType(64))

    return types.int64(), write


@intrinsic
def _rounds(typing_context: Any, notes: Any) -> Any:
    """The rounds that are left, read from the notes at an address."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(field_of(builder, builder.inttoptr(arguments[0], cgutils.voidptr_t), 0))

    return types.int64(types.int64), write


@intrinsic
def _set_rounds(typing_context: Any, notes: Any, rounds: Any) -> Any:
    """Write how many rounds are left to the notes at an address."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        notes = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        builder.store(arguments[1], field_of(builder, notes, 0))
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


class TooManyElements(EndlessLoop):
    """The functions of Python and NumPy that a decision calls went over too many elements."""

    def __str__(self) -> str:
        """The message."""
        return f"functions went over more than {MOST_ROUNDS * ELEMENTS:,} elements in one decision"


@numba.njit(nogil=True, error_model="numpy")
def _go_over(elements: Any, place: Any) -> None:
    """Count elements as rounds, or raise TooManyElements."""
    notes = _notes_at()
    of_decision = _rounds(notes)
    if of_decision > 0:
        rounds = elements // ELEMENTS
        if rounds >= of_decision:
            raise TooManyElements(place)
        _set_rounds(notes, of_decision - rounds)


@numba.njit(nogil=True, error_model="numpy")
def go_over_array(array: Any, place: Any) -> None:
    """Count an array's elements as rounds, or raise TooManyElements."""
    if array is not None:
        _go_over(array.size, place)


@numba.njit(nogil=True, error_model="numpy")
def go_over_items(items: Any, place: Any) -> None:
    """Count the items of a range, list, set or text as rounds, or raise TooManyElements."""
    if items is not None:
        _go_over(len(items), place)


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
