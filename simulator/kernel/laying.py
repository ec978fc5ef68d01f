"""Lay parties, and call the custom powers of their leaders and of the table."""

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
from ethnos_sim.simulator.kernel.card_moves import book_party, members_of, points_of
from ethnos_sim.simulator.kernel.events import clear_party_event, recording
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.markers import printed_regions, regions_for


@inlined
def has_hooks(view, slot):
    """Whether custom powers are called for the parties of a slot: its clan's, or the table's."""
    return view.power_moments[slot] | view.table_moments != 0


@kernel
def show_party(view, hidden, log, slot, player, leader, once, twice):
    """Let custom powers change the scoring size of a party that is already scored."""
    call = hidden.call
    call.leader = leader
    call.size = count(once, twice)
    call.region = NONE
    call.marker_size = NONE
    call.once = once
    call.twice = twice
    usual = np.int64(members_of(view, once, twice) + view.rules.score_bonus[slot])
    reason, scored = moments.ask_powers(view, hidden, log, slot, SCORING_SIZE, player, usual)
    call.scoring_size = scored if scored != usual else NONE
    if reason == NO_FAULT:
        view.party_points[player] += points_of(view, scored) - points_of(view, usual)
    return reason


@kernel
def lay_party(view, hidden, log, slot, player, leader, once, twice):
    """Lay and score a party of the player or of Bruno; custom powers may change its score."""
    clear_party_event(hidden.event)
    book_party(view, hidden, player, once, twice, slot, count(once, twice))
    if has_hooks(view, slot):
        return show_party(view, hidden, log, slot, player, leader, once, twice)
    return NO_FAULT


@kernel
def hooked_regions(view, hidden, log, slot, player):
    """The regions that custom powers open to the marker of the party just laid."""
    call = hidden.call
    usual = np.int64(call.size + view.rules.marker_bonus[slot])
    reason, strength = moments.ask_powers(view, hidden, log, slot, MARKER_SIZE, player, usual)
    call.marker_size = strength if strength != usual else NONE
    if reason != NO_FAULT or view.supply[player] <= 0:
        return reason, ZERO
    printed = np.int64(printed_regions(view, slot, call.leader % REGIONS))
    reason, among = moments.ask_powers(view, hidden, log, slot, MARKER_REGIONS, player, printed)
    return reason, regions_for(view, player, np.uint64(among), strength)


@kernel
def tell_size(view, hidden, log, slot, moment, kind, player, size):
    """Trace the size that a custom power gave a party, as an action of that power."""
    call = hidden.call
    call.moment = AFTER_PARTY
    call.slot = moments.answering(view, slot, moment)
    call.player = player
    moments.write_act(log, call, kind, player, size, 0)


@kernel
def tell_sizes(view, hidden, log, slot, player):
    """Trace the sizes of a party that custom powers changed."""
    call = hidden.call
    if recording(log) and call.marker_size != NONE:
        size = np.int64(call.marker_size)
        tell_size(view, hidden, log, slot, MARKER_SIZE, moments.COUNTS_AS, player, size)
    if recording(log) and call.scoring_size != NONE:
        size = np.int64(call.scoring_size)
        tell_size(view, hidden, log, slot, SCORING_SIZE, moments.SCORES_AS, player, size)


@kernel
def act_after_party(view, hidden, log, slot, player):
    """Let custom powers act after a party's marker is placed; trace the changed sizes."""
    hidden.call.region = hidden.event.region
    tell_sizes(view, hidden, log, slot, player)
    return moments.call_for_party(view, hidden, log, slot, AFTER_PARTY, player)


@kernel
def answer_after_party(view, hidden, log, slot, moment, player, usual):
    """Ask custom powers after a party is laid; return a fault or NO_FAULT, and the answer.

    The answer says whether another party may follow (ANOTHER_PARTY) or how many cards are kept
    (CARDS_KEPT); `usual` is the printed answer. Once the age is over, the answer is 0, even if a
    power itself drew the last dragon before it answered.
    """
    reason, answer = moments.ask_powers(view, hidden, log, slot, moment, player, usual)
    return reason, np.int64(0) if view.age_over else answer


@kernel
def act_after_discard(view, hidden, log, slot, player):
    """Let custom powers act after the rest of the hand has gone to the pool."""
    if view.age_over:
        return np.int64(NO_FAULT)
    return moments.call_for_party(view, hidden, log, slot, AFTER_DISCARD, player)


@kernel
def act_for_bruno(view, hidden, log, slot, player):
    """Let custom powers act at the end of Bruno's party."""
    if view.age_over:
        tell_sizes(view, hidden, log, slot, player)
        return np.int64(NO_FAULT)
    reason = act_after_party(view, hidden, log, slot, player)
    if reason != NO_FAULT:
        return reason
    return act_after_discard(view, hidden, log, slot, player)
