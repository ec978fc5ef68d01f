"""Restrictions: a player that never leads a clan, whatever its strategy.

A line-up sets them next to parameters: `greedy:never_leads=bear:in_age=2`. They narrow the cards
that may lead (`view.leaders`), so the strategy plans with it. A restriction never makes a move
illegal; if it leaves a full hand without a legal move, it is lifted.

This is the instrument of restricted play: Jaffe, Miller, Andersen, Liu, Karlin, Popović (2012),
"Evaluating competitive game balance with restricted play", AIIDE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ethnos_sim.simulator.game.limits import MAX_AGES, MAX_PLAYERS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies.api import clan_named


@dataclass(frozen=True, slots=True)
class Restrictions:
    """The restrictions of a player.

    never_leads   it leads no party with this clan (unless a full hand has no other legal move)
    in_age        the age in which `never_leads` holds; unless given, it holds in all ages
    """

    never_leads: str | None = None
    in_age: int | None = None

    @classmethod
    def read(cls, given: Mapping[str, str], rules: Rules) -> Restrictions:
        """Restrictions from texts by name; StrategyError for an unknown clan or a wrong age.

        Names that are no restriction are left to the strategy.
        """
        if "never_leads" in given:
            clan = clan_named("restriction 'never_leads'", given["never_leads"], rules)
            return cls(clan, _age(given["in_age"], rules) if "in_age" in given else None)
        if "in_age" in given:
            raise StrategyError("restriction 'in_age' belongs to 'never_leads'")
        return UNRESTRICTED

    @property
    def free_ages(self) -> int:
        """A bit for each age in which the player may lead the clan."""
        if self.in_age is None:
            return 0
        return sum(1 << age for age in range(1, MAX_AGES + 1) if age != self.in_age)


#: The restrictions of a player who may do everything.
UNRESTRICTED = Restrictions()


def _age(text: str, rules: Rules) -> int:
    """The age in which `never_leads` holds; StrategyError for a wrong age."""
    ages = max(rules.ages(2), rules.ages(MAX_PLAYERS))
    if text not in map(str, range(1, ages + 1)):
        raise StrategyError(f"restriction 'in_age' is an age from 1 to {ages}, not '{text}'")
    return int(text)
