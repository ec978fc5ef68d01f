"""Judge the finished code of users' functions: what it calls, and where it loads and stores.

`reach` checks the types of values before there is code. This module reads the code itself, as LLVM
has it before optimisation. It judges users' functions and the functions of numba that they call,
not this package's own. It follows the addresses of the engine's records from function to function.
It does not judge whether an index lies within its array: that is checked when the code runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ethnos_sim.simulator.compiler.linking import HelperLibrary
from ethnos_sim.simulator.compiler.ownership import is_own
from ethnos_sim.simulator.compiler.reach import WRITES, OutOfReach, is_public
from ethnos_sim.simulator.compiler.rounds import (
    begin_decision,
    end_decision,
    go_over_array,
    go_over_items,
    go_round,
    notes_of_thread,
)

#: The names of values and functions in LLVM's text.
_NAME = r'(?:"[^"]*"|[-\w.$]+)'
_VALUE = re.compile(rf"[%@]{_NAME}")
_HEADER = re.compile(rf"@({_NAME})\((.*)\)")
_INSTRUCTION = re.compile(rf"  (?:(%{_NAME}) = )?(?=(?:(?:tail|musttail|notail) )?(\w+))(\S.*)")
_CALLED = re.compile(rf"([@%]{_NAME})\((.*)\)")
_EXTERNAL = re.compile(rf"^@({_NAME}) = external ", re.MULTILINE)
_DECLARED = re.compile(rf"^declare [^@]*@({_NAME})\(", re.MULTILINE)
_STEP = re.compile(r"getelementptr (?:\w+ )*(\w+), ptr \S+, i\d+ (-?\d+)$")
_LOADED = re.compile(r"load (?:volatile |atomic )?(?:<(\d+) x )?(\w+)")
_POINTER = re.compile(rf"(?:, |^(?:atomicrmw|cmpxchg) [^,]*)ptr ({_VALUE.pattern})")

#: Operations whose result points to the record or variable that an operand points to. Only
#: `getelementptr` changes the offset.
_PASS_ON = frozenset(
    re.findall(
        r"\w+",
        """
        getelementptr addrspacecast bitcast extractelement extractvalue freeze insertelement
        insertvalue phi select shufflevector
        """,
    )
)
#: Operations whose result is a number computed from an address, if an operand is an address.
_COMPUTE = frozenset({"add", "freeze", "mul", "phi", "select", "sext", "shl", "sub", "zext"})

#: Operations that may take a number computed from an address. Comparing is allowed, because numba
#: compares addresses to see whether arrays overlap.
_COMPARE = _COMPUTE | {"icmp"}

_FOLLOWED = _PASS_ON | {"alloca", "call", "inttoptr", "load", "ret", "store"}

_WRITES = ("atomicrmw", "cmpxchg", "store")
_FILLS = re.compile(r"@(?:llvm\.)?mem(?:cpy|move|set)\b")

#: External functions that may be given the address of a shown record. Numba's calls of `NRT_Free`
#: free nothing but copies.
_MAY_BE_GIVEN = re.compile(r"@(?:llvm\.|NRT_Free$)")

#: The names of C's mathematical functions for float64; names for float32 have an `f` at the end.
MATHEMATICS = re.findall(
    r"\w+",
    """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs
    floor fmod frexp hypot ldexp lgamma log log10 log1p log2 nextafter pow remainder rint round sin
    sinh sqrt tan tanh tgamma trunc
    """,
)

#: External functions and variables that judged code may name: LLVM's arithmetic, the mathematics of
#: C and numba, numba's memory, exceptions and texts, and the notes of a thread (`thread_notes`).
_KNOWN = re.compile(
    r"""
    llvm\.(abs|assume|bitreverse|bswap|ceil|copysign|cos|ct|exp|expect|experimental\.noalias|fabs
        |floor|fma|fptosi|fptoui|fshl|fshr|is|ldexp|lifetime|log|max|mem|min|nearbyint|pow|rint
        |round|sadd|sin|smax|smin|smul|sqrt|ssub|trunc|uadd|umax|umin|umul|usub|vector
        |x86\.atomic)[.\w]*
    |NRT_\w+ |numba_(?!recreate|unpickle)\w+ |ethnos_sim_(nobodys_notes|notes_key)
    |Py(Err|Exc|Float|Long|Thread_tss|Tuple|Unicode)_\w+ |PyObject_(Hash|Str) |PySys_FormatStdout
    |Py_(DecRef|IncRef|FatalError)
    |mem(cpy|move|set)
    """
    rf"|({'|'.join(MATHEMATICS)})f?",
    re.VERBOSE,
)


class Field(NamedTuple):
    """Bytes of a record that users' code may load, and perhaps store to."""

    start: int
    stop: int
    writable: bool = False


