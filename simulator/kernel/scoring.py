"""The end of an age and of the game (rules: "The end of an age"; R12-R16)."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import popcount
from ethnos_sim.simulator.game.power_numbers import LARGEST_TOKEN, SEA_TRACK, SETTLEMENT_BOARD
from ethnos_sim.simulator.game.records import (
    AGE_END,
    AGE_SCORED,
    EMPTY_BOARD,
    MAX_AGES,
    MAX_HAND,
    NONE,
    REGIONS,
    SIXTIETHS,
)
from ethnos_sim.simulator.kernel import events
from ethnos_sim.simulator.kernel.asking import ask_yes_or_no
from ethnos_sim.simulator.kernel.clans import is_home
from ethnos_sim.simulator.kernel.faults import NO_FAULT
from ethnos_sim.simulator.kernel.markers import token_standing
from ethnos_sim.simulator.kernel.moments import call_for_all_players


@kernel
def player_standing(view, counts, player):
    """A number that ranks players by markers, then by tie-break tokens; 0 without a marker."""
    if counts[player] <= 0:
        return np.int64(0)
    return np.int64(counts[player]) * 1048576 + token_standing(view, player)


@kernel
def write_standings(view, hidden, counts):
    """Write all players' standings; `counts` are markers in a region, or spaces on a sea track."""
    for player in range(view.players):
        hidden.standings[player] = player_standing(view, counts, player)


@kernel
def rank_award(view, standings, awards, bonus, two_player_rule, winner_only, player):
    """A player's award in a region or on a sea track; tied players share the awards of their ranks.

    `standings` are by player. `awards` ascend (I, II, III), and `rules.pays` says which award each
    rank gets; `bonus` (coins) is added to the first rank's award (R13). With `winner_only`, only
    the first rank gets an award. `two_player_rule` (the last age of two players) does the same,
    with two exceptions: a player without a rival there gets all awards, and with `tied_share_all`
    two tied players share all awards.
    """
    standing = standings[player]
    if standing == 0:
        return np.int64(0)
    above = 0
    tied = 0
    present = 0
    for rival in range(view.players):
        other = standings[rival]
        present += other > 0
        above += other > standing
        tied += other == standing
    pays = view.rules.pays[view.age - 1]
    pool = np.int64(bonus) if above == 0 else np.int64(0)
    last = above + tied
    if two_player_rule:
        takes_all = present == 1 or (tied == 2 and view.rules.tied_share_all)
        last = MAX_AGES if takes_all else 1
    if winner_only:
        last = 1
    for place in range(above, min(last, MAX_AGES)):
        if pays[place] > 0:
            pool += awards[pays[place] - 1]
    return pool // tied


@kernel
def score_regions(view, hidden, log):
    """Step 2: score all regions. A seat's prestige from coins is also counted by itself."""
    two_player_rule = view.rules.winner_takes_all and view.age == view.ages
    for region in range(REGIONS):
        values = view.prestige_tokens[region]
        bonus = np.int64(view.coins_on_region[region])
        write_standings(view, hidden, view.markers[region])
        for player in range(view.players):
            plain = rank_award(view, hidden.standings, values, 0, two_player_rule, 0, player)
            won = plain
            if bonus:
                won = rank_award(view, hidden.standings, values, bonus, two_player_rule, 0, player)
            view.prestige[player] += won
            hidden.seats[player].regions += plain
            hidden.seats[player].coins += won - plain
            events.append(log, won)


@kernel
def score_sea_track(view, hidden, slot, log):
    """Score a clan's sea track like a region, with the awards of the track (R12)."""
    last_of_two = view.rules.winner_takes_all and view.age == view.ages
    two_player_rule = last_of_two and view.rules.sea_alike
    write_standings(view, hidden, view.sea[slot])
    values = view.rules.sea_prestige[slot]
    winner_only = view.rules.sea_winner_only[slot]
    for player in range(view.players):
        won = rank_award(view, hidden.standings, values, 0, two_player_rule, winner_only, player)
        view.prestige[player] += won
        hidden.seats[player].sea += won
        events.append(log, won)


@kernel
def score_largest_token(view, hidden, slot, log):
    """Step 3: pay the holder of a clan's largest party token its value in this age."""
    for player in range(view.players):
        won = np.int64(0)
        if view.largest_holder[slot] == player:
            won = np.int64(view.rules.largest_age[slot, view.age - 1])
            view.prestige[player] += won
            hidden.seats[player].largest += won
        events.append(log, won)


