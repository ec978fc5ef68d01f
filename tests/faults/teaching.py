"""Files that would cheat by teaching the compiler, or by posing as part of this package.

Each is a whole file with a strategy that reads what it must not see. It is refused with a sentence
when it is loaded or compiled, always before a game counts.
"""

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from inside.strategies import load_strategy_file

from ethnos_sim.experiments import prepare_match
from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import StrategyError
from faults.fault import Fault
from faults.ground import Ground

HEAD = """\
import operator, sys
import numba
import numpy as np
from numba import types
from numba.core import cgutils, imputils
from numba.core.typing import templates
from numba.extending import (
    intrinsic, lower_builtin, lower_cast, lower_getattr, models, overload, overload_attribute,
    overload_method, register_jitable, register_model, type_callable, typeof_impl,
)
from ethnos_sim.simulator.custom_powers.game import _hidden_at as hidden_at
from ethnos_sim.simulator.kernel.memory import address_of
from ethnos_sim.simulator.game.records import HIDDEN, HIDDEN_DTYPE, OWN, OWN_DTYPE, VIEW_DTYPE
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *
BACK = HIDDEN_DTYPE.fields["own"][1]
"""

#: A strategy that asks for the file's version of `peek(view, rng)`.
TAIL = """
@strategy()
def teacher{number}(view, memory, rng):
    found = {asked}
    if hand_is_full(view):
        return play(best_party(view)[0])
    return draw() if found % 3 == 0 else take_or_draw(view)
"""

#: Goes from the address of a record to the hidden record around it, and reads a hand there.
PEEK = "hidden_at(address_of(record) - BACK).hands_once[1] % 64"


def overloading(what: str, arguments: str = "record") -> str:
    """A file that overloads a known function for records."""
    return f"@overload({what})\ndef taught({arguments}):\n    return lambda {arguments}: {PEEK}\n"


