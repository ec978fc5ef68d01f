"""The strategy API: a function for the turn, optional functions for the other choices, parameters.

    from ethnos_sim.strategies import Parameter, strategy
    from ethnos_sim.strategies.toolkit import draw, hand_is_full, largest_party, play

    @strategy(Parameter("size", 4, 1, 10, "cards in hand that make a party"))
    def patient(view, parameters):
        "Draws until it can play a party of `size` cards."
        party = largest_party(view)
        if party.size >= parameters.size or hand_is_full(view):
            return play(party)
        return draw()

    @patient.settle
    def never(view):
        return False

A function takes any of these arguments, by name: `view` (all open information, and the player's
hand), `parameters` (the declared parameters, by name), `weights` (the numbers of the declared file,
float32), `memory` (32 whole numbers that the player keeps, zero at the start of a game) and `rng`
(for `random_below` and `random_chance`).
"""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import DECISIONS, NONE, PARAMETERS
from ethnos_sim.simulator.rules import (
    EDITIONS,
    Rules,
    Value,
    clan_fields,
    clan_key,
    load_rules,
    unknown_clan_hint,
)
from ethnos_sim.simulator.user_code.checking import python_function, with_callees
from ethnos_sim.simulator.utilities.errors import (
    StrategyError,
    UnknownQuestion,
    name_hint,
)

if TYPE_CHECKING:
    import numpy as np

    #: A function that turns the weights of a file (float32) into a strategy's int16 weights.
    Quantise = Callable[[np.ndarray], np.ndarray]

#: The arguments that a strategy's function may take, by name.
ARGUMENTS = ("view", "parameters", "weights", "memory", "rng")

#: The restrictions that a line-up can set for every strategy, beside its parameters.
RESTRICTIONS = ("never_leads", "in_age")

#: The setting that names another file of weights, for strategies with weights.
WEIGHTS = "weights"

#: Names that no parameter may have, because they are settings in a line-up.
RESERVED = (*RESTRICTIONS, WEIGHTS, "policy")

#: The field of the view that a clan's value acts on, for values without a field in `view.rules`.
_VIEW_FIELDS = {"scored": "unscored_cards", "times_cards": "clan_cards"}

#: The fields of the view that show which custom power a clan has, and its state.
_CUSTOM_POWER_FIELDS = {"power_name", "power_state"}

#: The start of the names of the engine's modules, which `fields_read` leaves out.
_ENGINE = "ethnos_sim.simulator.kernel."

_FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that tunes a strategy: name, default, range and meaning."""

    name: str
    default: float
    low: float
    high: float
    meaning: str

    def parse_value(self, text: str, rules: Rules) -> float:
        """The number that `name=text` sets; StrategyError if it is no number or out of range."""
        try:
            value = float(text if text.isascii() else "not a number")
        except ValueError:
            raise StrategyError(f"parameter '{self.name}' needs a number, not '{text}'") from None
        if not self.low <= value <= self.high:
            raise StrategyError(
                f"parameter '{self.name}' is {text}, outside {self.low:g} to {self.high:g}"
            )
        return value

    def default_in(self, rules: Rules) -> float:
        """The parameter's value if a line-up gives no value."""
        return self.default

    def describe(self) -> str:
        """The default, range and meaning in one line."""
        return f"{self.name}={self.default:g} ({self.low:g} to {self.high:g}): {self.meaning}"


def clan_named(setting: str, text: str, rules: Rules) -> str:
    """The clan that the text of a setting names; StrategyError with the nearest name if unknown.

    The message begins with the setting's name.
    """
    clan = clan_key(text)
    if clan not in rules.clans:
        raise StrategyError(
            f"{setting} is the unknown {rules.words.clan} '{clan}'{unknown_clan_hint(clan, rules)}"
        )
    return clan


