"""Chance for strategies: each player has a stream of its own, untouched by deals and rivals."""

from __future__ import annotations

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.randomness import advance, below, mix
from ethnos_sim.simulator.user_code.showing import whole


@kernel
def random_below(rng, bound):
    """A random whole number 0 ... bound-1."""
    own = whole(rng)
    own.random_state = advance(own.random_state)
    return below(mix(own.random_state), bound)


@kernel
def random_chance(rng, chance):
    """True with this chance (0 to 1)."""
    return random_below(rng, 1 << 30) < chance * (1 << 30)
