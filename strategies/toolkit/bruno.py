"""Chief Bruno in solo: what cards, leaders and markers are worth to him, and choices by it.

The first functions look at the present only, later functions also at the future of his columns.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, bit, difference, lowest, popcount
from ethnos_sim.simulator.game.records import BRUNO, NONE, REGIONS, SOLO_HARD
from ethnos_sim.simulator.kernel.bruno import column_size
from ethnos_sim.simulator.kernel.markers import markers_to_beat
from ethnos_sim.strategies.toolkit.choosing import best_of
from ethnos_sim.strategies.toolkit.moves import draw, take
from ethnos_sim.strategies.toolkit.parties import companions_in_hand
from ethnos_sim.strategies.toolkit.position import award_of

#: A card's worth, in sixtieths of the worth of its column's party, by the number of missing cards.
SIXTIETHS = np.array([60, 30, 20, 15, 12, 10, 8, 7, 6, 6, 5, 5, 4, 4, 4, 3])

#: The usual number of cards in one of Bruno's columns when he plays it as a party.
USUAL_COLUMN = 4


@kernel
def cards_to_fire(view, color):
    """The number of cards at which Bruno plays the column of a color, by the present markers."""
    if view.rules.bruno_fires_at[color] > 0:
        return np.int64(view.rules.bruno_fires_at[color])
    return max(np.int64(markers_to_beat(view, BRUNO, color)) + 1, np.int64(1))


@kernel
def bruno_marker_gain(view, region):
    """Prestige that one more marker in a region would bring Bruno if the age ended now."""
    his = np.int64(view.markers[region, BRUNO])
    rival = np.int64(view.markers[region, 0])
    first = np.int64(view.prestige_tokens[region, view.age - 1]) + view.coins_on_region[region]
    if view.age == view.ages:
        first += np.int64(view.prestige_tokens[region, 0]) * (rival == 0)
    shared = first >> 1
    after = award_of(his + 1, rival, first, np.int64(0), shared)
    return after - award_of(his, rival, first, np.int64(0), shared)


@kernel
def bruno_party_prestige(view, color, size):
    """Prestige that the column of a color with `size` cards brings Bruno, without a power."""
    value = np.int64(view.rules.party_points[min(size, 6)])
    if size > markers_to_beat(view, BRUNO, color) and view.supply[BRUNO] > 0:
        value += bruno_marker_gain(view, color)
    return value


@kernel
def next_card_worth(view, color):
    """What the next card of a color is worth to Bruno, in sixtieths of prestige.

    A card that completes the column is worth the whole party. Any other card is worth a part of
    the party, which shrinks with the number of missing cards.
    """
    size = column_size(view, color) + 1
    played = max(size, cards_to_fire(view, color))
    missing = min(played - size, np.int64(15))
    return bruno_party_prestige(view, color, played) * SIXTIETHS[missing]


@kernel
def offered_worth(view, card, sign):
    """`sign` times what an offered card is worth to Bruno.

    Ties are broken by the number of cards in the player's hand that the card joins.
    """
    return sign * (1024 * next_card_worth(view, card % REGIONS) + companions_in_hand(view, card))


@kernel
def card_for_bruno(view, sign):
    """The offered card worth most (sign 1) or least (-1) to Bruno.

    Among equal cards it is the card that joins most (or fewest) cards of the player's hand.
    """
    return best_of(view, view.offered_once, offered_worth, sign)[0]


@kernel
def region_worth_for_bruno(view, region, sign):
    """`sign` times the prestige that one more marker in a region would bring Bruno now."""
    return sign * bruno_marker_gain(view, region)


@kernel
def region_for_bruno(view, sign):
    """The offered region where a marker brings Bruno most (sign 1) or least (-1)."""
    return best_of(view, view.options, region_worth_for_bruno, sign)[0]


@kernel
def leader_prestige(view, slot, size):
    """Prestige that the power of a slot's clan brings Bruno with a party of `size` cards.

    A card that the power draws counts as 1 prestige.
    """
    power = view.power[slot]
    if power == powers.SCORES_LARGER:
        larger = view.rules.party_points[min(size + 1, 6)]
        return np.int64(larger - view.rules.party_points[min(size, 6)])
    if power == powers.LARGEST_TOKEN:
        take = view.rules.largest_on_take[slot] + view.rules.largest_age[slot, view.age - 1]
        return np.int64(take) * (size > view.largest_size[slot])
    if power == powers.SEA_TRACK:
        before = np.int64(view.sea[slot, BRUNO])
        value = np.int64(0)
        for i in range(view.rules.sea_symbols_count[slot]):
            symbol = view.rules.sea_symbols[slot, i]
            value += 4 * (before < symbol and symbol <= before + size)
        overtakes = before <= view.sea[slot, 0] and before + size > view.sea[slot, 0]
        return value + np.int64(view.rules.sea_prestige[slot, view.age - 1]) * overtakes
    if power == powers.SETTLEMENT_BOARD:
        placed = popcount(np.uint64(view.settlements[slot, BRUNO]))
        after = min(placed + 1, REGIONS)
        return np.int64(view.rules.settlement[slot, after] - view.rules.settlement[slot, placed])
    if power == powers.DRAWS_CARDS:
        return np.int64(size)
    if power == powers.COINS and view.coins_used[slot] < view.rules.coins_count[slot]:
        return np.int64(view.rules.coins[slot, view.coins_used[slot]])
    return np.int64(0)


@kernel
def next_card_cost(view, color, distance):
    """The prestige that the next card of a color brings Bruno.

    This is the prestige of the column's party, divided by 1 + `distance` times the missing cards.
    """
    size = column_size(view, color) + 1
    played = max(size, cards_to_fire(view, color))
    return bruno_party_prestige(view, color, played) / (1.0 + distance * (played - size))


@kernel
def least_harmful_card(view, cards, distance, use):
    """The card of `cards` that costs least to give to Bruno, and its cost; (-1, 0) without cards.

    `use` is the cost of a card for each companion in the player's hand.
    """
    best = np.int64(NONE)
    best_cost = 0.0
    for color in range(REGIONS):
        left = cards & view.color_cards[color]
        cost = next_card_cost(view, color, distance) if left != np.uint64(0) else 0.0
        while left != np.uint64(0):
            card = lowest(left)
            left &= left - ONE
            own_cost = cost + use * companions_in_hand(view, card)
            if best == NONE or own_cost < best_cost:
                best_cost = own_cost
                best = card
    return best, best_cost


@kernel
def feeding_cost(view, once, twice, number, distance):
    """The cost of giving Bruno a number of cards out of a set, the least harmful cards first."""
    total = 0.0
    for _ in range(number):
        card, cost = least_harmful_card(view, once, distance, 0.0)
        if card == NONE:
            break
        total += cost
        once, twice = difference(once, twice, bit(card), np.uint64(0))
    return total


@kernel
def recruit_worth(view, card, terms):
    """The worth of taking a pool card by the `terms` of `recruit_against_bruno`."""
    liking, dread, distance = terms
    once, twice = difference(view.pool_once, view.pool_twice, bit(card), np.uint64(0))
    given = 2 if view.solo == SOLO_HARD else 1
    value = liking * min(companions_in_hand(view, card) + 1, 5)
    return value - dread * feeding_cost(view, once, twice, given, distance)


@kernel
def recruit_against_bruno(view, deck, liking, dread, distance):
    """The recruit with the highest worth to the player, less the cost of Bruno's cards after it.

    A pool card is worth `liking` for itself and each companion in hand (5 cards at most), and a
    card from the deck is worth `deck`. The cards that Bruno gets after the recruit cost `dread`
    times their worth to him. In a hard game he gets two cards if the player takes a pool card.
    """
    blind = deck - dread * feeding_cost(view, view.pool_once, view.pool_twice, 1, distance)
    card, value = best_of(view, view.pool_once, recruit_worth, (liking, dread, distance))
    if card == NONE or value <= blind:
        return draw()
    return take(card)


@kernel
def prestige_saved(view, slot, thrift):
    """The prestige that the player saves if the leader of a slot is used up now.

    This is `thrift` times the prestige that it brings Bruno with a usual column, less the prestige
    that it brings with this column.
    """
    saving = thrift * leader_prestige(view, slot, USUAL_COLUMN)
    return saving - leader_prestige(view, slot, view.limit)


@kernel
def leader_to_spend(view, thrift):
    """The face-up leader whose use in Bruno's party saves most prestige (`prestige_saved`).

    A leader that has led is turned face down. So it is good to use up a leader that would bring
    Bruno much with a usual column, and brings little with this column.
    """
    return best_of(view, view.options, prestige_saved, thrift)[0]
