"""What a table has at most, which rules are checked against; records say what else they hold."""

MAX_PLAYERS = 6
REGIONS = 6
MAX_AGES = 3
