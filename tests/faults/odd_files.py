"""Odd files: pipes, devices, loops, bombs, damaged files, and modules.

A command line names them, or they lie in the working folder under the name of a module that the
program imports.
"""

import io
import os
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

from faults.command_lines import refused
from faults.fault import Fault
from faults.ground import Ground

#: Command lines that read a file.
COMMANDS = (
    "rules show odd.toml", "rules show second+odd.toml", "match --edition odd.toml",
    "compare odd.toml second", "init --edition odd.toml new", "sweep odd.toml --out new",
    "match --strategies learned:weights=odd.toml", "match --strategies-from odd.toml",
    "play odd.jsonl --out odd.html",
)  # fmt: skip

DEEP = 1200

#: Things that stand in place of the file, by name.
ODD: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a link to an endless device": lambda path: path.symlink_to("/dev/zero"),
    "tables in tables": lambda path: path.write_text(f"[{'.'.join('a' * DEEP)}]\nx = 1\n"),
}


def reported(command: str, put: Callable[[Path], object]) -> Callable[[Ground], None]:
    """A command that gets something other than a file says so at once."""

    def strike(ground: Ground) -> None:
        for name in ("odd.toml", "odd.jsonl"):
            put(ground.inside / name)
        refused(command, codes=(2,))(ground)
        assert "odd." in ground.run(*command.split(" ")).err

    return strike


def saying(shape: str, kind: str = "<f4", body: bytes = bytes(16)) -> bytes:
    """An `.npz` of one array, whose header claims this shape and type."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}\n".encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body
        packed.writestr("any.npy", content)
    return file.getvalue()


#: The most memory, in bytes, that reading a bad file of weights may take.
MOST_MEMORY = 300_000_000

#: The shape that every test run tries.
BEYOND_ALL = "a shape beyond all"

WEIGHTS: dict[str, Callable[[], bytes]] = {
    "a bomb of 600 MB": lambda: saying("(150_000_000,)", body=bytes(600_000_000)),
    BEYOND_ALL: lambda: saying("(1000000000000,)"),
    "a shape below nothing": lambda: saying("(-1,)"),
    "objects": lambda: saying("(2,)", "|O"),
    "damaged deflate": lambda: saying("(4,)")[:60] + b"\xff" * 20 + saying("(4,)")[80:],
    "no end": lambda: saying("(4,)")[:-30],
    "a zip of nothing": lambda: b"PK\x05\x06" + bytes(18),
}


def weights_refused(make: Callable[[], bytes]) -> Callable[[Ground], None]:
    """A strategy with these weights is refused, and takes no memory for them."""

    def strike(ground: Ground) -> None:
        (ground.inside / "odd.npz").write_bytes(make())
        line = "match --strategies learned:weights=odd.npz --games 4"
        assert "odd.npz" in ground.run(*line.split(" ")).err
        tracemalloc.start()
        try:
            refused(line, codes=(2,))(ground)
            assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
        finally:
            tracemalloc.stop()

    return strike


RAISES = """
class Silent(Exception):
    def __str__(self):
        raise ValueError("no word")
    __repr__ = __str__

raise Silent()
"""


def silent_error_reported(ground: Ground) -> None:
    """The error of a strategy file that cannot be printed is reported with its line."""
    (ground.inside / "mine.py").write_text(RAISES, encoding="utf-8")
    refused("match --strategies-from mine.py", codes=(2,))(ground)
    assert "mine.py:7: Silent" in ground.run("match", "--strategies-from", "mine.py").err


def disabled_compiler_reported(ground: Ground) -> None:
    """A disabled compiler is reported before anything fails because of it."""
    ended = ground.played("match", "--games", 4, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert ended.code == 2
    assert "NUMBA_DISABLE_JIT" in ended.err


FAULTS = [
    *(
        Fault("odd file", f"{command}: {name}", reported(command, put))
        for command in COMMANDS
        for name, put in ODD.items()
    ),
    *(
        Fault("odd file", f"weights: {name}", weights_refused(make), short=name == BEYOND_ALL)
        for name, make in WEIGHTS.items()
    ),
    Fault("odd file", "an error that cannot be printed", silent_error_reported, short=True),
    Fault("odd file", "compiling is switched off", disabled_compiler_reported),
]
