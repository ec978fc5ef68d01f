"""Every command that is told to end does so with a sentence and 130, by whichever signal."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap

import pytest

PROGRAM = textwrap.dedent(
    """
    import signal, sys, time, types, click
    from ethnos_sim import main
    from ethnos_sim.commands.interruption import when_interrupted

    if "ignored" in sys.argv:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    @click.command("wait")
    def command():
        with when_interrupted(lambda: "Interrupted; go on."):
            print("waiting", flush=True)
            {waiting}

    sys.modules["ethnos_sim.commands.wait"] = types.SimpleNamespace(command=command)
    main.COMMANDS["wait"] = "Wait."
    sys.exit(main.run(["wait"]))
    """
)
IMPORTING = textwrap.dedent(
    """
    import runpy, sys, time

    class Slow:
        def find_spec(self, name, path, target=None):
            if name == "click":
                print("waiting", flush=True)
                time.sleep(60)

    sys.meta_path.insert(0, Slow())
    runpy.run_module("ethnos_sim", run_name="__main__")
    """
)
PATIENT = "time.sleep(3)"
DEAF = "import hashlib; hashlib.pbkdf2_hmac('sha256', b'long', b'compiled', 2**31 - 1)"


def hear_signals() -> None:
    """Ignore none, as whoever runs the tests may do (`nohup`, or a shell's background)."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def told_to_end(number: int, program: str, *words: str) -> tuple[int, str]:
    """The exit code, and what was said."""
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_signals,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_command_with_its_sentence_and_130(number) -> None:
    code, said = told_to_end(number, PROGRAM.format(waiting="time.sleep(60)"))
    assert (code, said.strip()) == (130, "Interrupted; go on.")


def test_a_program_that_is_still_being_imported_ends_with_a_sentence_and_130() -> None:
    assert told_to_end(signal.SIGINT, IMPORTING) == (130, "Interrupted.\n")


def test_a_command_that_does_not_come_back_from_compiled_code_ends_too() -> None:
    code, said = told_to_end(signal.SIGTERM, PROGRAM.format(waiting=DEAF))
    assert (code, said.strip()) == (130, "Interrupted; go on.")


def test_a_hang_up_that_is_ignored_on_purpose_ends_nothing() -> None:
    code, said = told_to_end(signal.SIGHUP, PROGRAM.format(waiting=PATIENT), "ignored")
    assert (code, said) == (0, "")
