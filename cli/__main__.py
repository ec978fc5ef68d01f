"""The `ethnos-sim` command, also as `python -m ethnos_sim`.

Ctrl-C during the import of the program would print a traceback, so a handler is installed first.
"""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process and leave with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end_interrupted)
    from ethnos_sim.main import main as run_program

    run_program()


def _end_interrupted(number: int, frame: FrameType | None) -> NoReturn:
    """End with "Interrupted." and the exit code 130, even in the middle of an import."""
    os.write(2, b"Interrupted.\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()
