"""The tools with which a custom power acts. No tool can break the game.

Cards move between deck, hands and pool, and no card is made or lost. Markers come from a player's
supply and go back to it. Prestige is counted under the source "powers". Hands stay within their
limit. A tool that cannot act changes nothing, and its result says so. If a question stays without
an answer, the turn is broken off, and later tools change nothing.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel, tool
from ethnos_sim.simulator.compiler.failures import ForbiddenAction
from ethnos_sim.simulator.custom_powers.call_arguments import hidden_of, log_of
from ethnos_sim.simulator.game.cards import ONE, ZERO, Cards, bit, copies, popcount
from ethnos_sim.simulator.game.randomness import index_below, mix, next_state
from ethnos_sim.simulator.game.records import (
    CHOOSE,
    MAX_SLOTS,
    NONE,
    REGIONS,
    SCORING_SIZE,
    STATE,
)
from ethnos_sim.simulator.kernel import moments
from ethnos_sim.simulator.kernel.asking import ask_choice as choose_option
from ethnos_sim.simulator.kernel.card_moves import (
    draw_card,
    put_in_column,
    put_in_hand,
    put_in_pool,
    show_in_hand,
    take_from_hand,
    take_from_pool,
)
from ethnos_sim.simulator.kernel.faults import NO_FAULT, NOT_AN_OPTION
from ethnos_sim.simulator.kernel.markers import place_marker as put_marker
from ethnos_sim.simulator.kernel.markers import recount_markers
from ethnos_sim.simulator.kernel.moments import CHOSE
from ethnos_sim.simulator.kernel.powers import payable_prestige
from ethnos_sim.simulator.user_code.shown_types import whole_record

#: The most prestige of one payment.
MOST_PAID = 1_000

#: The largest number that a power may remember.
LARGEST_REMEMBERED = 30_000

#: The highest number of a question, which the view holds in 8 bits.
LAST_QUESTION = 127

#: Up to this moment a power may only return an answer, because its party is not in the trace yet.
_LAST_BEFORE_PARTY = SCORING_SIZE

NO_PLAYER = "a tool was given a player who does not play"
NO_SUCH_PLACE = f"a power keeps {STATE} numbers for each player, at the places 0 to {STATE - 1}"
TOO_MUCH_PRESTIGE = f"a payment of prestige is at most {MOST_PAID:,}"
TOO_LARGE = f"a number that a power keeps is at most {LARGEST_REMEMBERED:,}"
NO_OPTIONS = f"the options of a question are numbers below {MAX_SLOTS * REGIONS}"
NO_QUESTION = f"the number of a question is 0 to {LAST_QUESTION}"
ANSWERS_ONLY = "scoring_size, marker_size and marker_regions only answer; act in after_party"
TOO_MANY_ACTIONS = f"custom powers took more than {moments.MOST_ACTIONS:,} actions in one game"


@kernel
def may_act(game, player):
    """Whether a tool may act for a player; False once a question was left without an answer."""
    view = whole_record(game)
    hidden = hidden_of(game)
    if player < 0 or player >= view.players:
        raise ForbiddenAction(NO_PLAYER)
    if hidden.call.action_count >= moments.MOST_ACTIONS:
        raise ForbiddenAction(TOO_MANY_ACTIONS)
    if hidden.call.moment <= _LAST_BEFORE_PARTY:
        raise ForbiddenAction(ANSWERS_ONLY)
    return hidden.fault_reason == NO_FAULT


@kernel
def record_action(game, kind, player, first, second):
    """Write a tool's action and two numbers that describe it to the trace; count the action."""
    moments.write_action(log_of(game), hidden_of(game).call, kind, player, first, second)


@kernel
def _check_whole_number(number):
    """Raise ForbiddenAction for a number that is not whole, such as half a point."""
    if number != np.int64(number):
        raise ForbiddenAction("a tool was given a number that is not whole")


@kernel
def _check_card(game, card):
    """Raise ForbiddenAction for a number that is no card of this table."""
    if card < 0 or card >= REGIONS * game.slots:
        raise ForbiddenAction("a tool was given a card that is not in play")


@kernel
def _check_region(region):
    """Raise ForbiddenAction for a number that is no region."""
    if region < 0 or region >= REGIONS:
        raise ForbiddenAction("a tool was given a region that does not exist")


@kernel
def _has_room(view, player):
    """Whether a player has a hand, and room in it."""
    return player < view.hands and view.hand_cards[player] < view.rules.hand_limit


