"""Defaults that commands, specs and functions share."""

STRONGEST = "learned"
"""The strategy that plays if none is named: the strongest strategy that does not look ahead."""
