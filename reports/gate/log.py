"""Why a stored signature or baseline is what it is: entries that are only ever added to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.plans.sources import package_version
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.simulator.errors import WrongInput
from ethnos_sim.simulator.reading import read_toml

#: The layout of both files; one of another layout is refused.
FORMAT = 2


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One change that somebody wanted.

    `changed` names the situations that were recorded anew.
    """

    date: str
    version: str
    reason: str
    changed: tuple[str, ...]

    @classmethod
    def now(cls, reason: str, changed: Sequence[str]) -> LogEntry:
        """An entry of today and of this version; WrongInput without a reason."""
        if not reason.strip():
            raise WrongInput('a change is recorded with its reason: --reason "..."')
        return cls(
            datetime.now(UTC).date().isoformat(), package_version(), reason.strip(), tuple(changed)
        )


def read_file(path: Path, what: str) -> dict[str, Any]:
    """The content of one of the gate's files.

    Args:
        path: where it is.
        what: what to call it in errors.

    Raises:
        WrongInput: it cannot be read, is no TOML, or has another layout.
    """
    content = read_toml(path, what)
    if content.get("format") != FORMAT:
        raise WrongInput(
            f"the {what} '{path}' has format {content.get('format')}; this program reads {FORMAT}"
        )
    return content


def write_file(path: Path, heading: Sequence[str], content: Mapping[str, Any]) -> None:
    """Write one of the gate's files whole, with comment lines at the top.

    Raises:
        Failed: it cannot be written.
    """
    text = toml_text({"format": FORMAT, **content}, heading)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())


def read_log(content: Mapping[str, Any]) -> tuple[LogEntry, ...]:
    """The entries of a file, oldest first; KeyError or TypeError where they are none."""
    return tuple(
        LogEntry(each["date"], each["version"], each["reason"], tuple(each["changed"]))
        for each in content["log"]
    )


def log_tables(log: Sequence[LogEntry]) -> list[dict[str, Any]]:
    """The entries as tables to write."""
    return [asdict(entry) for entry in log]
