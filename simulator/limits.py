"""What the kernel's records have room for; rules and tables are checked against it."""

MAX_PLAYERS = 6
REGIONS = 6
MAX_SLOTS = 7
MAX_AGES = 3
MAX_DECK = 96
MAX_HAND = 15
MAX_SYMBOLS = 8
MAX_TOKENS = 6
MAX_COINS = 32
