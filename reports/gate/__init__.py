"""The regression gate: signatures must stay the same, and balance numbers must not move."""