@kernel
def _may_use_card(game, player, card):
    """Whether a tool may act for a player, and the player's hand holds a card."""
    _check_card(game, card)
    hidden = hidden_of(game)
    if not may_act(game, player) or player >= game.hands:
        return False
    return copies(hidden.hands_once[player], hidden.hands_twice[player], card) > 0


@tool
def hand_of(game, player):
    """The cards in a player's hand, which other players do not see."""
    if player < 0 or player >= game.hands:
        raise ForbiddenAction(NO_PLAYER)
    hidden = hidden_of(game)
    return Cards(hidden.hands_once[player], hidden.hands_twice[player])


@tool
def draw_cards(game, player, number):
    """Draw cards from the deck into a hand while it has room, or into Bruno's columns.

    Returns the number of cards drawn. If the last dragon comes, the age is over (`game.age_over`).
    """
    _check_whole_number(number)
    view = whole_record(game)
    hidden = hidden_of(game)
    drawn = 0
    while drawn < number and not view.age_over and may_act(game, player):
        bruno = player >= view.hands
        if not bruno and not _has_room(view, player):
            break
        hidden.dragons_met = 0
        card = draw_card(view, hidden, 0 if bruno else player)
        if card != NONE:
            drawn += 1
            if bruno:
                put_in_column(view, bit(card))
            else:
                put_in_hand(view, hidden, player, bit(card))
        record_action(game, moments.DREW, player, card, hidden.dragons_met)
    return drawn


@tool
def take_card(game, player, card):
    """Take a card from the pool into a hand; False if it is not in the pool or the hand is full."""
    _check_card(game, card)
    view = whole_record(game)
    hidden = hidden_of(game)
    if not may_act(game, player) or not _has_room(view, player):
        return False
    if copies(view.pool_once, view.pool_twice, card) == 0:
        return False
    take_from_pool(view, bit(card))
    # Bruno may get a card discarded in this turn only if it is still in the pool.
    hidden.discarded_once &= view.pool_once
    hidden.discarded_twice &= view.pool_twice
    put_in_hand(view, hidden, player, bit(card))
    show_in_hand(view, player, bit(card))
    record_action(game, moments.TOOK, player, card, 0)
    return True


@tool
def discard_card(game, player, card):
    """Put a card of a hand into the pool; False if the hand does not hold it."""
    view = whole_record(game)
    if not _may_use_card(game, player, card):
        return False
    take_from_hand(view, hidden_of(game), player, bit(card), ZERO)
    put_in_pool(view, bit(card), ZERO)
    record_action(game, moments.DISCARDED, player, card, 0)
    return True


@tool
def give_card(game, player, receiver, card):
    """Give a card of a hand to another player, for all to see.

    Returns False if the hand does not hold the card, or the receiver's hand is full.
    """
    view = whole_record(game)
    hidden = hidden_of(game)
    if not may_act(game, receiver) or not _may_use_card(game, player, card):
        return False
    if receiver == player or not _has_room(view, receiver):
        return False
    take_from_hand(view, hidden, player, bit(card), ZERO)
    put_in_hand(view, hidden, receiver, bit(card))
    show_in_hand(view, receiver, bit(card))
    record_action(game, moments.GAVE, player, card, receiver)
    return True


@tool
def place_marker(game, player, region):
    """Place a marker from the supply; False if none is left."""
    _check_region(region)
    view = whole_record(game)
    if not may_act(game, player) or view.supply[player] <= 0:
        return False
    put_marker(view, player, region)
    record_action(game, moments.PLACED, player, region, 0)
    return True


@tool
def move_marker(game, player, region, target):
    """Move a player's marker from a region to another one; False if the player has none there."""
    _check_region(region)
    _check_region(target)
    view = whole_record(game)
    if not may_act(game, player) or view.markers[region, player] <= 0:
        return False
    view.markers[region, player] -= 1
    view.markers[target, player] += 1
    recount_markers(view, region)
    recount_markers(view, target)
    record_action(game, moments.MOVED, player, region, target)
    return True


@tool
def remove_marker(game, player, region):
    """Take a player's marker from a region back to the supply; False if there is none."""
    _check_region(region)
    view = whole_record(game)
    if not may_act(game, player) or view.markers[region, player] <= 0:
        return False
    view.markers[region, player] -= 1
    view.supply[player] += 1
    recount_markers(view, region)
    record_action(game, moments.REMOVED, player, region, 0)
    return True


