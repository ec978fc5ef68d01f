"""Cheating strategies that are judged only by their finished code, without all other guards.

A separate process does this, because guards cannot be restored. It forks for each strategy, because
what one strategy teaches the compiler would help the next.
"""

import os
from pathlib import Path

from commands import python
from inside import module_with
from inside.simulator.user_code import load_module
from inside.strategies import compiled

from ethnos_sim.strategies import StrategyError
from faults.fault import Fault
from faults.ground import Ground
from faults.teaching import FILES, HEAD, TAIL

reach = module_with("simulator.compiler", "Reach")
loading = module_with("simulator.user_code", "load_module")
generating = module_with("simulator.user_code", "GeneratedCode")

#: The files whose strategy evaluates an expression that cheats (`asked` is not "0"), except
#: "rounds anywhere", which the judge alone cannot find.
ASKING = {
    name: text for name, text in FILES.items() if text[1] != "0" and name != "rounds anywhere"
}


def alone(folder: Path) -> int:
    """Compile every file of ASKING without the other guards; return the number that compile."""
    reach._complaints = lambda blocks, kinds: []
    reach.is_public = lambda dispatcher: True
    loading.Registries.changed = loading.Meanings.changed = lambda self: None
    generating.complaints = lambda *given: []
    let_in = 0
    for number, (name, (text, asked)) in enumerate(ASKING.items()):
        file = folder / f"alone{number}.py"
        file.write_text(HEAD + text + TAIL.format(number=number, asked=asked), encoding="utf-8")
        child = os.fork()
        if child == 0:
            os._exit(_is_let_in(file, f"teacher{number}"))
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if ended:
            print(f"{name}: {'let in' if ended == 1 else ended}")
            let_in += 1
    return let_in


def _is_let_in(file: Path, name: str) -> bool:
    """Whether the strategy `name` of a file compiles."""
    try:
        compiled(vars(load_module(file, "file", StrategyError))[name])
    except StrategyError:
        return False
    return True


def judged(ground: Ground) -> None:
    """Check that the judge of finished code refuses every file of ASKING."""
    code = (
        f"import sys; from faults.finished import *; sys.exit(alone(Path({str(ground.inside)!r})))"
    )
    tests = Path(__file__).resolve().parents[1]
    done = python("-c", code, code=None, PYTHONPATH=str(tests))
    assert done.returncode == 0, done.stdout + done.stderr


FAULTS = [Fault("finished code", "every strategy that asks", judged, inputs=len(ASKING))]
