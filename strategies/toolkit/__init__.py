"""What strategies are written with: moves, parties, values of positions, chance.

Everything here is compiled and may be called from a strategy's functions; `from
ethnos_sim.strategies.toolkit import ...` is all that an author needs. `kernel` is the decorator
for helper functions of one's own.
"""

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.strategies.toolkit.agents import legal_actions, observation, party_of_action
from ethnos_sim.strategies.toolkit.chance import random_below, random_chance
from ethnos_sim.strategies.toolkit.choosing import (
    best_led,
    best_of,
    party_led,
    play_or_decline,
    ripe,
)
from ethnos_sim.strategies.toolkit.clock import cards_left, end_chance
from ethnos_sim.strategies.toolkit.denial import gift, known_companions
from ethnos_sim.strategies.toolkit.forward import (
    copy_game,
    guess,
    imagined_games,
    make_move,
    play_on,
)
from ethnos_sim.strategies.toolkit.groups import cards_in_hand, gather, larger_group, party_of
from ethnos_sim.strategies.toolkit.moves import (
    Cards,
    Move,
    Party,
    decline,
    draw,
    hand,
    play,
    pool,
    take,
)
from ethnos_sim.strategies.toolkit.outlook import award_at, marker_worth, unseen, unseen_cards
from ethnos_sim.strategies.toolkit.parties import (
    best_party,
    fitting_pool_card,
    largest_party,
    matching_cards,
    party_prestige,
    power_prestige,
    take_or_draw,
)
from ethnos_sim.strategies.toolkit.position import (
    award_now,
    best_rival,
    hand_is_full,
    last_dragon_next,
    marker_gain,
    markers_needed,
    region_open,
)
from ethnos_sim.strategies.toolkit.worth import (
    most_contested_region,
    open_to,
    party_worth,
    worthiest_party,
    worthiest_region,
)

__all__ = [
    "Cards",
    "Move",
    "Party",
    "award_at",
    "award_now",
    "best_led",
    "best_of",
    "best_party",
    "best_rival",
    "cards_in_hand",
    "cards_left",
    "copy_game",
    "decline",
    "draw",
    "end_chance",
    "fitting_pool_card",
    "gather",
    "gift",
    "guess",
    "hand",
    "hand_is_full",
    "imagined_games",
    "kernel",
    "known_companions",
    "larger_group",
    "largest_party",
    "last_dragon_next",
    "legal_actions",
    "make_move",
    "marker_gain",
    "marker_worth",
    "markers_needed",
    "matching_cards",
    "most_contested_region",
    "observation",
    "open_to",
    "party_led",
    "party_of",
    "party_of_action",
    "party_prestige",
    "party_worth",
    "play",
    "play_on",
    "play_or_decline",
    "pool",
    "power_prestige",
    "random_below",
    "random_chance",
    "region_open",
    "ripe",
    "slot_of",
    "take",
    "take_or_draw",
    "unseen",
    "unseen_cards",
    "worthiest_party",
    "worthiest_region",
]
