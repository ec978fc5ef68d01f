"""How a custom power is declared: functions by the moments at which they are called.

    from ethnos_sim.simulator.custom_powers import draw_cards, pay_prestige, power

    @power("phoenix")
    def after_party(game, party):
        "The leader's party of four and more pays 2 at once."
        if party.size >= 4:
            pay_prestige(game, party.player, 2)

A function's name is its moment. Its arguments are `game` and the arguments in `MOMENTS`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from ethnos_sim.simulator.utilities.errors import PowerError, name_hint

#: For each moment: the arguments of its function after `game`, and the kind of answer that the
#: function returns ("" for none). The moments are in the order of their numbers in `records`.
MOMENTS = MappingProxyType(
    {
        "marker_regions": (("party",), "regions"),
        "marker_size": (("party",), "size"),
        "scoring_size": (("party",), "size"),
        "after_party": (("party",), ""),
        "another_party": (("party",), "flag"),
        "cards_kept": (("party",), "size"),
        "after_discard": (("party",), ""),
        "after_recruit": (("player", "card"), ""),
        "turn_end": (("player",), ""),
        "age_end": (("player",), ""),
        "age_scored": (("player",), ""),
    }
)

_POWER_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, eq=False)
class CustomPower:
    """A power written in Python: its name, and its functions by moment."""

    name: str
    functions: dict[str, Callable[..., Any]]

    @property
    def file(self) -> Path:
        """The file that declares the power."""
        return Path(next(iter(self.functions.values())).__code__.co_filename)

    @property
    def moment_mask(self) -> int:
        """A mask with a bit for each moment that the power has a function for."""
        return sum(1 << i for i, moment in enumerate(MOMENTS) if moment in self.functions)


#: The name under which a module holds the powers that it declares.
_DECLARED = "__declared_powers__"


def declared_powers(module: ModuleType) -> tuple[CustomPower, ...]:
    """The powers that a module declares."""
    return tuple(vars(module).get(_DECLARED, {}).values())


def power(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function of a power, which acts at the moment that the function is named after.

    Args:
        name: the power's name; several functions of a file may belong to one power.

    Returns:
        A decorator that leaves the function as it is.

    Raises:
        PowerError: the name, the moment or the arguments cannot be used.
    """
    if not isinstance(name, str):
        raise PowerError('write @power("name") with the name of the power')
    if not _POWER_NAME.fullmatch(name):
        raise PowerError(
            f"power name '{name}' may have small letters, digits and '_', a letter first"
        )

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        _check_function(name, function)
        declared = function.__globals__.setdefault(_DECLARED, {})
        power = declared.setdefault(name, CustomPower(name, {}))
        if function.__name__ in power.functions:
            raise PowerError(f"power '{name}' has two functions '{function.__name__}'")
        power.functions[function.__name__] = function
        return function

    return declare


def _check_function(name: str, function: Callable[..., Any]) -> None:
    """Raise PowerError if a function's name or arguments fit no moment."""
    if not inspect.isfunction(function):
        raise PowerError(f"power '{name}': write @power above a function, not {function!r}")
    moment = function.__name__
    if moment not in MOMENTS:
        raise PowerError(f"power '{name}' has no moment '{moment}'{name_hint(moment, MOMENTS)}")
    wanted = ("game", *MOMENTS[moment][0])
    if tuple(inspect.signature(function).parameters) != wanted:
        raise PowerError(f"power '{name}': write it as {moment}({', '.join(wanted)})")


def number_of(name: str) -> int:
    """The number of a power's name (`view.power_name`), the same in every run."""
    return int.from_bytes(sha256(name.encode()).digest()[:6])
