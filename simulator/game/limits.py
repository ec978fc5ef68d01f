"""The limits of a table, which rules must keep; `records` has more limits."""

MAX_PLAYERS = 6
REGIONS = 6
MAX_AGES = 3
