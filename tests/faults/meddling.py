"""Files that change what the checks rely on: this program, numba and Python itself.

Each is a whole file, and is refused before a game counts. What it changed is put back.
"""

import pytest
from numba import config

from ethnos_sim.simulator.user_code.meanings import Meanings
from faults.fault import Fault
from faults.ground import Ground
from faults.teaching import PEEK, refused

#: A function of the file's own, compiled like this package's functions, and without checks.
TRUSTED = f"""\
from ethnos_sim.simulator.compiler import compilation, fast, judging, loops, reach
from ethnos_sim.simulator.user_code.showing import SHOWN_OWN
def mine(record):
    return {PEEK}
peek = fast.helper(mine, compilation.OPTIONS, trusted=True)
peek.compile((SHOWN_OWN,))
"""

#: The name of a C function gets the address of one of Python's functions.
SYMBOL = """\
import ctypes, llvmlite.binding, math
@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
def other(number):
    return 5.0
llvmlite.binding.add_symbol({!r}, ctypes.cast(other, ctypes.c_void_p).value)
"""

#: A module of the file's own, in a folder of its own.
PLANTED = """\
import tempfile
from pathlib import Path
folder = Path(tempfile.mkdtemp())
(folder / "planted.py").write_text(
    "from ethnos_sim.simulator.compiler import kernel\\n"
    "from ethnos_sim.simulator.kernel.memory import address_of\\n"
    "@kernel\\ndef peek(record):\\n    return address_of(record)\\n"
)
"""

