"""What is looked at before a custom power is compiled."""

from __future__ import annotations

from ethnos_sim.simulator.custom_powers.declaring import CustomPower, PowerError
from ethnos_sim.simulator.custom_powers.game import SHOWN_GAME, PlayedParty
from ethnos_sim.simulator.user_code.checking import Demands, check_code


def check(power: CustomPower) -> None:
    """Look at a power's functions and their helpers; PowerError as `check_code` tells."""
    demands = Demands(
        what=f"power '{power.name}'",
        error=PowerError,
        shown="game",
        chance="for chance there is random_below(game, bound)",
        fields={
            "game": ("the game has no field", tuple(SHOWN_GAME.fields)),
            "party": ("a party has no field", PlayedParty._fields),
        },
    )
    check_code([*power.functions.values()], [], demands)
