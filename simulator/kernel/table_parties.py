"""Parties on the table: what a party will score at the age's end (R14, R16)."""

from __future__ import annotations

from ethnos_sim.simulator.cards import count, union
from ethnos_sim.simulator.compilation import kernel


@kernel
def book_party(view, hidden, player, once, twice, slot, size):
    """Lay a party in front of a player and note its points, its size and its leader's clan."""
    view.played_once, view.played_twice = union(view.played_once, view.played_twice, once, twice)
    members = size - count(once & view.unscored_cards, twice & view.unscored_cards)
    for_ties = size if view.rules.wild_breaks_ties else members
    view.party_sizes[player, for_ties] += 1
    scored = members + view.rules.score_bonus[slot]
    view.party_points[player] += view.rules.party_points[min(scored, 6)]
    seat = hidden.seats[player]
    seat.parties += 1
    seat.led[slot] += 1
    seat.cards += size
