"""From a power written in Python to machine code that the engine calls by address."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from ethnos_sim.simulator import compilation
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.custom_powers.checking import check
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
from ethnos_sim.simulator.user_code.checking import place_of, plain
from ethnos_sim.simulator.user_code.generating import explain, generated_function, in_words
from ethnos_sim.simulator.user_code.showing import as_shown

#: The largest size that a power may answer.
MOST_CARDS = 60

_WANTED = {
    "regions": "a mask of regions, a whole number",
    "size": "a whole number",
    "flag": "True or False",
    "": "nothing",
}


class WrongAnswer(Misdeed):
    """A power answered with a number that cannot be."""

    def __str__(self) -> str:
        """What is wrong."""
        return f"a size is 0 to {MOST_CARDS} cards, and a mask of regions 0 to {(1 << REGIONS) - 1}"


@kernel
def sized(answer: Any) -> Any:
    """A size that a power answers; WrongAnswer where it cannot be one."""
    if answer < 0 or answer > MOST_CARDS:
        raise WrongAnswer
    return answer


@kernel
def masked(answer: Any) -> Any:
    """A mask of regions that a power answers; WrongAnswer where it cannot be one."""
    if answer < 0 or answer >> REGIONS != 0:
        raise WrongAnswer
    return answer


_ANSWERS = {"regions": "masked(int64({}))", "size": "sized({})", "flag": "1 if {} else 0"}


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
            told = f"call.answer = {_ANSWERS[answers].format(called)}" if answers else called
            lines += [f"    if moment == {number}:", f"        {told}"]
    lines += ["    call.done = 1"]
    return "\n".join(lines) + "\n"


def generated_names() -> dict[str, Any]:
    """What the generated function refers to, but for the power's own functions."""
    return {
        "as_shown": as_shown,
        "int64": types.int64,
        "masked": masked,
        "new_game": new_game,
        "party_of_call": party_of_call,
        "show": show,
        "sized": sized,
    }


def _wrong_answer(power: CustomPower, names: dict[str, Any]) -> str | None:
    """A sentence about the first function whose answer has the wrong type, or None."""
    whole = types.int64
    party = types.NamedTuple(
        [whole, whole, whole, whole, whole, types.uint64, types.uint64, whole], PlayedParty
    )
    kinds = {"party": party, "player": whole, "card": whole}
    for moment, function in power.functions.items():
        arguments, answers = MOMENTS[moment]
        signature = (SHOWN_GAME, *(kinds[each] for each in arguments))
        names[moment].compile(signature)
        answer = types.unliteral(names[moment].overloads[signature].signature.return_type)
        number = isinstance(answer, types.Integer)
        fits = {
            "regions": number,
            "size": number,
            "flag": number or isinstance(answer, types.Boolean),
            "": isinstance(answer, types.NoneType),
        }[answers]
        if not fits:
            return (
                f"{place_of(function)}: '{moment}' must return {_WANTED[answers]}, "
                f"not {in_words(answer)}"
            )
    return None


def compile_power(power: CustomPower) -> Any:
    """The compiled function of a power (numba CFunc; keep it alive while its address is used).

    Raises:
        PowerError: the power does not compile; the sentence names file and line.
    """
    check(power)
    names = generated_names()
    for moment, function in power.functions.items():
        names[moment] = compilation.kernel(plain(function))
    name = f"power_{power.name}"
    act = generated_function(name, "act", generated_source(power), names)

    def check_answers() -> None:  # a wrong answer (2.5 for a size) would compile
        sentence = _wrong_answer(power, names)
        if sentence:
            raise _PowerNotCompiled(power, sentence)

    try:
        return compilation.compile_callback(name, POWER, act, check_answers)
    except _PowerNotCompiled:
        raise
    except Exception as error:  # the compiler's own errors, and what escapes from inside it
        first = next(iter(power.functions.values()))
        try:
            sentence = _wrong_answer(power, names) or explain(error, first)
        except Exception as deeper:
            sentence = explain(deeper, first)
        raise _PowerNotCompiled(power, sentence) from error


class _PowerNotCompiled(PowerError):
    """A power does not compile; the sentence says where and why."""

    def __init__(self, power: CustomPower, sentence: str) -> None:
        super().__init__(f"power '{power.name}' does not compile: {sentence}")


@functools.cache
def compiled(power: CustomPower) -> Any:
    """The compiled function of a power, made once a process."""
    return compile_power(power)
