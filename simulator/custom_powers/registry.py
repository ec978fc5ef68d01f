"""The registry of custom powers, filled from the files that are loaded.

Rules name a power by its reference, `FILE:NAME@HASH`: its file's name, its own name, and its code's
identity as sixteen hex digits. So rules can be read, compared and reported without the file. Before
a game by these rules the file must be loaded, and the identity of the power's code must be HASH.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ethnos_sim.simulator.compiler.identity import UnidentifiedValue, identity
from ethnos_sim.simulator.custom_powers.compiling import generated_source
from ethnos_sim.simulator.custom_powers.declaring import CustomPower, declared_powers
from ethnos_sim.simulator.user_code.loading import load_module, may_run_files
from ethnos_sim.simulator.utilities.errors import PowerError, name_hint

#: The text in place of the hash if a power's file was not run.
NOT_RUN = "not-run"

#: The powers last loaded, by `FILE:NAME`.
_loaded_powers: dict[str, CustomPower] = {}


@cache
def code_hash(power: CustomPower) -> str:
    """Sixteen hex digits for a power's code, including everything that its functions refer to.

    Raises:
        PowerError: the power refers to a value that may differ between runs.
    """
    try:
        return identity(power.functions, generated_source(power))
    except UnidentifiedValue as error:
        raise PowerError(
            f"power '{power.name}' refers to what may differ between runs: {error}"
        ) from error


def load_powers(path: str | Path) -> tuple[CustomPower, ...]:
    """Run a Python file and register the powers that it declares, if any.

    Raises:
        PowerError: the file cannot be read or run; the message names file and line, if known.
    """
    powers = declared_powers(load_module(path, "power file", PowerError))
    _loaded_powers.update({f"{power.file.name}:{power.name}": power for power in powers})
    return powers


def load_power(file_and_name: str) -> CustomPower:
    """Load the power with the name `FILE:NAME`.

    Raises:
        PowerError: there is no such file, or it does not have this power.
    """
    file, _, name = file_and_name.rpartition(":")
    powers = {power.name: power for power in load_powers(file)}
    if name not in powers:
        known = name_hint(name, powers) or "; write @power(...) above its functions"
        raise PowerError(f"the file '{file}' has no power '{name}'{known}")
    return powers[name]


def power_reference(file_and_name: str) -> str:
    """The reference of the power with the name `FILE:NAME`.

    The file is run, because the hash depends on its code. Within `without_running_files` it is not
    run, and NOT_RUN stands in place of the hash.

    Raises:
        PowerError: there is no such file, or it does not have this power.
    """
    if may_run_files():
        power = load_power(file_and_name)
        return f"{power.file.name}:{power.name}@{code_hash(power)}"
    file, _, name = file_and_name.rpartition(":")
    if not Path(file).is_file():
        raise PowerError(f"no power file '{file}'")
    return f"{Path(file).name}:{name}@{NOT_RUN}"


def loaded_power(reference: str) -> CustomPower:
    """The loaded power that a reference names.

    Raises:
        PowerError: its file was not loaded, or its code has changed.
    """
    text, _, source = reference.rpartition("@")
    if text not in _loaded_powers:
        file = text.partition(":")[0]
        raise PowerError(
            f"the power '{text}' is not loaded; give its file: --strategies-from {file}"
        )
    power = _loaded_powers[text]
    if code_hash(power) != source:
        raise PowerError(f"the power '{text}' in '{power.file}' has changed; its code was {source}")
    return power