@kernel
def empties_board(view, hidden, slot, player):
    """Ask whether a player empties a settlement board: return (fault, answer).

    Bruno always empties it, and in the last age everybody does.
    """
    if view.age == view.ages or player >= view.hands:
        return NO_FAULT, True
    if view.settlements[slot, player] == 0:
        return NO_FAULT, False
    markers = popcount(np.uint64(view.settlements[slot, player]))
    return ask_yes_or_no(view, hidden, player, EMPTY_BOARD, markers)


@kernel
def score_settlements(view, hidden, slot, log):
    """Step 3: score a clan's settlement boards, clockwise from the age's first player (R15)."""
    start = log.used
    for _ in range(view.players):
        events.append(log, 0, 0)
    view.asking_slot = slot
    for i in range(view.players):
        player = (view.first_player + i) % view.players
        reason, emptied = empties_board(view, hidden, slot, player)
        if reason != NO_FAULT:
            return reason
        if not emptied:
            continue
        markers = popcount(np.uint64(view.settlements[slot, player]))
        won = np.int64(view.rules.settlement[slot, markers])
        view.settlements[slot, player] = 0
        view.supply[player] += markers
        view.prestige[player] += won
        hidden.seats[player].settlement += won
        events.overwrite(log, start + player, won)
        events.overwrite(log, start + view.players + player, 1)
    return NO_FAULT


@kernel
def score_parties(view, hidden, log):
    """Step 4: pay each player the points of the age's parties, which are already added up."""
    for player in range(view.players):
        won = np.int64(view.party_points[player])
        view.prestige[player] += won
        hidden.seats[player].party_points += won
        events.append(log, won)


@kernel
def end_age(view, hidden, log):
    """Score an age, and call custom powers before and after it; return a fault or NO_FAULT."""
    reason = call_for_all_players(view, hidden, log, AGE_END)
    if reason != NO_FAULT:
        return reason
    events.append(log, events.AGE_END, view.age, hidden.result.last_dragon[view.age - 1])
    score_regions(view, hidden, log)
    for slot in range(view.slots):
        if is_home(view, slot, SEA_TRACK):
            score_sea_track(view, hidden, slot, log)
    for slot in range(view.slots):
        if is_home(view, slot, LARGEST_TOKEN):
            score_largest_token(view, hidden, slot, log)
    for slot in range(view.slots):
        if is_home(view, slot, SETTLEMENT_BOARD):
            reason = score_settlements(view, hidden, slot, log)
            if reason != NO_FAULT:
                return reason
    score_parties(view, hidden, log)
    for player in range(view.players):
        events.append(log, view.prestige[player])
    reason = call_for_all_players(view, hidden, log, AGE_SCORED)
    for player in range(view.players):
        hidden.seats[player].after_age[view.age - 1] = view.prestige[player]
    return reason


@kernel
def total_markers(view, player):
    """The number of a player's markers in all regions together."""
    total = 0
    for region in range(REGIONS):
        total += view.markers[region, player]
    return total


@kernel
def compare_players(view, player, rival):
    """Compare two players at the game's end: above 0 if `player` is ahead, 0 if tied (R16)."""
    if view.prestige[player] != view.prestige[rival]:
        return np.int64(view.prestige[player]) - np.int64(view.prestige[rival])
    if view.rules.all_ties:
        tokens = token_standing(view, player) - token_standing(view, rival)
        if tokens != 0:
            return tokens
    difference = total_markers(view, player) - total_markers(view, rival)
    if difference != 0:
        return np.int64(difference)
    for size in range(MAX_HAND, 0, -1):
        parties = np.int64(view.party_sizes[player, size])
        rival_parties = np.int64(view.party_sizes[rival, size])
        if parties != rival_parties:
            return parties - rival_parties
    return np.int64(0)


@kernel
def end_game(view, hidden, log):
    """Find the winners, and complete the result of the game and of each seat."""
    best = 0
    if hidden.ten_wild_winner != NONE:
        best = np.int64(hidden.ten_wild_winner)
    else:
        for player in range(1, view.players):
            if compare_players(view, player, best) > 0:
                best = player
    winners = 0
    mask = 0
    for player in range(view.players):
        alone = hidden.ten_wild_winner != NONE
        if player == best or (not alone and compare_players(view, player, best) == 0):
            winners += 1
            mask |= 1 << player
    for player in range(view.players):
        seat = hidden.seats[player]
        seat.prestige = view.prestige[player]
        seat.markers = total_markers(view, player)
        seat.won = SIXTIETHS // winners if (mask >> player) & 1 else 0
    hidden.result.winners = winners
    hidden.result.turns = view.turns
    events.append(log, events.GAME_END)
    for player in range(view.players):
        events.append(log, view.prestige[player])
    for player in range(view.players):
        events.append(log, hidden.seats[player].markers)
    events.append(log, mask)
