"""Whole games and whole batches: the entry point that Python calls."""

from __future__ import annotations

from ethnos_sim.simulator.compilation import compile_entry, kernel
from ethnos_sim.simulator.kernel.deal import begin_age, shuffle_deal
from ethnos_sim.simulator.kernel.events import recording, write_age
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.scoring import end_age, end_game
from ethnos_sim.simulator.kernel.turn import take_turn
from ethnos_sim.simulator.randomness import PURPOSE_POLICY, stream_key
from ethnos_sim.simulator.records import NONE, REGIONS


@kernel
def play_age(view, hidden, log):
    """Turns until the age is over; returns a fault or NO_FAULT."""
    while not view.age_over:
        reason = take_turn(view, hidden, log)
        if reason != NO_FAULT:
            return reason
    return NO_FAULT


@kernel
def play_game(view, hidden, log):
    """A whole game from a dealt table; returns a fault or NO_FAULT."""
    while view.age < view.ages and hidden.ten_wild_winner == NONE:
        begin_age(view, hidden)
        if recording(log):
            write_age(log, view, hidden)
        reason = play_age(view, hidden, log)
        if reason == NO_FAULT and hidden.ten_wild_winner == NONE:
            reason = end_age(view, hidden, log)
        if reason != NO_FAULT:
            return reason
    end_game(view, hidden, log)
    return NO_FAULT


@kernel
def seat_players(view, hidden, entries, seed, deal, rotation):
    """Seat the line-up: in rotation r, seat s is filled by entry (s + r) mod players."""
    for seat in range(view.players):
        entry = (seat + rotation) % view.players
        hidden.own[seat] = entries[entry]
        index = rotation * view.players + seat
        hidden.own[seat].random_state = stream_key(seed, deal, PURPOSE_POLICY, index)
        hidden.seats[seat].entry = entry


def _run_games(
    views, hiddens, entries, deals, seed, first_game, rotations, games, seats, log
):
    """Play games `first_game` ... and fill one row of `games` and `seats` each.

    `views` and `hiddens` hold two records each: the prepared table (0) and the one played on (1).
    `deals` is empty, or one given deal that every game uses in place of a shuffled one.
    Returns NO_FAULT, or the reason of an illegal move; the table (1) then stands as it happened.
    """
    view = views[1]
    hidden = hiddens[1]
    for i in range(games.size):
        game = first_game + i
        deal = game // rotations
        rotation = game % rotations
        views[1] = views[0]
        hiddens[1] = hiddens[0]
        if deals.size:
            hidden.deal.first_player = deals[0].first_player
            hidden.deal.prestige_tokens[:] = deals[0].prestige_tokens
            hidden.deal.order[:] = deals[0].order
        else:
            shuffle_deal(view, hidden.deal, seed, deal)
        for region in range(REGIONS):
            for i_token in range(3):
                view.prestige_tokens[region, i_token] = hidden.deal.prestige_tokens[region, i_token]
        seat_players(view, hidden, entries, seed, deal, rotation)
        hidden.result.game = game
        hidden.result.deal = deal
        hidden.result.rotation = rotation
        reason = play_game(view, hidden, log)
        if reason != NO_FAULT:
            return reason
        games[i] = hidden.result
        for seat in range(view.players):
            seats[i, seat] = hidden.seats[seat]
    return NO_FAULT


run_games = compile_entry(_run_games)
