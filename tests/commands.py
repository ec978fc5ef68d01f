"""Commands of the program, run in this process."""

from __future__ import annotations

from ethnos_sim import main

#: The module that a process of its own runs commands by, as `import` takes it.
MODULE = main.__name__

COMMANDS, command_line = main.COMMANDS, main.command_line


def run(*words: object) -> int:
    """The exit code of a command, given by its words after the program's name."""
    return main.run([str(word) for word in words])
