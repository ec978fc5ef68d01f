"""Restrictions: forbid some moves to any strategy, without writing a second copy of it.

A line-up sets them next to parameters: `greedy:never_leads=bear:never_draws=yes`. `never_leads`
narrows the cards that may lead (`view.leaders`), so the strategy plans with it.
`never_draws` and `never_optional` act on answers: the strategy is asked first, which leaves its
memory and random stream unchanged, and then the answer is replaced. A restriction never makes a
move illegal; if it leaves no legal move, it is lifted.

`never_leads` is the instrument of restricted play: Jaffe, Miller, Andersen, Liu, Karlin, Popović
(2012), "Evaluating competitive game balance with restricted play", AIIDE.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ethnos_sim.simulator.compiler import compile_callback, kernel
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.game.limits import MAX_AGES, MAX_PLAYERS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies.api import RESTRICTIONS, clan_named
from ethnos_sim.strategies.toolkit.parties import fitting_pool_card
from ethnos_sim.strategies.toolkit.position import hand_is_full

#: The questions that offer a power's optional part.
_OFFERS = ("second_party", "sea_region", "token", "settle", "keep", "draw", "use_power", "choose")

#: These questions as a mask of bits.
OPTIONAL = sum(1 << records.DECISIONS.index(question) for question in _OFFERS)

_YES_NO = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Restrictions:
    """The restrictions of a player.

    never_leads      it leads no party with this clan (unless a full hand has no other legal move)
    in_age           the age in which `never_leads` holds; unless given, it holds in all ages
    never_draws      it takes a pool card instead of drawing (unless the pool is empty)
    never_optional   it never takes a power's optional part: second party, extra sea marker, token,
                     settlement marker, keeping cards, drawing cards, offers of custom powers
    """

    never_leads: str | None = None
    in_age: int | None = None
    never_draws: bool = False
    never_optional: bool = False

    @classmethod
    def read(cls, given: Mapping[str, str], rules: Rules) -> Restrictions:
        """Restrictions from texts by name; StrategyError for an unknown clan or a wrong flag.

        Names that are no restriction are left to the strategy.
        """
        values: dict[str, Any] = {}
        for name in RESTRICTIONS:
            setting = f"restriction '{name}'"
            if name not in given:
                continue
            if name == "in_age":
                values[name] = _age(setting, given, rules)
            elif name in ("never_draws", "never_optional"):
                values[name] = read_flag(setting, given[name])
            else:
                values[name] = clan_named(setting, given[name], rules)
        return cls(**values)

    @property
    def free_ages(self) -> int:
        """The ages in which the player may lead the `never_leads` clan, as the kernel's bits."""
        if self.in_age is None:
            return 0
        return sum(
            1 << records.FREE_AGES + age for age in range(1, MAX_AGES + 1) if age != self.in_age
        )

    @property
    def bits(self) -> int:
        """The restrictions of answers, as the kernel's bits."""
        return records.NEVER_DRAWS * self.never_draws | records.NEVER_OPTIONAL * self.never_optional


#: The restrictions of a player who may do everything.
UNRESTRICTED = Restrictions()


def _age(setting: str, given: Mapping[str, str], rules: Rules) -> int:
    """The age in which `never_leads` holds; StrategyError for a wrong age or no `never_leads`."""
    if "never_leads" not in given:
        raise StrategyError(f"{setting} belongs to 'never_leads'")
    ages = max(rules.ages(2), rules.ages(MAX_PLAYERS))
    text = given["in_age"]
    if text not in map(str, range(1, ages + 1)):
        raise StrategyError(f"{setting} is an age from 1 to {ages}, not '{text}'")
    return int(text)


def read_flag(setting: str, text: str) -> bool:
    """Whether a setting's text is yes; StrategyError if it is neither yes nor no."""
    if text not in _YES_NO:
        raise StrategyError(f"{setting} is yes or no, not '{text}'")
    return _YES_NO[text]


@kernel
def restrict(view: Any, move: Any, restrictions: Any) -> None:
    """Replace an answer that the restrictions forbid; leave an illegal answer as it is."""
    decision = view.decision
    from_deck = decision == records.TURN and move.kind == records.FROM_DECK
    if restrictions & records.NEVER_DRAWS and from_deck:
        if not hand_is_full(view) and view.pool_once != np.uint64(0):
            move.kind = records.FROM_POOL
            move.choice = fitting_pool_card(view)[0]
    if restrictions & records.NEVER_OPTIONAL and (OPTIONAL >> decision) & 1 and view.may_decline:
        if move.kind == records.PARTY or move.kind == records.CHOICE or move.kind == records.CARDS:
            move.kind = records.DECLINE


def decide(view: Any, move: Any, own: Any) -> None:
    """Apply the restrictions; the engine calls this after a restricted strategy has answered."""
    restrict(view, move, own.restrictions)


@functools.cache
def compiled_filter() -> Any:
    """The compiled function that replaces forbidden answers, the same for all strategies."""
    return compile_callback("restrictions", records.STRATEGY, decide)
