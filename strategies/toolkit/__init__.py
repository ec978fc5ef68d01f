"""What strategies are written with: moves, parties, values of positions, chance.

Everything here is compiled and may be called from a strategy's functions; `from
ethnos_sim.strategies.toolkit import ...` is all that an author needs.
"""

from ethnos_sim.strategies.toolkit.chance import random_below, random_chance
from ethnos_sim.strategies.toolkit.moves import (
    Cards,
    Move,
    Party,
    decline,
    draw,
    hand,
    no_cards,
    play,
    pool,
    take,
)
from ethnos_sim.strategies.toolkit.parties import (
    all_cards_of,
    best_party,
    clan_group,
    color_group,
    fitting_pool_card,
    largest_party,
    matching_cards,
    party_prestige,
    wild_cards,
)
from ethnos_sim.strategies.toolkit.position import (
    award_now,
    best_rival,
    hand_is_full,
    last_dragon_next,
    marker_gain,
    markers_needed,
    most_contested_region,
    region_open,
)

__all__ = [
    "Cards",
    "Move",
    "Party",
    "all_cards_of",
    "award_now",
    "best_party",
    "best_rival",
    "clan_group",
    "color_group",
    "decline",
    "draw",
    "fitting_pool_card",
    "hand",
    "hand_is_full",
    "largest_party",
    "last_dragon_next",
    "marker_gain",
    "markers_needed",
    "matching_cards",
    "most_contested_region",
    "no_cards",
    "party_prestige",
    "play",
    "pool",
    "random_below",
    "random_chance",
    "region_open",
    "take",
    "wild_cards",
]
