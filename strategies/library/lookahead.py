"""Look-ahead: imagine the hidden cards, try the best moves, make the one that wins most."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.asking import call_strategy, put_question
from ethnos_sim.simulator.kernel.memory import copy_record
from ethnos_sim.simulator.records import FROM_DECK, MOVE_DTYPE, PARTY, REGIONS, TURN, UNANSWERED
from ethnos_sim.strategies.afterstates.candidates import MOST_MOVES, MOVES_ROOM, PLACES, move_at
from ethnos_sim.strategies.afterstates.candidates import collect as collect_moves
from ethnos_sim.strategies.afterstates.hand import counted
from ethnos_sim.strategies.afterstates.layout import MARGIN_WEIGHT
from ethnos_sim.strategies.afterstates.layout import WEIGHTS_SIZE as NET_SIZE
from ethnos_sim.strategies.afterstates.shared import SHARED_ROOM, share_numbers
from ethnos_sim.strategies.afterstates.values import best_of, chance_of_logit, evaluate, outputs_now
from ethnos_sim.strategies.afterstates.vectors import floats_on_stack, numbers_on_stack
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    Move,
    copy_game,
    draw,
    guess,
    hand_is_full,
    imagined_games,
    larger_group,
    make_move,
    marker_worth,
    party_led,
    party_prestige,
    play,
    play_on,
    region_open,
    take,
)
from ethnos_sim.strategies.toolkit.chances import (
    CHANCE,
    WEIGHTS_SIZE,
    begin_next_age,
    chances_room,
    win_chances,
)
from ethnos_sim.strategies.toolkit.forward import write_move
from ethnos_sim.strategies.toolkit.parties import companions
from ethnos_sim.strategies.weights import weights_at

#: Worth of an imagined game in which the policy gave no legal answer.
NEVER = -1.0

#: Guesses between two looks at which moves are clearly behind.
LOOK = 5

#: Guesses that a net's own value of a move counts as: it errs about as much as so many.
OWN_GUESSES = 8

#: How far behind the best move by a net's own values, as a chance to win, one is not tried: in one
#: decision of 900 eight guesses liked such a move best.
HOPELESS = 0.08


@kernel
def insert(moves, values, used, most, value, move):
    """Keep a move among the `most` best, the best first; returns how many are used."""
    place = used
    if used == most:
        place = most - 1
        if values[place] >= value:
            return used
    else:
        used += 1
    while place > 0 and values[place - 1] < value:
        copy_record(moves[place], moves[place - 1])
        values[place] = values[place - 1]
        place -= 1
    write_move(moves[place], move)
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
        party = party_led(view, leader)
        members = larger_group(view, leader)[1]
        value = float(party_prestige(view, leader, party.size, members))
        color = leader % REGIONS
        if region_open(view, color, view.power[leader // REGIONS], party.size):
            value += marker_worth(view, color, 0.75)
        used = insert(moves, values, used, most, value, play(party))
    return used


@kernel
def collect_recruits(view, moves, values, used, most):
    """Add the deck and the pool's cards that fit the hand best."""
    used = insert(moves, values, used, most, 1.5, draw())
    cards = view.pool_once
    while cards != np.uint64(0):
        card = lowest(cards)
        cards &= cards - ONE
        used = insert(moves, values, used, most, float(companions(view, card)), take(card))
    return used


@kernel
def collect(view, moves, values, parties, recruits):
    """The moves to try: the policy's own (index 0), the best parties, the best recruits."""
    used = 1 + collect_parties(view, moves[1:], values[1:], 0, parties)
    if not hand_is_full(view):
        used += collect_recruits(view, moves[used:], values[used:], 0, recruits)
    kept = 1
    for i in range(1, used):
        if not same_move(moves[0], moves[i]):
            copy_record(moves[kept], moves[i])
            kept += 1
    return kept


@kernel
def collect_by_net(view, net, moves, values, most):
    """The moves to try where the policy is a net: those worth most to it, the best first.

    All that it can value are ranked, those too that it leaves out by a rule of thumb when it plays.
    """
    found = numbers_on_stack(MOVES_ROOM)
    wins = floats_on_stack(MOST_MOVES)
    margins = floats_on_stack(MOST_MOVES)
    shared = floats_on_stack(SHARED_ROOM)
    hand = counted(view, view.hand_once, view.hand_twice)
    collect_moves(view, hand, found)
    share_numbers(view, net, shared)
    evaluate(view, net, shared, hand, found, wins, margins)
    best = best_of(found, wins, margins)
    least = worth_of(wins[best], margins[best]) - HOPELESS
    used = np.int64(0)
    for number in range(found[0]):
        value = float(worth_of(wins[number], margins[number]))
        if value >= least:
            used = insert(moves, values, used, most, value, move_at(found, 1 + PLACES * number))
    return used


@kernel
def worth_of(win, margin):
    """What a net's outputs are worth as a chance: the margin tells close positions apart."""
    return chance_of_logit(win + MARGIN_WEIGHT * margin)


@kernel
def outcome(game, move, turns, weights, room, net):
    """The own chance to win after a move and some turns more, in an imagined game, and its worth.

    Where no net values the position, it is worth that chance.
    """
    player = np.int64(game.open.player)
    if not make_move(game, move) or not play_on(game, turns):
        return NEVER, NEVER
    over = game.open.age_over
    if net.size != NET_SIZE or (over and game.open.age == game.open.ages):
        win_chances(game.open, game.hidden, weights, room)
        return room[player, CHANCE], room[player, CHANCE]
    if over:
        begin_next_age(game.open, game.hidden)
    put_question(game.open, game.hidden, player, TURN, 0, 0, 0)
    win, margin = outputs_now(game.open, net)
    return chance_of_logit(win), worth_of(win, margin)