#: Special offsets. `_OUTSIDE`: an address lies outside its record. `_ANY`: a variable holds an
#: address, but the place in the variable is unknown.
_OUTSIDE = _ANY = -1

#: Bytes of an address.
_WORD = 8

#: The part of a variable in which addresses are tracked by their offset.
_VARIABLE = (Field(0, 4096),)

#: The name of the weights among the records. The engine's function computes the weights' address
#: from a number.
_NUMBERS = "numbers"


class _Place(NamedTuple):
    """Where an address points: into a shown record, or to a variable of a function.

    `within` says that an index known only at run time was added to `offset`.
    """

    record: str
    offset: int = 0
    within: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether the address points into a shown record."""
        return "%" not in self.record


#: The fields of each record that users' code may load or store to, by the name of the engine's
#: argument.
Shown = Mapping[str, Sequence[Field]]

#: Compiled helpers by their symbols.
known: dict[str, Any] = {}


def _shown(places: Iterable[_Place]) -> list[_Place]:
    """The places that lie in shown records."""
    return [place for place in places if place.is_shown]


class _Instruction(NamedTuple):
    """An LLVM instruction.

    Attributes:
        target: the value that it defines, or an empty text.
        operation: its name ("load").
        text: the instruction without its metadata, which only the optimiser reads.
        values: all values and functions that it names.
        pointer: the address that a load or a write uses; empty if it is a constant.
        called: the function that a call calls.
        given: the call's arguments; empty texts for constants.
    """

    target: str
    operation: str
    text: str
    values: list[str]
    pointer: str
    called: str
    given: list[str]


class _Function:
    """A function: its parameters, its instructions, and the places that its values point to."""

    def __init__(self, text: str, number: int) -> None:
        header, _, body = text.partition("\n")
        signature = _HEADER.search(header)
        self._number = number
        self.parameters = _arguments(signature.group(2) if signature else "")
        self.instructions = [*_instructions(body)]
        self.followed = [step for step in self.instructions if step.operation in _FOLLOWED]
        self.numbers: set[str] = set()
        self._places: dict[str, set[_Place]] = defaultdict(set)
        for parameter in self.parameters:
            self.places_of(parameter).add(self.variable(parameter))

    def variable(self, value: str) -> _Place:
        """The place of a variable, or of the caller's variable that a parameter points to."""
        return _Place(f"{self._number}{value}")

    def places(self, *values: str) -> set[_Place]:
        """The places that any of the values points to."""
        return {place for value in values for place in self._places.get(value, ())}

    def find_numbers(self) -> None:
        """Find the numbers that are computed from addresses in shown records."""
        known = -1
        while known < len(self.numbers):
            known = len(self.numbers)
            for step in self.instructions:
                if step.operation.startswith("ptrto"):
                    is_number = bool(_shown(self.places(*step.values)))
                else:
                    computes = step.operation in _COMPUTE
                    is_number = computes and not self.numbers.isdisjoint(step.values)
                if is_number:
                    self.numbers.add(step.target)

    def places_of(self, value: str) -> set[_Place]:
        """The set of places that a value points to; callers may add to it."""
        return self._places[value]