#: The files by what they do: the text, and the expression that their strategy evaluates.
FILES: dict[str, tuple[str, str]] = {
    "abs for records": (overloading("abs"), "np.int64(abs(rng))"),
    "len for records": (overloading("len"), "len(rng)"),
    "int for records": (overloading("int"), "int(rng)"),
    "sum for records": (overloading("sum"), "sum(rng)"),
    "max for records": (overloading("max"), "max(rng)"),
    "np.sum for records": (overloading("np.sum"), "np.sum(rng)"),
    "+ for records": (overloading("operator.add", "record, other"), "rng + 1"),
    "in for records": (overloading("operator.contains", "record, other"), "np.int64(1 in rng)"),
    "== for records": (overloading("operator.eq", "record, other"), "np.int64(rng == 1)"),
    "[] for records": (overloading("operator.getitem", "record, other"), "rng[1]"),
    "a minus sign": (overloading("operator.neg"), "-rng"),
    "a truth": (overloading("bool"), "np.int64(bool(rng))"),
    "an attribute": (
        "@overload_attribute(types.Record, 'rest')\n"
        f"def taught(record):\n    return lambda record: {PEEK}\n",
        "rng.rest",
    ),
    "a method": (
        "@overload_method(types.Record, 'peek')\n"
        f"def taught(record):\n    return lambda record: {PEEK}\n",
        "rng.peek()",
    ),
    "an intrinsic": (
        "@intrinsic\ndef peek(typing_context, record):\n"
        "    def generate(context, builder, signature, arguments):\n"
        "        return builder.ptrtoint(arguments[0], context.get_value_type(types.int64))\n"
        "    return types.int64(record), generate\n",
        "peek(rng)",
    ),
    "a lowering": (
        "@type_callable(abs)\ndef typed(context):\n    return lambda record: types.int64\n"
        "@lower_builtin(abs, types.Record)\n"
        "def lowered(context, builder, signature, arguments):\n"
        "    return builder.ptrtoint(arguments[0], context.get_value_type(types.int64))\n",
        "abs(rng)",
    ),
    "a cast": (
        "@lower_cast(types.Record, types.int64)\n"
        "def cast(context, builder, kind, wanted, value):\n"
        "    return builder.ptrtoint(value, context.get_value_type(types.int64))\n",
        "0",
    ),
    "a getattr": (
        "@lower_getattr(types.Record, 'rest')\n"
        "def lowered(context, builder, kind, value):\n"
        "    return builder.ptrtoint(value, context.get_value_type(types.int64))\n",
        "0",
    ),
    "a number of one's own": (
        "class Peek(types.Number):\n    def __init__(self):\n        super().__init__('Peek')\n"
        "register_model(Peek)(models.IntegerModel)\n",
        "0",
    ),
    "a typeof": (
        "class Held: pass\n@typeof_impl.register(Held)\ndef kind_of(value, context):\n"
        "    return types.int64\n",
        "0",
    ),
    "a template": (
        "class Peek(templates.AbstractTemplate):\n    key = abs\n"
        "    def generic(self, given, named):\n        return types.int64(*given)\n"
        "templates.infer_global(abs)(Peek)\n",
        "0",
    ),
    "an attribute template": (
        "@templates.infer_getattr\nclass Peek(templates.AttributeTemplate):\n"
        "    key = types.Record\n"
        "    def generic_resolve(self, kind, name):\n        return types.int64\n",
        "0",
    ),
    "a registry of numba's": (
        "imputils.builtin_registry.lower(len, types.Record)("
        "lambda context, builder, signature, arguments: None)\n",
        "0",
    ),
    "a rewrite": (
        "from numba.core import rewrites\n@rewrites.register_rewrite('before-inference')\n"
        "class Peek(rewrites.Rewrite):\n    def match(self, *given):\n        return False\n",
        "0",
    ),
    "a name of this package's modules": (
        '__name__ = "ethnos_sim.strategies.toolkit.mine"\n'
        f"@kernel\ndef peek(record):\n    return {PEEK}\n",
        "peek(rng)",
    ),
    "a name of the library": (
        '__name__ = "ethnos_sim.strategies.library.greedy"\n',
        "np.int64(rng.addresses[0])",
    ),
    "a file of this package's": (
        "def peek(record):\n    return address_of(record)\n"
        "from ethnos_sim.strategies.toolkit import clock\n"
        "peek.__code__ = peek.__code__.replace(co_filename=clock.__file__)\n"
        "peek.__module__ = clock.__name__\npeek = kernel(peek)\n",
        "peek(rng)",
    ),
    "globals of this package's": (
        "from ethnos_sim.strategies.toolkit import clock\n"
        "clock.address_of = address_of\n"
        "exec(compile('def peek(record):\\n    return address_of(record)\\n', clock.__file__,"
        " 'exec'), vars(clock))\n"
        "peek = kernel(clock.peek)\n",
        "peek(rng)",
    ),
    "a compiler of that name": (
        "from numba.core.compiler import CompilerBase, DefaultPassBuilder\n"
        "class BoundedCompiler(CompilerBase):\n    def define_pipelines(self):\n"
        "        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]\n"
        "@numba.njit(pipeline_class=BoundedCompiler)\n"
        "def peek(record):\n    return address_of(record)\n",
        "peek(rng)",
    ),
    "a compiler that is made known": (
        "from numba.core.compiler import Compiler\n"
        "from ethnos_sim.simulator.compiler import reach\nreach.bounded.add(Compiler)\n"
        "@numba.njit(pipeline_class=Compiler)\n"
        "def peek(record):\n    return address_of(record)\n",
        "peek(rng)",
    ),
    "a tool": (
        "from ethnos_sim.simulator.compiler import tool\n"
        "@tool\ndef peek(record):\n    return address_of(record)\n",
        "peek(rng)",
    ),
    "a helper that is copied in": (
        "from ethnos_sim.simulator.compiler import inlined\n"
        "@inlined\ndef peek(record):\n    return address_of(record)\n",
        "peek(rng)",
    ),
    "a helper that is let in": (
        "from ethnos_sim.simulator.compiler import reach\n"
        "@numba.njit\ndef peek(record):\n    return address_of(record)\nreach.let_call(peek)\n",
        "peek(rng)",
    ),
    "another meaning of a check": (
        "from ethnos_sim.simulator.compiler import reach\nreach._complaints = lambda *given: []\n",
        "np.int64(address_of(rng))",
    ),
    "another meaning of a method": (
        "from ethnos_sim.simulator.compiler import reach\n"
        "reach.Reach.run_pass = lambda self, state: True\n",
        "np.int64(address_of(rng))",
    ),
    "another meaning of a tool": (
        "from ethnos_sim.strategies.toolkit import position\n"
        "position.hand_is_full = kernel(lambda record: address_of(record))\n",
        "0",
    ),
    "another meaning of a constant": (
        "from ethnos_sim.simulator.compiler import reach\nreach.PUBLIC = ('ethnos_sim.',)\n",
        "hidden_at(5).next_card",
    ),
    "other options of the compiler": (
        "from ethnos_sim.simulator.compiler import compilation\n"
        "compilation.CHECKED['boundscheck'] = False\n",
        "np.int64(memory[-5000])",
    ),
    "another code of a check": (
        "from ethnos_sim.simulator.compiler import reach\n"
        "reach._may_be.__code__ = (lambda kind: True).__code__\n",
        "np.int64(address_of(rng))",
    ),
    "more rounds": (
        "from ethnos_sim.simulator.compiler.rounds import end_decision\n"
        "@kernel\ndef peek(record):\n    end_decision(1)\n    return 0\n",
        "peek(rng)",
    ),
    "rounds anywhere": (
        "from ethnos_sim.simulator.compiler.rounds import go_round\n",
        "go_round(5, 1, 4096)",
    ),
    "another meaning in numba": (
        "from numba.core import typeinfer\n"
        "typeinfer.CallConstraint.resolve = lambda *given: None\n",
        "0",
    ),
}


def _play(file: Path) -> None:
    """Do everything that happens before a game of a file's strategy counts."""
    load_strategy_file(file)
    prepare_match(load_rules("second"), f"{file.stem},greedy", players=2, seed=1)


def refused(name: str, text: str, asked: str = "0") -> Callable[[Ground], None]:
    """The file is refused with a sentence that names it or its strategy."""
    number = zlib.crc32(name.encode())

    def strike(ground: Ground) -> None:
        file = ground.inside / f"teacher{number}.py"
        file.write_text(HEAD + text + TAIL.format(number=number, asked=asked), encoding="utf-8")
        with pytest.raises(StrategyError, match=f"teacher{number}"):
            _play(file)

    return strike


SHORT = {"abs for records", "a name of this package's modules", "a compiler of that name", "a tool"}

FAULTS = [
    Fault("strategy that teaches", name, refused(name, *file), short=name in SHORT)
    for name, file in FILES.items()
]
