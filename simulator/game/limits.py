"""The limits of a table, which rules must keep; `records` has more limits."""

MAX_PLAYERS = 6
REGIONS = 6
MAX_AGES = 3

#: The most custom powers that belong to the table, and not to a clan.
TABLE_POWERS = 4
