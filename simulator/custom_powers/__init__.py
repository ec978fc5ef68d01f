"""Custom powers, written in Python: declared, compiled, called at moments of the game.

`declaring` says how one is written, `toolkit` what it may do, docs/powers.md all that an author
needs. The engine knows a power by the address of its machine code (`kernel.moments`).
"""

from ethnos_sim.simulator.cards import bit, copies, count, lowest, popcount
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.custom_powers.declaring import (
    CustomPower,
    PowerError,
    number_of,
    power,
)
from ethnos_sim.simulator.custom_powers.game import PlayedParty
from ethnos_sim.simulator.custom_powers.questions import accepts, choose, offer
from ethnos_sim.simulator.custom_powers.registry import (
    NOT_RUN,
    load_power,
    load_powers,
    loaded,
    reference_of,
)
from ethnos_sim.simulator.custom_powers.toolkit import (
    advance_on_sea,
    discard_card,
    draw_cards,
    give_card,
    hand_of,
    move_marker,
    pay_prestige,
    place_coin,
    place_marker,
    random_below,
    recall,
    remember,
    remove_marker,
    settle,
    take_card,
    take_largest,
    take_token,
)

__all__ = [
    "NOT_RUN",
    "CustomPower",
    "PlayedParty",
    "PowerError",
    "accepts",
    "advance_on_sea",
    "bit",
    "choose",
    "copies",
    "count",
    "discard_card",
    "draw_cards",
    "give_card",
    "hand_of",
    "kernel",
    "load_power",
    "load_powers",
    "loaded",
    "lowest",
    "move_marker",
    "number_of",
    "offer",
    "pay_prestige",
    "place_coin",
    "place_marker",
    "popcount",
    "power",
    "random_below",
    "recall",
    "reference_of",
    "remember",
    "remove_marker",
    "settle",
    "take_card",
    "take_largest",
    "take_token",
]
