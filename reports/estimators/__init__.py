"""Estimands with their estimators, which turn evidence into estimates with intervals."""
