"""The limits of a table, against which rules are checked; `records` has further limits."""

MAX_PLAYERS = 6
REGIONS = 6
MAX_AGES = 3
