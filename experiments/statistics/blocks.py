"""The number of blocks of deals, and the fewest blocks and events that an interval needs."""

BLOCKS = 32
"""Blocks of deals: enough for a t distribution close to normal, few enough to stay small."""

MIN_BLOCKS = 20
"""With fewer blocks of deals a jackknife interval is not trusted, and no interval is given."""

MIN_EVENTS = 100
"""With fewer events (parties led, wins …) a ratio's interval is not trusted and not given."""
