"""Lay parties, and call the hooks of custom powers: the leader's and those of the table."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined, kernel
from ethnos_sim.simulator.game.cards import ZERO, count
from ethnos_sim.simulator.game.records import (
    AFTER_DISCARD,
    AFTER_PARTY,
    MARKER_REGIONS,
    MARKER_SIZE,
    NONE,
    REGIONS,
    SCORING_SIZE,
)
from ethnos_sim.simulator.kernel import moments
from ethnos_sim.simulator.kernel.card_moves import add_party, points_for_size, scored_size
from ethnos_sim.simulator.kernel.events import clear_party_event, is_recording
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.markers import printed_regions, reachable_regions


@inlined
def has_hooks(view, slot):
    """Whether parties of a slot's clan call custom powers: the clan's own, or the table's."""
    return view.power_moments[slot] | view.table_moments != 0


@kernel
def ask_scoring_size(view, hidden, log, slot, player, leader, once, twice):
    """Ask custom powers for a party's scoring size, and correct the points already added for it.

    Also writes the party to `hidden.call`, where later hooks read it.
    """
    call = hidden.call
    call.leader = leader
    call.size = count(once, twice)
    call.region = NONE
    call.marker_size = NONE
    call.once = once
    call.twice = twice
    usual = np.int64(scored_size(view, once, twice) + view.rules.score_bonus[slot])
    reason, scored = moments.ask_powers(view, hidden, log, slot, SCORING_SIZE, player, usual)
    call.scoring_size = scored if scored != usual else NONE
    if reason == NO_FAULT:
        view.party_points[player] += points_for_size(view, scored) - points_for_size(view, usual)
    return reason


@kernel
def lay_party(view, hidden, log, slot, player, leader, once, twice):
    """Lay a party of a player or Bruno, and count its points; custom powers may change them."""
    clear_party_event(hidden.event)
    add_party(view, hidden, player, once, twice, slot, count(once, twice))
    if has_hooks(view, slot):
        return ask_scoring_size(view, hidden, log, slot, player, leader, once, twice)
    return NO_FAULT


@kernel
def ask_marker_regions(view, hidden, log, slot, player):
    """Ask custom powers where the party just laid may place its marker: return (fault, regions)."""
    call = hidden.call
    usual = np.int64(call.size + view.rules.marker_bonus[slot])
    reason, marker_size = moments.ask_powers(view, hidden, log, slot, MARKER_SIZE, player, usual)
    call.marker_size = marker_size if marker_size != usual else NONE
    if reason != NO_FAULT or view.supply[player] <= 0:
        return reason, ZERO
    printed = np.int64(printed_regions(view, slot, call.leader % REGIONS))
    reason, among = moments.ask_powers(view, hidden, log, slot, MARKER_REGIONS, player, printed)
    return reason, reachable_regions(view, player, np.uint64(among), marker_size)


@kernel
def write_custom_size(view, hidden, log, slot, moment, action, player, size):
    """Write to the trace that a custom power gave a party a size: for its marker or its points."""
    call = hidden.call
    call.moment = AFTER_PARTY
    call.slot = moments.deciding_slot(view, slot, moment)
    call.player = player
    moments.write_action(log, call, action, player, size, 0)


@kernel
def write_custom_sizes(view, hidden, log, slot, player):
    """Write to the trace the sizes of a party that custom powers changed, if any."""
    call = hidden.call
    if is_recording(log) and call.marker_size != NONE:
        size = np.int64(call.marker_size)
        write_custom_size(view, hidden, log, slot, MARKER_SIZE, moments.COUNTS_AS, player, size)
    if is_recording(log) and call.scoring_size != NONE:
        size = np.int64(call.scoring_size)
        write_custom_size(view, hidden, log, slot, SCORING_SIZE, moments.SCORES_AS, player, size)


@kernel
def act_after_party(view, hidden, log, slot, player):
    """Let custom powers act after a party and its marker; write changed sizes to the trace."""
    hidden.call.region = hidden.event.region
    write_custom_sizes(view, hidden, log, slot, player)
    return moments.call_for_party(view, hidden, log, slot, AFTER_PARTY, player)


@kernel
def ask_after_party(view, hidden, log, slot, moment, player, usual_answer):
    """Ask custom powers after a party is laid; return a fault or NO_FAULT, and the answer.

    The answer says whether another party may follow (ANOTHER_PARTY) or how many cards may be kept
    (CARDS_KEPT); `usual_answer` is the printed rules' answer. When the age is over, the answer is
    0, even if a power drew the last dragon just before it answered.
    """
    reason, answer = moments.ask_powers(view, hidden, log, slot, moment, player, usual_answer)
    return reason, np.int64(0) if view.age_over else answer


@kernel
def act_after_discard(view, hidden, log, slot, player):
    """Let custom powers act after the rest of the hand has gone to the pool."""
    if view.age_over:
        return np.int64(NO_FAULT)
    return moments.call_for_party(view, hidden, log, slot, AFTER_DISCARD, player)


@kernel
def act_after_bruno_party(view, hidden, log, slot, player):
    """Let custom powers act at the end of Bruno's party; write changed sizes to the trace."""
    if view.age_over:
        write_custom_sizes(view, hidden, log, slot, player)
        return np.int64(NO_FAULT)
    reason = act_after_party(view, hidden, log, slot, player)
    if reason != NO_FAULT:
        return reason
    return act_after_discard(view, hidden, log, slot, player)