@tool
def pay_prestige(game, player, amount):
    """Pay a player prestige; a negative amount is taken away.

    The player's prestige stays between 0 and 20,000. Returns the amount paid.
    """
    _check_whole_number(amount)
    if not -MOST_PAID <= amount <= MOST_PAID:
        raise ForbiddenAction(TOO_MUCH_PRESTIGE)
    view = whole_record(game)
    if not may_act(game, player):
        return np.int64(0)
    paid = payable_prestige(view, player, amount)
    if paid != 0:
        view.prestige[player] += paid
        hidden_of(game).seats[player].powers += paid
        record_action(game, moments.PAID, player, paid, 0)
    return paid


@tool
def remember(game, player, place, value):
    """Keep a number for a player at a place (0 to 3), for all to see. At first it is 0."""
    if place < 0 or place >= STATE:
        raise ForbiddenAction(NO_SUCH_PLACE)
    _check_whole_number(value)
    if not -LARGEST_REMEMBERED <= value <= LARGEST_REMEMBERED:
        raise ForbiddenAction(TOO_LARGE)
    if may_act(game, player):
        whole_record(game).power_state[game.slot, player, place] = value
        record_action(game, moments.REMEMBERED, player, place, value)


@tool
def recall(game, player, place):
    """The number that the power keeps for a player at a place."""
    if player < 0 or player >= game.players:
        raise ForbiddenAction(NO_PLAYER)
    if place < 0 or place >= STATE:
        raise ForbiddenAction(NO_SUCH_PLACE)
    return np.int64(game.power_state[game.slot, player, place])


@tool
def random_below(game, bound):
    """A random number from 0 to `bound - 1`, from the power's own random stream."""
    _check_whole_number(bound)
    if bound <= 0:
        raise ForbiddenAction("a random number needs a bound above 0")
    call = hidden_of(game).call
    call.random_state = next_state(call.random_state)
    return index_below(mix(call.random_state), bound)


@kernel
def _ask_player(game, player, options, suggestion, question, may_decline):
    """Ask a player a question of the power, and return the answer."""
    view = whole_record(game)
    hidden = hidden_of(game)
    view.offered_once = options
    view.offered_twice = ZERO
    view.asking_slot = game.slot
    view.question = question
    view.suggestion = suggestion
    acting = view.player
    limit = popcount(options)
    reason, choice = choose_option(
        view, hidden, player, CHOOSE, options, limit, may_decline, NOT_AN_OPTION
    )
    if reason == NO_FAULT:
        view.player = acting
        record_action(game, CHOSE, player, choice, question)
        return choice
    return np.int64(NONE) if may_decline else np.int64(suggestion)


@kernel
def _player_answer(game, player, options, suggestion, question, may_decline):
    """A player's answer to a power's question; the player is not asked if there is no choice."""
    _check_whole_number(options)
    _check_whole_number(suggestion)
    _check_whole_number(question)
    if question < 0 or question > LAST_QUESTION:
        raise ForbiddenAction(NO_QUESTION)
    options = np.uint64(options)
    if options >> np.uint64(MAX_SLOTS * REGIONS) != ZERO:
        raise ForbiddenAction(NO_OPTIONS)
    among = suggestion >= 0 and suggestion < 64 and options & bit(suggestion) != ZERO
    if options != ZERO and not among and not (may_decline and suggestion == NONE):
        raise ForbiddenAction("the suggested answer is not among the options")
    asked = may_act(game, player)
    if options == ZERO:
        return np.int64(NONE)
    if not asked:
        return np.int64(NONE) if may_decline else np.int64(suggestion)
    if player >= game.hands or (not may_decline and options & (options - ONE) == ZERO):
        return np.int64(suggestion)
    return _ask_player(game, player, options, suggestion, question, may_decline)


@tool
def choose(game, player, options, suggestion, question=0):
    """Let a player choose one of a mask's options; -1 if the mask is empty.

    A single option is chosen without asking. `suggestion` is the answer of Chief Bruno, and of
    strategies that do not know the power. `question` distinguishes several questions of a power.
    """
    return _player_answer(game, player, options, suggestion, question, 0)


@tool
def offer(game, player, options, suggestion, question=0):
    """As `choose`, but the player may decline; then the answer is -1."""
    return _player_answer(game, player, options, suggestion, question, 1)


@tool
def accepts(game, player, suggestion, question=0):
    """Ask a player for a yes or a no; `suggestion` is True or False, `question` as in `choose`."""
    return _player_answer(game, player, ONE, 0 if suggestion else NONE, question, 1) == 0
