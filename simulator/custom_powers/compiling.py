"""Turn a power written in Python into machine code that the engine calls by address."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.compiler.failures import ForbiddenAction
from ethnos_sim.simulator.custom_powers.declaring import MOMENTS, CustomPower
from ethnos_sim.simulator.custom_powers.game import PlayedParty, party_of_call
from ethnos_sim.simulator.game.records import POWER, REGIONS
from ethnos_sim.simulator.user_code.checking import plain
from ethnos_sim.simulator.user_code.generating import Answer, GeneratedCode, is_number, is_yes_or_no
from ethnos_sim.simulator.user_code.showing import SHOWN_GAME, as_game
from ethnos_sim.simulator.utilities.errors import PowerError

#: The largest size that a power may return.
MOST_CARDS = 60


WRONG_ANSWER = f"a size is 0 to {MOST_CARDS} cards, and a mask of regions 0 to {(1 << REGIONS) - 1}"


@kernel
def sized(answer: Any) -> Any:
    """Return a power's answer if it is a valid size; else raise ForbiddenAction."""
    if answer < 0 or answer > MOST_CARDS:
        raise ForbiddenAction(WRONG_ANSWER)
    return answer


@kernel
def masked(answer: Any) -> Any:
    """Return a power's answer if it is a valid mask of regions; else raise ForbiddenAction."""
    if answer < 0 or answer >> REGIONS != 0:
        raise ForbiddenAction(WRONG_ANSWER)
    return answer


#: Moments between turns. Another clan's power, called just before, may have drawn the last dragon.
_NOT_AFTER_THE_AGE = ("after_recruit", "turn_end")

#: The expression that stores a moment's answer, and the type that the answer must have.
_ANSWERS = {
    "regions": ("masked(int64({}))", Answer("a mask of regions, a whole number", is_number)),
    "size": ("sized({})", Answer("a whole number", is_number)),
    "flag": ("1 if {} else 0", Answer("True or False", is_yes_or_no)),
    "": ("", Answer("nothing", lambda answer: isinstance(answer, types.NoneType))),
}


def generated_source(power: CustomPower) -> str:
    """The Python source of the function that the engine calls for a power."""
    lines = [
        "def act(view, hidden, log):",
        "    call = hidden.call",
        "    moment = call.moment",
        "    game = as_game(view)",
    ]
    given = {"party": "party_of_call(view, call)", "player": "int64(call.player)"}
    given["card"] = "int64(call.card)"
    for number, (moment, (arguments, answers)) in enumerate(MOMENTS.items()):
        if moment in power.functions:
            passed = ["game", *(given[argument] for argument in arguments)]
            call = f"{moment}({', '.join(passed)})"
            statement = f"call.answer = {_ANSWERS[answers][0].format(call)}" if answers else call
            goes_on = " and not game.age_over" if moment in _NOT_AFTER_THE_AGE else ""
            lines += [f"    if moment == {number}{goes_on}:", f"        {statement}"]
    lines.append("    call.done = 1")
    return "\n".join(lines) + "\n"


def generated_names(power: CustomPower) -> dict[str, Any]:
    """The global names of the generated function."""
    functions = {moment: kernel(plain(function)) for moment, function in power.functions.items()}
    return functions | {
        "as_game": as_game,
        "int64": types.int64,
        "masked": masked,
        "party_of_call": party_of_call,
        "sized": sized,
    }


def generated(power: CustomPower) -> GeneratedCode:
    """The author's functions of a power, and the generated function that the engine calls."""
    whole = types.int64
    party = [whole, whole, whole, whole, whole, types.uint64, types.uint64, whole, whole]
    return GeneratedCode(
        what=f"power '{power.name}'",
        error=PowerError,
        chance="for chance there is random_below(game, bound)",
        fields={
            "game": ("the game has no field", tuple(SHOWN_GAME.fields)),
            "party": ("a party has no field", PlayedParty._fields),
        },
        name=f"power_{power.name}",
        entry="act",
        source=generated_source(power),
        signature=POWER,
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


@functools.cache
def compiled(power: CustomPower) -> Any:
    """The power for the engine, compiled once per process (`GeneratedCode.compile`).

    Raises:
        PowerError: the power does not compile; the message names file and line.
    """
    return generated(power).compile()
