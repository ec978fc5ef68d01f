"""The game's parts as numbers: records, sets of cards, powers, limits and random streams."""
