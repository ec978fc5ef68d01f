"""Playing parties: legality, the marker of step 1, chains of parties, and the rest of the hand.

Rules: "A turn: play a party"; rulings R4, R5, R7, R8, R10, R14, R17.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import bit, copies, count, difference, includes
from ethnos_sim.simulator.game.power_numbers import DRAWS_CARDS, KEEPS_CARDS
from ethnos_sim.simulator.game.power_numbers import SECOND_PARTY as SECOND
from ethnos_sim.simulator.game.records import (
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
from ethnos_sim.simulator.kernel import asking, events, faults
from ethnos_sim.simulator.kernel.card_moves import HAND, draw_cards, put_in_pool, take_from_hand
from ethnos_sim.simulator.kernel.markers import place_marker, printed_regions, reachable_regions
from ethnos_sim.simulator.kernel.party_hooks import (
    act_after_discard,
    act_after_party,
    ask_after_party,
    ask_marker_regions,
    has_hooks,
    lay_party,
)
from ethnos_sim.simulator.kernel.powers import active_power, power_amount, use_power


@kernel
def party_fault(view, hidden, player):
    """The fault of an illegal party in `hidden.move` (R4), or NO_FAULT."""
    move = hidden.move
    once = move.once
    if not includes(hidden.hands_once[player], hidden.hands_twice[player], once, move.twice):
        return faults.NOT_IN_HAND
    if once == np.uint64(0):
        return faults.EMPTY_PARTY
    leader = np.int64(move.leader)
    if leader < 0 or leader >= REGIONS * view.slots or copies(once, move.twice, leader) == 0:
        return faults.LEADER_NOT_IN_PARTY
    if bit(leader) & view.wild_cards != np.uint64(0):
        return faults.WILD_LEADER
    if bit(leader) & view.leaders == np.uint64(0):
        return faults.RESTRICTED_LEADER
    members = once & ~view.wild_cards
    one_clan = members & ~view.clan_cards[leader // REGIONS] == np.uint64(0)
    one_color = members & ~view.color_cards[leader % REGIONS] == np.uint64(0)
    if not (one_clan or one_color):
        return faults.MIXED_PARTY
    if count(once, move.twice) > view.rules.party_limit:
        return faults.PARTY_TOO_LARGE
    return faults.NO_FAULT


@kernel
def open_regions(view, player, slot, color, size):
    """The regions, as a mask, in which a party of this size may place its marker (step 1)."""
    among = printed_regions(view, slot, color)
    return reachable_regions(view, player, among, size + view.rules.marker_bonus[slot])


@kernel
def place_region_marker(view, hidden, player, regions, size):
    """Step 1: let the player choose one of `regions` (a mask), and place the marker there (R5)."""
    if regions == np.uint64(0):
        return faults.NO_FAULT
    optional = view.rules.optional_marker
    reason, region = asking.ask_choice(
        view, hidden, player, REGION, regions, size, optional, faults.REGION_NOT_OPEN
    )
    if region != NONE:
        place_marker(view, player, region)
        hidden.event.region = region
    return reason


@kernel
def play_one_party(view, hidden, player, log):
    """Play the legal party in `hidden.move`: cards, marker, power, but not yet the discard.

    Returns the fault or NO_FAULT, and the leader's power as `active_power` does.
    """
    once = hidden.move.once
    twice = hidden.move.twice
    leader = np.int64(hidden.move.leader)
    color = leader % REGIONS
    slot = np.int64(view.home[leader // REGIONS])
    size = count(once, twice)
    hooked = has_hooks(view, slot)
    take_from_hand(view, hidden, player, once, twice)
    reason = lay_party(view, hidden, log, slot, player, leader, once, twice)
    if reason != faults.NO_FAULT:
        return reason, np.int64(NONE)
    if hooked:
        reason, regions = ask_marker_regions(view, hidden, log, slot, player)
        if reason != faults.NO_FAULT:
            return reason, np.int64(NONE)
    else:
        regions = open_regions(view, player, slot, color, size)
    reason = place_region_marker(view, hidden, player, regions, size)
    power = active_power(view, hidden, slot)
    if reason == faults.NO_FAULT:
        reason = use_power(view, hidden, player, power, slot, color, size)
    if reason == faults.NO_FAULT and events.is_recording(log):
        events.write_party(log, player, once, twice, leader, hidden.event)
    if reason == faults.NO_FAULT and hooked:
        reason = act_after_party(view, hidden, log, slot, player)
    return reason, power


@kernel
def ask_for_another_party(view, hidden, player):
    """Ask whether the player plays another party: return (fault, answer)."""
    if asking.possible_leaders(view, hidden, player) == np.uint64(0):
        return faults.NO_FAULT, False
    asking.ask_player(view, hidden, player, SECOND_PARTY, 0, 0, 1)
    kind = hidden.move.kind
    if kind == PARTY or kind == DECLINE:
        return faults.NO_FAULT, kind == PARTY
    return asking.note_wrong_kind(hidden, player), False


@kernel
def discard_hand(view, hidden, player, keep_limit):
    """Step 3: let the player keep up to `keep_limit` cards, and put the rest into the pool (R6)."""
    once = hidden.hands_once[player]
    twice = hidden.hands_twice[player]
    kept_once = np.uint64(0)
    kept_twice = np.uint64(0)
    if keep_limit > 0 and once != np.uint64(0):
        asking.ask_player(view, hidden, player, KEEP, 0, keep_limit, 1)
        kind = hidden.move.kind
        if kind == CARDS:
            kept_once = hidden.move.once
            kept_twice = hidden.move.twice
            if not includes(once, twice, kept_once, kept_twice):
                return asking.note_fault(hidden, player, faults.NOT_IN_HAND)
            if count(kept_once, kept_twice) > keep_limit:
                return asking.note_fault(hidden, player, faults.KEPT_TOO_MANY)
        elif kind != DECLINE:
            return asking.note_wrong_kind(hidden, player)
    gone_once, gone_twice = difference(once, twice, kept_once, kept_twice)
    take_from_hand(view, hidden, player, gone_once, gone_twice)
    put_in_pool(view, gone_once, gone_twice)
    hidden.discarded_once = gone_once
    hidden.discarded_twice = gone_twice
    return faults.NO_FAULT


@kernel
def finish_parties(view, hidden, player, power, slot, size, log):
    """After a turn's last party: keep cards, discard the rest of the hand, and draw cards (R10).

    `power` and `slot` are those of the last party's leader, and `size` is the party's size.
    """
    cards = power_amount(view, slot, size)
    reason = np.int64(faults.NO_FAULT)
    most = np.int64(view.rules.cards_kept)
    if power == KEEPS_CARDS:
        most = max(most, cards)
    hooked = has_hooks(view, slot)
    if hooked:
        reason, most = ask_after_party(view, hidden, log, slot, CARDS_KEPT, player, most)
    if reason == faults.NO_FAULT:
        reason = discard_hand(view, hidden, player, most)
    if reason != faults.NO_FAULT:
        return reason
    events.write_discard(log, hidden, player)
    wanted = False
    if power == DRAWS_CARDS and not view.age_over:  # all cards or none (R6, R7)
        cards = min(cards, np.int64(view.rules.hand_limit))
        reason, wanted = asking.ask_yes_or_no(view, hidden, player, DRAW, cards)
    if wanted or events.is_recording(log):  # a trace has this list even if it is empty
        draw_cards(view, hidden, player, cards if wanted else np.int64(0), HAND, log)
    if reason == faults.NO_FAULT and hooked:
        reason = act_after_discard(view, hidden, log, slot, player)
    return reason


@kernel
def play_parties(view, hidden, player, log):
    """Play a turn's party, and the parties that may follow because of a power (R10)."""
    followed = 0
    while True:
        reason = party_fault(view, hidden, player)
        if reason != faults.NO_FAULT:
            return asking.note_fault(hidden, player, reason)
        slot = np.int64(view.home[np.int64(hidden.move.leader) // REGIONS])
        size = count(hidden.move.once, hidden.move.twice)
        reason, power = play_one_party(view, hidden, player, log)
        if reason != faults.NO_FAULT:
            return reason
        again = np.int64(power == SECOND and followed < view.rules.follow_ups[slot])
        if has_hooks(view, slot):
            reason, again = ask_after_party(view, hidden, log, slot, ANOTHER_PARTY, player, again)
            if reason != faults.NO_FAULT:
                return reason
        if not again:
            break
        reason, follows = ask_for_another_party(view, hidden, player)
        if reason != faults.NO_FAULT:
            return reason
        if not follows:
            break
        followed += 1
        hidden.result.decisions += 1
        events.write_party_follows(log, hidden, player)
    return finish_parties(view, hidden, player, power, slot, size, log)
