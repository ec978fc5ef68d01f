"""Play whole games and whole work lists: Python calls `run_games`."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import compile_entry, kernel
from ethnos_sim.simulator.game.randomness import PURPOSE_POLICY, PURPOSE_POWERS, stream_key
from ethnos_sim.simulator.game.records import (
    BRUNO,
    KINDS,
    MAX_AGES,
    MAX_PLAYERS,
    NONE,
    ORDINARY,
    REGIONS,
)
from ethnos_sim.simulator.kernel.deal import shuffle_deal
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.giving_up import give_up_clans
from ethnos_sim.simulator.kernel.memory import copy_record
from ethnos_sim.simulator.kernel.scoring import end_age, end_game
from ethnos_sim.simulator.kernel.turn import open_age, take_turn

#: The index in KINDS of ordinary games, in which everybody may lead with every clan.
ORDINARY_KIND = KINDS.index(ORDINARY)


@kernel
def play_age(view, hidden, log):
    """Play an age, turn by turn, until it is over."""
    open_age(view, hidden, log)
    while not view.age_over:
        reason = take_turn(view, hidden, log)
        if reason != NO_FAULT:
            return reason
    return NO_FAULT


@kernel
def play_game(view, hidden, log):
    """Play a whole game, which `set_up_game` has prepared."""
    while view.age < view.ages and hidden.ten_wild_winner == NONE:
        reason = play_age(view, hidden, log)
        if reason == NO_FAULT and hidden.ten_wild_winner == NONE:
            reason = end_age(view, hidden, log)
        if reason != NO_FAULT:
            return reason
    end_game(view, hidden, log)
    return NO_FAULT


@kernel
def clan_plane(view, clan):
    """The bit mask of a clan's cards; 0 for NONE and for the number of a clan not in play."""
    plane = np.uint64(0)
    if clan != NONE:
        for slot in range(view.slots):
            if view.clan[slot] == clan:
                plane |= view.clan_cards[slot]
    return plane


@kernel
def write_private_record(view, private, entry):
    """Fill a player's private record from an entry of the line-up (ENTRY_DTYPE)."""
    copy_record(private, entry.own)
    private.never_leads = clan_plane(view, entry.never_leads)


@kernel
def seat_players(view, hidden, entries, line_up, seed, deal, rotation):
    """Seat a line-up: in rotation r, seat s is filled by entry (s + r) mod players."""
    for seat in range(view.hands):
        entry = (seat + rotation) % view.hands
        write_private_record(view, hidden.own[seat], entries[MAX_PLAYERS * line_up + entry])
        index = rotation * view.players + seat
        hidden.own[seat].random_state = stream_key(seed, deal, PURPOSE_POLICY, index)
        hidden.seats[seat].entry = entry
    if view.solo:
        hidden.seats[BRUNO].entry = BRUNO


@kernel
def set_up_game(view, hidden, entries, line_up, seed, game, rotations, game_kind):
    """Set up a game from its deal: place prestige tokens, seat the line-up, write its numbers.

    `game_kind` is an index of KINDS.
    """
    deal = game // rotations
    rotation = game % rotations
    for region in range(REGIONS):
        for place in range(MAX_AGES):
            view.prestige_tokens[region, place] = hidden.deal.prestige_tokens[region, place]
    seat_players(view, hidden, entries, line_up, seed, deal, rotation)
    if game_kind != ORDINARY_KIND:
        give_up_clans(view, hidden, seed, deal, game_kind)
    hidden.call.random_state = stream_key(seed, deal, PURPOSE_POWERS, rotation)
    hidden.result.game = game
    hidden.result.deal = deal
    hidden.result.rotation = rotation


def _run_games(work_list, tables, entries, views, hiddens, deals, games, seats, logs):
    """Play the rows of a work list one after another and write the result of each game.

    Args:
        work_list: the rows (WORK_DTYPE).
        tables: prepared tables (VIEW_DTYPE).
        entries: prepared line-ups one after another, MAX_PLAYERS rows each (ENTRY_DTYPE).
        views: one record, in which the games are played (VIEW_DTYPE).
        hiddens: two records (HIDDEN_DTYPE): the first is copied to the second when a game begins.
        deals: empty, or one deal (DEAL_DTYPE) for all games, which then draw none of their own.
        games: filled with a row for each game (GAME_DTYPE), in the order of the work list.
        seats: filled with a row for each side of a game (SEAT_DTYPE), in the same order.
        logs: one event buffer (LOG_DTYPE).

    Returns NO_FAULT, or `row * 256 + reason` for a fault in a row of the work list; `views[0]` and
    `hiddens[1]` then have the game as it stopped.
    """
    view = views[0]
    hidden = hiddens[1]
    log = logs[0]
    played = 0
    sides = 0
    for row in range(work_list.size):
        work = work_list[row]
        table = np.int64(work.table)
        line_up = np.int64(work.line_up)
        rotations = np.int64(work.rotations)
        for game in range(work.first_game, work.first_game + work.games):
            copy_record(view, tables[table])
            copy_record(hidden, hiddens[0])
            if deals.size:
                copy_record(hidden.deal, deals[0])
            else:
                shuffle_deal(view, hidden.deal, work.seed, game // rotations)
            set_up_game(view, hidden, entries, line_up, work.seed, game, rotations, work.kind)
            reason = play_game(view, hidden, log)
            if reason != NO_FAULT:
                return np.int64(row * 256 + reason)
            copy_record(games[played], hidden.result)
            played += 1
            for side in range(view.players):
                copy_record(seats[sides], hidden.seats[side])
                sides += 1
    return np.int64(NO_FAULT)


run_games = compile_entry(_run_games, "compiling the game engine (about 20 seconds)")
