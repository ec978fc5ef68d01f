"""The files of the gate: TOML with a format, a heading and the content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.storage.files import write_synced_file
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import read_toml

#: The version of both files' layout; a file of another version is refused.
FORMAT = 4


def read_file(path: Path, what: str) -> dict[str, Any]:
    """Read one of the gate's files.

    Args:
        path: the file.
        what: the kind of file, for errors.

    Raises:
        WrongInput: the file cannot be read, is not TOML, or has another layout.
    """
    content = read_toml(path, what)
    if "format" not in content:
        raise WrongInput(f"'{path}' is not a {what}: it has no format")
    if content["format"] != FORMAT:
        raise WrongInput(
            f"the {what} '{path}' has format {content['format']}; this program reads {FORMAT}: "
            "`ethnos-sim check record --spec FILE.toml` makes it again"
        )
    return content


def write_file(path: Path, heading: Sequence[str], content: Mapping[str, Any]) -> None:
    """Write one of the gate's files, with comment lines at the top.

    Raises:
        Failed: the file cannot be written.
    """
    text = toml_text({"format": FORMAT, **content}, heading)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_synced_file(path, text.encode())
