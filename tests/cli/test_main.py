"""What every `ethnos-sim` command promises: help, errors, exit codes, and how signals end it."""

import importlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from types import ModuleType
from typing import Annotated

import click
import pydantic
import pydantic_core
import pytest
from commands import COMMANDS, MODULE, python, run
from inside.commands import interruptible, interruption_message

import ethnos_sim
from ethnos_sim import simulator


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch):
    """Return a function that installs a command `explode` that raises a given error."""

    def install(error: BaseException) -> None:
        @click.command("explode")
        def command() -> None:
            raise error

        module = ModuleType("ethnos_sim.commands.explode")
        module.command = command
        monkeypatch.setitem(COMMANDS, "explode", "Raise an error.")
        monkeypatch.setitem(sys.modules, module.__name__, module)

    return install


@pytest.mark.parametrize("name", COMMANDS)
def test_a_listed_command_exists_under_its_name_with_help(name, printed) -> None:
    command = importlib.import_module(f"ethnos_sim.commands.{name}").command
    assert command.name == name
    assert f"Usage: ethnos-sim {name}" in printed(name, "--help")


def test_a_command_module_is_listed() -> None:
    folder = Path(importlib.import_module("ethnos_sim.commands").__file__).parent
    modules = [path.stem for path in folder.glob("*.py")]
    commands = [
        name
        for name in modules
        if hasattr(importlib.import_module(f"ethnos_sim.commands.{name}"), "command")
    ]
    assert sorted(commands) == sorted(COMMANDS)


def test_matrix_products_use_one_thread_so_that_trained_bytes_are_the_same(monkeypatch) -> None:
    """Matrix products must use a single thread.

    The command is refused, but it has imported numpy for its rules, as every training does. A
    thread that has ended may still be listed for a moment; the threads of a pool stay.
    """
    script = (
        "import contextlib, os, sys, threading, time\n"
        "from ethnos_sim.__main__ import main\n"
        "with contextlib.suppress(SystemExit):\n"
        "    main()\n"
        "assert 'numpy' in sys.modules\n"
        "for wait in range(100):\n"
        "    others = len(os.listdir('/proc/self/task')) - threading.active_count()\n"
        "    if not others:\n"
        "        break\n"
        "    time.sleep(0.05)\n"
        "print(others)\n"
    )
    for name in [name for name in os.environ if "BLAS" in name]:
        monkeypatch.delenv(name)
    done = python("-c", script, "match", "--strategies", "greedy", "--clans", "nobody")
    assert "has no clan" in done.stderr
    assert done.stdout.split() == ["0"]


def test_the_program_without_a_command_shows_its_help_and_ends_with_2(capsys) -> None:
    assert run() == 2
    assert "Answers:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (simulator.WrongInput("no clan 'bair'"), 2, "no clan 'bair'"),
        (simulator.InvalidGame("seven players are too many"), 2, "seven players are too many"),
        (simulator.Failed("two\nmistakes"), 1, "two\nmistakes"),
        (simulator.IllegalMove("'mine' led no party"), 1, "'mine' led no party"),
        (PermissionError(13, "Permission denied", "/x/y"), 1, "'/x/y': Permission denied"),
        (MemoryError(), 1, "there is not enough memory"),
        (
            ZeroDivisionError("division by zero\nand more"),
            1,
            "the program failed (ZeroDivisionError: division by zero); "
            "`ethnos-sim --debug ...` shows where",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_an_error_is_one_sentence_and_an_exit_code(raising, capsys, error, code, sentence) -> None:
    raising(error)
    assert run("explode") == code
    said = capsys.readouterr()
    assert said.err == f"Error: {sentence}\n"
    assert said.out == ""


def test_debug_shows_the_traceback_and_keeps_the_exit_code(raising, capsys) -> None:
    raising(simulator.WrongInput("no clan 'bair'"))
    assert run("--debug", "explode") == 2
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert "no clan 'bair'" in said


def test_a_command_may_set_its_own_exit_code(raising) -> None:
    raising(click.exceptions.Exit(4))
    assert run("explode") == 4


def test_an_interrupted_command_ends_with_130(raising, capsys) -> None:
    raising(KeyboardInterrupt())
    assert run("explode") == 130
    assert capsys.readouterr().err.strip() == "Interrupted."


def test_an_interruption_that_a_library_turns_into_its_own_error_is_one(raising, capsys) -> None:
    def interrupted(value: int) -> int:
        raise KeyboardInterrupt

    class Plan(pydantic.BaseModel):
        rounds: Annotated[int, pydantic.PlainSerializer(interrupted)] = 1

    with (
        interruptible(),
        pytest.raises(pydantic_core.PydanticSerializationError) as raised,
        interruption_message("To go on: again."),
    ):
        Plan().model_dump()
    assert capsys.readouterr().err == "To go on: again.\n"
    raising(raised.value)
    assert run("explode") == 130
    assert capsys.readouterr().err.strip() == "Interrupted."


def test_the_module_runs_as_the_command_does() -> None:
    said = python("-m", "ethnos_sim", "--version")
    assert said.stdout == f"ethnos-sim, version {ethnos_sim.__version__}\n"


PROGRAM = textwrap.dedent(
    f"""
    import hashlib, signal, sys, time, types, click
    import {MODULE} as main
    from {interruption_message.__module__} import interruption_message

    if "ignored" in sys.argv:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    @click.command("wait")
    def command():
        with interruption_message("Interrupted; go on."):
            print("waiting", flush=True)
            {{waiting}}

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
PATIENT = "time.sleep(1)"
DEAF = "hashlib.pbkdf2_hmac('sha256', b'long', b'compiled', 2**31 - 1)"


def hear_signals() -> None:
    """Reset signals that the process running the tests may ignore (`nohup`, a background shell)."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def signalled(number: int, program: str, *words: str) -> tuple[int, str]:
    """Run a program that gets a signal while it waits; return its exit code and its output."""
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_signals,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        time.sleep(0.2)  # so that it has begun to wait
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_command_with_its_sentence_and_130(number) -> None:
    code, said = signalled(number, PROGRAM.format(waiting="time.sleep(60)"))
    assert (code, said.strip()) == (130, "Interrupted; go on.")


def test_a_signal_during_the_import_ends_the_program_with_its_sentence_and_130() -> None:
    assert signalled(signal.SIGINT, IMPORTING) == (130, "Interrupted.\n")


def test_a_signal_ends_a_command_that_is_stuck_in_compiled_code() -> None:
    code, said = signalled(signal.SIGTERM, PROGRAM.format(waiting=DEAF))
    assert (code, said.strip()) == (130, "Interrupted; go on.")


def test_an_ignored_hang_up_ends_nothing() -> None:
    code, said = signalled(signal.SIGHUP, PROGRAM.format(waiting=PATIENT), "ignored")
    assert (code, said) == (0, "")
