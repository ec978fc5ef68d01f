"""The compiler's passes over this package's own helpers: those that they have a use for."""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteDynamicRaises,
    TranslateByteCode,
)

#: Less than half of numba's own list. The others look for closures, comprehensions, `with`, literal
#: loops, branches that arguments decide and expressions of whole arrays: the helpers have none.
PASSES = (
    *(TranslateByteCode, FixupArgs, IRProcessing, GenericRewrites, RewriteDynamicRaises),
    *(ReconstructSSA, NopythonTypeInference, PreLowerStripPhis),
    *(IRLegalization, AnnotateTypes, NativeLowering, NoPythonBackend),
)


class PlainCompiler(CompilerBase):
    """Numba's compiler with few passes: it makes the same code in a seventh less time."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        passes = PassManager("plain")
        for each in PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]
