"""Read and write the files of the gate: TOML with comment lines at the top and a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.storage.files import write_synced_file
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import read_toml

#: The version of the layout of baselines and signatures; files of another version are refused.
FORMAT = 4


def read_gate_file(path: Path, kind: str) -> dict[str, Any]:
    """Read a baseline or a file of signatures.

    Args:
        path: the file.
        kind: what errors call the file: "baseline" or "signature file".

    Raises:
        WrongInput: the file cannot be read, is not TOML, or has another layout.
    """
    content = read_toml(path, kind)
    if "format" not in content:
        raise WrongInput(f"'{path}' is not a {kind}: it has no key 'format'")
    if content["format"] != FORMAT:
        raise WrongInput(
            f"the {kind} '{path}' has format {content['format']}; this program reads {FORMAT}: "
            "`ethnos-sim check record --spec FILE.toml` makes it again"
        )
    return content


def write_gate_file(path: Path, heading: Sequence[str], content: Mapping[str, Any]) -> None:
    """Write a baseline or a file of signatures, with `heading` as comment lines at the top.

    Raises:
        Failed: the file cannot be written.
    """
    text = toml_text({"format": FORMAT, **content}, heading)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_synced_file(path, text.encode())
