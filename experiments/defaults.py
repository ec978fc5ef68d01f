"""Defaults that commands, specs and functions share."""

STRONGEST = "learned"
"""The strategy that plays if none is named: the strongest of those that do not look ahead."""

MOST_GAMES = 10**12
"""The most games that an option accepts: more than anybody plays."""
