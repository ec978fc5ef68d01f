"""Why a stored signature or baseline is what it is: entries that are only ever added to."""

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

#: The layout of both files; one of another layout is refused.
FORMAT = 2


Log = tuple[Mapping[str, Any], ...]
"""Changes that somebody wanted, oldest first: date, version, reason, and what was recorded anew."""


def log_entry(reason: str, changed: Sequence[str]) -> dict[str, Any]:
    """An entry of today and of this version; WrongInput without a reason."""
    if not reason.strip():
        raise WrongInput('a change is recorded with its reason: --reason "..."')
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "version": package_version(),
        "reason": reason.strip(),
        "changed": list(changed),
    }


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


def read_log(content: Mapping[str, Any]) -> Log:
    """The entries of a file; KeyError or TypeError where they are none."""
    keys = ("date", "version", "reason", "changed")
    return tuple({key: each[key] for key in keys} for each in content["log"])
