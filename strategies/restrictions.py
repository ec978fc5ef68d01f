"""Restrictions: a player that never leads a clan, whatever its strategy.

A line-up sets them next to parameters: `greedy:never_leads=bear:in_age=2`. They narrow the cards
that may lead (`view.leaders`), so the strategy plans with it. A restriction never makes a move
illegal; if it leaves a full hand without a legal move, it is lifted.

This is the instrument of restricted play: Jaffe, Miller, Andersen, Liu, Karlin, Popović (2012),
"Evaluating competitive game balance with restricted play", AIIDE.
"""

from __future__ import annotations

from collections.abc import Mapping

from ethnos_sim.simulator.game.limits import MAX_AGES, MAX_PLAYERS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies.api import clan_named


def restriction_of(given: Mapping[str, str], rules: Rules) -> tuple[str | None, int]:
    """The clan that a player never leads, from the texts of `never_leads` and `in_age`.

    Names that are no restriction are left to the strategy.

    Returns:
        The clan, None if the player may lead every clan; and a bit for each age in which it may
        lead this clan after all, 0 unless `in_age` names the only age of the restriction.

    Raises:
        StrategyError: an unknown clan or a wrong age.
    """
    if "never_leads" not in given:
        if "in_age" in given:
            raise StrategyError("restriction 'in_age' belongs to 'never_leads'")
        return None, 0
    clan = clan_named("restriction 'never_leads'", given["never_leads"], rules)
    if "in_age" not in given:
        return clan, 0
    only = _age(given["in_age"], rules)
    return clan, sum(1 << age for age in range(1, MAX_AGES + 1) if age != only)


def _age(text: str, rules: Rules) -> int:
    """The age in which `never_leads` holds; StrategyError for a wrong age."""
    ages = max(rules.ages(2), rules.ages(MAX_PLAYERS))
    if text not in map(str, range(1, ages + 1)):
        raise StrategyError(f"restriction 'in_age' is an age from 1 to {ages}, not '{text}'")
    return int(text)
