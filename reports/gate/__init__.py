"""The regression gate: signatures that have to stay, and balance numbers that may not move."""
