"""Compile a strategy to machine code that the engine calls by address.

For each strategy a small function is generated. It reads which question is asked, calls the
strategy's function for the question, and writes the answer into the move record. All generated
functions have the same signature, so one compiled engine serves every line-up. Machine code is
cached between runs, for users' strategies too.
"""

from __future__ import annotations

import functools
import inspect
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.compiler.origin import is_from_package
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.game.cards import lowest
from ethnos_sim.simulator.user_code.checking import python_function
from ethnos_sim.simulator.user_code.generating import AnswerType, GeneratedCode, is_bool, is_int
from ethnos_sim.simulator.user_code.shown_types import SHOWN_OWN, SHOWN_VIEW, as_shown
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies import defaults
from ethnos_sim.strategies.api import Strategy
from ethnos_sim.strategies.weights import FLOAT_WEIGHTS, WHOLE_WEIGHTS, weights_at, whole_weights_at

STRATEGIES_FOLDER = Path(__file__).resolve().parent

_MOVE_ANSWER = """\
        move.kind = answer.kind
        move.leader = answer.leader
        move.choice = answer.choice
        move.once = answer.once
        move.twice = answer.twice
"""
_CARDS_ANSWER = f"""\
        move.kind = {records.CARDS}
        move.once = answer.once
        move.twice = answer.twice
"""
_NUMBER_ANSWER = f"""\
        move.kind = {records.CHOICE} if answer >= 0 else {records.DECLINE}
        move.choice = answer
"""
_YES_NO_ANSWER = f"""\
        move.kind = {records.CHOICE} if answer else {records.DECLINE}
        move.choice = lowest(view.options)
"""
#: For each kind of answer (`records.ANSWERED_BY`): the code that writes it, and its required type.
_ANSWERS = {
    "move": (
        _MOVE_ANSWER,
        AnswerType(
            "a move: draw(), take(card), decline() or play(party)",
            lambda answer: "kind" in getattr(answer, "fields", ()),
        ),
    ),
    "option": (_NUMBER_ANSWER, AnswerType("a number out of view.options, or -1", is_int)),
    "card": (_NUMBER_ANSWER, AnswerType("a card out of view.offered_once, or -1", is_int)),
    "yes_no": (_YES_NO_ANSWER, AnswerType("True or False", is_bool)),
    "cards": (
        _CARDS_ANSWER,
        AnswerType("Cards", lambda answer: "once" in getattr(answer, "fields", ())),
    ),
}


def _argument_lines(strategy: Strategy) -> list[str]:
    """The source lines that read a strategy's parameters and weights from its private record."""
    lines = []
    if strategy.parameters:
        first = records.PARAMETERS if strategy.policy else 0
        places = range(first, first + len(strategy.parameters))
        values = ", ".join(f"own.parameters[{place}]" for place in places)
        lines.append(f"    parameters = Parameters({values})\n")
    if strategy.weights:
        place = 1 if strategy.policy else 0
        lines.append(f"    weights = weights_at(own.weights[{place}], own.weights_size[{place}])\n")
    return lines


def _call_source(name: str, function: Callable[..., Any]) -> str:
    """The source of a call of a strategy's function with the arguments that the function takes."""
    passed = {"memory": "own.memory", "rng": "own", "view": "view"}
    if not is_from_package(python_function(function)):
        passed |= {key: f"as_shown({passed[key]})" for key in ("rng", "view")}
    arguments = inspect.signature(python_function(function)).parameters
    return f"{name}({', '.join(passed.get(argument, argument) for argument in arguments)})"


def generated_source(strategy: Strategy) -> str:
    """The Python source of the generated function, which the engine calls for a strategy."""
    lines = ["def decide(view, move, own):\n", "    decision = view.decision\n"]
    lines += _argument_lines(strategy)
    for number, question in enumerate(records.DECISIONS):
        if question not in strategy.functions:
            continue
        lines.append(f"    if decision == {number}:\n")
        lines.append(f"        answer = {_call_source(question, strategy.functions[question])}\n")
        lines.append(_ANSWERS[records.ANSWERED_BY[question]][0])
    return "".join(lines)


def global_names(strategy: Strategy) -> dict[str, Any]:
    """The global names of the generated function, with their values."""
    names: dict[str, Any] = {"as_shown": as_shown, "lowest": lowest}
    if strategy.weights:
        names["weights_at"] = weights_at if strategy.quantise is None else whole_weights_at
    if strategy.parameters:
        fields = [parameter.name for parameter in strategy.parameters]
        names["Parameters"] = namedtuple("Parameters", fields)
    for name, function in strategy.functions.items():
        names[name] = kernel(python_function(function))
    return names


def _has_users_code(strategy: Strategy) -> bool:
    """Whether the strategy has functions of users, which are compiled with checks."""
    return not all(is_from_package(python_function(code)) for code in strategy.functions.values())


def generated_code(strategy: Strategy) -> GeneratedCode:
    """A strategy's functions, and the generated function that the engine calls for them."""
    names = global_names(strategy)
    parameters = [parameter.name for parameter in strategy.parameters]
    kinds = {
        "view": SHOWN_VIEW,
        "weights": FLOAT_WEIGHTS if strategy.quantise is None else WHOLE_WEIGHTS,
        "memory": records.OWN.typeof("memory"),
        "rng": SHOWN_OWN,
    }
    if parameters:
        kinds["parameters"] = types.NamedUniTuple(
            types.float64, len(parameters), names["Parameters"]
        )
    checked = strategy.functions if _has_users_code(strategy) else ()
    return GeneratedCode(
        owner=f"strategy '{strategy.name}'",
        error_type=StrategyError,
        chance_hint="for chance there are random_below(rng, bound) and random_chance(rng, chance)",
        fields={
            "view": ("the view has no field", tuple(SHOWN_VIEW.fields)),
            "parameters": ("there is no parameter", parameters),
        },
        name=strategy.name,
        entry_name="decide",
        source=generated_source(strategy),
        signature=records.STRATEGY,
        functions=strategy.functions,
        global_names=names,
        argument_types=kinds,
        answer_types={question: _ANSWERS[records.ANSWERED_BY[question]][1] for question in checked},
    )


@functools.cache
def compiled_strategy(strategy: Strategy) -> Any:
    """The compiled function that the engine calls for a strategy, made once in a process.

    Raises:
        StrategyError: the strategy does not compile; the sentence names file and line.
    """
    return generated_code(strategy).compile()


#: The default answers, as a strategy that is compiled once for all strategies.
DEFAULTS = Strategy(
    "defaults",
    {question: getattr(defaults, question) for question in records.DECISIONS},
    description=defaults.__doc__ or "",
)
