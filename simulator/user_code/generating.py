"""Turn an author's functions into machine code that the engine calls by address.

For each strategy and power, a generated function reads which question is asked, calls the author's
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

from ethnos_sim.simulator.compiler import MissingCode, compile_callback
from ethnos_sim.simulator.compiler.shown_records import IN_A_LOOP, PRINTS, WRITES
from ethnos_sim.simulator.user_code.checking import complaints, python_function, source_line
from ethnos_sim.simulator.utilities.errors import WrongInput


def generated_function(
    name: str, function_name: str, source: str, global_names: Mapping[str, Any]
) -> Callable[..., Any]:
    """The function that generated Python source defines.

    Args:
        name: the name of the function's module and of its cached machine code.
        function_name: the function's name in the source.
        source: the Python source.
        global_names: the global names that the source uses.
    """
    # Cached machine code finds its module by name, so register the module under that name.
    module = ModuleType(f"ethnos_sim_generated_{name}")
    sys.modules[module.__name__] = module
    vars(module).update(global_names)
    exec(compile(source, f"<{name}>", "exec"), vars(module))
    generated: Callable[..., Any] = vars(module)[function_name]
    return generated


class AnswerType(NamedTuple):
    """The type that a function must return: its name in words, and whether a numba type fits."""

    words: str
    fits: Callable[[Any], bool]


def is_int(answer_type: Any) -> bool:
    """Whether a compiled type is an integer."""
    return isinstance(answer_type, types.Integer)


def is_bool(answer_type: Any) -> bool:
    """Whether a compiled type is a boolean, or an integer, which may stand for a boolean."""
    return isinstance(answer_type, types.Integer | types.Boolean)


@dataclass(frozen=True, kw_only=True)
class GeneratedCode:
    """An author's functions, and the generated function that the engine calls by address.

    Attributes:
        owner: the strategy or power in words ("strategy 'gambler'").
        error_type: the exception to raise.
        chance_hint: the argument `chance_hint` of `complaints`.
        fields: the argument `fields` of `complaints`.
        name: the name of the generated function's module and of its cached machine code.
        entry_name: the generated function's name in `source`.
        source: the Python source of the generated function.
        signature: the numba signature of the generated function.
        functions: the author's functions by name.
        global_names: the compiled functions, and everything else that `source` refers to.
        argument_types: the types of the functions' arguments, by the argument's name.
        answer_types: the types that functions must return, by the function's name. Without this
            check a wrong number (2.5 for a region) would compile.
    """

    owner: str
    error_type: type[WrongInput]
    chance_hint: str
    fields: Mapping[str, tuple[str, Sequence[str]]]
    name: str
    entry_name: str
    source: str
    signature: Any
    functions: Mapping[str, Callable[..., Any]]
    global_names: Mapping[str, Any]
    argument_types: Mapping[str, Any]
    answer_types: Mapping[str, AnswerType]

    def check(self) -> None:
        """Raise `error_type` with the first complaint about the functions and their helpers."""
        asked = [*self.functions.values()]
        for line, complaint in complaints(asked, self.chance_hint, self.fields):
            raise self.error_type(f"{line}: in {self.owner}, {complaint}")

    def compile(self) -> Any:
        """The compiled function (numba CFunc; keep it alive while its address is used).

        Raises:
            `error_type`: `check` fails, or the code does not compile; the message names the line.
                It is also raised if NUMBA_BOUNDSCHECK switches the checks of indices off.
        """
        self.check()
        if config.BOUNDSCHECK == 0:
            raise self._error("NUMBA_BOUNDSCHECK switches the checks of indices off; unset it")
        function = generated_function(self.name, self.entry_name, self.source, self.global_names)
        try:
            return compile_callback(self.name, self.signature, function, self._check_answers)
        except (WrongInput, MissingCode):
            raise
        except Exception as error:  # the compiler may raise anything
            raise self._error(self._explanation(error)) from error

    def _explanation(self, error: Exception) -> str:
        """A compile error in words; each function is compiled alone first, for a clearer error."""
        try:
            self._check_answers()
        except WrongInput:
            raise
        except Exception as deeper:
            error = deeper
        return error_sentence(error, next(iter(self.functions.values())))

    def _check_answers(self) -> None:
        """Raise `error_type` for the first function whose answer has the wrong type."""
        for name, (words, fits) in self.answer_types.items():
            function = python_function(self.functions[name])
            parameters = inspect.signature(function).parameters
            arguments = tuple(self.argument_types[parameter] for parameter in parameters)
            self.global_names[name].compile(arguments)
            compiled = self.global_names[name].overloads[arguments]
            answer = types.unliteral(compiled.signature.return_type)
            if not fits(answer):
                given = f"'{function.__name__}' must return {words}, not {type_in_words(answer)}"
                raise self._error(f"{source_line(function)}: {given}")

    def _error(self, sentence: str) -> WrongInput:
        return self.error_type(f"{self.owner} does not compile: {sentence}")


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
    (
        re.compile("Failed in helper mode.*make_function", re.DOTALL),
        "the package's own code has no comprehension, generator or inner function: write a loop",
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


def error_sentence(error: Exception, function: Callable[..., Any]) -> str:
    """Turn a compile error into one sentence: the line in the function's file, and the fault."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    file = inspect.getsourcefile(python_function(function)) or ""
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


def type_in_words(compiled_type: Any) -> str:
    """A compiled type in an author's words."""
    plain = types.unliteral(compiled_type)
    if isinstance(plain, types.Optional):
        return f"{type_in_words(plain.type)} on one path and nothing on another"
    if isinstance(plain, types.BaseNamedTuple):
        return str(plain.instance_class.__name__)
    words = {
        types.NoneType: "nothing",
        types.Boolean: "True or False",
        types.Integer: "a whole number",
        types.Float: "a number with decimals",
        types.UnicodeType: "a text",
    }
    return words.get(type(plain), type(plain).__name__)
