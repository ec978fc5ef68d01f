"""The number of blocks of deals, and the fewest blocks and events that an interval needs."""

BLOCKS = 32
"""The number of blocks of deals: enough for a nearly normal t distribution, and few to store."""

MIN_BLOCKS = 20
"""The fewest blocks of deals for a jackknife interval; a number with fewer has no interval."""

MIN_EVENTS = 100
"""The fewest events (parties led, wins …) of a ratio with an interval."""
