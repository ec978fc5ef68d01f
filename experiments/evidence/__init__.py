"""From rows to integer sums by block of deals, which are the only input of estimators."""
