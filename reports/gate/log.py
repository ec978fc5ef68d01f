"""The log of a signature or baseline file: why it changed. Entries are only ever added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.plans.sources import package_version
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import read_toml

#: The version of both files' layout; a file of another version is refused.
FORMAT = 2


Log = tuple[Mapping[str, Any], ...]
"""Changes, the oldest first: date, version, reason, and the names that were recorded anew."""


def log_entry(reason: str, changed: Sequence[str]) -> dict[str, Any]:
    """A log entry with today's date and this version; WrongInput without a reason."""
    if not reason.strip():
        raise WrongInput('a change is recorded with its reason: --reason "..."')
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "version": package_version(),
        "reason": reason.strip(),
        "changed": list(changed),
    }


def read_file(path: Path, what: str) -> dict[str, Any]:
    """Read one of the gate's files.

    Args:
        path: the file.
        what: the kind of file, for errors.

    Raises:
        WrongInput: the file cannot be read, is no TOML, or has another layout.
    """
    content = read_toml(path, what)
    if "format" not in content:
        raise WrongInput(f"'{path}' is not a {what}: it has no format")
    if content["format"] != FORMAT:
        raise WrongInput(
            f"the {what} '{path}' has format {content['format']}; this program reads {FORMAT}"
        )
    return content


def write_file(path: Path, heading: Sequence[str], content: Mapping[str, Any]) -> None:
    """Write one of the gate's files, with comment lines at the top.

    Raises:
        Failed: the file cannot be written.
    """
    text = toml_text({"format": FORMAT, **content}, heading)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())


def read_log(content: Mapping[str, Any]) -> Log:
    """The log of a file; KeyError or TypeError if it has none."""
    keys = ("date", "version", "reason", "changed")
    return tuple({key: entry[key] for key in keys} for entry in content["log"])
