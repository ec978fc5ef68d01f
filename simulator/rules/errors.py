"""Errors in rules, in sentences that a user can act on."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ethnos_sim.simulator.utilities.errors import RulesError, WrongInput, nearest
from ethnos_sim.simulator.utilities.reading import read_toml


def rules_table(path: Path, word: str) -> dict[str, Any]:
    """The content of a TOML file of rules; RulesError if it cannot be read.

    `word` is the word for the file in the message.
    """
    try:
        return read_toml(path, word)
    except WrongInput as error:
        raise RulesError([f"{error}."]) from error


def unknown_name(kind: str, name: str, known: Iterable[str], meant: str | None = None) -> str:
    """A sentence that no `kind` is called `name`, with the nearest known name.

    If `meant` is given, suggest `meant` instead of the nearest name.
    """
    hint = nearest(name, known) if meant is None else f"; did you mean '{meant}'?"
    sentence = f"unknown {kind} '{name}'{hint}"
    return sentence if sentence.endswith("?") else f"{sentence}."
