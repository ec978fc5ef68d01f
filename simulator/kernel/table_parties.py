"""Parties on the table: what a party will score at the age's end (R14, R16)."""

from __future__ import annotations

from ethnos_sim.simulator.cards import count, union
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.powers import Power

SCORES_LARGER = int(Power.SCORES_LARGER)


@kernel
def book_party(view, hidden, player, once, twice, power, size):
    """Lay a party in front of a player and note its points, its size and its leader's power."""
    view.played_once, view.played_twice = union(view.played_once, view.played_twice, once, twice)
    members = size - count(once & view.wild_cards, twice & view.wild_cards)
    view.party_sizes[player, members] += 1
    scored = members + 1 if power == SCORES_LARGER else members
    view.party_points[player] += view.rules.party_points[min(scored, 6)]
    seat = hidden.seats[player]
    seat.parties += 1
    seat.led[power] += 1
    seat.cards += size
