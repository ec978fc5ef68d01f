"""The compiler: compile, link and cache machine code, and bound the loops of users' code."""

from ethnos_sim.simulator.utilities.offering import offer

__getattr__, __dir__, __all__ = offer(
    __name__,
    {
        "cache": "NotKept",
        "compilation": "compile_callback compile_entry inlined kernel tool uncounted",
    },
)
