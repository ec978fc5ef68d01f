"""What the board shows: leads in regions, the prestige of a marker, the end of the age."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined, kernel
from ethnos_sim.simulator.game.power_numbers import NO_MARKER, ONE_CARD_FEWER
from ethnos_sim.simulator.kernel.markers import markers_to_beat


@inlined
def hand_is_full(view):
    """Whether the acting player cannot recruit."""
    return view.hand_cards[view.player] >= view.rules.hand_limit


@kernel
def last_dragon_next(view):
    """Whether the next dragon ends the age."""
    return view.dragons_seen >= view.rules.last_dragon - 1


@inlined
def best_rival(view, region):
    """The most markers that any rival has in a region."""
    most = np.int64(view.most_markers[region])
    second = np.int64(view.second_most_markers[region])
    return second if view.most_markers_of[region] == view.player else most


@inlined
def markers_needed(view, region):
    """The least number of cards with which a party places its marker in a region."""
    return np.int64(markers_to_beat(view, np.int64(view.player), region)) + 1


@kernel
def region_open(view, region, power, size):
    """Whether a party of `size` cards, whose leader has `power`, may place a marker in a region."""
    if power == NO_MARKER or view.supply[view.player] <= 0:
        return False
    return size + (power == ONE_CARD_FEWER) >= markers_needed(view, region)


@kernel
def awards_now(view, region):
    """The awards of a region's first, second and shared first place, if the age ended now."""
    age = np.int64(view.age)
    first = np.int64(view.prestige_tokens[region, age - 1]) + view.coins_on_region[region]
    second = np.int64(view.prestige_tokens[region, max(age - 2, 0)]) * (age > 1)
    if view.players == 2 and age == view.ages:
        # The second place scores nothing, and a player alone in the region takes both tokens.
        alone = second * (best_rival(view, region) == 0)
        return first + alone, np.int64(0), first >> 1
    return first, second, (first + second) >> 1


@kernel
def award_of(markers, rival_markers, first, second, shared):
    """A player's award for `markers` against the best rival's markers; see `awards_now`."""
    return (
        (markers > rival_markers) * first
        + (markers == rival_markers) * (markers > 0) * shared
        + (markers < rival_markers) * (markers > 0) * second
    )


@kernel
def marker_gain(view, region):
    """Prestige that one more marker in a region would add if the age ended now."""
    mine = np.int64(view.markers[region, view.player])
    rival = best_rival(view, region)
    first, second, shared = awards_now(view, region)
    after = award_of(mine + 1, rival, first, second, shared)
    return after - award_of(mine, rival, first, second, shared)
