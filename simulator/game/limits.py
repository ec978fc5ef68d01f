"""The most players, regions, ages and table powers that rules may ask for."""

MAX_PLAYERS = 6
REGIONS = 6
MAX_AGES = 3

#: The most custom powers that belong to the table, and not to a clan.
TABLE_POWERS = 4
