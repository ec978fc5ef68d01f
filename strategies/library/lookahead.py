"""Look-ahead: imagine the hidden cards, try the best moves, keep what turns out best."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.asking import call_strategy
from ethnos_sim.simulator.kernel.copying import copy_record
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.imagination import imagine, play_out, seat_policies
from ethnos_sim.simulator.records import (
    FROM_DECK,
    FROM_POOL,
    HIDDEN_DTYPE,
    LOG_DTYPE,
    MOVE_DTYPE,
    PARTY,
    REGIONS,
    TURN,
    UNANSWERED,
    VIEW_DTYPE,
)
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    Cards,
    Move,
    award_at,
    gather,
    hand_is_full,
    larger_group,
    marker_worth,
    matching_cards,
    party_prestige,
    region_open,
)

#: Worth of an imagined game in which the policy gave no legal answer.
NEVER = -1.0e9


@kernel
def set_move(move, kind, leader, choice, once, twice):
    """Write a move into a record."""
    move.kind = kind
    move.leader = leader
    move.choice = choice
    move.once = once
    move.twice = twice


@kernel
def insert(moves, values, used, most, value, kind, leader, choice, once, twice):
    """Keep a move among the `most` best from index 1 on; returns how many are used."""
    place = used
    if used == most:
        place = most - 1
        if values[place] >= value:
            return used
    else:
        used += 1
    while place > 1 and values[place - 1] < value:
        copy_record(moves[place], moves[place - 1])
        values[place] = values[place - 1]
        place -= 1
    set_move(moves[place], kind, leader, choice, once, twice)
    values[place] = value
    return used


@kernel
def same_move(first, second):
    """Whether two moves are the same."""
    if first.kind != second.kind:
        return False
    if first.kind == PARTY:
        cards = first.once == second.once and first.twice == second.twice
        return cards and first.leader == second.leader
    return first.kind == FROM_DECK or first.choice == second.choice


@kernel
def collect_parties(view, moves, values, used, most):
    """Add the best parties, each leader with the larger of its groups."""
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        mask, members = larger_group(view, leader)
        party = gather(view, leader, mask)
        value = float(party_prestige(view, leader, party.size, members))
        color = leader % REGIONS
        if region_open(view, color, view.power[leader // REGIONS], party.size):
            value += marker_worth(view, color, 0.75)
        used = insert(moves, values, used, most, value, PARTY, leader, 0, party.once, party.twice)
    return used


@kernel
def collect_recruits(view, moves, values, used, most):
    """Add the deck and the pool's cards that fit the hand best."""
    none = np.uint64(0)
    used = insert(moves, values, used, most, 1.5, FROM_DECK, 0, 0, none, none)
    hand = Cards(view.hand_once, view.hand_twice)
    cards = view.pool_once
    while cards != np.uint64(0):
        card = lowest(cards)
        cards &= cards - ONE
        value = float(matching_cards(view, hand, card))
        used = insert(moves, values, used, most, value, FROM_POOL, 0, card, none, none)
    return used


@kernel
def collect(view, moves, values, parties, recruits):
    """The moves to try: the policy's own (index 0), the best parties, the best recruits."""
    used = collect_parties(view, moves, values, 1, 1 + parties)
    if not hand_is_full(view):
        base = used - 1
        used = base + collect_recruits(view, moves[base:], values[base:], 1, 1 + recruits)
    kept = 1
    for i in range(1, used):
        if not same_move(moves[0], moves[i]):
            copy_record(moves[kept], moves[i])
            kept += 1
    return kept


@kernel
def standing(table, player, later):
    """A player's margin over the others' mean on an imagined table, with markers' later worth."""
    worth = 0.0
    for other in range(table.players):
        table.player = other
        value = float(table.prestige[other])
        weight = later
        for age in range(table.age + 1, table.ages + 1):
            for region in range(REGIONS):
                value += weight * award_at(table, region, table.markers[region, other], age)
            weight *= later
        worth += value if other == player else -value / (table.players - 1)
    return worth


@kernel
def outcome(table, hidden, move, parameters):
    """What a move leads to in one imagined game, for the player who asks."""
    player = np.int64(table.player)
    set_move(hidden.move, move.kind, move.leader, move.choice, move.once, move.twice)
    logs = np.zeros(1, LOG_DTYPE)
    if play_out(table, hidden, int(parameters.depth), logs[0]) != NO_FAULT:
        return NEVER
    return standing(table, player, parameters.later)


@kernel
def sort_moves(moves, sums, used):
    """Order the first moves by their sums, best first; equal ones keep their order."""
    spare = moves.size - 1
    for i in range(1, used):
        place = i
        while place > 0 and sums[place] > sums[place - 1]:
            held = sums[place]
            sums[place] = sums[place - 1]
            sums[place - 1] = held
            copy_record(moves[spare], moves[place])
            copy_record(moves[place], moves[place - 1])
            copy_record(moves[place - 1], moves[spare])
            place -= 1


@strategy(
    Parameter("parties", 4, 1, 10, "parties that it tries at most"),
    Parameter("recruits", 3, 1, 10, "ways to recruit that it tries at most"),
    Parameter("samples", 20, 1, 50, "guesses at hidden cards before half the moves are dropped"),
    Parameter("depth", 1000, 1, 1000, "turns of all players that it plays on within the age"),
    Parameter("later", 0.4, 0, 1, "weight of the next age's awards, and again of the one after"),
    looks_at_rivals=True,
    policy="champion",
)
def lookahead(view, parameters, rng):
    """Tries its best moves in imagined games and keeps the one with the best mean outcome.

    It guesses the hidden cards so that they agree with all it has seen, carries out a move, lets a
    fast policy play on for everybody, and scores the age. Every move meets the same guesses; after
    each round of `samples` the worse half is dropped (sequential halving; Karnin, Koren, Somekh
    2013). Determinisation by Monte Carlo is how bridge programs play (Ginsberg 2001).

    Bad at: bluff and secrets. In each imagined game everybody plays as if all cards were open to
    the guess, so it never values hiding or finding out, and it trusts its policy's picture of the
    rivals. It is slow.
    """
    none = np.uint64(0)
    most = 1 + int(parameters.parties) + int(parameters.recruits)
    moves = np.zeros(most + 1, MOVE_DTYPE)
    sums = np.zeros(most)
    call_strategy(rng.policy_addresses[TURN], view, moves[0], rng)
    left = collect(view, moves, sums, int(parameters.parties), int(parameters.recruits))
    sums[:] = 0.0
    views = np.zeros(1, VIEW_DTYPE)
    guesses = np.zeros(2, HIDDEN_DTYPE)
    while left > 1:
        for _ in range(int(parameters.samples)):
            imagine(view, rng, guesses[0])
            seat_policies(view, rng, guesses[0])
            for i in range(left):
                copy_record(views[0], view)
                copy_record(guesses[1], guesses[0])
                worth = outcome(views[0], guesses[1], moves[i], parameters)
                if worth == NEVER:  # a policy that breaks the rules is no player to learn from
                    return Move(np.int64(UNANSWERED), np.int64(0), np.int64(0), none, none)
                sums[i] += worth
        sort_moves(moves, sums, left)
        left = (left + 1) // 2
    best = moves[0]
    return Move(
        np.int64(best.kind), np.int64(best.leader), np.int64(best.choice), best.once, best.twice
    )
