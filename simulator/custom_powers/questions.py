"""What a custom power asks players; who does not know it answers as it suggests."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, ZERO, bit, popcount
from ethnos_sim.simulator.compilation import kernel, tool
from ethnos_sim.simulator.custom_powers.game import hidden_of, show_again, view_of
from ethnos_sim.simulator.custom_powers.toolkit import NO_OPTIONS, NO_SUGGESTION, done, goes_on
from ethnos_sim.simulator.failures import Misdeed
from ethnos_sim.simulator.kernel.asking import choose as choose_option
from ethnos_sim.simulator.kernel.faults import NO_FAULT, NOT_AN_OPTION
from ethnos_sim.simulator.kernel.moments import CHOSE
from ethnos_sim.simulator.records import CHOOSE, MAX_SLOTS, NONE, REGIONS


@kernel
def _ask(game, player, options, suggestion, question, may_decline):
    """A player's answer to a question of the power."""
    view = view_of(game)
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
        done(game, CHOSE, player, choice, question)
        return choice
    show_again(game)
    return np.int64(NONE) if may_decline else np.int64(suggestion)


@kernel
def _answer(game, player, options, suggestion, question, may_decline):
    """A player's answer, without a question where there is nothing to choose."""
    options = np.uint64(options)
    if options >> np.uint64(MAX_SLOTS * REGIONS) != ZERO:
        raise Misdeed(NO_OPTIONS)
    among = suggestion >= 0 and suggestion < 64 and options & bit(suggestion) != ZERO
    if options != ZERO and not among and not (may_decline and suggestion == NONE):
        raise Misdeed(NO_SUGGESTION)
    asked = goes_on(game, player)
    if options == ZERO:
        return np.int64(NONE)
    if not asked:
        return np.int64(NONE) if may_decline else np.int64(suggestion)
    if player >= game.hands or (not may_decline and options & (options - ONE) == ZERO):
        return np.int64(suggestion)
    return _ask(game, player, options, suggestion, question, may_decline)


@tool
def choose(game, player, options, suggestion, question=0):
    """Let a player choose one of a mask's options; a single one is not asked for, and -1 is none.

    `suggestion` is what strategies answer that do not know the power, and Chief Bruno; `question`
    tells several questions of a power apart.
    """
    return _answer(game, player, options, suggestion, question, 0)


@tool
def offer(game, player, options, suggestion, question=0):
    """Let a player choose one of a mask's options, or none: -1. As `choose` otherwise."""
    return _answer(game, player, options, suggestion, question, 1)


@tool
def accepts(game, player, suggestion, question=0):
    """Whether a player says yes; `suggestion` is True or False. As `choose` otherwise."""
    return _answer(game, player, ONE, 0 if suggestion else NONE, question, 1) == 0
