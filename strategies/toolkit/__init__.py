"""The tools for writing strategies: moves, parties, values of positions, random numbers.

A strategy's functions may call everything that `from ethnos_sim.strategies.toolkit import ...`
offers. Helper functions of an author need the decorator `kernel`.
"""

from ethnos_sim.simulator.utilities.lazy_imports import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "..simulator.compiler": "kernel",
        "..simulator.kernel.clans": "slot_of",
        "learning_agents": "legal_actions observation party_of_action",
        "choosing": "best_led best_of party_led play_or_decline ripe",
        "clock": "cards_left end_chance",
        "denial": "gift known_companions",
        "forward": "copy_game guess imagined_games make_move play_on",
        "groups": "cards_in_hand gather larger_group party_of",
        "moves": "Cards Move Party decline draw hand play pool random_below random_chance take",
        "parties": "best_party fitting_pool_card largest_party matching_cards party_prestige "
        "power_prestige take_or_draw",
        "position": "best_rival hand_is_full last_dragon_next marker_gain markers_needed "
        "region_open",
        "prospects": "award_at marker_worth unseen unseen_cards",
        "worth": "most_contested_region open_to party_worth worthiest_party worthiest_region",
    },
)
