"""From a power written in Python to machine code that the engine calls by address."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.custom_powers.declaring import MOMENTS, CustomPower, PowerError
from ethnos_sim.simulator.custom_powers.game import (
    SHOWN_GAME,
    PlayedParty,
    new_game,
    party_of_call,
    show,
)
from ethnos_sim.simulator.failures import Misdeed
from ethnos_sim.simulator.records import POWER, REGIONS
from ethnos_sim.simulator.user_code.checking import Demands, check_code, plain
from ethnos_sim.simulator.user_code.generating import Answer, Written, is_number, is_yes_or_no
from ethnos_sim.simulator.user_code.showing import as_shown

#: The largest size that a power may answer.
MOST_CARDS = 60


WRONG_ANSWER = f"a size is 0 to {MOST_CARDS} cards, and a mask of regions 0 to {(1 << REGIONS) - 1}"


@kernel
def sized(answer: Any) -> Any:
    """A size that a power answers; Misdeed where it cannot be one."""
    if answer < 0 or answer > MOST_CARDS:
        raise Misdeed(WRONG_ANSWER)
    return answer


@kernel
def masked(answer: Any) -> Any:
    """A mask of regions that a power answers; Misdeed where it cannot be one."""
    if answer < 0 or answer >> REGIONS != 0:
        raise Misdeed(WRONG_ANSWER)
    return answer


#: How a moment's answer is noted, and what it has to be.
_ANSWERS = {
    "regions": ("masked(int64({}))", Answer("a mask of regions, a whole number", is_number)),
    "size": ("sized({})", Answer("a whole number", is_number)),
    "flag": ("1 if {} else 0", Answer("True or False", is_yes_or_no)),
    "": ("", Answer("nothing", lambda answer: isinstance(answer, types.NoneType))),
}


def check(power: CustomPower) -> None:
    """Look at a power's functions and their helpers; PowerError as `check_code` tells."""
    demands = Demands(
        what=f"power '{power.name}'",
        error=PowerError,
        chance="for chance there is random_below(game, bound)",
        fields={
            "game": ("the game has no field", tuple(SHOWN_GAME.fields)),
            "party": ("a party has no field", PlayedParty._fields),
        },
    )
    check_code([*power.functions.values()], [], demands)


def generated_source(power: CustomPower) -> str:
    """The Python source of the function that the engine calls for a power."""
    lines = [
        "def act(view, hidden, log):",
        "    call = hidden.call",
        "    moment = call.moment",
        "    game = new_game()",
        "    show(game, view, hidden, log)",
    ]
    given = {"party": "party_of_call(view, call)", "player": "int64(call.player)"}
    given["card"] = "int64(call.card)"
    for number, (moment, (arguments, answers)) in enumerate(MOMENTS.items()):
        if moment in power.functions:
            passed = ["as_shown(game)", *(given[each] for each in arguments)]
            called = f"{moment}({', '.join(passed)})"
            told = f"call.answer = {_ANSWERS[answers][0].format(called)}" if answers else called
            lines += [f"    if moment == {number}:", f"        {told}"]
    lines += ["    call.done = 1"]
    return "\n".join(lines) + "\n"


def generated_names(power: CustomPower) -> dict[str, Any]:
    """What the generated function refers to."""
    own = {moment: kernel(plain(function)) for moment, function in power.functions.items()}
    return own | {
        "as_shown": as_shown,
        "int64": types.int64,
        "masked": masked,
        "new_game": new_game,
        "party_of_call": party_of_call,
        "show": show,
        "sized": sized,
    }


def compile_power(power: CustomPower) -> Any:
    """The compiled function of a power (numba CFunc; keep it alive while its address is used).

    Raises:
        PowerError: the power does not compile; the sentence names file and line.
    """
    check(power)
    whole = types.int64
    party = [whole, whole, whole, whole, whole, types.uint64, types.uint64, whole]
    written = Written(
        what=f"power '{power.name}'",
        error=PowerError,
        functions=power.functions,
        names=generated_names(power),
        kinds={
            "game": SHOWN_GAME,
            "party": types.NamedTuple(party, PlayedParty),
            "player": whole,
            "card": whole,
        },
        answers={moment: _ANSWERS[MOMENTS[moment][1]][1] for moment in power.functions},
    )
    return written.compile(f"power_{power.name}", "act", generated_source(power), POWER)


@functools.cache
def compiled(power: CustomPower) -> Any:
    """The compiled function of a power, made once a process."""
    return compile_power(power)
