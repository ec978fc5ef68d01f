"""Reading the TOML files of users: one sentence where a file cannot be read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.files import read_file
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
