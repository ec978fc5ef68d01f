"""The TOML files of users: one sentence where one cannot be read, and text that people review."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.storage.files import read_file
from ethnos_sim.simulator.errors import WrongInput

#: Nobody writes longer ones.
MOST_BYTES = 2**24


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """The content of a TOML file.

    Args:
        path: where it is.
        what: what to call it in errors, as in "spec".

    Raises:
        WrongInput: it cannot be read or is no TOML.
    """
    try:
        return tomllib.loads(read_file(path, MOST_BYTES).decode())
    except OSError as error:
        raise WrongInput(f"the {what} '{path}' cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise WrongInput(f"the {what} '{path}' is no TOML: {error}") from error


def toml_text(content: Mapping[str, Any], heading: Sequence[str] = ()) -> str:
    """A table as TOML text, below lines of comment."""
    import tomlkit

    comments = "".join(f"# {line}".rstrip() + "\n" for line in heading)
    return f"{comments}\n{tomlkit.dumps(content)}" if heading else tomlkit.dumps(content)


def on_one_line(value: Any) -> Any:
    """A value for `toml_text`, written without headings: a table, or each table of a list, inline.

    Other values stay as they are.
    """
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update(value)
        return table
    if isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
        lines = tomlkit.array().multiline(True)
        lines.extend(on_one_line(each) for each in value)
        return lines
    return value