@kernel
def net_of(rng):
    """The weights of the policy; those of `learned` are a net that can value positions."""
    return weights_at(rng.weights[0], rng.weights_size[0])


@kernel
def sort_by(values, order, used):
    """Order the first indices by their values, the best first; equal ones keep their order."""
    for i in range(1, used):
        place = i
        while place > 0 and values[order[place]] > values[order[place - 1]]:
            held = order[place]
            order[place] = order[place - 1]
            order[place - 1] = held
            place -= 1


@kernel
def contenders(sums, squares, order, used, samples, doubt):
    """How many of the best moves may still be better than the first, moved to the front.

    A move is out where its mean difference from the best one, on the same guesses, is more than
    `doubt` standard errors.
    """
    kept = 1
    best = order[0]
    for i in range(1, used):
        behind = (sums[best] - sums[order[i]]) / samples
        spread = squares[best, order[i]] / samples - behind * behind
        if behind * behind * (samples - 1) <= doubt * doubt * spread:
            order[kept] = order[i]
            kept += 1
    return kept


@kernel
def note(sums, squares, values, order, used):
    """Add the moves' values on one guess, and their squared differences."""
    for i in range(used):
        sums[order[i]] += values[order[i]]
        for j in range(i):
            gap = values[order[i]] - values[order[j]]
            squares[order[i], order[j]] += gap * gap
            squares[order[j], order[i]] += gap * gap


@strategy(
    Parameter("parties", 4, 1, 10, "parties that it tries at most"),
    Parameter("recruits", 3, 1, 10, "ways to recruit that it tries at most"),
    Parameter("samples", 20, 1, 50, "guesses at hidden cards before half the moves are dropped"),
    Parameter("rounds", 2, 0, 30, "turns that each player takes after the move, within the age"),
    Parameter("doubt", 2, 0, 10, "standard errors behind the best at which a move is dropped"),
    looks_at_rivals=True,
    policy="champion",
    weights="lookahead.npz",
    weights_size=WEIGHTS_SIZE,
)
def lookahead(view, parameters, weights, rng):
    """Tries its best moves in imagined games and makes the one that wins most of them.

    It guesses the hidden cards so that they agree with all it has seen, carries out a move, lets a
    fast policy play a few turns for everybody, and values what comes by the chance to win: a
    weighted sum for each player, fitted to games of champions. Every move meets the same guesses,
    so that luck falls out of the differences; a move clearly behind is dropped early, and after
    each round of `samples` the worse half (sequential halving; Karnin, Koren, Somekh 2013).
    Determinisation by Monte Carlo is how bridge programs play (Ginsberg 2001). With
    `policy=learned` that net says which moves to try, plays on, and values what comes, and its own
    value of a move counts as some guesses; it is strongest with `rounds=1:samples=40:doubt=3`.

    Bad at: bluff and secrets. In each imagined game everybody plays as if all cards were open to
    the guess, so it never values hiding or finding out, and it trusts its policy's picture of the
    rivals.
    """
    none = np.uint64(0)
    most = 1 + int(parameters.parties) + int(parameters.recruits)
    moves = np.zeros(most, MOVE_DTYPE)
    values = np.zeros(most)
    sums = np.zeros(most)
    squares = np.zeros((most, most))
    order = np.arange(most)
    net = net_of(rng)
    own = 0
    if net.size == NET_SIZE:
        left = collect_by_net(view, net, moves, values, most)
        own = OWN_GUESSES
        for _ in range(own):
            note(sums, squares, values, order, left)
    else:
        call_strategy(rng.policy_addresses[TURN], view, moves[0], rng)
        left = collect(view, moves, values, int(parameters.parties), int(parameters.recruits))
    room = chances_room()
    games = imagined_games(view, rng, 2)
    turns = int(parameters.rounds) * np.int64(view.hands)
    samples = own
    while left > 1:
        guess(view, rng, games[0])
        for i in range(left):
            copy_game(games[1], games[0])
            _, worth = outcome(games[1], moves[order[i]], turns, weights, room, net)
            if worth == NEVER:  # a policy that breaks the rules is no player to learn from
                return Move(np.int64(UNANSWERED), np.int64(0), np.int64(0), none, none)
            values[order[i]] = worth
        note(sums, squares, values, order, left)
        samples += 1
        halving = (samples - own) % int(parameters.samples) == 0
        if halving or samples % LOOK == 0:
            sort_by(sums, order, left)
            if halving:
                left = (left + 1) // 2
            left = contenders(sums, squares, order, left, samples, parameters.doubt)
    best = moves[order[0]]
    chosen = Move(
        np.int64(best.kind), np.int64(best.leader), np.int64(best.choice), best.once, best.twice
    )
    # A record does not keep the array alive that it lies in: this use of the array does.
    order[0] = moves.size
    return chosen


@lookahead.chance
def chance_of(view, parameters, weights, rng, move):
    """The chance to win after a move, on one guess at the hidden cards."""
    games = imagined_games(view, rng, 1)
    guess(view, rng, games[0])
    turns = int(parameters.rounds) * np.int64(view.hands)
    chance, _ = outcome(games[0], move, turns, weights, chances_room(), net_of(rng))
    # A record does not keep the array alive that it lies in: this use after the call does.
    return chance if games.size else NEVER
