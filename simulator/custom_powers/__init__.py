"""Custom powers, written in Python: declared, compiled, called at moments of the game.

`declaring` shows how a power is written, `toolkit` has the actions that it may take, and
docs/powers.md is the guide for authors. The engine calls a power by the address of its machine code
(`kernel.moments`).
"""

from ethnos_sim.simulator.utilities import lazy_imports

__getattr__, __dir__, __all__ = lazy_imports.lazy_names(
    __name__,
    {
        ".game.cards": "bit copies count lowest popcount",
        ".compiler": "kernel",
        "declaring": "PowerError number_of power",
        "toolkit": "accepts choose discard_card draw_cards give_card hand_of move_marker offer "
        "pay_prestige place_marker random_below recall remember remove_marker take_card",
    },
)
