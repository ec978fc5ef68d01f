"""Playing parties: legality, the marker of step 1, chains of parties, and the rest of the hand.

Rules: "A turn: play a party"; rulings R4, R5, R7, R8, R10, R14, R17.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import bit, copies, count, difference, includes
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.asking import agrees, ask, choose, fault, leaders, wrong_kind
from ethnos_sim.simulator.kernel.card_moves import (
    draw_card,
    put_in_hand,
    put_in_pool,
    take_from_hand,
)
from ethnos_sim.simulator.kernel.custom_parties import (
    act_after_discard,
    act_after_party,
    answer_after_party,
    custom_regions,
    is_custom,
    lay_custom_party,
)
from ethnos_sim.simulator.kernel.events import (
    clear_party_event,
    close_list,
    open_list,
    recording,
    write,
    write_cards,
    write_party,
)
from ethnos_sim.simulator.kernel.faults import (
    EMPTY_PARTY,
    KEPT_TOO_MANY,
    LEADER_NOT_IN_PARTY,
    MIXED_PARTY,
    NO_FAULT,
    NOT_IN_HAND,
    PARTY_TOO_LARGE,
    REGION_NOT_OPEN,
    RESTRICTED_LEADER,
    WILD_LEADER,
)
from ethnos_sim.simulator.kernel.markers import markers_to_beat, place_marker
from ethnos_sim.simulator.kernel.powers import power_at_work, reach, use_power
from ethnos_sim.simulator.kernel.table_parties import book_party
from ethnos_sim.simulator.power_numbers import ANY_REGION, CUSTOM, DRAWS_CARDS, KEEPS_CARDS
from ethnos_sim.simulator.power_numbers import SECOND_PARTY as SECOND
from ethnos_sim.simulator.records import (
    ANOTHER_PARTY,
    CARDS,
    CARDS_KEPT,
    DECLINE,
    DRAW,
    KEEP,
    NONE,
    PARTY,
    REGION,
    REGIONS,
    SECOND_PARTY,
)


@kernel
def party_fault(view, hidden, player):
    """Why the party in `hidden.move` is not legal (R4), or NO_FAULT."""
    move = hidden.move
    once = move.once
    if not includes(hidden.hands_once[player], hidden.hands_twice[player], once, move.twice):
        return NOT_IN_HAND
    if once == np.uint64(0):
        return EMPTY_PARTY
    leader = np.int64(move.leader)
    if leader < 0 or leader >= REGIONS * view.slots or copies(once, move.twice, leader) == 0:
        return LEADER_NOT_IN_PARTY
    if bit(leader) & view.wild_cards != np.uint64(0):
        return WILD_LEADER
    if bit(leader) & view.leaders == np.uint64(0):
        return RESTRICTED_LEADER
    members = once & ~view.wild_cards
    one_clan = members & ~view.clan_cards[leader // REGIONS] == np.uint64(0)
    one_color = members & ~view.color_cards[leader % REGIONS] == np.uint64(0)
    if not (one_clan or one_color):
        return MIXED_PARTY
    if count(once, move.twice) > view.rules.party_limit:
        return PARTY_TOO_LARGE
    return NO_FAULT


@kernel
def open_regions(view, player, slot, color, size):
    """Bit mask of the regions where step 1 may place a marker for a party of this size."""
    if not view.rules.places_marker[slot] or view.supply[player] <= 0:
        return np.uint64(0)
    strength = size + view.rules.marker_bonus[slot]
    if view.power[slot] != ANY_REGION:
        if strength > markers_to_beat(view, player, color):
            return bit(color)
        return np.uint64(0)
    regions = np.uint64(0)
    for region in range(REGIONS):
        if strength > markers_to_beat(view, player, region):
            regions |= bit(region)
    return regions


@kernel
def region_marker(view, hidden, player, regions, size):
    """Step 1: place the region marker in one of a mask's regions, as the player wants it (R5)."""
    if regions == np.uint64(0):
        return NO_FAULT
    optional = view.rules.optional_marker
    reason, region = choose(view, hidden, player, REGION, regions, size, optional, REGION_NOT_OPEN)
    if region != NONE:
        place_marker(view, player, region)
        hidden.event.region = region
    return reason


@kernel
def lay_party(view, hidden, player, once, twice, slot, size):
    """Move a party from hand to table and note what it will score (R14, step 4 of an age's end)."""
    take_from_hand(view, hidden, player, once, twice)
    book_party(view, hidden, player, once, twice, slot, size)