def _instructions(body: str) -> Iterator[_Instruction]:
    """The instructions in a function's text."""
    for line in body.splitlines():
        if instruction := _INSTRUCTION.match(line):
            target, operation, rest = instruction.groups()
            text = rest.partition(", !")[0]
            called = _CALLED.search(text) if operation == "call" else None
            name, given = called.groups() if called else ("", "")
            pointer = _POINTER.search(text) if operation in ("load", *_WRITES) else None
            yield _Instruction(
                *(target or "", operation, text, _VALUE.findall(text)),
                *(pointer.group(1) if pointer else "", name, _arguments(given)),
            )


def _arguments(text: str) -> list[str]:
    """The values that top-level commas separate; empty texts for constants."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    all_values = [_VALUE.findall(part) for part in parts if part]
    return [values[-1] if values else "" for values in all_values]


def _size(load: str) -> int:
    """The size in bytes of the numbers that an instruction loads; 0 for addresses, structures."""
    loaded = _LOADED.match(load)
    return _bytes(loaded.group(2)) * int(loaded.group(1) or 1) if loaded else 0


def _may_overlap(place: _Place, offset: int, size: int) -> bool:
    """Whether loading `size` bytes (0: unknown) at a place may read the address at an offset."""
    if place.within or _ANY in (offset, place.offset):
        return True
    return offset < place.offset + (size or _WORD) and place.offset < offset + _WORD


def _bytes(kind: str) -> int:
    """The size in bytes of a number of an LLVM type; 0 if the type is not numeric."""
    bits = int(kind[1:]) if kind[1:].isdigit() else {"double": 64, "float": 32}.get(kind, 0)
    return (bits + 7) // 8


class _Judge:
    """The functions that are judged, and the places to which their values point."""

    def __init__(self, text: str, root: str, shown: Shown) -> None:
        beginning, *texts = text.split("\ndefine ")
        headers = {text: _HEADER.search(text) for text in texts}
        self._texts = {header.group(1): text for text, header in headers.items() if header}
        self._outside = {*_EXTERNAL.findall(beginning), *_DECLARED.findall(text)}
        self._root = root
        self._shown = {**shown, _NUMBERS: [Field(0, 1)]}
        self._public, private = _packages_functions()
        self._packages = self._public | private
        #: For each variable and each offset in it, the places whose addresses are stored there.
        self._held: dict[str, dict[int, set[_Place]]] = defaultdict(lambda: defaultdict(set))
        self._found_more = True
        self._functions: dict[str, _Function] = {}
        self._callers: dict[str, str] = {}
        users = [name for name in self._texts if name in known and self._is_judged(name)]
        for name in (root, *users):
            self._add(name)
        engine = self._functions[root]
        for parameter in engine.parameters:
            if (record := parameter.removeprefix("%arg.")) in shown:
                engine.places_of(parameter).add(_Place(record))

    def _is_judged(self, name: str) -> bool:
        """Whether a function is in the module and does not belong to this package."""
        return name in self._texts and name not in self._packages

    def _add(self, name: str, caller: str = "") -> None:
        """Add a function, and the functions outside this package that it names."""
        if name in self._functions:
            return
        function = self._functions[name] = _Function(self._texts[name], len(self._functions))
        self._callers[name] = caller
        for value in {value[1:] for step in function.instructions for value in step.values}:
            if self._is_judged(value):
                self._add(value, name)

    def place_of(self, name: str) -> str:
        """`FILE:LINE` of a user's function; for numba's functions, of the user's caller."""
        while name not in known and self._callers[name]:
            name = self._callers[name]
        code = getattr(known.get(name), "py_func", judge).__code__
        return f"{code.co_filename}:{code.co_firstlineno}"

    def complaints(self) -> Iterator[tuple[str, str]]:
        """Pairs of a function's symbol and a sentence about a forbidden thing that it does."""
        while self._found_more:
            self._found_more = False
            for function in self._functions.values():
                for step in function.followed:
                    self._follow(function, step)
        for name, function in self._functions.items():
            function.find_numbers()
            for step in function.instructions if name != self._root else ():
                for sentence in self._wrong(function, step):
                    yield name, sentence

    def _learn(self, places: set[_Place], more: Iterable[_Place]) -> None:
        """Add `more` to the set `places`; note whether the set grew."""
        size = len(places)
        places.update(more)
        self._found_more |= len(places) > size

    def _follow(self, function: _Function, step: _Instruction) -> None:
        """Follow the addresses that an instruction passes on."""
        if step.operation == "alloca":
            self._learn(function.places_of(step.target), [function.variable(step.target)])
        elif step.operation in _PASS_ON:
            self._learn(function.places_of(step.target), self._moved(function, step))
        elif step.operation == "inttoptr" and function is self._functions[self._root]:
            self._learn(function.places_of(step.target), [_Place(_NUMBERS)])
        elif step.operation == "load":
            size = _size(step.text)
            for place in function.places(step.pointer):
                for offset, held in self._held[place.record].items():
                    if _may_overlap(place, offset, size):
                        self._learn(function.places_of(step.target), held)
        elif step.operation == "store":
            stored = function.places(*step.values[:-1])
            for place in function.places(step.pointer) if stored else ():
                is_known = step.text.startswith("store ptr ") and not place.within
                self._learn(self._held[place.record][place.offset if is_known else _ANY], stored)
        elif step.operation == "ret":
            self._learn(function.places_of("ret"), function.places(*step.values))
        elif step.operation == "call" and (called := self._functions.get(step.called[1:])):
            self._follow_call(function, step, called)

    def _follow_call(self, function: _Function, call: _Instruction, called: _Function) -> None:
        """Follow addresses into a function that is judged, and back."""
        if call.target:
            self._learn(function.places_of(call.target), _shown(called.places_of("ret")))
        for parameter, given in zip(called.parameters, call.given, strict=False):
            for place in function.places(given):
                if place.is_shown:
                    self._learn(called.places_of(parameter), [place])
                else:
                    inner, outer = called.variable(parameter), place
                    self._share(inner, outer)
                    self._share(outer, inner)

    def _share(self, source: _Place, target: _Place) -> None:
        """Note that `target`, another name for the memory of `source`, holds the same addresses."""
        for offset, places in list(self._held[source.record].items()):
            known = offset != _ANY and not (source.within or target.within)
            moved = offset - source.offset + target.offset if known else _ANY
            self._learn(self._held[target.record][moved], places)

    def _moved(self, function: _Function, step: _Instruction) -> Iterator[_Place]:
        """The places that the result of an operation on addresses points to."""
        move = _STEP.match(step.text) if step.operation == "getelementptr" else None
        width = _bytes(move.group(1)) if move else 0
        for place in function.places(*step.values):
            if step.operation == "phi":  # in a loop the address may move on at every round
                yield place._replace(within=True)
            elif place.within or step.operation != "getelementptr":
                yield place
            elif move and width:
                offset = place.offset + width * int(move.group(2))
                fields = self._shown.get(place.record, _VARIABLE)
                size = max((field.stop for field in fields), default=0)
                yield place._replace(offset=offset if 0 <= offset < size else _OUTSIDE)
            else:
                yield place._replace(within=True)

    def _wrong(self, function: _Function, step: _Instruction) -> Iterator[str]:
        """Complaints about an instruction: a sentence for each forbidden thing that it does."""
        if "inttoptr" in step.text or " asm " in step.text:
            yield "an address is made of a number"
        if step.operation not in _COMPARE and not function.numbers.isdisjoint(step.values):
            yield "a number is made of an address"
        for value in step.values:
            if value[0] == "@" and not self._may_name(value[1:]):
                yield f"{value[1:]} is out of reach"
        pointed = function.places(step.pointer)
        if step.operation == "load":
            yield from self._wrong_load(step.text, pointed, function.places_of(step.target))
        elif step.operation in _WRITES:
            yield from self._wrong_write(step.pointer, pointed, function.places(*step.values[:-1]))
        elif step.operation == "call":
            yield from self._wrong_call(function, step)
        elif step.operation in ("callbr", "invoke"):
            yield "this calls an address"

    def _may_name(self, name: str) -> bool:
        """Whether users' code may name a function or a global variable."""
        if name in self._texts:
            return name in self._functions or name in self._public
        return name not in self._outside or _KNOWN.fullmatch(name) is not None

    def _wrong_load(self, text: str, pointed: set[_Place], loaded: set[_Place]) -> Iterator[str]:
        """Complaints about a load.

        `pointed` holds the places to which the load's address points, `loaded` the places to which
        the loaded value points.
        """
        size = _size(text)
        if not all(size and self._lies(place, size) for place in _shown(pointed)):
            yield "this reads what is not shown"
        if size and _shown(loaded):
            yield "a number is made of an address"

    def _lies(self, place: _Place, size: int, *, writable: bool = False) -> bool:
        """Whether bytes at a place in a shown record lie within one of its fields."""
        end = place.offset + (1 if place.within else size)
        return any(
            field.start <= place.offset and end <= field.stop and field.writable >= writable
            for field in self._shown[place.record]
        )

    def _wrong_write(
        self, pointer: str, pointed: set[_Place], stored: set[_Place]
    ) -> Iterator[str]:
        """Complaints about a write.

        `pointed` holds the places to which the address `pointer` points, `stored` the places to
        which the written value points.
        """
        if pointer[:1] == "@":
            yield "this writes to a global variable"
        shown = _shown(pointed)
        if not all(self._lies(place, 1, writable=True) for place in shown):
            yield WRITES
        if _shown(stored) and len(shown) == len(pointed):
            yield "this keeps the address of what is shown"

    def _wrong_call(self, function: _Function, call: _Instruction) -> Iterator[str]:
        """Complaints about a call. The caller checks whether the function's name is allowed."""
        if call.called[:1] != "@":
            yield "this calls an address"
        elif _FILLS.match(call.called):
            target, source, *_ = call.given
            yield from self._wrong_write(target, function.places(target), set())
            if not all(self._lies(place, 1) for place in _shown(function.places(source))):
                yield "this reads what is not shown"
        elif call.called[1:] in self._outside and not _MAY_BE_GIVEN.match(call.called):
            for _ in _shown(function.places(*call.given)):
                yield "this gives away the address of what is shown"