#: The files by what they do: the text, and the expression of their strategy if it matters.
FILES: dict[str, tuple[str, ...]] = {
    "no check of indices": ("numba.config.BOUNDSCHECK = 0\n",),
    "no compiler": ("numba.core.config.DISABLE_JIT = 1\n",),
    "settings of worker processes": ("import os\nos.environ['NUMBA_BOUNDSCHECK'] = '0'\n",),
    "a back end of worker processes": ("import os\nos.environ['ETHNOS_SIM_COMPILER'] = 'plain'\n",),
    "a tool more": (
        "from ethnos_sim.simulator.compiler import reach\nreach._tools.add(address_of)\n",
        "np.int64(address_of(rng) % 8)",
    ),
    "a helper like this package's": (
        TRUSTED + "peek.py_func = peek._compiler.py_func = hand_is_full.py_func\n",
        "peek(rng)",
    ),
    "a helper that is checked later": (
        TRUSTED + "peek._compiler.pipeline_class = loops.BoundedCompiler\n",
        "peek(rng)",
    ),
    "code of another helper": (
        TRUSTED
        + "@kernel\ndef honest(record):\n    return 0\nhonest.overloads.update(peek.overloads)\n",
        "honest(rng)",
    ),
    "symbols of this package's": (
        TRUSTED
        + "judging.known.update(dict.fromkeys(judging.known, hand_is_full))\n"
        + "peek._compiler.pipeline_class = loops.BoundedCompiler\n",
        "peek(rng)",
    ),
    "a symbol of C": (SYMBOL.format("lgamma"), "np.int64(math.lgamma(3.0))"),
    "a symbol of numba": (SYMBOL.format("numba_frexp"), "np.int64(math.frexp(3.0)[0])"),
    "a symbol of memory": (SYMBOL.format("NRT_Free"),),
    "a symbol of Python": (SYMBOL.format("PyErr_SetString"),),
    "fewer decisions asked again": (
        "from ethnos_sim.experiments.execution import leaking\nleaking.DECISIONS = 0\n",
    ),
    "another pattern of the judge": (
        "from ethnos_sim.simulator.compiler import judging\n"
        "import re\njudging._KNOWN = re.compile('.*')\n",
    ),
    "another stream of luck": (
        "from ethnos_sim.simulator.kernel import deal\ndeal.PURPOSE_DECK = 4\n",
    ),
    "another array of a strategy": (
        "from ethnos_sim.strategies.toolkit import bruno\nbruno.PART_OF_SIXTY[:] = 0\n",
    ),
    "another rival": (
        "from ethnos_sim.strategies import registry\n"
        "registry._known['greedy'] = registry._known['random']\n",
    ),
    "another turn of a rival": (
        "from ethnos_sim.strategies.library import champion, greedy\n"
        "greedy.greedy.functions['turn'] = champion.champion.functions['turn']\n",
    ),
    "a default of a tool": ("hand_is_full.py_func.__defaults__ = (address_of,)\n",),
    "an option of a tool": ("hand_is_full.targetoptions['boundscheck'] = False\n",),
    "a method of a tool": ("hand_is_full.get_overload = print\n",),
    "what numpy writes to": (
        "from ethnos_sim.simulator.compiler import reach\nreach._INPUTS.clear()\n",
    ),
    "fields that are not shown": (
        "from ethnos_sim.simulator.user_code import showing\n"
        "showing.SHOWN_OWN.fields.update(showing.OWN.fields)\n",
        "np.int64(rng.random_state % 8)",
    ),
    "arrays that may be written": (
        "from ethnos_sim.simulator.user_code import showing\n"
        "for field in showing.SHOWN_VIEW.fields.values():\n    field.type.mutable = True\n",
    ),
    "a library that does not judge": (
        "from ethnos_sim.simulator.compiler import linking\n"
        "linking.EntryLibrary.judge = property(lambda self: None, lambda self, value: None)\n",
    ),
    "a builtin": (
        "import builtins\nkept = isinstance\n"
        "builtins.isinstance = lambda value, kind: kept(value, kind)\n",
    ),
    "a method of Python's library": (
        "from pathlib import Path\nkept = Path.is_file\nPath.is_file = lambda file: kept(file)\n",
    ),
    "a loader": (
        "from importlib.machinery import SourceFileLoader\nkept = SourceFileLoader.get_code\n"
        "SourceFileLoader.get_code = lambda loader, name: kept(loader, name)\n",
    ),
    "a module in place of another": (
        "from types import ModuleType\n"
        "sys.modules['ethnos_sim.strategies.toolkit.moves'] = ModuleType('moves')\n",
    ),
    "a module taken away": ("del sys.modules['ethnos_sim.strategies.toolkit.moves']\n",),
    "a module that is not there": (
        "from types import ModuleType\n"
        "sys.modules['ethnos_sim.experiments.later'] = ModuleType('later')\n",
    ),
    "a module of another folder": (
        PLANTED + "import ethnos_sim.strategies.toolkit as toolkit\n"
        "toolkit.__path__.append(str(folder))\n"
        "from ethnos_sim.strategies.toolkit.planted import peek\n",
        "np.int64(peek(rng))",
    ),
    "a module of that name": (
        PLANTED + "from importlib.util import module_from_spec, spec_from_file_location\n"
        "spec = spec_from_file_location(\n"
        "    'ethnos_sim.simulator.game.cards_too', folder / 'planted.py'\n)\n"
        "module = sys.modules[spec.name] = module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\npeek = module.peek\n",
        "np.int64(peek(rng))",
    ),
    "a finder of modules": (
        "from importlib.machinery import PathFinder\n"
        "class Finder(PathFinder): pass\nsys.meta_path.insert(0, Finder)\n",
    ),
    "a follower of calls": ("sys.setprofile(lambda *given: None)\n",),
    "a follower of lines": ("sys.settrace(lambda *given: None)\n",),
    "a follower of garbage": ("import gc\ngc.callbacks.append(lambda *given: None)\n",),
    "a thread": (
        "import threading\n"
        "threading.Thread(target=threading.Event().wait, args=(5,), daemon=True).start()\n",
    ),
    "a type with numba's own model": (
        "import numba.experimental\nclass Peek(types.Number): pass\n"
        "register_model(Peek)(models.IntegerModel)\n",
    ),
    "a structure": (
        "from numba.experimental import structref\n"
        "@structref.register\nclass Held(types.StructRef): pass\n",
    ),
    "a class": (
        "from numba.experimental import jitclass\n@jitclass([('number', types.int64)])\n"
        "class Held:\n    def __init__(self):\n        self.number = 1\n",
        "Held().number",
    ),
    "a function of C by its name": (
        "peek = types.ExternalFunction('strlen', types.int64(types.int64))\n",
        "peek(4096)",
    ),
    "a function with an address": (
        "import ctypes\nclass Peek(types.WrapperAddressProtocol):\n"
        "    def __wrapper_address__(self):\n"
        "        return ctypes.cast(ctypes.CDLL(None).abs, ctypes.c_void_p).value\n"
        "    def signature(self):\n        return types.int64(types.int64)\npeek = Peek()\n",
        "peek(-5)",
    ),
    "a function for arrays": (
        "@numba.vectorize(['int64(int64)'])\ndef peek(number):\n    return number\n",
        "peek(5)",
    ),
    "code of Python": ("@numba.jit(forceobj=True)\ndef peek(record):\n    return 0\n", "peek(rng)"),
}


def put_back(ground: Ground) -> None:
    """Check that what a file changed is put back, even if the file fails afterwards."""
    before = Meanings()
    for name in (
        "another rival",
        "a symbol of C",
        "a finder of modules",
        "a builtin",
        "a tool more",
    ):
        refused(name, f"{FILES[name][0]}raise ValueError\n")(ground)
        assert before.changed() is None, name


def unchecked_indices_refused(ground: Ground) -> None:
    """Nothing is compiled if numba is told not to check indices (`NUMBA_BOUNDSCHECK=0`)."""
    with pytest.MonkeyPatch.context() as settings:
        settings.setattr(config, "BOUNDSCHECK", 0)
        refused("an honest file", "")(ground)


SHORT = {"a tool more", "a symbol of C", "fewer decisions asked again", "another rival"}

FAULTS = [
    Fault("strategy that meddles", name, refused(name, *file), short=name in SHORT)
    for name, file in FILES.items()
]
FAULTS += [
    Fault("strategy that meddles", "and then fails", put_back, short=True),
    Fault("strategy that meddles", "under NUMBA_BOUNDSCHECK=0", unchecked_indices_refused),
]
