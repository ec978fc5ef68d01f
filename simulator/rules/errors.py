"""What goes wrong with rules, said in sentences a user can act on."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ethnos_sim.simulator.errors import WrongInput, nearest
from ethnos_sim.simulator.reading import read_toml


class RulesError(WrongInput, ValueError):
    """Wrong rules input. `problems` holds one sentence for each thing that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Keep the sentences; the message is all of them, one after the other."""
        self.problems = tuple(problems)
        super().__init__(" ".join(self.problems))

    def __reduce__(self) -> tuple[type["RulesError"], tuple[tuple[str, ...]]]:
        """Survive the way back from a worker process with the sentences apart."""
        return type(self), (self.problems,)


def rules_table(path: Path, what: str) -> dict[str, Any]:
    """The content of a TOML file of rules, called `what` in the RulesError of one that is none."""
    try:
        return read_toml(path, what)
    except WrongInput as error:
        raise RulesError([f"{error}."]) from error


def unknown_name(kind: str, name: str, known: Iterable[str], meant: str | None = None) -> str:
    """One sentence saying that no `kind` is called `name`, with the nearest known name.

    A name known to be `meant` takes the place of the nearest.
    """
    hint = nearest(name, known) if meant is None else f"; did you mean '{meant}'?"
    sentence = f"unknown {kind} '{name}'{hint}"
    return sentence if sentence.endswith("?") else f"{sentence}."