class ClanParameter(Parameter):
    """A parameter whose value is a clan: the strategy gets the clan's number, as in `view.clan`."""

    def __init__(self, name: str, default: Power, meaning: str) -> None:
        super().__init__(name, float(default), 0.0, float(max(Power)), meaning)

    def parse_value(self, text: str, rules: Rules) -> float:
        """The number of the clan that the text names; StrategyError if it is unknown."""
        return float(rules.clans.index(clan_named(f"parameter '{self.name}'", text, rules)))

    def default_in(self, rules: Rules) -> float:
        """The number of the first clan with the default power; -1 if no clan has the power."""
        clan = rules.clan_of(Power(int(self.default)))
        return float(NONE if clan is None else rules.clans.index(clan))

    def describe(self) -> str:
        """The default power and the meaning in one line."""
        power = Power(int(self.default)).label
        return f"{self.name}=CLAN (default: the {power} clan): {self.meaning}"


@dataclass(eq=False)
class Strategy:
    """A way to play: its name, its functions by question, its parameters and its description.

    Made by the decorator `strategy`. Each question of `simulator.game.records.DECISIONS` is also a
    decorator of this object (`@patient.keep`): `second_party` answers with a move or `decline()`;
    `region`, `sea_region` and `token` with a number out of `view.options` or -1; `keep` with
    `Cards`; `settle`, `draw`, `empty_board` and `ten_wild` with True or False. In solo,
    `bruno_card` and `bruno_release` answer with a card out of `view.offered_once`, `bruno_leader`
    and `bruno_region` with a number out of `view.options`, `bruno_steal` with True or False.
    """

    name: str
    functions: dict[str, Callable[..., Any]]
    parameters: tuple[Parameter, ...] = ()
    policy: str | None = None
    tuned: str | None = None
    weights: str | None = None
    weights_size: int | None = None
    quantise: Quantise | None = None
    description: str = field(default="", repr=False)

    def __getattr__(self, question: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """The decorator of a function that answers this question for this strategy."""
        if question.startswith("_"):
            raise AttributeError(question)
        if question not in DECISIONS:
            raise UnknownQuestion(
                f"strategy '{self.name}' answers the unknown question '{question}'"
                f"{name_hint(question, DECISIONS)}"
            )

        def set_answer(function: Callable[..., Any]) -> Callable[..., Any]:
            self.functions[question] = _check_function(
                function, self.name, question, self.weights, self.parameters
            )
            return function

        return set_answer

    @property
    def looks_ahead(self) -> bool:
        """Whether it tries moves in imagined games, in which its policy plays on."""
        return self.policy is not None

    @property
    def module(self) -> str:
        """The name of the module with the function for `turn`."""
        return self.functions["turn"].__module__

    def data_path(self, folder: str, name: str) -> Path:
        """The path of a data file: in `strategies/FOLDER/`, or beside a user's strategy file."""
        if self.module.startswith("ethnos_sim.strategies."):
            return _FOLDER / folder / name
        turn = python_function(self.functions["turn"])
        return Path(inspect.getsourcefile(turn) or turn.__code__.co_filename).with_name(name)

    @property
    def summary(self) -> str:
        """The first paragraph of the description."""
        return self.description.split("\n\n")[0].replace("\n", " ")

    @cached_property
    def fields_read(self) -> frozenset[str]:
        """The names of the fields that its functions read, directly or in functions that they call.

        Functions of the engine, which reads every value, are left out.
        """
        called = with_callees(
            self.functions.values(), lambda helper, _: not helper.__module__.startswith(_ENGINE)
        )
        return frozenset(name for function in called for name in function.__code__.co_names)

    def ignored_values(self, rules: Rules) -> dict[str, tuple[str, ...]]:
        """The new rule values that its code does not read and so misplays, by clan or "table".

        Returns:
            For a clan, the keys that the code does not read, where no printed clan with its power
            has the clan's value; "custom power" if the code reads neither a power's name nor its
            state. Empty for strategies that look ahead, which play by all rules.
        """
        if self.looks_ahead:
            return {}
        keeps = rules.number("cards_kept") and "cards_kept" not in self.fields_read
        new = {"table": ["cards_kept"] if keeps else []}
        if rules.table_powers:
            new["table"] += self._unread_keys(Power.CUSTOM, "table", rules)
        new |= {clan: self._unread_keys(power, clan, rules) for clan, power in rules.powers.items()}
        return {name: tuple(ignored) for name, ignored in new.items() if ignored}

    def _unread_keys(self, power: Power, clan: str, rules: Rules) -> list[str]:
        """The keys in `ignored_values` for a clan with this power, or for the table."""
        if power is Power.CUSTOM:
            return [] if self.fields_read & _CUSTOM_POWER_FIELDS else ["custom power"]
        return [
            value.key
            for value in clan_fields(power)
            if _VIEW_FIELDS.get(value.key, value.record) not in self.fields_read
            and rules.value(f"{clan}.{value.key}") not in printed_values(power, value.key)
        ]

    def parameter_values(
        self, texts: Mapping[str, str], rules: Rules, tuned: Mapping[str, float] | None = None
    ) -> tuple[float, ...]:
        """All parameter values in order; StrategyError for an unknown name or a wrong value.

        Args:
            texts: the settings of a line-up by parameter name, as written.
            rules: the rules in force (clan parameters need their names).
            tuned: values by name that replace the declared defaults.
        """
        names = [parameter.name for parameter in self.parameters]
        for name in texts:
            if name not in names:
                known = [*names, *RESTRICTIONS, *(["policy"] if self.policy else [])]
                known += [WEIGHTS] if self.weights else []
                hint = name_hint(name, [other for other in known if other != name])
                raise StrategyError(f"strategy '{self.name}' has no parameter '{name}'{hint}")
        defaults = {parameter.name: parameter.default_in(rules) for parameter in self.parameters}
        defaults.update(tuned or {})
        return tuple(
            parameter.parse_value(texts[parameter.name], rules)
            if parameter.name in texts
            else defaults[parameter.name]
            for parameter in self.parameters
        )


@cache
def printed_values(power: Power, key: str) -> tuple[Value, ...]:
    """The values that the printed clans with a power have under a key, by edition."""
    editions = map(load_rules, EDITIONS)
    clans = ((rules, rules.clan_of(power)) for rules in editions)
    return tuple(rules.value(f"{clan}.{key}") for rules, clan in clans if clan is not None)


def _check_function(
    function: Callable[..., Any],
    strategy_name: str,
    question: str,
    weights: str | None,
    parameters: tuple[Parameter, ...],
) -> Callable[..., Any]:
    """Return the function; StrategyError if it takes an argument that strategies do not get."""
    if not inspect.isfunction(python_function(function)):
        raise StrategyError(
            f"strategy '{strategy_name}', '{question}': decorate a function, not {function!r}"
        )
    for argument in inspect.signature(function).parameters:
        if argument not in ARGUMENTS:
            raise StrategyError(
                f"strategy '{strategy_name}', function '{function.__name__}' for '{question}': "
                f"unknown argument '{argument}'{name_hint(argument, ARGUMENTS)}"
            )
        if argument == WEIGHTS and weights is None:
            raise StrategyError(
                f"strategy '{strategy_name}', function '{function.__name__}' for '{question}': "
                'to get weights, declare their file: @strategy(..., weights="FILE.npz")'
            )
        if argument == "parameters" and not parameters:
            raise StrategyError(
                f"strategy '{strategy_name}', function '{function.__name__}' for '{question}': "
                "it declares no parameters: leave out 'parameters', or write "
                "@strategy(Parameter(...))"
            )
    return function


def _declaration_errors(name: str, parameters: tuple[Any, ...]) -> Iterator[str]:
    """The reasons why a strategy's name or parameters cannot be used as declared."""
    if not re.fullmatch(r"[A-Za-z][\w-]*", name):
        yield f"strategy name '{name}' must be a letter, then letters, digits, '_' or '-'"
    if len(parameters) > PARAMETERS:
        yield f"strategy '{name}' has {len(parameters)} parameters; at most {PARAMETERS} fit"
    seen: set[str] = set()
    for parameter in parameters:
        if not isinstance(parameter, Parameter):
            given = f"@strategy(...) takes parameters as Parameter(...), not {parameter!r}"
            yield f"strategy '{name}': {given}"
        parameter_name = parameter.name
        if (
            not parameter_name.isidentifier()
            or keyword.iskeyword(parameter_name)
            or parameter_name.startswith("_")
        ):
            yield f"strategy '{name}': '{parameter_name}' cannot be a parameter's name"
        if parameter_name in RESERVED:
            setting = "is the name of a setting, so a parameter cannot have it"
            yield f"strategy '{name}': '{parameter_name}' {setting}"
        if parameter_name in seen:
            yield f"strategy '{name}' declares parameter '{parameter_name}' twice"
        seen.add(parameter_name)
        if not parameter.low <= parameter.default <= parameter.high:
            outside = f"is outside {parameter.low:g} to {parameter.high:g}"
            given = f"default {parameter.default:g} of parameter '{parameter_name}'"
            yield f"strategy '{name}': {given} {outside}"


def _check_parentheses(parameters: tuple[Any, ...]) -> None:
    """Raise StrategyError if `@strategy` was written without parentheses."""
    for given in parameters[:1]:
        if inspect.isfunction(given):
            raise StrategyError(
                f"strategy '{given.__name__}': write @strategy() with its parentheses"
            )


def strategy(
    *parameters: Parameter,
    name: str | None = None,
    policy: str | None = None,
    tuned: str | None = None,
    weights: str | None = None,
    weights_size: int | None = None,
    quantise: Quantise | None = None,
) -> Callable[[Callable[..., Any]], Strategy]:
    """Declare a strategy: decorates the function that answers `turn` with a move.

    Args:
        parameters: the strategy's parameters, in order (24 at most); without any, `@strategy()`.
        name: the strategy's name; the function's name if not given.
        policy: the strategy that plays on in imagined games, and that answers the questions for
            which this strategy has no function; `name:policy=other` changes it.
        tuned: the file with its tuned parameters by edition and number of players, which replace
            the declared defaults (`strategies.tuned_parameters`).
        weights: the file with the numbers that its functions take as `weights`
            (`strategies.weights`); `name:weights=FILE` changes it.
        weights_size: the required number of weights; any number if not given.
        quantise: a function that turns the weights into int16 numbers, which the strategy's
            functions get instead, so that sums are the same on every processor. It raises
            ValueError if the weights are too large.

    Returns:
        A decorator that turns the function into a `Strategy`. The function's docstring is the
        strategy's description: its idea, the source of the idea, and its weaknesses.

    Raises:
        StrategyError: a name, a parameter or an argument that cannot be used.

    Example:
        >>> from ethnos_sim import play_batch, strategy
        >>> from ethnos_sim.strategies.toolkit import draw, hand_is_full, largest_party, play
        >>> @strategy()
        ... def hoarder(view):
        ...     "Draws until its hand is full, and plays its largest party then."
        ...     party = largest_party(view)
        ...     return play(party) if hand_is_full(view) and party.leader >= 0 else draw()
        >>> play_batch("second", [hoarder, "random"], games=40)
        Batch of 40 games: 2nd edition (2024), 4 players, hoarder, random, hoarder, random, seed 1
    """
    _check_parentheses(parameters)

    def declare(function: Callable[..., Any]) -> Strategy:
        own_name = name or function.__name__.rstrip("_")
        for error in _declaration_errors(own_name, parameters):
            raise StrategyError(error)
        turn = _check_function(function, own_name, "turn", weights, parameters)
        description = inspect.cleandoc(function.__doc__ or "")
        about = policy, tuned, weights, weights_size, quantise, description
        return Strategy(own_name, {"turn": turn}, parameters, *about)

    return declare
