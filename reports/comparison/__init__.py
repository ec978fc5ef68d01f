"""Compare two rule sets: the differences of their numbers, with verdicts."""
