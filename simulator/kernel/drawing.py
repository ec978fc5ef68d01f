"""Drawing from the deck: ally cards, and the dragons that end an age (R1, R8, R9, R18)."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.records import DRAGON, NONE


@kernel
def draw_card(view, hidden, player):
    """The deck's next ally card, or NONE when the last dragon came; dragons are set aside."""
    order = hidden.deal.order[view.age - 1]
    while True:
        card = np.int64(order[hidden.next_card])
        hidden.next_card += 1
        view.deck_cards -= 1
        if card != DRAGON:
            hidden.result.drawn[view.age - 1] += 1
            return card
        view.dragons_seen += 1
        hidden.dragons_met += 1
        if view.dragons_seen == view.rules.last_dragon:
            view.age_over = 1
            hidden.result.third_dragon[view.age - 1] = player
            return np.int64(NONE)