def _is_packages(helper: Any) -> bool:
    """Whether this package compiled a helper from its own function.

    A user's object may claim this, but its `id` is not in `HelperLibrary.helpers`.
    """
    return id(helper) in HelperLibrary.helpers and is_own(helper.py_func)


def _packages_functions() -> tuple[set[str], set[str]]:
    """Two sets of symbols of this package's functions: users' code may call the first set only."""
    public: set[str] = set()
    private: set[str] = set()
    for name, helper in known.items():
        if _is_packages(helper):
            (public if is_public(helper) else private).add(name)
    for helpers, symbols in (
        ((go_over_array, go_over_items, go_round, notes_of_thread), public),
        ((begin_decision, end_decision), private),
    ):
        symbols.update(
            compiled.fndesc.llvm_func_name
            for helper in helpers
            for compiled in helper.overloads.values()
        )
    return public, private


def judge(text: str, root: str, shown: Shown) -> None:
    """Raise OutOfReach for the first forbidden thing that a user's function does.

    Args:
        text: the module as LLVM text, with everything that the engine's function calls.
        root: the function that the engine calls. It belongs to this package, so it is followed but
            not judged.
        shown: the fields that users' code may load or store to, for each argument of `root` that
            is a record.
    """
    judgement = _Judge(text, root, shown)
    for name, sentence in judgement.complaints():
        raise OutOfReach(f"{judgement.place_of(name)}: {sentence}")
