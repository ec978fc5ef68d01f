"""The processor that machine code is made for, as numba's environment variables name it."""

from __future__ import annotations

import os
import re
import tempfile

from ethnos_sim.simulator.utilities.errors import WrongInput


def check_processor() -> None:
    """Raise WrongInput for a processor or a feature that LLVM does not know.

    Without this check, LLVM would print a line for every function that it compiles, or end the
    process. Call it before numba is imported, because the import starts LLVM.
    """
    name, features = (os.environ.get(f"NUMBA_CPU_{what}", "") for what in ("NAME", "FEATURES"))
    wanted = [feature for feature in features.split(",") if feature]
    for feature in wanted:
        if not re.fullmatch(r"[+-][\w.-]+", feature):
            raise WrongInput(
                f"the environment variable NUMBA_CPU_FEATURES has '{feature}', but a feature "
                "begins with + or -, as in +avx2"
            )
    said = _llvm_messages(name, ",".join(wanted)) if name or wanted else ""
    if unknown := re.search(r"'([^']*)' is not a recognized (processor|feature)", said):
        variable = "NUMBA_CPU_NAME" if unknown[2] == "processor" else "NUMBA_CPU_FEATURES"
        raise WrongInput(
            f"the environment variable {variable} has '{unknown[1]}', and the compiler knows no "
            f"such {unknown[2]}"
        )


def _llvm_messages(name: str, features: str) -> str:
    """What LLVM prints to standard error when it prepares to compile for a processor."""
    import llvmlite.binding as llvm

    with tempfile.TemporaryFile() as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            llvm.initialize_native_target()
            llvm.Target.from_default_triple().create_target_machine(cpu=name, features=features)
        finally:
            os.dup2(before, 2)
            os.close(before)
        file.seek(0)
        return file.read().decode(errors="replace")
