"""The compiler: compile, link and cache machine code, and bound the loops of users' code."""

from ethnos_sim.simulator.utilities.lazy_imports import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "code_folder": "MissingCode",
        "compilation": "compile_callback compile_entry inlined kernel tool uncounted",
    },
)
