"""Line-ups: the strategy in each seat, with its parameters and its restriction.

A restricted player never leads a clan, whatever its strategy: `greedy:never_leads=bear:in_age=2`.
This narrows the cards that may lead (`view.leaders`), so the strategy plans with it. A restriction
never makes a move illegal; if it leaves a full hand without a legal move, it is lifted.

This is the instrument of restricted play: Jaffe, Miller, Andersen, Liu, Karlin, Popović (2012),
"Evaluating competitive game balance with restricted play", AIIDE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ethnos_sim.simulator.game.limits import MAX_AGES, MAX_PLAYERS
from ethnos_sim.simulator.game.records import DECISIONS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.table import Seat, Stranger
from ethnos_sim.simulator.user_code.checking import source_line
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies.api import RESTRICTIONS, WEIGHTS, Strategy, clan_named
from ethnos_sim.strategies.compiling import DEFAULTS, compiled_strategy
from ethnos_sim.strategies.registry import as_stranger, split_entry
from ethnos_sim.strategies.tuned_parameters import tuned_values
from ethnos_sim.strategies.weights import playing_weights


@dataclass(frozen=True)
class Entry:
    """One player of a line-up: a strategy, its parameter values in order, and its restriction."""

    name: str
    strategy: Strategy
    values: tuple[float, ...]
    policy: Entry | None = None
    never_leads: str | None = None
    free_ages: int = 0
    weights: np.ndarray | None = field(default=None, compare=False)

    @property
    def strangers(self) -> tuple[Stranger, ...]:
        """The strangers (`as_stranger`) among its strategy and its policy."""
        of_policy = () if self.policy is None else self.policy.strangers
        return (*as_stranger(self.strategy), *of_policy)

    @property
    def answered_questions(self) -> int:
        """A mask of the questions that the strategy answers by functions of its own."""
        return sum(1 << DECISIONS.index(question) for question in self.strategy.functions)

    def seat(self) -> Seat:
        """The player as the kernel takes it; compiles the strategy and its policy if need be."""
        return Seat(
            self.name,
            address=compiled_strategy(self.strategy).address,
            default_address=compiled_strategy(DEFAULTS).address,
            hooks=self.answered_questions,
            parameters=self.values,
            policy=None if self.policy is None else self.policy.seat(),
            weights=self.weights,
            never_leads=self.never_leads,
            free_ages=self.free_ages,
            strangers=self.strangers,
            source_lines=tuple(
                (question, source_line(function))
                for question, function in self.strategy.functions.items()
            ),
        )


def _parse_restriction(settings: Mapping[str, str], rules: Rules) -> tuple[str | None, int]:
    """The clan that a player never leads, from the settings `never_leads` and `in_age`.

    Other settings are parameters of the strategy.

    Returns:
        The clan (None if the player may lead every clan), and a mask of the ages in which the
        player may lead it after all: 0, or all ages but the age that `in_age` names.

    Raises:
        StrategyError: an unknown clan or a wrong age.
    """
    if "never_leads" not in settings:
        if "in_age" in settings:
            raise StrategyError("restriction 'in_age' needs 'never_leads=CLAN' beside it")
        return None, 0
    clan = clan_named("restriction 'never_leads'", settings["never_leads"], rules)
    if "in_age" not in settings:
        return clan, 0
    only = _parse_age(settings["in_age"], rules)
    return clan, sum(1 << age for age in range(1, MAX_AGES + 1) if age != only)


def _parse_age(text: str, rules: Rules) -> int:
    """The age that `in_age` names; StrategyError for a wrong age."""
    ages = max(rules.ages(2), rules.ages(MAX_PLAYERS))
    if text not in map(str, range(1, ages + 1)):
        raise StrategyError(f"restriction 'in_age' is an age from 1 to {ages}, not '{text}'")
    return int(text)


def parse_entry(text: str | Strategy, players: int, rules: Rules) -> Entry:
    """The entry for a strategy, or for a text: `name` or `name:setting=value:...`.

    A setting is a parameter of the strategy or a restriction; tuned defaults depend on the number
    of players. StrategyError for an unknown name or a wrong value.
    """
    strategy, settings = split_entry(text)
    name = text.name if isinstance(text, Strategy) else text.strip()
    policy = None
    if strategy.policy is not None:
        policy = parse_entry(settings.pop("policy", strategy.policy), players, rules)
        if policy.policy is not None:
            raise StrategyError(f"'{name}': a policy may not look ahead itself; choose another")
    weights = None
    if strategy.weights is not None:
        weights = playing_weights(strategy, rules, players, settings.pop(WEIGHTS, None))
    restriction = _parse_restriction(settings, rules)
    parameters = {key: value for key, value in settings.items() if key not in RESTRICTIONS}
    values = strategy.parameter_values(parameters, rules, tuned_values(strategy, rules, players))
    return Entry(name, strategy, values, policy, *restriction, weights)


@dataclass(frozen=True, repr=False)
class LineUp:
    """The players of a game, with an entry for each seat of rotation 0."""

    entries: tuple[Entry, ...]

    def __repr__(self) -> str:
        return f"LineUp of {', '.join(self.names)}"

    @classmethod
    def parse(
        cls, strategies: LineUp | str | Sequence[str | Strategy], players: int, rules: Rules
    ) -> LineUp:
        """A line-up from names. If there are fewer names than seats, they repeat.

        Args:
            strategies: names, as `"greedy,random"` or a list; or a list of strategies; or a
                line-up, which is returned as it is. A name may have settings, `name:setting=value`:
                parameters, and the restrictions `never_leads` and `in_age`.
            players: how many seats there are.
            rules: the rules in force (clan names, and tuned parameters by edition).

        Raises:
            StrategyError: an unknown name or parameter, no name, or more strategies than players;
                a line-up of another number of players.

        Example:
            >>> from ethnos_sim import LineUp, load_rules
            >>> LineUp.parse("greedy,majority", players=4, rules=load_rules("second"))
            LineUp of greedy, majority, greedy, majority
        """
        if isinstance(strategies, LineUp):
            if len(strategies.entries) != players:
                raise StrategyError(f"{strategies} does not fit {players} seats")
            return strategies
        texts = strategies.split(",") if isinstance(strategies, str) else list(strategies)
        if not texts:
            raise StrategyError("a line-up needs at least one strategy")
        if not all(isinstance(text, Strategy) or text.strip() for text in texts):
            raise StrategyError(
                f"a strategy's name is missing in the line-up '{','.join(map(str, texts))}'"
            )
        if len(texts) > players:
            seats = "1 seat" if players == 1 else f"{players} seats"
            raise StrategyError(f"{len(texts)} strategies do not fit {seats}")
        entries = [parse_entry(text, players, rules) for text in texts]
        return cls(tuple(entries[i % len(entries)] for i in range(players)))

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names as written, parameters included."""
        return tuple(entry.name for entry in self.entries)

    @property
    def strategies(self) -> list[Strategy]:
        """The strategies whose code plays: the entries' strategies and their policies."""
        played = [entry.strategy for entry in self.entries]
        return played + [entry.policy.strategy for entry in self.entries if entry.policy]

    @property
    def restricted_names(self) -> tuple[str, ...]:
        """The names of the entries that give up a clan by `never_leads`, without repetition."""
        restricted = (entry for entry in self.entries if entry.never_leads is not None)
        return tuple(dict.fromkeys(entry.name for entry in restricted))

    def seats(self) -> tuple[Seat, ...]:
        """The players as the kernel takes them; compiles strategies that are not compiled yet."""
        return tuple(entry.seat() for entry in self.entries)
