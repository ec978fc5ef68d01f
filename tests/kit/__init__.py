"""The test kit: games that the referee always checks, from a stacked deal or from a seed."""
