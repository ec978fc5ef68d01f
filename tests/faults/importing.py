"""Modules in the working folder that have the names of those that the program needs."""

from __future__ import annotations

from collections.abc import Callable

from faults.fault import Fault
from faults.ground import Ground

#: What the workers of an engine import first, of this program's libraries and of Python's own.
MODULES = ("numpy", "cloudpickle", "joblib", "pickle", "argparse", "signal", "typing")


def left_alone(module: str) -> Callable[[Ground], None]:
    """A sweep in processes runs nothing of the folder that it is started in."""

    def strike(ground: Ground) -> None:
        mark = ground.inside / "was-run"
        text = f"open({str(mark)!r}, 'w').close()\nraise ImportError('somebody else')\n"
        (ground.inside / f"{module}.py").write_text(text, encoding="utf-8")
        words = ("--engine", "processes", "--games", 96, "--quiet")
        ended = ground.played("sweep", ground.spec, "--out", "data", *words)
        assert not mark.exists(), f"{module}.py was run"
        assert ended.code == 0, ended.err

    return strike


FAULTS = [
    Fault(
        "import",
        f"{module}.py lies in the working folder",
        left_alone(module),
        short=module == "cloudpickle",
    )
    for module in MODULES
]
