"""Expected awards of regions and the sea track, and the cards that may still come.

`award_at` and `marker_worth` assume that rivals' markers stay as they are. The other functions turn
a lead over a rival into a chance of staying ahead. A tie is an even chance. `firm`, the *firmness*
of leads, is what each marker of a lead adds to the chance: at 0.5, a lead of one marker is certain.
The mean number of rivals ahead is the sum of their chances to be ahead. Awards are interpolated
between places.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined, kernel
from ethnos_sim.simulator.game.cards import count, popcount
from ethnos_sim.simulator.game.power_numbers import SEA_TRACK
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.simulator.kernel.deal import unseen_set
from ethnos_sim.strategies.toolkit.moves import Cards

#: The firmness of leads at the end of an age.
CERTAIN = 0.5


@kernel
def clamp_chance(chance):
    """A number, clamped to 0 ... 1."""
    return min(max(chance, 0.0), 1.0)


@kernel
def interpolated_award(ahead, awards):
    """The award if `ahead` rivals are ahead on average, interpolated between the places' awards."""
    first, second, third = awards
    lost = (first - second) * clamp_chance(ahead) + (second - third) * clamp_chance(ahead - 1.0)
    return first - lost - third * clamp_chance(ahead - 2.0)


@inlined
def added_award(view, counts, added, firm, awards):
    """The increase of the player's expected award from `added` more markers or spaces.

    `counts` are the players' markers or spaces, `firm` is the firmness of leads, and `awards` are
    the awards of the first three places.
    """
    mine = np.int64(counts[view.player])
    before = 0.0
    after = 0.0
    for rival in range(view.players):
        if rival != view.player:
            lead = mine - np.int64(counts[rival])
            before += clamp_chance(0.5 - firm * lead)
            after += clamp_chance(0.5 - firm * (lead + added))
    return interpolated_award(after, awards) - (mine > 0) * interpolated_award(before, awards)


@kernel
def region_award(view, region, age, place):
    """A region's award for a place (0 is the first) at the end of an age; 0 if it scores nothing.

    With two players only the first place scores.
    """
    scores = age > place and (place == 0 or view.players > 2)
    return float(view.prestige_tokens[region, max(age - 1 - place, 0)]) * scores


@kernel
def region_awards_now(view, region):
    """A region's awards for the first three places at this age's end, coins included."""
    age = np.int64(view.age)
    first = region_award(view, region, age, 0) + view.coins_on_region[region]
    if view.players == 2 and age == view.ages and view.markers[region, 1 - view.player] == 0:
        first += view.prestige_tokens[region, 0]
    return first, region_award(view, region, age, 1), region_award(view, region, age, 2)


@kernel
def region_awards_later(view, region, later):
    """A region's awards for the first three places, summed over the later ages.

    The next age counts `later` times, the age after it `later`² times.
    """
    first = 0.0
    second = 0.0
    third = 0.0
    weight = later
    for age in range(view.age + 1, view.ages + 1):
        first += weight * region_award(view, region, age, 0)
        second += weight * region_award(view, region, age, 1)
        third += weight * region_award(view, region, age, 2)
        weight *= later
    return first, second, third


@kernel
def marker_prospect(view, region, firm, firm_later, later):
    """The increase of a region's expected awards from one more marker, in this age and later."""
    counts = view.markers[region]
    gain = added_award(view, counts, 1, firm, region_awards_now(view, region))
    if view.age < view.ages:
        gain += added_award(view, counts, 1, firm_later, region_awards_later(view, region, later))
    return gain


@kernel
def sea_awards(view, age):
    """The sea track's awards for the first three places at the end of an age."""
    values = view.rules.sea_prestige[slot_of(view, SEA_TRACK)]
    more = view.players > 2
    second = float(values[max(age - 2, 0)]) * (age > 1 and more)
    third = float(values[max(age - 3, 0)]) * (age > 2 and more)
    return float(values[age - 1]), second, third


@kernel
def sea_prospect(view, spaces, firm, firm_later, later):
    """The increase of the sea track's expected awards from a move of `spaces` spaces."""
    places = view.sea[slot_of(view, SEA_TRACK)]
    gain = 0.0
    weight = 1.0
    for age in range(view.age, view.ages + 1):
        held = firm if age == view.age else firm_later
        gain += weight * added_award(view, places, spaces, held, sea_awards(view, np.int64(age)))
        weight *= later
    return gain


@kernel
def firmness(view, firm):
    """The firmness of leads in this age: `firm` with a full deck, CERTAIN with an empty deck."""
    cards = popcount(view.all_cards) * view.rules.copies + view.rules.dragons
    return CERTAIN + (firm - CERTAIN) * view.deck_cards / cards


@kernel
def award_at(view, region, markers, age):
    """The player's award from a region at the end of an age, with `markers` markers there.

    Rivals have their present markers. Tied players share the awards of their places in fractions.
    Tie-break tokens are left out, and coins count in the current age only.
    """
    if markers <= 0:
        return 0.0
    above = np.int64(0)
    tied = np.int64(1)
    alone = True
    for rival in range(view.players):
        if rival != view.player:
            other = np.int64(view.markers[region, rival])
            above += other > markers
            tied += other == markers
            alone &= other == 0
    award = np.int64(0)
    if above == 0 and age == view.age:
        award += view.coins_on_region[region]
    places = min(above + tied, age)
    if view.players == 2 and age == view.ages:
        # The first place takes the highest award, and all awards if nobody else is there.
        places = age if alone else np.int64(1)
    for place in range(above, places):
        award += view.prestige_tokens[region, age - 1 - place]
    return award / tied


@kernel
def marker_worth(view, region, later):
    """The increase of a region's awards from one more marker, if rivals place no more.

    This age's award counts in full, the next age's award `later` times (0 to 1), and so on.
    """
    mine = np.int64(view.markers[region, view.player])
    worth = 0.0
    weight = 1.0
    for age in range(view.age, view.ages + 1):
        gain = award_at(view, region, mine + 1, age) - award_at(view, region, mine, age)
        worth += weight * gain
        weight *= later
    return worth


@kernel
def unseen(view):
    """The cards that the player has not seen: in the deck, or in rivals' hands."""
    once, twice = unseen_set(view)
    return Cards(once, twice)


@kernel
def unseen_cards(view, mask):
    """The number of unseen cards (`unseen`) that are in a mask."""
    cards = unseen(view)
    return count(cards.once & mask, cards.twice & mask)
