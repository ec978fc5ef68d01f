"""The `ethnos-sim` command, also as `python -m ethnos_sim`.

Importing the program takes a moment in which Ctrl-C would end in a traceback, so that is answered
before anything is imported.
"""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process and leave with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from ethnos_sim.main import main as whole

    whole()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """End with a sentence and the exit code 130, whatever is half imported."""
    os.write(2, b"Interrupted.\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()
