"""What holds wherever nothing else is asked for, in commands, specs and functions alike."""

STRONGEST = "learned"
"""Who plays where no strategies are named: the strongest of those that do not look ahead."""