@kernel
def lay_one_party(view, hidden, player, log):
    """Play the legal party in `hidden.move`: lay, marker, power. The hand's rest comes later.

    Returns a fault or NO_FAULT, and the power at work.
    """
    once = hidden.move.once
    twice = hidden.move.twice
    leader = np.int64(hidden.move.leader)
    color = leader % REGIONS
    slot = np.int64(view.home[leader // REGIONS])
    size = count(once, twice)
    clear_party_event(hidden.event)
    lay_party(view, hidden, player, once, twice, slot, size)
    custom = is_custom(view, slot)
    if custom:
        reason = lay_custom_party(view, hidden, log, slot, player, leader, once, twice)
        if reason != NO_FAULT:
            return reason, np.int64(NONE)
        reason, regions = custom_regions(view, hidden, log, slot, player)
        if reason != NO_FAULT:
            return reason, np.int64(NONE)
    else:
        regions = open_regions(view, player, slot, color, size)
    reason = region_marker(view, hidden, player, regions, size)
    power = power_at_work(view, hidden, slot)
    if reason == NO_FAULT:
        reason = use_power(view, hidden, player, power, slot, color, size)
    if reason == NO_FAULT and recording(log):
        write_party(log, player, once, twice, leader, hidden.event)
    if reason == NO_FAULT and custom:
        reason = act_after_party(view, hidden, log, slot, player)
    return reason, power


@kernel
def another_party(view, hidden, player):
    """Whether a second party follows: -1 for no, NO_FAULT for yes, else the fault."""
    if leaders(view, hidden, player) == np.uint64(0):
        return NONE
    ask(view, hidden, player, SECOND_PARTY, 0, 0, 1)
    kind = hidden.move.kind
    if kind == DECLINE:
        return NONE
    return NO_FAULT if kind == PARTY else wrong_kind(hidden, player)


@kernel
def discard_hand(view, hidden, player, most):
    """Step 3: the hand goes to the pool, less what the power keeps, at most so many (R6)."""
    once = hidden.hands_once[player]
    twice = hidden.hands_twice[player]
    kept_once = np.uint64(0)
    kept_twice = np.uint64(0)
    if most > 0 and once != np.uint64(0):
        ask(view, hidden, player, KEEP, 0, most, 1)
        kind = hidden.move.kind
        if kind == CARDS:
            kept_once = hidden.move.once
            kept_twice = hidden.move.twice
            if not includes(once, twice, kept_once, kept_twice):
                return fault(hidden, player, NOT_IN_HAND)
            if count(kept_once, kept_twice) > most:
                return fault(hidden, player, KEPT_TOO_MANY)
        elif kind != DECLINE:
            return wrong_kind(hidden, player)
    gone_once, gone_twice = difference(once, twice, kept_once, kept_twice)
    take_from_hand(view, hidden, player, gone_once, gone_twice)
    put_in_pool(view, gone_once, gone_twice)
    hidden.discarded_once = gone_once
    hidden.discarded_twice = gone_twice
    return NO_FAULT


@kernel
def draw_cards(view, hidden, player, cards, log):
    """The drawing power: all cards or none; the last dragon ends the age (R6, R7, R8)."""
    reason, wanted = agrees(view, hidden, player, DRAW, cards)
    for _ in range(cards if wanted else 0):
        card = draw_card(view, hidden, player)
        if card == NONE:
            break
        put_in_hand(view, hidden, player, bit(card))
        if recording(log):
            write(log, card)
    return reason


@kernel
def finish_parties(view, hidden, player, power, slot, size, log):
    """After the last party of a turn: discard, keep or draw by the last leader's power (R10)."""
    cards = reach(view, slot, size)
    reason = np.int64(NO_FAULT)
    most = cards if power == KEEPS_CARDS else np.int64(0)
    if power == CUSTOM:
        reason, most = answer_after_party(view, hidden, log, slot, CARDS_KEPT, player)
    if reason == NO_FAULT:
        reason = discard_hand(view, hidden, player, most)
    if reason != NO_FAULT:
        return reason
    hidden.dragons_met = 0
    start = 0
    if recording(log):
        write(log, 0)
        write_cards(log, hidden.hands_once[player], hidden.hands_twice[player])
        write_cards(log, hidden.discarded_once, hidden.discarded_twice)
        start = open_list(log)
    if power == DRAWS_CARDS:
        cards = min(cards, np.int64(view.rules.hand_limit))
        reason = draw_cards(view, hidden, player, cards, log)
    if recording(log):
        close_list(log, start)
        write(log, hidden.dragons_met)
    if reason == NO_FAULT and power == CUSTOM:
        reason = act_after_discard(view, hidden, log, slot, player)
    return reason


@kernel
def play_parties(view, hidden, player, log):
    """A turn's party, and the parties chained to it by the second-party power (R10)."""
    followed = 0
    while True:
        reason = party_fault(view, hidden, player)
        if reason != NO_FAULT:
            return fault(hidden, player, reason)
        slot = np.int64(view.home[np.int64(hidden.move.leader) // REGIONS])
        size = count(hidden.move.once, hidden.move.twice)
        reason, power = lay_one_party(view, hidden, player, log)
        if reason != NO_FAULT:
            return reason
        if power == CUSTOM:
            reason, again = answer_after_party(view, hidden, log, slot, ANOTHER_PARTY, player)
            if reason != NO_FAULT:
                return reason
            if not again:
                break
        elif power != SECOND or followed >= view.rules.follow_ups[slot]:
            break
        reason = another_party(view, hidden, player)
        if reason == NONE:
            break
        if reason != NO_FAULT:
            return reason
        followed += 1
        hidden.result.decisions += 1
        if recording(log):
            write(log, 1)
            write_cards(log, hidden.hands_once[player], hidden.hands_twice[player])
            write_cards(log, np.uint64(0), np.uint64(0))
            write(log, 0)
            write(log, 0)
    return finish_parties(view, hidden, player, power, slot, size, log)
