"""Turn an author's functions into machine code that the engine calls by address.

For each strategy and power, a generated function reads which decision is wanted, calls the author's
function for it and writes the answer. The compiler's errors are turned into readable sentences.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from numba import config, types

from ethnos_sim.simulator.compiler import NotKept, compile_callback
from ethnos_sim.simulator.compiler.shown import IN_A_LOOP, PRINTS, WRITES
from ethnos_sim.simulator.user_code.checking import complaints, plain, source_line
from ethnos_sim.simulator.utilities.errors import WrongInput


def generated_function(
    name: str, function: str, source: str, names: Mapping[str, Any]
) -> Callable[..., Any]:
    """A function from generated source.

    Args:
        name: the name of the function's module and of its kept machine code.
        function: the function's name in the source.
        source: the Python source.
        names: the global names that the source uses.
    """
    # Kept machine code finds its module by name, so register the module under that name.
    module = ModuleType(f"ethnos_sim_generated_{name}")
    sys.modules[module.__name__] = module
    vars(module).update(names)
    exec(compile(source, f"<{name}>", "exec"), vars(module))
    generated: Callable[..., Any] = vars(module)[function]
    return generated


class Answer(NamedTuple):
    """The type that a function must return: its name in words, and a test of compiled types."""

    wanted: str
    fits: Callable[[Any], bool]


def is_number(answer: Any) -> bool:
    """Whether a compiled type is an integer."""
    return isinstance(answer, types.Integer)


def is_yes_or_no(answer: Any) -> bool:
    """Whether a compiled type is a boolean, or an integer, which is taken for a boolean."""
    return isinstance(answer, types.Integer | types.Boolean)


@dataclass(frozen=True, kw_only=True)
class GeneratedCode:
    """An author's functions, and the generated function that the engine calls by address.

    Attributes:
        what: the strategy or power in words ("strategy 'gambler'").
        error: the exception to raise.
        chance: the argument `chance` of `complaints`.
        fields: the argument `fields` of `complaints`.
        name: the name of the generated function's module and of its kept machine code.
        entry: the generated function's name in `source`.
        source: the Python source of the generated function.
        signature: the numba signature of the generated function.
        functions: the author's functions by name.
        names: the compiled functions, and everything else that `source` refers to.
        kinds: the types of the functions' arguments, by the argument's name.
        answers: the types that functions must return. Only these are checked: a wrong number (2.5
            for a region) would compile.
    """

    what: str
    error: type[WrongInput]
    chance: str
    fields: Mapping[str, tuple[str, Sequence[str]]]
    name: str
    entry: str
    source: str
    signature: Any
    functions: Mapping[str, Callable[..., Any]]
    names: Mapping[str, Any]
    kinds: Mapping[str, Any]
    answers: Mapping[str, Answer]

    def check(self) -> None:
        """Check the functions and their helpers; raise `error` with the first of `complaints`."""
        asked = [*self.functions.values()]
        for place, complaint in complaints(asked, self.chance, self.fields):
            raise self.error(f"{place}: in {self.what}, {complaint}")

    def compile(self) -> Any:
        """The compiled function (numba CFunc; keep it alive while its address is used).

        Raises:
            `error`: `check` fails, or the code does not compile; the message names file and line.
                It is also raised if NUMBA_BOUNDSCHECK switches the checks of indices off.
        """
        self.check()
        if config.BOUNDSCHECK == 0:
            raise self._error("NUMBA_BOUNDSCHECK lets indices be unchecked; unset it")
        function = generated_function(self.name, self.entry, self.source, self.names)
        try:
            return compile_callback(self.name, self.signature, function, self._check_answers)
        except (WrongInput, NotKept):
            raise
        except Exception as error:  # the compiler may raise anything
            raise self._error(self._explanation(error)) from error

    def _explanation(self, error: Exception) -> str:
        """A compile error in words; compile each function alone first, for a clearer error."""
        try:
            self._check_answers()
        except WrongInput:
            raise
        except Exception as deeper:
            error = deeper
        return explain(error, next(iter(self.functions.values())))

    def _check_answers(self) -> None:
        """Raise `error` for the first function whose answer has the wrong type."""
        for name, (wanted, fits) in self.answers.items():
            function = plain(self.functions[name])
            arguments = tuple(
                self.kinds[parameter] for parameter in inspect.signature(function).parameters
            )
            self.names[name].compile(arguments)
            answer = types.unliteral(self.names[name].overloads[arguments].signature.return_type)
            if not fits(answer):
                given = f"'{function.__name__}' must return {wanted}, not {type_in_words(answer)}"
                raise self._error(f"{source_line(function)}: {given}")

    def _error(self, sentence: str) -> WrongInput:
        return self.error(f"{self.what} does not compile: {sentence}")


#: Patterns in the compiler's messages, and the sentences for authors. The first match is used.
_REASONS = (
    (re.compile(f"({WRITES}|{PRINTS}|{IN_A_LOOP})"), "{}"),
    (re.compile(r"Cannot modify (?:readonly array|the \w+ of what is shown)"), WRITES),
    # Numba itself fails with this error at `array += 1` if the array is read-only.
    (re.compile(r"AttributeError: 'NoneType' object has no attribute 'args'"), WRITES),
    (re.compile(r"TypeError: (too many [^\"\n]+)"), "a call has {}"),
    (re.compile(r"TypeError: (missing [^\"\n]+)"), "a call is {}"),
    (re.compile(r"TypeError: got (an [^\"\n]+)"), "a call has {}"),
    (re.compile(r"Unknown attribute '(\w+)'"), "there is no attribute '{}'"),
    (
        re.compile("opcode .IMPORT_NAME"),
        "no import within a function: import at the top of the file",
    ),
    (re.compile("use of yield in a closure"), "no generators: write a list, as in max([...])"),
    (re.compile(r"opcode \((\w+)\)"), "this cannot be compiled ({})"),
    (re.compile(r"Untyped global name '(\w+)'"), "'{}' cannot be used in compiled code"),
    (
        re.compile(r"Use of unsupported NumPy function 'numpy\.(\S+)'"),
        "'np.{}' cannot be used in compiled code",
    ),
    (re.compile(r"Type of variable '(\w+)' cannot be determined"), "the type of '{}' is not clear"),
    (
        re.compile(r"Function\(<built-in function setitem>\)[^\n]*\n[^\S\n]*\n?.*DictType", re.S),
        "a dictionary has keys of one type, and values of one type",
    ),
    (
        re.compile(
            r"(?:Invalid use of|No implementation of function) (?:Function|type)"
            r"\((?:<(?:class|built-in function|function) '?(?:\w+\.)*)?(.+?)(?:'?>| at .+)?\)"
        ),
        "wrong use of {}",
    ),
    (re.compile(r"Cannot unify (.+?) and (.+?) for"), "a value is {} here and {} there"),
)
LONGEST_REASON = 160


def explain(error: Exception, function: Callable[..., Any]) -> str:
    """Turn a compile error into one sentence: the line in the function's file, and the fault."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    file = inspect.getsourcefile(plain(function)) or ""
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    places += re.findall(r"Raised from (\S+) \((\d+)\)", text)
    lines_of_file = [line for name, line in places if Path(name).name == Path(file).name]
    where = f"{file}:{lines_of_file[0]}" if lines_of_file else source_line(function)
    for pattern, sentence in _REASONS:
        match = pattern.search(text)
        if match:
            return f"{where}: {sentence.format(*match.groups())[:LONGEST_REASON]}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # A dollar sign marks a name that the compiler gave.
    reasons = [line for line in lines if not re.match(r"Failed in nopython mode|.*\$", line)]
    reason = f" ({reasons[0][:LONGEST_REASON]})" if reasons else ""
    return f"{where}: this cannot be compiled{reason}"


def type_in_words(answer: Any) -> str:
    """A compiled type in an author's words."""
    answer = types.unliteral(answer)
    if isinstance(answer, types.Optional):
        return f"{type_in_words(answer.type)} on one path and nothing on another"
    if isinstance(answer, types.BaseNamedTuple):
        return str(answer.instance_class.__name__)
    words = {
        types.NoneType: "nothing",
        types.Boolean: "True or False",
        types.Integer: "a whole number",
        types.Float: "a number with decimals",
        types.UnicodeType: "a text",
    }
    return words.get(type(answer), type(answer).__name__)
