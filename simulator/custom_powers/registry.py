"""Which custom powers are known: those of the files that were loaded.

Rules speak of a power by its reference, `FILE:NAME@HASH`: the name of its file, its own, and what
its code does as sixteen hex digits. So rules can be read, compared and reported where the file is
not at hand; to play, it has to be loaded, and to be the same.
"""

from __future__ import annotations

from pathlib import Path

from ethnos_sim.simulator.compiler.identity import Unidentified, identity
from ethnos_sim.simulator.custom_powers.compiling import generated_source
from ethnos_sim.simulator.custom_powers.declaring import CustomPower, PowerError, declared_in
from ethnos_sim.simulator.errors import nearest
from ethnos_sim.simulator.user_code.loading import load_module, may_run

#: What stands in place of the hash where a power's file was not run.
NOT_RUN = "not-run"

#: Powers by `FILE:NAME`, as they were loaded last.
_known: dict[str, CustomPower] = {}


def source_of(power: CustomPower) -> str:
    """Sixteen hex digits for what a power does, and all that its functions refer to.

    Raises:
        PowerError: it refers to what may differ between runs.
    """
    try:
        return identity(power.functions, generated_source(power))
    except Unidentified as error:
        raise PowerError(
            f"power '{power.name}' refers to what may differ between runs: {error}"
        ) from error


def load_powers(path: str | Path) -> tuple[CustomPower, ...]:
    """Make the powers of a Python file known; none where it declares none.

    Raises:
        PowerError: the file cannot be read or run; file and line are named where Python knows them.
    """
    found = declared_in(load_module(path, "power file", PowerError))
    _known.update({f"{power.file.name}:{power.name}": power for power in found})
    return found


def load_power(text: str) -> CustomPower:
    """The power that `FILE:NAME` says.

    Raises:
        PowerError: there is no such file, or it does not have this power.
    """
    file, _, name = text.rpartition(":")
    found = {power.name: power for power in load_powers(file)}
    if name not in found:
        known = nearest(name, found) or "; write @power(...) above its functions"
        raise PowerError(f"the file '{file}' has no power '{name}'{known}")
    return found[name]


def reference_of(text: str) -> str:
    """What rules call the power that `FILE:NAME` says.

    `FILE:NAME@HASH`, for which the file is run, or `FILE:NAME@NOT_RUN` where files are only read.

    Raises:
        PowerError: there is no such file, or it does not have this power.
    """
    if may_run():
        power = load_power(text)
        return f"{power.file.name}:{power.name}@{source_of(power)}"
    file, _, name = text.rpartition(":")
    if not Path(file).is_file():
        raise PowerError(f"no power file '{file}'")
    return f"{Path(file).name}:{name}@{NOT_RUN}"


def loaded(reference: str) -> CustomPower:
    """The power that a reference speaks of, out of the files loaded.

    Raises:
        PowerError: its file was not loaded, or its code is another one now.
    """
    text, _, source = reference.rpartition("@")
    if text not in _known:
        file = text.partition(":")[0]
        raise PowerError(
            f"the power '{text}' is not loaded; give its file: --strategies-from {file}"
        )
    power = _known[text]
    if source_of(power) != source:
        raise PowerError(f"the power '{text}' of '{power.file}' has changed since; it was {source}")
    return power
