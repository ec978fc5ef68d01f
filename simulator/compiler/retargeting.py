"""Emit code for another machine from the bitcode that is kept beside this machine's code."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from numba.core.ccallback import CFunc


class NotPortable(Exception):
    """A function that cannot be compiled for another machine."""


def bitcode_of(compiled: Any) -> bytes:
    """The unoptimised bitcode of a function, compiled again if only its machine code was kept.

    Args:
        compiled: the result of `compile_entry` (compiled for some arguments) or `compile_callback`.

    Raises:
        NotPortable: its code refers to this process's memory.
    """
    kept: bytes | None = compiled._cache.bitcode()
    if kept is not None:
        return kept
    if isinstance(compiled, CFunc):
        again = compiled._compile_uncached()  # type: ignore[attr-defined]
    else:
        again = compiled._compiler.compile(compiled._cache.signature, None)
    if again.library.has_dynamic_globals:
        raise NotPortable("code names places in this process's memory")
    bitcode: bytes = again.library.bitcode
    return bitcode


def target_machine(triple: str, **options: Any) -> Any:
    """LLVM's target machine for a triple, with options of `create_target_machine`."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(triple).create_target_machine(opt=3, **options)


def emitted(module: Any, triple: str, machine: Any) -> bytes:
    """Optimise a module (LLVM's `ModuleRef`) for a machine, and write an object file.

    Args:
        module: the module; the linkage of its definitions is not changed.
        triple: the machine's triple.
        machine: the target machine of this triple.
    """
    module.triple, module.data_layout = triple, str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code
