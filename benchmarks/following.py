"""Three different players that prefer some clans as leaders (`followers.py`).

Each player adds the bonus of the leader's clan to its value of a party. Without bonuses, `patient`
waits for valuable parties, `hasty` plays every party that places a marker, and `hoarder_of_points`
hoards cards.
"""

from __future__ import annotations

from typing import Any

from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    best_led,
    cards_in_hand,
    hand_is_full,
    kernel,
    larger_group,
    last_dragon_next,
    marker_worth,
    party_prestige,
    party_worth,
    play,
    region_open,
    take_or_draw,
)

REGIONS, CLANS = 6, 12

BONUS = [
    Parameter(f"c{number}", 0, -100, 100, "points for a party that a card of this clan leads")
    for number in range(CLANS)
]


@kernel
def bonuses(p: Any) -> Any:
    """The bonus of each clan, by its number."""
    return p.c0, p.c1, p.c2, p.c3, p.c4, p.c5, p.c6, p.c7, p.c8, p.c9, p.c10, p.c11


@kernel
def liked(view: Any, leader: Any, bonus: Any) -> Any:
    """The bonus of a leader's clan."""
    return bonus[view.clan[leader // REGIONS]]


@kernel
def worth(view: Any, leader: Any, bonus: Any) -> Any:
    """The worth of a leader's party in this age and the next ones, with its bonus."""
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    marker = marker_worth(view, leader % REGIONS, 0.75)
    return party_worth(view, leader, members, size, marker, 0.75) + liked(view, leader, bonus)


@kernel
def marks(view: Any, leader: Any, bonus: Any) -> Any:
    """The size of a party plus its bonus, and 1,000 more if it places a marker."""
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    opens = region_open(view, leader % REGIONS, view.power[leader // REGIONS], size)
    return (1000.0 if opens else 0.0) + members + liked(view, leader, bonus)


@kernel
def points(view: Any, leader: Any, bonus: Any) -> Any:
    """The prestige of a leader's party if the age ended now, with its bonus."""
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    return party_prestige(view, leader, size, members) + liked(view, leader, bonus)


@strategy(*BONUS)
def patient(view: Any, parameters: Any) -> Any:
    """Waits for a party that is worth six points or more, in this age and the next ones."""
    party, value = best_led(view, worth, bonuses(parameters))
    if party.leader >= 0 and (value >= 6 or hand_is_full(view) or last_dragon_next(view)):
        return play(party)
    return take_or_draw(view)


@strategy(*BONUS)
def hasty(view: Any, parameters: Any) -> Any:
    """Plays whatever places a marker, at once."""
    party, value = best_led(view, marks, bonuses(parameters))
    if party.leader >= 0 and (value > 500 or hand_is_full(view) or last_dragon_next(view)):
        return play(party)
    return take_or_draw(view)


@strategy(*BONUS)
def hoarder_of_points(view: Any, parameters: Any) -> Any:
    """Waits for parties of five cards and more."""
    party, _ = best_led(view, points, bonuses(parameters))
    if party.leader >= 0 and (party.size >= 5 or hand_is_full(view) or last_dragon_next(view)):
        return play(party)
    return take_or_draw(view)
