"""From rows to integer sums by block of deals: all that estimators see of the games."""
