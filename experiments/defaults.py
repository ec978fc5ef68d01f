"""Defaults that commands, specs and functions share."""

STRONGEST = "learned"
"""The strategy that plays if none is named: the strongest strategy that does not look ahead."""

MOST_GAMES = 10**12
"""More games than anybody plays."""
