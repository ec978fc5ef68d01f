"""Turn a power written in Python into machine code that the engine calls by address."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.compiler.failures import ForbiddenAction
from ethnos_sim.simulator.custom_powers.call_arguments import PlayedParty, party_of_call
from ethnos_sim.simulator.custom_powers.declaring import MOMENTS, CustomPower
from ethnos_sim.simulator.game.records import POWER, REGIONS
from ethnos_sim.simulator.user_code.checking import python_function
from ethnos_sim.simulator.user_code.generating import AnswerType, GeneratedCode, is_bool, is_int
from ethnos_sim.simulator.user_code.shown_types import SHOWN_GAME, as_game
from ethnos_sim.simulator.utilities.errors import PowerError

#: The largest size, and the largest mask of regions, that a power may return.
LARGEST_SIZE, LARGEST_MASK = 60, (1 << REGIONS) - 1

OUT_OF_RANGE = f"a size is 0 to {LARGEST_SIZE} cards, a mask of regions 0 to {LARGEST_MASK}"


@kernel
def checked_answer(answer: Any, largest: Any) -> Any:
    """Return a power's answer if it is from 0 to `largest`; else raise ForbiddenAction."""
    if answer < 0 or answer > largest:
        raise ForbiddenAction(OUT_OF_RANGE)
    return answer


#: Moments at which powers do not act if another power has just drawn the last dragon.
_DURING_AGE_ONLY = ("after_recruit", "turn_end")

#: By kind of answer: the expression that is stored, and the type that the function must return.
_ANSWERS = {
    "regions": (
        f"checked_answer(int64({{}}), {LARGEST_MASK})",
        AnswerType("a mask of regions, a whole number", is_int),
    ),
    "size": (f"checked_answer({{}}, {LARGEST_SIZE})", AnswerType("a whole number", is_int)),
    "flag": ("1 if {} else 0", AnswerType("True or False", is_bool)),
    "": ("", AnswerType("nothing", lambda answer: isinstance(answer, types.NoneType))),
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
            condition = " and not game.age_over" if moment in _DURING_AGE_ONLY else ""
            lines += [f"    if moment == {number}{condition}:", f"        {statement}"]
    lines.append("    call.done = 1")
    return "\n".join(lines) + "\n"


def generated_names(power: CustomPower) -> dict[str, Any]:
    """The global names of the generated function."""
    functions = {moment: kernel(python_function(code)) for moment, code in power.functions.items()}
    return functions | {
        "as_game": as_game,
        "int64": types.int64,
        "checked_answer": checked_answer,
        "party_of_call": party_of_call,
    }


def generated_code(power: CustomPower) -> GeneratedCode:
    """The author's functions of a power, and the generated function that the engine calls."""
    whole = types.int64
    party = [whole, whole, whole, whole, whole, types.uint64, types.uint64, whole, whole]
    return GeneratedCode(
        owner=f"power '{power.name}'",
        error_type=PowerError,
        chance_hint="for chance there is random_below(game, bound)",
        fields={
            "game": ("the game has no field", tuple(SHOWN_GAME.fields)),
            "party": ("a party has no field", PlayedParty._fields),
        },
        name=f"power_{power.name}",
        entry_name="act",
        source=generated_source(power),
        signature=POWER,
        functions=power.functions,
        global_names=generated_names(power),
        argument_types={
            "game": SHOWN_GAME,
            "party": types.NamedTuple(party, PlayedParty),
            "player": whole,
            "card": whole,
        },
        answer_types={moment: _ANSWERS[MOMENTS[moment][1]][1] for moment in power.functions},
    )


@functools.cache
def compiled_power(power: CustomPower) -> Any:
    """The power for the engine, compiled once per process (`GeneratedCode.compile`).

    Raises:
        PowerError: the power does not compile; the message names file and line.
    """
    return generated_code(power).compile()
